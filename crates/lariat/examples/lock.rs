//! The lock of the tutorial with a command line, and a page: `cargo run -p lariat --features explore --example lock --
//! explore --open`.

use lariat::{Check, Model, State, Steps, prop};
use std::process::ExitCode;

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Lock {
    waits: [bool; 2],
    inside: [bool; 2],
    /// How often somebody was let in, up to a bound.
    served: u32,
}

#[derive(Clone, Debug, PartialEq)]
enum Action {
    Want(usize),
    Enter(usize),
    Leave(usize),
}

/// Whoever waits may enter when nobody is inside, and is counted up to a number.
struct SpinLock(u32);

impl Model for SpinLock {
    type State = Lock;
    type Action = Action;

    fn initial(&self) -> Vec<Lock> {
        vec![Lock { waits: [false; 2], inside: [false; 2], served: 0 }]
    }

    fn steps(&self, lock: &Lock, to: &mut Steps<'_, Self>) {
        for me in 0..2 {
            if lock.inside[me] {
                to.step(Action::Leave(me), |lock| lock.inside[me] = false);
            } else if !lock.waits[me] {
                to.step(Action::Want(me), |lock| lock.waits[me] = true);
            } else if lock.inside == [false; 2] {
                to.step(Action::Enter(me), |lock| {
                    lock.inside[me] = true;
                    lock.waits[me] = false;
                    lock.served = (lock.served + 1).min(self.0);
                });
            }
        }
    }
}

fn check(model: &SpinLock) -> Check<'_, SpinLock> {
    let waits = prop("0 waits", |lock: &Lock| lock.waits[0]);
    let is_in = prop("0 is in", |lock: &Lock| lock.inside[0]);
    Check::of(model)
        .always("mutual exclusion", |lock| lock.inside != [true; 2])
        .reachable("both wait", |lock| lock.waits == [true; 2])
        .ends_only_in("no deadlock", |_| false)
        .holds("0 is served", waits.leads_to(is_in))
        .weakly_fair_each(0..2, |action, me| match action {
            Action::Want(_) => false,
            Action::Enter(who) | Action::Leave(who) => who == me,
        })
}

pub fn main() -> ExitCode {
    check(&SpinLock(3)).command()
}

#[test]
fn one_may_starve() {
    let report = check(&SpinLock(3)).run();
    report.assert_violated("0 is served");
    assert!(report.finding("mutual exclusion").verdict.is_ok());
}
