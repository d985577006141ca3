//! The property of a saved run, made again from what the file says about it.

use lariat_automata::hoa::Reader;
use lariat_model::ir::{Expr, ExprId, Model};
use lariat_search::safety::Condition;

use super::{SavedCommand, SavedError, SavedFinite, SavedOptions, SavedRun, TemporalOptions};
use crate::answer::Kind;
use crate::error::Error;
use crate::judge::{Confirmed, Criterion, Ends, judge};
use crate::model::Loaded;
use crate::property::automaton::{claim, from_file};
use crate::property::fair::Fair;
use crate::property::formula::{Mode, Origin, Property, about_labels, property};

/// Another lariat may number commands otherwise.
pub fn check_statements(model: &Model, run: &SavedRun) -> Result<(), String> {
    for (id, SavedCommand { statement, .. }) in &run.commands {
        let known = id.parse().ok().and_then(|id: usize| model.commands.get(id));
        if known.map(|command| &command.text) != Some(statement) {
            return Err(format!(
                "`{statement}` has another number now: the file was written by another version of lariat"
            ));
        }
    }
    Ok(())
}

/// What the judge says about the run today. An error is a sentence.
pub fn confirm(loaded: &mut Loaded, run: &SavedRun) -> Result<Confirmed, String> {
    let wrong = |what: String| format!("the run of {} is wrong: {what}", run.property);
    let claimed = run.run.claimed()?;
    let known = loaded.model().commands.len();
    let is_known = |step: &lariat_model::interp::Move| (step.command.0 as usize) < known;
    if !claimed.steps.iter().flatten().all(is_known) {
        return Err(wrong("it has a command that the model has not".to_owned()));
    }
    let confirmed = match &run.error {
        _ if run.kind == Kind::Run => judge(loaded.model(), &Criterion::Possible, &claimed),
        Some(error) => {
            let criterion = restore_error(loaded, run, error)?;
            judge(loaded.model(), &criterion, &claimed)
        }
        None => {
            let property = restore(loaded, run)?;
            let fair = restore_fair(loaded.model(), run)?;
            let may_rest = restore_may_rest(&property, run)?;
            let from = temporal(run)?.from;
            let criterion = property.criterion_from(fair.as_ref(), may_rest, from);
            let judged = judge(loaded.model(), &criterion, &claimed);
            match from {
                0 => judged.map(|run| run.up_to_decision(&property)),
                _ => judged,
            }
        }
    };
    confirmed.map_err(wrong)
}

fn restore(loaded: &mut Loaded, run: &SavedRun) -> Result<Property, String> {
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
        Kind::Safety | Kind::Invariant | Kind::Reach | Kind::States | Kind::Run => {
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
fn restore_error(
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
fn restore_fair(model: &Model, run: &SavedRun) -> Result<Option<Fair>, String> {
    let TemporalOptions { fair, fair_processes, .. } = temporal(run)?;
    fair.map(|fair| Fair::new(model, fair.fairness(), fair_processes)).transpose()
}

/// Whether a run that comes to rest counts.
fn restore_may_rest(property: &Property, run: &SavedRun) -> Result<bool, String> {
    let given = temporal(run)?.finite_runs;
    Ok(given.map_or(property.origin != Origin::NonProgress, |given| given == SavedFinite::Stutter))
}

fn temporal(run: &SavedRun) -> Result<&TemporalOptions, String> {
    match &run.options {
        SavedOptions::Temporal(options) => Ok(options),
        _ => Err("`options` are not those of a temporal property".to_owned()),
    }
}
