//! A finite run: does it still end in the error?

use lariat_model::explore::{Condition, ErrorKind, ErrorTrace, TraceStep};
use lariat_model::interp::{Expansion, Fault, FaultAt, Interp, Move};
use lariat_report::execution::{Ending, Execution, State, Step};
use lariat_report::replay::{self, retrace};

use crate::model::Loaded;
use crate::saved::{SavedError, SavedRun};

pub(super) fn verify(
    loaded: &mut Loaded,
    run: &SavedRun,
    error: &SavedError,
) -> Result<Execution, String> {
    if run.ending != Ending::Error {
        return Err("a run with an error ends there".to_owned());
    }
    let (initial, mut steps) =
        retrace(loaded.model(), &run.steps).map_err(|error| error.to_string())?;
    let kind = kind(loaded, error, &initial, &mut steps)?;
    let steps = steps
        .into_iter()
        .map(|step| TraceStep { moves: step.moves, state: step.state.map(|(state, _)| state) });
    let trace = ErrorTrace { error: kind, initial: initial.0, steps: steps.collect() };
    replay::verify(loaded.model(), &trace).map_err(|error| error.to_string())
}

/// The error that the file names, as one of this run. If a step is at fault, it is the last.
fn kind(
    loaded: &mut Loaded,
    error: &SavedError,
    initial: &State,
    steps: &mut [Step],
) -> Result<ErrorKind, String> {
    match (error.kind.as_str(), &error.condition) {
        ("invalid-end-state", _) => Ok(ErrorKind::InvalidEndState),
        (kind @ ("invariant" | "reached"), Some(text)) => {
            let expr = loaded
                .expression("condition", text)
                .map_err(|_| format!("`{text}` is no expression of the model"))?;
            Ok(ErrorKind::Condition(Condition { expr, wanted: kind == "invariant" }))
        }
        (kind, _) => {
            // A violated assertion leaves a state behind, other faults do not.
            if let Some((last, before)) = steps.split_last_mut()
                && let Some(fault) = fault(loaded, kind, initial, before, &last.moves)
            {
                last.state = None;
                return Ok(ErrorKind::Fault(fault));
            }
            let found = fault(loaded, kind, initial, steps, &[]);
            let fault =
                found.ok_or_else(|| format!("there is no error of kind {kind} at its end"))?;
            Ok(ErrorKind::Fault(fault))
        }
    }
}

/// A fault behind `steps`: on the way of `moves`, or of the state itself if there are none.
fn fault(
    loaded: &Loaded,
    kind: &str,
    initial: &State,
    steps: &[Step],
    moves: &[Move],
) -> Option<Fault> {
    let mut interp = Interp::new(loaded.model());
    let is_kind = |fault: &Fault| fault.kind.name() == kind;
    if initial.0.is_empty() {
        return interp.initial().err()?.into_iter().find(is_kind);
    }
    let mut states = steps.iter().rev().filter_map(|step| step.state.as_ref());
    let (state, hidden) = states.next().unwrap_or(initial);
    let mut expansion = Expansion::new();
    interp.successors(state, hidden, &mut expansion);
    let mut faults = expansion.faults().iter();
    let is_it = |at: &&FaultAt| is_kind(&at.fault) && expansion.fault_moves(at) == moves;
    faults.find(is_it).map(|located| located.fault)
}
