//! Bytes as operations on a tree store, beside a plain map. The fuzz target `tree_store` shares
//! this file.

use std::collections::HashMap;

use lariat_core::{Batch, Flat, SystemStore, Word};
use lariat_store::{Tree, Tuning};

/// Reads what to do from bytes; zeros when they are over.
struct Script<'d>(std::slice::Iter<'d, u8>);

impl Script<'_> {
    fn byte(&mut self) -> usize {
        self.0.next().copied().unwrap_or(0).into()
    }

    /// Mostly small, sometimes any number.
    fn word(&mut self) -> Word {
        match self.byte() {
            large @ 200.. => (large << 24 | self.byte() << 10 | self.byte()) as Word,
            small => small as Word % 7,
        }
    }
}

/// What should be in the store.
#[derive(Default)]
struct Known {
    ids: HashMap<Vec<Word>, u64>,
    rows: Vec<Vec<Word>>,
}

impl Known {
    fn id(&mut self, row: &[Word]) -> u64 {
        let next = self.rows.len() as u64;
        let id = *self.ids.entry(row.to_vec()).or_insert(next);
        if id == next {
            self.rows.push(row.to_vec());
        }
        id
    }
}

/// Does what the bytes say, and compares; the number of states in the end.
pub(crate) fn run(data: &[u8]) -> usize {
    let mut script = Script(data.iter());
    let width = 1 + script.byte() % 12;
    let first_plan = [usize::MAX, 2, 5, 20, 90][script.byte() % 5];
    let mut tree = Tree::new(width).with_tuning(Tuning { first_plan, ..Tuning::default() });
    let narrow = script.byte();
    if narrow % 3 == 0 {
        tree = tree.with_narrow_ids_up_to(1 + narrow);
        tree.allow_wide_ids();
    }
    let mut limit = usize::MAX;
    let mut known = Known::default();
    let mut batch = Flat::new(width, usize::MAX);
    let mut ids = Vec::new();
    while script.0.len() > 0 {
        let many = known.rows.len();
        match script.byte() % 16 {
            0..4 => {
                let row: Vec<Word> = (0..width).map(|_| script.word()).collect();
                match tree.intern(&row) {
                    Ok(id) => assert_eq!(id, known.id(&row), "{row:x?}"),
                    Err(_) => return full(tree, &known, limit),
                }
            }
            4..12 if many > 0 => {
                let from = (script.byte() << 8 | script.byte()) % many;
                assert_eq!(tree.load(from as u64), known.rows[from]);
                batch.clear();
                for _ in 0..script.byte() % 5 {
                    let row = batch.push_copy(&known.rows[from]);
                    for _ in 0..script.byte() % 3 {
                        row[script.byte() % width] = script.word();
                    }
                }
                ids.clear();
                if tree.intern_all(&batch, &mut ids).is_err() {
                    return full(tree, &known, limit);
                }
                let expected: Vec<u64> =
                    (0..batch.len()).map(|at| known.id(batch.row(at))).collect();
                assert_eq!(ids, expected);
            }
            12 if many > 1 => {
                let bytes = [(script.byte() << 16 | script.byte() << 8 | script.byte()) as u64
                    & ((1 << (4 * width)) - 1)];
                let (one, other) = (script.byte() % many, script.byte() % many);
                let Some(fields) = tree.fields(&bytes) else { continue };
                assert_eq!(Some(fields.version), tree.shape());
                let key = |id: usize| tree.packed(id as u64) & fields.mask;
                let (this, that) = (key(one), key(other));
                let byte = |id: usize, at: usize| known.rows[id][at / 4].to_le_bytes()[at % 4];
                let agree = (0..4 * width)
                    .filter(|at| bytes[0] >> at & 1 == 1)
                    .all(|at| byte(one, at) == byte(other, at));
                // Fields may hold more bytes.
                assert!(this != that || agree, "bytes {bytes:x?}");
            }
            13 if script.byte() == 7 => {
                tree.forget_states();
                known = Known::default();
                assert_eq!(tree.len(), 0);
            }
            14 if script.byte() == 9 => {
                limit = tree.bytes() + 64 * script.byte();
                tree.limit_bytes(limit);
            }
            15 => {
                let classes: Vec<u32> = (0..4 * width).map(|_| script.byte() as u32 % 3).collect();
                tree.suit(if script.byte() % 4 == 0 { &[] } else { &classes });
            }
            _ => {}
        }
        assert_eq!(tree.len(), known.rows.len());
        assert!(tree.bytes() <= limit, "{} of {limit} bytes", tree.bytes());
    }
    check(&mut tree, &known);
    tree.len()
}

/// There was no room, as was demanded: what is in the store stays right.
fn full(mut tree: Tree, known: &Known, limit: usize) -> usize {
    assert_ne!(limit, usize::MAX, "the store is full without a limit");
    check(&mut tree, known);
    tree.len()
}

fn check(tree: &mut Tree, known: &Known) {
    for (id, row) in known.rows.iter().enumerate() {
        assert_eq!(tree.load(id as u64), row, "state {id}");
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use fastrand::Rng;

    #[test]
    fn random_bytes() {
        let mut states = 0;
        for seed in 0..3_000 {
            println!("seed {seed}");
            let mut random = Rng::with_seed(seed);
            let bytes: Vec<u8> = (0..random.usize(..3_000)).map(|_| random.u8(..)).collect();
            states += run(&bytes);
        }
        assert!(states > 100_000, "{states}");
    }
}
