//! The property of a saved run, made again from what the file says about it.

use lariat_automata::hoa::Reader;
use lariat_model::ir::{Expr, ExprId, Model};
use lariat_search::safety::Condition;
use lariat_verify::judge::{Criterion, Ends};
use lariat_verify::property::automaton::{claim, from_file};
use lariat_verify::property::fair::Fair;
use lariat_verify::property::formula::{Mode, Origin, Property, about_labels, property};
use lariat_verify::{Error, Kind, Loaded};

use crate::commands::check::Finite;
use crate::saved::{SavedError, SavedOptions, SavedRun, TemporalOptions};

pub(crate) fn restore(loaded: &mut Loaded, run: &SavedRun) -> Result<Property, String> {
    let mode = match run.kind {
        Kind::Ltl => Mode::Always,
        Kind::Exists => Mode::Exists,
        Kind::Never => return restore_claim(loaded.model(), run),
        Kind::Acceptance => return labels(Origin::Acceptance, loaded.add(Expr::AtAccept)),
        Kind::NonProgress => return labels(Origin::NonProgress, loaded.add(Expr::NonProgress)),
        Kind::Automaton => {
            let text = temporal(run)?.automaton.as_ref().ok_or("there is no automaton")?;
            let read = Reader::new(text, "automaton").next();
            let automaton = read.and_then(Result::ok).ok_or("the automaton cannot be read")?;
            let bind = &mut |text: &str| bind(loaded, run, text);
            return from_file(&run.property, automaton, bind).map_err(|error| error.to_string());
        }
        Kind::Safety | Kind::Invariant | Kind::Reach | Kind::States => {
            return Err(format!("`kind` {} has no run that goes on for ever", run.kind.name()));
        }
    };
    let text = run.text.as_ref().ok_or("there is no formula")?;
    let dialect = loaded.dialect();
    let mut bind = |text: &str| bind(loaded, run, text);
    let read = property(&run.property, text, mode, dialect, &mut bind);
    read.map(|(property, _)| property).map_err(|error| error.to_string())
}

fn labels(origin: Origin, proposition: ExprId) -> Result<Property, String> {
    about_labels(origin, proposition).map_err(|error| error.to_string())
}

/// What is said about the end of a finite run.
pub(crate) fn restore_error(
    loaded: &mut Loaded,
    run: &SavedRun,
    error: &SavedError,
) -> Result<Criterion<'static>, String> {
    Ok(Criterion::Ends(match (error.kind.as_str(), &error.condition) {
        ("invalid-end-state", _) => Ends::InvalidEnd {
            empty_channels: matches!(&run.options, SavedOptions::Safety(safety) if safety.empty_channels),
        },
        (kind @ ("invariant" | "reached"), Some(text)) => {
            let expr = loaded
                .expression("condition", text)
                .map_err(|_| format!("`{text}` is no expression of the model"))?;
            Ends::Condition(Condition { expr, wanted: kind == "invariant" })
        }
        (kind, _) => Ends::FaultNamed(kind.to_owned()),
    }))
}

/// A claim is known by the file that it comes from, by its name if there are several in the
/// model, or as `never`.
fn restore_claim(model: &Model, run: &SavedRun) -> Result<Property, String> {
    let home = |id| {
        let file = model.sources.file_at(model.proctype(id).span.lo);
        file.map(|file| model.sources.file_name(file).to_string())
    };
    let is_it = |&&id: &&_| {
        home(id).as_ref() == Some(&run.property) || model.proctype(id).name == run.property
    };
    let by_name = model.claims.iter().find(is_it).or_else(|| model.claims.first());
    let id = *by_name.ok_or("the model has no never claim")?;
    claim(model, id, &run.property).map_err(|_| "the claim is no automaton".to_owned())
}

/// A proposition as an expression of the model, by `--bind` or by its own text.
fn bind(loaded: &mut Loaded, run: &SavedRun, proposition: &str) -> Result<ExprId, Error> {
    let bindings = &temporal(run)?.bind;
    let mut bindings = bindings.iter().filter_map(|text| text.split_once('='));
    let bound = bindings.find(|(name, _)| name.trim() == proposition);
    let text = bound.map_or(proposition, |(_, text)| text.trim());
    loaded
        .expression(&run.property, text)
        .map_err(|_| Error::Refused(format!("`{text}` is no proposition of the model")))
}

/// To whom the run must be fair.
pub(crate) fn restore_fair(model: &Model, run: &SavedRun) -> Result<Option<Fair>, String> {
    let TemporalOptions { fair, fair_processes, .. } = temporal(run)?;
    fair.map(|fair| Fair::new(model, fair.fairness(), fair_processes)).transpose()
}

/// Whether a run that comes to rest counts.
pub(crate) fn restore_may_rest(property: &Property, run: &SavedRun) -> Result<bool, String> {
    let given = temporal(run)?.finite_runs;
    Ok(given.map_or(property.origin != Origin::NonProgress, |given| given == Finite::Stutter))
}

fn temporal(run: &SavedRun) -> Result<&TemporalOptions, String> {
    match &run.options {
        SavedOptions::Temporal(options) => Ok(options),
        _ => Err("`options` are not those of a temporal property".to_owned()),
    }
}
