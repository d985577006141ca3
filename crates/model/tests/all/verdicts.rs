//! Which real models are accepted, and what is wrong with them, beside Spin's answers
//! (`spin_ref.csv`).

use lariat_core::Limit;
use lariat_model::promela::{PromelaOptions, load};
use lariat_search::safety::{ErrorKind, ExploreOptions, explore};
use lariat_testing::corpus;
use lariat_testing::table::Table;

/// Files that Spin accepts and lariat does not, with the reason.
const REFUSED: &[(&str, &str)] = &[];
/// Files with another verdict, with the reason.
const OTHER_VERDICT: &[(&str, &str)] = &[];

fn table() -> Table {
    Table::read(&corpus().join("spin_ref.csv")).unwrap()
}

fn is_listed(list: &[(&str, &str)], path: &str) -> bool {
    list.iter().any(|(name, _)| path.ends_with(name))
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn accepts_what_spin_accepts() {
    let table = table();
    let mut failures = Vec::new();
    let (mut accepted, mut refused, mut more) = (0, 0, 0);
    for row in table.rows().filter(|row| row.get("mode") == "parse") {
        let path = row.get("path");
        let loaded = load(&corpus().join(path), &PromelaOptions::default());
        let spin_accepts = row.get("status") == "ok";
        match loaded {
            Ok(_) if spin_accepts => accepted += 1,
            Ok(_) => {
                more += 1;
                println!("accepted, refused by Spin ({}): {path}", row.get("parse_class"));
            }
            Err(_) if !spin_accepts => refused += 1,
            Err(failure) => {
                let first = failure.diagnostics.iter().find(|d| d.is_error()).unwrap();
                if first.message.contains("embedded C") || is_listed(REFUSED, path) {
                    println!("refused, accepted by Spin: {path}: {}", first.message);
                    continue;
                }
                let place = failure.sources.location(first.primary.span);
                let place = place.map_or(String::new(), |place| place.to_string());
                failures.push(format!("{path}: {place}: {}", first.message));
            }
        }
    }
    println!("{accepted} accepted by both, {refused} refused by both, {more} accepted only here");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn verdicts_equal_spins() {
    let table = table();
    let limit = std::env::var("LARIAT_CORPUS_MAX").ok().and_then(|max| max.parse().ok());
    let limit: u64 = limit.unwrap_or(20_000);
    let mut failures = Vec::new();
    let (mut equal, mut undecided) = (0, 0);
    for row in table.rows().filter(|row| row.get("mode") == "safety_nored") {
        let expected = match (row.get("verdict"), row.get("error_type")) {
            ("safe", _) => "safe",
            ("error", error) => error,
            _ => continue,
        };
        let path = row.get("path");
        let Ok(loaded) = load(&corpus().join(path), &PromelaOptions::default()) else { continue };
        let options =
            ExploreOptions { stop_at_error: true, max_states: Some(limit), ..Default::default() };
        let Ok(found) = explore(&loaded.model, &options) else {
            failures.push(format!("{path}: the initial state is at fault"));
            continue;
        };
        let seen = match (&found.first_error, found.limit) {
            (Some(trace), _) => match trace.error {
                ErrorKind::InvalidEndState => "invalid end state".to_string(),
                ErrorKind::Fault(fault) if fault.kind.is_assertion() => {
                    "assertion violated".to_string()
                }
                error => error.name().to_string(),
            },
            (None, None) => "safe".to_string(),
            (None, Some(Limit::States)) => {
                undecided += 1;
                continue;
            }
            (None, Some(limit)) => format!("{limit:?}"),
        };
        if seen == expected || is_listed(OTHER_VERDICT, path) {
            equal += 1;
        } else {
            failures.push(format!("{path}: {seen}, Spin says {expected}"));
        }
    }
    println!("{equal} verdicts equal, {undecided} above {limit} states");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
