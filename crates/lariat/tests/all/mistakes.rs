//! Mistakes on purpose: each is noticed by the tests that it is about.
//! `cargo test -p lariat --features mistakes --test all mistakes`, a step of `.ci/run`.

use std::process::Command;

/// Mistakes, and the tests that must notice each.
const MISTAKES: [(&str, &str); 9] = [
    // A state at rest has no successor in the graph: runs that end are lost.
    ("rust-no-stutter", "oracle::all_lassos"),
    // A state whose steps all lead beyond the boundary rests.
    ("rust-rest-beyond", "limits::"),
    // A step that changes nothing counts as one of its action.
    ("rust-idle-steps", "fairness::"),
    // A weak condition that cannot be answered is not answered.
    ("rust-blocked", "oracle::all_lassos"),
    // A strong condition is asked for by no state.
    ("rust-no-request", "oracle::all_lassos"),
    // Inboxes that are bags are kept in the order in which messages were sent.
    ("rust-bag-order", "actors::"),
    // What a timer does is remembered without its number.
    ("rust-one-timer", "actors::"),
    // Bits that a word of a packed row was given later are lost.
    ("dense-high-bits", "counts::"),
    // They are lost when the bits of a word are put together.
    ("dense-compact", "counts::"),
];

/// The tests of this program that fail with a mistake.
fn noticed_by(tests: &str, mistake: &str) -> Vec<String> {
    let own = std::env::current_exe().expect("this program");
    let output = Command::new(own).arg(tests).env("LARIAT_MISTAKE", mistake).output();
    let said = String::from_utf8(output.expect("it can be started").stdout).expect("a text");
    assert!(said.contains("test result: "), "{tests}: no tests ran: {said}");
    let failed = said.lines().filter_map(|line| line.strip_suffix(" ... FAILED"));
    failed.map(|line| line.trim_start_matches("test ").to_owned()).collect()
}

#[test]
fn each_is_noticed() {
    for (mistake, tests) in MISTAKES {
        assert_eq!(noticed_by(tests, "none"), Vec::<String>::new(), "without a mistake");
        let by = noticed_by(tests, mistake);
        println!("{mistake}: {}", by.join(", "));
        assert!(!by.is_empty(), "{mistake} is not noticed by {tests}");
    }
}
