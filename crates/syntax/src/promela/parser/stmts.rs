//! Sequences and statements.

use super::exprs::is_binary;
use super::items::starts_unit;
use super::{Parse, Parser};
use crate::diagnostics::{Diagnostic, Span};
use crate::promela::ast::*;
use crate::promela::lexer::{Tok, Token};

/// Which braces a block has; they decide how a label in front is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Plain,
    Atomic,
    DStep,
    /// The body of `for`, whose first statement may have a label.
    For,
}

impl Parser<'_> {
    /// Statements up to `}`, `::`, `fi`, `od`. Errors are recorded and skipped.
    pub(super) fn sequence(&mut self, open: Span) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        if self.at_sequence_end() {
            let error = Diagnostic::error(self.peek().span, "expected a statement")
                .label("nothing to execute here")
                .also(open, "a body needs at least one statement")
                .help("write `skip`");
            let _: Parse<()> = self.report(error);
            return stmts;
        }
        loop {
            let before = self.consumed;
            match self.step() {
                Ok(stmt) => stmts.push(stmt),
                Err(_) => self.skip_statement(),
            }
            let separated = self.separators();
            if self.at_sequence_end() {
                return stmts;
            }
            if !separated {
                let token = self.peek();
                let found = self.found(token);
                let mut error = Diagnostic::error(
                    token.span,
                    format!("expected `;` or a newline before {found}"),
                )
                .label("a statement ends before this");
                if token.kind == Tok::Name
                    && self.lexer.text(token).starts_with(['x', 'X'])
                    && self.last_span.hi == token.span.lo
                {
                    error = error.note("Promela has no hexadecimal numbers");
                } else if let Some(hint) = self.hint_missing_separator(token) {
                    error = error.help(hint);
                }
                if matches!(
                    token.kind,
                    Tok::CloseParen | Tok::CloseBracket | Tok::Comma | Tok::Unknown
                ) {
                    error = self.unexpected_error("a statement");
                }
                let _: Parse<()> = self.report(error);
                if !self.starts_statement() {
                    self.skip_statement();
                    self.separators();
                    if self.at_sequence_end() {
                        return stmts;
                    }
                }
                if self.consumed == before {
                    self.next(); // whatever it is, it must not stop us for ever
                }
            }
        }
    }

    fn starts_statement(&mut self) -> bool {
        let kind = self.peek().kind;
        kind == Tok::Name
            || matches!(
                kind,
                Tok::If
                    | Tok::Do
                    | Tok::Atomic
                    | Tok::DStep
                    | Tok::OpenBrace
                    | Tok::Goto
                    | Tok::Break
                    | Tok::For
                    | Tok::Select
                    | Tok::Assert
                    | Tok::Printf
                    | Tok::Skip
                    | Tok::Else
            )
            || self.at_declaration()
    }

    /// At a token that no sequence goes beyond, be it right there or not.
    pub(super) fn at_sequence_end(&mut self) -> bool {
        let kind = self.peek().kind;
        matches!(kind, Tok::CloseBrace | Tok::Option_ | Tok::Fi | Tok::Od | Tok::Eof)
            || starts_unit(kind)
    }

    /// A declaration, `xr`/`xs` line, statement, or `statement unless statement`.
    fn step(&mut self) -> Parse<Stmt> {
        let start = self.peek();
        if self.at_declaration() {
            let decl = self.var_decl()?;
            let span = decl.span;
            return Ok(Stmt { labels: Vec::new(), kind: StmtKind::Decl(decl), span });
        }
        if matches!(start.kind, Tok::Xr | Tok::Xs) {
            let kind = StmtKind::Exclusive(self.exclusive()?);
            return Ok(Stmt { labels: Vec::new(), kind, span: self.since(start.span) });
        }
        let main = self.stmt()?;
        if !self.at(Tok::Unless) {
            return Ok(main);
        }
        let keyword = self.next();
        let escape = self.stmt()?;
        self.check_unless_labels(&main, &escape);
        if self.at(Tok::Unless) {
            let error = self.unexpected_error("`;`").help("put the inner `unless` in braces");
            return self.report(error);
        }
        let span = self.join(self.join(main.span, keyword.span), escape.span);
        let kind = StmtKind::Unless { main: Box::new(main), escape: Box::new(escape) };
        Ok(Stmt { labels: Vec::new(), kind, span })
    }

    fn check_unless_labels(&mut self, main: &Stmt, escape: &Stmt) {
        let whole = matches!(
            main.kind,
            StmtKind::Block(_)
                | StmtKind::Atomic(_)
                | StmtKind::DStep(_)
                | StmtKind::Inline(_)
                | StmtKind::Do(_)
                | StmtKind::For(_)
        );
        if let Some(label) = main.labels.first().filter(|_| !whole) {
            let error = Diagnostic::error(
                label.span,
                format!("label `{}` is placed incorrectly", label.text),
            )
            .help(format!(
                "instead of `{0}: a unless b` write `{0}: {{ a unless b }}`",
                label.text
            ));
            self.record(error);
        }
        if let Some(label) = escape.labels.first() {
            let error = Diagnostic::error(
                label.span,
                format!("label `{}` is placed incorrectly", label.text),
            )
            .note("the guard of an escape is not one control point, so nothing can jump to it");
            self.record(error);
        }
    }

    fn exclusive(&mut self) -> Parse<Exclusive> {
        let token = self.next();
        let kind = if token.kind == Tok::Xr { ExclusiveKind::Receive } else { ExclusiveKind::Send };
        let mut channels = Vec::new();
        loop {
            channels.push(self.var_ref()?);
            if !self.eat(Tok::Comma) {
                return Ok(Exclusive { kind, channels });
            }
        }
    }

    pub(super) fn stmt(&mut self) -> Parse<Stmt> {
        self.nested(|parser| parser.labelled_stmt())
    }

    fn labelled_stmt(&mut self) -> Parse<Stmt> {
        let mut labels = Vec::new();
        loop {
            let token = self.peek();
            if !labels.is_empty() {
                if self.at_declaration() || matches!(token.kind, Tok::Xr | Tok::Xs) {
                    let error =
                        Diagnostic::error(token.span, "a label cannot stand before a declaration")
                            .help("put the label before the statement that follows");
                    return self.report(error);
                }
                if self.at_sequence_end()
                    || matches!(token.kind, Tok::Semi | Tok::Arrow | Tok::Unless)
                {
                    let span = self.last_span.end();
                    return Ok(Stmt { labels, kind: StmtKind::Empty, span });
                }
            }
            if token.kind != Tok::Name {
                let kind = self.keyword_stmt(token)?;
                return Ok(Stmt { labels, kind, span: self.since(token.span) });
            }
            self.next();
            let is_label = self.at(Tok::Colon) && !self.proctypes.contains(self.lexer.text(token));
            if !is_label {
                let kind = self.named_stmt(token)?;
                return Ok(Stmt { labels, kind, span: self.since(token.span) });
            }
            self.next();
            labels.push(self.ident(token));
        }
    }

    /// A statement that starts with a name, which is consumed.
    fn named_stmt(&mut self, token: Token) -> Parse<StmtKind> {
        if self.inlines.contains_key(self.lexer.text(token)) {
            return self.inline_call(token, None);
        }
        let var = self.var_ref_from(token)?;
        let operator = self.peek();
        match operator.kind {
            Tok::Assign => {
                self.next();
                let value = self.peek();
                if value.kind == Tok::Name && self.inlines.contains_key(self.lexer.text(value)) {
                    self.next();
                    return self.inline_call(value, Some(var));
                }
                Ok(StmtKind::Assign { target: var, value: self.full_expr()? })
            }
            Tok::Increment => {
                self.next();
                Ok(StmtKind::Increment(var))
            }
            Tok::Decrement => {
                self.next();
                Ok(StmtKind::Decrement(var))
            }
            Tok::Bang | Tok::BangBang => self.send(var),
            Tok::Query | Tok::QueryQuery => self.receive_or_poll(var),
            Tok::OpenParen => self.unknown_call(token),
            _ => Ok(StmtKind::Expr(self.full_expr_from(var)?)),
        }
    }

    fn unknown_call<T>(&mut self, name: Token) -> Parse<T> {
        let text = self.text(name);
        let error = Diagnostic::error(
            name.span,
            format!("`{text}` is not an inline that is defined before this line"),
        );
        let error = if self.proctypes.contains(&text) {
            error.help(format!("to start the process write `run {text}(…)`"))
        } else {
            let hint = self.hint_statement(name);
            let hint = hint.as_deref();
            error.help(hint.unwrap_or("an inline or macro must be defined above its first use"))
        };
        self.report(error)
    }

    /// A statement that starts with a keyword or symbol.
    fn keyword_stmt(&mut self, token: Token) -> Parse<StmtKind> {
        match token.kind {
            Tok::If => Ok(StmtKind::If(self.choices(Tok::Fi)?)),
            Tok::Do => Ok(StmtKind::Do(self.choices(Tok::Od)?)),
            Tok::For => self.for_loop(),
            Tok::Select => self.select(),
            Tok::Break => {
                self.next();
                Ok(StmtKind::Break)
            }
            Tok::Goto => {
                self.next();
                Ok(StmtKind::Goto(self.expect_name("a label")?))
            }
            Tok::Else => {
                self.next();
                Ok(StmtKind::Else)
            }
            Tok::Atomic => {
                self.next();
                Ok(StmtKind::Atomic(self.block(BlockKind::Atomic)?))
            }
            Tok::DStep => {
                self.next();
                Ok(StmtKind::DStep(self.block(BlockKind::DStep)?))
            }
            Tok::OpenBrace => Ok(StmtKind::Block(self.block(BlockKind::Plain)?)),
            Tok::Assert => {
                self.next();
                Ok(StmtKind::Assert(self.full_expr()?))
            }
            Tok::Printf => self.printf(),
            Tok::Printm => self.printm(),
            Tok::SetPriority => {
                self.next();
                let open = self.expect(Tok::OpenParen)?;
                let pid = self.expr()?;
                self.expect(Tok::Comma)?;
                let value = self.expr()?;
                self.expect_close(Tok::CloseParen, open.span)?;
                Ok(StmtKind::SetPriority { pid, value })
            }
            Tok::Return => self.return_stmt(),
            Tok::CCode => Ok(StmtKind::EmbeddedC(self.embedded_c()?)),
            Tok::Semi | Tok::Arrow | Tok::Comma | Tok::Assign | Tok::Colon => {
                self.unexpected("a statement")
            }
            kind if is_binary(kind) => {
                let error = self.unexpected_error("a statement").help(
                    "a newline ends a statement: end the line before with the operator, or use parentheses",
                );
                self.report(error)
            }
            _ if !self.starts_expr(token.kind) => self.unexpected("a statement"),
            _ => Ok(StmtKind::Expr(self.full_expr()?)),
        }
    }

    fn printf(&mut self) -> Parse<StmtKind> {
        self.next();
        let open = self.expect(Tok::OpenParen)?;
        let format = self.expect(Tok::Str)?;
        let format = StringLit { text: self.text(format), span: format.span };
        let mut args = Vec::new();
        while self.eat(Tok::Comma) {
            args.push(self.expr()?);
        }
        self.expect_close(Tok::CloseParen, open.span)?;
        Ok(StmtKind::Printf(Printf { format, args }))
    }

    fn printm(&mut self) -> Parse<StmtKind> {
        self.next();
        let open = self.expect(Tok::OpenParen)?;
        let value = self.expr()?;
        if !matches!(value.kind, ExprKind::Var(_) | ExprKind::Int(_)) {
            let error = Diagnostic::error(value.span, "printm takes one variable or constant");
            return self.report(error);
        }
        self.expect_close(Tok::CloseParen, open.span)?;
        Ok(StmtKind::Printm(value))
    }

    /// `{ … }`
    pub(super) fn block(&mut self, kind: BlockKind) -> Parse<Block> {
        let open = self.expect(Tok::OpenBrace)?;
        let stmts = self.sequence(open.span);
        self.expect_close(Tok::CloseBrace, open.span)?;
        let word = match kind {
            BlockKind::Plain => "",
            BlockKind::Atomic => "atomic ",
            BlockKind::DStep => "d_step ",
            BlockKind::For => return Ok(Block { stmts, span: self.since(open.span) }),
        };
        if let Some(first) = stmts.first()
            && !matches!(first.kind, StmtKind::For(_))
            && let Some(label) = first.labels.first()
        {
            let name = &label.text;
            let error =
                Diagnostic::error(label.span, format!("label `{name}` is placed incorrectly"))
                    .help(format!(
                        "instead of `{word}{{ {name}: … }}` write `{name}: {word}{{ … }}`"
                    ));
            self.record(error);
        }
        Ok(Block { stmts, span: self.since(open.span) })
    }

    /// After an error: on to a separator or the end of the sequence.
    fn skip_statement(&mut self) {
        self.lexer.forget_parens();
        let mut depth = 0u32;
        loop {
            match self.peek().kind {
                kind if kind == Tok::Eof || starts_unit(kind) => return,
                Tok::OpenBrace | Tok::If | Tok::Do => depth += 1,
                Tok::CloseBrace | Tok::Fi | Tok::Od if depth == 0 => return,
                Tok::CloseBrace | Tok::Fi | Tok::Od => depth -= 1,
                Tok::Semi | Tok::Arrow | Tok::Option_ if depth == 0 => return,
                _ => {}
            }
            self.next();
        }
    }
}
