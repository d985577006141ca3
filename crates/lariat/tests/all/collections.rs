//! Collections: against those of the standard library, and as states.

use lariat::collections::{Bag, BitSet, SmallSet, Unordered};
use lariat::{Check, Model, State, Steps};
use lariat_ltl::random::Rng;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

#[test]
fn as_those_of_the_standard_library() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (mut set, mut bits, mut bag) = (SmallSet::new(), BitSet::new(), Bag::new());
        let (mut known, mut counts) = (BTreeSet::new(), BTreeMap::<usize, usize>::new());
        for _ in 0..40 {
            let number = rng.below(64);
            if rng.coin() {
                let is_new = known.insert(number);
                assert_eq!((set.insert(number), bits.insert(number)), (is_new, is_new));
                bag.insert(number);
                *counts.entry(number).or_default() += 1;
            } else {
                let was_there = known.remove(&number);
                assert_eq!((set.remove(&number), bits.remove(number)), (was_there, was_there));
                let count = counts.entry(number).or_default();
                assert_eq!(bag.remove(&number), *count > 0);
                *count = count.saturating_sub(1);
            }
            assert!((0..70).all(|n| set.contains(&n) == known.contains(&n)));
            assert!((0..70).all(|n| bits.contains(n) == known.contains(&n)));
            assert!((0..64).all(|n| bag.count(&n) == counts.get(&n).copied().unwrap_or(0)));
        }
        assert!(set.iter().copied().eq(known.iter().copied()) && bits.iter().eq(known));
        let (sum, len) = (counts.values().sum::<usize>(), bag.len());
        assert!(sum == len && bag.is_sorted());
    }
}

/// Equal, and with equal hashes, whatever the order; with the number of elements in the hash.
#[test]
fn unordered() {
    let hasher = RandomState::new();
    let one: HashSet<u32> = (0..50).collect();
    let other: HashSet<u32> = (0..50).rev().collect();
    let (one, other) = (Unordered(one), Unordered(other));
    assert_eq!((&one, hasher.hash_one(&one)), (&other, hasher.hash_one(&other)));
    let map = |pairs: &[(u32, u32)]| Unordered(pairs.iter().copied().collect::<HashMap<_, _>>());
    let sides = [(map(&[(1, 1)]), map(&[])), (map(&[]), map(&[(1, 1)]))];
    assert_ne!(hasher.hash_one(&sides[0]), hasher.hash_one(&sides[1]));
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, State)]
struct Sets {
    left: Unordered<HashSet<u32>>,
    right: Unordered<HashSet<u32>>,
    bag: Bag<u32>,
    set: SmallSet<u32>,
    bits: BitSet,
}

/// Each number goes somewhere: left, right, or nowhere yet.
struct Put(u32);
impl Model for Put {
    type State = Sets;
    type Action = (u32, &'static str);
    fn initial(&self) -> Vec<Sets> {
        vec![Sets::default()]
    }
    fn steps(&self, s: &Sets, to: &mut Steps<'_, Self>) {
        for number in (0..self.0).filter(|&number| !s.bits.contains(number as usize)) {
            let put = |s: &mut Sets| {
                s.bits.insert(number as usize);
                s.set.insert(number);
                s.bag.insert(0);
            };
            to.step((number, "left"), |s| (put(s), s.left.insert(number)));
            to.step((number, "right"), |s| (put(s), s.right.insert(number)));
        }
    }
}

#[test]
fn in_states() {
    let report = Check::of(&Put(5))
        .always("counted", |s| s.bag.len() == s.bits.len() && s.set.len() == s.bag.len())
        .ends_only_in("all", |s| s.left.len() + s.right.len() == 5)
        .run();
    report.assert_ok();
    assert_eq!((report.stats.states, report.stats.ends), (3_u64.pow(5), 2_u64.pow(5)));
}
