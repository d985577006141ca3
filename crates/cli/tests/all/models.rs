//! The models of `facts/models`: verdicts and numbers of states as Spin has them, by native code and
//! the interpreter, depth first and breadth first, by the checks and under weak fairness.

use std::process::Command;

use lariat_testing::{facts, repository};

/// Checks all models; each has to be as it says itself.
fn as_expected(more: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .current_dir(repository())
        .args(["check", "facts/models", "--no-save"])
        .args(more)
        .output()
        .expect("lariat can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{more:?}\n{said}{complaints}");
    let compared = said.matches("as expected").count();
    assert!(compared >= 24, "{more:?}: only {compared} are compared\n{said}");
}

#[test]
fn verdicts_and_states() {
    assert!(facts("models", 10).len() >= 10);
    as_expected(&[]);
}

#[test]
fn without_native_code() {
    as_expected(&["--interpret"]);
}

#[test]
fn in_both_orders() {
    as_expected(&["--dfs"]);
    as_expected(&["--bfs"]);
}

/// The checks that take any property.
pub(crate) const CHECKS: &[&str] = &[
    "cvwy",
    "hpy",
    "gmz",
    "se",
    "and",
    "tauriainen",
    "tarjan",
    "gv",
    "c99",
    "ascc",
    "tarjan-tgba",
    "dijkstra",
    "gabow",
];

#[test]
fn by_every_check() {
    for check in CHECKS {
        as_expected(&["--algorithm", check]);
    }
}

/// Spin's answers to the same questions about weakly fair runs (`pan -a -f`).
#[test]
fn fair_runs() {
    let spins = [
        ("alternating_bit.pml", "delivered", 1),
        ("alternating_bit.pml", "delivered_if_not_lost", 0),
        ("alternating_bit.pml", "in_order", 0),
        ("buffer.pml", "all_taken", 1),
        ("buffer.pml", "never_more", 0),
        ("readers_writers.pml", "exclusive", 0),
        ("readers_writers.pml", "writes_again", 1),
        ("readers_writers.pml", "can_read", 1),
        ("ring.pml", "token_moves", 1),
        ("ring.pml", "one_token", 0),
        ("ring.pml", "third_works", 1),
        ("watchdog.pml", "breaks", 1),
        ("watchdog.pml", "only_one", 0),
    ];
    for (model, property, code) in spins {
        for check in ["auto", "c99", "gabow"] {
            let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
                .current_dir(repository().join("facts/models"))
                .args(["check", model, "--no-save", "--fair", "weak", "--property", property])
                .args(["--algorithm", check])
                .output()
                .expect("lariat can be started");
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(code), "{model} {property} {check}\n{said}");
        }
    }
}
