//! The smaller model that a check explores, and the way back to the given one.

use lariat_model::interp::Move;
use lariat_model::ir::{ExprId, Model};
use lariat_model::shortcuts::{Lost, Shortcuts, apply, retrace};
use lariat_report::execution::Ending;

use crate::judge::Claimed;

/// The model with shortcuts; none if there are none to take. `visible` are the expressions
/// of the property.
pub fn shorter(model: &Model, visible: &[ExprId], which: Shortcuts) -> Option<Model> {
    if which == Shortcuts::NONE {
        return None;
    }
    let mut shorter = model.clone();
    apply(&mut shorter, visible, which);
    Some(shorter)
}

/// A run of the model with shortcuts as a run of the model as it was given.
pub fn on_given(given: &Model, run: &Claimed) -> Result<Claimed, Lost> {
    let moves = |steps: &[Vec<Move>]| -> Vec<Move> { steps.iter().flatten().copied().collect() };
    let (prefix, cycle) = match run.ending {
        Ending::Loop { start } => (&run.steps[..start], Some(moves(&run.steps[start..]))),
        Ending::Error | Ending::Rest | Ending::Decided { .. } | Ending::Open => {
            (&run.steps[..], None)
        }
    };
    if run.steps.is_empty() {
        return Ok(run.clone());
    }
    let found = retrace(given, &moves(prefix), cycle.as_deref())?;
    let ending = found.loop_start.map_or(run.ending, |start| Ending::Loop { start });
    Ok(Claimed { steps: found.steps, ending })
}
