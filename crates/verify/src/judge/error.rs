//! The end of a finite run.

use lariat_model::interp::Fault;
use lariat_model::ir::Model;
use lariat_model::ir::transition::Discipline;
use lariat_report::execution::{Ending, Execution, Step};
use lariat_search::safety::Condition;

use super::replay::Replay;
use super::{Claimed, Ends};

pub(super) fn judge(model: &Model, ends: &Ends, run: &Claimed) -> Result<Execution, String> {
    if run.ending != Ending::Error {
        return Err("it does not end".to_owned());
    }
    let mut replay = match Replay::new(model) {
        Ok(replay) => replay,
        // There is no state at all, so no step either.
        Err(faults) if run.steps.is_empty() && faults.iter().any(|fault| ends.is_fault(fault)) => {
            return Ok(finished(Default::default(), Vec::new()));
        }
        Err(_) => return Err("there is no initial state".to_owned()),
    };
    if let Some((last, before)) = run.steps.split_last() {
        before.iter().try_for_each(|moves| replay.take(moves))?;
        // Nothing is said about a state behind a step that is at fault, though an assertion
        // leaves one.
        if replay.has_fault(last, |fault| ends.is_fault(fault)) {
            replay.steps.push(Step { moves: last.clone(), state: None });
            return Ok(finished(replay.initial, replay.steps));
        }
        replay.take(last)?;
    }
    is_so(&mut replay, ends)?;
    Ok(finished(replay.initial, replay.steps))
}

/// Whether the last state itself is in error.
fn is_so(replay: &mut Replay<'_>, ends: &Ends) -> Result<(), String> {
    let (state, hidden) = replay.now().clone();
    match *ends {
        Ends::Fault(_) | Ends::FaultNamed(_) => {
            match replay.has_fault(&[], |fault| ends.is_fault(fault)) {
                true => Ok(()),
                false => Err("the fault is not at its end".to_owned()),
            }
        }
        Ends::InvalidEnd { empty_channels } => {
            if !replay.expand().is_blocked {
                return Err("a process can still move at its end".to_owned());
            }
            let interp = &mut replay.interp;
            let is_valid = interp.is_valid_end(&state);
            let is_left_over = || interp.channels().iter().any(|c| !c.messages.is_empty());
            // DVE has no valid ends: a deadlock is an error if anybody asks.
            match interp.model().discipline != Discipline::Spin
                || !is_valid
                || empty_channels && is_left_over()
            {
                true => Ok(()),
                false => Err("its end state is valid".to_owned()),
            }
        }
        Ends::Condition(Condition { expr, wanted }) => {
            if replay.interp.is_error_state(&state) {
                return Err("nothing has a meaning in its last state".to_owned());
            }
            replay.interp.load_with_hidden(&state, &hidden);
            // A condition that cannot be evaluated is not met.
            match replay.interp.eval_loaded(expr, None).is_ok_and(|v| (v != 0) == wanted) {
                true => Err("its last state meets the condition".to_owned()),
                false => Ok(()),
            }
        }
    }
}

impl Ends {
    fn is_fault(&self, fault: &Fault) -> bool {
        match self {
            Ends::Fault(claimed) => claimed == fault,
            Ends::FaultNamed(name) => fault.kind.name() == name,
            Ends::InvalidEnd { .. } | Ends::Condition(_) => false,
        }
    }
}

fn finished(initial: (Vec<u8>, Vec<u8>), steps: Vec<Step>) -> Execution {
    Execution { initial, steps, ending: Ending::Error, propositions: Vec::new() }
}
