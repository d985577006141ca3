//! The shared set of packed states, against a plain one.

use lariat_store::lines::{Budget, Met, Root, RootSet, Session, Stop};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

fn random_keys<R: Root>(bits: u32, count: usize, seed: u64) -> HashSet<R> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| R::from_u128(random.u128(..) & u128::MAX >> (128 - bits))).collect()
}

/// Lets each thread work and then wait for the others, which may need it to grow.
fn run<R: Root, T: Send>(
    set: &mut RootSet<R>,
    work: impl Fn(usize, &mut Session<R>) -> Result<T, Stop> + Sync,
) -> Vec<Result<T, Stop>> {
    let work = &work;
    std::thread::scope(|scope| {
        let sessions = set.sessions().into_iter().enumerate();
        let threads: Vec<_> = sessions
            .map(|(me, mut session)| {
                scope.spawn(move || {
                    let result = work(me, &mut session)?;
                    while session.meet(|| ())? == Met::Grown {}
                    Ok(result)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

/// The same keys from all threads, in other orders and twice: each is new for one of them, once.
fn each_is_new_once<R: Root>(
    bits: u32,
    payload: u32,
    threads: usize,
    keys: &HashSet<R>,
    batch: usize,
) {
    let budget = Arc::new(Budget::unlimited());
    let mut set = RootSet::<R>::new(bits, payload, threads, &budget);
    let list: Vec<R> = keys.iter().copied().collect();
    let n = list.len();
    let new = run(&mut set, |me, session| {
        let mut mine = Vec::new();
        // Near to each other, so that they meet; every other one backwards.
        let order = |i: usize| match me % 2 {
            0 => (i + me * 7) % n,
            _ => (n - 1) - (i + me * 5) % n,
        };
        for _ in 0..2 {
            for from in (0..n).step_by(batch) {
                let some: Vec<R> = (from..n.min(from + batch)).map(|i| list[order(i)]).collect();
                session.insert(&some, |at| mine.push(some[at]))?;
                let key = some[some.len() / 2];
                assert_eq!(session.payload(key), Some(0), "{key:?}");
            }
        }
        Ok(mine)
    });
    let new: Vec<R> = new.into_iter().flat_map(Result::unwrap).collect();
    assert_eq!(new.len(), n, "{bits} bits, {threads} threads");
    assert_eq!(new.into_iter().collect::<HashSet<_>>(), *keys);
    assert_eq!(set.len(), n);
    assert_eq!(set.bytes(), budget.taken());
    let mut there = HashSet::new();
    set.for_each(|key, payload| assert!(payload == 0 && there.insert(key)));
    assert_eq!(there, *keys);
    drop(set);
    assert_eq!(budget.taken(), 0);
}

#[test]
fn all_widths() {
    for bits in 1..=64 {
        let keys = random_keys::<u64>(bits, 3_000, bits.into());
        each_is_new_once(bits, bits % 9, 1 + bits as usize % 3, &keys, 1 + bits as usize * 3);
    }
    for bits in (3..=128).step_by(5) {
        let keys = random_keys::<u128>(bits, 3_000, bits.into());
        each_is_new_once(bits, bits % 9, 1 + bits as usize % 3, &keys, 1 + bits as usize * 3);
    }
}

#[test]
fn threads_with_the_same_keys() {
    for (number, bits) in [20, 32, 40, 53, 64].into_iter().enumerate() {
        for threads in [1, 2, 3, 8] {
            let seed = 11 * number as u64 + threads as u64;
            let keys = random_keys::<u64>(bits, 60_000, seed);
            each_is_new_once(bits, number as u32, threads, &keys, 64);
        }
    }
    each_is_new_once(100, 3, 3, &random_keys::<u128>(100, 60_000, 5), 100);
}

/// All keys that there are, and keys in a row.
#[test]
fn dense() {
    for bits in [1, 2, 5, 8, 9, 12, 16] {
        each_is_new_once(bits, 2, 2, &(0..1 << bits).collect::<HashSet<u64>>(), 50);
    }
    for bits in [30, 64] {
        each_is_new_once(bits, 0, 2, &(7_000..80_000).collect::<HashSet<u64>>(), 333);
    }
}

#[test]
fn few_keys_often() {
    for seed in 0..150 {
        let size = seed as usize;
        let keys = random_keys::<u64>(16 + seed as u32 % 30, 1 + size * 37, seed);
        each_is_new_once(16 + seed as u32 % 30, 0, 1 + size % 4, &keys, 1 + size % 40);
    }
}

/// Every thread adds one to the payload of every key; none of it is lost.
#[test]
fn payloads_change_in_one_step() {
    for (bits, payload, threads) in [(24, 3, 2), (40, 5, 3), (47, 8, 8), (33, 1, 2), (64, 4, 1)] {
        let keys: Vec<u64> = random_keys::<u64>(bits, 30_000, 3).into_iter().collect();
        let mut set = RootSet::new(bits, payload, threads, &Arc::new(Budget::unlimited()));
        let sums: HashMap<u64, Mutex<Vec<Option<u64>>>> =
            keys.iter().map(|&key| (key, Mutex::default())).collect();
        let results = run(&mut set, |me, session| {
            let mut keys = keys.clone();
            keys.rotate_left(me * 50);
            for some in keys.chunks(70) {
                let add = |_, before: Option<u64>| (before.unwrap_or(0) + 1) & ((1 << payload) - 1);
                session
                    .update(some, add, |at, before| sums[&some[at]].lock().unwrap().push(before))?;
            }
            Ok(())
        });
        assert!(results.iter().all(Result::is_ok));
        assert_eq!(set.len(), keys.len());
        for told in sums.into_values() {
            let mut told = told.into_inner().unwrap();
            told.sort();
            let one_more = |times: u64| (times > 0).then_some(times & ((1 << payload) - 1));
            let mut wanted: Vec<_> = (0..threads as u64).map(one_more).collect();
            wanted.sort();
            assert_eq!(told, wanted);
        }
        set.for_each(|_, after| assert_eq!(after, threads as u64 & ((1 << payload) - 1)));
    }
}

/// Bits for each key, as the automaton states that a system state was met with.
#[test]
fn payloads_against_a_map() {
    for bits in [9, 17, 26, 38, 51, 64] {
        let mut random = fastrand::Rng::with_seed(bits.into());
        let mut set = RootSet::<u64>::new(bits, 8, 1, &Arc::new(Budget::unlimited()));
        let batches: Vec<Vec<(u64, u64)>> = (0..2_000)
            .map(|_| {
                let key = |number: u64| (number * 0x9E37_79B9) & (u64::MAX >> (64 - bits));
                let mut one = || (key(random.u64(..20_000)), 1 << random.u32(..8));
                (0..40).map(|_| one()).collect()
            })
            .collect();
        let mut map = HashMap::new();
        for &(key, bit) in batches.iter().flatten() {
            *map.entry(key).or_insert(0) |= bit;
        }
        let results = run(&mut set, |_, session| {
            for some in &batches {
                let keys: Vec<u64> = some.iter().map(|&(key, _)| key).collect();
                let mut told = HashSet::new();
                let change = |at: usize, before: Option<u64>| before.unwrap_or(0) | some[at].1;
                session.update(&keys, change, |at, _| assert!(told.insert(at)))?;
                assert_eq!(told.len(), keys.len());
                let payload = session.payload(keys[3]).expect("it was just added");
                assert_eq!(payload & some[3].1, some[3].1);
                assert_eq!(payload & !map[&keys[3]], 0);
            }
            Ok(())
        });
        assert_eq!(results, [Ok(())]);
        assert_eq!(set.len(), map.len());
        set.for_each(|key, payload| assert_eq!(map.remove(&key), Some(payload)));
        assert!(map.is_empty());
    }
}

#[test]
fn what_a_full_set_has_counts() {
    for (threads, limit) in [(1, 1 << 20), (2, 1 << 20), (3, 300_000)] {
        let budget = Arc::new(Budget::new(limit));
        let mut set = RootSet::<u64>::new(48, 2, threads, &budget);
        let new = AtomicUsize::new(0);
        let results = run(&mut set, |me, session| {
            for from in (0..1 << 30).step_by(100) {
                let keys: Vec<u64> = (from..from + 100).map(|key| key * 8 + me as u64).collect();
                session.insert(&keys, |_| {
                    new.fetch_add(1, Relaxed);
                })?;
            }
            Ok(())
        });
        assert!(results.iter().all(|result| *result == Err(Stop::Full)), "{results:?}");
        assert_eq!(budget.taken(), set.bytes());
        // Keys that find no place in a line cannot wait: they may overdraw it a little.
        assert!(budget.taken() <= limit + (64 << 10), "{} of {limit}", budget.taken());
        let mut count = 0;
        set.for_each(|_, _| count += 1);
        assert_eq!((set.len(), count), (new.load(Relaxed), new.load(Relaxed)));
        assert!(count > limit / 30, "{count} in {limit}");
        // What is there is found, though nothing can be added.
        let mut some = None;
        set.for_each(|key, _| some = Some(key));
        let found = run(&mut set, |_, session| Ok(some.and_then(|key| session.payload(key))));
        assert!(found.into_iter().all(|found| found == Ok(Some(0))));
    }
}

/// A limit that is reached while the set would grow by more than there is left.
#[test]
fn twenty_million_inserts_under_a_limit() {
    for (limit, threads) in [(40_000_000, 2), (71_234_567, 1)] {
        let budget = Arc::new(Budget::new(limit));
        let mut set = RootSet::<u64>::new(44, 0, threads, &budget);
        let (new, tried) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let results = run(&mut set, |_, session| {
            loop {
                let from = tried.fetch_add(250, Relaxed) as u64;
                assert!(from < 20_000_000, "the limit was not reached");
                let keys: Vec<u64> =
                    (from..from + 250).map(|key| (key * 53) & ((1 << 44) - 1)).collect();
                let mut mine = 0;
                let result = session.insert(&keys, |_| mine += 1);
                new.fetch_add(mine, Relaxed);
                assert!(session.set().bytes() <= limit);
                result?;
            }
        });
        assert!(results.iter().all(|result: &Result<(), Stop>| *result == Err(Stop::Full)));
        let mut count = 0;
        set.for_each(|_, _| count += 1);
        assert_eq!((set.len(), count), (new.load(Relaxed), new.load(Relaxed)));
        assert_eq!(budget.taken(), set.bytes());
        // It is used up, and well.
        assert!(set.bytes() > limit / 100 * 97, "{} of {limit}", set.bytes());
        assert!(set.bytes() < count * 6, "{} bytes for {count}", set.bytes());
    }
}

#[test]
fn who_ends_or_panics_ends_all() {
    for panics in [false, true] {
        let mut set = RootSet::<u64>::new(40, 0, 3, &Arc::new(Budget::unlimited()));
        let work = |me: usize, mut session: Session| -> Result<(), Stop> {
            let mut from = 0;
            loop {
                // One waits for the others, two insert; one of these does not come back.
                if me > 0 {
                    let keys: Vec<u64> =
                        (from..from + 100).map(|key| key * 4 + me as u64).collect();
                    session.insert(&keys, |_| ())?;
                    from += 100;
                    if me == 2 && from == 30_000 {
                        assert!(!panics, "on purpose");
                        return Ok(());
                    }
                } else {
                    session.meet(|| ())?;
                }
            }
        };
        std::thread::scope(|scope| {
            let sessions = set.sessions().into_iter().enumerate();
            let threads: Vec<_> =
                sessions.map(|(me, session)| scope.spawn(move || work(me, session))).collect();
            let ends: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
            assert!(matches!(ends[0], Ok(Err(Stop::Ended))));
            assert!(matches!(ends[1], Ok(Err(Stop::Ended))));
            assert_eq!(ends[2].is_err(), panics);
        });
        // New sessions go on where the old ones ended.
        let count = set.len();
        let results = run(&mut set, |me, session| session.insert(&[1 << 30 | me as u64], |_| ()));
        assert!(results.iter().all(Result::is_ok));
        assert_eq!(set.len(), count + 3);
    }
}

#[test]
fn keys_get_wider() {
    for (bits, wider, payload) in [(20, 21, 0), (30, 40, 3), (40, 64, 2), (8, 50, 1)] {
        let mut set = RootSet::<u64>::new(bits, payload, 2, &Arc::new(Budget::unlimited()));
        let (low, high) =
            (random_keys::<u64>(bits, 40_000, 1), random_keys::<u64>(wider, 40_000, 2));
        let mut all = HashSet::new();
        for (keys, to) in [(&low, bits), (&high, wider), (&low, wider)] {
            if to > set.bits() {
                set.widen(to).unwrap();
            }
            let list: Vec<u64> = keys.iter().copied().collect();
            let new = run(&mut set, |_, session| {
                let mut new = 0;
                for some in list.chunks(100) {
                    session.insert(some, |_| new += 1)?;
                }
                Ok(new)
            });
            let new: usize = new.into_iter().map(Result::unwrap).sum();
            assert_eq!(new, keys.difference(&all).count(), "{bits} to {wider} bits");
            all.extend(keys);
        }
        let mut there = HashSet::new();
        set.for_each(|key, _| assert!(there.insert(key)));
        assert_eq!(there, all);
        assert_eq!(set.len(), all.len());
    }
}
