//! Recursive-descent parser for Promela, following Spin's grammar (`spin.y` of 6.5) rule by
//! rule. It never looks further than one token ahead, because the lexer's newline rule depends
//! on what was parsed so far.

mod channels;
mod control;
mod decls;
mod exprs;
mod hints;
mod inlines;
mod items;
mod primary;
mod stmts;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::ast::{Expr, Ident, Program, VarRef};
use super::cpp::Expanded;
use super::lexer::{InlineBody, Lexer, Tok, Token};
use crate::diagnostics::{Diagnostic, SourceMap, Span};

/// Nesting of statements and expressions. Every level costs some stack here and in all later
/// walks over the tree.
const MAX_DEPTH: u32 = 200;

/// After so many errors the rest is not worth reading.
const MAX_ERRORS: u32 = 20;

/// The diagnostic was recorded; the caller only has to find a place to go on.
#[derive(Debug)]
struct Reported;

type Parse<T> = Result<T, Reported>;

/// Parses preprocessed text.
pub(super) fn parse_program(
    sources: &mut SourceMap,
    expanded: &Expanded,
) -> (Program, Vec<Diagnostic>) {
    let mut parser = Parser::new(sources, expanded);
    let program = parser.program();
    (program, parser.lexer.diagnostics)
}

/// Parses preprocessed text as one expression. `proctypes` are the names that may stand before
/// `@` and `:` of remote references.
pub(super) fn parse_expression(
    sources: &mut SourceMap,
    expanded: &Expanded,
    proctypes: HashSet<Arc<str>>,
) -> (Option<Expr>, Vec<Diagnostic>) {
    let mut parser = Parser::new(sources, expanded);
    parser.proctypes = proctypes;
    let expr = parser.full_expr();
    if expr.is_ok() && !parser.at(Tok::Eof) {
        let _ = parser.unexpected::<()>("the end of the expression");
    }
    (expr.ok(), parser.lexer.diagnostics)
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    peeked: Option<Token>,
    /// Span of the token consumed last.
    last_span: Span,
    /// How many tokens were consumed.
    consumed: u64,
    depth: u32,
    errors: u32,
    /// A rule was given up in this unit: what follows in it may be read wrongly, and is not
    /// complained about.
    is_lost: bool,
    inlines: HashMap<Arc<str>, Rc<InlineBody>>,
    typedefs: HashSet<Arc<str>>,
    proctypes: HashSet<Arc<str>>,
    /// For each inline call being parsed: the variable of `x = f(…)`.
    return_targets: Vec<Option<VarRef>>,
    /// In the first argument of a send, where `c!tag(a, b)` is another form of `c!tag,a,b`.
    reading_send_tag: bool,
}

impl<'a> Parser<'a> {
    fn new(sources: &'a mut SourceMap, expanded: &'a Expanded) -> Self {
        Parser {
            lexer: Lexer::new(sources, expanded),
            peeked: None,
            last_span: Span::NOWHERE,
            consumed: 0,
            depth: 0,
            errors: 0,
            is_lost: false,
            inlines: HashMap::new(),
            typedefs: HashSet::new(),
            proctypes: HashSet::new(),
            return_targets: Vec::new(),
            reading_send_tag: false,
        }
    }
}

impl Parser<'_> {
    fn peek(&mut self) -> Token {
        match self.peeked {
            Some(token) => token,
            None => {
                let mut token = self.lexer.next();
                if self.errors >= MAX_ERRORS {
                    token.kind = Tok::Eof;
                }
                self.peeked = Some(token);
                token
            }
        }
    }

    fn next(&mut self) -> Token {
        let token = self.peek();
        self.peeked = None;
        self.last_span = token.span;
        self.consumed += 1;
        token
    }

    fn at(&mut self, kind: Tok) -> bool {
        self.peek().kind == kind
    }

    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.at(kind);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, kind: Tok) -> Parse<Token> {
        if self.at(kind) {
            return Ok(self.next());
        }
        self.unexpected(kind.describe())
    }

    /// Expects the partner of an opening token.
    fn expect_close(&mut self, kind: Tok, open: Span) -> Parse<Token> {
        if self.at(kind) {
            return Ok(self.next());
        }
        let error = self.unexpected_error(kind.describe()).also(open, "to close this");
        let error = self.hint_operator(error);
        self.report(error)
    }

    fn ident(&self, token: Token) -> Ident {
        Ident { text: self.lexer.text(token).into(), span: token.span }
    }

    fn expect_name(&mut self, what: &str) -> Parse<Ident> {
        let token = self.peek();
        if token.kind == Tok::Name {
            self.next();
            return Ok(self.ident(token));
        }
        let mut error = self.unexpected_error(what);
        if Tok::keyword(self.lexer.text(token)).is_some() {
            error = error.note(format!("`{}` is a reserved word", self.lexer.text(token)));
        }
        self.report(error)
    }

    fn text(&self, token: Token) -> Arc<str> {
        self.lexer.text(token).into()
    }

    fn join(&self, a: Span, b: Span) -> Span {
        self.lexer.sources.join(a, b)
    }

    /// From `start` to what was consumed last.
    fn since(&self, start: Span) -> Span {
        self.join(start, self.last_span)
    }

    /// How a token is named in a message.
    fn found(&self, token: Token) -> String {
        let text = self.lexer.text(token);
        match token.kind {
            Tok::Semi if text == "\n" => "the end of the line".into(),
            Tok::Semi if text.is_empty() => "the end of a statement".into(),
            Tok::Eof => "the end of the model".into(),
            Tok::Unknown if text == "'" || text == "\"" => "an unclosed quote".into(),
            Tok::CCode | Tok::CDecl | Tok::CExpr => token.kind.describe().into(),
            _ => format!("`{text}`"),
        }
    }

    fn unexpected_error(&mut self, expected: &str) -> Diagnostic {
        let token = self.peek();
        let found = self.found(token);
        let error = Diagnostic::error(token.span, format!("expected {expected}, found {found}"))
            .label(format!("expected {expected}"));
        if token.kind == Tok::Semi && self.lexer.text(token) == "\n" {
            return error.help(
                "in a body a newline ends a statement: end the line with the operator, or use parentheses",
            );
        }
        error
    }

    fn unexpected<T>(&mut self, expected: &str) -> Parse<T> {
        let error = self.unexpected_error(expected);
        self.report(error)
    }

    /// Records an error that stops the current rule. One for each unit is enough: those behind
    /// it are mostly its consequences.
    fn report<T>(&mut self, error: Diagnostic) -> Parse<T> {
        self.record(error);
        self.is_lost = true;
        Err(Reported)
    }

    /// Records an error after which parsing goes on as if nothing had happened.
    fn record(&mut self, error: Diagnostic) {
        if self.is_lost || self.errors >= MAX_ERRORS {
            return;
        }
        self.errors += 1;
        self.lexer.diagnostics.push(error);
        if self.errors == MAX_ERRORS {
            let span = self.last_span;
            let note = Diagnostic::new(
                crate::diagnostics::Severity::Note,
                span,
                "too many errors: stopped here",
            );
            self.lexer.diagnostics.push(note);
            self.peeked = None;
        }
    }

    /// One level down; `leave` must follow.
    fn enter(&mut self) -> Parse<()> {
        if self.depth >= MAX_DEPTH {
            let span = self.peek().span;
            let error = Diagnostic::error(span, "nested too deeply")
                .note(format!("at most {MAX_DEPTH} levels of statements and expressions"));
            return self.report(error);
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Runs a rule one level down.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.enter()?;
        let outcome = rule(self);
        self.leave();
        outcome
    }
}
