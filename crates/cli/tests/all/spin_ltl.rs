//! Questions about infinite runs that the corpus records Spin's answers to: `ltl` blocks, never
//! claims and non-progress cycles, with and without fairness. `versus-spin-ltl` of the bench
//! asks the same with every check.

use std::path::PathBuf;

use lariat_bench::ltl::ours::Lariat;
use lariat_bench::ltl::rows::{About, Row, recorded};
use lariat_testing::corpus;

fn rows() -> Vec<Row> {
    let rows = recorded(&corpus()).expect("spin_ref.csv");
    rows.into_iter().filter(|row| row.recorded.is_some()).collect()
}

/// What lariat says differently, by this check.
fn difference(row: &Row, more: &[&str]) -> Option<String> {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_lariat"));
    let lariat = Lariat { program, limit_seconds: 300, folder: std::env::temp_dir() };
    let args = row.arguments();
    let args: Vec<&str> = args.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let model = corpus().join(&row.path).canonicalize().expect("the corpus has the model");
    let ours = lariat.check(&model, &args);
    let is_equal = ours.as_ref().ok() == row.recorded.as_ref();
    (!is_equal).then(|| format!("{} {} {more:?}: {ours:?}", row.path, row.mode()))
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn verdicts_are_spins() {
    let rows = rows();
    let differences: Vec<String> = rows.iter().filter_map(|row| difference(row, &[])).collect();
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
    assert!(rows.len() >= 38, "only {} rows were compared", rows.len());
}

/// Small ones, by one check of each kind.
#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn checks_agree() {
    let is_small =
        |row: &&Row| !["train", "fluke", "i-protocol"].iter().any(|l| row.path.contains(l));
    for row in rows().iter().filter(is_small) {
        let checks: &[&str] = match row.fair {
            false => &["se", "and", "gv", "c99", "ascc", "tauriainen", "gabow", "dijkstra"],
            true => &["c99", "ascc", "tauriainen", "tarjan-tgba", "gabow"],
        };
        for check in checks {
            assert_eq!(difference(row, &["--algorithm", check]), None);
        }
        if row.about == About::NonProgress && !row.fair {
            let direct = Row { about: About::NonProgress, ..row.clone() };
            assert_eq!(difference(&direct, &["--cache", "64M"]), None);
        }
    }
}
