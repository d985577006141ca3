use super::{Claim, Components};
use crate::UnionFind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

fn settled(count: u32) -> Components {
    let all = Components::new();
    let mut number = 0;
    while number < count {
        let some = all.numbers(|_| Ok::<_, ()>(())).expect("allowed").expect("there are more");
        assert_eq!(some.start, number);
        number = some.end;
        some.for_each(|number| all.settle(number, number.into()));
    }
    all
}

/// Threads unite, add bits and take states off at random; each busy set keeps one that is not taken off before the end.
#[test]
fn threads_agree_with_one() {
    for (seed, threads) in (0..60).flat_map(|seed| [(seed, 2), (seed, 3), (seed, 5)]) {
        let count = 200;
        let all = settled(count);
        let mut random = fastrand::Rng::with_seed(seed);
        let pairs: Vec<(u32, u32)> =
            (0..random.usize(1..300)).map(|_| (random.u32(..count), random.u32(..count))).collect();
        let (united, removed, known) =
            (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for worker in 0..threads {
                let (all, pairs, united, removed, known) =
                    (&all, &pairs, &united, &removed, &known);
                scope.spawn(move || {
                    let mut random = fastrand::Rng::with_seed(seed + 1_000 * worker);
                    let mut pairs = pairs.clone();
                    random.shuffle(&mut pairs);
                    for (a, b) in pairs {
                        match random.u32(..4) {
                            0 => drop(all.make_claim(a, 1 << worker)),
                            // Even ones stay busy, and each set of states that are united has one.
                            1 if a % 2 == 1 && b % 2 == 0 => {
                                let is_one = all.unite(a, b).is_some();
                                united.fetch_add(usize::from(is_one), Relaxed);
                                removed.fetch_add(usize::from(all.remove(a)), Relaxed);
                            }
                            2 => {
                                known.fetch_or(1 << (20 + a % 40), Relaxed);
                                all.hold(a, 1 << (20 + a % 40));
                            }
                            _ => assert!(
                                all.pick(a & !1).is_some_and(|busy| all.same_set(busy, a & !1))
                            ),
                        }
                        if a % 2 == 0 && b % 2 == 0 {
                            united.fetch_add(usize::from(all.unite(a, b).is_some()), Relaxed);
                        }
                    }
                });
            }
        });
        let mut roots: Vec<u32> = (0..count).map(|state| all.find(state)).collect();
        let held = roots.iter().fold(0, |held, &root| held | all.hold(root, 0));
        assert_eq!(held >> 20, known.into_inner() >> 20);
        roots.sort();
        roots.dedup();
        assert_eq!(roots.len(), count as usize - united.into_inner());
        // What is busy can be picked, once.
        let mut left = 0;
        for state in 0..count {
            while let Some(busy) = all.pick(state) {
                assert!(all.same_set(busy, state) && all.remove(busy));
                left += 1;
            }
            assert_eq!(all.look(state, 1), Claim::Dead);
        }
        assert_eq!(left + removed.into_inner(), count as usize);
    }
}

#[test]
fn sets_are_those_of_one_thread() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..50 {
        let (all, mut one) = (settled(100), UnionFind::new());
        for _ in 0..100 {
            one.make_set();
        }
        for _ in 0..random.usize(..150) {
            let (a, b) = (random.u32(..100), random.u32(..100));
            assert_eq!(all.unite(a, b).is_none(), one.same_set(a, b));
            one.unite(a, b);
        }
        for _ in 0..300 {
            let (a, b) = (random.u32(..100), random.u32(..100));
            assert_eq!(all.same_set(a, b), one.same_set(a, b));
        }
    }
}

#[test]
fn segments_are_asked_for_once() {
    let all = Components::new();
    let mut asked = 0;
    for _ in 0..200 {
        let some = all.numbers(|bytes| {
            asked += bytes;
            Ok::<_, ()>(())
        });
        let last = some.expect("allowed").expect("there are more").end - 1;
        all.settle(last, 5);
        assert_eq!(all.key(last), 5);
    }
    assert_eq!(asked, 4 * (24 << 14));
    assert_eq!(all.numbers(|_| Err(())), Ok(Some(51_200..51_456)), "nothing is asked for");
}
