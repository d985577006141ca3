//! Spin itself beside lariat, on twenty files of the corpus.

use std::time::Duration;

use lariat_bench::versus::row::{Agreement, Row};
use lariat_bench::versus::spin;

/// Small ones of many kinds: rendezvous, atomic, d_step, unless, timeout, priorities, typedefs.
const FILES: [&str; 20] = [
    "beem/pm/adding.1.pm",
    "beem/pm/bakery.1.pm",
    "beem/pm/blocks.2.pm",
    "promela/spin/Examples/Book_1991/p101.pml",
    "promela/spin/Examples/Book_1991/p102.pml",
    "promela/spin/Examples/Book_1991/p104.2.pml",
    "promela/spin/Examples/Book_1991/p105.1.pml",
    "promela/spin/Examples/Book_1991/p116.pml",
    "promela/spin/Examples/Book_1991/p117.pml",
    "promela/spin/Examples/Book_1991/p123.pml",
    "promela/spin/Examples/Book_1991/p312.pml",
    "promela/spin/Examples/Book_1991/p319.pml",
    "promela/spin/Examples/Book_1991/p320.pml",
    "promela/spin/Examples/Book_1991/p94.pml",
    "promela/spin/Examples/Book_1991/p96.2.pml",
    "promela/spin/Examples/peterson.pml",
    "promela/spins/tests/case_studies/spider-examples/sem3.pml",
    "promela/spins/tests/case_studies/x509/X.509.prm",
    "promela/spins/tests/regression/full_rendezvous",
    "promela/spins/tests/regression/run_expression.prom",
];

#[test]
#[ignore = "needs spin, gcc and LARIAT_CORPUS, see docs/corpus.md"]
fn states_and_verdicts_equal_spins() {
    let corpus = lariat_testing::corpus();
    assert!(spin::is_installed(), "this test needs spin and gcc");
    let mut failures = Vec::new();
    for (number, path) in FILES.iter().enumerate() {
        let row = Row::measure(&corpus, path, number, Duration::from_secs(60)).unwrap();
        println!("{}", row.cells().join("  "));
        let answers = [row.states(), row.transitions_and_depth(), row.verdicts()];
        if answers != [Agreement::Equal; 3] {
            failures.push(row.cells().join("  "));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
