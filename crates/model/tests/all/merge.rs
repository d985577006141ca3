//! Merged steps hide no state that somebody can tell from its neighbours: small models that a
//! merge without its preconditions gets wrong, and all combinations of some statements.

use std::collections::BTreeSet;

use lariat_model::ir::Model;
use lariat_model::promela;
use lariat_model::shortcuts::{Shortcuts, apply};
use lariat_search::safety::{ExploreOptions, explore};

const MERGE: Shortcuts = Shortcuts { merge: true, ..Shortcuts::NONE };

fn load(text: &str) -> Model {
    let loaded = promela::load_text("test.pml", text, &promela::PromelaOptions::default());
    loaded.unwrap_or_else(|_| panic!("no model:\n{text}")).model
}

/// The kinds of errors, and the states.
fn errors(model: &Model) -> (BTreeSet<&'static str>, u64) {
    let found = explore(model, &ExploreOptions::default()).expect("the model begins");
    assert!(found.limit.is_none());
    let mut kinds: BTreeSet<&'static str> = found.errors.keys().copied().collect();
    if found.deadlocks > 0 {
        kinds.insert("deadlock");
    }
    (kinds, found.states)
}

/// The model's errors without and with merging, and how many states merging spares.
fn compare(text: &str) -> (BTreeSet<&'static str>, u64) {
    let model = load(text);
    let mut merged = model.clone();
    apply(&mut merged, &[], MERGE);
    let (plain, all) = errors(&model);
    let (with, fewer) = errors(&merged);
    assert_eq!(with, plain, "merging changes the errors of\n{text}");
    (plain, all - fewer)
}

/// Each of these has an error in a state that merging must not pass through.
const WRONG_BEFORE: &[(&str, &str)] = &[
    (
        "a local step begins an atomic sequence",
        "byte a, b;
         active proctype A() { byte x; a = 1; atomic { x = 1; b = 1 } }
         active proctype M() { assert(!(a == 1 && b == 0)) }",
    ),
    (
        "the same behind a local step",
        "byte a, b;
         active proctype A() { byte x; a = 1; x = 2; atomic { x = 1; b = 1 } }
         active proctype M() { assert(!(a == 1 && b == 0)) }",
    ),
    (
        "the sequence goes on in another process",
        "byte a, b; chan c = [0] of { byte };
         active proctype A() { byte x; a = 1; atomic { x = 1; c!x; b = 2 } }
         active proctype B() { byte y; atomic { c?y; b = 1 } }
         active proctype M() { assert(!(a == 1 && b == 0)) }",
    ),
    (
        "an escape beside it asks who waits",
        "byte y; chan c = [0] of { byte };
         active proctype P() { (y == 1); { assert(false) } unless { c!1 } }
         active proctype Q() { byte x, z; y = 1; x = 1; c?z }",
    ),
    (
        "else asks who waits",
        "byte y; chan c = [0] of { byte };
         active proctype P() { (y == 1); if :: c!1 :: else -> assert(false) fi }
         active proctype Q() { byte x, z; y = 1; x = 1; c?z }",
    ),
    (
        "where an atomic sequence stops depends on who waits",
        "byte y, a; chan c = [0] of { byte };
         active proctype P() { atomic { (y == 1); a = 1; c!1 } }
         active proctype Q() { byte x, z; y = 1; x = 1; atomic { c?z; a = 0 } }
         active proctype M() { assert(a == 0) }",
    ),
    (
        "a remote reference by pid reads behind a shorter frame",
        "byte a;
         proctype S() { end: false }
         proctype L() { byte u; a = 1; u = 1; a = 2; end: false }
         proctype T() { byte p, q, r, s, t; end: false }
         init { run S(); run L(); assert(!(a == 1 && T[1]:t == 0)); end: false }",
    ),
];

/// Each of these has an error behind a point that is not a process's own affair, or where it does
/// not go on for ever.
const NOT_ONLY_ITS_OWN: &[(&str, &str)] = &[
    (
        "a decision on a global variable",
        "byte g, s;
         active proctype A() { byte x; s = 1; x = 1; if :: g == 1 -> assert(false) :: else fi }
         active proctype B() { s == 1; g = 1 }",
    ),
    (
        "else beside a channel",
        "chan q = [1] of { byte }; byte s;
         active proctype A() { byte x; s = 1; x = 1; if :: q?x -> assert(false) :: else fi }
         active proctype B() { s == 1; q!1 }",
    ),
    (
        "a loop on the own variables, left never",
        "byte a;
         active proctype A() { byte x; a = 1; do :: x < 3 -> x++ :: else -> x = 0 od }
         active proctype M() { assert(a == 0) }",
    ),
    (
        "a decision that others see",
        "byte a;
         active proctype A() { byte x, y; a = 1; if :: x == 0 -> y = 1 :: else fi; y = 2; end: false }
         active proctype M() { assert(!(a == 1 && A:y == 1)) }",
    ),
    (
        "behind a decision the process waits for a message",
        "byte y; chan c = [0] of { byte };
         active proctype P() { (y == 1); if :: c!1 :: else -> assert(false) fi }
         active proctype Q() { byte x, z; y = 1; if :: x == 0 :: else fi; c?z }",
    ),
    (
        "a decision begins an atomic sequence",
        "byte a, b;
         active proctype A() { byte x; a = 1; if :: atomic { x == 0; b = 1 } :: else fi }
         active proctype M() { assert(!(a == 1 && b == 0)) }",
    ),
];

