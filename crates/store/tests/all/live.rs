//! The stores of live and dead states against a plain list and a plain set, under the moves
//! that a search makes.

use lariat_core::{Intern, LiveStore, Status, UnionStore, Word};
use lariat_store::live::{
    BitDead, CacheDead, Dead, Eager, ExactDead, InPlace, Lazy, Split, UnionInPlace, UnionSplit,
};
use lariat_store::{Bits, Evicting};
use std::collections::HashSet;

type Rows = Vec<[Word; 1]>;

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % bound
    }
}

/// What the store should know; `dead` are those that ever died. A forgetful store may let one
/// of them be visited again, or take it for new.
fn agree(found: Status, state: Word, live: &[Word], dead: &HashSet<Word>, forgets: bool) {
    let position = live.iter().position(|&other| other == state);
    match (position, dead.contains(&state)) {
        // It was dead when it was generated.
        (Some(_), true) if forgets && found == Status::Dead => {}
        (Some(position), _) => assert_eq!(found, Status::Live(position as u32)),
        (None, true) if forgets => assert!(!matches!(found, Status::Live(_))),
        (None, true) => assert_eq!(found, Status::Dead),
        (None, false) => assert_eq!(found, Status::Unknown),
    }
}

fn walk<S: LiveStore<Row = [Word; 1]>>(make: impl Fn() -> S, forgets: bool) {
    for seed in 0..200 {
        let (mut dice, mut store) = (Dice(seed), make());
        let (mut live, mut dead) = (Vec::new(), HashSet::new());
        // States generated and not yet looked at: they wait, last in first out.
        let mut waiting = Vec::new();
        for _ in 0..300 {
            match dice.below(8) {
                0..4 => {
                    let state = dice.below(40) as Word;
                    // A state that is live when generated stays so while it waits: see below.
                    waiting.push((store.intern(&[state]), state, live.len()));
                }
                4..7 => {
                    let Some((id, state, _)) = waiting.pop() else { continue };
                    assert_eq!(store.row(id), &[state]);
                    agree(store.status(id), state, &live, &dead, forgets);
                    if store.status(id) == Status::Unknown {
                        let id = store.push_live(id);
                        live.push(state);
                        assert_eq!(store.status(id), Status::Live(live.len() as u32 - 1));
                        assert_eq!(store.row(id), &[state]);
                    } else {
                        store.release(id);
                    }
                }
                _ => {
                    // A search kills nothing that was live when a waiting state was generated.
                    let floor = waiting.last().map_or(0, |&(_, _, len)| len);
                    let from = floor + dice.below((live.len() - floor) as u64 + 1) as usize;
                    store.kill_from(from as u32);
                    dead.extend(live.drain(from..));
                }
            }
            assert_eq!(store.live_len() as usize, live.len());
            for state in 0..40 {
                let found = store.find_live(&[state]).map(|(position, _)| position);
                let expected = live.iter().position(|&other| other == state);
                assert_eq!(found, expected.map(|position| position as u32));
            }
        }
        assert!(store.peaks().0 >= live.len() as u64);
    }
}

#[test]
fn live_stores_agree_with_a_list() {
    let exact = || ExactDead::new(Rows::new());
    let cache = || CacheDead::new(Evicting::new(Rows::new(), 4));
    walk(|| InPlace::new(Rows::new()), false);
    walk(|| Eager::new(Rows::new(), Rows::new(), exact()), false);
    walk(|| Lazy::new(Rows::new(), Rows::new(), exact()), false);
    walk(|| Eager::new(Rows::new(), Rows::new(), cache()), true);
    walk(|| Lazy::new(Rows::new(), Rows::new(), cache()), true);
}

/// Says that everything is dead.
struct Everything;

impl Dead for Everything {
    type Row = [Word; 1];
    fn is_lossy(&self) -> bool {
        true
    }
    fn add(&mut self, _: &[Word; 1], _: u64) {}
    fn has(&self, _: &[Word; 1], _: u64) -> bool {
        true
    }
    fn len(&self) -> u64 {
        0
    }
    fn words(&self) -> u64 {
        0
    }
    fn bytes(&self) -> usize {
        0
    }
}

