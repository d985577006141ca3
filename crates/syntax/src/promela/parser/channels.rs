//! Send and receive.

use super::{Parse, Parser};
use crate::diagnostics::Diagnostic;
use crate::promela::ast::*;
use crate::promela::lexer::Tok;

impl Parser<'_> {
    /// `c!a,b`, `c!a(b)`, `c!!a`
    pub(super) fn send(&mut self, channel: VarRef) -> Parse<StmtKind> {
        let sorted = self.next().kind == Tok::BangBang;
        self.reading_send_tag = true;
        let first = self.expr();
        self.reading_send_tag = false;
        let mut args = vec![first?];
        if self.at(Tok::OpenParen) {
            let open = self.next();
            loop {
                args.push(self.expr()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect_close(Tok::CloseParen, open.span)?;
        } else {
            while self.eat(Tok::Comma) {
                args.push(self.expr()?);
            }
        }
        Ok(StmtKind::Send(Send { channel, sorted, args }))
    }

    /// Behind a channel as statement: `?…`, `??…`, `?<…>`, or an expression that starts with
    /// the poll `?[…]`.
    pub(super) fn receive_or_poll(&mut self, channel: VarRef) -> Parse<StmtKind> {
        let random = self.next().kind == Tok::QueryQuery;
        if self.at(Tok::OpenBracket) {
            let poll = self.poll(channel, random)?;
            return Ok(StmtKind::Expr(self.full_expr_after(poll)?));
        }
        if &*channel.head().text == "STDIN" && channel.path.len() == 1 {
            let error = Diagnostic::error(channel.span, "STDIN cannot be read in a verification")
                .note("the value would come from outside the model, so the states could not be enumerated")
                .help("replace it by a choice, such as `select (x : 0 .. 9)`");
            return self.report(error);
        }
        let open = self.peek();
        let peek = self.eat(Tok::Less);
        let args = self.receive_args()?;
        if peek {
            self.expect_close(Tok::Greater, open.span)?;
        }
        Ok(StmtKind::Receive(Receive { channel, random, peek, args }))
    }

    /// `[…]` of a poll whose `?` or `??` is consumed.
    pub(super) fn poll(&mut self, channel: VarRef, random: bool) -> Parse<Expr> {
        let open = self.expect(Tok::OpenBracket)?;
        let args = self.receive_args()?;
        self.expect_close(Tok::CloseBracket, open.span)?;
        let span = self.since(channel.span);
        Ok(Expr { kind: ExprKind::Poll { channel, random, args }, span })
    }

    /// `a, b`, `a(b, c)`, `(a, b)`
    fn receive_args(&mut self) -> Parse<Vec<ReceiveArg>> {
        let mut args = Vec::new();
        let mut open = Vec::new();
        loop {
            while self.at(Tok::OpenParen) {
                open.push(self.next().span);
            }
            args.push(self.receive_arg()?);
            if self.at(Tok::OpenParen) {
                open.push(self.next().span);
                continue;
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        while let Some(paren) = open.pop() {
            self.expect_close(Tok::CloseParen, paren)?;
        }
        Ok(args)
    }

    fn receive_arg(&mut self) -> Parse<ReceiveArg> {
        let token = self.peek();
        match token.kind {
            Tok::Eval => {
                self.next();
                let open = self.expect(Tok::OpenParen)?;
                let value = self.expr()?;
                self.expect_close(Tok::CloseParen, open.span)?;
                Ok(ReceiveArg::Eval(value))
            }
            Tok::Name if self.lexer.text(token) == "_" => {
                self.next();
                Ok(ReceiveArg::Any(token.span))
            }
            Tok::Name => Ok(ReceiveArg::Var(self.var_ref()?)),
            Tok::Minus => {
                self.next();
                let literal = self.int_literal("a number")?;
                let span = self.join(token.span, literal.span);
                Ok(ReceiveArg::Const(IntLit {
                    value: literal.value.wrapping_neg(),
                    span,
                    ..literal
                }))
            }
            Tok::Int | Tok::Char | Tok::True | Tok::False | Tok::Skip => {
                Ok(ReceiveArg::Const(self.int_literal("a number")?))
            }
            _ => {
                let error = self
                    .unexpected_error("a variable, a constant, `_` or `eval(…)`")
                    .help("write `eval(e)` to match the value of an expression");
                self.report(error)
            }
        }
    }
}
