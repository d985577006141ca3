//! Saved runs: `model.pml.lasso.json`. The format is documented in docs/lasso.md.
//!
//! A step is saved as the commands that were executed, not as states: whoever reads the file
//! must run the model to see states, so a file cannot claim what the model does not do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lariat_model::interp::Move;
use lariat_model::ir::{CommandId, Model};
use lariat_report::execution::{Ending, Execution};
use lariat_verify::judge::Claimed;
use lariat_verify::{Kind, Reading};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::commands::check::{FairKind, Finite};

/// What the file is.
const FORMAT: &str = "lariat-lasso";
/// Grows when a key changes its meaning or goes.
const VERSION: u64 = 1;

/// A file of saved runs: all are of one model.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedRuns {
    format: String,
    version: u64,
    /// The version that wrote it.
    lariat: String,
    pub(crate) model: SavedModel,
    pub(crate) runs: Vec<SavedRun>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedModel {
    pub(crate) path: PathBuf,
    pub(crate) sha256: String,
    pub(crate) options: Reading,
    /// Files with never claims that were read with the model.
    pub(crate) claims: Vec<PathBuf>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedRun {
    pub(crate) property: String,
    pub(crate) kind: Kind,
    #[serde(rename = "formula")]
    pub(crate) text: Option<String>,
    /// How the property was checked, where replay must know it.
    pub(crate) options: SavedOptions,
    /// The error at the end of a finite run.
    pub(crate) error: Option<SavedError>,
    #[serde(flatten)]
    pub(crate) run: SavedSteps,
    /// What the commands are: for people, and to notice if another lariat numbers them otherwise.
    pub(crate) commands: BTreeMap<String, SavedCommand>,
    #[serde(default)]
    propositions: Vec<SavedProposition>,
}

/// How a property was checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum SavedOptions {
    Condition(ConditionOptions),
    Temporal(TemporalOptions),
    Safety(SafetyOptions),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConditionOptions {
    pub(crate) condition: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TemporalOptions {
    pub(crate) fair: Option<FairKind>,
    pub(crate) fair_processes: Vec<String>,
    pub(crate) finite_runs: Option<Finite>,
    pub(crate) bind: Vec<String>,
    /// As text in the HOA format.
    pub(crate) automaton: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SafetyOptions {
    pub(crate) no_deadlock: bool,
    pub(crate) deadlock: bool,
    pub(crate) no_assert: bool,
    pub(crate) empty_channels: bool,
}

/// What the last state or step of a finite run is claimed to be.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedError {
    pub(crate) kind: String,
    /// The condition that is not met, if it is one of the command line.
    pub(crate) condition: Option<String>,
}

/// The commands of a run, and its end.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedSteps {
    ending: SavedEnding,
    loop_start: Option<usize>,
    steps: Vec<Vec<(u8, u32)>>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SavedEnding {
    Error,
    Rest,
    Loop,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedCommand {
    file: Option<String>,
    line: Option<usize>,
    pub(crate) statement: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct SavedProposition {
    name: String,
    /// 0 or 1 for each state.
    truth: String,
}

impl SavedSteps {
    pub(crate) fn new<'a>(steps: impl Iterator<Item = &'a Vec<Move>>, ending: Ending) -> Self {
        let (ending, loop_start) = match ending {
            Ending::Error => (SavedEnding::Error, None),
            // A decided run is saved as the lasso that it comes from: that is what is judged.
            Ending::Rest | Ending::Decided { .. } => (SavedEnding::Rest, None),
            Ending::Loop { start } => (SavedEnding::Loop, Some(start)),
        };
        let step =
            |moves: &Vec<Move>| moves.iter().map(|step| (step.pid, step.command.0)).collect();
        SavedSteps { ending, loop_start, steps: steps.map(step).collect() }
    }

    /// The run as the file claims it to be.
    pub(crate) fn claimed(&self) -> Result<Claimed, String> {
        let step = |moves: &Vec<(u8, u32)>| {
            let moves = moves.iter();
            moves.map(|&(pid, command)| Move { pid, command: CommandId(command) }).collect()
        };
        let ending = match (self.ending, self.loop_start) {
            (SavedEnding::Error, _) => Ending::Error,
            (SavedEnding::Rest, _) => Ending::Rest,
            (SavedEnding::Loop, Some(start)) if start < self.steps.len() => Ending::Loop { start },
            (SavedEnding::Loop, _) => return Err("`loop_start` is missing or wrong".to_owned()),
        };
        Ok(Claimed { steps: self.steps.iter().map(step).collect(), ending })
    }
}

impl SavedRun {
    /// `execution` is all of the run that was judged.
    pub(crate) fn new(
        model: &Model,
        property: &str,
        kind: Kind,
        text: Option<String>,
        error: Option<SavedError>,
        options: SavedOptions,
        execution: &Execution,
    ) -> SavedRun {
        let mut commands = BTreeMap::new();
        for step in execution.steps.iter().flat_map(|step| &step.moves) {
            commands.entry(step.command.0.to_string()).or_insert_with(|| {
                let command = model.command(step.command);
                let span = model.sources.outside_macros(command.span);
                let place = model.sources.location(span).filter(|_| !span.is_nowhere());
                SavedCommand {
                    file: place.as_ref().map(|place| place.file.to_string()),
                    line: place.as_ref().map(|place| place.line as usize),
                    statement: command.text.clone(),
                }
            });
        }
        let propositions = execution.propositions.iter().map(|proposition| SavedProposition {
            name: proposition.name.clone(),
            truth: proposition.truth.iter().map(|&is| if is { '1' } else { '0' }).collect(),
        });
        let steps = execution.steps.iter().map(|step| &step.moves);
        SavedRun {
            property: property.to_owned(),
            kind,
            text,
            options,
            error,
            run: SavedSteps::new(steps, execution.ending),
            commands,
            propositions: propositions.collect(),
        }
    }
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

impl SavedModel {
    /// The same with other paths.
    fn map_paths(&self, to: impl Fn(&Path) -> PathBuf) -> SavedModel {
        SavedModel {
            path: to(&self.path),
            sha256: self.sha256.clone(),
            options: self.options.map_directories(&to),
            claims: self.claims.iter().map(|claim| to(claim)).collect(),
        }
    }
}

impl SavedRuns {
    /// Writes a file.
    pub(crate) fn write(file: &Path, model: &SavedModel, runs: &[SavedRun]) -> std::io::Result<()> {
        let document = SavedRuns {
            format: FORMAT.to_owned(),
            version: VERSION,
            lariat: env!("CARGO_PKG_VERSION").to_owned(),
            model: model.map_paths(|path| seen_from(file, path)),
            runs: runs.to_vec(),
        };
        // Sorted by key.
        let document = serde_json::to_value(document)?;
        std::fs::write(file, format!("{document}\n"))
    }

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
        let found: SavedRuns =
            serde_json::from_value(value).map_err(|error| format!("{name}: {error}"))?;
        let here = |from: &Path| path.parent().map_or(from.to_path_buf(), |home| home.join(from));
        Ok(SavedRuns { model: found.model.map_paths(here), ..found })
    }
}
