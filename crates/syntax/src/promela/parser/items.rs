//! The units of a model.

use super::{Parse, Parser};
use crate::diagnostics::{Diagnostic, Span};
use crate::promela::ast::*;
use crate::promela::lexer::Tok;

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let mut items = Vec::new();
        loop {
            let token = self.peek();
            if starts_unit(token.kind) || self.at_declaration() {
                self.is_lost = false;
            }
            match token.kind {
                Tok::Eof => return Program { items },
                Tok::Semi | Tok::Arrow => {
                    self.next();
                }
                _ => match self.item() {
                    Ok(kind) => {
                        let span = self.since(token.span);
                        items.push(Item { kind, span });
                    }
                    Err(_) => self.skip_to_item(),
                },
            }
        }
    }

    fn item(&mut self) -> Parse<ItemKind> {
        let token = self.peek();
        match token.kind {
            Tok::Active | Tok::Proctype | Tok::DProctype => {
                Ok(ItemKind::Proctype(Box::new(self.proctype()?)))
            }
            Tok::Init => {
                self.next();
                let priority = self.priority()?;
                Ok(ItemKind::Init(Init { priority, body: self.body()? }))
            }
            Tok::Never => {
                self.next();
                let name = self.optional_name();
                Ok(ItemKind::Never(Never { name, body: self.body()? }))
            }
            Tok::Trace | Tok::NoTrace => {
                self.next();
                Ok(ItemKind::Trace(Trace {
                    negated: token.kind == Tok::NoTrace,
                    body: self.body()?,
                }))
            }
            Tok::Ltl => self.ltl(),
            Tok::Typedef => self.typedef(),
            Tok::Inline => self.inline_definition(),
            Tok::CCode | Tok::CDecl => Ok(ItemKind::EmbeddedC(self.embedded_c()?)),
            Tok::CState | Tok::CTrack => Ok(ItemKind::EmbeddedC(self.c_state()?)),
            _ if self.at_declaration() => self.global_declaration(),
            Tok::Name => {
                let name = self.text(token);
                let error = Diagnostic::error(
                    token.span,
                    format!("expected a declaration, found `{name}`"),
                )
                .label("not a type that is known here");
                let error = self.hint_unit(error, token);
                self.report(error)
            }
            Tok::Comma => {
                let error = self
                    .unexpected_error("a declaration or a proctype")
                    .help("a `}` ends a declaration: declare the next variable by itself");
                self.report(error)
            }
            _ => self.unexpected("a declaration or a proctype"),
        }
    }

    fn optional_name(&mut self) -> Option<Ident> {
        let token = self.peek();
        (token.kind == Tok::Name).then(|| {
            self.next();
            self.ident(token)
        })
    }

    fn proctype(&mut self) -> Parse<Proctype> {
        let active = self.active()?;
        let deterministic = self.at(Tok::DProctype);
        if !deterministic && !self.at(Tok::Proctype) {
            let token = self.peek();
            let error = self.unexpected_error("`proctype`");
            let error = match token.kind {
                Tok::Name => self.hint_unit(error, token),
                _ => error,
            };
            return self.report(error);
        }
        self.next();
        let name = self.expect_name("the name of the proctype")?;
        if !self.proctypes.insert(name.text.clone()) {
            let error =
                Diagnostic::error(name.span, format!("proctype `{}` is defined twice", name.text));
            self.record(error);
        }
        self.expect(Tok::OpenParen)?;
        let params = self.params()?;
        self.expect(Tok::CloseParen)?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        if self.at(Tok::Priority) {
            let error = self.unexpected_error("`{`").help("`priority` stands before `provided`");
            return self.report(error);
        }
        let body = self.body()?;
        Ok(Proctype { active, deterministic, name, params, priority, provided, body })
    }

    fn active(&mut self) -> Parse<Option<Active>> {
        let token = self.peek();
        if !self.eat(Tok::Active) {
            return Ok(None);
        }
        let mut count = None;
        if self.eat(Tok::OpenBracket) {
            count = Some(self.const_or_name()?);
            self.expect(Tok::CloseBracket)?;
        }
        Ok(Some(Active { count, span: self.since(token.span) }))
    }

    pub(super) fn priority(&mut self) -> Parse<Option<IntLit>> {
        if !self.eat(Tok::Priority) {
            return Ok(None);
        }
        self.int_literal("a number behind `priority`").map(Some)
    }

    fn provided(&mut self) -> Parse<Option<Expr>> {
        if !self.eat(Tok::Provided) {
            return Ok(None);
        }
        let open = self.expect(Tok::OpenParen)?;
        let condition = self.full_expr()?;
        self.expect_close(Tok::CloseParen, open.span)?;
        Ok(Some(condition))
    }

    /// The body of a proctype, claim or trace. Newlines separate from its `{` to its `}`.
    fn body(&mut self) -> Parse<Block> {
        let open = self.expect(Tok::OpenBrace)?;
        self.lexer.in_body = true;
        let stmts = self.sequence(open.span);
        if self.at(Tok::CloseBrace) {
            // Before anything behind the brace is read.
            self.lexer.in_body = false;
            self.next();
            return Ok(Block { stmts, span: self.since(open.span) });
        }
        let error = self.unexpected_error("`}`").also(open.span, "to close this body");
        self.lexer.in_body = false;
        self.report(error)
    }

    fn ltl(&mut self) -> Parse<ItemKind> {
        self.next();
        let name = self.optional_name();
        let open = self.expect(Tok::OpenBrace)?;
        let Some((lo, hi)) = self.lexer.rest_of_braces(open) else { return Err(super::Reported) };
        let mut origins = self.lexer.origins(lo, hi);
        let mut text = self.lexer.raw_text(lo, hi).replace(['\n', '\r', '\t'], " ");
        // Spin's lexer drops separators before a `}`, here as everywhere.
        while let Some(&(at, _)) =
            origins.last().filter(|&&(at, _)| text[at as usize..].starts_with(';'))
        {
            text.truncate(at as usize);
            origins.pop();
        }
        let formula = match (origins.first(), origins.last()) {
            (Some(first), Some(last)) => self.join(first.1, last.1),
            _ => {
                let error = Diagnostic::error(open.span, "this ltl block has no formula");
                return self.report(error);
            }
        };
        self.last_span = formula;
        Ok(ItemKind::Ltl(Ltl { name, text, origins, formula }))
    }

    fn typedef(&mut self) -> Parse<ItemKind> {
        self.next();
        let name = self.expect_name("the name of the typedef")?;
        let open = self.expect(Tok::OpenBrace)?;
        self.lexer.in_body = true;
        let fields = self.fields(open.span);
        self.lexer.in_body = false;
        if !self.typedefs.insert(name.text.clone()) {
            let error =
                Diagnostic::error(name.span, format!("typedef `{}` is defined twice", name.text));
            self.record(error);
        }
        Ok(ItemKind::Typedef(Typedef { name, fields: fields? }))
    }

    fn fields(&mut self, open: Span) -> Parse<Vec<VarDecl>> {
        let mut fields = Vec::new();
        loop {
            if !self.at_declaration() {
                return self.unexpected("a field declaration");
            }
            fields.push(self.var_decl()?);
            let separated = self.separators();
            if self.at(Tok::CloseBrace) {
                self.lexer.in_body = false;
                self.next();
                return Ok(fields);
            }
            if !separated {
                let error = self.unexpected_error("`;` or `}`").also(open, "in this typedef");
                return self.report(error);
            }
        }
    }

    /// Skips separators; says whether there was one.
    pub(super) fn separators(&mut self) -> bool {
        let mut any = false;
        while matches!(self.peek().kind, Tok::Semi | Tok::Arrow) {
            self.next();
            any = true;
        }
        any
    }

    pub(super) fn embedded_c(&mut self) -> Parse<EmbeddedC> {
        let token = self.next();
        let text = self.lexer.text(token);
        let kind = match token.kind {
            Tok::CCode => EmbeddedCKind::Code,
            Tok::CExpr => EmbeddedCKind::Expr,
            _ => EmbeddedCKind::Decl,
        };
        let Some(open) = text.find('{') else {
            let message = format!("expected `{{` and C code behind {}", token.kind.describe());
            return self.report(Diagnostic::error(token.span, message));
        };
        let inner = &text[open + 1..];
        let inner = inner.strip_suffix('}').unwrap_or(inner).into();
        Ok(EmbeddedC { kind, text: inner, span: token.span })
    }

    /// `c_state "…" "…" ["…"]`
    fn c_state(&mut self) -> Parse<EmbeddedC> {
        let token = self.next();
        let kind =
            if token.kind == Tok::CState { EmbeddedCKind::State } else { EmbeddedCKind::Track };
        let mut strings = Vec::new();
        while self.at(Tok::Str) && strings.len() < 3 {
            let string = self.next();
            strings.push(self.lexer.text(string));
        }
        if strings.len() < 2 {
            return self.unexpected("a string");
        }
        Ok(EmbeddedC { kind, text: strings.join(" ").into(), span: self.since(token.span) })
    }

    /// After an error: on to what looks like the next unit.
    fn skip_to_item(&mut self) {
        self.lexer.in_body = false;
        self.lexer.forget_parens();
        let mut depth = 0u32;
        let mut first = true;
        loop {
            let token = self.peek();
            match token.kind {
                Tok::Eof => return,
                Tok::OpenBrace => depth += 1,
                Tok::CloseBrace if depth <= 1 && !first => {
                    self.next();
                    return;
                }
                Tok::CloseBrace => depth = depth.saturating_sub(1),
                kind if !first && starts_unit(kind) => return,
                Tok::Semi if depth == 0 => return,
                _ => {}
            }
            first = false;
            self.next();
        }
    }
}

/// A keyword that occurs only at the top level, so that an unclosed body ends before it.
pub(super) fn starts_unit(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Active
            | Tok::Proctype
            | Tok::DProctype
            | Tok::Init
            | Tok::Never
            | Tok::Trace
            | Tok::NoTrace
            | Tok::Ltl
            | Tok::Typedef
            | Tok::Inline
    )
}
