//! One message to the user.

use super::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

/// A place with a word on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub span: Span,
    /// May be empty: then only the place is marked.
    pub text: String,
}

/// A line under the snippets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// A fact that explains the message.
    Note(String),
    /// What the user can do.
    Help(String),
}

/// A message with the places that it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    pub primary: Label,
    pub secondary: Vec<Label>,
    pub remarks: Vec<Remark>,
}

impl Diagnostic {
    pub fn new(severity: Severity, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            remarks: Vec::new(),
        }
    }

    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, span, message)
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, span, message)
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The same message about another place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.primary.span = span;
        self
    }

    /// The word at the caret.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Another place that matters.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.remarks.push(Remark::Note(text.into()));
        self
    }

    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.remarks.push(Remark::Help(text.into()));
        self
    }
}
