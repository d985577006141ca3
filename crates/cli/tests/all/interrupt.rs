//! Ctrl-C and SIGTERM end a search with a report; SIGUSR1 and `--progress` say how far it is.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn ctrl_c_stops_with_a_report() {
    stops_with_a_report("-INT");
}

/// As a batch system or `timeout` ends a program.
#[test]
fn sigterm_stops_with_a_report() {
    stops_with_a_report("-TERM");
}

fn stops_with_a_report(signal: &str) {
    // Background jobs of scripts begin with Ctrl-C ignored, and lariat leaves that so.
    let child = Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_lariat")])
        .args(["check", "tests/data/large.pml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The search takes much longer than this, and starts much earlier.
    std::thread::sleep(Duration::from_millis(1500));
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("safety inconclusive: interrupted, no error so far"), "{said}");
    assert!(said.contains("states, "), "{said}");
    // No progress line where there is no terminal.
    assert!(output.stderr.is_empty());
}

/// A search that takes very long: the lines of its standard error until one is as wanted, after a
/// signal or not.
fn until(options: &[&str], signal: Option<&str>, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["check", "tests/data/large.pml", "--no-save"])
        .args(options)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lariat");
    if let Some(signal) = signal {
        std::thread::sleep(Duration::from_millis(1500));
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
    }
    let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let found = lines.map_while(Result::ok).find(|line| is_wanted(line));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    found.expect("such a line")
}

/// SIGUSR1, and Ctrl-\, which is SIGQUIT.
#[test]
fn a_signal_says_how_far_the_search_is() {
    for (signal, order, place) in [("-USR1", "--dfs", "depth "), ("-QUIT", "--bfs", "level ")] {
        let line = until(&[order, "--no-por"], Some(signal), |_| true);
        for part in ["large.pml: safety: ", " states, ", " states/s, ", place, " MB"] {
            assert!(line.contains(part), "{part}: {line}");
        }
        assert!(!line.contains(" left"), "nobody knows: {line}");
    }
    let line = until(&["--progress", "json"], Some("-USR1"), |line| line.contains("progress"));
    let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert!(value["progress"]["states"].as_u64().is_some_and(|states| states > 0), "{line}");
}

#[test]
fn progress_is_lines_or_json() {
    let line = until(&["--progress", "always"], None, |line| line.contains("states/s"));
    assert!(line.contains("large.pml: safety: "), "{line}");
    let line = until(&["--progress", "json"], None, |line| line.contains("progress"));
    let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let progress = &value["progress"];
    assert!(progress["what"].as_str().is_some_and(|what| what.contains("safety")), "{line}");
    for key in ["seconds", "states", "rate", "depth", "memory", "resident"] {
        assert!(progress[key].is_number(), "{key}: {line}");
    }
    assert!(progress["seconds"].as_f64().is_some_and(|seconds| seconds >= 1.0), "{line}");
    assert!(progress["about"].is_null() && progress["at_most"].is_null(), "{line}");
}

/// Searches for runs say where they are, and how long they take at most if there is a limit.
#[test]
fn progress_of_temporal_searches() {
    let formula = ["--ltl", "[]<> (a < 256)", "--progress", "json", "--no-por"];
    for (order, keys, others) in [
        ("--dfs", &["depth"][..], &["level", "frontier"][..]),
        ("--bfs", &["level", "frontier"], &[]),
    ] {
        let options = [&formula[..], &[order, "--time-limit", "1000"]].concat();
        let line = until(&options, None, |line| line.contains("expansions"));
        let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let progress = &value["progress"];
        assert!(keys.iter().all(|&key| progress[key].is_u64()), "{line}");
        assert!(others.iter().all(|&key| progress[key].is_null()), "{line}");
        let at_most = progress["at_most"].as_f64();
        assert!(at_most.is_some_and(|left| left > 0.0 && left < 1000.0), "{line}");
    }
}
