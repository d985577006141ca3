//! Fairness: what is possible, what is taken, what rests.

use crate::support::Graph;
use lariat::{Check, Model, Reason, State, Steps, Verdict, always, eventually, prop};

/// Two processes that each flip a bit of their own.
struct Flip;
impl Model for Flip {
    type State = [bool; 2];
    type Action = usize;
    fn initial(&self) -> Vec<[bool; 2]> {
        vec![[false; 2]]
    }
    fn steps(&self, _: &[bool; 2], to: &mut Steps<'_, Self>) {
        for me in 0..2 {
            to.step(me, |s| s[me] = !s[me]);
        }
    }
}

#[test]
fn weak_fairness_to_each() {
    let set = || eventually(prop("1 is set", |s: &[bool; 2]| s[1]));
    let report = Check::of(&Flip).holds("set", set()).run();
    let run = report.assert_violated("set");
    assert!(run.actions.iter().all(|&me| me == 0));
    assert!(report.to_string().contains("never done: 1"), "{report}");
    Check::of(&Flip).holds("set", set()).weakly_fair_each(0..2, |a, me| a == me).run().assert_ok();
    // Fairness to one of them, whichever it is, is less.
    let report = Check::of(&Flip).holds("set", set()).weakly_fair("any", |_| true).run();
    report.assert_violated("set");
    assert_eq!(report.fair.len(), 1);
}

#[test]
fn strong_is_more_than_weak() {
    // Edge 2, out of the cycle, is possible every other step.
    let graph = Graph::new(0, &[(0, 1), (1, 0), (1, 2)]);
    let out = || eventually(prop("out", |&s: &u32| s == 2));
    Check::of(&graph)
        .holds("out", out())
        .weakly_fair("out", |&a| a == 2)
        .run()
        .assert_violated("out");
    Check::of(&graph).holds("out", out()).strongly_fair("out", |&a| a == 2).run().assert_ok();
    // A weak and a strong one together.
    Check::of(&graph)
        .holds("out", out())
        .weakly_fair("on", |&a| a == 0)
        .strongly_fair("out", |&a| a == 2)
        .run()
        .assert_ok();
}

#[test]
fn a_step_that_changes_nothing_is_none() {
    // Edge 0 leads from 0 to itself. To be fair to it asks for nothing.
    let graph = Graph::new(0, &[(0, 0), (0, 1), (1, 0)]);
    let one = || eventually(prop("one", |&s: &u32| s == 1));
    let report = Check::of(&graph).holds("one", one()).weakly_fair("stay", |&a| a == 0).run();
    report.assert_violated("one");
    Check::of(&graph).holds("one", one()).weakly_fair("go", |&a| a == 1).run().assert_ok();
    // So a run may leave it out, though it is possible again and again.
    let zero = prop("zero", |&s: &u32| s == 0);
    let stays = eventually(zero.clone() & lariat::next(zero));
    let report = Check::of(&graph).holds("stays", stays).strongly_fair("stay", |&a| a == 0).run();
    report.assert_violated("stays");
    // What is never possible asks for nothing, either.
    let report = Check::of(&graph).holds("one", one()).strongly_fair("never", |&a| a == 9).run();
    report.assert_violated("one");
}

#[test]
fn rest_is_fair() {
    let graph = Graph::new(0, &[(0, 1)]);
    let two = eventually(prop("two", |&s: &u32| s == 2));
    let report = Check::of(&graph).holds("two", two).strongly_fair("all", |_| true).run();
    let run = report.assert_violated("two");
    assert!(run.rests() && run.states == [0, 1] && run.actions == [0]);
    assert!(report.to_string().contains("rests for ever"));
}

/// Two steps from 0 to 1 and one back: to be fair to both, a run goes round twice.
#[test]
fn steps_side_by_side() {
    let graph = Graph::new(0, &[(0, 1), (0, 1), (1, 0)]);
    let never = always(prop("at 0", |&s: &u32| s == 0));
    let both = |a: &usize, key: &usize| a == key;
    for strong in [false, true] {
        let check = Check::of(&graph).holds("stays", eventually(never.clone()));
        let check = match strong {
            true => check.strongly_fair_each(0..2, both),
            false => check.weakly_fair_each(0..2, both),
        };
        let report = check.run();
        let run = report.assert_violated("stays");
        if strong {
            let start = run.back_to.unwrap();
            assert!(run.actions[start..].contains(&0) && run.actions[start..].contains(&1));
        }
    }
}

#[test]
fn too_many_conditions_are_refused() {
    let report = Check::of(&Flip)
        .holds("set", eventually(prop("set", |s: &[bool; 2]| s[1])))
        .strongly_fair_each(0..40, |a, key| a == key)
        .run();
    match &report.finding("set").verdict {
        Verdict::Inconclusive(Reason::Refused(why)) => assert!(why.contains("64 marks"), "{why}"),
        _ => panic!("{report}"),
    }
    assert_eq!(report.code(), 2);
}

/// A process that gets a token at last, if the token goes on and on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Ring {
    token: usize,
    served: bool,
}

struct Pass(usize);
impl Model for Pass {
    type State = Ring;
    type Action = usize;
    fn initial(&self) -> Vec<Ring> {
        vec![Ring { token: 0, served: false }]
    }
    fn steps(&self, ring: &Ring, to: &mut Steps<'_, Self>) {
        let at = ring.token;
        to.step(at, |ring| {
            ring.token = (at + 1) % self.0;
            ring.served |= ring.token == self.0 - 1;
        });
        to.step(self.0, |_| ());
    }
}

#[test]
fn to_each_of_many() {
    let model = Pass(12);
    let served = || eventually(prop("served", |ring: &Ring| ring.served));
    let check = || Check::of(&model).holds("served", served());
    check().weakly_fair_each(0..12, |a, key| a == key).run().assert_ok();
    check().weakly_fair_each(0..11, |a, key| a == key).run().assert_ok();
    check().weakly_fair_each(0..10, |a, key| a == key).run().assert_violated("served");
}
