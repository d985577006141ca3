//! The property of a saved run, made again from what the file says about it.

use lariat_automata::hoa::Reader;
use lariat_model::explore::Condition;
use lariat_model::interp::Fairness;
use lariat_model::ir::{Expr, ExprId, Model};
use lariat_verify::judge::{Criterion, Ends};
use lariat_verify::property::automaton::{claim, from_file};
use lariat_verify::property::fair::Fair;
use lariat_verify::property::formula::{Mode, Origin, Property, about_labels, property};
use lariat_verify::{Error, Kind, Loaded};
use serde_json::Value;

use crate::saved::{SavedError, SavedRun};

pub(crate) fn restore(loaded: &mut Loaded, run: &SavedRun) -> Result<Property, String> {
    let mode = match run.kind {
        Kind::Ltl => Mode::Always,
        Kind::Exists => Mode::Exists,
        Kind::Never => return restore_claim(loaded.model(), run),
        Kind::Acceptance => return labels(Origin::Acceptance, loaded.add(Expr::AtAccept)),
        Kind::NonProgress => return labels(Origin::NonProgress, loaded.add(Expr::NonProgress)),
        Kind::Automaton => {
            let text = run.options["automaton"].as_str().ok_or("there is no automaton")?;
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
            empty_channels: run.options["empty_channels"].as_bool().unwrap_or(false),
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
    let bindings = run.options["bind"].as_array().into_iter().flatten();
    let mut bindings = bindings.filter_map(|text| text.as_str()?.split_once('='));
    let bound = bindings.find(|(name, _)| name.trim() == proposition);
    let text = bound.map_or(proposition, |(_, text)| text.trim());
    loaded
        .expression(&run.property, text)
        .map_err(|_| Error::Refused(format!("`{text}` is no proposition of the model")))
}

/// To whom the run must be fair.
pub(crate) fn restore_fair(model: &Model, options: &Value) -> Result<Option<Fair>, String> {
    let fairness = match options["fair"].as_str() {
        None => return Ok(None),
        Some("weak") => Fairness::Weak,
        Some("strong") => Fairness::Strong,
        Some("spin") => Fairness::Spin,
        Some(other) => return Err(format!("fairness {other} is unknown")),
    };
    let processes = options["fair_processes"].as_array().into_iter().flatten();
    let processes: Vec<String> =
        processes.filter_map(|name| name.as_str().map(str::to_owned)).collect();
    Fair::new(model, fairness, &processes).map(Some)
}

/// Whether a run that comes to rest counts.
pub(crate) fn restore_may_rest(property: &Property, options: &Value) -> bool {
    let given = options["finite_runs"].as_str();
    given.map_or(property.origin != Origin::NonProgress, |given| given == "stutter")
}
