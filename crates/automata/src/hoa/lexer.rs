//! HOA's tokens: <https://adl.github.io/hoaf/>, "Common Tokens". Line ends are white space.

use crate::{Diagnostic, Span};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    /// Without the colon.
    Header(&'a str),
    Identifier(&'a str),
    /// Without the `@`.
    Alias(&'a str),
    Int(u32),
    /// Without quotes and escapes.
    String(String),
    /// One of `! & | ( ) [ ] { }`.
    Punctuation(char),
    Body,
    End,
    Abort,
    EndOfInput,
    /// Text that is no token; its error was reported.
    Bad,
}

impl Token<'_> {
    /// For "expected …, found …".
    pub(crate) fn describe(&self) -> String {
        match self {
            Token::Header(name) => format!("`{name}:`"),
            Token::Identifier(name) => format!("`{name}`"),
            Token::Alias(name) => format!("alias `@{name}`"),
            Token::Int(number) => format!("number {number}"),
            Token::String(_) => "a string".into(),
            Token::Punctuation(sign) => format!("`{sign}`"),
            Token::Body => "`--BODY--`".into(),
            Token::End => "`--END--`".into(),
            Token::Abort => "`--ABORT--`".into(),
            Token::EndOfInput => "end of input".into(),
            Token::Bad => "bad text".into(),
        }
    }
}

/// The largest number that HOA allows.
const MAX_INT: u32 = (1 << 31) - 1;

#[derive(Clone, Debug)]
pub(crate) struct Lexer<'a> {
    source: &'a str,
    pub(crate) offset: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        // A byte order mark is no garbage.
        let offset = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lexer { source, offset }
    }

    pub(crate) fn source(&self) -> &'a str {
        self.source
    }

    fn rest(&self) -> &'a str {
        &self.source[self.offset..]
    }

    /// The next token and where it is. After an error the offset is behind the bad text, so
    /// that a caller may go on.
    pub(crate) fn next(&mut self) -> Result<(Token<'a>, Span), Diagnostic> {
        self.skip_blanks()?;
        let start = self.offset;
        let Some(first) = self.rest().chars().next() else {
            return Ok((Token::EndOfInput, Span::new(start, start)));
        };
        let token = match first {
            '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => {
                self.offset += 1;
                Token::Punctuation(first)
            }
            '"' => self.string()?,
            '@' => self.alias()?,
            '0'..='9' => self.number()?,
            '-' => self.marker()?,
            'a'..='z' | 'A'..='Z' | '_' => self.word(),
            _ => {
                self.offset += first.len_utf8();
                let span = Span::new(start, self.offset);
                let message = format!("unexpected character {first:?}");
                return Err(Diagnostic::error(span, message));
            }
        };
        Ok((token, Span::new(start, self.offset)))
    }

    /// Skips `#line N "file"`, which preprocessors leave behind; whether there was one.
    pub(crate) fn skip_line_directive(&mut self) -> bool {
        let found = self.rest().starts_with("#line");
        if found {
            self.offset += self.rest().find('\n').unwrap_or(self.rest().len());
        }
        found
    }

    /// White space and comments, which nest.
    pub(crate) fn skip_blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
            self.offset += blank;
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            let start = self.offset;
            let mut depth = 0u32;
            loop {
                let rest = self.rest();
                if rest.starts_with("/*") {
                    depth += 1;
                    self.offset += 2;
                } else if rest.starts_with("*/") {
                    depth -= 1;
                    self.offset += 2;
                    if depth == 0 {
                        break;
                    }
                } else if let Some(c) = rest.chars().next() {
                    self.offset += c.len_utf8();
                } else {
                    let span = Span::new(start, start + 2);
                    let message = "this comment is never closed: expected `*/`";
                    return Err(Diagnostic::error(span, message));
                }
            }
        }
    }

    fn string(&mut self) -> Result<Token<'a>, Diagnostic> {
        let start = self.offset;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.offset = start + at + 1;
                    return Ok(Token::String(text));
                }
                '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
                _ => text.push(c),
            }
        }
        self.offset = self.source.len();
        let message = "this string is never closed: expected `\"`";
        Err(Diagnostic::error(Span::new(start, start + 1), message))
    }

    /// Letters, digits, `_`, `-`, and `.` as in the aliases and versions of later drafts.
    fn name(&mut self) -> &'a str {
        let rest = self.rest();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        self.offset += length;
        &rest[..length]
    }

    fn alias(&mut self) -> Result<Token<'a>, Diagnostic> {
        let start = self.offset;
        self.offset += 1;
        match self.name() {
            "" => {
                let span = Span::new(start, self.offset);
                Err(Diagnostic::error(span, "expected the name of an alias after `@`"))
            }
            name => Ok(Token::Alias(name)),
        }
    }

    fn number(&mut self) -> Result<Token<'a>, Diagnostic> {
        let (start, rest) = (self.offset, self.rest());
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.offset += length;
        match rest[..length].parse() {
            Ok(number) if number <= MAX_INT => Ok(Token::Int(number)),
            _ => {
                let span = Span::new(start, self.offset);
                Err(Diagnostic::error(
                    span,
                    format!("number too large: expected at most {MAX_INT}"),
                ))
            }
        }
    }

    fn marker(&mut self) -> Result<Token<'a>, Diagnostic> {
        let rest = self.rest();
        for (text, token) in
            [("--BODY--", Token::Body), ("--END--", Token::End), ("--ABORT--", Token::Abort)]
        {
            if rest.starts_with(text) {
                self.offset += text.len();
                return Ok(token);
            }
        }
        let start = self.offset;
        self.name();
        let message = format!(
            "unknown marker `{}`: expected `--BODY--`, `--END--` or `--ABORT--`",
            clip(&rest[..self.offset - start])
        );
        Err(Diagnostic::error(Span::new(start, self.offset), message))
    }

    fn word(&mut self) -> Token<'a> {
        let name = self.name();
        if self.rest().starts_with(':') {
            self.offset += 1;
            Token::Header(name)
        } else {
            Token::Identifier(name)
        }
    }
}

/// The beginning of a name that may be very long.
fn clip(name: &str) -> &str {
    &name[..name.floor_char_boundary(40)]
}
