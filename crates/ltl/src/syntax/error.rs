//! What can be wrong with the text of a formula, and where.

use std::fmt;
use std::ops::Range;

/// A located complaint about a formula's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// In a sentence, without a full stop.
    pub message: String,
    /// What would have been right, where that helps.
    pub hint: Option<String>,
}

impl SyntaxError {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        SyntaxError { span, message: message.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The message with place, the line of the text and a caret below it. `line` is the
    /// number of the text's first line in `file`.
    pub fn render(&self, text: &str, file: &str, line: usize) -> String {
        snippet("error", &self.message, self.hint.as_deref(), &self.span, text, file, line)
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}: {}", self.span.start, self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// Something that is not wrong, but may not mean what the writer thinks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxWarning {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// In a sentence, without a full stop.
    pub message: String,
}

impl SyntaxWarning {
    /// As [`SyntaxError::render`].
    pub fn render(&self, text: &str, file: &str, line: usize) -> String {
        snippet("warning", &self.message, None, &self.span, text, file, line)
    }
}

fn snippet(
    level: &str,
    message: &str,
    hint: Option<&str>,
    span: &Range<usize>,
    text: &str,
    file: &str,
    first_line: usize,
) -> String {
    let at = span.start.min(text.len());
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    let line = first_line + text[..at].matches('\n').count();
    let column = text[begin..at].chars().count();
    let width = text[at..span.end.clamp(at, end)].chars().count().max(1);
    // A very long line is cut so that the caret stays in sight.
    const MARGIN: usize = 60;
    let skipped = column.saturating_sub(MARGIN);
    let shown: String = text[begin..end].chars().skip(skipped).take(2 * MARGIN).collect();
    let gutter = " ".repeat(line.to_string().len());
    let pad = " ".repeat(column - skipped);
    let carets = "^".repeat(width.min(MARGIN));
    let mut out = format!(
        "{level}: {message}\n{gutter}--> {file}:{line}:{}\n{gutter} |\n{line} | {shown}\n{gutter} | {pad}{carets}\n",
        column + 1
    );
    if let Some(hint) = hint {
        out.push_str(&format!("{gutter} = help: {hint}\n"));
    }
    out
}
