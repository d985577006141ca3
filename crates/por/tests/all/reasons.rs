//! What is not reduced, and why.

use lariat_model::ir::Model;
use lariat_model::promela::load_text;
use lariat_model::{dve, ir::ExprId};
use lariat_por::{Looks, Reduction};

fn reason(model: &Model, propositions: &[ExprId], fairness: bool) -> String {
    match Reduction::new(model, Looks { propositions, fairness }) {
        Ok(_) => "none".into(),
        Err(reason) => reason.to_string(),
    }
}

fn reason_of(text: &str, proposition: Option<&str>, fairness: bool) -> String {
    let mut loaded = load_text("m.pml", text, &Default::default()).expect("a model");
    let looked_at: Vec<ExprId> = (proposition.iter())
        .map(|text| loaded.add_expression("p", text).expect("an expression"))
        .collect();
    reason(&loaded.model, &looked_at, fairness)
}

#[test]
fn constructs_that_look_at_everybody_are_not_reduced() {
    let of = |text: &str| reason_of(text, None, false);
    assert_eq!(of("byte x; active proctype P() { x = 1 }"), "none");
    assert_eq!(of("active proctype P() { _last == 1 }"), "`_last` tells who moved last");
    assert_eq!(
        of("active proctype P() { skip } active proctype Q() { enabled(0) }"),
        "a process asks for `enabled()`"
    );
    assert_eq!(
        of("active proctype P() { skip } active proctype Q() { pc_value(0) == 1 }"),
        "a process asks for `pc_value()`"
    );
    assert_eq!(
        of("active proctype P() priority 2 { skip } active proctype Q() { skip }"),
        "priorities decide who may move"
    );
    assert_eq!(
        of("hidden byte h; active proctype P() { h = 1; h == 1 }"),
        "hidden variables are read, which are no part of a state"
    );
    assert_eq!(
        of("chan c = [1] of { bit }; active proctype P() { c!1; c?1 } trace { c!1; c?1 }"),
        "a `trace` watches the order of messages"
    );
}

#[test]
fn propositions_may_look_at_too_much() {
    let model = "byte x; active proctype P() { x = 1; timeout }";
    assert_eq!(reason_of(model, Some("timeout"), false), "a proposition asks for `timeout`");
    assert_eq!(reason_of(model, Some("x == 1"), false), "none");
    assert_eq!(reason_of(model, None, true), "`timeout` and fairness both look at who can move");
}

#[test]
fn synchronous_systems_are_not_reduced() {
    let text = "byte x; process P { state a; init a; trans a -> a { effect x = 1 - x; }; }
        process Q { state a; init a; trans a -> a {}; } system sync;";
    let options = dve::DveOptions { property: false };
    let loaded = dve::load_text("m.dve", text, options).expect("a model");
    let said = reason(&loaded.model, &[], false);
    assert_eq!(said, "in a synchronous system all processes move at once");
}
