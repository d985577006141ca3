//! What one model's check leaves behind for the reports.

use std::path::Path;

use serde_json::Value;

use super::judgement::{Judgement, Verdict};
use crate::bug::{self, Reported};
use crate::exit::Exit;

/// A property with what is said about it.
pub(super) struct Entry {
    pub(super) judgement: Judgement,
    /// For people, without colours.
    pub(super) text: String,
    /// For scripts, if that was asked for.
    pub(super) json: Option<Value>,
}

pub(super) struct ModelReport {
    pub(super) model: String,
    pub(super) entries: Vec<Entry>,
    /// Why the model, or the rest of its properties, was not checked; standard error says more.
    pub(super) failure: Option<String>,
    pub(super) exit: Exit,
    /// What lariat has found wrong with itself.
    pub(super) bug: Option<Reported>,
    pub(super) coverage: Option<Value>,
}

impl ModelReport {
    pub(super) fn new(path: &Path) -> ModelReport {
        ModelReport {
            model: path.display().to_string(),
            entries: Vec::new(),
            failure: None,
            exit: Exit::Holds,
            bug: None,
            coverage: None,
        }
    }

    /// The worst of all properties. What was not checked is not known to hold.
    pub(super) fn verdict(&self) -> Verdict {
        let verdicts = self.entries.iter().map(|entry| entry.judgement.verdict);
        let failed = self.failure.as_ref().map(|_| Verdict::Inconclusive);
        verdicts.chain(failed).max().unwrap_or(Verdict::Holds)
    }

    pub(super) fn fail(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
        let why = if exit == Exit::BadInput { "bad input" } else { "internal error" };
        self.failure = Some(why.to_owned());
        self.bug = bug::take_reported();
    }
}
