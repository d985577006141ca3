//! A run of a model that was replayed: the one form of counterexamples that all views, files
//! and reports are made from.

use std::ops::Range;

use lariat_model::interp::Move;
use lariat_model::ir::layout::Divergence;

/// The bytes of a state, and of the variables outside of it.
pub type State = (Vec<u8>, Vec<u8>);

/// From one state to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub moves: Vec<Move>,
    /// None behind the last step, if that one is at fault.
    pub state: Option<State>,
}

/// What comes after the last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// An error: there is no more to say.
    Error,
    /// The state before this step (from 0) again, for ever.
    Loop { start: usize },
    /// No process moves any more.
    Rest,
    /// Anything: the steps so far decide about the property. It `holds` on every run that
    /// begins with them, or on none.
    Decided { holds: bool },
    /// Anything: nothing is said about that.
    Open,
}

/// A proposition and its truth in each state, the initial one first. The state that closes a
/// loop is its first one again and has no entry of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposition {
    pub name: String,
    pub truth: Vec<bool>,
}

#[derive(Clone, Debug)]
pub struct Execution {
    pub initial: State,
    pub steps: Vec<Step>,
    pub ending: Ending,
    pub propositions: Vec<Proposition>,
}

impl Execution {
    /// The state before a step, counted from 0; with the number of steps, the last state that
    /// there is.
    pub fn before(&self, step: usize) -> &State {
        let states = self.steps[..step].iter().rev();
        states.filter_map(|step| step.state.as_ref()).next().unwrap_or(&self.initial)
    }

    /// The steps before the loop; all, if there is none.
    pub fn prefix(&self) -> Range<usize> {
        match self.ending {
            Ending::Loop { start } => 0..start,
            Ending::Error | Ending::Rest | Ending::Decided { .. } | Ending::Open => {
                0..self.steps.len()
            }
        }
    }

    /// The steps that are repeated for ever.
    pub fn cycle(&self) -> Range<usize> {
        self.prefix().end..self.steps.len()
    }

    /// The loop is inside an atomic sequence, of which nobody outside sees anything.
    pub fn stays_inside(&self) -> bool {
        let is_loop = matches!(self.ending, Ending::Loop { .. });
        let state = &self.before(self.prefix().end).0;
        // DVE does not use this byte.
        is_loop && !state.is_empty() && Divergence::of(state).is_some()
    }

    /// How many different states a viewer steps through: the state that closes a loop is not
    /// counted again.
    pub fn state_count(&self) -> usize {
        let reached = self.steps.iter().filter(|step| step.state.is_some()).count();
        match self.ending {
            Ending::Loop { .. } => reached,
            Ending::Error | Ending::Rest | Ending::Decided { .. } | Ending::Open => reached + 1,
        }
    }

    /// What comes behind so many steps, all of them before the loop.
    pub fn later(&self, from: usize) -> Execution {
        let truth = |one: &Proposition| Proposition {
            name: one.name.clone(),
            truth: one.truth[from.min(one.truth.len())..].to_vec(),
        };
        Execution {
            initial: self.before(from).clone(),
            steps: self.steps[from..].to_vec(),
            ending: match self.ending {
                Ending::Loop { start } => Ending::Loop { start: start - from },
                ending => ending,
            },
            propositions: self.propositions.iter().map(truth).collect(),
        }
    }

    /// The truth of each proposition behind so many steps; empty where it is not known.
    pub fn truth_behind(&self, steps: usize) -> Vec<bool> {
        // The state that closes a loop is its first.
        let state = match self.ending {
            Ending::Loop { start } if steps == self.steps.len() => start,
            _ => steps,
        };
        self.propositions.iter().filter_map(|p| p.truth.get(state).copied()).collect()
    }

    /// The first `count` steps, which decide about the property. A run that loops is followed
    /// round its loop; one that rests has no more steps than there are.
    pub fn up_to(&self, count: usize, holds: bool) -> Execution {
        let round = self.cycle();
        let at = |i: usize| match i < self.steps.len() || round.is_empty() {
            true => i,
            false => round.start + (i - self.steps.len()) % round.len(),
        };
        let steps: Vec<Step> = (0..count).map_while(|i| self.steps.get(at(i))).cloned().collect();
        let propositions = self.propositions.iter().map(|proposition| {
            let truth = (0..=steps.len()).map_while(|i| proposition.truth.get(at(i)).copied());
            Proposition { name: proposition.name.clone(), truth: truth.collect() }
        });
        Execution {
            initial: self.initial.clone(),
            propositions: propositions.collect(),
            steps,
            ending: Ending::Decided { holds },
        }
    }
}
