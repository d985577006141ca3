//! What one model's check leaves behind for the reports.

use std::path::Path;
use std::time::Instant;

use lariat_core::Limit;
use lariat_verify::{Answer, Kind, Status};
use serde_json::Value;

use super::judgement::Judgement;
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

pub(super) struct Failure {
    pub(super) what: Failed,
    pub(super) message: String,
}

/// Why a model was not checked, or not to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failed {
    BadInput,
    Inconclusive,
    InternalError,
}

impl Failed {
    pub(super) fn name(self) -> &'static str {
        match self {
            Failed::BadInput => "bad input",
            Failed::Inconclusive => "inconclusive",
            Failed::InternalError => "internal error",
        }
    }
}

pub(super) struct ModelReport {
    pub(super) model: String,
    pub(super) entries: Vec<Entry>,
    /// Why the model, or the rest of its properties, was not checked.
    pub(super) failure: Option<Failure>,
    /// The properties that are still to be judged, by name and kind; the first one is at hand.
    pub(super) waiting: Vec<(String, Kind)>,
    /// Since when.
    pub(super) since: Instant,
    pub(super) is_done: bool,
    /// The only model.
    pub(super) is_alone: bool,
    pub(super) exit: Exit,
    /// What lariat has found wrong with itself.
    pub(super) bug: Option<Reported>,
    pub(super) coverage: Option<Value>,
}

impl ModelReport {
    pub(super) fn new(path: &Path, is_alone: bool) -> ModelReport {
        ModelReport {
            is_alone,
            model: path.display().to_string(),
            entries: Vec::new(),
            failure: None,
            waiting: Vec::new(),
            since: Instant::now(),
            is_done: false,
            exit: Exit::Holds,
            bug: None,
            coverage: None,
        }
    }

    /// The worst of all properties. What was not checked is not known to hold.
    pub(super) fn verdict(&self) -> Status {
        let verdicts = self.entries.iter().map(|entry| entry.judgement.status());
        let failed = self.failure.as_ref().map(|_| Status::Inconclusive);
        verdicts.chain(failed).max().unwrap_or(Status::Holds)
    }

    /// `message` is what standard error said.
    pub(super) fn fail(&mut self, exit: Exit, message: String) {
        self.exit = self.exit.max(exit);
        let what = match exit {
            Exit::BadInput => Failed::BadInput,
            Exit::Inconclusive => Failed::Inconclusive,
            _ => Failed::InternalError,
        };
        self.failure = Some(Failure { what, message: message.trim_end().to_owned() });
        self.bug = bug::take_reported();
    }

    /// Adds a property that was judged.
    pub(super) fn add(&mut self, entry: Entry) {
        self.waiting.retain(|(name, _)| *name != entry.judgement.name);
        self.since = Instant::now();
        self.exit = self.exit.max(entry.judgement.exit());
        self.entries.push(entry);
    }

    /// What is left to say of a model whose check was ended by force: the judgements of the
    /// properties that wait. If none are known, it was not read to its end.
    pub(super) fn cut(&mut self, why: Limit) -> Vec<Judgement> {
        if self.is_done {
            return Vec::new();
        }
        self.is_done = true;
        if self.waiting.is_empty() {
            self.fail(Exit::Inconclusive, format!("{}: inconclusive: {why}", self.model));
        }
        let mut elapsed = self.since.elapsed();
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let judge = |(name, kind): (String, Kind)| {
            let mut judgement = Judgement::from(Answer::without_search(&name, kind, why.into()));
            judgement.statistics.elapsed = std::mem::take(&mut elapsed);
            judgement
        };
        waiting.map(judge).collect()
    }
}
