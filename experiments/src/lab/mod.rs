//! What all experiments share.
//!
//! - [`cases`]: models with a question about their runs
//! - [`checks`]: the six checks that most pages compare
//! - [`measure`]: a check on their product, and what it took
//! - [`page`]: a page with tables, plots and claims

pub mod cases;
pub mod checks;
pub mod measure;
pub mod page;

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::hash::{DefaultHasher, Hash, Hasher};
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
    /// The program that measures; see [`build`].
    build: u64,
    known: HashMap<String, Value>,
    /// Of the machine, when each of the results that are used was measured; old ones do not know.
    loads: Vec<Option<f64>>,
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
        if !text.is_empty() && !text.ends_with('\n') {
            // The last line was cut where the program was interrupted; the next one must not continue it.
            let opened = OpenOptions::new().append(true).open(&file);
            opened.and_then(|mut file| writeln!(file)).map_err(wrong)?;
        }
        let build = build();
        let (mut known, mut others) = (HashMap::new(), 0);
        for mut line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            if let Some(key) = line["key"].as_str().map(str::to_owned) {
                others += u32::from(line["build"] != build);
                known.insert(key, line.take());
            }
        }
        if others > 0 {
            eprintln!("{name}: {others} results are from another build; --fresh forgets them");
        }
        let (name, full, seed, until) = (name.to_owned(), false, 0, None);
        let loads = Vec::new();
        Ok(Lab { name, corpus, full, seed, until, out, file, build, known, loads })
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
        if let Some(line) = self.known.get(key)
            && let Ok(value) = T::deserialize(&line["value"])
        {
            self.loads.push(line["load"].as_f64());
            return Ok(value);
        }
        eprintln!("{key}");
        let value = work().map_err(|message| format!("{key}: {message}"))?;
        let line = json!({ "key": key, "build": self.build, "load": load(), "value": &value });
        let opened = OpenOptions::new().create(true).append(true).open(&self.file);
        let written = opened.and_then(|mut file| writeln!(file, "{line}"));
        written.map_err(|error| format!("{}: {error}", self.file.display()))?;
        self.loads.push(line["load"].as_f64());
        self.known.insert(key.to_owned(), line);
        Ok(value)
    }

    /// How busy the machine was while the results of this page were measured.
    pub fn load(&self) -> Option<String> {
        let mut known: Vec<f64> = self.loads.iter().copied().flatten().collect();
        known.sort_by(f64::total_cmp);
        match (known.get(known.len() / 2), known.last()) {
            (Some(median), Some(most)) => {
                let count = format!("{} of {} results", known.len(), self.loads.len());
                Some(format!("{median:.1} on the median of {count}, {most:.1} at most"))
            }
            _ if self.loads.is_empty() => None,
            _ => Some("not recorded, but others worked on it at the same time".to_owned()),
        }
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

/// How many processes want to run, on the average of the last minute.
fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

/// Tells programs apart: the hash of the one that runs.
fn build() -> u64 {
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let mut hasher = DefaultHasher::new();
    program.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lab(cache: &Path, fresh: bool) -> Lab {
        Lab::open("page", None, cache.to_owned(), cache, fresh).expect("a laboratory")
    }

    /// What was measured before the program was interrupted, in the middle of a line even, is not measured again.
    #[test]
    fn an_interrupted_run_goes_on() {
        let cache = std::env::temp_dir().join(format!("lariat-lab-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&cache);
        let never = || -> Result<u64, String> { panic!("it is known") };
        let mut first = lab(&cache, false);
        assert_eq!(first.remember("one", || Ok(1_u64)), Ok(1));
        assert_eq!(first.remember("two", || Ok(2_u64)), Ok(2));
        let file = cache.join("page.jsonl");
        let text = std::fs::read_to_string(&file).expect("results");
        std::fs::write(&file, &text[..text.len() - 4]).expect("cut");
        let mut second = lab(&cache, false);
        assert_eq!(second.remember("one", never), Ok(1));
        assert_eq!(second.remember("two", || Ok(20_u64)), Ok(20));
        let mut third = lab(&cache, false);
        assert_eq!(third.remember("two", never), Ok(20));
        // A failure is told and not kept.
        assert_eq!(third.remember::<u64>("three", || Err("no".into())), Err("three: no".into()));
        assert_eq!(lab(&cache, false).remember("three", || Ok(3_u64)), Ok(3));
        assert_eq!(lab(&cache, true).remember("one", || Ok(10_u64)), Ok(10));
        std::fs::remove_dir_all(&cache).expect("it is there");
    }
}
