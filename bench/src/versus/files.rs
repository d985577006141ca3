//! The Promela files of the corpus.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Names of Promela files, where no list says which files are models.
const EXTENSIONS: [&str; 7] = ["pml", "pm", "pr", "prom", "prm", "spin", "promela"];

/// The models under `corpus`, by their path in it: those that `spin_ref.csv` lists, or all with
/// a name like Promela. Of files with the same text only the first.
pub fn models(corpus: &Path) -> std::io::Result<Vec<String>> {
    let mut paths = match std::fs::read_to_string(corpus.join("spin_ref.csv")) {
        Ok(table) => listed(&table),
        Err(_) => found(corpus)?,
    };
    paths.sort();
    paths.dedup();
    let mut texts = HashSet::new();
    paths.retain(|path| std::fs::read(corpus.join(path)).is_ok_and(|text| texts.insert(text)));
    Ok(paths)
}

/// Path and mode are the first and third field; neither is ever quoted.
fn listed(table: &str) -> Vec<String> {
    let fields = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let parses = fields.filter(|fields| fields.get(2) == Some(&"parse"));
    parses.map(|fields| fields[0].to_owned()).collect()
}

fn found(corpus: &Path) -> std::io::Result<Vec<String>> {
    let mut models = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(corpus.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().and_then(|e| e.to_str()).is_some_and(is_promela) {
                models.push(path.to_string_lossy().into_owned());
            }
        }
    }
    Ok(models)
}

fn is_promela(extension: &str) -> bool {
    EXTENSIONS.contains(&extension)
}
