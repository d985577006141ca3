//! The text that the preprocessor makes, and where each piece of it comes from.

use super::lex::would_paste;
use super::token::PpToken;
use crate::diagnostics::{SourceMap, Span};

/// Preprocessed text.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    text: String,
    pieces: Vec<Piece>,
}

/// From `start` on, the text comes from `span`.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: u32,
    end: u32,
    span: Span,
}

impl Expanded {
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the text from `lo` to `hi` comes from.
    pub fn span(&self, sources: &SourceMap, lo: usize, hi: usize) -> Span {
        let Some(first) = self.piece(lo) else { return Span::NOWHERE };
        let start = first.at(lo);
        if hi <= first.end as usize {
            return Span { hi: first.at(hi).lo.max(start.lo), ..first.part(lo, hi) };
        }
        match self.piece(hi - 1) {
            Some(last) => sources.join(start, last.part(last.start as usize, hi)),
            None => start,
        }
    }

    fn piece(&self, offset: usize) -> Option<&Piece> {
        let at = self.pieces.partition_point(|piece| piece.start as usize <= offset);
        self.pieces.get(at.saturating_sub(1))
    }
}

impl Piece {
    /// Whether the text is as long as its source, so that offsets correspond.
    fn is_verbatim(&self) -> bool {
        self.end - self.start == self.span.hi - self.span.lo
    }

    fn at(&self, offset: usize) -> Span {
        let from_start = (offset as u32).clamp(self.start, self.end) - self.start;
        let lo = if self.is_verbatim() { self.span.lo + from_start } else { self.span.lo };
        Span { lo, ..self.span }
    }

    fn part(&self, lo: usize, hi: usize) -> Span {
        if !self.is_verbatim() {
            return self.span;
        }
        Span { lo: self.at(lo).lo, hi: self.at(hi).lo, ..self.span }
    }
}

/// Prints tokens like gcc does: blanks and newlines as in the source, and a blank where two
/// tokens from different places would otherwise be read as one.
#[derive(Default)]
pub(super) struct Output {
    made: Expanded,
    previous: Option<PpToken>,
    /// Source line that the current output line shows.
    line: u32,
}

impl Output {
    pub(super) fn push(&mut self, token: &PpToken, newline_due: bool, line: u32) {
        let text = &mut self.made.text;
        let together = self.previous.as_ref().is_some_and(|previous| {
            previous.span.hi == token.span.lo && previous.span.expansion == token.span.expansion
        });
        let merges = self.previous.as_ref().is_some_and(|previous| would_paste(previous, token));
        // gcc also breaks the line before a token on another source line than the one before,
        // behind a comment or macro call of several lines.
        if newline_due || (line != self.line && (token.space || !together)) {
            text.push('\n');
        } else if token.space || (merges && !together) {
            text.push(' ');
        }
        self.line = line;
        let start = text.len() as u32;
        text.push_str(&token.text);
        self.made.pieces.push(Piece { start, end: text.len() as u32, span: token.span });
        self.previous = Some(token.clone());
    }

    pub(super) fn finish(mut self) -> Expanded {
        self.made.text.push('\n');
        self.made
    }
}
