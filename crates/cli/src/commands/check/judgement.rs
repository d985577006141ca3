//! The answer about a property in the words of the reports, beside what was expected.

use std::ops::{Deref, DerefMut};

use lariat_core::Limit;
use lariat_verify::{Answer, Kind, Status, Verdict};

use crate::exit::Exit;

pub(crate) struct Judgement {
    pub(crate) answer: Answer,
    /// The file where the run is saved.
    pub(crate) saved: Option<String>,
    /// What the model says is right.
    pub(crate) expected: Option<Status>,
}

impl From<Answer> for Judgement {
    fn from(answer: Answer) -> Judgement {
        Judgement { answer, saved: None, expected: None }
    }
}

impl Deref for Judgement {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl DerefMut for Judgement {
    fn deref_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}

impl Judgement {
    /// The verdict in the words of the question.
    pub(crate) fn in_words(&self) -> &'static str {
        match (&self.verdict, self.kind) {
            (Verdict::Violated(_), Kind::Reach) => "can be reached",
            (Verdict::Holds, Kind::Reach) => "cannot be reached",
            (Verdict::Found(_), _) => "a run exists",
            (Verdict::Refuted, Kind::Exists) => "no run exists",
            _ => self.status().name(),
        }
    }

    /// Whether the answer is the one that the model says is right, if it says so. Without an
    /// answer, nobody knows.
    pub(crate) fn is_as_expected(&self) -> Option<bool> {
        let status = self.status();
        let is_known =
            |&expected: &Status| expected == Status::Inconclusive || status != Status::Inconclusive;
        self.expected.filter(is_known).map(|expected| expected == status)
    }

    /// What was expected instead of the answer.
    pub(crate) fn unexpected(&self) -> String {
        let expected = self.expected.map_or("", Status::name);
        let because = self.because().map_or(String::new(), |because| format!(": {because}"));
        format!("{expected} expected, but {}{because}", self.in_words())
    }

    /// What this answer tells the shell.
    pub(crate) fn exit(&self) -> Exit {
        match (self.is_as_expected(), self.status()) {
            (Some(true), _) => Exit::Holds,
            (Some(false), Status::Holds) | (_, Status::Violated) => Exit::Violated,
            (_, Status::Holds) => Exit::Holds,
            (_, Status::Inconclusive) => Exit::Inconclusive,
        }
    }

    /// Why there is no answer, or which error was found, in half a sentence.
    pub(crate) fn because(&self) -> Option<String> {
        if let Some(error) = &self.error {
            let at = error.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            return Some(format!("{}{at}", error.message));
        }
        let reason = self.inconclusive()?;
        let so_far = match self.kind {
            // It has seen all that it can see; its reason says what that is worth.
            _ if matches!(reason.limit, Limit::Lossy | Limit::Proviso) => {
                return Some(reason.to_string());
            }
            Kind::States => return Some(reason.to_string()),
            Kind::Safety | Kind::Invariant => "no error so far",
            Kind::Reach => "not reached so far",
            Kind::Exists => "no such run so far",
            _ => "no counterexample so far",
        };
        Some(format!("{reason}, {so_far}"))
    }
}
