//! Why there is no answer.

use std::fmt;

use lariat_model::promela::Failure;
use lariat_syntax::diagnostics::render;

use crate::judge::Claimed;

/// Why there is no answer.
#[derive(Debug)]
pub enum Error {
    /// The model, or what belongs to it, is wrong at the places that the messages name.
    Input(Box<Failure>),
    /// What stands for a proposition is no expression of the model.
    Proposition {
        /// Whose proposition it is.
        property: String,
        /// What was read as an expression.
        text: String,
        /// What is wrong with it.
        why: Box<Failure>,
    },
    /// A formula cannot be read. The message shows where, on lines of its own.
    Formula(String),
    /// What was asked for cannot be done; a sentence.
    Refused(String),
    /// A worker of a search over several, or the way to it, is gone; a sentence.
    Broken(String),
    /// What was found is wrong, in half a sentence: an error of lariat, not of the model.
    Bug {
        /// What is wrong.
        what: String,
        /// The run that was found.
        run: Option<Claimed>,
    },
}

impl Error {
    /// The run that was found is wrong.
    pub fn wrong_run(what: impl fmt::Display, run: Option<Claimed>) -> Error {
        Error::Bug { what: format!("the run that was found is wrong: {what}"), run }
    }
}

impl From<String> for Error {
    fn from(message: String) -> Error {
        Error::Refused(message)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        Error::Input(Box::new(failure))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let located = |failure: &Failure| {
            let texts = failure.diagnostics.iter();
            texts.map(|found| render(&failure.sources, found, false)).collect::<Vec<_>>().join("\n")
        };
        match self {
            Error::Input(failure) => f.write_str(&located(failure)),
            Error::Proposition { property, text, why } => {
                let why = located(why);
                write!(f, "{why}\n{property}: `{text}` is not an expression of this model")
            }
            Error::Formula(message) => f.write_str(message.trim_end()),
            Error::Refused(message) | Error::Broken(message) => f.write_str(message),
            Error::Bug { what, .. } => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for Error {}
