//! The forest and the lists, in all orders of two threads' loads and stores that loom finds. Each part of the protocol is left out in turn, to see that the
//! tests notice.
//!
//! ```sh
//! cargo test --release -p lariat-store --features loom --lib components::loom
//! ```

use super::{Claim, Components};
use crate::protocol::{Part, model, notice};
use loom::sync::Arc;
use loom::thread;

/// Four states that threads know.
fn some() -> Arc<Components> {
    let all = Components::new();
    let numbers = all.numbers(|_| Ok::<_, ()>(())).expect("allowed").expect("the first ones");
    numbers.for_each(|number| all.settle(number, 100));
    Arc::new(all)
}

/// Takes all busy states off, from each of them: how many there were, and all are dead then.
fn rest(all: &Components, states: &[u32]) -> usize {
    let mut count = 0;
    for &state in states {
        while let Some(busy) = all.pick(state) {
            assert!(all.remove(busy), "it was not done");
            count += 1;
            assert!(count <= states.len(), "a state is done for ever");
        }
        assert_eq!(all.look(state, 1), Claim::Dead);
    }
    count
}

/// What is added while two sets become one is not lost.
fn bits_are_kept() {
    let all = some();
    let other = all.clone();
    let adder = thread::spawn(move || other.hold(0, 2));
    let united = all.unite(0, 1);
    let held = adder.join().unwrap();
    assert_eq!(all.hold(1, 0) | all.hold(0, 0), 2, "{united:?}, {held}");
    assert_eq!(all.look(1, 2), Claim::Found);
}

/// Two threads unite the same sets: one of them does.
fn one_unites() {
    let all = some();
    let other = all.clone();
    let uniter = thread::spawn(move || other.unite(1, 0).is_some());
    let here = all.unite(0, 1).is_some();
    assert!(uniter.join().unwrap() != here);
    assert!(all.same_set(0, 1));
    assert_eq!(rest(&all, &[0, 1]), 2);
}

/// A state is done while its list is put together with another one.
fn done_meanwhile() {
    let all = some();
    all.unite(0, 2);
    let other = all.clone();
    let remover = thread::spawn(move || assert!(other.remove(0)));
    all.unite(0, 1);
    remover.join().unwrap();
    assert_eq!(rest(&all, &[0, 1, 2]), 2);
}

/// Three sets become one, from both ends.
fn three_sets() {
    let all = some();
    all.hold(0, 1);
    all.hold(2, 4);
    let other = all.clone();
    let uniter = thread::spawn(move || other.unite(1, 2));
    let here = all.unite(0, 1);
    let there = uniter.join().unwrap();
    assert!(all.same_set(0, 2));
    assert_eq!(all.hold(1, 0), 5);
    assert!([here, there].contains(&Some(5)), "one of them knows all: {here:?} {there:?}");
    assert_eq!(rest(&all, &[0, 1, 2]), 3);
}

/// Who is led to a state sees it.
fn a_state_is_whole() {
    let all = some();
    let other = all.clone();
    let reader = thread::spawn(move || {
        let root = other.find(0);
        assert!(root == 0 || other.key(root) == 7);
    });
    all.settle(1, 7);
    all.unite(0, 1);
    reader.join().unwrap();
}

/// Two threads take states off and look for more: the last one finds the component dead, and nobody before.
fn the_last_one_is_dead() {
    let all = some();
    all.unite(0, 1);
    all.unite(1, 2);
    assert!(all.remove(1));
    let other = all.clone();
    let worker = thread::spawn(move || {
        let is_mine = other.remove(0);
        let more = other.pick(0);
        assert!(more.is_none() || more == Some(2));
        is_mine
    });
    let is_mine = all.remove(2);
    let more = all.pick(1);
    assert!(more.is_none() || more == Some(0));
    assert!(worker.join().unwrap() && is_mine);
    assert_eq!(all.pick(2), None);
    assert_eq!(all.look(0, 1), Claim::Dead);
}

const ALL: [fn(); 6] =
    [bits_are_kept, one_unites, done_meanwhile, three_sets, a_state_is_whole, the_last_one_is_dead];

#[test]
fn all_orders() {
    ALL.into_iter().for_each(model);
}

#[test]
fn what_is_left_out_is_noticed() {
    notice(&ALL, &[Part::SecondLook, Part::HandOn, Part::RootLock, Part::ListLock, Part::Release]);
}
