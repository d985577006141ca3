//! Which check runs on an automaton, and what must be done to the automaton before.

use crate::algorithm::{Algorithm, Takes};
use crate::setup::Setup;
use lariat_automata::{StateId, Tgba, classify, degeneralise};

/// What will run, on which automaton.
pub struct Plan {
    pub algorithm: Algorithm,
    pub why: String,
    /// An equivalent automaton, where the check does not take the given one.
    pub automaton: Option<Tgba>,
    /// The given automaton's state for each state of `automaton`, where they differ.
    pub origins: Option<Vec<StateId>>,
}

pub fn plan(tgba: &Tgba, setup: &Setup) -> Result<Plan, String> {
    let classes = classify::classify(tgba);
    let (algorithm, why) = match setup.algorithm {
        Algorithm::Auto if classes.terminal => (Algorithm::Reach, "the automaton is terminal"),
        Algorithm::Auto if classes.inherently_weak => (Algorithm::Sd, "the automaton is weak"),
        // Colours are bits, and a stack that holds no component is shorter.
        Algorithm::Auto if setup.store.is_lossy() => {
            (Algorithm::And, "the automaton is not weak, and the store is lossy")
        }
        Algorithm::Auto => (Algorithm::Dijkstra, "the automaton is not weak"),
        asked => (asked, "as asked"),
    };
    let mut automaton = None;
    let mut origins = None;
    let mut said = String::new();
    match algorithm.facts().takes {
        Takes::Tgba if !setup.switches.by_states => {}
        Takes::Tgba | Takes::Buchi if setup.switches.by_states && classes.inherently_weak => {
            automaton = classify::to_weak_buchi(tgba);
        }
        Takes::Tgba | Takes::Buchi => {
            if !classify::is_buchi_by_states(tgba) {
                let (copy, of) = degeneralise(tgba);
                said = format!(
                    ", degeneralised from {} to {} states",
                    tgba.state_count(),
                    copy.state_count()
                );
                (automaton, origins) = (Some(copy), Some(of));
            }
        }
        takes @ (Takes::WeakBuchi | Takes::TerminalBuchi) => {
            let fits = match takes {
                Takes::WeakBuchi => classes.inherently_weak,
                _ => classes.terminal,
            };
            if !fits {
                return Err(format!(
                    "{} is for {} automata, and this one is not; try another --algorithm",
                    algorithm.name(),
                    takes.name()
                ));
            }
            // Same states: only the marks move to the states of the accepting components.
            automaton = classify::to_weak_buchi(tgba);
        }
    }
    Ok(Plan { algorithm, why: format!("{why}{said}"), automaton, origins })
}
