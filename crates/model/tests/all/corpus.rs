//! State counts of real models, against those that Spin gave (`spin_exact.csv`).
//!
//! `LARIAT_CORPUS_MAX` sets how many states a model may have to be run; the default keeps the
//! test quick. `LARIAT_CORPUS_ONLY` picks files by a part of their name.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use lariat_model::promela::{PromelaOptions, load};
use lariat_search::safety::{ExploreOptions, explore};
use lariat_testing::table::Table;

/// Files that lariat counts differently, with the reason; see `docs/promela-differences.md`.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "fluke/src/test/big/big.pr",
    "reads and writes `threads[-1]`: Spin goes on with the memory before the array",
)];

/// 150 files and some more have at most so many states.
const DEFAULT_MAX: u64 = 450_000;

struct Row {
    path: String,
    states: u64,
    matched: u64,
    depth: u64,
}

fn rows(corpus: &Path) -> Vec<Row> {
    let table = Table::read(&corpus.join("spin_exact.csv")).unwrap();
    let complete = table.rows().filter(|row| row.get("status") == "complete");
    let rows = complete.map(|row| {
        let number = |column| row.number(column).unwrap_or_else(|| panic!("no {column}"));
        let path = row.get("path").into();
        let (states, matched, depth) = (number("states"), number("matched"), number("depth"));
        Row { path, states, matched, depth }
    });
    rows.collect()
}

fn has_embedded_c(text: &str) -> bool {
    ["c_code", "c_expr", "c_decl", "c_state", "c_track"].iter().any(|word| text.contains(word))
}

enum Outcome {
    Equal,
    /// The states are equal, the edges are not.
    OtherEdges(String),
    Skipped,
    Failure(String),
}

/// Counts the states of one model.
fn compare(corpus: &Path, row: &Row) -> Outcome {
    let path = corpus.join(&row.path);
    let text = std::fs::read(&path).unwrap_or_default();
    if has_embedded_c(&String::from_utf8_lossy(&text)) {
        return Outcome::Skipped;
    }
    let excepted = EXCEPTIONS.iter().any(|(exception, _)| row.path.ends_with(exception));
    match (count(&path, row), excepted) {
        (Outcome::Failure(_), true) => Outcome::Skipped,
        (Outcome::Failure(failure), false) => Outcome::Failure(format!("{}: {failure}", row.path)),
        (_, true) => Outcome::Failure(format!("{}: no longer an exception", row.path)),
        (outcome, false) => outcome,
    }
}

fn count(path: &Path, row: &Row) -> Outcome {
    let loaded = match load(path, &PromelaOptions::default()) {
        Ok(loaded) => loaded,
        Err(failure) => {
            let first = failure.diagnostics.iter().find(|d| d.is_error()).unwrap();
            let place = failure.sources.location(first.primary.span);
            return Outcome::Failure(format!("refused: {place:?}: {}", first.message));
        }
    };
    let options = ExploreOptions {
        ignore_assertions: true,
        ignore_end_states: true,
        stop_at_fatal: true,
        // Enough to see that there are too many.
        max_states: Some(row.states + 10_000),
        ..Default::default()
    };
    match explore(&loaded.model, &options) {
        Err(faults) => Outcome::Failure(format!("initial state at fault: {faults:?}")),
        Ok(found) if found.states != row.states => Outcome::Failure(format!(
            "states {} matched {} errors {:?} limit {:?}, Spin has states {} matched {}",
            found.states, found.matched, found.errors, found.limit, row.states, row.matched
        )),
        Ok(found) if found.matched != row.matched || found.depth != row.depth => {
            Outcome::OtherEdges(format!(
                "{}: matched {} depth {}, Spin has {} and {}",
                row.path, found.matched, found.depth, row.matched, row.depth
            ))
        }
        Ok(_) => Outcome::Equal,
    }
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn counts_equal_spins() {
    let corpus = lariat_testing::corpus();
    let mut rows = rows(&corpus);
    let all = rows.len();
    let limit = std::env::var("LARIAT_CORPUS_MAX").ok().and_then(|max| max.parse().ok());
    let only = std::env::var("LARIAT_CORPUS_ONLY").ok();
    let is_default = limit.is_none() && only.is_none();
    let limit: u64 = limit.unwrap_or(DEFAULT_MAX);
    let only = only.unwrap_or_default();
    rows.retain(|row| row.states <= limit && row.path.contains(&only));
    // The large ones first, so that the threads end together.
    rows.sort_by_key(|row| std::cmp::Reverse(row.states));
    let next = AtomicUsize::new(0);
    let (next, rows, corpus) = (&next, &rows, &corpus);
    let work = move || {
        let mut outcomes = Vec::new();
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            outcomes.push(compare(corpus, row));
        }
        outcomes
    };
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let (mut equal, mut skipped, mut other_edges) = (0, all - rows.len(), 0);
    let mut failures = Vec::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Equal => equal += 1,
            Outcome::OtherEdges(difference) => {
                println!("{difference}");
                equal += 1;
                other_edges += 1;
            }
            Outcome::Skipped => skipped += 1,
            Outcome::Failure(failure) => failures.push(failure),
        }
    }
    println!(
        "{all} rows: {equal} equal, {} differ, {skipped} skipped; {other_edges} with other transitions or depth",
        failures.len()
    );
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(!is_default || equal >= 150, "the test has shrunk to {equal} files");
}
