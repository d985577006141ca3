//! Ctrl-C and SIGTERM end a search with a report.

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
