//! Two-phase commit after Gray and Lamport, *Consensus on transaction commit*, 2006.

use lariat::{Check, Model, Report, State, Steps, eventually, prop};
use std::collections::BTreeSet;
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Message {
    Prepared(usize),
    Commit,
    Abort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Manager {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    None,
    Commit,
    Abort,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub struct Commit {
    managers: Vec<Manager>,
    decision: Decision,
    /// Who is known to be prepared.
    prepared: Vec<bool>,
    messages: BTreeSet<Message>,
}

impl Commit {
    fn all(&self, what: Manager) -> bool {
        self.managers.iter().all(|&manager| manager == what)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    Decide(Decision),
    Hear(usize),
    Prepare(usize),
    GiveUp(usize),
    Obey(usize),
}

pub struct TwoPhaseCommit(pub usize);

impl Model for TwoPhaseCommit {
    type State = Commit;
    type Action = Action;

    fn initial(&self) -> Vec<Commit> {
        vec![Commit {
            managers: vec![Manager::Working; self.0],
            decision: Decision::None,
            prepared: vec![false; self.0],
            messages: BTreeSet::new(),
        }]
    }

    fn steps(&self, s: &Commit, to: &mut Steps<'_, Self>) {
        let decide = |decision, message| {
            move |s: &mut Commit| {
                s.decision = decision;
                s.messages.insert(message)
            }
        };
        let is_open = s.decision == Decision::None;
        if is_open && s.prepared.iter().all(|&prepared| prepared) {
            to.step(Action::Decide(Decision::Commit), decide(Decision::Commit, Message::Commit));
        }
        if is_open {
            to.step(Action::Decide(Decision::Abort), decide(Decision::Abort, Message::Abort));
        }
        for i in 0..self.0 {
            if is_open && s.messages.contains(&Message::Prepared(i)) {
                to.step(Action::Hear(i), |s| s.prepared[i] = true);
            }
            if s.managers[i] == Manager::Working {
                to.step(Action::Prepare(i), |s| {
                    s.managers[i] = Manager::Prepared;
                    s.messages.insert(Message::Prepared(i));
                });
                to.step(Action::GiveUp(i), |s| s.managers[i] = Manager::Aborted);
            }
            if s.messages.contains(&Message::Commit) {
                to.step(Action::Obey(i), |s| s.managers[i] = Manager::Committed);
            }
            if s.messages.contains(&Message::Abort) {
                to.step(Action::Obey(i), |s| s.managers[i] = Manager::Aborted);
            }
        }
    }
}

/// With the coordinator that decides at last, and managers that obey at last, or without.
pub fn check(model: &TwoPhaseCommit, is_fair: bool) -> Report<TwoPhaseCommit> {
    let agree = |s: &Commit| s.all(Manager::Committed) || s.all(Manager::Aborted);
    let check = Check::of(model)
        .always("consistent", |s| {
            !(s.managers.contains(&Manager::Aborted) && s.managers.contains(&Manager::Committed))
        })
        .reachable("all commit", |s| s.all(Manager::Committed))
        .reachable("all abort", |s| s.all(Manager::Aborted))
        .holds("agreement comes", eventually(prop("all agree", agree)));
    match is_fair {
        false => check.run(),
        true => check
            .weakly_fair("decide", |action| matches!(action, Action::Decide(_)))
            .weakly_fair_each(0..model.0, |action, i| matches!(action, Action::Obey(j) if j == i))
            .run(),
    }
}

pub fn main() -> ExitCode {
    let managers = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(3);
    print!("{}", check(&TwoPhaseCommit(managers), false));
    let report = check(&TwoPhaseCommit(managers), true);
    print!("{report}");
    report.exit_code()
}

#[test]
fn agreement_comes_if_all_go_on() {
    let report = check(&TwoPhaseCommit(3), false);
    report.assert_violated("agreement comes");
    assert!(report.finding("consistent").verdict.is_ok());
    assert_eq!(report.stats.states, 288);
    check(&TwoPhaseCommit(3), true).assert_ok();
}
