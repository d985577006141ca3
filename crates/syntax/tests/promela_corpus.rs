//! Every Promela file of the shared corpus: what Spin accepts is parsed, and the files where
//! lariat and Spin disagree are listed with the reason.

use std::path::{Path, PathBuf};

use lariat_syntax::diagnostics::{SourceMap, render};
use lariat_syntax::promela::{Options, load};

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: {} is absent", path.display());
    None
}

/// Path below the corpus and whether Spin accepts the file.
fn corpus(shared: &Path) -> Vec<(String, bool)> {
    let table = std::fs::read_to_string(shared.join("corpus/spin_ref.csv")).expect("spin_ref.csv");
    let rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter(|row| row[2] == "parse").map(|row| (row[0].to_string(), row[3] == "1")).collect()
}

fn parse(path: &Path) -> (bool, String) {
    let mut sources = SourceMap::new();
    let parsed = load(&mut sources, path, &Options::default());
    let errors = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let text = errors.map(|error| render(&sources, error, false)).collect();
    (parsed.program.is_some(), text)
}

#[test]
fn corpus_agrees_with_spin() {
    let Some(shared) = shared() else { return };
    let mut refused = Vec::new();
    let mut accepted = Vec::new();
    for (path, spin_accepts) in corpus(&shared) {
        let (ok, messages) = parse(&shared.join("corpus").join(&path));
        if spin_accepts && !ok {
            println!("Spin accepts, lariat refuses: {path}\n{messages}");
            refused.push(path);
        } else if !spin_accepts && ok {
            println!("Spin refuses, lariat parses: {path}");
            accepted.push(path);
        }
    }
    println!("{} refused, {} accepted", refused.len(), accepted.len());
}
