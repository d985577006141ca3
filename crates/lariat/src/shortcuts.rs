//! Which shortcuts a check may take, and the smaller model that it explores then.

use clap::ValueEnum;
use lariat_model::explore::{ErrorTrace, TraceStep};
use lariat_model::interp::Move;
use lariat_model::ir::{ExprId, Model};
use lariat_model::shortcuts::{Shortcuts, apply, retrace};

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Allowed {
    /// Shortcuts that make fewer states and keep every verdict
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
    /// Constants are computed once
    Fold,
    /// What no guard, message or property depends on is not computed. Not by default: a
    /// counter that nobody reads is surprising to lose
    Slice,
    /// Local variables that are not read any more are 0
    Dead,
    /// A process goes on at once after a local step
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

/// An error of the model with shortcuts as an execution of the model as it was given. If it
/// is none, which would be an error of a shortcut, an empty one: the replay will say so.
pub(crate) fn on_given(given: &Model, trace: &ErrorTrace) -> ErrorTrace {
    let moves: Vec<Move> = trace.steps.iter().flat_map(|step| &step.moves).copied().collect();
    let Some(found) = retrace(given, &moves, None) else {
        return ErrorTrace { error: trace.error, initial: Vec::new(), steps: Vec::new() };
    };
    let mut steps: Vec<TraceStep> = found
        .steps
        .into_iter()
        .map(|step| TraceStep { moves: step.moves, state: Some(step.state.0) })
        .collect();
    if !found.rest.is_empty() {
        steps.push(TraceStep { moves: found.rest, state: None });
    }
    ErrorTrace { error: trace.error, initial: found.initial.0, steps }
}
