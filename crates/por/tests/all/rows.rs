//! A small model for rows of the table in docs/por.md, in which a set is wrong if the row is
//! forgotten. [`super::switched_off`] shows that; rows that are not here have a test in `hand.rs`.

use lariat_model::ir::Model;
use lariat_model::{dve, promela};
use lariat_por::semantics::{Caps, check};
use lariat_por::{Looks, Reduction};

use crate::explore::{Order, explore};

const NOTHING: Looks<'static> = Looks { propositions: &[], fairness: false };

/// By mistake: a model. One of the processes mostly has two steps, so that another is the first choice.
const ROWS: [(&str, &str); 19] = [
    (
        "por-future",
        "byte a; active proctype Q() { byte x; if :: x = 1 :: x = 2 fi; a = 1 }
         active proctype P() { a == 0 }",
    ),
    (
        "por-started",
        "byte a; proctype C() { a = 1 } active proctype Q() { run C() }
         active proctype P() { a == 0 }",
    ),
    (
        "por-disabled",
        "byte a; active proctype P() { byte x; if :: a == 1 -> x = 1 :: x = 2 fi }
         active proctype Q() { a = 1 }",
    ),
    // Not with variables: whoever writes what a neighbour reads conflicts with the neighbour. But a send
    // does not conflict with a receive, only with the question whether there is something to receive.
    (
        "por-else",
        "chan q = [1] of { byte }; active proctype P() { byte x; if :: q?x :: else -> x = 2 fi }
         active proctype Q() { q!1 }",
    ),
    (
        "por-unless",
        "chan q = [1] of { byte }; active proctype P() { byte x; { x = 2 } unless { q?x } }
         active proctype Q() { q!1 }",
    ),
    (
        "por-provided",
        "byte a; active proctype P() provided (a == 0) { byte x; x = 1; x = 2 }
         active proctype Q() { a = 1; a = 0 }",
    ),
    (
        "por-atomic-chain",
        "byte a; active proctype Q() { a == 0 }
         active proctype P() { byte x; atomic { x = 1; a = 1 } }",
    ),
    (
        "por-inner-any",
        "chan q = [1] of { byte }; active proctype Q() { q!1 }
         active proctype P() { byte x; atomic { x = 1; q?x } }",
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
        "por-rendezvous",
        "chan c = [0] of { byte }; active proctype P() { c!1 } active proctype Q() { byte x; c?x }
         active proctype R() { byte x; if :: x = 1 :: x = 2 fi; c?x }",
    ),
    // Nobody ends, or that would conflict with the other's `run`.
    (
        "por-run",
        "proctype C(byte who) { do :: who = 1 - who od }
         active [2] proctype P() { byte x; run C(_pid); do :: x = 1 - x od }",
    ),
    // Also for `por-end-order`: O ends behind Y.
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
    (
        "por-remote",
        "active proctype P() { byte x; x = 1; l: x = 2 }
         active proctype Q() { !P@l }",
    ),
    (
        "por-committed",
        "process P { state a, b, c; commit b; init a; trans a -> b {}, b -> c {}; }
         process Q { state a, b; init a; trans a -> b {}; }
         system async;",
    ),
];

fn load(text: &str) -> Model {
    let loaded = match text.contains("system async") {
        true => dve::load_text("row.dve", text, dve::DveOptions { property: false })
            .map(|loaded| loaded.model)
            .map_err(|failure| failure.diagnostics),
        false => promela::load_text("row.pml", text, &Default::default())
            .map(|loaded| loaded.model)
            .map_err(|failure| failure.diagnostics),
    };
    loaded.unwrap_or_else(|diagnostics| panic!("{text}: {diagnostics:?}"))
}

#[test]
fn each_row_has_a_model_that_needs_it() {
    for (mistake, text) in ROWS {
        let model = load(text);
        let mut reduction = Reduction::new(&model, NOTHING).expect("a reduction");
        match check(&model, &mut reduction, Caps::default()) {
            Ok(stats) => assert!(stats.is_complete, "{mistake}"),
            Err(error) => panic!("{mistake}: {error}"),
        }
    }
}

/// `por-visible-control`: the process is seen to come and go.
#[test]
fn control_points_of_properties_are_seen() {
    let text = "byte a; active proctype Q() { byte y; if :: a = 1 :: y = 1 fi }
        active proctype P() { byte x; x = 1; l: x = 2 }";
    let loaded = promela::load_text("row.pml", text, &Default::default());
    let mut loaded = loaded.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    let seen = loaded.add_expression("p", "P@l").expect("an expression");
    let looks = Looks { propositions: &[seen], fairness: false };
    let mut reduction = Reduction::new(&loaded.model, looks).expect("a reduction");
    let checked = check(&loaded.model, &mut reduction, Caps::default());
    assert!(checked.is_ok(), "{checked:?}");
}

/// An assertion of DVE fails only while its process stays where it is.
#[test]
fn assertions_of_control_points_are_asked_before_the_process_leaves() {
    let text = "byte x;
        process P { state a, b; init a; assert a: x == 0; trans a -> b {}; }
        process Q { state a, b; init a; trans a -> b { effect x = 1; }; }
        system async;";
    let model = load(text);
    let mut reduction = Reduction::new(&model, NOTHING).expect("a reduction");
    let reduced = explore(&model, &mut reduction, Order::BreadthFirst, false, 100);
    assert!(reduced.faults > 0, "the assertion fails where Q moves first");
}
