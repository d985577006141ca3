//! Every observed fact of Spin's behaviour in `facts/promela`, against the counts that Spin gave.

use std::path::Path;

use lariat_model::interp::FaultKind;
use lariat_model::lower::LowerOptions;
use lariat_model::promela::{PromelaOptions, load};
use lariat_search::safety::{ExploreOptions, explore};
use lariat_testing::facts;

/// Facts that lariat answers differently, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("121-run-limit", "Spin's default state vector of 1024 bytes is full before 255 processes are"),
    ("183-dead-chan-send", "Spin's verifier ends at this error, lariat goes on: 7 states"),
    ("184-chan-limit", "Spin's default state vector of 1024 bytes is full before 255 channels are"),
    ("275-c-expr", "embedded C is refused"),
];

/// Variants that lariat answers differently, with the reason.
const VARIANT_EXCEPTIONS: &[(&str, &str)] = &[
    ("149-index-oob-mem", "Spin checks the index again when it saves and restores the value"),
    ("150-index-const", "Spin checks the index again when it saves and restores the value"),
];

/// What lariat says, in the words of the expectation, with Spin's options and its verifier's.
fn observe(path: &Path, spin: &[&str], pan: &[&str]) -> String {
    let lower = LowerOptions {
        message_loss: spin.contains(&"-m"),
        ignore_priorities: spin.contains(&"-o6"),
        ..Default::default()
    };
    let model_options = PromelaOptions { lower, ..Default::default() };
    let Ok(loaded) = load(path, &model_options) else { return "rejected".into() };
    let options = ExploreOptions {
        ignore_assertions: pan.contains(&"-A"),
        ignore_end_states: pan.contains(&"-E"),
        empty_channels_at_end: pan.contains(&"-q"),
        stop_at_error: !pan.contains(&"-c0"),
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
    let files = facts("promela", 278);
    let mut failures = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let expected = first.strip_prefix("/* expect: ").and_then(|s| s.strip_suffix(" */"));
        let expected = expected.unwrap_or_else(|| panic!("{}: {first}", path.display()));
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        let seen = observe(path, &[], &["-E", "-A", "-c0"]);
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

/// The safety runs among the variants: `/* also: spin …; gcc …; pan … => … */`.
#[test]
fn variants_hold() {
    let files = facts("promela", 278);
    let mut failures = Vec::new();
    let mut ran = 0;
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("/* also: spin ") else { continue };
            let Some((command, expected)) =
                rest.strip_suffix(" */").and_then(|rest| rest.split_once(" => "))
            else {
                panic!("{}: {line}", path.display());
            };
            let parts: Vec<Vec<&str>> =
                command.split("; ").map(|part| part.split_whitespace().collect()).collect();
            let [spin, gcc, pan] = &parts[..] else { panic!("{}: {line}", path.display()) };
            if !gcc.contains(&"-DSAFETY") || !gcc.contains(&"-DNOCLAIM") {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy();
            let seen = observe(path, spin, pan);
            ran += 1;
            let excepted = VARIANT_EXCEPTIONS.iter().any(|(known, _)| name.starts_with(known));
            if (seen == expected) == excepted {
                failures.push(format!("{name}: {command}: expected {expected}, got {seen}"));
            }
        }
    }
    println!("{ran} variants");
    assert!(ran >= 19, "only {ran} variants");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
