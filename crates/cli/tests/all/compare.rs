//! `lariat compare`: the same product for all checks, and the relations that the papers prove.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A token that goes round, and a process that may stop it.
const MODEL: &str = "
#ifndef N
#define N 5
#endif
byte at;
bool stopped;
active [2] proctype Pass() { do :: atomic { !stopped && at % 2 == _pid -> at = (at + 1) % N } :: stopped -> break od }
active proctype Stop() { do :: at == N - 1 && !stopped -> stopped = true :: stopped -> break od }
ltl rounds { []<> (at == 0) }
ltl often { []<> (at == 1) -> <>[] (at != 1) }
ltl small { [] (at < N) }
";

fn model(name: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, MODEL).expect("a temporary file");
    file
}

fn compare(file: &PathBuf, arguments: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .arg("compare")
        .arg(file)
        .args(arguments)
        .output();
    command.expect("lariat can be started")
}

fn row<'a>(comparison: &'a Value, check: &str) -> &'a Value {
    let rows = comparison["checks"].as_array().expect("rows");
    rows.iter().find(|row| row["check"] == check).expect("a row for each check")
}

#[test]
fn relations_of_the_papers() {
    let output = compare(&model("compare_relations.pml"), &["--json", "-DN=6"]);
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(output.status.code(), Some(1), "{object}");
    let comparisons = object["comparisons"].as_array().expect("comparisons");
    assert_eq!(comparisons.len(), 3);
    for comparison in comparisons {
        assert_eq!(comparison["agree"], true);
        let number =
            |check: &str, column: &str| row(comparison, check)[column].as_u64().expect(column);
        let transitions = |check: &str| number(check, "transitions");
        // GS: minimal exploration, each state once; SE never worse than HPY; C99 twice at most.
        assert_eq!(transitions("ascc"), transitions("gv"));
        assert!(transitions("gv") <= transitions("and") && transitions("and") <= transitions("se"));
        assert!(transitions("se") <= transitions("hpy"));
        assert!(transitions("c99") >= transitions("gv"));
        assert!(transitions("c99") <= 2 * transitions("gv"));
        assert!(number("c99", "roots") <= number("gv", "current"));
        // All see the same graph where nothing is found.
        if comparison["verdict"] == "holds" {
            for check in ["cvwy", "hpy", "gmz", "tauriainen", "tarjan", "dijkstra", "gabow"] {
                assert_eq!(number(check, "states"), number("gv", "states"), "{check}");
            }
        } else {
            assert!(number("gv", "loop") > 0);
        }
        assert!(number("gabow", "memory") > 0);
    }
    let weak = row(&comparisons[0], "sd");
    assert_eq!(weak["transitions"], row(&comparisons[0], "gv")["transitions"]);
    let strong = row(&comparisons[1], "sd");
    assert_eq!(strong["verdict"], "inconclusive");
    assert!(strong["reason"].as_str().expect("why").contains("weak Büchi"), "{strong}");
}

#[test]
fn a_cut_check_is_shown_as_cut() {
    let arguments = ["--csv", "--property", "small", "--algorithms", "gv", "--time-limit", "0"];
    let output = compare(&model("compare_cut.pml"), &arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.starts_with("model,property,check,verdict,states,transitions,posts,"), "{text}");
    let row = text.lines().nth(1).expect("a row");
    assert!(row.contains("small,gv,cut: ") && row.contains("the time limit was reached"), "{row}");
}

#[test]
fn charts_and_mistakes() {
    let file = model("compare_chart.pml");
    let chart = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compare.svg");
    let svg = ["--svg", chart.to_str().expect("a path"), "--algorithms", "se,gv", "--jobs", "2"];
    let output = compare(&file, &svg);
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("compare_chart.pml: rounds\n  check  verdict"), "{table}");
    let text = std::fs::read_to_string(chart).expect("a chart");
    assert!(text.contains("often") && text.contains("gv"));
    for (arguments, message) in [
        (["--property", "nothing"], "has no property `nothing`"),
        (["--ltl", "[] (nobody)"], "nobody"),
        (["--algorithms", "auto"], "invalid value 'auto'"),
        (["--shortcuts", "some"], "invalid value 'some'"),
    ] {
        let output = compare(&file, &arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

/// A signal ends the check that runs, starts no other one, and the table is printed.
#[test]
#[cfg(unix)]
fn an_interrupted_comparison_reports() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compare_long.pml");
    let long = "int a, b; active proctype P() { do :: a++ :: b++ od } ltl p { []<> (a == b) }";
    std::fs::write(&file, long).expect("a temporary file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lariat"));
    command.arg("compare").arg(&file).args([
        "--algorithms",
        "tarjan,dijkstra",
        "--progress=always",
    ]);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = piped.spawn().expect("lariat can be started");
    // Signals are caught before the line that says that it works.
    let mut line = [0; 1];
    process.stderr.as_mut().expect("a pipe").read_exact(&mut line).expect("a progress line");
    let id = process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    let output = process.wait_with_output().expect("an end");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert_eq!(text.matches("cut: ").count(), 2, "{text}");
    assert!(text.contains("dijkstra  cut: interrupted"), "{text}");
}
