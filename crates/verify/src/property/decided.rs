//! Where a run decides about a property: behind some steps, how it goes on does not matter.

use lariat_ltl::prefix;
use lariat_report::execution::Execution;

use crate::judge::word::{letters, word};

use super::formula::{Mode, Property, Watcher};

/// The run as it is shown: up to the step that decides about the property, if there is one.
/// `run` was judged already, with the propositions of `property`. A run that loops is also
/// followed into further rounds; one that rests only as far as there are steps.
pub(crate) fn up_to_decision(property: &Property, run: &Execution) -> Option<Execution> {
    let holds = property.mode == Mode::Exists;
    let letters = steps_needed(property, run, holds)?;
    let steps = letters.saturating_sub(1);
    let is_there = steps <= run.steps.len() || !run.cycle().is_empty();
    is_there.then(|| run.up_to(steps, holds))
}

/// How many letters decide.
fn steps_needed(property: &Property, run: &Execution, holds: bool) -> Option<usize> {
    match &property.watcher {
        Watcher::Formula { formulas, formula, .. } => {
            prefix::decided_after(formulas, *formula, &word(run), holds)
        }
        Watcher::Automaton(automaton) => {
            let (prefix, cycle) = letters(run);
            automaton.accepts_all_after(&prefix, &cycle)
        }
    }
}
