//! Shortcuts keep verdicts: every model with and without them, alone and together.
//!
//! `LARIAT_CORPUS_MAX` sets how many states a model may have to be run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lariat_model::interp::Move;
use lariat_model::ir::Model;
use lariat_model::shortcuts::{Shortcuts, apply, retrace};
use lariat_model::{dve, promela};
use lariat_search::safety::{Exploration, ExploreOptions, explore};
use lariat_testing::{corpus, facts, files};

const DEFAULT_MAX: u64 = 4_000;

fn load(path: &Path) -> Option<Model> {
    if path.extension().is_some_and(|extension| extension == "dve") {
        let text = std::fs::read_to_string(path).ok()?;
        let options = dve::DveOptions { property: true };
        dve::load_text(&path.to_string_lossy(), &text, options).ok().map(|loaded| loaded.model)
    } else {
        promela::load(path, &promela::PromelaOptions::default()).ok().map(|loaded| loaded.model)
    }
}

fn kinds(found: &Exploration) -> BTreeSet<&'static str> {
    found.errors.keys().copied().collect()
}

/// The moves of the first error lead to an error of that kind on the model as it was given.
fn first_error_retraces(model: &Model, explored: &Model, found: &Exploration) -> bool {
    let Some(path) = &found.first_error else { return true };
    let Ok(steps) = path.commands(explored) else { return false };
    let moves: Vec<Move> = steps.into_iter().flatten().collect();
    let Ok(retraced) = retrace(model, &moves, None) else { return false };
    path.last.is_empty() != retraced.is_faulty
}

#[test]
fn verdicts_stay() {
    let mut paths = facts("promela", 278);
    paths.extend(facts("dve", 159));
    paths.extend(files(&lariat_testing::repository().join("examples"), &["pml", "dve"]));
    compare(&paths, 350);
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn verdicts_of_the_corpus_stay() {
    compare(&files(&corpus(), &["pml", "pr", "prom", "promela", "dve", "pm"]), 120);
}

/// Each model that is small enough; there must be `least` of them.
fn compare(paths: &[PathBuf], least: usize) {
    let max = std::env::var("LARIAT_CORPUS_MAX").ok().and_then(|max| max.parse().ok());
    let options =
        ExploreOptions { max_states: Some(max.unwrap_or(DEFAULT_MAX)), ..Default::default() };
    let none = Shortcuts::NONE;
    let sets = [
        ("fold", Shortcuts { fold: true, ..none }),
        ("slice", Shortcuts { slice: true, ..none }),
        ("dead", Shortcuts { dead_variables: true, ..none }),
        ("merge", Shortcuts { merge: true, ..none }),
        ("all", Shortcuts::ALL),
    ];
    let mut failures = Vec::new();
    let (mut compared, mut before) = (0, 0);
    let mut after = [0; 5];
    for path in paths {
        let Some(model) = load(path) else { continue };
        let Ok(plain) = explore(&model, &options) else { continue };
        if plain.limit.is_some() {
            continue;
        }
        compared += 1;
        before += plain.states;
        for (at, (name, which)) in sets.iter().enumerate() {
            let mut smaller = model.clone();
            apply(&mut smaller, &[], *which);
            let found = explore(&smaller, &options).expect("the initial state was all right");
            after[at] += found.states;
            let exact = which.slice || which.dead_variables || which.merge;
            let counts = |found: &Exploration| (found.states, found.transitions, found.depth);
            let ok = found.limit.is_none()
                && kinds(&found) == kinds(&plain)
                && (found.deadlocks > 0) == (plain.deadlocks > 0)
                && found.executed == plain.executed
                && (exact || counts(&found) == counts(&plain))
                && first_error_retraces(&model, &smaller, &found);
            if !ok {
                failures.push(format!(
                    "{} with {name}: {} states {:?} limit {:?}, without {} states {:?}",
                    path.display(),
                    found.states,
                    found.errors,
                    found.limit,
                    plain.states,
                    plain.errors
                ));
            }
        }
    }
    let shares: Vec<String> = sets
        .iter()
        .zip(after)
        .map(|((name, _), after)| format!("{name} {:.1} %", 100.0 * after as f64 / before as f64))
        .collect();
    println!("{compared} models, {before} states; with {}", shares.join(", "));
    assert!(compared >= least, "only {compared} models");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
