//! Small systems made by hand, most of them refutations of a rule that is too weak.

use lariat_model::interp::Interp;
use lariat_model::ir::{ExprId, Model};
use lariat_model::promela::{self, Loaded};
use lariat_por::semantics::{Caps, check};
use lariat_por::{Choice, Looks, Reduction};

use crate::explore::{Order, explore};

const NOTHING: Looks<'static> = Looks { propositions: &[], fairness: false };

fn load(text: &str) -> Loaded {
    let loaded = promela::load_text("hand.pml", text, &Default::default());
    loaded.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

/// Checks all sets; how many states were reduced.
fn check_sets(model: &Model, looks: Looks<'_>) -> usize {
    let mut reduction = Reduction::new(model, looks).expect("a reduction");
    match check(model, &mut reduction, Caps::default()) {
        Ok(stats) => stats.reduced,
        Err(error) => panic!("{error}"),
    }
}

/// Faults that the reduced graph shows, and those of the whole one.
fn faults(text: &str) -> (usize, usize) {
    let model = load(text).model;
    check_sets(&model, NOTHING);
    let mut reduction = Reduction::new(&model, NOTHING).expect("a reduction");
    let reduced = explore(&model, &mut reduction, Order::BreadthFirst, false, 10_000);
    let whole = explore(&model, &mut reduction, Order::BreadthFirst, true, 10_000);
    (reduced.faults, whole.faults)
}

/// Whether a state of the reduced graph fulfils an expression that a property looks at.
fn is_reached(text: &str, expression: &str) -> bool {
    let mut loaded = load(text);
    let expr = loaded.add_expression("p", expression).expect("an expression");
    let model = loaded.model;
    let looks = Looks { propositions: &[expr], fairness: false };
    check_sets(&model, looks);
    let mut reduction = Reduction::new(&model, looks).expect("a reduction");
    let reduced = explore(&model, &mut reduction, Order::BreadthFirst, false, 10_000);
    reduced.states.keys().any(|state| holds(&model, state, expr))
}

fn holds(model: &Model, state: &[u8], expr: ExprId) -> bool {
    let mut interp = Interp::new(model);
    interp.load(state);
    interp.eval_loaded(expr, None).expect("a value") != 0
}

/// H10: a pid that is free again, or the number of processes. Spin 6.5.2 with its reduction misses
/// both.
#[test]
fn starting_a_process_and_ending_another_do_not_commute() {
    for wrong in ["_pid != 2", "_nr_pr != 3"] {
        let text = format!(
            "proctype A() {{ skip }} proctype B() {{ assert({wrong}) }}
             init {{ run A(); run B() }}"
        );
        let (reduced, whole) = faults(&text);
        assert!(reduced > 0 && whole > 0, "{wrong}: {reduced} of {whole}");
    }
}

/// H12: whether somebody waits for a rendezvous decides where an atomic sequence stops.
#[test]
fn coming_to_a_receive_changes_where_an_atomic_sequence_stops() {
    let text = "chan c = [0] of { byte }; byte s;
        active proctype P() { atomic { s == 0; c!1 } }
        active proctype Q() { byte x; skip; c?x }";
    let model = load(text).model;
    check_sets(&model, NOTHING);
    let mut reduction = Reduction::new(&model, NOTHING).expect("a reduction");
    let explored = explore(&model, &mut reduction, Order::BreadthFirst, true, 100);
    let (initial, _) = Interp::new(&model).initial().expect("an initial state");
    assert_eq!(explored.states[&initial].choice, Choice::All);
}

/// The same by a process that is started, and by a `d_step` that begins with the receive.
#[test]
fn a_process_that_is_started_may_wait_for_an_offer_at_once() {
    check_sets(
        &load(
            "chan c = [0] of { byte }; byte x;
             proctype R() { d_step { c?x; x = 0 } }
             active proctype P() { byte i; do :: atomic { i = 0; c!1 } od }
             active proctype Q() { run R() }",
        )
        .model,
        NOTHING,
    );
}

#[test]
fn a_d_step_may_begin_with_a_rendezvous() {
    check_sets(
        &load(
            "chan c = [0] of { byte }; byte a;
             active proctype P() { a = 1 - a; a = 2 }
             active proctype Q() { d_step { c?a } }
             active proctype R() { c!1 }",
        )
        .model,
        NOTHING,
    );
}

/// Which channel an offer is made on depends on a variable of others.
#[test]
fn others_may_choose_the_channel_of_an_offer() {
    check_sets(
        &load(
            "chan c[2] = [0] of { byte }; byte a;
             active proctype P() { a = 1 }
             active proctype Q() { byte x; c[1]?x }
             active proctype R() { c[a]!1 }
             active proctype S() { byte y; y = 1; y = 2 }",
        )
        .model,
        NOTHING,
    );
}

/// H8: a command that is invisible in this state may be visible in another one.
#[test]
fn what_a_command_may_write_is_visible_whatever_it_changes_now() {
    let text = "bit x, y;
        active proctype A() { x = 1 }
        active proctype B() { y = 1; y = 0 }";
    assert!(is_reached(text, "x && y"));
}

/// H7: a set with a visible command is none, even if it has another way.
#[test]
fn a_process_about_to_be_seen_is_not_chosen() {
    let text = "bit x, p;
        active proctype A() { byte i; do :: i = 1 - i :: break od; x = 1 }
        active proctype B() { p = 1 }";
    let mut loaded = load(text);
    let expr = loaded.add_expression("p", "x == 1 || p == 1").expect("an expression");
    let model = loaded.model;
    let looks = Looks { propositions: &[expr], fairness: false };
    let reduced = check_sets(&model, looks);
    assert!(reduced > 0, "the loop of A is invisible");
    assert!(is_reached(text, "x == 1 && p == 0"));
    assert!(is_reached(text, "x == 0 && p == 1"));
}

/// H9: whoever keeps a channel from being empty keeps others able to move.
#[test]
fn fair_runs_need_sets_that_disturb_nobody() {
    let text = "chan c = [2] of { bit }; bit got;
        active proctype q() { xs c; do :: c!1 od }
        active proctype r() { do :: c?1 od }
        active proctype p() { c?1; got = 1 }";
    let mut loaded = load(text);
    let expr = loaded.add_expression("p", "got").expect("an expression");
    let model = loaded.model;
    assert!(check_sets(&model, Looks { propositions: &[expr], fairness: false }) > 0);
    assert_eq!(check_sets(&model, Looks { propositions: &[expr], fairness: true }), 0);
}

/// Local work needs nobody else.
#[test]
fn local_steps_are_sets_of_their_own() {
    let text = "active [3] proctype P() { byte x; x = 1; x = 2; x = 3 }";
    let model = load(text).model;
    let mut reduction = Reduction::new(&model, NOTHING).expect("a reduction");
    let reduced = explore(&model, &mut reduction, Order::BreadthFirst, false, 10_000).states.len();
    let whole = explore(&model, &mut reduction, Order::BreadthFirst, true, 10_000).states.len();
    assert!(reduced < 16 && whole > 60, "{reduced} of {whole}");
}
