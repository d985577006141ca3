//! Native code and interpreter agree on every model at hand, state by state.
//!
//! `LARIAT_NATIVE_STATES` sets how many states of each model are compared; the default keeps
//! the test quick. `LARIAT_NATIVE_ONLY` picks files by a part of their name.

use std::path::{Path, PathBuf};

use crate::common::{Seen, compare};
use lariat_model::{dve, promela};

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared")
}

fn limit(default: usize) -> usize {
    let given = std::env::var("LARIAT_NATIVE_STATES").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// All files below a folder with one of these endings.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(folder) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| endings.iter().any(|wanted| e == *wanted)) {
                found.push(path);
            }
        }
    }
    found.sort();
    let only = std::env::var("LARIAT_NATIVE_ONLY").unwrap_or_default();
    found.retain(|path| path.to_string_lossy().contains(&only));
    found
}

/// Models that are refused are none of our business here.
fn compare_file(path: &Path, limit: usize, warm_up: u64) -> Option<Result<Seen, String>> {
    if path.extension().is_some_and(|ending| ending == "dve") {
        let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
        let name = path.file_name()?.to_string_lossy();
        let mut seen = Seen::default();
        for property in [true, false] {
            let loaded = dve::load_text(&name, &text, dve::Options { property }).ok()?;
            match compare(&loaded.model, &[], limit, warm_up) {
                Ok(more) => add(&mut seen, more),
                Err(error) => return Some(Err(error)),
            }
            if property && loaded.model.property.is_none() {
                break;
            }
        }
        return Some(Ok(seen));
    }
    let loaded = promela::load(path, &promela::Options::default()).ok()?;
    Some(compare(&loaded.model, &[], limit, warm_up))
}

fn add(sum: &mut Seen, more: Seen) {
    sum.states += more.states;
    sum.edges += more.edges;
    sum.foretold += more.foretold;
    sum.counts.native += more.counts.native;
    sum.counts.interpreted += more.counts.interpreted;
}

/// Compares all files; prints who expanded how many states.
fn compare_all(paths: &[PathBuf], limit: usize, warm_up: u64) -> Seen {
    let (mut sum, mut native, mut mixed, mut interpreted, mut refused) =
        (Seen::default(), 0, 0, 0, 0);
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.strip_prefix(shared()).unwrap_or(path).display().to_string();
        match compare_file(path, limit, warm_up) {
            None => refused += 1,
            Some(Err(error)) => wrong.push(format!("{name}: {error}")),
            Some(Ok(seen)) => {
                match seen.counts {
                    counts if counts.native == 0 => {
                        println!("interpreted: {name}");
                        interpreted += 1;
                    }
                    counts if counts.interpreted == 0 => native += 1,
                    counts => {
                        println!("mixed: {name}: {counts:?}");
                        mixed += 1;
                    }
                }
                add(&mut sum, seen);
            }
        }
    }
    println!(
        "models: {native} native, {mixed} mixed, {interpreted} interpreted, {refused} refused; \
         states: {} native, {} interpreted; {} edges; {} times the steps of a process foretold",
        sum.counts.native, sum.counts.interpreted, sum.edges, sum.foretold
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    sum
}

#[test]
fn promela_facts() {
    let paths = files(&shared().join("promela-facts"), &["pml"]);
    let seen = compare_all(&paths, limit(20_000), 0);
    assert!(seen.counts.native > 2_000, "{seen:?}");
}

#[test]
fn dve_facts() {
    let paths = files(&shared().join("dve-facts"), &["dve"]);
    let seen = compare_all(&paths, limit(20_000), 0);
    assert!(seen.counts.native > 300, "{seen:?}");
}

#[test]
fn beem() {
    let paths = files(&shared().join("corpus/beem/dve"), &["dve"]);
    let seen = compare_all(&paths, limit(250), 10);
    assert!(seen.counts.native > 10_000, "{seen:?}");
}

#[test]
fn promela_corpus() {
    let mut paths =
        files(&shared().join("corpus/promela"), &["pml", "pr", "prom", "promela", "spin"]);
    paths.extend(files(&shared().join("corpus/beem"), &["pm", "pml"]));
    let seen = compare_all(&paths, limit(250), 10);
    assert!(seen.counts.native > 10_000, "{seen:?}");
}
