//! The preprocessor against `gcc -E` on the whole corpus: the same text line by line, blanks
//! aside. Skipped where there is no gcc or no corpus.

use std::path::Path;
use std::process::Command;

use lariat_syntax::diagnostics::{Diagnostic, SourceMap};
use lariat_syntax::promela::Options;
use lariat_syntax::promela::cpp::preprocess;

/// Lines with all blanks removed, without empty lines and line markers.
fn squeezed(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let squeezed = lines.map(|line| line.split_whitespace().collect::<String>());
    squeezed.filter(|line| !line.is_empty()).collect()
}

#[test]
fn corpus_is_preprocessed_like_gcc() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !shared.is_dir() || Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: no corpus or no gcc");
        return;
    }
    let table = std::fs::read_to_string(shared.join("spin_ref.csv")).expect("spin_ref.csv");
    let rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let mut compared = 0;
    for row in rows.filter(|row| row[2] == "parse") {
        let path = shared.join(row[0]);
        let gcc =
            Command::new("gcc").args(["-std=gnu99", "-E", "-w", "-x", "c"]).arg(&path).output();
        let gcc = gcc.expect("gcc runs");
        let bytes = std::fs::read(&path).expect("a model");
        let mut sources = SourceMap::new();
        let root = sources.add(&path.to_string_lossy(), &String::from_utf8_lossy(&bytes));
        let (expanded, diagnostics) = preprocess(&mut sources, root, &Options::default());
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
    assert!(compared > 350);
}