#[test]
fn what_concerns_others_is_not_passed() {
    for (what, text) in NOT_ONLY_ITS_OWN {
        let (kinds, _) = compare(text);
        assert!(kinds.contains("assertion"), "{what}: {kinds:?}");
    }
}

/// The states with and without merging.
#[track_caller]
fn spares(text: &str, states: u64, merged: u64) {
    let model = load(text);
    let (kinds, spared) = compare(text);
    let all = errors(&model).1;
    assert_eq!((all, all - spared), (states, merged), "{kinds:?} of\n{text}");
}

#[test]
fn steps_go_on_past_prints_decisions_and_channels() {
    // Behind a guard: x = 1 is part of the step, with the printf; then comes the end.
    spares("active proctype A() { byte x; true; printf(\"%d\", x); x = 1 }", 5, 3);
    // What a global variable is when it is printed matters to nobody.
    spares("byte g; active proctype A() { byte x; true; printf(\"%d\", g); x = 1 }", 5, 3);
    // A message is sent and received; three local steps go with each.
    let buffered = "chan q = [1] of { byte };
         active proctype A() { byte x; q!1; x = 1; x = 2; x = 3; q!2 }
         active proctype B() { byte y; q?y; y = 1; y = 2; y = 3; q?y }";
    spares(buffered, 28, 7);
    // A rendezvous gives control to the receiver.
    let meeting = "chan c = [0] of { byte };
         active proctype A() { byte x; c!1; x = 1 }
         active proctype B() { byte y; c?y; y = 1 }";
    spares(meeting, 8, 6);
    // A decision and what follows it are one step.
    let decision = "active proctype A() { byte x;
         true; if :: x == 0 -> x = 1 :: else -> x = 2 fi; x = 3 }";
    spares(decision, 6, 3);
    // A `d_step` of the process's own.
    spares("active proctype A() { byte x; true; d_step { x < 3; x = 1; x = 2 }; x = 3 }", 5, 3);
}

#[test]
fn states_that_somebody_sees_stay() {
    for (what, text) in WRONG_BEFORE {
        let (kinds, _) = compare(text);
        assert!(kinds.contains("assertion"), "{what}: {kinds:?}");
    }
}

/// Every first step × every local step × every third one, beside each partner and observer.
#[test]
fn combinations_agree() {
    let first = [
        "a = 1",
        "a == 0",
        "printf(\"x\")",
        "run K()",
        "d_step { a = 1; b = 2 }",
        "c!1",
        "q!1",
        "q?y",
        "c?y",
    ];
    let local = [
        "x = 1",
        "skip",
        "x = x + 1",
        "atomic { x = 1; b = 1 }",
        "d_step { x = 1; y = x }",
        "printf(\"%d\", a)",
        "if :: x == 0 -> x = 1 :: else -> skip fi",
        "if :: a == 0 -> x = 1 :: else -> skip fi",
        "if :: x = 1 :: x = 2 fi",
        "do :: x < 2 -> x++ :: else -> break od",
    ];
    let third = [
        "b = 1",
        "atomic { x = 2; b = 1 }",
        "atomic { x = 2; c!x; b = 1 }",
        "c?y",
        "if :: x == 1 -> b = 1 :: else -> a = 2 fi",
        "do :: x < 2 -> x = x + 1 :: else -> break od; b = 1",
        "{ x = 0; x = 1; b = 1 } unless { a == 2 }",
    ];
    let partner = [
        "c?z",
        "atomic { c?z; b = 2 }",
        "z = 1; c?z; a = 0",
        "(a == 1) -> z = 1; atomic { b = 2; c!z; b = 0 }",
        "if :: c!2 :: else -> b = 2 fi",
        "{ a = 2 } unless { c!1 }",
        "q!2; z = 1; q?z; b = z",
    ];
    let observer = ["!(a == 1 && b == 0)", "b != 2", "a != 2", "!(A:x == 1 && b == 0)"];
    let (mut models, mut spared) = (0, 0);
    for first in first {
        for local in local {
            for third in third {
                for partner in partner {
                    let observer = observer[models % observer.len()];
                    models += 1;
                    let text = format!(
                        "byte a, b; chan c = [0] of {{ byte }}; chan q = [2] of {{ byte }};
                         proctype K() {{ b = 2 }}
                         active proctype A() {{ byte x, y; {first}; {local}; {third} }}
                         active proctype B() {{ byte z; {partner} }}
                         active proctype M() {{ assert({observer}) }}\n"
                    );
                    spared += compare(&text).1;
                }
            }
        }
    }
    println!("{models} models, {spared} states spared");
    assert!(spared > 1000, "merging spares nothing: {spared}");
}
