//! Trails that lariat writes, replayed by Spin's own guided simulation to the end.
//!
//! `LARIAT_TRAILS=all cargo test -p lariat-cli --test all trails:: -- --nocapture` replays those of the
//! whole corpus and prints a line for each; without it, the first 25 models that are quick.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lariat_testing::{PROMELA, corpus, facts, files, needs, repository};

/// What Spin says when a trail does not fit the model.
const COMPLAINTS: [&str; 9] = [
    "transition failed",
    "no matching stmnt",
    "stop error",
    "invalid statement",
    "no process",
    "(?)",
    "syntax error",
    "lost",
    "cannot find",
];

struct Replay {
    statements: usize,
    complaint: Option<String>,
}

/// The model and what it may include, in a folder of its own.
fn copy(model: &Path, folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder for the model");
    let home = model.parent().expect("a model is in a folder");
    for entry in std::fs::read_dir(home).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let name = path.file_name().expect("a file has a name");
            std::fs::copy(&path, folder.join(name)).expect("the file can be copied");
        }
    }
}

/// Checks a model so that a run comes out; None if there is none within the limits, or no
/// trail is written for it.
fn write_trail(folder: &Path, name: &str, question: &[&str]) -> Option<serde_json::Value> {
    let trail = format!("{name}.trail");
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .current_dir(folder)
        .args(["check", name, "--quiet", "--no-save", "--json", "--trail", &trail])
        .args(["--time-limit", "2", "--max-memory", "400M"])
        .args(question)
        .output()
        .expect("lariat can be started");
    folder.join(&trail).exists().then(|| {
        let text = String::from_utf8_lossy(&output.stdout);
        serde_json::from_str(&text).expect("a report with the run")
    })
}

fn replay(folder: &Path, name: &str, report: &serde_json::Value) -> Replay {
    let Output { stdout, stderr, status } = Command::new("spin")
        .current_dir(folder)
        .args(["-t", "-p", name])
        .output()
        .expect("spin can be started");
    let said = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
    let theirs: Vec<(u64, u64)> = said.lines().filter_map(statement).collect();
    let run = &report["properties"][0]["run"];
    let parts = [&run["prefix"]["statements"], &run["loop"]["statements"]];
    let mine: Vec<(u64, u64)> = parts
        .iter()
        .filter_map(|part| part.as_array())
        .flatten()
        .filter(|line| line["statement"] != "-end-")
        .filter_map(|line| Some((line["pid"].as_u64()?, line["line"].as_u64()?)))
        .collect();
    let mut complaint = None;
    if !said.contains("spin: trail ends after") || !status.success() {
        complaint = Some(format!("the trail does not end: {}", last_line(&said)));
    }
    let complains = |line: &&str| COMPLAINTS.iter().any(|what| line.contains(what));
    if let Some(line) = said.lines().find(complains) {
        complaint = Some(line.to_owned());
    }
    // A d_step is one statement here and several there; a fault that Spin would not survive
    // is left out of the trail.
    let pids = |list: &[(u64, u64)]| {
        let mut pids: Vec<u64> = list.iter().map(|&(pid, _)| pid).collect();
        pids.dedup();
        pids
    };
    let (ours, spins) = (pids(&mine), pids(&theirs));
    let is_error = run["ending"] == "error";
    let fits = spins == ours || is_error && ours.starts_with(&spins);
    if complaint.is_none() && !fits {
        complaint = Some(format!("Spin moved other processes: {spins:?}, not {ours:?}"));
    }
    Replay { statements: theirs.len(), complaint }
}

/// A line of `spin -p`: depth, process, place, then the statement in brackets.
fn statement(line: &str) -> Option<(u64, u64)> {
    // Without a statement in brackets it is only where a process stands at the end.
    let line = line.split_once("\t[")?.0;
    let rest = line.trim_start().split_once(":\tproc ")?.1.trim_start();
    let pid = rest.split_whitespace().next()?.parse().ok()?;
    let place = rest.split_once(" (state ")?.0;
    let line = place.rsplit_once(':')?.1.parse().ok()?;
    Some((pid, line))
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or("nothing was said")
}

#[test]
#[ignore = "needs spin"]
fn spin_replays_trails_to_the_end() {
    let mut paths = files(&repository().join("examples"), &["pml"]);
    paths.extend(facts("promela", 278));
    replay_all(&paths, 40);
}

#[test]
#[ignore = "needs spin and LARIAT_CORPUS, see docs/corpus.md"]
fn spin_replays_trails_of_the_corpus() {
    replay_all(&files(&corpus().join("promela"), PROMELA), 25);
}

fn replay_all(paths: &[PathBuf], wanted: usize) {
    needs("spin");
    let all = std::env::var("LARIAT_TRAILS").is_ok_and(|which| which == "all");
    let most = if all { usize::MAX } else { wanted };
    let scratch =
        std::env::temp_dir().join(format!("lariat-trails-{wanted}-{}", std::process::id()));
    let (mut trails, mut replayed, mut wrong) = (0, 0, Vec::new());
    for path in paths {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let mut has_trail = false;
        // An error if there is one, and a run that goes on for ever.
        for question in [&["--safety"][..], &["--exists", "true"]] {
            copy(path, &scratch);
            if let Some(report) = write_trail(&scratch, &name, question) {
                has_trail = true;
                trails += 1;
                let Replay { statements, complaint } = replay(&scratch, &name, &report);
                let verdict = complaint.as_deref().unwrap_or("replayed");
                println!("{} {}: {statements} statements: {verdict}", path.display(), question[0]);
                if let Some(complaint) = complaint {
                    wrong.push(format!("{} {}: {complaint}", path.display(), question[0]));
                }
            }
            std::fs::remove_dir_all(&scratch).expect("the folder can be removed");
        }
        replayed += usize::from(has_trail);
        if replayed >= most {
            break;
        }
    }
    println!("{trails} trails of {replayed} models, {} complaints", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(replayed >= wanted, "only {replayed} models had a run");
}
