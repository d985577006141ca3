//! Every observed fact of Spin's behaviour in `shared/promela-facts`, against the counts that
//! Spin gave.

use std::path::{Path, PathBuf};

use lariat_model::explore::{ExploreOptions, explore};
use lariat_model::interp::FaultKind;
use lariat_model::promela::{Options, load};

/// Facts that lariat answers differently, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("121-run-limit", "Spin's default state vector of 1024 bytes is full before 255 processes are"),
    ("183-dead-chan-send", "Spin's verifier ends at this error, lariat goes on: 7 states"),
    ("184-chan-limit", "Spin's default state vector of 1024 bytes is full before 255 channels are"),
    ("275-c-expr", "embedded C is refused"),
];

fn facts() -> Option<Vec<PathBuf>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/promela-facts");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "pml"))
        .collect();
    files.sort();
    Some(files)
}

/// What lariat says, in the words of the expectation.
fn observe(path: &Path) -> String {
    let Ok(loaded) = load(path, &Options::default()) else { return "rejected".into() };
    // Spin's counts were made with assertions and end states switched off.
    let options = ExploreOptions {
        ignore_assertions: true,
        ignore_end_states: true,
        max_states: Some(1_000_000),
        ..Default::default()
    };
    match explore(&loaded.model, &options) {
        Err(_) => "no-statistics".into(),
        Ok(found) => {
            let fatal = |kind: FaultKind| found.errors.contains_key(kind.name());
            if fatal(FaultKind::DivisionByZero) {
                // The verifier dies.
                return "no-statistics".into();
            }
            let endless = found.errors.get(FaultKind::EndlessAtomic.name()).copied().unwrap_or(0);
            format!("states={} errors={}", found.states, found.error_count() - endless)
        }
    }
}

#[test]
fn facts_hold() {
    let Some(files) = facts() else {
        println!("skipped: no shared/promela-facts beside the repository");
        return;
    };
    let mut failures = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let Some(expected) = first.strip_prefix("/* expect: ").and_then(|s| s.strip_suffix(" */"))
        else {
            continue;
        };
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        let seen = observe(path);
        let agrees = seen == expected
            // A model that Spin's verifier refuses to run is refused earlier.
            || (expected == "no-statistics" && seen == "rejected");
        let excepted = EXCEPTIONS.iter().any(|(exception, _)| name.starts_with(exception));
        if agrees == excepted {
            failures.push(format!("{name}: expected {expected}, got {seen}"));
        }
    }
    println!("{} facts, {} fail", files.len(), failures.len());
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
