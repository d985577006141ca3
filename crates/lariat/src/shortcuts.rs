//! Which shortcuts a check may take, and the smaller model that it explores then.

use clap::ValueEnum;
use lariat_model::interp::Move;
use lariat_model::ir::{ExprId, Model};
use lariat_model::shortcuts::{Lost, Shortcuts, apply, retrace};
use lariat_report::execution::Ending;

use crate::judge::Claimed;

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Allowed {
    /// Reductions of the state space that keep every verdict
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "fold,dead,merge",
        value_name = "LIST"
    )]
    shortcuts: Vec<Pass>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Pass {
    All,
    None,
    /// Compute constant expressions once
    Fold,
    /// Leave out what no guard, message or property depends on. Off by default, because it drops
    /// counters that nobody reads
    Slice,
    /// Set local variables to 0 when nobody reads them again
    Dead,
    /// Let a process continue at once after a local step
    Merge,
}

impl Allowed {
    pub(crate) fn which(&self) -> Shortcuts {
        let has = |pass| self.shortcuts.iter().any(|given| [pass, Pass::All].contains(given));
        match self.shortcuts.contains(&Pass::None) {
            true => Shortcuts::NONE,
            false => Shortcuts {
                fold: has(Pass::Fold),
                slice: has(Pass::Slice),
                dead_variables: has(Pass::Dead),
                merge: has(Pass::Merge),
            },
        }
    }
}

/// The model with shortcuts; none if there are none to take. `visible` are the expressions
/// of the property.
pub(crate) fn shorter(model: &Model, visible: &[ExprId], which: Shortcuts) -> Option<Model> {
    if which == Shortcuts::NONE {
        return None;
    }
    let mut shorter = model.clone();
    apply(&mut shorter, visible, which);
    Some(shorter)
}

/// A run of the model with shortcuts as a run of the model as it was given.
pub(crate) fn on_given(given: &Model, run: &Claimed) -> Result<Claimed, Lost> {
    let moves = |steps: &[Vec<Move>]| -> Vec<Move> { steps.iter().flatten().copied().collect() };
    let (prefix, cycle) = match run.ending {
        Ending::Loop { start } => (&run.steps[..start], Some(moves(&run.steps[start..]))),
        Ending::Error | Ending::Rest | Ending::Decided { .. } => (&run.steps[..], None),
    };
    if run.steps.is_empty() {
        return Ok(run.clone());
    }
    let found = retrace(given, &moves(prefix), cycle.as_deref())?;
    let ending = found.loop_start.map_or(run.ending, |start| Ending::Loop { start });
    Ok(Claimed { steps: found.steps, ending })
}
