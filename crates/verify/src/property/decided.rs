//! Where a run decides about a property: behind some steps, how it goes on does not matter.

use lariat_core::Props;
use lariat_ltl::{eval, prefix};
use lariat_report::execution::Execution;

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
    let truth = |at: usize| run.propositions.iter().map(move |p| p.truth[at]);
    let states = 0..run.state_count();
    match &property.watcher {
        Watcher::Formula { formulas, formula, .. } => {
            let letter = |at: usize| {
                let mut letter = eval::Letter::default();
                let held = truth(at).enumerate().filter(|&(_, holds)| holds);
                held.for_each(|(ap, _)| letter.set(ap as u32));
                letter
            };
            let loop_start = run.prefix().end;
            let word = eval::Word { letters: states.map(letter).collect(), loop_start };
            prefix::decided_after(formulas, *formula, &word, holds)
        }
        Watcher::Automaton(automaton) => {
            let letter =
                |at: usize| truth(at).rev().fold(0, |all: Props, p| all << 1 | Props::from(p));
            let letters: Vec<Props> = states.map(letter).collect();
            let (prefix, cycle) = letters.split_at(run.prefix().end);
            automaton.accepts_all_after(prefix, cycle)
        }
    }
}
