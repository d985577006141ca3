//! Text to tokens.
//!
//! Peculiarities of DiVinE that are kept: inside `/* */` a `//` hides the rest of its line, also
//! a `*/`; a backslash at the end of a line joins lines; a carriage return is no blank; names
//! may contain `$` and `#`; numbers are decimal.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, FileId, SourceMap, Span};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Name(Arc<str>),
    Number(i32),
    /// Keywords and punctuation, as written; `&&` is `and`, `||` is `or`.
    Fixed(&'static str),
    End,
}

impl Token {
    /// How a message names it.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Name(name) => format!("name `{name}`"),
            Token::Number(number) => format!("number `{number}`"),
            Token::Fixed(text) => format!("`{text}`"),
            Token::End => "end of file".to_string(),
        }
    }
}

pub(super) const KEYWORDS: [&str; 28] = [
    "guard", "sync", "async", "effect", "process", "state", "init", "accept", "commit", "trans",
    "system", "true", "false", "and", "or", "not", "imply", "int", "byte", "const", "channel",
    "property", "buchi", "genbuchi", "streett", "rabin", "muller", "assert",
];

/// Longest first, so that the first match is the longest.
const PUNCTUATION: [&str; 36] = [
    "->", "=>", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "++", "--", "{", "}", "(", ")",
    "[", "]", ";", ",", ":", ".", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!",
    "?",
];

/// All tokens, the last one [`Token::End`], and what was no token.
pub(super) fn tokens(sources: &SourceMap, file: FileId) -> (Vec<(Token, Span)>, Vec<Diagnostic>) {
    let text = sources.file_text(file);
    let base = sources.file_span(file).lo;
    let mut lexer = Lexer { text: &text, at: 0, base, errors: Vec::new() };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.at;
        let Some(token) = lexer.token() else { continue };
        let is_end = token == Token::End;
        tokens.push((token, lexer.span(start)));
        if is_end {
            return (tokens, lexer.errors);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    base: u32,
    errors: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// From `start` to the current position.
    fn span(&self, start: usize) -> Span {
        Span::new(self.base + start as u32, self.base + self.at as u32)
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            if rest.starts_with([' ', '\t', '\n']) {
                self.at += 1;
            } else if rest.starts_with("\\\n") {
                self.at += 2;
            } else if rest.starts_with("//") {
                self.skip_line();
            } else if rest.starts_with("/*") {
                self.skip_block_comment();
            } else {
                return;
            }
        }
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn skip_block_comment(&mut self) {
        let start = self.at;
        self.at += 2;
        loop {
            let rest = self.rest();
            let Some(next) = rest.find(['*', '/']) else {
                self.at = start + 2;
                let span = self.span(start);
                self.at = self.text.len();
                self.errors.push(
                    Diagnostic::error(span, "this comment does not end")
                        .note("inside a comment, `//` hides the rest of its line, also a `*/`"),
                );
                return;
            };
            self.at += next;
            if self.rest().starts_with("*/") {
                self.at += 2;
                return;
            }
            if self.rest().starts_with("//") {
                self.skip_line();
            } else {
                self.at += 1;
            }
        }
    }

    /// The next token, or `None` if there was something else, which is skipped and reported.
    fn token(&mut self) -> Option<Token> {
        let Some(first) = self.rest().chars().next() else { return Some(Token::End) };
        if first.is_ascii_alphabetic() || first == '_' {
            return Some(self.word());
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if let Some(symbol) = PUNCTUATION.into_iter().find(|s| self.rest().starts_with(s)) {
            self.at += symbol.len();
            return Some(Token::Fixed(match symbol {
                "&&" => "and",
                "||" => "or",
                other => other,
            }));
        }
        self.unknown(first);
        None
    }

    fn word(&mut self) -> Token {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#');
        let len = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        let word = &self.text[self.at..][..len];
        self.at += len;
        match KEYWORDS.iter().find(|keyword| **keyword == word) {
            Some(keyword) => Token::Fixed(keyword),
            None => Token::Name(word.into()),
        }
    }

    fn number(&mut self) -> Option<Token> {
        let start = self.at;
        let len = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        let value = self.rest()[..len].parse();
        self.at += len;
        match value {
            Ok(value) => Some(Token::Number(value)),
            Err(_) => {
                let span = self.span(start);
                self.errors.push(
                    Diagnostic::error(span, "number too large")
                        .note("numbers are 32-bit: at most 2147483647"),
                );
                // Keeps the parser from stumbling over the gap.
                Some(Token::Number(0))
            }
        }
    }

    /// Reports characters that start no token, a run of equal ones once.
    fn unknown(&mut self, first: char) {
        let start = self.at;
        while self.rest().starts_with(first) {
            self.at += first.len_utf8();
        }
        let span = self.span(start);
        let error = if first == '\r' {
            let next = self.rest().starts_with('\n');
            // One message for the whole file: all its lines end so.
            if next && self.errors.iter().any(|error| error.message.starts_with("carriage")) {
                return;
            }
            Diagnostic::error(span, "carriage return")
                .note("DVE knows only line feeds; DiVinE refuses files with CR LF line ends")
                .help("convert the file, for example by `tr -d '\\r'`")
        } else {
            Diagnostic::error(span, format!("unknown character {first:?}"))
        };
        self.errors.push(error);
    }
}
