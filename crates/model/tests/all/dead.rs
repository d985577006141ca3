//! What is never read again has no value: inside `d_step`s statement by statement, and globals
//! that nobody ever reads.

use lariat_model::ir::{ExprId, Model};
use lariat_model::promela;
use lariat_model::shortcuts::{Shortcuts, apply};
use lariat_search::safety::{Exploration, ExploreOptions, explore};

const DEAD: Shortcuts = Shortcuts { dead_variables: true, ..Shortcuts::NONE };
const SLICE: Shortcuts = Shortcuts { slice: true, ..Shortcuts::NONE };

fn load(text: &str) -> Model {
    let loaded = promela::load_text("test.pml", text, &promela::PromelaOptions::default());
    loaded.unwrap_or_else(|_| panic!("no model:\n{text}")).model
}

fn explored(model: &Model) -> Exploration {
    let found = explore(model, &ExploreOptions::default()).expect("the model begins");
    assert!(found.limit.is_none());
    found
}

/// The states with and without a shortcut, which keeps the errors.
#[track_caller]
fn states(which: Shortcuts, text: &str, given: u64, smaller: u64) {
    let model = load(text);
    let mut shorter = model.clone();
    apply(&mut shorter, &[], which);
    let (plain, found) = (explored(&model), explored(&shorter));
    let kinds = |found: &Exploration| found.errors.keys().copied().collect::<Vec<_>>();
    assert_eq!(kinds(&plain), kinds(&found), "{text}");
    assert_eq!((plain.states, found.states), (given, smaller), "{text}");
}

/// A process that chooses x, then executes some statements.
fn behind_a_choice(statement: &str, rest: &str) -> String {
    format!(
        "byte g; active proctype A() {{ byte x, y;
           if :: x = 1 :: x = 2 fi; {statement}; {rest}; assert(g < 9) }}"
    )
}

#[test]
fn a_d_step_that_overwrites_makes_a_variable_dead() {
    // x is chosen, and nobody reads it.
    let overwritten = behind_a_choice("d_step { g = 1; x = 3 }", "g = x");
    states(DEAD, &overwritten, 7, 6);
    // Read before it is written.
    let read = behind_a_choice("d_step { y = x; x = 3 }", "g = x + y");
    states(DEAD, &read, 11, 11);
    // Written on one of two ways.
    let one_way = behind_a_choice("d_step { if :: g == 0 -> x = 3 :: else -> skip fi }", "g = x");
    states(DEAD, &one_way, 7, 7);
    // On both of them.
    let both = behind_a_choice("d_step { if :: g == 0 -> x = 3 :: else -> x = 4 fi }", "g = x");
    states(DEAD, &both, 7, 6);
    // A loop that may not be entered at all.
    let looped =
        behind_a_choice("d_step { do :: g > 0 -> x = 3; g-- :: else -> break od }", "g = x");
    states(DEAD, &looped, 11, 11);
    // What is only printed is dead, unless printing it may fail.
    states(DEAD, &behind_a_choice("skip", "printf(\"%d\", x)"), 10, 6);
    states(DEAD, &behind_a_choice("skip", "printf(\"%d\", 1 / (x - 2))"), 8, 8);
}

#[test]
fn what_is_assigned_to_unread_globals_is_lost() {
    // Elements of t are written by a subscript that is read itself, and by a receive.
    let by_subscript = "byte a, t[4]; chan q = [1] of { byte };
        active proctype A() {
          if :: a = 1 :: a = 2 fi; d_step { t[a] = 3; a = 0 }; q!7; q?t[2] }";
    states(DEAD, by_subscript, 11, 7);
    // Only the control points are left.
    let unread = "byte w, t[4]; chan q = [1] of { byte };
        active proctype A() {
          if :: w = 1 :: w = 2 fi; d_step { t[1] = 3; w = 5 }; q!7; q?t[2]; w = 6 }";
    states(DEAD, unread, 8, 7);
    // A subscript that fails does so whether the element is read or not.
    let fails = "byte w[2], a;
        active proctype A() { if :: a = 1 :: a = 2 fi; w[a] = 1 }";
    states(DEAD, fails, 7, 7);
    // A counter that only counts itself is read.
    let counter = "byte n; active proctype A() { do :: n < 3 -> n = n + 1 :: else -> break od }";
    states(DEAD, counter, 9, 9);
}

#[test]
fn what_a_property_reads_is_read() {
    let text = "byte w; active proctype A() { w = 1; w = 2 }";
    let mut loaded = promela::load_text("test.pml", text, &promela::PromelaOptions::default())
        .unwrap_or_else(|_| panic!("no model"));
    let unread =
        |model: &Model, visible: &[ExprId]| apply(&mut model.clone(), visible, DEAD).unread;
    assert_eq!(unread(&loaded.model, &[]), 2);
    let watched = loaded.add_expression("property", "w == 1").expect("an expression");
    assert_eq!(unread(&loaded.model, &[watched]), 0);
}

#[test]
fn slices_go_through_d_steps() {
    // y is computed inside from x, and decides nothing; x does.
    let text = "byte g; active proctype A() { byte x, y;
          do :: x < 3 -> d_step { x++; y = y + 2 * x } :: else -> break od; g = y }";
    states(SLICE, text, 10, 10);
    let many = "byte g; active proctype A() { byte x, y;
          do :: y = 1 :: y = 2 :: x < 2 -> d_step { y = y + x; x++; g = y } :: x == 2 -> break od }";
    // At the loop x is 0 to 2, before the d_step 0 or 1; then come the end and nothing.
    states(SLICE, many, 37, 7);
    // What a guard inside asks for decides where the program goes.
    let asked = "byte g; active proctype A() { byte x;
          if :: x = 1 :: x = 2 fi; d_step { if :: x == 1 -> g = 1 :: else -> g = 2 fi };
          assert(g == 1) }";
    states(SLICE, asked, 9, 9);
}
