//! Small models that combine features, with what Spin 6.5.2 said about them: the first line of
//! each file in `combinations/` has states and transitions by `pan -E -A -c0`, and the errors by
//! `pan -c0`. `random-*` were made by a generator of models.

use std::path::Path;

use lariat_model::lower::LowerOptions;
use lariat_model::promela::{PromelaOptions, load_text};
use lariat_search::safety::{ExploreOptions, explore};

/// States, transitions, depth and errors, and whether messages can be lost.
fn expected(first: &str) -> ([u64; 4], bool) {
    let numbers: Vec<u64> = first
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let numbers = numbers.try_into().unwrap_or_else(|_| panic!("a bad first line: {first}"));
    (numbers, first.starts_with("/* spin -m:"))
}

#[test]
fn have_spins_counts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/combinations");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 100, "only {} models", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let (spin, message_loss) = expected(text.lines().next().unwrap());
        let lower = LowerOptions { message_loss, ..Default::default() };
        let options = PromelaOptions { lower, ..Default::default() };
        let loaded = match load_text(&name, &text, &options) {
            Ok(loaded) => loaded,
            Err(failure) => {
                wrong.push(format!("{name}: {}", failure.diagnostics[0].message));
                continue;
            }
        };
        let found = explore(&loaded.model, &ExploreOptions::default()).unwrap();
        let lariat = [found.states, found.stored_and_matched(), found.depth, found.error_count()];
        if lariat != spin {
            wrong.push(format!("{name}: Spin {spin:?}, lariat {lariat:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
