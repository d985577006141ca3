//! Saved runs: `model.pml.lasso.json`. The format is documented in docs/lasso.md.
//!
//! A step is saved as the commands that were executed, not as states: whoever reads the file
//! must run the model to see states, so a file cannot claim what the model does not do.

use std::path::{Path, PathBuf};

use lariat_model::interp::Move;
use lariat_model::ir::{CommandId, Model};
use lariat_report::execution::{Ending, Execution};
use serde_json::{Map, Value, json};

use lariat_verify::{Kind, Reading};

/// What the file is.
const FORMAT: &str = "lariat-lasso";
/// Grows when a key changes its meaning or goes.
const VERSION: u64 = 1;

/// A file of saved runs: all are of one model.
pub(crate) struct SavedRuns {
    pub(crate) model: PathBuf,
    pub(crate) fingerprint: String,
    pub(crate) reading: Reading,
    /// Files with never claims that were read with the model.
    pub(crate) claims: Vec<PathBuf>,
    pub(crate) runs: Vec<SavedRun>,
}

pub(crate) struct SavedRun {
    pub(crate) property: String,
    pub(crate) kind: Kind,
    /// The formula.
    pub(crate) text: Option<String>,
    /// The error at the end of a finite run.
    pub(crate) error: Option<SavedError>,
    pub(crate) ending: Ending,
    pub(crate) steps: Vec<Vec<Move>>,
    /// The statement of each command, when the file is read.
    pub(crate) statements: Vec<(CommandId, String)>,
    /// How the property was checked, where replay must know it.
    pub(crate) options: Value,
}

/// What the last state or step of a finite run is claimed to be.
pub(crate) struct SavedError {
    pub(crate) kind: String,
    /// The condition that is not met, if it is one of the command line.
    pub(crate) condition: Option<String>,
}

/// One run as JSON. What the commands are is there for people, and to notice if another
/// lariat numbers them otherwise.
pub(crate) fn run_to_json(model: &Model, run: &SavedRun, execution: &Execution) -> Value {
    let (ending, start) = match run.ending {
        Ending::Error => ("error", None),
        // A decided run is saved as the lasso that it comes from: that is what is judged.
        Ending::Rest | Ending::Decided { .. } => ("rest", None),
        Ending::Loop { start } => ("loop", Some(start)),
    };
    let step = |moves: &Vec<Move>| {
        let moves = moves.iter().map(|step| json!([step.pid, step.command.0]));
        Value::Array(moves.collect())
    };
    let mut commands = Map::new();
    for step in run.steps.iter().flatten() {
        commands.entry(step.command.0.to_string()).or_insert_with(|| {
            let command = model.command(step.command);
            let span = model.sources.outside_macros(command.span);
            let place = model.sources.location(span).filter(|_| !span.is_nowhere());
            json!({
                "file": place.as_ref().map(|place| &*place.file),
                "line": place.as_ref().map(|place| place.line),
                "statement": command.text,
            })
        });
    }
    let propositions = execution.propositions.iter().map(|proposition| {
        let bits = proposition.truth.iter().map(|&holds| if holds { '1' } else { '0' });
        json!({ "name": proposition.name, "truth": bits.collect::<String>() })
    });
    json!({
        "property": run.property,
        "kind": run.kind.name(),
        "formula": run.text,
        "options": run.options,
        "error": run.error.as_ref().map(|error| json!({
            "kind": error.kind,
            "condition": error.condition,
        })),
        "ending": ending,
        "loop_start": start,
        "steps": run.steps.iter().map(step).collect::<Vec<_>>(),
        "commands": commands,
        "propositions": propositions.collect::<Vec<_>>(),
    })
}

/// The whole file.
pub(crate) fn document(
    file: &Path,
    path: &Path,
    fingerprint: &str,
    reading: &Reading,
    claims: &[PathBuf],
    runs: &[Value],
) -> Value {
    let seen = |path: &Path| seen_from(file, path);
    let claims: Vec<PathBuf> = claims.iter().map(|claim| seen(claim)).collect();
    json!({
        "format": FORMAT,
        "version": VERSION,
        "lariat": env!("CARGO_PKG_VERSION"),
        "model": {
            "path": seen(path),
            "sha256": fingerprint,
            "options": reading_to_json(&reading.map_directories(seen)),
            "claims": claims,
        },
        "runs": runs,
    })
}

/// A path as it must stand in `file`, so that it is found from any directory: relative to where
/// the file is, or absolute.
fn seen_from(file: &Path, path: &Path) -> PathBuf {
    let is_here = file.parent().is_none_or(|home| home == Path::new(""));
    match is_here {
        true => path.to_path_buf(),
        false => std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()),
    }
}

