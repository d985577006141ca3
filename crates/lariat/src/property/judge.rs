//! The opinion of a property about a run, asked without the search that found it.

use lariat_core::Props;
use lariat_ltl::eval;
use lariat_model::interp::{Expansion, Interp};
use lariat_model::ir::Model;
use lariat_report::execution::{Execution, Proposition};

use super::fair::{Fair, LoopState, rounds};
use super::formula::{Mode, Property, Watcher};

/// The truth of the propositions along a run that goes on for ever, if the property says that
/// it is one of those that were looked for.
pub(crate) fn judge(
    model: &Model,
    property: &Property,
    execution: &Execution,
) -> Result<Vec<Proposition>, String> {
    let mut interp = Interp::new(model);
    let letters: Vec<Vec<bool>> = (0..execution.state_count())
        .map(|at| {
            let (state, hidden) = execution.before(at);
            interp.load_with_hidden(state, hidden);
            let holds = |&expr| interp.eval_loaded(expr, None).is_ok_and(|value| value != 0);
            property.bound.iter().map(holds).collect()
        })
        .collect();
    match &property.watcher {
        Watcher::Formula { formulas, formula, .. } => {
            let letters = letters.iter().map(|letter| letter_of(letter)).collect();
            let word = eval::Word { letters, loop_start: execution.prefix().end };
            if eval::holds(formulas, *formula, &word) != (property.mode == Mode::Exists) {
                return Err("the formula says otherwise".to_owned());
            }
        }
        Watcher::Automaton(automaton) => {
            let props: Vec<Props> = letters.iter().map(|letter| props_of(letter)).collect();
            let (prefix, cycle) = props.split_at(execution.prefix().end);
            if !automaton.accepts_lasso(prefix, cycle) {
                return Err("the automaton does not accept it".to_owned());
            }
        }
    }
    let propositions = property.names.iter().enumerate().map(|(ap, name)| Proposition {
        name: name.clone(),
        truth: letters.iter().map(|letter| letter[ap]).collect(),
    });
    Ok(propositions.collect())
}

/// Whether the loop is fair, taken as it is.
pub(crate) fn is_fair(model: &Model, fair: &Fair, execution: &Execution) -> Result<(), String> {
    let mut interp = Interp::new(model);
    let mut expansion = Expansion::new();
    let mut looping = Vec::new();
    for at in execution.cycle() {
        let (state, hidden) = execution.before(at);
        expansion.clear();
        interp.successors(state, hidden, &mut expansion);
        let moves = &execution.steps[at].moves;
        let taken = (0..expansion.len()).find(|&next| expansion.moves(next) == moves);
        let taken: Vec<usize> = taken.into_iter().collect();
        looping.push(LoopState::new(&mut interp, fair, state, &expansion, &taken));
    }
    // A system at rest starves nobody.
    match rounds(fair, &looping) {
        Err(pid) if !looping.is_empty() => Err(format!("it is not fair to process {pid}")),
        _ => Ok(()),
    }
}

fn props_of(truth: &[bool]) -> Props {
    truth.iter().enumerate().fold(0, |props, (ap, &holds)| props | Props::from(holds) << ap)
}

fn letter_of(truth: &[bool]) -> eval::Letter {
    let mut letter = eval::Letter::default();
    for (ap, _) in truth.iter().enumerate().filter(|&(_, &holds)| holds) {
        letter.set(ap as u32);
    }
    letter
}
