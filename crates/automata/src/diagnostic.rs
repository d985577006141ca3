//! Messages about bad input, with the place they are about.

use std::fmt::Write;

/// A range of bytes in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
}

impl Span {
    /// From `start` up to `end`, without it.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// From the start of `self` to the end of `last`.
    pub fn to(self, last: Span) -> Span {
        Span { start: self.start, end: last.end }
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// There is no automaton because of it.
    Error,
    /// The automaton may not be what was meant.
    Warning,
}

/// A further remark, about another place or about none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// In a sentence, without a full stop.
    pub message: String,
    /// The place that it is about, if there is one.
    pub span: Option<Span>,
}

/// Something to tell about a text, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// In a sentence, without a full stop.
    pub message: String,
    /// The place in the text.
    pub span: Span,
    /// What else helps to understand it.
    pub notes: Vec<Note>,
}

/// How many characters of a line are shown on each side of the caret at most.
const CONTEXT: usize = 60;

impl Diagnostic {
    /// An error without notes.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, message: message.into(), span, notes: Vec::new() }
    }

    /// A warning without notes.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    /// The same with a note about no certain place.
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push(Note { message: message.into(), span: None });
        self
    }

    /// The same with a note about another place.
    pub fn note_at(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Note { message: message.into(), span: Some(span) });
        self
    }

    /// The message as rustc would show it: `file:line:column`, the line, carets below.
    pub fn render(&self, source: &str, file: &str) -> String {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut out = format!("{severity}: {}\n", self.message);
        snippet(&mut out, source, file, self.span);
        for note in &self.notes {
            match note.span {
                None => writeln!(out, "  = note: {}", note.message),
                Some(_) => writeln!(out, "note: {}", note.message),
            }
            .expect("writing to a string");
            if let Some(span) = note.span {
                snippet(&mut out, source, file, span);
            }
        }
        out
    }
}

/// Line and column, from 1, the column in characters.
fn position(source: &str, offset: usize) -> (usize, usize) {
    let before = &source[..source.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

fn snippet(out: &mut String, source: &str, file: &str, span: Span) {
    let (line, column) = position(source, span.start);
    let start = source.floor_char_boundary(span.start);
    let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = source[start..].find('\n').map_or(source.len(), |length| start + length);
    let text = source[line_start..line_end].trim_end_matches('\r');
    // Very long lines (names of 50,000 characters occur) are shown around the caret only.
    let skipped = (column - 1).saturating_sub(CONTEXT);
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = text.chars().skip(skipped).take(2 * CONTEXT).map(printable).collect();
    let span_end = source.floor_char_boundary(span.end).clamp(start, line_end);
    let carets = source[start..span_end].chars().count().clamp(1, CONTEXT);
    let gutter = line.to_string().len();
    writeln!(out, "{:gutter$}--> {file}:{line}:{column}", "").expect("writing to a string");
    writeln!(out, "{:gutter$} |", "").expect("writing to a string");
    writeln!(out, "{line} | {shown}").expect("writing to a string");
    let indent = column - 1 - skipped;
    writeln!(out, "{:gutter$} | {:indent$}{}", "", "", "^".repeat(carets))
        .expect("writing to a string");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_line_and_carets() {
        let source = "HOA: v1\r\nStates: xy\r\n";
        let diagnostic = Diagnostic::error(Span::new(17, 19), "expected a number")
            .note("because")
            .note_at(Span::new(0, 4), "started here");
        let expected = "error: expected a number\n --> f.hoa:2:9\n  |\n2 | States: xy\n  |         ^^\n  = note: because\nnote: started here\n --> f.hoa:1:1\n  |\n1 | HOA: v1\n  | ^^^^\n";
        assert_eq!(diagnostic.render(source, "f.hoa"), expected);
    }

    #[test]
    fn survives_spans_at_the_end_and_inside_characters() {
        let source = "ü";
        for start in 0..4 {
            let text = Diagnostic::error(Span::new(start, start + 1), "m").render(source, "f");
            assert!(text.contains("f:1:"), "{text}");
        }
    }
}
