//! A run of which nothing is said but that the model can take its steps.

use lariat_model::ir::Model;
use lariat_report::execution::{Ending, Execution, Step};

use super::Claimed;
use super::replay::Replay;

pub(super) fn judge(model: &Model, run: &Claimed) -> Result<Execution, String> {
    let mut replay = Replay::new(model).map_err(|_| "there is no initial state".to_owned())?;
    for (at, moves) in run.steps.iter().enumerate() {
        let is_last = at + 1 == run.steps.len();
        // The last step of a run may be one that leads nowhere.
        if is_last && run.ending == Ending::Error && replay.has_fault(moves, |_| true) {
            replay.steps.push(Step { moves: moves.clone(), state: None });
        } else {
            replay.take(moves)?;
        }
    }
    match run.ending {
        Ending::Rest if replay.expand().len() > 0 => {
            return Err("a process can still move at its end".to_owned());
        }
        Ending::Error if replay.steps.last().is_none_or(|step| step.state.is_some()) => {
            return Err("there is no error at its end".to_owned());
        }
        Ending::Decided { .. } => return Err("nothing was to be decided".to_owned()),
        Ending::Rest | Ending::Error | Ending::Open | Ending::Loop { .. } => {}
    }
    let Replay { initial, steps, .. } = replay;
    let execution = Execution { initial, steps, ending: run.ending, propositions: Vec::new() };
    if let Ending::Loop { start } = run.ending
        && (start >= run.steps.len()
            || execution.before(start) != execution.before(run.steps.len()))
    {
        return Err("its loop is not closed".to_owned());
    }
    Ok(execution)
}
