//! Saved runs: `model.pml.lasso.json`. The format is documented in docs/lasso.md.
//!
//! A step is saved as the commands that were executed, not as states: whoever reads the file
//! must run the model to see states, so a file cannot claim what the model does not do.
//!
//! - `restore`: the property of a saved run made again, and the judge asked again

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lariat_model::interp::{Fairness, Move};
use lariat_model::ir::{CommandId, Model};
use lariat_report::execution::{Ending, Execution};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Kind;
use crate::judge::Claimed;
use crate::model::Reading;

mod restore;

pub use restore::{check_statements, confirm};

/// What the file is.
const FORMAT: &str = "lariat-lasso";
/// Grows when a key changes its meaning or goes.
const VERSION: u64 = 1;

/// A file of saved runs: all are of one model.
#[derive(Serialize, Deserialize)]
pub struct SavedRuns {
    format: String,
    version: u64,
    /// The version that wrote it.
    lariat: String,
    /// What they are runs of.
    pub model: SavedModel,
    /// In the order in which they were found.
    pub runs: Vec<SavedRun>,
}

/// A model, by its file and its fingerprint.
#[derive(Clone, Serialize, Deserialize)]
pub struct SavedModel {
    /// Its file.
    pub path: PathBuf,
    /// Its fingerprint.
    pub sha256: String,
    /// How it was read.
    pub options: Reading,
    /// Files with never claims that were read with the model.
    pub claims: Vec<PathBuf>,
}

/// A run.
#[derive(Clone, Serialize, Deserialize)]
pub struct SavedRun {
    /// The name of the property that it is about.
    pub property: String,
    /// What was asked.
    pub kind: Kind,
    /// The formula or condition.
    #[serde(rename = "formula")]
    pub text: Option<String>,
    /// How the property was checked, where replay must know it.
    pub options: SavedOptions,
    /// The error at the end of a finite run.
    pub error: Option<SavedError>,
    /// Its steps.
    #[serde(flatten)]
    pub run: SavedSteps,
    /// What the commands are: for people, and to notice if another lariat numbers them otherwise.
    pub commands: BTreeMap<String, SavedCommand>,
    #[serde(default)]
    propositions: Vec<SavedProposition>,
}

/// How a property was checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SavedOptions {
    /// A condition.
    Condition(ConditionOptions),
    /// A property of runs.
    Temporal(TemporalOptions),
    /// Errors of the language; all but these have a default.
    Safety(SafetyOptions),
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionOptions {
    /// As it was written.
    pub condition: String,
}

/// How a property of runs was checked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemporalOptions {
    /// Which runs count.
    pub fair: Option<SavedFairness>,
    /// To which types of processes they are fair.
    pub fair_processes: Vec<String>,
    /// What of runs that end.
    pub finite_runs: Option<SavedFinite>,
    /// `NAME=EXPR`, what propositions mean.
    pub bind: Vec<String>,
    /// As text in the HOA format.
    pub automaton: Option<String>,
    /// The property is asked behind so many steps.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub from: usize,
}

fn is_zero(steps: &usize) -> bool {
    *steps == 0
}

/// Which runs are fair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SavedFairness {
    /// To those who stay enabled.
    Weak,
    /// To those who are enabled again and again.
    Strong,
    /// As `pan -f`.
    Spin,
}

impl SavedFairness {
    /// As the interpreter knows it.
    pub fn fairness(self) -> Fairness {
        match self {
            SavedFairness::Weak => Fairness::Weak,
            SavedFairness::Strong => Fairness::Strong,
            SavedFairness::Spin => Fairness::Spin,
        }
    }
}

/// What of a run that cannot continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SavedFinite {
    /// It repeats its last state for ever.
    Stutter,
    /// It is not a run.
    Ignore,
}

/// What is an error, as [`crate::safety::Errors`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SafetyOptions {
    /// Promela: invalid end states are none.
    pub no_deadlock: bool,
    /// DVE: states without successors are.
    pub deadlock: bool,
    /// Assertions that fail are none.
    pub no_assert: bool,
    /// Promela: messages that are left over are.
    pub empty_channels: bool,
}

