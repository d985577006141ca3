//! The same systems in Promela and in Rust: states, steps, ends, lengths of runs.

use crate::support::election::{At, Election, Ring};
use crate::support::peterson::PetersonFour;
use crate::support::small::{ALTERNATING_BIT, AlternatingBit, Lock, PETERSON, Peterson, Protocol};
use lariat::{Check, Verdict, always, eventually, prop};
use lariat_model::promela::{Loaded, PromelaOptions, load_text};
use lariat_search::safety::{Condition, Exploration, ExploreOptions, Order, explore};

#[test]
fn peterson() {
    let model = load_text("peterson.pml", PETERSON, &PromelaOptions::default()).unwrap().model;
    let options = ExploreOptions { order: Order::BreadthFirst, ..Default::default() };
    let promela = explore(&model, &options).unwrap();
    let mutex = Peterson { without_turn: false };
    let waits = || prop("0 waits", |lock: &Lock| lock.at[0] == 2);
    let is_in = || prop("0 is in", |lock: &Lock| lock.at[0] == 3);
    let check = || {
        Check::of(&mutex)
            .always("exclusion", |lock| lock.inside <= 1)
            .ends_only_in("no end", |_| false)
            .holds("served", waits().leads_to(is_in()))
            .holds("comes", always(eventually(is_in())))
    };
    let unfair = check().run();
    assert_eq!(
        (unfair.stats.states, unfair.stats.transitions),
        (promela.states, promela.transitions)
    );
    assert!(
        unfair.finding("exclusion").verdict.is_ok() && unfair.finding("no end").verdict.is_ok()
    );
    // Whoever waits blocks the other one at last; to begin is another thing.
    assert!(unfair.finding("served").verdict.is_ok());
    unfair.assert_violated("comes");
    check().weakly_fair_each(0..2, |a, me| a.0 == *me).run().assert_ok();
}

/// Without the turn, both may wait for ever: the shortest way there is as long in both.
#[test]
fn a_deadlock() {
    let text = PETERSON.replace("|| turn == _pid", "").replace("end:", "");
    let model = load_text("broken.pml", &text, &PromelaOptions::default()).unwrap().model;
    let options = ExploreOptions { order: Order::BreadthFirst, ..Default::default() };
    let promela = explore(&model, &options).unwrap();
    let report =
        Check::of(&Peterson { without_turn: true }).ends_only_in("no end", |_| false).run();
    let run = report.assert_violated("no end");
    assert_eq!(
        (report.stats.states, report.stats.transitions),
        (promela.states, promela.transitions)
    );
    assert_eq!(run.states.len(), promela.first_error.unwrap().rows.len());
}

#[test]
fn alternating_bit() {
    let model = load_text("ab.pml", ALTERNATING_BIT, &PromelaOptions::default()).unwrap().model;
    let options = ExploreOptions { order: Order::BreadthFirst, ..Default::default() };
    let promela = explore(&model, &options).unwrap();
    let on = || {
        let zero = prop("zero", |s: &Protocol| s.delivered == 0);
        always(eventually(zero.clone()) & eventually(!zero))
    };
    let report =
        Check::of(&AlternatingBit).ends_only_in("no end", |_| false).holds("goes on", on()).run();
    assert_eq!(
        (report.stats.states, report.stats.transitions),
        (promela.states, promela.transitions)
    );
    report.assert_violated("goes on");
    Check::of(&AlternatingBit)
        .holds("goes on", on())
        .strongly_fair_each(
            ["can send", "send", "receive", "can acknowledge", "acknowledge", "answer"],
            |a, key| a == key,
        )
        .run()
        .assert_ok();
}

/// All states of a Promela model, breadth first; with a condition, a shortest run to where it is so.
fn seen(loaded: &mut Loaded, reached: Option<&str>) -> Exploration {
    let conditions = reached.map(|text| loaded.add_expression("reached", text).unwrap());
    let conditions: Vec<Condition> =
        conditions.into_iter().map(|expr| Condition { expr, wanted: false }).collect();
    let only_conditions = reached.is_some();
    let order = Order::BreadthFirst;
    let options = ExploreOptions { order, conditions, only_conditions, ..Default::default() };
    explore(&loaded.model, &options).unwrap()
}

fn text_of(model: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/models");
    std::fs::read_to_string(folder.join(model)).expect("the model is in the repository")
}

#[test]
fn leader_election() {
    for nodes in [4, 5] {
        let text = text_of("election.pml").replace("#define N 7", &format!("#define N {nodes}"));
        let mut loaded = load_text("election.pml", &text, &PromelaOptions::default()).unwrap();
        let promela = seen(&mut loaded, None);
        let election = Election(nodes);
        let waits = prop("no leader", |ring: &Ring| ring.leaders == 0);
        let report = Check::of(&election)
            .always("one leader", |ring| ring.leaders <= 1)
            .reachable("a leader", |ring| ring.leaders == 1)
            .ends_only_in("all listen", |ring| {
                ring.nodes.iter().all(|node| matches!(node.0, At::Listen | At::End))
            })
            .holds("elected", eventually(!waits.clone()))
            .holds("for ever", always((!waits.clone()).implies(always(!waits))))
            .run();
        // Messages go round in vain only for so long: no fairness is needed.
        report.assert_ok();
        let stats = &report.stats;
        assert_eq!(
            (stats.states, stats.transitions, stats.ends),
            (promela.states, promela.transitions, promela.deadlocks)
        );
        let Verdict::Reached(run) = &report.finding("a leader").verdict else { panic!("{report}") };
        let nearest = seen(&mut loaded, Some("leaders == 1")).first_error.unwrap();
        assert_eq!(run.states.len(), nearest.rows.len());
        let never = seen(&mut loaded, Some("leaders > 1"));
        assert!(promela.errors.is_empty() && never.first_error.is_none());
    }
}

/// `cargo test --release -p lariat --test all promela -- --ignored`: seconds.
#[test]
#[ignore = "needs a release build: cargo test --release -p lariat --test all promela -- --ignored"]
fn peterson_with_four() {
    let text = text_of("peterson_four.pml");
    let mut loaded = load_text("peterson.pml", &text, &PromelaOptions::default()).unwrap();
    let promela = seen(&mut loaded, None);
    let report = Check::of(&PetersonFour).always("exclusion", |s| s.inside <= 1).run();
    report.assert_ok();
    assert_eq!(
        (report.stats.states, report.stats.transitions),
        (promela.states, promela.transitions)
    );
    assert!(seen(&mut loaded, Some("inside > 1")).first_error.is_none());
}
