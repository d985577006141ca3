//! For tests, examples and measurements: where models are, and tables of what other tools say
//! of them. Nothing that is installed depends on this crate.
//!
//! - [`facts`]: the micro-models in `facts/`, part of the repository
//! - [`corpus`]: models of other people, which are not; `docs/corpus.md` says where they are from
//! - [`beem`]: the tables of the BEEM database
//! - [`table`]: tables with commas

#![forbid(unsafe_code)]

pub mod beem;
pub mod table;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Endings of Promela files in the corpus.
pub const PROMELA: &[&str] = &["pml", "pr", "prom", "promela", "pm", "spin"];

/// The folder of the repository.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("crates/testing is two folders down").to_path_buf()
}

/// The micro-models of a folder in `facts/`, in order.
///
/// # Panics
///
/// If there are fewer than `least`: a test that reads nothing must not pass.
pub fn facts(folder: &str, least: usize) -> Vec<PathBuf> {
    let folder = repository().join("facts").join(folder);
    let found = files(&folder, &["pml", "dve"]);
    assert!(found.len() >= least, "only {} models in {}", found.len(), folder.display());
    found
}

/// The folder of third-party models that `LARIAT_CORPUS` names.
///
/// # Panics
///
/// If it names none. Tests that call this are marked `#[ignore]` with the reason, so whoever
/// runs them asked for them.
pub fn corpus() -> PathBuf {
    let Some(given) = std::env::var_os("LARIAT_CORPUS") else {
        panic!("this test needs LARIAT_CORPUS, a folder of models; see docs/corpus.md");
    };
    // Tests run in the folder of their crate; the variable was given in that of the repository.
    let folder = repository().join(given);
    assert!(
        folder.join("spin_ref.csv").is_file() && folder.join("beem").is_dir(),
        "LARIAT_CORPUS is {}, which is not laid out as docs/corpus.md says",
        folder.display()
    );
    folder
}

/// All files below a folder with one of these endings, in order.
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(folder) = todo.pop() {
        let entries = std::fs::read_dir(&folder);
        let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| endings.iter().any(|wanted| e == *wanted)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// For tests that compare with another program and are marked `#[ignore]` with that reason.
///
/// # Panics
///
/// If the program is not installed.
pub fn needs(program: &str) {
    let mut command = Command::new(program);
    let version = if program == "spin" { "-V" } else { "--version" };
    command.arg(version).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().is_ok(), "this test needs {program}, which is not installed");
}