impl SavedRuns {
    /// Reads a file; its paths are relative to where it is. Errors are sentences.
    pub(crate) fn read(path: &Path) -> Result<SavedRuns, String> {
        let (name, text) = crate::input::read(path)?;
        let value: Value =
            serde_json::from_str(&text).map_err(|error| format!("{name}: not JSON: {error}"))?;
        if value["format"] != FORMAT {
            return Err(format!("{name}: not a saved run: `format` is not {FORMAT:?}"));
        }
        if value["version"] != VERSION {
            return Err(format!(
                "{name}: version {} of the format; this lariat reads version {VERSION}",
                value["version"]
            ));
        }
        let found = SavedRuns::from_json(&value);
        let found = found.map_err(|key| format!("{name}: `{key}` is missing or wrong"))?;
        let here = |from: &Path| path.parent().map_or(from.to_path_buf(), |home| home.join(from));
        Ok(SavedRuns {
            model: here(&found.model),
            claims: found.claims.iter().map(|claim| here(claim)).collect(),
            reading: found.reading.map_directories(here),
            ..found
        })
    }

    fn from_json(value: &Value) -> Result<SavedRuns, &'static str> {
        let model = &value["model"];
        let runs = value["runs"].as_array().ok_or("runs")?.iter();
        Ok(SavedRuns {
            model: PathBuf::from(model["path"].as_str().ok_or("model.path")?),
            fingerprint: model["sha256"].as_str().ok_or("model.sha256")?.to_owned(),
            reading: reading_from_json(&model["options"]).ok_or("model.options")?,
            claims: paths(&model["claims"]).ok_or("model.claims")?,
            runs: runs.map(SavedRun::from_json).collect::<Result<_, _>>()?,
        })
    }
}

impl SavedRun {
    fn from_json(value: &Value) -> Result<SavedRun, &'static str> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let steps: Vec<Vec<Move>> = value["steps"]
            .as_array()
            .ok_or("steps")?
            .iter()
            .map(|step| step.as_array()?.iter().map(saved_move).collect())
            .collect::<Option<_>>()
            .ok_or("steps")?;
        let start = value["loop_start"].as_u64().and_then(|start| usize::try_from(start).ok());
        let ending = match (value["ending"].as_str(), start) {
            (Some("error"), _) => Ending::Error,
            (Some("rest"), _) => Ending::Rest,
            (Some("loop"), Some(start)) if start < steps.len() => Ending::Loop { start },
            (Some("loop"), _) => return Err("loop_start"),
            _ => return Err("ending"),
        };
        let error = match &value["error"] {
            Value::Null => None,
            error => Some(SavedError {
                kind: text(&error["kind"]).ok_or("error.kind")?,
                condition: text(&error["condition"]),
            }),
        };
        Ok(SavedRun {
            property: text(&value["property"]).ok_or("property")?,
            kind: value["kind"].as_str().and_then(Kind::named).ok_or("kind")?,
            text: text(&value["formula"]),
            error,
            ending,
            steps,
            statements: statements(&value["commands"]).ok_or("commands")?,
            options: value["options"].clone(),
        })
    }
}

/// How to read the model once more.
pub(crate) fn reading_to_json(reading: &Reading) -> Value {
    json!({
        "defines": reading.defines,
        "include_dirs": reading.include_dirs,
        "lose_messages": reading.lose_messages,
        "ignore_priorities": reading.ignore_priorities,
        "control_points": reading.control_points,
    })
}

/// None if this is not what [`reading_to_json`] makes.
fn reading_from_json(value: &Value) -> Option<Reading> {
    let texts = |key: &str| -> Option<Vec<String>> {
        let list = value[key].as_array()?.iter();
        list.map(|text| text.as_str().map(str::to_owned)).collect()
    };
    Some(Reading {
        defines: texts("defines")?,
        include_dirs: paths(&value["include_dirs"])?,
        lose_messages: value["lose_messages"].as_bool()?,
        ignore_priorities: value["ignore_priorities"].as_bool()?,
        all_warnings: false,
        // Files of earlier versions have none.
        control_points: texts("control_points").unwrap_or_default(),
    })
}

fn paths(value: &Value) -> Option<Vec<PathBuf>> {
    value.as_array()?.iter().map(|path| path.as_str().map(PathBuf::from)).collect()
}

fn saved_move(value: &Value) -> Option<Move> {
    let [pid, command] = value.as_array()?.as_slice() else { return None };
    let pid = u8::try_from(pid.as_u64()?).ok()?;
    let command = CommandId(u32::try_from(command.as_u64()?).ok()?);
    Some(Move { pid, command })
}

fn statements(value: &Value) -> Option<Vec<(CommandId, String)>> {
    let statement = |(id, command): (&String, &Value)| {
        Some((CommandId(id.parse().ok()?), command["statement"].as_str()?.to_owned()))
    };
    value.as_object()?.iter().map(statement).collect()
}
