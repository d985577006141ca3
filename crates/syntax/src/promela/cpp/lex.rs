//! Characters of one file to preprocessing tokens, as gcc's preprocessor cuts them: line
//! continuations vanish, comments are blanks, an unclosed quote takes the rest of its line.

use std::sync::Arc;

use super::token::{PpKind, PpToken};
use crate::diagnostics::{Diagnostic, Span};

/// C's operators, longest first so that the first match is the right one.
const PUNCTUATORS: [&str; 46] = [
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "::", "[", "]", "(", ")", "{", "}", ".",
    "&", "*", "+", "-", "~", "!", "/", "%", "<", ">", "^", "|", "?", ":",
];
const SINGLES: [&str; 4] = [";", "=", ",", "#"];

pub(super) struct FileLexer {
    text: Arc<str>,
    base: u32,
    at: usize,
    line: u32,
    line_start: bool,
}

impl FileLexer {
    pub(super) fn new(text: Arc<str>, base: u32) -> FileLexer {
        FileLexer { text, base, at: 0, line: 0, line_start: true }
    }

    /// The current character behind any line continuations.
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = &self.text[self.at..];
            // gcc: a carriage return that no newline follows ends the line, too.
            if rest.starts_with('\r') && !rest.starts_with("\r\n") {
                return Some('\n');
            }
            if !rest.starts_with('\\') {
                return rest.chars().next();
            }
            // gcc takes blanks between the backslash and the newline, with a warning.
            let blanks = rest[1..].trim_start_matches([' ', '\t', '\r', '\u{b}', '\u{c}']);
            if !blanks.starts_with('\n') {
                return Some('\\');
            }
            self.at += rest.len() - blanks.len() + 1;
            self.line += 1;
        }
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        if next == '\n' {
            self.line += 1;
        }
        Some(next)
    }

    /// The character behind the current one.
    fn peek_second(&mut self) -> Option<char> {
        let (at, line) = (self.at, self.line);
        self.bump();
        let second = self.peek();
        (self.at, self.line) = (at, line);
        second
    }

    fn position(&self) -> u32 {
        self.base + self.at as u32
    }

    /// Skips blanks and comments. With `stop_at_newline` stays before a newline.
    fn skip_space(&mut self, stop_at_newline: bool, out: &mut Vec<Diagnostic>) -> bool {
        let mut skipped = false;
        while let Some(next) = self.peek() {
            match next {
                '\n' if stop_at_newline => break,
                '\n' => {
                    self.bump();
                    self.line_start = true;
                }
                '/' if self.peek_second() == Some('/') => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.bump();
                    }
                }
                '/' if self.peek_second() == Some('*') => self.skip_comment(out),
                // The byte order mark and control blanks are blanks to everybody.
                ' ' | '\t' | '\r' | '\u{b}' | '\u{c}' | '\u{feff}' | '\0' => {
                    self.bump();
                }
                _ => break,
            }
            skipped = true;
        }
        skipped
    }

    fn skip_comment(&mut self, out: &mut Vec<Diagnostic>) {
        let start = self.position();
        self.bump();
        let open = Span::new(start, self.position() + 1);
        self.bump();
        loop {
            match self.bump() {
                Some('*') if self.peek() == Some('/') => {
                    self.bump();
                    return;
                }
                Some(_) => {}
                None => {
                    out.push(
                        Diagnostic::error(open, "comment is not closed")
                            .label("opened here")
                            .help("end it with `*/`; comments do not nest"),
                    );
                    return;
                }
            }
        }
    }

    /// The next token, or `Eof`.
    pub(super) fn next(&mut self, out: &mut Vec<Diagnostic>) -> PpToken {
        let space = self.skip_space(false, out);
        self.token(space, out)
    }

    /// The next token of this line, if there is one.
    pub(super) fn next_on_line(&mut self, out: &mut Vec<Diagnostic>) -> Option<PpToken> {
        let space = self.skip_space(true, out);
        match self.peek() {
            None | Some('\n') => None,
            Some(_) => {
                self.line_start = false;
                Some(self.token(space, out))
            }
        }
    }

    /// The rest of this line as it stands, comments included (for `#error` and `#include <…>`).
    pub(super) fn rest_of_line(&mut self) -> (String, Span) {
        while self.peek().is_some_and(|c| c == ' ' || c == '\t') {
            self.bump();
        }
        let lo = self.position();
        let mut text = String::new();
        while self.peek().is_some_and(|c| c != '\n') {
            text.extend(self.bump());
        }
        let kept = text.trim_end().len();
        text.truncate(kept);
        (text, Span::new(lo, lo + kept as u32))
    }

    pub(super) fn skip_line(&mut self, out: &mut Vec<Diagnostic>) {
        while self.next_on_line(out).is_some() {}
    }

    fn token(&mut self, space: bool, out: &mut Vec<Diagnostic>) -> PpToken {
        let line_start = std::mem::replace(&mut self.line_start, false);
        // `peek` first: a continuation before the token is not part of it.
        let first = self.peek();
        let (lo, line) = (self.position(), self.line);
        let mut text = String::new();
        let kind = match first {
            None => PpKind::Eof,
            Some(c) if c == '_' || c.is_ascii_alphabetic() || c == '$' => {
                self.take_while(&mut text, is_ident_char);
                PpKind::Ident
            }
            Some(c) if c.is_ascii_digit() => {
                self.number(&mut text);
                PpKind::Number
            }
            Some('.') if self.peek_second().is_some_and(|c| c.is_ascii_digit()) => {
                self.number(&mut text);
                PpKind::Number
            }
            Some(quote @ ('"' | '\'')) => self.quoted(quote, &mut text, lo, out),
            Some(c) => self.punctuator(c, &mut text),
        };
        let span = Span::new(lo, self.position());
        PpToken { kind, text: text.into(), span, space, line_start, painted: false, line }
    }

    fn take_while(&mut self, text: &mut String, wanted: fn(char) -> bool) {
        while let Some(c) = self.peek().filter(|&c| wanted(c)) {
            self.at += c.len_utf8();
            text.push(c);
        }
    }

    fn number(&mut self, text: &mut String) {
        while let Some(c) = self.peek() {
            let sign = matches!(c, '+' | '-') && text.ends_with(['e', 'E', 'p', 'P']);
            if !sign && c != '.' && !is_ident_char(c) {
                break;
            }
            self.bump();
            text.push(c);
        }
    }

    fn quoted(
        &mut self,
        quote: char,
        text: &mut String,
        lo: u32,
        out: &mut Vec<Diagnostic>,
    ) -> PpKind {
        text.extend(self.bump());
        while let Some(c) = self.peek().filter(|&c| c != '\n') {
            self.bump();
            text.push(c);
            if c == quote {
                return if quote == '"' { PpKind::String } else { PpKind::Char };
            }
            if c == '\\' && self.peek().is_some_and(|c| c != '\n') {
                text.extend(self.bump());
            }
        }
        let span = Span::new(lo, lo + 1);
        out.push(
            Diagnostic::warning(span, format!("missing terminating {quote} character"))
                .label("the quote is not closed on this line"),
        );
        PpKind::Other
    }

    fn punctuator(&mut self, first: char, text: &mut String) -> PpKind {
        let candidates = PUNCTUATORS.iter().chain(&SINGLES).filter(|p| p.starts_with(first));
        for candidate in candidates {
            let (at, line) = (self.at, self.line);
            if candidate.chars().all(|c| self.bump() == Some(c)) {
                text.push_str(candidate);
                return PpKind::Punct;
            }
            (self.at, self.line) = (at, line);
        }
        text.extend(self.bump());
        PpKind::Other
    }
}

