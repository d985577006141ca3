//! T6: each row of the table in docs/por.md, switched off, is noticed by another test here. Prints by
//! which: `cargo test -p lariat-por --features mistakes --test all switched_off -- --nocapture`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Tests that may notice, the quickest first.
const TESTS: [&str; 4] = ["rows::", "hand::", "pure::", "facts::"];

/// Where the code asks whether it should make a mistake.
const ASKS: &str = "makes_mistake(\"";

/// The mistakes that the crate can make.
fn mistakes() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = std::fs::read_dir(folder).expect("the sources");
    let mut found = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
        let names = text.split(ASKS).skip(1).filter_map(|rest| rest.split('"').next());
        found.extend(names.map(str::to_owned));
    }
    found
}

/// The tests of a part of this program that fail with a mistake.
fn noticed_by(tests: &str, mistake: &str) -> Vec<String> {
    let own = std::env::current_exe().expect("this program");
    let output = Command::new(own).arg(tests).env("LARIAT_MISTAKE", mistake).output();
    let said = String::from_utf8(output.expect("it can be started").stdout).expect("a text");
    assert!(said.contains("test result: "), "{tests}: no tests ran: {said}");
    let failed = said.lines().filter_map(|line| line.strip_suffix(" ... FAILED"));
    failed.map(|line| line.trim_start_matches("test ").to_owned()).collect()
}

#[test]
fn each_row_is_noticed() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/por.md");
    let table = std::fs::read_to_string(table).expect("the table");
    let mistakes = mistakes();
    assert!(mistakes.len() > 20, "{mistakes:?}");
    let mut missed = Vec::new();
    for mistake in &mistakes {
        assert!(table.contains(&format!("`{mistake}`")), "{mistake} has no row in docs/por.md");
        let by = TESTS.iter().map(|tests| noticed_by(tests, mistake)).find(|by| !by.is_empty());
        println!("{mistake}: {}", by.as_deref().map_or("NOT NOTICED".into(), |by| by.join(", ")));
        missed.extend(by.is_none().then_some(mistake));
    }
    assert!(missed.is_empty(), "not noticed: {missed:?}");
    assert_eq!(noticed_by(TESTS[0], "none"), Vec::<String>::new(), "without a mistake");
}
