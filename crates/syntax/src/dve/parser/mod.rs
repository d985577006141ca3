//! Recursive descent over the grammar of `docs/dve.md`, with recovery: an error ends one
//! declaration, clause or transition, and reading goes on behind it.

mod declarations;
mod expression;
mod process;

use super::Parsed;
use super::ast::{Ident, Number};
use super::lexer::{KEYWORDS, Token, tokens};
use crate::diagnostics::{Diagnostic, FileId, SourceMap, Span, similar};

/// After so many errors the rest is noise.
const MAX_ERRORS: usize = 20;

/// An error was reported; the caller recovers or passes it on.
pub(super) struct Reported;

pub(super) type Result<T> = std::result::Result<T, Reported>;

pub(super) struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    /// Nesting of the expression being read.
    depth: usize,
    errors: Vec<Diagnostic>,
}

/// Reads a file by one rule of the grammar.
pub(super) fn run<T>(
    sources: &SourceMap,
    file: FileId,
    rule: impl FnOnce(&mut Parser) -> Result<T>,
) -> Parsed<T> {
    let (tokens, errors) = tokens(sources, file);
    let mut parser = Parser { tokens, at: 0, depth: 0, errors };
    let tree = rule(&mut parser).ok();
    let mut diagnostics = parser.errors;
    diagnostics.sort_by_key(|error| error.primary.span.lo);
    if diagnostics.len() > MAX_ERRORS {
        let more = diagnostics.len() - MAX_ERRORS;
        diagnostics.truncate(MAX_ERRORS);
        let last = diagnostics.pop().expect("there are many");
        diagnostics.push(last.note(format!("{more} more errors are not shown")));
    }
    Parsed { tree: tree.filter(|_| diagnostics.is_empty()), diagnostics }
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_is(&self, text: &str) -> bool {
        matches!(self.peek(), Token::Fixed(fixed) if *fixed == text)
    }

    /// Whether the next token is one of these.
    fn peek_in(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.peek_is(text))
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// From `start` to the end of the last token that was read.
    fn span_from(&self, start: Span) -> Span {
        let end = self.tokens[self.at.saturating_sub(1)].1;
        Span::new(start.lo, end.hi.max(start.hi))
    }

    /// The end token is never passed.
    fn advance(&mut self) {
        if *self.peek() != Token::End {
            self.at += 1;
        }
    }

    /// Reads the token if it is next.
    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek_is(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) {
            return Ok(());
        }
        // A missing `;` is missed where the line ends, not at the next word.
        if text == ";" && self.at > 0 {
            let error = Diagnostic::error(
                self.tokens[self.at - 1].1.end(),
                format!("expected `;`, found {}", self.peek().describe()),
            );
            return self.fail(error.label("`;` is missing here"));
        }
        self.expected(&format!("`{text}`"))
    }

    fn fail<T>(&mut self, error: Diagnostic) -> Result<T> {
        self.errors.push(error);
        Err(Reported)
    }

    /// Reports what should be here.
    fn expected<T>(&mut self, what: &str) -> Result<T> {
        let found = self.peek().describe();
        let error = Diagnostic::error(self.span(), format!("expected {what}, found {found}"));
        let error = error.label(format!("expected {what}"));
        let meant = match self.peek() {
            Token::Name(word) => similar(word, KEYWORDS),
            _ => None,
        };
        self.fail(match meant {
            Some(meant) => error.help(format!("did you mean `{meant}`?")),
            None => error,
        })
    }

    fn name(&mut self, what: &str) -> Result<Ident> {
        if let Token::Name(text) = self.peek() {
            let ident = Ident { text: text.clone(), span: self.span() };
            self.advance();
            return Ok(ident);
        }
        if let Token::Fixed(word) = self.peek()
            && word.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            let error = Diagnostic::error(
                self.span(),
                format!("expected {what}, found the reserved word `{word}`"),
            );
            return self.fail(error.label("this word cannot be a name"));
        }
        self.expected(what)
    }

    /// `a, b, c`
    fn names(&mut self, what: &str) -> Result<Vec<Ident>> {
        let mut names = vec![self.name(what)?];
        while self.eat(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn literal(&mut self, what: &str) -> Result<Number> {
        if let Token::Number(value) = *self.peek() {
            let number = Number { value, span: self.span() };
            self.advance();
            return Ok(number);
        }
        self.expected(what)
    }

    /// Skips to the next of `stops` outside of all brackets, or to a closing brace, the end, a
    /// `process` or `system`, and stays in front of it.
    fn skip_to(&mut self, stops: &[&str]) {
        let mut open = 0usize;
        while *self.peek() != Token::End && !self.peek_in(&["process", "system"]) {
            if open == 0 && self.peek_in(stops) {
                return;
            }
            if self.peek_in(&["{", "(", "["]) {
                open += 1;
            } else if self.peek_is("}") && open == 0 {
                return;
            } else if self.peek_in(&["}", ")", "]"]) {
                open = open.saturating_sub(1);
            }
            self.advance();
        }
    }

    /// Recovers behind the next `;`.
    fn skip_statement(&mut self) {
        self.skip_to(&[";"]);
        self.eat(";");
    }
}
