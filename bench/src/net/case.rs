//! A model and the questions about it.

use std::collections::BTreeSet;

use lariat_model::lower::label_references;

use super::tree::Tree;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    Promela,
    Dve,
}

/// A random model with questions, made again by its seed and what was wanted.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    /// The cells of the coverage that this case was asked to fill, by number.
    pub wanted: Vec<u32>,
    pub language: Language,
    /// Promela: a send to a full channel loses the message (`-m`).
    pub lossy: bool,
    pub model: Tree,
    pub questions: Vec<Question>,
}

impl Case {
    /// What questions name with `@`. A label that one of them names is a control point for all, so
    /// that all are asked about one model.
    pub fn named_labels(&self) -> Vec<String> {
        let texts = self.questions.iter().map(|question| question.about.text());
        let named = texts.flat_map(label_references);
        let named: BTreeSet<String> =
            named.map(|(proctype, label)| format!("{proctype}@{label}")).collect();
        named.into_iter().collect()
    }
}

/// One question about a model: its answer must not depend on any switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    pub about: About,
    pub fairness: Option<Fairness>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// Assertions, invalid end states, run-time errors.
    Safety,
    /// Assertions and run-time errors, whatever the end states are (`--no-deadlock`; DVE's safety
    /// is this, as deadlocks are no errors there unless asked for).
    Assertions,
    /// A formula that holds on all runs, in Spin's syntax; with X where Spin cannot be asked.
    Ltl(String),
    /// A formula that one run satisfies.
    Exists(String),
    /// The text of a never claim.
    Never(String),
    Invariant(String),
    Reach(String),
    NonProgress,
    /// Accept labels of the processes (Promela: `--property accept`), or the property process (DVE:
    /// `--property never`).
    Acceptance,
}

impl About {
    /// The formula, the expression, the claim.
    pub fn text(&self) -> &str {
        match self {
            About::Ltl(text)
            | About::Exists(text)
            | About::Never(text)
            | About::Invariant(text)
            | About::Reach(text) => text,
            About::Safety | About::Assertions | About::NonProgress | About::Acceptance => "",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fairness {
    Weak,
    Strong,
    /// Weak, as `pan -f` has it.
    Spin,
}
