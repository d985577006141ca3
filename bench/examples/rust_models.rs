//! Two-phase commit in lariat and in Stateright, with the same types. One of them for each run of the program, so
//! that time and memory are its own; `bench/rust-models` runs them in turn and measures.
//!
//! ```sh
//! cargo run --release -p lariat-bench --example rust_models -- lariat 8
//! ```

use stateright::{Checker, Model as _, Property};
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

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let (Some(who), Some(managers)) = (args.get(1), args.get(2).and_then(|n| n.parse().ok()))
    else {
        eprintln!("usage: rust_models lariat|stateright-bfs|stateright-dfs MANAGERS");
        return ExitCode::from(2);
    };
    let model = TwoPhaseCommit(managers);
    let (states, generated) = match who.as_str() {
        "lariat" => {
            let report = lariat::Check::of(&model)
                .always("consistent", is_consistent)
                .reachable("abort", |s| all(s, Manager::Aborted))
                .reachable("commit", |s| all(s, Manager::Committed))
                .run();
            report.assert_ok();
            (report.stats.states, report.stats.transitions + report.stats.initial)
        }
        "stateright-bfs" => {
            let checker = model.checker().spawn_bfs().join();
            checker.assert_properties();
            (checker.unique_state_count() as u64, checker.state_count() as u64)
        }
        "stateright-dfs" => {
            let checker = model.checker().spawn_dfs().join();
            checker.assert_properties();
            (checker.unique_state_count() as u64, checker.state_count() as u64)
        }
        _ => return ExitCode::from(2),
    };
    println!("{who} {managers} states {states} generated {generated}");
    ExitCode::SUCCESS
}
