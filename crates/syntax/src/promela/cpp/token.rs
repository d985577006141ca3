//! Preprocessing tokens: C's, because Spin runs the C preprocessor.

use std::sync::Arc;

use crate::diagnostics::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PpKind {
    Ident,
    /// C's "preprocessing number", which is greedy: `1..N` is one of them.
    Number,
    /// `'…'`
    Char,
    /// `"…"`
    String,
    /// An operator of C; the text tells which.
    Punct,
    /// Any other character, or a line from an unclosed quote on.
    Other,
    /// Stands for an empty macro argument beside `##`.
    Placemarker,
    /// End of a file.
    Eof,
}

#[derive(Clone, Debug)]
pub(super) struct PpToken {
    pub(super) kind: PpKind,
    pub(super) text: Arc<str>,
    pub(super) span: Span,
    /// Blank space or a comment stands before it.
    pub(super) space: bool,
    /// It is the first of its line.
    pub(super) line_start: bool,
    /// It named a macro while that macro was being expanded: it never expands again.
    pub(super) painted: bool,
    /// Line (from 0) in its file where it starts.
    pub(super) line: u32,
}

impl PpToken {
    pub(super) fn is(&self, punct: &str) -> bool {
        self.kind == PpKind::Punct && &*self.text == punct
    }

    pub(super) fn is_ident(&self, name: &str) -> bool {
        self.kind == PpKind::Ident && &*self.text == name
    }
}
