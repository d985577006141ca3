//! The preprocessor against `gcc -E`: the same text line by line, blanks aside.

use std::path::PathBuf;
use std::process::Command;

use lariat_syntax::diagnostics::{Diagnostic, SourceMap};
use lariat_syntax::promela::CppOptions;
use lariat_syntax::promela::cpp::{Macros, preprocess};
use lariat_testing::table::Table;
use lariat_testing::{corpus, facts, needs};

/// Lines with all blanks removed, without empty lines and line markers.
fn squeezed(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let squeezed = lines.map(|line| line.split_whitespace().collect::<String>());
    squeezed.filter(|line| !line.is_empty()).collect()
}

#[test]
#[ignore = "needs gcc"]
fn micro_models_are_preprocessed_like_gcc() {
    compare(facts("promela", 278), 270);
}

#[test]
#[ignore = "needs gcc and LARIAT_CORPUS, see docs/corpus.md"]
fn corpus_is_preprocessed_like_gcc() {
    let table = Table::read(&corpus().join("spin_ref.csv")).unwrap();
    let rows = table.rows().filter(|row| row.get("mode") == "parse");
    compare(rows.map(|row| corpus().join(row.get("path"))).collect(), 350);
}

fn compare(paths: Vec<PathBuf>, least: usize) {
    needs("gcc");
    let mut compared = 0;
    for path in paths {
        let gcc =
            Command::new("gcc").args(["-std=gnu99", "-E", "-w", "-x", "c"]).arg(&path).output();
        let gcc = gcc.expect("gcc runs");
        let bytes = std::fs::read(&path).expect("a model");
        let mut sources = SourceMap::new();
        let root = sources.add(&path.to_string_lossy(), &String::from_utf8_lossy(&bytes));
        let (expanded, diagnostics) =
            preprocess(&mut sources, root, &CppOptions::default(), &mut Macros::default());
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        assert_eq!(failed, !gcc.status.success(), "{}: {diagnostics:?}", path.display());
        if failed {
            continue;
        }
        let (ours, theirs) =
            (squeezed(expanded.text()), squeezed(&String::from_utf8_lossy(&gcc.stdout)));
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{}", path.display());
        }
        assert_eq!(ours.len(), theirs.len(), "{}", path.display());
        compared += 1;
    }
    println!("{compared} files like gcc");
    assert!(compared >= least, "only {compared} files");
}