/// What the last state or step of a finite run is claimed to be.
#[derive(Clone, Serialize, Deserialize)]
pub struct SavedError {
    /// As in the JSON report.
    pub kind: String,
    /// The condition that is not met, if it is one of the command line.
    pub condition: Option<String>,
}

/// The commands of a run, and its end.
#[derive(Clone, Serialize, Deserialize)]
pub struct SavedSteps {
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
    Open,
}

/// A command, for people.
#[derive(Clone, Serialize, Deserialize)]
pub struct SavedCommand {
    file: Option<String>,
    line: Option<usize>,
    /// Its text.
    pub statement: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct SavedProposition {
    name: String,
    /// 0 or 1 for each state.
    truth: String,
}

impl SavedSteps {
    /// The commands of each step.
    pub fn new<'a>(steps: impl Iterator<Item = &'a Vec<Move>>, ending: Ending) -> Self {
        let (ending, loop_start) = match ending {
            Ending::Error => (SavedEnding::Error, None),
            // A decided run is saved as the lasso that it comes from: that is what is judged.
            Ending::Rest | Ending::Decided { .. } => (SavedEnding::Rest, None),
            Ending::Loop { start } => (SavedEnding::Loop, Some(start)),
            Ending::Open => (SavedEnding::Open, None),
        };
        let step =
            |moves: &Vec<Move>| moves.iter().map(|step| (step.pid, step.command.0)).collect();
        SavedSteps { ending, loop_start, steps: steps.map(step).collect() }
    }

    /// The run as the file claims it to be.
    pub fn claimed(&self) -> Result<Claimed, String> {
        let step = |moves: &Vec<(u8, u32)>| {
            let moves = moves.iter();
            moves.map(|&(pid, command)| Move { pid, command: CommandId(command) }).collect()
        };
        let ending = match (self.ending, self.loop_start) {
            (SavedEnding::Error, _) => Ending::Error,
            (SavedEnding::Rest, _) => Ending::Rest,
            (SavedEnding::Open, _) => Ending::Open,
            (SavedEnding::Loop, Some(start)) if start < self.steps.len() => Ending::Loop { start },
            (SavedEnding::Loop, _) => return Err("`loop_start` is missing or wrong".to_owned()),
        };
        Ok(Claimed { steps: self.steps.iter().map(step).collect(), ending })
    }
}

impl SavedRun {
    /// `execution` is all of the run that was judged.
    pub fn new(
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
    /// The document of these runs.
    pub fn document(model: &SavedModel, runs: &[SavedRun]) -> serde_json::Result<Value> {
        // Sorted by key.
        serde_json::to_value(SavedRuns {
            format: FORMAT.to_owned(),
            version: VERSION,
            lariat: env!("CARGO_PKG_VERSION").to_owned(),
            model: model.clone(),
            runs: runs.to_vec(),
        })
    }

    /// Writes a file.
    pub fn write(file: &Path, model: &SavedModel, runs: &[SavedRun]) -> std::io::Result<()> {
        let document = SavedRuns::document(&model.map_paths(|path| seen_from(file, path)), runs)?;
        std::fs::write(file, format!("{document}\n"))
    }

    /// Reads the text of a file; its paths are relative to where it is. Errors are sentences.
    pub fn read(path: &Path, name: &str, text: &str) -> Result<SavedRuns, String> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("{name}: not JSON: {error}"))?;
        let found = SavedRuns::parse(name, value)?;
        let here = |from: &Path| path.parent().map_or(from.to_path_buf(), |home| home.join(from));
        Ok(SavedRuns { model: found.model.map_paths(here), ..found })
    }

    /// Reads a document.
    pub fn parse(name: &str, value: Value) -> Result<SavedRuns, String> {
        if value["format"] != FORMAT {
            return Err(format!("{name}: not a saved run: `format` is not {FORMAT:?}"));
        }
        if value["version"] != VERSION {
            return Err(format!(
                "{name}: version {} of the format; this lariat reads version {VERSION}",
                value["version"]
            ));
        }
        serde_json::from_value(value).map_err(|error| format!("{name}: {error}"))
    }
}
