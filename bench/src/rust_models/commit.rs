//! Two-phase commit, with the same types in both.

use crate::{Counts, Tool, counts};
use stateright::{Checker, Model as _, Property};
use std::collections::BTreeSet;

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
enum Decision {
    None,
    Commit,
    Abort,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, lariat::State)]
struct Commit {
    managers: Vec<Manager>,
    decision: Decision,
    prepared: Vec<bool>,
    messages: BTreeSet<Message>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Commit,
    Abort,
    Hear(usize),
    Prepare(usize),
    GiveUp(usize),
    ObeyCommit(usize),
    ObeyAbort(usize),
}

#[derive(Clone)]
struct TwoPhaseCommit(usize);

impl TwoPhaseCommit {
    fn first(&self) -> Commit {
        Commit {
            managers: vec![Manager::Working; self.0],
            decision: Decision::None,
            prepared: vec![false; self.0],
            messages: BTreeSet::new(),
        }
    }

    fn for_each_action(&self, s: &Commit, mut take: impl FnMut(Action)) {
        let is_open = s.decision == Decision::None;
        if is_open && s.prepared.iter().all(|&prepared| prepared) {
            take(Action::Commit);
        }
        if is_open {
            take(Action::Abort);
        }
        for i in 0..self.0 {
            if is_open && s.messages.contains(&Message::Prepared(i)) {
                take(Action::Hear(i));
            }
            if s.managers[i] == Manager::Working {
                take(Action::Prepare(i));
                take(Action::GiveUp(i));
            }
            if s.messages.contains(&Message::Commit) {
                take(Action::ObeyCommit(i));
            }
            if s.messages.contains(&Message::Abort) {
                take(Action::ObeyAbort(i));
            }
        }
    }
}

fn apply(s: &mut Commit, action: Action) {
    match action {
        Action::Commit => {
            s.decision = Decision::Commit;
            s.messages.insert(Message::Commit);
        }
        Action::Abort => {
            s.decision = Decision::Abort;
            s.messages.insert(Message::Abort);
        }
        Action::Hear(i) => s.prepared[i] = true,
        Action::Prepare(i) => {
            s.managers[i] = Manager::Prepared;
            s.messages.insert(Message::Prepared(i));
        }
        Action::GiveUp(i) | Action::ObeyAbort(i) => s.managers[i] = Manager::Aborted,
        Action::ObeyCommit(i) => s.managers[i] = Manager::Committed,
    }
}

fn is_consistent(s: &Commit) -> bool {
    !(s.managers.contains(&Manager::Aborted) && s.managers.contains(&Manager::Committed))
}

fn all(s: &Commit, what: Manager) -> bool {
    s.managers.iter().all(|&manager| manager == what)
}

impl lariat::Model for TwoPhaseCommit {
    type State = Commit;
    type Action = Action;
    fn initial(&self) -> Vec<Commit> {
        vec![self.first()]
    }
    fn steps(&self, state: &Commit, to: &mut lariat::Steps<'_, Self>) {
        self.for_each_action(state, |action| to.step(action, |s| apply(s, action)));
    }
}

impl stateright::Model for TwoPhaseCommit {
    type State = Commit;
    type Action = Action;
    fn init_states(&self) -> Vec<Commit> {
        vec![self.first()]
    }
    fn actions(&self, state: &Commit, actions: &mut Vec<Action>) {
        self.for_each_action(state, |action| actions.push(action));
    }
    fn next_state(&self, last: &Commit, action: Action) -> Option<Commit> {
        let mut next = last.clone();
        apply(&mut next, action);
        Some(next)
    }
    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::sometimes("abort", |_, s| all(s, Manager::Aborted)),
            Property::sometimes("commit", |_, s| all(s, Manager::Committed)),
            Property::always("consistent", |_, s| is_consistent(s)),
        ]
    }
}

pub(crate) fn run(tool: Tool, managers: usize) -> Counts {
    let model = TwoPhaseCommit(managers);
    match tool {
        Tool::Lariat(store) => {
            let report = lariat::Check::of(&model)
                .always("consistent", is_consistent)
                .reachable("abort", |s| all(s, Manager::Aborted))
                .reachable("commit", |s| all(s, Manager::Committed))
                .store(store)
                .run();
            report.assert_ok();
            (report.stats.states, report.stats.transitions + report.stats.initial)
        }
        Tool::Bfs => counts(&model.checker().spawn_bfs().join()),
        Tool::Dfs => counts(&model.checker().spawn_dfs().join()),
    }
}
