//! What a translation does and leaves out.

use crate::simplify::SimplifyOptions;
use lariat_automata::symbolic::Bdd;

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// The basic rules, one simulation.
    Low,
    /// Simulations both ways, small automata for obligations.
    Medium,
    /// Also what takes long for few formulas: containment, letters one by one.
    #[default]
    High,
}

/// Every step can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Rules for the formula itself.
    pub simplify: SimplifyOptions,
    /// See [`super::couvreur::TableauOptions::by_letter`].
    pub by_letter: bool,
    /// Remove useless components and marks.
    pub prune: bool,
    /// Direct simulation.
    pub forward_simulation: bool,
    /// Reverse simulation.
    pub backward_simulation: bool,
    /// Minimise obligation properties.
    pub minimise_obligations: bool,
    /// One acceptance set, on states.
    pub buchi: bool,
    /// A larger automaton on the way stops the translation.
    pub max_states: usize,
}

impl Options {
    /// What belongs to a level; one acceptance set or more.
    pub fn new(level: Level) -> Options {
        let medium = level != Level::Low;
        Options {
            simplify: SimplifyOptions {
                implication: medium,
                containment: level == Level::High,
                ..SimplifyOptions::ALL
            },
            by_letter: level == Level::High,
            prune: true,
            forward_simulation: true,
            backward_simulation: medium,
            minimise_obligations: medium,
            buchi: false,
            max_states: 50_000,
        }
    }

    /// Decision diagrams that are given up after an amount of work that fits `max_states`, or when
    /// the work at hand must end.
    pub fn bdd(&self) -> Bdd {
        let steps = (self.max_states as u64).saturating_mul(500).saturating_add(10_000_000);
        Bdd::with_limits(1 << 24, steps).interruptible()
    }

    /// The same with one acceptance set on states, or without this demand.
    pub fn buchi(mut self, buchi: bool) -> Options {
        self.buchi = buchi;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new(Level::High)
    }
}
