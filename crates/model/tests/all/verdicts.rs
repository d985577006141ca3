//! Which real models are accepted, and what is wrong with them, beside Spin's answers
//! (`spin_ref.csv`).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lariat_model::explore::{ErrorKind, ExploreOptions, Limit, explore};
use lariat_model::promela::{Options, load};

/// Files that Spin accepts and lariat does not, with the reason.
const REFUSED: &[(&str, &str)] = &[];
/// Files with another verdict, with the reason.
const OTHER_VERDICT: &[(&str, &str)] = &[];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

/// The rows of a table with quoted fields, as maps from column to value.
fn rows() -> Option<Vec<HashMap<String, String>>> {
    let table = std::fs::read_to_string(corpus().join("spin_ref.csv")).ok()?;
    let mut lines = table.lines();
    let header = split(lines.next()?);
    let rows = lines.map(|line| header.iter().cloned().zip(split(line)).collect());
    Some(rows.collect())
}

fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

fn is_listed(list: &[(&str, &str)], path: &str) -> bool {
    list.iter().any(|(name, _)| path.ends_with(name))
}

#[test]
fn accepts_what_spin_accepts() {
    let Some(rows) = rows() else {
        println!("skipped: no shared/corpus beside the repository");
        return;
    };
    let mut failures = Vec::new();
    let (mut accepted, mut refused, mut more) = (0, 0, 0);
    for row in rows.iter().filter(|row| row["mode"] == "parse") {
        let path = &row["path"];
        let loaded = load(&corpus().join(path), &Options::default());
        let spin_accepts = row["status"] == "ok";
        match loaded {
            Ok(_) if spin_accepts => accepted += 1,
            Ok(_) => {
                more += 1;
                println!("accepted, refused by Spin ({}): {path}", row["parse_class"]);
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
fn verdicts_equal_spins() {
    let Some(rows) = rows() else {
        println!("skipped: no shared/corpus beside the repository");
        return;
    };
    let limit = std::env::var("LARIAT_CORPUS_MAX").ok().and_then(|max| max.parse().ok());
    let limit: u64 = limit.unwrap_or(20_000);
    let mut failures = Vec::new();
    let (mut equal, mut undecided) = (0, 0);
    for row in rows.iter().filter(|row| row["mode"] == "safety_nored") {
        let expected = match (row["verdict"].as_str(), row["error_type"].as_str()) {
            ("safe", _) => "safe",
            ("error", error) => error,
            _ => continue,
        };
        let path = &row["path"];
        let Ok(loaded) = load(&corpus().join(path), &Options::default()) else { continue };
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
