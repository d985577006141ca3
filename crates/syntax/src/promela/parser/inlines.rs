//! Inline definitions and calls.

use std::rc::Rc;

use super::stmts::BlockKind;
use super::{Parse, Parser, Reported};
use crate::diagnostics::Diagnostic;
use crate::promela::ast::*;
use crate::promela::lexer::{InlineBody, Tok, Token};

/// Spin stops at 16; more does no harm.
const MAX_INLINE_DEPTH: usize = 64;

impl Parser<'_> {
    /// `inline f(a, b) { … }`
    pub(super) fn inline_definition(&mut self) -> Parse<ItemKind> {
        self.next();
        let name = self.expect_name("the name of the inline")?;
        let open = self.expect(Tok::OpenParen)?;
        let mut params: Vec<Ident> = Vec::new();
        if !self.at(Tok::CloseParen) {
            loop {
                let param = self.expect_name("the name of a parameter")?;
                if params.iter().any(|known| known.text == param.text) {
                    let message = format!("parameter `{}` occurs twice", param.text);
                    self.record(Diagnostic::error(param.span, message));
                }
                params.push(param);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect_close(Tok::CloseParen, open.span)?;
        let open = self.expect(Tok::OpenBrace)?;
        let Some((lo, hi)) = self.lexer.rest_of_braces(open) else { return Err(Reported) };
        if let Some(known) = self.inlines.get(&name.text) {
            let error =
                Diagnostic::error(name.span, format!("inline `{}` is defined twice", name.text))
                    .also(known.definition, "first defined here");
            self.record(error);
        }
        let body = InlineBody {
            name: name.text.clone(),
            definition: name.span,
            params: params.iter().map(|param| param.text.clone()).collect(),
            lo: open.lo,
            hi: hi + 1,
        };
        self.inlines.insert(name.text.clone(), Rc::new(body));
        let text = self.lexer.raw_text(lo, hi).to_string();
        self.last_span = self.lexer.span_of(hi as usize, hi as usize + 1);
        Ok(ItemKind::Inline(InlineDef { name, params, text }))
    }

    /// `f(…)` or, with a target, `x = f(…)`. The name is consumed.
    pub(super) fn inline_call(&mut self, token: Token, target: Option<VarRef>) -> Parse<StmtKind> {
        let name = self.ident(token);
        let body = self.inlines[&name.text].clone();
        if self.lexer.is_expanding(&name.text) {
            let error =
                Diagnostic::error(name.span, format!("inline `{}` calls itself", name.text))
                    .note("an inline is replaced by its text, so it cannot be recursive")
                    .help("use a proctype and `run`, or a loop");
            return self.report(error);
        }
        if self.lexer.inline_depth() >= MAX_INLINE_DEPTH {
            let error = Diagnostic::error(name.span, "inlines call each other too deeply");
            return self.report(error);
        }
        let open = self.expect(Tok::OpenParen)?;
        let args = self.inline_args(open)?;
        let call = self.since(name.span);
        if args.len() != body.params.len() {
            let message = format!(
                "inline `{}` takes {} argument(s) but is given {}",
                name.text,
                body.params.len(),
                args.len()
            );
            let error = Diagnostic::error(call, message).also(body.definition, "defined here");
            return self.report(error);
        }
        self.lexer.enter_inline(&body, args, call);
        self.return_targets.push(target);
        let body = self.block(BlockKind::Plain);
        self.return_targets.pop();
        self.last_span = call;
        Ok(StmtKind::Inline(InlineCall { name, body: body? }))
    }

    /// The tokens of each argument. They must be expressions, as Spin parses them so.
    fn inline_args(&mut self, open: Token) -> Parse<Vec<Rc<[Token]>>> {
        self.lexer.start_recording();
        let outcome = self.parse_inline_args(open);
        let mut tokens = self.lexer.stop_recording();
        outcome?;
        tokens.pop(); // the `)`
        if tokens.is_empty() {
            return Ok(Vec::new());
        }
        let mut args = Vec::new();
        let mut current = Vec::new();
        let mut depth = 0u32;
        for token in tokens {
            match token.kind {
                Tok::OpenParen | Tok::OpenBracket => depth += 1,
                Tok::CloseParen | Tok::CloseBracket => depth = depth.saturating_sub(1),
                Tok::Comma if depth == 0 => {
                    args.push(std::mem::take(&mut current).into());
                    continue;
                }
                _ => {}
            }
            current.push(token);
        }
        args.push(current.into());
        Ok(args)
    }

    fn parse_inline_args(&mut self, open: Token) -> Parse<()> {
        if !self.at(Tok::CloseParen) {
            loop {
                self.expr()?;
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect_close(Tok::CloseParen, open.span)?;
        Ok(())
    }

    /// `return e` is an assignment to the variable of the call.
    pub(super) fn return_stmt(&mut self) -> Parse<StmtKind> {
        let token = self.next();
        match self.return_targets.last().cloned() {
            Some(Some(target)) => Ok(StmtKind::Assign { target, value: self.full_expr()? }),
            Some(None) => {
                let error = Diagnostic::error(
                    token.span,
                    "this inline returns a value that the call does not take",
                )
                .help("call it as `x = f(…)`");
                self.report(error)
            }
            None => {
                let error = Diagnostic::error(token.span, "`return` stands outside an inline");
                self.report(error)
            }
        }
    }
}
