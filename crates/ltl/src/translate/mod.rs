//! From formulas to automata.

pub mod couvreur;
mod options;
mod pipeline;
mod recurrence;

pub use options::{Level, Options};
pub use pipeline::{Translation, Translator};

use crate::{Formulas, Ltl};
use lariat_automata::Tgba;
use lariat_automata::symbolic::Bdd;
use lariat_core::Limit;
use std::fmt;

/// The smallest automaton that is found within reason; a formula whose reduction grows too
/// large is translated with fewer steps.
pub fn translate(formulas: &mut Formulas, f: Ltl) -> Result<Tgba, TooLarge> {
    let careful = Options { max_states: 20_000, ..Options::new(Level::High) };
    let found = match Translator::new(careful).translate(formulas, f) {
        Ok(found) => found,
        Err(TooLarge::Stopped(why)) => return Err(TooLarge::Stopped(why)),
        Err(_) => Translator::new(Options::new(Level::Low)).translate(formulas, f)?,
    };
    Ok(found.automaton)
}

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
