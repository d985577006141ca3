//! A small model for rows of the table in docs/por.md, in which a set is wrong if the row is
//! forgotten. `cargo test -p lariat-por --features mistakes`, with LARIAT_MISTAKE, shows that.

use lariat_model::{dve, promela};
use lariat_por::semantics::{Caps, check};
use lariat_por::{Looks, Reduction};

use crate::explore::{Order, explore};

const NOTHING: Looks<'static> = Looks { propositions: &[], fairness: false };

/// By mistake: a model. `por-else` and `por-unless` are about neighbours whose own demands mostly say the
/// same; random models find the second. `por-run` is hidden by the ends of whatever is started.
const ROWS: [(&str, &str); 9] = [
    (
        "por-provided",
        "byte a; active proctype P() provided (a == 0) { byte x; x = 1; x = 2 }
         active proctype Q() { a = 1; a = 0 }",
    ),
    (
        "por-receive-receive",
        "chan q = [2] of { byte }; active proctype P() { byte x; q?x }
         active proctype Q() { byte x; q?x } active proctype R() { q!1; q!2 }",
    ),
    (
        "por-sorted-send",
        "chan q = [2] of { byte }; active proctype P() { byte x; q?x }
         active proctype Q() { q!!1 } active proctype R() { q!2 }",
    ),
    (
        "por-test",
        "chan q = [2] of { byte }; active proctype P() { byte x; len(q) == 0; x = 1 }
         active proctype Q() { q!1 }",
    ),
    (
        "por-subscript",
        "byte a[2]; active proctype P() { byte i; i = 1; a[i] = 1 }
         active proctype Q() { byte x; a[1] == 0; x = 1 }",
    ),
    (
        "por-match-reads",
        "chan q = [1] of { byte }; byte a; active proctype P() { q?eval(a) }
         active proctype Q() { a = 2 } active proctype R() { q!0 }",
    ),
    (
        "por-run-ready",
        "chan c = [0] of { byte }; byte x; proctype R() { c?x }
         active proctype P() { byte i; atomic { i = 1; c!1 } } active proctype Q() { run R() }",
    ),
    (
        "por-own-channels",
        "chan g; active proctype R() { g != 0; g!1 }
         active proctype O() { chan c = [1] of { byte }; g = c }
         active proctype Y() { byte x; if :: x = 1 :: x = 2 fi }",
    ),
    (
        "por-process-count",
        "active proctype P() { byte x; _nr_pr == 2; x = 1 } active proctype Q() { byte y; y = 1 }",
    ),
];

#[test]
fn each_row_has_a_model_that_needs_it() {
    for (mistake, text) in ROWS {
        let loaded = promela::load_text("row.pml", text, &Default::default());
        let model = loaded.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).model;
        let mut reduction = Reduction::new(&model, NOTHING).expect("a reduction");
        if let Err(error) = check(&model, &mut reduction, Caps::default()) {
            panic!("{mistake}: {error}");
        }
    }
}

/// An assertion of DVE fails only while its process stays where it is.
#[test]
fn assertions_of_control_points_are_asked_before_the_process_leaves() {
    let text = "byte x;
        process P { state a, b; init a; assert a: x == 0; trans a -> b {}; }
        process Q { state a, b; init a; trans a -> b { effect x = 1; }; }
        system async;";
    let options = dve::DveOptions { property: false };
    let loaded = dve::load_text("row.dve", text, options);
    let model = loaded.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).model;
    let mut reduction = Reduction::new(&model, NOTHING).expect("a reduction");
    let reduced = explore(&model, &mut reduction, Order::BreadthFirst, false, 100);
    assert!(reduced.faults > 0, "the assertion fails where Q moves first");
}