/// Architecture invariant (RDKP §6): a live state is live, whatever `dead` believes. Both
/// when it was generated after it became live, and when it waited meanwhile.
#[test]
fn live_comes_before_dead() {
    fn look<const LAZY: bool>() {
        // Nothing can become live with `Everything`, so bits that are all set come later.
        let bits = BitDead::new(Bits::new(6, 1, 1));
        let mut store =
            Split::<Rows, BitDead<[Word; 1]>, LAZY>::new(Rows::new(), Rows::new(), bits);
        assert!(store.is_lossy());
        let (one, again) = (store.intern(&[1]), store.intern(&[1]));
        let _ = one;
        let live = store.push_live(again);
        assert_eq!(store.status(live), Status::Live(0));
        // Others die until the whole array is set, the first state's bit too.
        for state in 100..2000 {
            let id = store.intern(&[state]);
            if store.status(id) == Status::Unknown {
                store.push_live(id);
                store.kill_from(1);
            } else {
                store.release(id);
            }
        }
        let new = store.intern(&[5000]);
        assert_eq!(store.status(new), Status::Dead, "the array is full");
        store.release(new);
        let known = store.intern(&[1]);
        assert_eq!(store.status(known), Status::Live(0));
        assert_eq!(store.status(one), Status::Live(0), "it waited all the time");
    }
    look::<false>();
    look::<true>();
    let mut store = Eager::new(Rows::new(), Rows::new(), Everything);
    let id = store.intern(&[1]);
    assert_eq!(store.status(id), Status::Dead);
}

/// Classes of live states against labels; a component is a suffix of the live states.
fn unite<S: UnionStore<Row = [Word; 1]>>(make: impl Fn() -> S) {
    for seed in 0..200 {
        let (mut dice, mut store) = (Dice(seed), make());
        // (state, element, label)
        let mut live: Vec<(Word, u32, usize)> = Vec::new();
        let mut dead = HashSet::new();
        for _ in 0..300 {
            match dice.below(6) {
                0..4 => {
                    let state = dice.below(60) as Word;
                    let id = store.intern(&[state]);
                    let known = live.iter().find(|entry| entry.0 == state);
                    match (store.status(id), known) {
                        (Status::Live(element), Some(entry)) => assert_eq!(element, entry.1),
                        (Status::Dead, None) => assert!(dead.contains(&state)),
                        (Status::Unknown, None) => {
                            assert!(!dead.contains(&state));
                            let (_, element) = store.make_set(id);
                            live.push((state, element, live.len()));
                            continue;
                        }
                        other => panic!("{other:?}, seed {seed}"),
                    }
                    store.release(id);
                }
                4 if live.len() > 1 => {
                    // What an edge from the top to a live state does: all above it merge.
                    let goal = dice.below(live.len() as u64) as usize;
                    let label = live[goal].2;
                    for i in goal..live.len() {
                        store.unite(live[i].1, live[goal].1);
                    }
                    let merged: HashSet<_> = live[goal..].iter().map(|entry| entry.2).collect();
                    live.iter_mut().filter(|e| merged.contains(&e.2)).for_each(|e| e.2 = label);
                }
                5 if !live.is_empty() => {
                    // The last component dies.
                    let label = live[live.len() - 1].2;
                    let root = live.iter().position(|entry| entry.2 == label).unwrap();
                    store.make_dead(live[root].1, root as u32);
                    dead.extend(live.drain(root..).map(|entry| entry.0));
                }
                _ => {}
            }
            assert_eq!(store.live_len() as usize, live.len());
            for i in 0..live.len() {
                let (a, b) = (live[i], live[dice.below(live.len() as u64) as usize]);
                assert_eq!(store.same_set(a.1, b.1), a.2 == b.2, "seed {seed}");
            }
            for state in 0..60 {
                let found = store.find_live(&[state]).map(|(element, _)| element);
                let expected = live.iter().find(|entry| entry.0 == state).map(|entry| entry.1);
                assert_eq!(found, expected, "seed {seed}");
                assert!(found.is_none_or(|element| element < store.live_bound()));
            }
        }
    }
}

#[test]
fn union_stores_agree_with_labels() {
    unite(|| UnionInPlace::new(Rows::new()));
    unite(|| UnionSplit::new(Rows::new(), Rows::new(), ExactDead::new(Rows::new())));
}
