//! State counts of real models, against those that Spin gave (`spin_exact.csv`).
//!
//! `LARIAT_CORPUS_MAX` sets how many states a model may have to be run; the default keeps the
//! test quick. `LARIAT_CORPUS_ONLY` picks files by a part of their name.

use std::path::Path;

use lariat_model::explore::{ExploreOptions, explore};
use lariat_model::promela::{Options, load};

/// Files that lariat counts differently, with the reason; see `docs/promela-differences.md`.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "fluke/src/test/big/big.pr",
    "reads and writes `threads[-1]`: Spin goes on with the memory before the array",
)];

struct Row {
    path: String,
    states: u64,
    matched: u64,
    depth: u64,
}

fn rows(corpus: &Path) -> Option<Vec<Row>> {
    let table = std::fs::read_to_string(corpus.join("spin_exact.csv")).ok()?;
    let rows = table.lines().skip(1).filter_map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let &[path, "complete", states, matched, _, _, depth, _] = &fields[..] else { return None };
        Some(Row {
            path: path.into(),
            states: states.parse().ok()?,
            matched: matched.parse().ok()?,
            depth: depth.parse().ok()?,
        })
    });
    Some(rows.collect())
}

fn has_embedded_c(text: &str) -> bool {
    ["c_code", "c_expr", "c_decl", "c_state", "c_track"].iter().any(|word| text.contains(word))
}

#[test]
fn counts_equal_spins() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Some(rows) = rows(&corpus) else {
        println!("skipped: no shared/corpus beside the repository");
        return;
    };
    let limit = std::env::var("LARIAT_CORPUS_MAX").ok().and_then(|max| max.parse().ok());
    let limit: u64 = limit.unwrap_or(20_000);
    let only = std::env::var("LARIAT_CORPUS_ONLY").unwrap_or_default();
    let (mut equal, mut skipped, mut other_edges) = (0, 0, 0);
    let mut failures = Vec::new();
    for row in &rows {
        let path = corpus.join(&row.path);
        let text = std::fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        if row.states > limit || has_embedded_c(&text) || !row.path.contains(&only) {
            skipped += 1;
            continue;
        }
        let excepted = EXCEPTIONS.iter().any(|(exception, _)| row.path.ends_with(exception));
        let failure = match load(&path, &Options::default()) {
            Err(failure) => {
                let first = failure.diagnostics.iter().find(|d| d.is_error()).unwrap();
                let place = failure.sources.location(first.primary.span);
                Some(format!("refused: {place:?}: {}", first.message))
            }
            Ok(loaded) => {
                let options = ExploreOptions {
                    ignore_assertions: true,
                    ignore_end_states: true,
                    stop_at_fatal: true,
                    max_states: Some(3 * row.states + 1000),
                    ..Default::default()
                };
                match explore(&loaded.model, &options) {
                    Err(faults) => Some(format!("initial state at fault: {faults:?}")),
                    Ok(found) if found.states != row.states => Some(format!(
                        "states {} matched {} errors {:?} limit {:?}, Spin has states {} matched {}",
                        found.states,
                        found.matched,
                        found.errors,
                        found.limit,
                        row.states,
                        row.matched
                    )),
                    Ok(found) => {
                        if found.matched != row.matched || found.depth != row.depth {
                            other_edges += 1;
                            println!(
                                "{}: matched {} depth {}, Spin has {} and {}",
                                row.path, found.matched, found.depth, row.matched, row.depth
                            );
                        }
                        None
                    }
                }
            }
        };
        match (failure, excepted) {
            (None, false) => equal += 1,
            (Some(_), true) => skipped += 1,
            (None, true) => failures.push(format!("{}: no longer an exception", row.path)),
            (Some(failure), false) => failures.push(format!("{}: {failure}", row.path)),
        }
    }
    println!(
        "{} rows: {equal} equal, {} differ, {skipped} skipped; {other_edges} with other transitions or depth",
        rows.len(),
        failures.len()
    );
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
