//! Runs that were found or saved: judged again before anybody sees them.

use lariat_model::interp;
use lariat_model::ir::CommandId;
use lariat_report::execution::{Ending, Execution, Step as Executed};
use lariat_verify::Kind;
use lariat_verify::saved::{
    SafetyOptions, SavedModel, SavedOptions, SavedRun, SavedRuns, check_statements, confirm,
};
use serde_json::Value;

use super::steps::{bytes, moves};
use super::{Bytes, Given, shown};
use crate::subject::{Fault, Finish, Judged, Question, State, Step};

/// Executes a run and asks the judge. An error is a sentence.
pub(super) fn judged(given: &Given, value: &Value) -> Result<Judged, String> {
    let saved: SavedRun = serde_json::from_value(value.clone()).map_err(|e| e.to_string())?;
    check_statements(given.model(), &saved)?;
    let mut loaded = given.loaded.clone();
    let confirmed = confirm(&mut loaded, &saved)?;
    if let Some(label) = loaded.asked_labels().first() {
        return Err(format!("`{label}` is no control point here"));
    }
    let run: &Execution = &confirmed;
    let finish = match run.ending {
        Ending::Error => Finish::Error,
        Ending::Loop { start } => Finish::Loop(start),
        Ending::Rest => Finish::Rest,
        Ending::Decided { holds } => Finish::Decided { holds },
        Ending::Open => Finish::Open,
    };
    let steps = run.steps.iter();
    let steps = steps.map(|step| {
        let state = step.state.clone().map(shown);
        Step { moves: moves(&step.moves), state }
    });
    let error = saved.error.as_ref().map(|error| {
        let last = run.steps.last().and_then(|step| step.moves.last());
        let place = last.filter(|_| run.steps.last().is_some_and(|step| step.state.is_none()));
        let condition = error.condition.as_deref();
        let condition = condition.map_or(String::new(), |text| format!(": {text}"));
        Fault {
            kind: error.kind.clone(),
            message: error.kind.replace('-', " ") + &condition,
            place: place.and_then(|last| {
                given.files.place(&given.model().sources, given.model().command(last.command).span)
            }),
        }
    });
    Ok(Judged {
        title: title(&saved),
        question: asked(given, &saved),
        initial: shown(run.initial.clone()),
        steps: steps.collect(),
        finish,
        from: match &saved.options {
            SavedOptions::Temporal(options) => options.from,
            _ => 0,
        },
        by: confirmed.by().iter().map(|&by| by.to_owned()).collect(),
        is_claimed: saved.kind != Kind::Run,
        error,
    })
}

fn title(saved: &SavedRun) -> String {
    match saved.kind {
        Kind::Run => "a run of the model".to_owned(),
        Kind::Exists | Kind::Reach => {
            format!("example: {}", saved.text.as_deref().unwrap_or(&saved.property))
        }
        Kind::Safety => {
            let error = saved.error.as_ref().map_or("error", |error| &error.kind);
            format!("counterexample: {}", error.replace('-', " "))
        }
        _ if saved.property == "formula" || saved.property.starts_with("--") => {
            format!("counterexample: {}", saved.text.as_deref().unwrap_or(&saved.property))
        }
        _ => format!("counterexample: {}", saved.property),
    }
}

/// The question whose waves are drawn along it; none if it has no propositions.
fn asked(given: &Given, saved: &SavedRun) -> Option<Question> {
    let is_own = given.model().ltl.iter().any(|block| block.name == saved.property);
    let (text, name) = (saved.text.clone(), Some(saved.property.clone()));
    let with = |kind: &str, text, name| Some(Question { kind: kind.to_owned(), text, name });
    match saved.kind {
        Kind::Ltl if is_own => with("named", None, name),
        Kind::Ltl => with("ltl", text, None),
        Kind::Exists => with("exists", text, None),
        Kind::Invariant => with("invariant", text, None),
        Kind::Reach => with("reach", text, None),
        Kind::Never => with("named", None, name),
        Kind::Acceptance => with("acceptance", None, None),
        Kind::NonProgress => with("non-progress", None, None),
        Kind::Safety | Kind::States | Kind::Automaton | Kind::Run => None,
    }
}

/// A run that was played, as it is saved: nothing is claimed about it.
pub(super) fn played(
    given: &Given,
    initial: &State,
    steps: &[std::sync::Arc<Step>],
    finish: Finish,
) -> Value {
    let step = |step: &std::sync::Arc<Step>| {
        let moves = step.moves.iter();
        let moves = moves.map(|&(pid, command)| interp::Move { pid, command: CommandId(command) });
        Executed { moves: moves.collect(), state: bytes(step) }
    };
    // An assertion that fails leaves a state, of which nothing is said.
    let mut steps: Vec<Executed> = steps.iter().map(step).collect();
    let ending = match finish {
        Finish::Open | Finish::Decided { .. } => Ending::Open,
        Finish::Loop(start) => Ending::Loop { start },
        Finish::Rest => Ending::Rest,
        Finish::Error => {
            if let Some(last) = steps.last_mut() {
                last.state = None;
            }
            Ending::Error
        }
    };
    let run = Execution {
        initial: initial.of::<Bytes>().clone(),
        steps,
        ending,
        propositions: Vec::new(),
    };
    let options = SavedOptions::Safety(SafetyOptions::default());
    let saved = SavedRun::new(given.model(), "run", Kind::Run, None, None, options, &run);
    serde_json::to_value(saved).unwrap_or(Value::Null)
}

/// The document of one run.
pub(super) fn document(given: &Given, run: &Value) -> Result<Value, String> {
    let run: SavedRun = serde_json::from_value(run.clone()).map_err(|error| error.to_string())?;
    let path = std::path::absolute(&given.path).unwrap_or_else(|_| given.path.clone());
    let absolute =
        |path: &std::path::Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let model = SavedModel {
        path,
        sha256: given.fingerprint.clone(),
        options: given.reading.map_directories(absolute),
        claims: Vec::new(),
    };
    SavedRuns::document(&model, &[run]).map_err(|error| error.to_string())
}

/// The runs of a document; they must be of this model. Paths in it are not looked at.
pub(super) fn runs(given: &Given, document: Value) -> Result<Vec<Value>, String> {
    let saved = SavedRuns::parse("the file", document)?;
    if saved.model.sha256 != given.fingerprint {
        return Err("the file is of another model, or the model has changed since".to_owned());
    }
    let runs = saved.runs.into_iter().map(serde_json::to_value);
    runs.collect::<Result<_, _>>().map_err(|error| error.to_string())
}
