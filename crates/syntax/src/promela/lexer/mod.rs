//! The lexer of Promela, with Spin's three repairs: a newline may separate statements, a `}` is
//! followed by an implied `;`, and doubled separators are dropped. It also reads the bodies of
//! inlines in place of their calls, since Spin's lexer expands them.

mod inline;
mod scan;
mod token;

pub(crate) use inline::InlineBody;
pub(crate) use token::{Tok, Token};

use self::inline::Frame;
use super::cpp::Expanded;
use crate::diagnostics::{Diagnostic, SourceMap, Span};

/// The calls of inlines may not make more tokens than this: a few that call each other twice
/// would make more than any memory holds. The text of the model itself has no such limit.
const MAX_INLINE_TOKENS: u32 = 1_000_000;

pub(crate) struct Lexer<'a> {
    pub(crate) sources: &'a mut SourceMap,
    expanded: &'a Expanded,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What is being read: the model, on it inline bodies and arguments.
    frames: Vec<Frame>,
    /// Between the braces of a body or typedef, where newlines separate.
    pub(crate) in_body: bool,
    /// Open parentheses: within them newlines do not separate.
    open_parens: u32,
    /// The last token that was cut, for the newline rule.
    last_cut: Tok,
    /// The last token that was handed out.
    last: Tok,
    /// A token that was cut too early.
    held: Option<Token>,
    /// When an argument list of an inline is read: its tokens so far.
    recording: Option<Vec<Token>>,
    /// How many more tokens may come from inlines.
    tokens_left: u32,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(sources: &'a mut SourceMap, expanded: &'a Expanded) -> Lexer<'a> {
        Lexer {
            sources,
            expanded,
            diagnostics: Vec::new(),
            frames: vec![Frame::model(expanded.text().len())],
            in_body: false,
            open_parens: 0,
            last_cut: Tok::Semi,
            last: Tok::Semi,
            held: None,
            recording: None,
            tokens_left: MAX_INLINE_TOKENS,
        }
    }

    pub(crate) fn text(&self, token: Token) -> &'a str {
        &self.expanded.text()[token.lo as usize..token.hi as usize]
    }

    pub(crate) fn raw_text(&self, lo: u32, hi: u32) -> &'a str {
        &self.expanded.text()[lo as usize..hi as usize]
    }

    /// The next token, after the repairs of Spin's `yylex`.
    pub(crate) fn next(&mut self) -> Token {
        let mut token = match self.held.take() {
            Some(token) => {
                self.last = token.kind;
                return token;
            }
            None => self.cut(),
        };
        use Tok::*;
        let after_else = self.last == Else && !matches!(token.kind, Semi | Arrow | Fi);
        let after_brace = self.last == CloseBrace
            && !matches!(
                token.kind,
                Proctype
                    | Init
                    | Never
                    | Trace
                    | NoTrace
                    | Option_
                    | Fi
                    | Od
                    | CloseBrace
                    | Unless
                    | Semi
                    | Arrow
                    | Eof
            );
        if after_else || after_brace {
            self.held = Some(token);
            let implied = Token {
                kind: Semi,
                hi: token.lo,
                span: Span { hi: token.span.lo, ..token.span },
                ..token
            };
            self.last = Tok::Semi;
            return implied;
        }
        if matches!(token.kind, Semi | Arrow) {
            let next = self.cut();
            if matches!(next.kind, CloseBrace | Arrow | Semi) {
                token = next;
            } else {
                self.held = Some(next);
            }
        }
        self.last = token.kind;
        token
    }

    /// Cuts one token, or a separator for a newline.
    fn cut(&mut self) -> Token {
        let token = self.cut_from_frames();
        match token.kind {
            Tok::OpenParen => self.open_parens += 1,
            Tok::CloseParen => self.open_parens = self.open_parens.saturating_sub(1),
            _ => {}
        }
        self.last_cut = token.kind;
        if let Some(recorded) = &mut self.recording {
            recorded.push(token);
        }
        token
    }

    /// Begins to keep the tokens that are cut from now on. Nothing may be held.
    pub(crate) fn start_recording(&mut self) {
        self.recording = Some(Vec::new());
    }

    pub(crate) fn stop_recording(&mut self) -> Vec<Token> {
        self.recording.take().unwrap_or_default()
    }

    /// After an error the count of parentheses means nothing.
    pub(crate) fn forget_parens(&mut self) {
        self.open_parens = 0;
    }

    fn end_of_model(&mut self) -> Token {
        let at = self.expanded.text().trim_end().len() as u32;
        let span =
            self.expanded.span(self.sources, at.saturating_sub(1) as usize, at as usize).end();
        Token { kind: Tok::Eof, lo: at, hi: at, span }
    }

    /// Reads on from the token's end: used behind `{` when what follows is not Promela.
    /// Returns the range up to the matching `}`, which is consumed.
    pub(crate) fn rest_of_braces(&mut self, open: Token) -> Option<(u32, u32)> {
        let Some(Frame::Text { at, end, .. }) = self.frames.last_mut() else { return None };
        let (from, end) = (*at, *end);
        match scan::matching_brace(self.expanded.text(), from, end) {
            Some(close) => {
                *at = close + 1;
                self.last = Tok::CloseBrace;
                self.last_cut = Tok::CloseBrace;
                Some((from as u32, close as u32))
            }
            None => {
                *at = end;
                self.diagnostics.push(
                    Diagnostic::error(open.span, "this `{` is not closed").label("opened here"),
                );
                None
            }
        }
    }

    /// Does the text behind `select` have the form that Spin's lexer turns into an `if`?
    pub(crate) fn select_is_choice(&self) -> bool {
        match self.frames.last() {
            Some(Frame::Text { at, inline: None, .. }) => {
                scan::is_literal_select(&self.expanded.text()[*at..])
            }
            _ => false,
        }
    }

    /// Where a piece of the preprocessed text comes from, within the inline being read.
    pub(crate) fn span_of(&mut self, lo: usize, hi: usize) -> Span {
        let span = self.expanded.span(self.sources, lo, hi);
        self.within_inline(span)
    }

    /// The origins of the tokens of a range, as `(offset from lo, span)`.
    pub(crate) fn origins(&mut self, lo: u32, hi: u32) -> Vec<(u32, Span)> {
        let mut at = lo as usize;
        let mut origins = Vec::new();
        while let Some((start, end, _)) = scan::next_token(self.expanded.text(), at, hi as usize) {
            let span = self.expanded.span(self.sources, start, end);
            origins.push((start as u32 - lo, span));
            at = end;
        }
        origins
    }
}
