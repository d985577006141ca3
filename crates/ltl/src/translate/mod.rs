//! From formulas to automata.

pub mod couvreur;
mod options;
mod pipeline;
mod recurrence;

pub use options::{Level, Options};
pub use pipeline::{Translation, Translator};

use lariat_automata::symbolic::Bdd;
use lariat_core::Limit;
use std::fmt;

/// Why a translation was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// More states than this.
    States(usize),
    /// More edges than this.
    Edges(usize),
    /// More acceptance sets than an automaton can have.
    Marks,
    /// More decision diagrams than there is room for.
    Memory,
    /// Time is over, or the user does not want to wait.
    Stopped(Limit),
}

impl TooLarge {
    /// Why a translation was given up whose decision diagrams are exhausted.
    pub(crate) fn exhausted(bdd: &Bdd) -> TooLarge {
        bdd.stopped().map_or(TooLarge::Memory, TooLarge::Stopped)
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::States(max) => write!(f, "the automaton has more than {max} states"),
            TooLarge::Edges(max) => write!(f, "the tableau has more than {max} edges"),
            TooLarge::Marks => write!(f, "the automaton needs more than 64 acceptance sets"),
            TooLarge::Memory => write!(f, "the decision diagrams grew too large"),
            TooLarge::Stopped(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for TooLarge {}
