//! An exploration says the same whatever store it runs on.

use lariat_core::{FlatArena, Limit, SystemStore, Word};
use lariat_model::interp::ModelSpace;
use lariat_model::ir::Model;
use lariat_model::promela::{PromelaOptions, load_text};
use lariat_search::safety::{Exploration, ExploreOptions, Order, explore, explore_rows};
use lariat_store::{Exact, Tree};

const MODELS: [&str; 6] = [
    // Processes come and go, with channels of their own: rows must be widened.
    "chan c = [2] of { byte, chan };
     proctype worker(byte n) { chan own = [1] of { byte }; c!n,own; own?n; }
     init { byte n; chan d; run worker(1); run worker(2); c?n,d; d!n; c?n,d; d!n }",
    // Hidden variables are no part of the state.
    "hidden byte h; byte x;
     active [2] proctype p() { do :: x < 5 -> h = h + 3; x++ :: x > 0 -> x-- od }",
    // Atomic sequences, rendezvous: several commands to a step.
    "chan r = [0] of { byte }; byte x;
     active proctype s() { do :: atomic { x < 7 -> x++; r!x } :: r!0 od }
     active proctype t() { byte y; do :: r?y -> atomic { x = x / 2; y = 0 } od }",
    // Errors of many kinds.
    "byte x, a[3];
     active [2] proctype p() { do :: x < 9 -> x++; assert(x != 7) :: a[x / 2] = 1 :: break od; 0 }",
    // Ends in a deadlock.
    "byte left, right;
     active proctype p() { atomic { !left -> left = 1 }; atomic { !right -> right = 1 }; left = 0; right = 0 }
     active proctype q() { atomic { !right -> right = 1 }; atomic { !left -> left = 1 }; left = 0; right = 0 }",
    // Many states.
    "byte a, b, c, d;
     active proctype p() { do :: a < 20 -> a++ :: b < 20 -> b++ :: c < 9 -> c++; d = c % 3 :: b > 0 -> b-- od }",
];

fn with<S: SystemStore<Row = [Word]>>(
    model: &Model,
    options: &ExploreOptions,
    store: impl FnMut(usize) -> S,
) -> Exploration {
    let steps = |width| Box::new(ModelSpace::new(model, width, Vec::new())) as Box<_>;
    explore_rows(model, options, steps, store, &mut |_| true).expect("initial values are fine")
}

fn assert_same(model: &Model, a: &Exploration, b: &Exploration, what: &str) {
    let counts = |found: &Exploration| {
        (found.states, found.transitions, found.matched, found.depth, found.deadlocks)
    };
    assert_eq!(counts(a), counts(b), "{what}");
    assert_eq!((a.atomic_steps, a.limit), (b.atomic_steps, b.limit), "{what}");
    assert_eq!((&a.errors, &a.executed), (&b.errors, &b.executed), "{what}");
    let moves = |found: &Exploration| {
        found.first_error.as_ref().map(|path| path.commands(model).expect("its commands"))
    };
    assert_eq!(moves(a), moves(b), "{what}");
}

#[test]
fn all_stores_say_the_same() {
    for text in MODELS {
        let loaded = load_text("model.pml", text, &PromelaOptions::default()).unwrap();
        let model = &loaded.model;
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let base = ExploreOptions { order, ..Default::default() };
            for options in [
                base.clone(),
                ExploreOptions { stop_at_error: true, ..base.clone() },
                ExploreOptions { max_depth: Some(9), ..base.clone() },
                ExploreOptions { max_states: Some(20), ..base.clone() },
            ] {
                let what = format!("{options:?}\n{text}");
                let plain = explore(model, &options).unwrap();
                assert_same(model, &plain, &with(model, &options, Tree::new), &what);
                let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
                assert_same(model, &plain, &with(model, &options, flat), &what);
                // The ids of 32 bits run out: breadth first there are wider ones.
                let narrow = |width| Tree::new(width).with_narrow_ids_up_to(10);
                let found = with(model, &options, narrow);
                match order {
                    Order::BreadthFirst => assert_same(model, &plain, &found, &what),
                    Order::DepthFirst if plain.states <= 10 => {}
                    Order::DepthFirst => {
                        assert!(found.limit.is_some() || found.first_error.is_some(), "{what}");
                    }
                }
            }
        }
    }
}

/// Whole explorations: each transition leads to a new state or a known one. A search that stops
/// has counted those that it looked at, and no others.
#[test]
fn transitions_are_counted_when_their_turn_comes() {
    let text = "byte x; active proctype p() { do :: x = 1 :: x = 2 :: x = 3; assert(false) od }";
    let loaded = load_text("model.pml", text, &PromelaOptions::default()).unwrap();
    let options = ExploreOptions { stop_at_error: true, ..Default::default() };
    let found = explore(&loaded.model, &options).unwrap();
    // x = 0 → 1; there x = 1 again and x = 2; there x = 1, x = 2 and x = 3; then the fault.
    assert_eq!((found.states, found.transitions, found.matched), (4, 6, 3));
}

#[test]
fn memory_is_never_more_than_allowed() {
    let loaded = load_text("model.pml", MODELS[5], &PromelaOptions::default()).unwrap();
    let whole = with(&loaded.model, &ExploreOptions::default(), Tree::new);
    assert!(whole.states > 20_000);
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        for limit in [60_000, 150_000, 300_000] {
            let options = ExploreOptions { order, max_memory: Some(limit), ..Default::default() };
            let found = with(&loaded.model, &options, Tree::new);
            assert_eq!(found.limit, Some(Limit::Memory));
            assert!(found.memory <= limit, "{order:?}: {} of {limit}", found.memory);
        }
    }
}
