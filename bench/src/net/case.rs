//! A model and the questions about it.

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

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fairness {
    Weak,
    Strong,
    /// Weak, as `pan -f` has it.
    Spin,
}
