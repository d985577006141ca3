//! The Hanoi omega-automata format, version 1: <https://adl.github.io/hoaf/>.
//!
//! ```text
//! lexer ─ parser ┬ header ┬ expression   labels, acceptance conditions
//!                │        ├ acceptance   conjunctions of `Inf` → marks
//!                │        └ properties   hints, checked against each other
//!                └ body                  states and edges → Tgba
//!                   └ claims              properties, checked against the automaton
//! writer                                  Tgba → text
//! ```

mod acceptance;
mod body;
mod claims;
mod expression;
mod header;
mod lexer;
mod parser;
mod properties;
mod writer;

pub use writer::{to_string, write};

use crate::{Diagnostic, Span, Tgba};
use lexer::{Lexer, Token};
use parser::{Parser, Stop};

/// Reads a stream of automata, one by one. After an error it goes on behind `--END--` or at
/// the next `HOA:`. Automata that end in `--ABORT--` are left out, with a warning. A stream
/// without any automaton is an error.
///
/// ```
/// let text = "HOA: v1 Start: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 {0} [t] 0 --END--";
/// let automata: Result<Vec<_>, _> = lariat_automata::hoa::Reader::new(text, "one.hoa").collect();
/// assert_eq!(automata.unwrap()[0].mark_count, 1);
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    parser: Parser<'a>,
    file_name: String,
    /// Whether the stream held anything, be it bad.
    found: bool,
    finished: bool,
}

impl<'a> Reader<'a> {
    /// Nothing is read before the first automaton is asked for. The name of the file is for messages.
    pub fn new(text: &'a str, file_name: &str) -> Self {
        let parser = Parser {
            lexer: Lexer::new(text),
            token: Token::Bad,
            span: Span::default(),
            warnings: Vec::new(),
        };
        Reader { parser, file_name: file_name.to_owned(), found: false, finished: false }
    }

    /// The warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.parser.warnings)
    }

    /// A diagnostic of this stream as text.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        diagnostic.render(self.parser.lexer.source(), &self.file_name)
    }

    fn automaton(&mut self) -> Result<Tgba, Stop> {
        self.parser.advance()?;
        let header = header::header(&mut self.parser)?;
        body::body(&mut self.parser, header)
    }

    /// Skips to where an automaton may start, from the token at hand on.
    fn resynchronise(&mut self) {
        loop {
            match self.parser.token {
                Token::End | Token::Abort | Token::EndOfInput => return,
                Token::Header("HOA") => {
                    self.parser.lexer.offset = self.parser.span.start;
                    return;
                }
                _ => self.next_token().unwrap_or_default(),
            }
        }
    }

    fn next_token(&mut self) -> Result<(), Diagnostic> {
        self.parser.token = Token::Bad;
        (self.parser.token, self.parser.span) = self.parser.lexer.next()?;
        Ok(())
    }

    fn skip_line_directives(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.parser.lexer.skip_blanks()?;
            let start = self.parser.lexer.offset;
            if !self.parser.lexer.skip_line_directive() {
                return Ok(());
            }
            let span = Span::new(start, self.parser.lexer.offset);
            self.parser.warn(span, "`#line` is ignored: places are those of this file");
        }
    }

    /// Reads what comes next; `None` when that is neither an automaton nor an error.
    fn step(&mut self) -> Option<Result<Tgba, Diagnostic>> {
        if let Err(error) = self.skip_line_directives().and_then(|()| self.next_token()) {
            return Some(Err(error));
        }
        match self.parser.token {
            Token::Header("HOA") => {}
            Token::EndOfInput => {
                self.finished = true;
                let message = "expected an automaton: `HOA: v1`, found end of input";
                return (!self.found).then(|| Err(Diagnostic::error(self.parser.span, message)));
            }
            Token::Abort => return None,
            _ => {
                let found = self.parser.token.describe();
                let message = format!("expected `HOA:`, found {found}");
                return Some(Err(Diagnostic::error(self.parser.span, message)));
            }
        }
        let start = self.parser.span;
        match self.automaton() {
            Ok(tgba) => Some(Ok(tgba)),
            Err(Stop::Fail(diagnostic)) => Some(Err(*diagnostic)),
            Err(Stop::Abort) => {
                self.parser.warn(start, "this automaton ends in `--ABORT--` and is left out");
                None
            }
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Tgba, Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.finished {
            let item = self.step();
            if matches!(item, Some(Err(_))) && !self.finished {
                self.resynchronise();
            }
            if item.is_some() {
                self.found = true;
                return item;
            }
        }
        None
    }
}
