//! States and steps of two-phase commit and of a counter behind a lock, as Stateright 0.31 counts them, however states are kept.
//! Those of actors are tested in `examples/registers.rs`.

use crate::support::commit::{ByElement, ByField, Commit, Inside, Manager, TwoPhaseCommit, Whole};
use lariat::{Check, Model, State, Steps, Store};

/// States and generated states: Stateright counts initial states among the latter.
fn count<S: Commit>(managers: usize, store: Store) -> (u64, u64) {
    let model = TwoPhaseCommit::<S>::of(managers);
    let all = |state: &S, what| Commit::parts(state).0.iter().all(|&manager| manager == what);
    let has = |state: &S, what| Commit::parts(state).0.contains(&what);
    let report = Check::of(&model)
        .always("consistent", move |s| !(has(s, Manager::Aborted) && has(s, Manager::Committed)))
        .reachable("abort", move |s| all(s, Manager::Aborted))
        .reachable("commit", move |s| all(s, Manager::Committed))
        .store(store)
        .run();
    report.assert_ok();
    (report.stats.states, report.stats.transitions + report.stats.initial)
}

#[test]
fn two_phase_commit() {
    for store in [Store::Fitting, Store::Tree, Store::Flat] {
        assert_eq!(count::<ByField>(3, store), (288, 1_146));
        assert_eq!(count::<ByField>(5, store), (8_832, 58_146));
    }
}

#[test]
fn however_states_are_kept() {
    for managers in [1, 3, 4] {
        let expected = count::<ByField>(managers, Store::Tree);
        for store in [Store::Tree, Store::Flat, Store::Fitting] {
            assert_eq!(count::<ByField>(managers, store), expected);
            assert_eq!(count::<ByElement>(managers, store), expected);
            assert_eq!(count::<Whole>(managers, store), expected);
            assert_eq!(count::<Inside>(managers, store), expected);
        }
    }
}

/// `cargo test --release -p lariat --test all counts -- --ignored`: about a minute, less than
/// 200 MB.
#[test]
#[ignore = "needs a release build: cargo test --release -p lariat --test all counts -- --ignored"]
fn larger_ones() {
    assert_eq!(count::<ByField>(6, Store::Tree), (50_816, 402_306));
    assert_eq!(count::<ByField>(7, Store::Flat), (296_448, 2_744_706));
    assert_eq!(count::<ByElement>(7, Store::Tree), (296_448, 2_744_706));
    assert_eq!(count::<ByField>(8, Store::Tree), (1_745_408, 18_507_778));
    assert_eq!(count::<ByField>(9, Store::Fitting), (10_340_352, 123_558_402));
}

/// A counter, whether it is locked, and of each thread what it has read and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Counter {
    value: u8,
    is_locked: bool,
    threads: Vec<(u8, u8)>,
}

struct Increment(usize);

impl Model for Increment {
    type State = Counter;
    type Action = usize;
    fn initial(&self) -> Vec<Counter> {
        vec![Counter { value: 0, is_locked: false, threads: vec![(0, 0); self.0] }]
    }
    fn steps(&self, _: &Counter, to: &mut Steps<'_, Self>) {
        for me in 0..self.0 {
            to.step_if(me, |s| {
                let (read, at) = s.threads[me];
                s.threads[me].1 += 1;
                match at {
                    0 if !s.is_locked => s.is_locked = true,
                    1 => s.threads[me].0 = s.value,
                    2 => s.value = read + 1,
                    3 => s.is_locked = false,
                    _ => return false,
                }
                true
            });
        }
    }
}

#[test]
fn increment_behind_a_lock() {
    for (threads, states) in [(5, 1_301), (7, 54_797)] {
        let report = Check::of(&Increment(threads))
            .always("none is lost", |s| {
                s.threads.iter().filter(|thread| thread.1 >= 3).count() == usize::from(s.value)
            })
            .ends_only_in("all are done", |s| s.threads.iter().all(|thread| thread.1 == 4))
            .run();
        report.assert_ok();
        assert_eq!((report.stats.states, report.stats.transitions + 1), (states, states));
    }
}
