//! Two locks for two processes: test-and-set starves a process, Peterson's does not.

use lariat::{Check, Model, Report, State, Steps, prop};
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    TestAndSet,
    /// Peterson, *Myths about the mutual exclusion problem*, 1981.
    Peterson,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub struct Memory {
    at: [Place; 2],
    is_locked: bool,
    wants: [bool; 2],
    turn: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Outside,
    /// Has said that it wants to enter, and gives way next.
    Wanting,
    Waiting,
    Inside,
}

impl Model for Algorithm {
    type State = Memory;
    type Action = (usize, &'static str);

    fn initial(&self) -> Vec<Memory> {
        let at = [Place::Outside; 2];
        vec![Memory { at, is_locked: false, wants: [false; 2], turn: 0 }]
    }

    fn steps(&self, s: &Memory, to: &mut Steps<'_, Self>) {
        for me in 0..2 {
            let other = 1 - me;
            let is_free = match self {
                Algorithm::TestAndSet => !s.is_locked,
                Algorithm::Peterson => !s.wants[other] || s.turn == me,
            };
            match s.at[me] {
                Place::Outside => to.step((me, "want"), |s| {
                    (s.at[me], s.wants[me]) = (Place::Wanting, true);
                }),
                Place::Wanting => to.step((me, "give way"), |s| {
                    (s.at[me], s.turn) = (Place::Waiting, other);
                }),
                Place::Waiting if is_free => to.step((me, "enter"), |s| {
                    (s.at[me], s.is_locked) = (Place::Inside, true);
                }),
                Place::Waiting => {}
                Place::Inside => to.step((me, "leave"), |s| {
                    (s.at[me], s.is_locked, s.wants[me]) = (Place::Outside, false, false);
                }),
            }
        }
    }
}

pub fn check(algorithm: &Algorithm) -> Report<Algorithm> {
    let waits = prop("0 waits", |s: &Memory| s.at[0] == Place::Waiting);
    let is_in = prop("0 is inside", |s: &Memory| s.at[0] == Place::Inside);
    Check::of(algorithm)
        .always("exclusion", |s| s.at != [Place::Inside; 2])
        .ends_only_in("no deadlock", |_| false)
        .holds("served", waits.leads_to(is_in))
        .weakly_fair_each(0..2, |action, me| action.0 == *me)
        .run()
}

pub fn main() -> ExitCode {
    print!("{}", check(&Algorithm::TestAndSet));
    let report = check(&Algorithm::Peterson);
    print!("{report}");
    report.exit_code()
}

#[test]
fn one_starves_and_one_does_not() {
    let report = check(&Algorithm::TestAndSet);
    let run = report.assert_violated("served");
    assert!(run.back_to.is_some() && !run.actions.contains(&(0, "enter")));
    assert!(report.finding("exclusion").verdict.is_ok());
    check(&Algorithm::Peterson).assert_ok();
}
