//! The answers to what was asked.

use crate::model::Model;
use crate::run::Run;
use lariat_core::Limit;
use std::fmt;

/// The answer to one question.
#[non_exhaustive]
pub enum Verdict<M: Model> {
    /// It holds on all runs, or in all states, within the boundary.
    Holds,
    /// It does not hold on this run.
    Violated(Run<M>),
    /// Such a state can be reached, by this run.
    Reached(Run<M>),
    /// No such state can be reached.
    Unreachable,
    /// The model panicked in the last state of this run.
    Panicked(String, Run<M>),
    /// Nobody knows: not everything was seen, and nothing was found in what was.
    Inconclusive(Reason),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// A limit was reached.
    Limit(Limit),
    /// Random runs were looked at, and not all.
    Simulated,
    /// [`Check::stop_at_first`](crate::Check::stop_at_first) ended the search at another finding.
    Stopped,
    /// There is no initial state within the boundary.
    NoInitialState,
    /// The model panicked.
    Panic(String),
    /// The model is none: its steps are no function of the state, or the like.
    Broken(String),
    /// What was asked cannot be asked.
    Refused(String),
    /// A mistake of lariat: a run was found that is none. Please report it.
    Internal(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Limit(limit) => write!(f, "{limit}"),
            Reason::Simulated => write!(f, "random runs prove nothing"),
            Reason::Stopped => write!(f, "the search ended at another finding"),
            Reason::NoInitialState => write!(f, "there is no initial state"),
            Reason::Panic(text) => write!(f, "the model panicked: {text}"),
            Reason::Broken(what) | Reason::Refused(what) => write!(f, "{what}"),
            Reason::Internal(what) => write!(f, "internal error, please report it: {what}"),
        }
    }
}

impl<M: Model> Verdict<M> {
    /// Whether this is what whoever asked wants to hear.
    pub fn is_ok(&self) -> bool {
        matches!(self, Verdict::Holds | Verdict::Reached(_))
    }

    /// The run that belongs to it.
    pub fn run(&self) -> Option<&Run<M>> {
        match self {
            Verdict::Violated(run) | Verdict::Reached(run) | Verdict::Panicked(_, run) => Some(run),
            Verdict::Holds | Verdict::Unreachable | Verdict::Inconclusive(_) => None,
        }
    }

    /// A short stable name, for tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Reached(_) => "reached",
            Verdict::Unreachable => "unreachable",
            Verdict::Panicked(..) => "panicked",
            Verdict::Inconclusive(_) => "inconclusive",
        }
    }
}
