//! A report that cannot be written is no answer: exit code 2 and a message, never a panic. A
//! reader who goes away is no error.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Output, Stdio};

fn to_full_disk(arguments: &[&str]) -> Output {
    let full = File::options().write(true).open("/dev/full").expect("/dev/full can be opened");
    Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(full)
        .output()
        .expect("lariat can be started")
}

/// A saved run, for `replay`.
fn saved_run() -> String {
    let file = std::env::temp_dir().join(format!("lariat-writes-{}.json", std::process::id()));
    let file = file.display().to_string();
    let model = "../../examples/broken_mutex.pml";
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["check", model, "--ignore-expectations", "--lasso", &file])
        .output()
        .expect("lariat can be started");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    file
}

#[test]
fn every_command_notices_a_full_disk() {
    let mutex = "../../examples/mutex.pml";
    let saved = saved_run();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["check", "--help"],
        &["check", mutex, "--no-save"],
        &["check", mutex, "--no-save", "--json"],
        &["check", mutex, "--no-save", "--report", "spin"],
        &["check", mutex, mutex, "--no-save"],
        &["count", mutex],
        &["count", mutex, "--json"],
        &["show", mutex],
        &["show", mutex, "--dot"],
        &["simulate", mutex, "--seed", "1"],
        &["simulate", mutex, "--interactive"],
        &["translate", "G F a"],
        &["translate", "G F a", "-o", "never"],
        &["translate", "G F a", "-o", "dot"],
        &["translate", "G F a", "-o", "stats"],
        &["algorithms"],
        &["cross", "G F a"],
        &["empty", "tests/data/empty.hoa"],
        &["scc", "tests/data/empty.hoa"],
        &["replay", &saved],
    ] {
        let output = to_full_disk(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("the report is lost"), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    }
    std::fs::remove_file(saved).expect("the saved run can be removed");
}

/// Nor is there a panic if the message cannot be written either.
#[test]
fn a_full_standard_error() {
    for (arguments, code) in
        [(&["check", "tests/data/typo.pml"][..], 2), (&["count", "../../examples/mutex.pml"], 0)]
    {
        let full = File::options().write(true).open("/dev/full").expect("/dev/full can be opened");
        let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(full)
            .spawn()
            .expect("lariat can be started");
        assert_eq!(child.wait().expect("it ends").code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_is_quiet() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["simulate", "../../examples/mutex.pml", "--steps", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lariat can be started");
    let mut first = [0; 10];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("it says something");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
