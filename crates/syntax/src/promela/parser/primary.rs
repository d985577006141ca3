//! The operands of expressions, and references to variables.

use super::exprs::Operand;
use super::{Parse, Parser};
use crate::diagnostics::Diagnostic;
use crate::promela::ast::*;
use crate::promela::lexer::{Tok, Token};

impl Parser<'_> {
    pub(super) fn starts_expr(&self, kind: Tok) -> bool {
        use Tok::*;
        matches!(
            kind,
            OpenParen
                | Minus
                | Bang
                | BangBang
                | Tilde
                | Name
                | Int
                | Char
                | True
                | False
                | Skip
                | Run
                | Len
                | Full
                | NotFull
                | Empty
                | NotEmpty
                | Enabled
                | PcValue
                | GetPriority
                | Timeout
                | NonProgress
                | CExpr
        )
    }

    pub(super) fn primary(&mut self) -> Parse<Operand> {
        let token = self.peek();
        let kind = match token.kind {
            Tok::OpenParen => return self.parenthesised(),
            Tok::Int | Tok::Char | Tok::True | Tok::False | Tok::Skip => {
                ExprKind::Int(self.int_literal("a number")?)
            }
            Tok::Name => {
                self.next();
                if self.inlines.contains_key(self.lexer.text(token)) {
                    return self.inline_in_expr(token);
                }
                let var = self.var_ref_from(token)?;
                return self.after_var(var);
            }
            Tok::Run => self.run()?,
            Tok::Len => {
                self.next();
                ExprKind::Len(self.channel_in_parens()?)
            }
            Tok::Full | Tok::NotFull | Tok::Empty | Tok::NotEmpty => return self.probe(token),
            Tok::Enabled => {
                self.next();
                ExprKind::Enabled(self.in_parens()?)
            }
            Tok::PcValue => {
                self.next();
                ExprKind::PcValue(self.in_parens()?)
            }
            Tok::GetPriority => {
                self.next();
                ExprKind::GetPriority(self.in_parens()?)
            }
            Tok::Timeout => {
                self.next();
                ExprKind::Timeout
            }
            Tok::NonProgress => {
                self.next();
                ExprKind::NonProgress
            }
            Tok::CExpr => ExprKind::EmbeddedC(self.embedded_c()?),
            _ => {
                let error = self.unexpected_error("an expression");
                let error = self.hint_operator(error);
                return self.report(error);
            }
        };
        Ok(Expr { kind, span: self.since(token.span) }.into())
    }

    fn inline_in_expr<T>(&mut self, token: Token) -> Parse<T> {
        let name = self.text(token);
        let error = Diagnostic::error(
            token.span,
            format!("inline `{name}` cannot be used within an expression"),
        )
        .help(format!("call it as a statement, or assign its result alone: `x = {name}(…)`"));
        self.report(error)
    }

    /// `( e )` or `( c -> a : b )`
    fn parenthesised(&mut self) -> Parse<Operand> {
        let open = self.next();
        let condition = self.operand(0)?;
        if !self.eat(Tok::Arrow) {
            self.expect_close(Tok::CloseParen, open.span)?;
            let span = self.since(open.span);
            return Ok(Operand { expr: Expr { span, ..condition.expr }, ..condition });
        }
        self.no_probe(&condition)?;
        let then = self.operand(0)?;
        self.no_probe(&then)?;
        self.expect(Tok::Colon)?;
        let otherwise = self.operand(0)?;
        self.no_probe(&otherwise)?;
        self.expect_close(Tok::CloseParen, open.span)?;
        let height = 1 + condition.height.max(then.height).max(otherwise.height);
        let kind = ExprKind::Conditional {
            condition: Box::new(condition.expr),
            then: Box::new(then.expr),
            otherwise: Box::new(otherwise.expr),
        };
        Ok(Operand { expr: Expr { kind, span: self.since(open.span) }, probe: false, height })
    }

    fn in_parens(&mut self) -> Parse<Box<Expr>> {
        let open = self.expect(Tok::OpenParen)?;
        let inner = self.expr()?;
        self.expect_close(Tok::CloseParen, open.span)?;
        Ok(Box::new(inner))
    }

    fn channel_in_parens(&mut self) -> Parse<VarRef> {
        let open = self.expect(Tok::OpenParen)?;
        let channel = self.var_ref()?;
        self.expect_close(Tok::CloseParen, open.span)?;
        Ok(channel)
    }

    fn probe(&mut self, token: Token) -> Parse<Operand> {
        let kind = match token.kind {
            Tok::Full => ProbeKind::Full,
            Tok::NotFull => ProbeKind::NotFull,
            Tok::Empty => ProbeKind::Empty,
            _ => ProbeKind::NotEmpty,
        };
        self.next();
        let channel = self.channel_in_parens()?;
        let span = self.since(token.span);
        let expr = Expr { kind: ExprKind::Probe { kind, channel }, span };
        Ok(Operand { expr, probe: true, height: 1 })
    }

    /// `run P(a, b) priority n`
    fn run(&mut self) -> Parse<ExprKind> {
        self.next();
        let proctype = self.expect_name("the name of a proctype")?;
        let open = self.expect(Tok::OpenParen)?;
        let mut args = Vec::new();
        if !self.at(Tok::CloseParen) {
            loop {
                args.push(self.expr()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect_close(Tok::CloseParen, open.span)?;
        let priority = self.priority()?;
        Ok(ExprKind::Run { proctype, args, priority })
    }

    /// What may follow a variable within an operand: a poll or a remote reference.
    pub(super) fn after_var(&mut self, var: VarRef) -> Parse<Operand> {
        let token = self.peek();
        match token.kind {
            Tok::Query | Tok::QueryQuery => {
                self.next();
                if !self.at(Tok::OpenBracket) {
                    let error = Diagnostic::error(
                        token.span,
                        "a receive is a statement, not an expression",
                    )
                    .help("to test for a message use a poll: `c?[…]`");
                    return self.report(error);
                }
                Ok(self.poll(var, token.kind == Tok::QueryQuery)?.into())
            }
            Tok::At => self.remote(var),
            Tok::Colon if self.proctypes.contains(&var.head().text) => self.remote(var),
            Tok::OpenParen => {
                let name = var.head().text.clone();
                let message = format!("`{name}` cannot be called in an expression");
                let mut error = Diagnostic::error(token.span, message);
                if self.proctypes.contains(&name) {
                    error = error.help(format!("to start the process write `run {name}(…)`"));
                }
                // `c!msg(5)` is the one place where a parenthesis follows a name.
                if self.reading_send_tag {
                    return Ok(var_expr(var).into());
                }
                self.report(error)
            }
            _ => Ok(var_expr(var).into()),
        }
    }

    /// `P[pid]@label`, `P@label`, `P[pid]:x`, `P:x`
    fn remote(&mut self, var: VarRef) -> Parse<Operand> {
        let operator = self.next();
        let mut path = var.path;
        if path.len() > 1 {
            let error = Diagnostic::error(var.span, "expected the name of a proctype before this")
                .also(operator.span, "remote reference");
            return self.report(error);
        }
        let segment = path.remove(0);
        let (proctype, pid) = (segment.name, segment.index);
        let kind = if operator.kind == Tok::At {
            ExprKind::RemoteLabel { proctype, pid, label: self.expect_name("a label")? }
        } else {
            let var = self.reference("a variable of that proctype")?;
            ExprKind::RemoteVar { proctype, pid, var }
        };
        Ok(Expr { kind, span: self.since(var.span) }.into())
    }

    fn index(&mut self) -> Parse<Option<Box<Expr>>> {
        if !self.at(Tok::OpenBracket) {
            return Ok(None);
        }
        let open = self.next();
        let index = self.nested(|parser| parser.expr())?;
        self.expect_close(Tok::CloseBracket, open.span)?;
        Ok(Some(Box::new(index)))
    }

    pub(super) fn var_ref(&mut self) -> Parse<VarRef> {
        self.reference("a variable")
    }

    fn reference(&mut self, what: &str) -> Parse<VarRef> {
        let token = self.peek();
        self.expect_name(what)?;
        self.var_ref_from(token)
    }

    /// The rest of a reference whose first name is consumed.
    pub(super) fn var_ref_from(&mut self, first: Token) -> Parse<VarRef> {
        let mut path = vec![PathSegment { name: self.ident(first), index: self.index()? }];
        while self.eat(Tok::Dot) {
            let name = self.expect_name("the name of a field")?;
            let index = self.index()?;
            path.push(PathSegment { name, index });
        }
        Ok(VarRef { path, span: self.since(first.span) })
    }

    pub(super) fn int_literal(&mut self, what: &str) -> Parse<IntLit> {
        let token = self.peek();
        let text = self.lexer.text(token);
        let (value, form) = match token.kind {
            Tok::Int => (self.decimal(token, text), IntForm::Decimal),
            Tok::Char => (character(text), IntForm::Character),
            Tok::True => (1, IntForm::True),
            Tok::False => (0, IntForm::False),
            Tok::Skip => (1, IntForm::Skip),
            _ => return self.unexpected(what),
        };
        self.next();
        Ok(IntLit { value, form, span: token.span })
    }

    /// Spin reads a C `long` and cuts it to 32 bits.
    fn decimal(&mut self, token: Token, text: &str) -> i32 {
        let long = text.parse::<i64>().unwrap_or(i64::MAX);
        let value = long as i32;
        if i64::from(value) != long {
            let warning = Diagnostic::warning(
                token.span,
                format!("`{text}` does not fit 32 bits and is read as {value}"),
            );
            self.lexer.diagnostics.push(warning);
        }
        value
    }
}

fn var_expr(var: VarRef) -> Expr {
    let span = var.span;
    Expr { kind: ExprKind::Var(var), span }
}

/// The value of `'a'` or `'\n'`, as Spin reads it.
fn character(text: &str) -> i32 {
    let mut chars = text.chars().skip(1);
    match chars.next() {
        Some('\\') => match chars.next() {
            Some('0') => 0,
            Some('n') => 10,
            Some('r') => 13,
            Some('t') => 9,
            Some('f') => 12,
            Some(other) => other as i32,
            None => 0,
        },
        Some(other) => other as i32,
        None => 0,
    }
}
