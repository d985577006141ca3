//! Saving the runs of a check as `model.pml.lasso.json`.

use std::path::{Path, PathBuf};

use lariat_model::ir::Model;
use lariat_verify::judge::Confirmed;
use lariat_verify::saved::{SavedError, SavedModel, SavedOptions, SavedRun, SavedRuns};
use lariat_verify::{Kind, Reading, Status};

use super::judgement::Judgement;

#[derive(clap::Args, Clone, Debug)]
pub(super) struct SaveOptions {
    /// Save runs in this file. The default is MODEL.lasso.json in the current directory, which is
    /// removed if a later check finds no run
    #[arg(long, value_name = "FILE", conflicts_with = "no_save")]
    lasso: Option<PathBuf>,
    /// Do not save runs
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
pub(super) struct Saver {
    file: PathBuf,
    model: SavedModel,
    runs: Vec<SavedRun>,
    judged: Vec<Judged>,
}

/// What was asked about the model, and whether it was answered.
struct Judged {
    property: String,
    kind: Kind,
    text: Option<String>,
    options: SavedOptions,
    is_answered: bool,
}

impl Judged {
    /// Whether a saved run is an answer to the same question.
    fn is_of(&self, run: &SavedRun) -> bool {
        // A formula of the model may have been mended; on the command line its name is a number.
        let is_named = !self.property.starts_with("--");
        let question = (&self.property, self.kind, &self.options);
        question == (&run.property, run.kind, &run.options) && (is_named || self.text == run.text)
    }
}

impl Saver {
    pub(super) fn new(
        file: PathBuf,
        path: &Path,
        fingerprint: String,
        reading: &Reading,
        claims: &[PathBuf],
    ) -> Self {
        let model = SavedModel {
            path: path.to_owned(),
            sha256: fingerprint,
            // Warnings are no part of the model.
            options: Reading { all_warnings: false, ..reading.clone() },
            claims: claims.to_vec(),
        };
        Saver { file, model, runs: Vec::new(), judged: Vec::new() }
    }

    /// Adds the run of a judgement and notes the file in it. A file that cannot be written is
    /// no reason to keep the answer back.
    pub(super) fn save(&mut self, model: &Model, judgement: &mut Judgement, options: SavedOptions) {
        self.judged.push(Judged {
            property: judgement.name.clone(),
            kind: judgement.kind,
            text: judgement.text.clone(),
            options: options.clone(),
            is_answered: judgement.status() != Status::Inconclusive,
        });
        let Some(execution) = judgement.run().map(Confirmed::whole) else { return };
        let error = judgement.error.as_ref().map(|error| SavedError {
            kind: error.name.to_owned(),
            condition: judgement.text.clone(),
        });
        let (name, kind, text) = (&judgement.name, judgement.kind, judgement.text.clone());
        self.runs.push(SavedRun::new(model, name, kind, text, error, options, execution));
        match SavedRuns::write(&self.file, &self.model, &self.runs) {
            Ok(()) => judgement.saved = Some(self.file.display().to_string()),
            Err(error) => {
                errln!("warning: the run is not saved: {}: {error}", self.file.display());
            }
        }
    }
}

impl Saver {
    /// Removes the file of an earlier check that found runs where there are none now. It must
    /// be a file of saved runs of this model, read in the same way, and have no run of a
    /// question that was not asked again: everything else is somebody's to keep.
    pub(super) fn remove_stale(&self) {
        let is_answered = self.judged.iter().all(|judged| judged.is_answered);
        if !self.runs.is_empty() || !is_answered || !self.file.is_file() {
            return;
        }
        let saved = crate::input::read(&self.file);
        let saved = saved.and_then(|(name, text)| SavedRuns::read(&self.file, &name, &text));
        let Ok(saved) = saved else { return };
        let is_same_model = saved.model.path == self.model.path
            && saved.model.claims == self.model.claims
            && saved.model.options == self.model.options;
        let is_asked_again = |run: &SavedRun| self.judged.iter().any(|judged| judged.is_of(run));
        if !is_same_model || !saved.runs.iter().all(is_asked_again) {
            return;
        }
        if let Err(error) = std::fs::remove_file(&self.file) {
            let file = self.file.display();
            errln!("warning: {file}: of an earlier check, and it cannot be removed: {error}");
        }
    }
}
