//! Rows as 64 bits, without adding them as states: for who keeps them elsewhere.

use super::Tree;
use super::worker::Trouble;
use crate::pairs::hash;
use lariat_core::{Full, SystemStore, Word};

impl Tree {
    /// The row in 64 bits: different rows are different as long as the shape is the same
    /// (`SystemStore::shape`), which may change here. Nothing but its parts is kept.
    pub fn pack(&mut self, row: &[Word]) -> Result<u64, Full> {
        debug_assert!(self.worker.found.is_empty(), "nothing else was taken in");
        while let Err(trouble) = self.worker.find_root(&mut self.tables, row) {
            self.worker.forget_row();
            match trouble {
                Trouble::Full => return Err(Full),
                Trouble::TooMany => self.make_fields_fit()?,
            }
        }
        let found = self.worker.find_unknown(&mut self.tables);
        let packed = self.worker.found.pop().expect("the row was taken in").root;
        self.worker.unknown.clear();
        found.map(|()| packed)
    }

    /// Rows that are packed from now on are compared with this one, if that can be packed as it is.
    /// There is a state.
    pub fn compare_with(&mut self, row: &[Word]) -> Result<(), Full> {
        self.worker.row.copy_from_slice(row);
        let loaded = self.worker.set_loaded(&mut self.tables);
        if loaded.is_err() || !self.worker.fits(&self.tables) {
            self.load(0);
        }
        loaded
    }

    /// Whether there is a state that is packed so.
    pub fn has_packed(&self, packed: u64) -> bool {
        self.tables.roots.contains(packed, hash(packed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Different rows are packed differently, in every shape that there is on the way.
    #[test]
    fn packed_rows_differ_as_rows_do() {
        let mut random = fastrand::Rng::with_seed(5);
        for (width, values) in [(3, 5), (12, 4), (12, 3_000), (40, 9)] {
            let mut tree = Tree::new(width);
            let mut row = vec![0; width];
            let mut known: HashMap<u64, Vec<Word>> = HashMap::new();
            let mut shape = tree.shape();
            for step in 0..60_000 {
                row[random.usize(..width)] = random.u32(..values);
                let packed = if step < 20_000 {
                    let id = tree.intern(&row).unwrap();
                    tree.packed(id)
                } else {
                    if step % 3 == 0 {
                        tree.compare_with(&row).unwrap();
                    }
                    tree.pack(&row).unwrap()
                };
                if tree.shape() != shape {
                    shape = tree.shape();
                    known.clear();
                }
                let before = known.insert(packed, row.clone());
                assert!(before.is_none_or(|before| before == row), "step {step}");
            }
            let first = tree.load(0).to_vec();
            let packed = tree.pack(&first).unwrap();
            assert!(tree.has_packed(packed));
        }
    }
}
