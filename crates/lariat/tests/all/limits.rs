//! The boundary, and each limit: what was cut proves nothing.

use crate::support::Graph;
use lariat::{Check, Limit, Model, Reason, State, Steps, Verdict, eventually, prop};
use std::ops::ControlFlow;
use std::time::Duration;

/// Counts up, for ever if there is no boundary.
struct Counter {
    most: Option<u64>,
}

impl Model for Counter {
    type State = u64;
    type Action = &'static str;
    fn initial(&self) -> Vec<u64> {
        vec![0]
    }
    fn steps(&self, _: &u64, to: &mut Steps<'_, Self>) {
        to.step("up", |s| *s += 1);
    }
    fn within(&self, s: &u64) -> bool {
        self.most.is_none_or(|most| *s <= most)
    }
}

fn reason<M: Model>(report: &lariat::Report<M>, name: &str) -> Reason {
    match &report.finding(name).verdict {
        Verdict::Inconclusive(reason) => reason.clone(),
        _ => panic!("{name} has an answer\n{report}"),
    }
}

#[test]
fn the_boundary_is_part_of_the_model() {
    let report = Check::of(&Counter { most: Some(9) })
        .always("small", |&s| s < 10)
        .ends_only_in("no end", |_| false)
        .run();
    report.assert_ok();
    assert_eq!((report.stats.states, report.stats.beyond, report.stats.ends), (10, 1, 0));
    assert!(report.to_string().contains("small: holds within the boundary"), "{report}");
}

/// Where all steps lead beyond, nobody knows what comes: it is no end, and no run stays there.
#[test]
fn a_state_at_the_boundary_does_not_rest() {
    let report = Check::of(&Counter { most: Some(9) }).eventually("50", |&s| s == 50).run();
    report.assert_ok();
    assert!(report.to_string().contains("within the boundary"), "{report}");
    // A true end is one.
    let graph = Graph::new(0, &[(0, 1)]);
    Check::of(&graph).eventually("50", |&s| s == 50).run().assert_violated("50");
}

#[test]
fn no_initial_state() {
    let graph = Graph { initial: Vec::new(), edges: Vec::new() };
    let report = Check::of(&graph).always("a", |_| true).eventually("b", |_| true).run();
    assert_eq!(reason(&report, "a"), Reason::NoInitialState);
    assert_eq!(reason(&report, "b"), Reason::NoInitialState);
    let report = Check::of(&graph).eventually("b", |_| true).run();
    assert_eq!(reason(&report, "b"), Reason::NoInitialState);
    assert_eq!(report.code(), 3);
}

#[test]
fn limits_cut() {
    let model = Counter { most: None };
    let check = || Check::of(&model).always("any", |_| true).eventually("never", |_| false);
    let states = check().max_states(1_000).run();
    assert_eq!(reason(&states, "any"), Reason::Limit(Limit::States));
    assert_eq!(reason(&states, "never"), Reason::Limit(Limit::States));
    assert!(!states.is_ok() && states.code() == 3);
    let depth = check().max_depth(100).run();
    assert_eq!(reason(&depth, "any"), Reason::Limit(Limit::Depth));
    assert_eq!(reason(&depth, "never"), Reason::Limit(Limit::Depth));
    let memory = check().max_memory(1 << 20).run();
    assert_eq!(reason(&memory, "any"), Reason::Limit(Limit::Memory));
    assert_eq!(reason(&memory, "never"), Reason::Limit(Limit::Memory));
    let time = check().time_limit(Duration::from_millis(50)).run();
    assert_eq!(reason(&time, "any"), Reason::Limit(Limit::Time));
    let time =
        Check::of(&model).eventually("never", |_| false).time_limit(Duration::from_millis(50));
    assert_eq!(reason(&time.run(), "never"), Reason::Limit(Limit::Time));
}

#[test]
fn what_is_found_before_a_limit_counts() {
    let model = Counter { most: None };
    let report = Check::of(&model).always("small", |&s| s < 20).max_states(1_000).run();
    assert_eq!(report.assert_violated("small").states.len(), 21);
}

/// A depth that is enough for everything cuts nothing.
#[test]
fn a_depth_that_is_enough() {
    let graph = Graph::new(0, &[(0, 1), (1, 2), (2, 0)]);
    let report = Check::of(&graph).always("small", |&s| s < 3).max_depth(2).run();
    report.assert_ok();
    assert_eq!(report.stats.depth, 2);
    let report = Check::of(&graph).always("small", |&s| s < 3).max_depth(1).run();
    assert_eq!(reason(&report, "small"), Reason::Limit(Limit::Depth));
}

#[test]
fn who_is_told_may_end_it() {
    let model = Counter { most: None };
    let mut told = 0;
    let report = Check::of(&model)
        .always("any", |_| true)
        .on_progress(|progress| {
            told += 1;
            assert!(progress.states > 0);
            if told < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .run();
    assert_eq!(reason(&report, "any"), Reason::Limit(Limit::Interrupted));
    drop(report);
    assert_eq!(told, 3);
}

#[test]
fn the_first_violation_may_end_it() {
    let model = Counter { most: None };
    let report = Check::of(&model)
        .always("small", |&s| s < 20)
        .always("smaller", |&s| s < 5_000)
        .eventually("one", |&s| s == 1)
        .stop_at_first()
        .run();
    report.assert_violated("small");
    assert_eq!(reason(&report, "smaller"), Reason::Stopped);
    assert_eq!(reason(&report, "one"), Reason::Stopped);
}

/// Sequences that grow and shrink: rows are widened, and equal states stay equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Words {
    #[state(each)]
    letters: Vec<u8>,
}

struct Append;
impl Model for Append {
    type State = Words;
    type Action = Option<u8>;
    fn initial(&self) -> Vec<Words> {
        vec![Words { letters: Vec::new() }]
    }
    fn steps(&self, s: &Words, to: &mut Steps<'_, Self>) {
        for letter in 0..2 {
            if s.letters.len() < 5 {
                to.step(Some(letter), |s| s.letters.push(letter));
            }
        }
        if !s.letters.is_empty() {
            to.step(None, |s| s.letters.pop());
        }
    }
}

#[test]
fn sequences_that_grow_and_shrink() {
    let full = || prop("full", |s: &Words| s.letters.len() == 5);
    let report = Check::of(&Append)
        .always("short", |s| s.letters.len() <= 5)
        .holds("full comes", eventually(full()))
        .run();
    assert_eq!((report.stats.states, report.stats.transitions), (63, 62 + 62));
    assert!(report.finding("short").verdict.is_ok());
    report.assert_violated("full comes");
    // The temporal search alone widens as well.
    let fair = |a: &Option<u8>| a.is_some();
    let report = Check::of(&Append).holds("full comes", eventually(full())).weakly_fair("up", fair);
    report.run().assert_violated("full comes");
}
