//! What all experiments share.
//!
//! - [`cases`]: models with a question about their runs
//! - [`measure`]: a check on their product, and what it took
//! - [`page`]: a page with tables, plots and claims

pub mod cases;
pub mod measure;
pub mod page;

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lariat_testing::beem::Beem;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// How to run an experiment, and the results that are known from an earlier run.
pub struct Lab {
    /// The name of its page.
    pub name: String,
    pub corpus: Option<PathBuf>,
    pub full: bool,
    pub seed: u64,
    /// When to stop measuring, and write the page from what there is.
    pub until: Option<Instant>,
    /// Where its page goes.
    pub out: PathBuf,
    file: PathBuf,
    known: HashMap<String, Value>,
}

impl Lab {
    /// Reads what is in the cache: one result on each line.
    pub fn open(
        name: &str,
        corpus: Option<PathBuf>,
        out: PathBuf,
        cache: &Path,
        fresh: bool,
    ) -> Result<Lab, String> {
        let wrong = |error| format!("{}: {error}", cache.display());
        std::fs::create_dir_all(cache).map_err(wrong)?;
        let file = cache.join(format!("{name}.jsonl"));
        if fresh && file.exists() {
            std::fs::remove_file(&file).map_err(wrong)?;
        }
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        // The last line may be cut where the program was interrupted.
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let known = lines
            .filter_map(|mut line| Some((line["key"].as_str()?.to_owned(), line["value"].take())));
        let known = known.collect();
        let (name, full, seed, until) = (name.to_owned(), false, 0, None);
        Ok(Lab { name, corpus, full, seed, until, out, file, known })
    }

    /// Whether the result that goes by this key is not known, and there is no time to measure it.
    pub fn is_over(&self, key: &str) -> bool {
        self.until.is_some_and(|until| Instant::now() > until) && !self.known.contains_key(key)
    }

    /// The result that goes by this key, from an earlier run or of `work`.
    pub fn remember<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        work: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        if let Some(known) = self.known.get(key).cloned()
            && let Ok(value) = serde_json::from_value(known)
        {
            return Ok(value);
        }
        eprintln!("{key}");
        let value = work().map_err(|message| format!("{key}: {message}"))?;
        let json = json!({ "key": key, "value": &value });
        let opened = OpenOptions::new().create(true).append(true).open(&self.file);
        let written = opened.and_then(|mut file| writeln!(file, "{json}"));
        written.map_err(|error| format!("{}: {error}", self.file.display()))?;
        self.known.insert(key.to_owned(), json["value"].clone());
        Ok(value)
    }

    /// The laboratory of another page, with its results.
    pub fn other(&self, name: &str) -> Result<Lab, String> {
        let cache = self.file.parent().unwrap_or(Path::new("."));
        let lab = Lab::open(name, self.corpus.clone(), self.out.clone(), cache, false)?;
        Ok(Lab { full: self.full, seed: self.seed, until: self.until, ..lab })
    }

    /// The folder with other people's models.
    pub fn corpus(&self) -> Result<&Path, String> {
        let missing = "this experiment needs BEEM: --corpus, or LARIAT_CORPUS (docs/corpus.md)";
        self.corpus.as_deref().ok_or_else(|| missing.to_owned())
    }

    pub fn beem(&self) -> Result<Beem, String> {
        Beem::read(self.corpus()?)
    }
}
