//! An infinite run: is it one, and does the property still refuse (or want) it?

use lariat_model::interp::{Expansion, Interp};
use lariat_report::execution::{Ending, Execution};
use lariat_report::replay::retrace;

use crate::model::Loaded;
use crate::property::judge::{is_fair, judge};
use crate::property::spec;
use crate::saved::SavedRun;

pub(super) fn verify(loaded: &mut Loaded, run: &SavedRun) -> Result<Execution, String> {
    let (initial, steps) =
        retrace(loaded.model(), &run.steps).map_err(|error| error.to_string())?;
    let mut execution = Execution { initial, steps, ending: run.ending, propositions: Vec::new() };
    if execution.initial.0.is_empty() || execution.steps.iter().any(|step| step.state.is_none()) {
        return Err("it ends in a fault".to_owned());
    }
    let last = execution.before(execution.steps.len());
    match run.ending {
        Ending::Error => return Err("it has no end".to_owned()),
        Ending::Loop { start } if execution.before(start) != last => {
            return Err("its loop is not closed".to_owned());
        }
        Ending::Loop { .. } => {}
        Ending::Rest => {
            let mut expansion = Expansion::new();
            Interp::new(loaded.model()).successors(&last.0, &last.1, &mut expansion);
            if expansion.len() > 0 {
                return Err("a process can still move at its end".to_owned());
            }
        }
    }
    let property = spec::restore(loaded, run)?;
    if let Some(fair) = spec::restore_fair(loaded.model(), &run.options)? {
        is_fair(loaded.model(), &fair, &execution)?;
    }
    execution.propositions = judge(loaded.model(), &property, &execution)?;
    Ok(execution)
}
