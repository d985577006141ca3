//! Saving the runs of a check as `model.pml.lasso.json`.

use std::path::{Path, PathBuf};

use lariat_model::explore::{Condition, ErrorKind};
use lariat_model::ir::Model;
use serde_json::Value;

use super::judgement::Judgement;
use super::safety::{self, Answer};
use crate::model::Reading;
use crate::saved::{self, SavedError, SavedRun};

#[derive(clap::Args, Clone, Debug)]
pub(super) struct SaveOptions {
    /// Save runs in this file; without it: MODEL.lasso.json in the current directory
    #[arg(long, value_name = "FILE", conflicts_with = "no_save")]
    lasso: Option<PathBuf>,
    /// Save no runs
    #[arg(long)]
    no_save: bool,
}

impl SaveOptions {
    /// The file for a model's runs; `usual` unless the user says otherwise. A model from
    /// standard input cannot be read again, so its runs are not saved.
    pub(super) fn file(&self, model: &Path, usual: &Path) -> Option<PathBuf> {
        match &self.lasso {
            _ if self.no_save || model == Path::new("-") => None,
            Some(file) => Some(file.clone()),
            None => Some(usual.to_path_buf()),
        }
    }

    pub(super) fn names_a_file(&self) -> bool {
        self.lasso.is_some()
    }
}

/// Collects the runs of one model and keeps the file up to date.
pub(super) struct Saver<'a> {
    file: PathBuf,
    path: &'a Path,
    fingerprint: String,
    reading: &'a Reading,
    claims: &'a [PathBuf],
    runs: Vec<Value>,
}

impl<'a> Saver<'a> {
    pub(super) fn new(
        file: PathBuf,
        path: &'a Path,
        fingerprint: String,
        reading: &'a Reading,
        claims: &'a [PathBuf],
    ) -> Self {
        Saver { file, path, fingerprint, reading, claims, runs: Vec::new() }
    }

    /// Adds the run of a judgement and notes the file in it. A file that cannot be written is
    /// no reason to keep the answer back.
    pub(super) fn save(
        &mut self,
        model: &Model,
        judgement: &mut Judgement,
        error: Option<SavedError>,
        options: Value,
    ) {
        let Some(execution) = &judgement.run else { return };
        let run = SavedRun {
            property: judgement.name.clone(),
            kind: judgement.kind.to_owned(),
            text: judgement.text.clone(),
            error,
            ending: execution.ending,
            steps: execution.steps.iter().map(|step| step.moves.clone()).collect(),
            statements: Vec::new(),
            options,
        };
        self.runs.push(saved::run_to_json(model, &run, execution));
        let document =
            saved::document(self.path, &self.fingerprint, self.reading, self.claims, &self.runs);
        match std::fs::write(&self.file, format!("{document}\n")) {
            Ok(()) => judgement.saved = Some(self.file.display().to_string()),
            Err(error) => {
                eprintln!("warning: the run is not saved: {}: {error}", self.file.display());
            }
        }
    }
}

/// What replay must find at the end of a finite run.
pub(super) fn error_of(
    answer: &Answer,
    conditions: &[Condition],
    options: &safety::Options,
) -> Option<SavedError> {
    let safety::Verdict::Violated(trace) = &answer.verdict else { return None };
    let condition = match trace.error {
        ErrorKind::Condition(condition) => {
            let at = conditions.iter().position(|&known| known == condition);
            at.and_then(|at| options.condition_text(at)).cloned()
        }
        _ => None,
    };
    Some(SavedError { kind: trace.error.name().to_owned(), condition })
}
