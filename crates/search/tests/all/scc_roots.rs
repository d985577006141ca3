//! The compressed stack of roots holds what the plain one holds (RDKP §4.2), under the moves
//! that a search makes.

use crate::support::Sweep;
use fastrand::Rng;
use lariat_core::Marks;
use lariat_search::emptiness::scc::roots::{Compressed, Plain, Root, RootStack};

/// All roots, topmost first.
fn content<R: RootStack<Marks> + Clone>(roots: &R, depth: u32) -> Vec<Root<Marks>> {
    let mut roots = roots.clone();
    let mut all = Vec::new();
    while depth > 0 && all.last().is_none_or(|root: &Root<Marks>| root.depth > 0) {
        let top = roots.top_root();
        all.push(roots.pop());
        assert_eq!(all[all.len() - 1].depth, top);
    }
    all
}

#[test]
fn compressed_and_plain_agree() {
    let (mut merges, mut splits) = (0, 0);
    for seed in Sweep::from_env(3_000).seeds() {
        let mut rng = Rng::with_seed(seed);
        let (mut plain, mut packed) = (Plain::<Marks>::default(), Compressed::<Marks>::default());
        // The size of the search stack.
        let mut depth = 0;
        for _ in 0..60 {
            match rng.u64(..10) {
                0..5 => {
                    plain.push_trivial(depth);
                    packed.push_trivial(depth);
                    depth += 1;
                }
                5..8 if depth > 0 => {
                    let goal = rng.u32(..depth);
                    let mut acc = Marks::one(rng.u32(..64));
                    let before = packed.len();
                    let (root, same) = loop {
                        let (a, b) = (plain.pop(), packed.pop());
                        assert_eq!(a, b, "seed {seed}");
                        acc |= a.acc;
                        if a.depth <= goal {
                            break (a.depth, a.trivial);
                        }
                    };
                    plain.push_non_trivial(acc, root, depth - 1);
                    packed.push_non_trivial(acc, root, depth - 1);
                    merges += 1;
                    splits += u64::from(same && packed.len() > before);
                }
                _ if depth > 0 => {
                    depth -= 1;
                    assert_eq!(plain.top_root() == depth, packed.top_root() == depth);
                    if plain.top_root() == depth {
                        assert_eq!(plain.pop(), packed.pop(), "seed {seed}");
                    }
                }
                _ => {}
            }
            assert_eq!(content(&plain, depth), content(&packed, depth), "seed {seed}");
            assert!(packed.len() <= plain.len());
        }
    }
    println!("{merges} merges, {splits} inside a range");
    assert!(merges > 1_000 && splits > 100);
}

/// RDKP Figure 1: ranges of trivial components take one entry.
#[test]
fn a_path_takes_one_entry() {
    let mut roots = Compressed::<Marks>::default();
    for depth in 0..1000 {
        roots.push_trivial(depth);
    }
    assert_eq!(roots.len(), 1);
    // A cycle from 999 back to 500 splits the range.
    let mut root = roots.pop();
    while root.depth > 500 {
        root = roots.pop();
    }
    roots.push_non_trivial(Marks::NONE, 500, 999);
    assert_eq!((roots.len(), roots.top_root()), (2, 500));
    roots.push_trivial(1000);
    assert_eq!((roots.len(), roots.top_root()), (3, 1000));
    roots.pop();
    assert_eq!(roots.top_root(), 500);
    roots.pop();
    assert_eq!((roots.len(), roots.top_root()), (1, 499));
}
