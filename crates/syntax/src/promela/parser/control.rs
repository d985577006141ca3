//! `if`, `do`, `for`, `select`.

use super::stmts::BlockKind;
use super::{Parse, Parser};
use crate::diagnostics::{Diagnostic, Span};
use crate::promela::ast::*;
use crate::promela::lexer::Tok;

impl Parser<'_> {
    /// `if :: … :: … fi`, `do :: … od`
    pub(super) fn choices(&mut self, close: Tok) -> Parse<Vec<Choice>> {
        let open = self.next();
        // Spin takes no separator here, but a stray newline rule cannot put one either.
        let mut choices = Vec::new();
        while self.at(Tok::Option_) {
            let start = self.next();
            let stmts = self.sequence(start.span);
            self.warn_label(&stmts);
            choices.push(Choice { stmts, span: self.since(start.span) });
        }
        if choices.is_empty() {
            let error = self.unexpected_error("`::`");
            let error = match (self.peek().kind, close) {
                (Tok::OpenParen, Tok::Fi) => {
                    error.help("write `if :: condition -> … :: else -> … fi`")
                }
                (Tok::OpenBrace, Tok::Od) => error.help("write `do :: condition -> … od`"),
                _ => error,
            };
            return self.report(error);
        }
        if self.at(close) {
            self.next();
            return Ok(choices);
        }
        let what = format!("`::` or {}", close.describe());
        let error = self.unexpected_error(&what).also(open.span, "to go on with this");
        self.report(error)
    }

    /// Spin complains about `:: L: …` but goes on.
    fn warn_label(&mut self, stmts: &[Stmt]) {
        if let Some(label) = stmts.first().and_then(|stmt| stmt.labels.first()) {
            let warning = Diagnostic::warning(
                label.span,
                format!("label `{}` stands before a guard", label.text),
            )
            .note("a jump to it enters only this option")
            .help("put the label before `if` or `do` to jump to the choice");
            self.lexer.diagnostics.push(warning);
        }
    }

    /// `for (i : a .. b) { … }`, `for (i in a) { … }`
    pub(super) fn for_loop(&mut self) -> Parse<StmtKind> {
        self.next();
        let open = self.expect(Tok::OpenParen)?;
        if self.at_declaration() {
            let span = self.peek().span;
            let error = Diagnostic::error(span, "a `for` cannot declare its variable")
                .help("declare it before the loop");
            return self.report(error);
        }
        let var = self.var_ref()?;
        let token = self.peek();
        let range = if self.eat(Tok::Colon) {
            let (from, to) = self.bounds()?;
            self.check_bounds(&from, &to, &var);
            ForRange::Bounds { from, to }
        } else if token.kind == Tok::Name && self.lexer.text(token) == "in" {
            self.next();
            ForRange::In(self.var_ref()?)
        } else {
            let error = self
                .unexpected_error("`:` or `in`")
                .help(format!("write `for ({} : 1 .. 3) {{ … }}`", var.head().text));
            return self.report(error);
        };
        self.expect_close(Tok::CloseParen, open.span)?;
        self.eat(Tok::Semi);
        if !self.at(Tok::OpenBrace) {
            let error = self.unexpected_error("`{`").help("the body of a `for` stands in braces");
            return self.report(error);
        }
        let body = self.block(BlockKind::For)?;
        Ok(StmtKind::For(For { var, range, body }))
    }

    /// `a .. b`
    fn bounds(&mut self) -> Parse<(Expr, Expr)> {
        let from = self.expr()?;
        self.expect(Tok::DotDot)?;
        Ok((from, self.expr()?))
    }

    fn check_bounds(&mut self, from: &Expr, to: &Expr, var: &VarRef) {
        let (ExprKind::Int(low), ExprKind::Int(high)) = (&from.kind, &to.kind) else { return };
        if low.value > high.value {
            let span: Span = self.join(from.span, to.span);
            let name = &var.head().text;
            let error = Diagnostic::error(span, format!("the range of `{name}` is empty"))
                .label(format!("{} is larger than {}", low.value, high.value));
            self.record(error);
        }
    }

    /// `select (i : a .. b)`
    pub(super) fn select(&mut self) -> Parse<StmtKind> {
        self.next();
        let as_choice = self.lexer.select_is_choice();
        let open = self.expect(Tok::OpenParen)?;
        let var = self.var_ref()?;
        self.expect(Tok::Colon)?;
        let (from, to) = self.bounds()?;
        self.check_bounds(&from, &to, &var);
        self.expect_close(Tok::CloseParen, open.span)?;
        Ok(StmtKind::Select(Select { var, from, to, as_choice }))
    }
}
