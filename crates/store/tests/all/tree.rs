//! The tree store against the flat one: the same ids and rows.

use fastrand::Rng;
use lariat_core::{Batch, Flat, FlatArena, Full, SystemStore, Word};
use lariat_store::{Exact, Tree};

/// A walk: load a state, change a few words many times, intern the batch.
fn walk(width: usize, values: u64, steps: usize, seed: u64) {
    walk_in(Tree::new(width), width, values, steps, seed);
}

fn walk_in(mut tree: Tree, width: usize, values: u64, steps: usize, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let mut flat: Exact<u32, FlatArena> = Exact::new(FlatArena::new(width));
    let first: Vec<Word> = (0..width).map(|_| random.u64(..values) as Word).collect();
    let ids = (tree.intern(&first).unwrap(), SystemStore::intern(&mut flat, &first).unwrap());
    assert_eq!(ids, (0, 0));
    let mut batch = Flat::new(width, usize::MAX);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for step in 0..steps {
        let id = random.u64(..tree.len() as u64);
        let row = tree.load(id).to_vec();
        assert_eq!(row, SystemStore::load(&mut flat, id), "seed {seed}, step {step}");
        batch.clear();
        for _ in 0..random.u64(..6) {
            let next = batch.push_copy(&row);
            for _ in 0..random.u64(..4) {
                next[random.usize(..width)] = random.u64(..values) as Word;
            }
        }
        ours.clear();
        theirs.clear();
        tree.intern_all(&batch, &mut ours).unwrap();
        SystemStore::intern_all(&mut flat, &batch, &mut theirs).unwrap();
        assert_eq!(ours, theirs, "seed {seed}, step {step}");
        assert_eq!(tree.len(), SystemStore::len(&flat));
    }
    for id in 0..tree.len() as u64 {
        assert_eq!(tree.load(id), SystemStore::load(&mut flat, id), "seed {seed}");
        let row = tree.load(id).to_vec();
        assert_eq!(tree.intern(&row), Ok(id));
    }
}

#[test]
fn agrees_with_the_flat_store() {
    for seed in 1..=60 {
        let width = 1 + (seed as usize * 7) % 40;
        let values = [2, 3, 17, 1 << 32][seed as usize % 4];
        walk(width, values, 3_000, seed);
    }
    for width in [1, 2, 3, 4, 5, 8, 9, 63, 64, 65, 300] {
        walk(width, 5, 2_000, 1_000 + width as u64);
    }
}

/// The ids of 32 bits run out on the way, before and after changes of shape.
#[test]
fn agrees_when_ids_become_wide() {
    for most in [1, 100, 8_000, 9_000, 40_000] {
        for (width, values) in [(3, 1 << 10), (12, 3), (30, 2)] {
            let mut tree = Tree::new(width).with_narrow_ids_up_to(most);
            tree.allow_wide_ids();
            walk_in(tree, width, values, 20_000, most as u64 + width as u64);
        }
    }
    let mut tree = Tree::new(3).with_narrow_ids_up_to(100);
    let found: Vec<_> = (0..200).map(|at| tree.intern(&[at, 1, 2])).collect();
    assert!(found[..100].iter().all(Result::is_ok) && found[100..].iter().all(Result::is_err));
}

/// The shape changes on the way; nobody notices.
#[test]
fn agrees_through_changes_of_shape() {
    for (width, values) in [(3, 1 << 10), (12, 3), (30, 2), (90, 4)] {
        walk(width, values, 80_000, 77 + width as u64);
    }
}

/// Words that vary much only after the shape was chosen, one after the other: fields get other
/// bits, then other groups are made.
#[test]
fn agrees_when_groups_grow_late() {
    for (width, quiet, each) in [(25, 9_000, 400), (25, 9_000, 1_500), (24, 9_000, 3_000)] {
        let mut random = Rng::with_seed(41);
        let mut tree = Tree::new(width);
        let mut flat: Exact<u32, FlatArena> = Exact::new(FlatArena::new(width));
        for step in 0..quiet + each * width {
            let loud = step.saturating_sub(quiet) / each;
            let value = |word| random.u64(..if step >= quiet && word <= loud { 700 } else { 3 });
            let row: Vec<Word> = (0..width).map(value).map(|value| value as Word).collect();
            let ids = (tree.intern(&row), SystemStore::intern(&mut flat, &row));
            assert_eq!(ids.0, ids.1, "width {width}, step {step}");
        }
        for id in 0..tree.len() as u64 {
            assert_eq!(tree.load(id), SystemStore::load(&mut flat, id));
        }
    }
}

/// Combinations of few parts take little more than a root each.
#[test]
fn parts_are_shared() {
    let mut tree = Tree::new(16);
    let mut random = Rng::with_seed(5);
    for _ in 0..400_000 {
        let mut row = [0; 16];
        for part in row.chunks_exact_mut(4) {
            let value = random.u64(..60) as Word;
            part.copy_from_slice(&[value, value * 3, value + 1, 7]);
        }
        tree.intern(&row).unwrap();
    }
    let each = tree.bytes() as f64 / tree.len() as f64;
    assert!(tree.len() > 350_000 && each < 20.0, "{each} bytes each for {}", tree.len());
}

/// Where old and new shape are not allowed together, the old one stays.
#[test]
fn a_shape_that_does_not_fit_is_given_up() {
    for limit in (500_000..1_700_000).step_by(20_000) {
        let (mut tree, mut random, mut ids) = (Tree::new(10), Rng::with_seed(3), Vec::new());
        tree.limit_bytes(limit);
        let first = tree.intern(&[1; 10]).unwrap();
        let mut batch = Flat::new(10, usize::MAX);
        loop {
            assert_eq!(tree.load(first), [1; 10]);
            batch.clear();
            for _ in 0..8 {
                let row = batch.push_copy(&[1; 10]);
                row[random.usize(..10)] = random.u64(..1 << 12) as Word;
            }
            ids.clear();
            if tree.intern_all(&batch, &mut ids).is_err() || tree.len() > 20_000 {
                break;
            }
            for (at, &id) in ids.iter().enumerate() {
                assert_eq!(tree.load(id), batch.row(at), "limit {limit}");
            }
        }
    }
}

#[test]
fn the_limit_is_hard() {
    for limit in [100_000, 1 << 20, 5_000_000] {
        let mut tree = Tree::new(10);
        tree.limit_bytes(limit);
        let mut random = Rng::with_seed(9);
        let mut batch = Flat::new(10, usize::MAX);
        let mut ids = Vec::new();
        let full = loop {
            batch.clear();
            for _ in 0..8 {
                let row = batch.push_copy(&[3; 10]);
                row[0] = random.u64(..1 << 20) as Word;
                row[9] = random.u64(..1 << 10) as Word;
            }
            if let Err(full) = tree.intern_all(&batch, &mut ids) {
                break full;
            }
            assert!(tree.bytes() <= limit, "{} of {limit}", tree.bytes());
        };
        assert_eq!(full, Full);
        assert!(tree.bytes() * 10 > limit * 6, "{} of {limit}", tree.bytes());
        // What was stored is still there.
        for id in 0..tree.len() as u64 {
            let row = tree.load(id).to_vec();
            assert_eq!(row[1..9], [3; 8]);
        }
    }
}
