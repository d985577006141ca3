//! The store of packed rows against the flat one: the same ids and rows.

use fastrand::Rng;
use lariat_core::{Batch, Flat, FlatArena, Full, SystemStore, Word};
use lariat_store::{Beyond, Dense, Exact};

const BEYOND: [Beyond; 2] = [Beyond::Tree, Beyond::Flat];

/// A walk: load a state, change a few words many times, intern what came of several states at once. The
/// largest value of a word is `most(word, step)`. The bits of a state in the end.
fn walk(
    width: usize,
    steps: usize,
    seed: u64,
    most: impl Fn(usize, usize) -> Word,
) -> [Option<u32>; 2] {
    BEYOND.map(|beyond| {
        let mut random = Rng::with_seed(seed);
        let mut dense = Dense::new(width, beyond);
        let mut flat: Exact<u32, FlatArena> = Exact::new(FlatArena::new(width));
        let first: Vec<Word> = (0..width).map(|word| random.u32(..=most(word, 0))).collect();
        let ids = (dense.intern(&first).unwrap(), SystemStore::intern(&mut flat, &first).unwrap());
        assert_eq!(ids, (0, 0));
        let mut batch = Flat::new(width, usize::MAX);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for step in 0..steps {
            ours.clear();
            theirs.clear();
            for _ in 0..1 + random.u64(..3) {
                let id = random.u64(..SystemStore::len(&flat) as u64);
                // Ids are there only after the end of a block.
                let id = id.min(dense.len() as u64 - 1);
                let row = dense.load(id).to_vec();
                assert_eq!(row, SystemStore::load(&mut flat, id), "seed {seed}, step {step}");
                batch.clear();
                for _ in 0..random.u64(..6) {
                    let next = batch.push_copy(&row);
                    for _ in 0..random.u64(..4) {
                        let word = random.usize(..width);
                        next[word] = random.u32(..=most(word, step));
                    }
                }
                dense.take_in(&batch, &mut ours).unwrap();
                SystemStore::intern_all(&mut flat, &batch, &mut theirs).unwrap();
            }
            dense.finish(&mut ours).unwrap();
            assert_eq!(ours, theirs, "seed {seed}, step {step}");
            assert_eq!(dense.len(), SystemStore::len(&flat));
        }
        for id in 0..dense.len() as u64 {
            assert_eq!(dense.load(id), SystemStore::load(&mut flat, id), "seed {seed}");
            let row = dense.load(id).to_vec();
            assert_eq!(dense.intern(&row), Ok(id));
        }
        dense.bits()
    })
}

#[test]
fn agrees_with_the_flat_store() {
    for seed in 1..=40 {
        let width = 1 + (seed as usize * 7) % 40;
        let most = [1, 2, 17, Word::MAX][seed as usize % 4];
        walk(width, 1_000, seed, |_, _| most);
    }
    for width in [1, 2, 3, 4, 63, 64, 65, 128, 129, 300] {
        walk(width, 1_000, 1_000 + width as u64, |_, _| 4);
    }
}

/// Numbers grow as those of tables do. All bits of a key are used, and then some.
#[test]
fn bits_are_added_on_the_way() {
    let grows = |_: usize, step: usize| step as Word / 4;
    assert_eq!(walk(4, 40_000, 1, grows), [Some(64); 2]);
    assert_eq!(walk(5, 40_000, 2, grows), [Some(128); 2]);
    assert_eq!(walk(9, 40_000, 3, grows), [Some(128); 2]);
    assert_eq!(walk(10, 40_000, 4, grows), [None; 2]);
    // One word after the other.
    let by_word = |word: usize, step: usize| if step > 2_000 * word { 900 } else { 2 };
    assert_eq!(walk(6, 14_000, 5, by_word), [Some(64); 2]);
    assert_eq!(walk(12, 26_000, 6, by_word), [Some(128); 2]);
    assert_eq!(walk(13, 28_000, 7, by_word), [None; 2]);
    // Words that do not change need no bits.
    assert_eq!(walk(400, 3_000, 8, |word, _| Word::from(word % 7 == 0)), [Some(64); 2]);
}

/// 64 and 128 bits exactly.
#[test]
fn to_the_last_bit() {
    for (words, bits) in [(2, 64), (4, 128)] {
        let mut dense = Dense::new(words, Beyond::Flat);
        let mut random = Rng::with_seed(words as u64);
        let mut rows: Vec<Vec<Word>> = vec![vec![Word::MAX; words], vec![0; words]];
        rows.extend((0..3_000).map(|_| (0..words).map(|_| random.u32(..)).collect()));
        for (id, row) in rows.iter().enumerate() {
            assert_eq!(dense.intern(row), Ok(id as u64));
        }
        for (id, row) in rows.iter().enumerate() {
            assert_eq!(dense.load(id as u64), row);
        }
        assert_eq!(dense.bits(), Some(bits));
    }
}

#[test]
fn states_are_forgotten() {
    let mut dense = Dense::new(3, Beyond::Tree);
    for round in 0..3 {
        for value in 0..1_000 {
            assert_eq!(dense.intern(&[value, round, value * 70_000]), Ok(value.into()));
        }
        dense.forget_states();
        assert_eq!(dense.len(), 0);
    }
}

#[test]
fn a_state_takes_little_more_than_its_key() {
    for (most, bytes) in [(1 << 6, 18.0), (1 << 10, 27.0)] {
        let mut dense = Dense::new(9, Beyond::Flat);
        let mut random = Rng::with_seed(5);
        for _ in 0..400_000 {
            let row: Vec<Word> = (0..9).map(|_| random.u32(..most)).collect();
            dense.intern(&row).unwrap();
        }
        let each = dense.bytes() as f64 / dense.len() as f64;
        assert!(dense.len() > 350_000 && each < bytes, "{each} bytes each for {}", dense.len());
    }
}

/// Also where old and new keys are not allowed together.
#[test]
fn the_limit_is_hard() {
    for (width, limit) in [(3, 100_000), (3, 1 << 20), (7, 300_000), (7, 3 << 20), (14, 1 << 20)] {
        for beyond in BEYOND {
            let mut dense = Dense::new(width, beyond);
            dense.limit_bytes(limit);
            let mut random = Rng::with_seed(9);
            let mut batch = Flat::new(width, usize::MAX);
            let mut ids = Vec::new();
            let mut rows: Vec<Vec<Word>> = Vec::new();
            let mut most = 4;
            let full = loop {
                batch.clear();
                for _ in 0..8 {
                    let row = batch.push_copy(&vec![1; width]);
                    row.iter_mut().for_each(|word| *word = random.u32(..most));
                }
                most += 1;
                ids.clear();
                if let Err(full) = dense.intern_all(&batch, &mut ids) {
                    break full;
                }
                for (at, &id) in ids.iter().enumerate() {
                    if id as usize == rows.len() {
                        rows.push(batch.row(at).to_vec());
                    }
                    assert_eq!(rows[id as usize], batch.row(at));
                }
                assert!(dense.bytes() <= limit, "{} of {limit}", dense.bytes());
            };
            assert_eq!(full, Full);
            assert!(dense.bytes() <= limit && dense.len() >= rows.len());
            // What was stored is still there.
            for (id, row) in rows.iter().enumerate() {
                assert_eq!(dense.load(id as u64), row);
            }
        }
    }
}