pub(super) fn is_ident_char(c: char) -> bool {
    c == '_' || c == '$' || c.is_ascii_alphanumeric()
}

/// Cuts one piece of text that has no file of its own (pasted tokens, `-D` values).
pub(super) fn lex_text(text: &str, span: Span) -> Vec<PpToken> {
    let mut lexer = FileLexer::new(text.into(), 0);
    let mut ignored = Vec::new();
    let mut tokens = Vec::new();
    while let Some(mut token) = lexer.next_on_line(&mut ignored) {
        token.span = span;
        tokens.push(token);
    }
    tokens
}

/// Would printing `next` directly behind `previous` make C read other tokens?
pub(super) fn would_paste(previous: &PpToken, next: &PpToken) -> bool {
    let Some(last) = previous.text.chars().last() else { return false };
    let Some(first) = next.text.chars().next() else { return false };
    let word = |kind| matches!(kind, PpKind::Ident | PpKind::Number);
    match previous.kind {
        PpKind::Number if next.is("-") || next.is("+") || first == '.' => true,
        PpKind::Number | PpKind::Ident => {
            word(next.kind) || (matches!(next.kind, PpKind::Char | PpKind::String))
        }
        PpKind::Punct if next.kind == PpKind::Punct => {
            let pair = [last, first].iter().collect::<String>();
            PUNCTUATORS.iter().any(|p| p.len() > 1 && p.starts_with(&pair))
        }
        PpKind::Punct => last == '.' && next.kind == PpKind::Number,
        _ => false,
    }
}
