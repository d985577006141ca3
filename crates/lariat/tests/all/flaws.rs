//! What Stateright 0.31 gets wrong (docs/from-stateright.md), and what is found here.

use crate::support::Graph;
use lariat::{Check, Model, State, Steps, eventually, prop};
use std::collections::BTreeSet;

/// Its test `fixme_can_miss_counterexample_when_revisiting_a_state`: a cycle, and two ways that join.
#[test]
fn eventually_on_a_cycle_and_on_a_join() {
    let cycle = Graph::new(0, &[(0, 2), (2, 4), (4, 2)]);
    let join = Graph::new(0, &[(0, 1), (1, 4), (0, 2), (2, 4), (4, 6)]);
    for graph in [cycle, join] {
        let report = Check::of(&graph).eventually("odd", |s| s % 2 == 1).run();
        let run = report.assert_violated("odd");
        assert!(run.back_to.is_some() && run.states.iter().all(|s| s % 2 == 0));
    }
    let fine = Graph::new(0, &[(0, 2), (2, 3), (3, 2)]);
    let odd = eventually(prop("odd", |s: &u32| s % 2 == 1));
    Check::of(&fine).holds("odd comes", odd).run().assert_ok();
}

/// Breadth first it goes on while another property is open, and keeps the last run that it meets.
#[test]
fn shortest_runs() {
    let mut edges: Vec<(u32, u32)> = (0..500).map(|s| (s, s + 1)).collect();
    edges.extend([(500, 900), (0, 900)]);
    let graph = Graph::new(0, &edges);
    let report = Check::of(&graph).always("small", |&s| s < 900).always("any", |_| true).run();
    assert_eq!(report.assert_violated("small").actions, [501]);
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Two {
    a: BTreeSet<u32>,
    b: BTreeSet<u32>,
}

struct Fill;
impl Model for Fill {
    type State = Two;
    type Action = char;
    fn initial(&self) -> Vec<Two> {
        vec![Two { a: BTreeSet::new(), b: BTreeSet::new() }]
    }
    fn steps(&self, s: &Two, to: &mut Steps<'_, Self>) {
        if s.a.is_empty() && s.b.is_empty() {
            to.step('a', |s| s.a.insert(1));
            to.step('b', |s| s.b.insert(1));
        }
    }
}

/// Two sets side by side have one fingerprint there: `{1}`, `{}` and `{}`, `{1}`.
#[test]
fn neighbouring_sets() {
    let report = Check::of(&Fill).always("b is empty", |s| s.b.is_empty()).run();
    assert_eq!(report.stats.states, 3);
    report.assert_violated("b is empty");
}
