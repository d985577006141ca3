//! Draws a [`Diagnostic`] like rustc does: message, `file:line:column`, snippet, caret, hints.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};

use super::source::Excerpt;
use super::{Diagnostic, ExpansionKind, Remark, Severity, SourceMap, Span};

/// A span may cover a whole proctype; a message shows its first lines only.
const MAX_SNIPPET_LINES: u32 = 6;

/// How many levels of macro and inline calls a message names.
const MAX_EXPANSIONS_SHOWN: usize = 4;

/// The message as text that ends with a newline. `color` adds terminal colours.
pub fn render(sources: &SourceMap, diagnostic: &Diagnostic, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let marks = marks(sources, diagnostic);
    let mut group: Group<'_> =
        level.primary_title(&diagnostic.message).elements(Vec::<Element<'_>>::new());
    for mark in &marks {
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let mut annotation = kind.span(mark.range());
        if !mark.text.is_empty() {
            annotation = annotation.label(mark.text.as_str());
        }
        let snippet = Snippet::source(mark.excerpt.text.as_str())
            .line_start(mark.excerpt.line as usize)
            .path(&*mark.excerpt.file)
            .annotation(annotation);
        group = group.element(snippet);
    }
    for remark in &diagnostic.remarks {
        group = group.element(match remark {
            Remark::Note(text) => Level::NOTE.message(text.as_str()),
            Remark::Help(text) => Level::HELP.message(text.as_str()),
        });
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.render(&[group]).to_string();
    text.push('\n');
    text
}

/// One annotated excerpt of the message.
struct Mark {
    excerpt: Excerpt,
    span: Span,
    text: String,
    primary: bool,
}

impl Mark {
    /// The marked bytes within the excerpt, never beyond it and never cutting a character.
    fn range(&self) -> std::ops::Range<usize> {
        let text = &self.excerpt.text;
        let inside = |position: u32| {
            let mut at = (position.saturating_sub(self.excerpt.lo) as usize).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        inside(self.span.lo)..inside(self.span.hi)
    }
}

/// The places to show: first the user's own line, then the definitions it went through.
fn marks(sources: &SourceMap, diagnostic: &Diagnostic) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut push = |span: Span, text: String, primary: bool| {
        if span.is_nowhere() {
            return;
        }
        if let Some(excerpt) = sources.excerpt(span, MAX_SNIPPET_LINES) {
            marks.push(Mark { excerpt, span, text, primary });
        }
    };
    let primary = &diagnostic.primary;
    let user = sources.call_site(primary.span);
    push(user, primary.text.clone(), true);
    // Innermost first: where the text is written, then the calls that led from there to `user`.
    for (expansion, written) in sources.expansions(primary.span).take(MAX_EXPANSIONS_SHOWN) {
        let kind = match expansion.kind {
            ExpansionKind::Inline => "inline",
            ExpansionKind::Macro | ExpansionKind::Argument { .. } => "macro",
        };
        push(written, format!("in the text of {kind} `{}`", expansion.name), false);
    }
    for label in &diagnostic.secondary {
        push(sources.call_site(label.span), label.text.clone(), false);
    }
    marks
}
