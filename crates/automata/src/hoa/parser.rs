//! What all parts of the grammar need: the token at hand, and ways to refuse it.

use super::lexer::{Lexer, Token};
use crate::{Diagnostic, Span};

/// Why an automaton could not be read to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    Fail(Box<Diagnostic>),
    /// `--ABORT--`: its producer gave up.
    Abort,
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Stop::Fail(Box::new(diagnostic))
    }
}

pub(crate) type Parsed<T> = Result<T, Stop>;

pub(crate) fn fail<T>(span: Span, message: impl Into<String>) -> Parsed<T> {
    Err(Diagnostic::error(span, message).into())
}

#[derive(Debug)]
pub(crate) struct Parser<'a> {
    pub(crate) lexer: Lexer<'a>,
    pub(crate) token: Token<'a>,
    pub(crate) span: Span,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    /// Goes to the next token and returns the span of the last one.
    pub(crate) fn advance(&mut self) -> Parsed<Span> {
        let last = self.span;
        self.token = Token::Bad;
        (self.token, self.span) = self.lexer.next()?;
        match self.token {
            Token::Abort => Err(Stop::Abort),
            _ => Ok(last),
        }
    }

    pub(crate) fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.warnings.push(Diagnostic::warning(span, message));
    }

    /// Refuses the token at hand.
    pub(crate) fn unexpected<T>(&self, expected: &str) -> Parsed<T> {
        fail(self.span, format!("expected {expected}, found {}", self.token.describe()))
    }

    pub(crate) fn at(&self, sign: char) -> bool {
        self.token == Token::Punctuation(sign)
    }

    /// Takes the sign if it is the token at hand.
    pub(crate) fn take(&mut self, sign: char) -> Parsed<bool> {
        let found = self.at(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(crate) fn expect(&mut self, sign: char) -> Parsed<()> {
        if self.take(sign)? { Ok(()) } else { self.unexpected(&format!("`{sign}`")) }
    }

    pub(crate) fn expect_int(&mut self, what: &str) -> Parsed<(u32, Span)> {
        match self.token {
            Token::Int(number) => Ok((number, self.advance()?)),
            _ => self.unexpected(what),
        }
    }

    /// Takes a string if one is at hand.
    pub(crate) fn take_string(&mut self) -> Parsed<Option<(String, Span)>> {
        let Token::String(text) = &mut self.token else { return Ok(None) };
        let text = std::mem::take(text);
        Ok(Some((text, self.advance()?)))
    }
}
