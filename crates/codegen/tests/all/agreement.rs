//! Native code and interpreter agree on every model at hand, state by state.
//!
//! `LARIAT_NATIVE_STATES` sets how many states of each model are compared; the default keeps
//! the test quick. `LARIAT_NATIVE_ONLY` picks files by a part of their name.

use std::path::{Path, PathBuf};

use crate::common::{Fair, Seen, compare};
use lariat_model::{dve, promela};
use lariat_testing::{PROMELA, corpus, facts, files};

fn limit(default: usize) -> usize {
    let given = std::env::var("LARIAT_NATIVE_STATES").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Those that were asked for.
fn picked(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let only = std::env::var("LARIAT_NATIVE_ONLY").unwrap_or_default();
    paths.retain(|path| path.to_string_lossy().contains(&only));
    paths
}

/// Models that are refused are none of our business here.
fn compare_file(
    path: &Path,
    limit: usize,
    warm_up: u64,
    fair: Option<Fair>,
) -> Option<Result<Seen, String>> {
    if path.extension().is_some_and(|ending| ending == "dve") {
        let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
        let name = path.file_name()?.to_string_lossy();
        let mut seen = Seen::default();
        for property in [true, false] {
            let loaded = dve::load_text(&name, &text, dve::DveOptions { property }).ok()?;
            match compare(&loaded.model, &[], limit, warm_up, fair) {
                Ok(more) => add(&mut seen, more),
                Err(error) => return Some(Err(error)),
            }
            if property && loaded.model.property.is_none() {
                break;
            }
        }
        return Some(Ok(seen));
    }
    let loaded = promela::load(path, &promela::PromelaOptions::default()).ok()?;
    Some(compare(&loaded.model, &[], limit, warm_up, fair))
}

fn add(sum: &mut Seen, more: Seen) {
    sum.states += more.states;
    sum.edges += more.edges;
    sum.foretold += more.foretold;
    sum.foretold_by_own += more.foretold_by_own;
    sum.foretold_by_factors += more.foretold_by_factors;
    sum.counts.native += more.counts.native;
    sum.counts.interpreted += more.counts.interpreted;
}

/// Compares all files; prints who expanded how many states.
fn compare_all(paths: &[PathBuf], limit: usize, warm_up: u64) -> Seen {
    let (mut sum, mut native, mut mixed, mut interpreted, mut refused) =
        (Seen::default(), 0, 0, 0, 0);
    let mut wrong = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let name = path.display();
        // Each kind of fairness in turn, and none.
        match compare_file(path, limit, warm_up, Fair::by(number as u64)) {
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
         states: {} native, {} interpreted; {} edges; {} times the steps of a process foretold, \
         {} by its own variables, {} by factors",
        sum.counts.native,
        sum.counts.interpreted,
        sum.edges,
        sum.foretold,
        sum.foretold_by_own,
        sum.foretold_by_factors
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    sum
}

#[test]
fn promela_facts() {
    let paths = picked(facts("promela", 278));
    let seen = compare_all(&paths, limit(20_000), 0);
    assert!(seen.counts.native > 2_000, "{seen:?}");
}

#[test]
fn dve_facts() {
    let paths = picked(facts("dve", 159));
    let seen = compare_all(&paths, limit(20_000), 0);
    assert!(seen.counts.native > 300 && seen.foretold > 20, "{seen:?}");
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn beem() {
    let paths = picked(files(&corpus().join("beem/dve"), &["dve"]));
    let seen = compare_all(&paths, limit(250), 10);
    assert!(seen.counts.native > 10_000, "{seen:?}");
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn promela_corpus() {
    let mut paths = files(&corpus().join("promela"), PROMELA);
    paths.extend(files(&corpus().join("beem"), PROMELA));
    let paths = picked(paths);
    let seen = compare_all(&paths, limit(250), 10);
    assert!(seen.counts.native > 10_000, "{seen:?}");
}
