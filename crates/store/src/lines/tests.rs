//! Keys that were chosen to make trouble, and lines against a plain list.

use super::head::Head;
use super::line::ALL_BLOCKS;
use super::shape::FAR;
use super::slots::slot_of;
use super::*;
use std::collections::HashSet;

/// Mixed keys in a row belong to few homes: most go to other lines, and to the stash.
#[test]
fn all_keys_to_few_lines() {
    for (bits, payload, threads, n) in [(40, 0, 2, 30_000), (64, 3, 3, 20_000), (100, 2, 2, 10_000)]
    {
        let budget = Arc::new(Budget::unlimited());
        let mut set = RootSet::<u128>::new(bits, payload, threads, &budget);
        let mix = set.mix;
        let keys: Vec<u128> = (0..n).map(|q| mix.unmix(q * 3 + (1 << 33))).collect();
        let new = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for mut session in set.sessions() {
                let (keys, new) = (&keys, &new);
                scope.spawn(move || {
                    for some in keys.chunks(50) {
                        let count = |_| {
                            new.fetch_add(1, Relaxed);
                        };
                        session.insert(some, count).unwrap();
                        // Another thread may have marked it.
                        assert!(session.payload(some[7]).is_some_and(|mark| mark < 2));
                        assert_eq!(session.payload(mix.unmix(1)), None);
                        if payload > 0 {
                            session
                                .update(some, |_, _| 1, |_, before| assert!(before.is_some()))
                                .unwrap();
                        }
                    }
                    while session.meet(|| ()).unwrap() == Met::Grown {}
                });
            }
        });
        assert_eq!((set.len(), new.into_inner()), (keys.len(), keys.len()));
        assert_eq!(budget.taken(), set.bytes());
        assert!(set.stash.bytes() > 0, "nothing came to the stash");
        let mut there = HashSet::new();
        set.for_each(|key, mark| assert!(mark == payload.min(1).into() && there.insert(key)));
        assert_eq!(there, keys.into_iter().collect());
        // Keys of the stash get wider too.
        set.widen(bits + 9).unwrap();
        let mut wide = HashSet::new();
        set.for_each(|key, _| assert!(wide.insert(key)));
        assert_eq!(wide, there);
        assert_eq!(budget.taken(), set.bytes());
    }
}

/// Few states with much payload, which get wider bit by bit: there are more homes than keys.
#[test]
fn few_wide_payloads() {
    let mut random = fastrand::Rng::with_seed(6);
    for payload in [6, 12, MOST_PAYLOAD, 30, WIDE_PAYLOAD] {
        for first in [1, 8, 15, 16, 17, 30, 60] {
            if !RootSet::<u64>::fits(first, payload) {
                continue;
            }
            let budget = Arc::new(Budget::unlimited());
            let mut set = RootSet::<u64>::new(first, payload, 1, &budget);
            let mut known = std::collections::HashMap::new();
            for bits in first..=(first + 12).min(64) {
                if bits > first && !set.can_widen(bits) {
                    assert!(payload > MOST_PAYLOAD && bits + payload > 64);
                    break;
                }
                if bits > first {
                    set.widen(bits).unwrap();
                }
                let mut session = set.sessions().pop().expect("one thread");
                for _ in 0..20 {
                    let keys: Vec<u64> =
                        (0..20).map(|_| random.u64(..) & u64::mask(bits)).collect();
                    let value = random.u64(..1 << payload);
                    session
                        .update(
                            &keys,
                            |_, _| value,
                            |at, before| {
                                assert_eq!(
                                    before,
                                    known.insert(keys[at], value),
                                    "{bits}: {:x}",
                                    keys[at]
                                );
                            },
                        )
                        .unwrap();
                }
                for (&key, &value) in &known {
                    assert_eq!(session.payload(key), Some(value), "{first} to {bits}: {key:x}");
                }
                drop(session);
                let mut all = std::collections::HashMap::new();
                set.for_each(|key, value| assert_eq!(all.insert(key, value), None));
                assert_eq!(all, known);
            }
        }
    }
}

/// A line takes slots of all widths, from all choices, and gives them back.
#[test]
fn lines_against_lists() {
    let mut random = fastrand::Rng::with_seed(5);
    for above in 0..=64 {
        for payload in [0, 1, 5, 8, 16] {
            let shape =
                Shape::<u128>::new(random.u64(256..1 << 30), (random.u32(16..=64), above), payload);
            one_line(&shape, &mut random);
            if shape.key_bits + payload <= 64 && above == 0 {
                one_line(&Shape::<u64>::new(shape.lines, (64 - payload, 0), payload), &mut random);
            }
        }
    }
}

fn one_line<R: Root>(shape: &Shape<R>, random: &mut fastrand::Rng) {
    let mut lines = Reserved::<[u64; 8]>::new();
    lines.grow(2).unwrap();
    let base = lines.base().cast::<Line>();
    // SAFETY: two lines of zeros.
    let [line, filled] = unsafe { [&*base, &*base.add(1)] };
    let mut list: Vec<(usize, R, u64)> = Vec::new();
    let mut is_full = false;
    for _ in 0..200 {
        let d = [0, 0, 0, 1, 2, 3][random.usize(..6)];
        let key = R::from_u128(random.u128(..)) & R::mask(shape.key_bits);
        let known = list.iter().position(|&(other, k, _)| (other, k) == (d, key));
        let payload = random.u64(..1 << shape.payload);
        match line.update::<ALL_BLOCKS, R>(shape, d, key, |_| payload, false) {
            Some(before) => {
                assert_eq!(before, known.map(|at| list[at].2));
                known.map(|at| list.swap_remove(at));
                list.push((d, key, payload));
            }
            None => is_full = true,
        }
        if let Some(&(d, key, payload)) = random.choice(&list) {
            assert_eq!(line.insert::<4, R>(shape, d, key, false), Some(false));
            assert_eq!(
                line.get::<ALL_BLOCKS, R>(shape, d, key, false).0.map(|(_, payload)| payload),
                Some(payload)
            );
        }
    }
    assert!(is_full && list.len() <= shape.slots as usize);
    let read = |words: [u64; 8]| {
        let of = |d: usize| {
            let (from, to) = Head::of(&words).group(d);
            (from..to).map(move |slot| (d, slot_of(shape, slot, |at| words[at])))
        };
        (0..=FAR).flat_map(of).map(|(d, value)| (d, value.to_u128())).collect::<HashSet<_>>()
    };
    let join = |&(d, key, payload): &(usize, R, u64)| (d, shape.join(key, payload).to_u128());
    assert_eq!(read(line.words()), list.iter().map(join).collect());
    // At once.
    let home: Vec<R> = list.iter().map(|&(_, key, payload)| shape.join(key, payload)).collect();
    assert_eq!(filled.fill(shape, &home), home.len());
    let wanted: HashSet<_> = home.iter().map(|value| (0, value.to_u128())).collect();
    assert_eq!(read(filled.words()), wanted);
    assert_eq!(filled.fill(shape, &home), 0, "it is not empty");
}
