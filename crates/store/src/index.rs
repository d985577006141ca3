//! A hash index with removal: rows → positions, for the states that must be found exactly
//! while a search has them in hand, and then no more.
//!
//! Open addressing with linear probing. An entry is the upper half of the row's hash and
//! position + 1; 0 is free. The entry's home is told by its own half of the hash, so that
//! neither growing nor the shift on removal looks at a row.

use crate::hash::prefetch;
use crate::slots::Slots;

/// Positions, each found by the hash of its row.
#[derive(Debug)]
pub(crate) struct Index {
    table: Slots,
    len: usize,
}

impl Index {
    pub(crate) fn new() -> Self {
        Index { table: Slots::new(64), len: 0 }
    }

    #[inline(always)]
    fn home(&self, entry: u64) -> usize {
        (entry >> 32) as usize & (self.table.len() - 1)
    }

    #[inline(always)]
    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.table.len() - 1)
    }

    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(&self.table[self.home(hash)]);
    }

    /// The position with this hash that `is_it`.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let mut slot = self.home(hash);
        loop {
            let entry = self.table[slot];
            if entry == 0 {
                return None;
            }
            if entry >> 32 == hash >> 32 && is_it(entry as u32 - 1) {
                return Some(entry as u32 - 1);
            }
            slot = self.after(slot);
        }
    }

    /// Adds a position that is not there.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, position: u32) {
        self.len += 1;
        if self.len * 4 > self.table.len() * 3 {
            self.grow();
        }
        self.place(hash >> 32 << 32 | u64::from(position + 1));
    }

    #[inline(always)]
    fn place(&mut self, entry: u64) {
        let mut slot = self.home(entry);
        while self.table[slot] != 0 {
            slot = self.after(slot);
        }
        self.table[slot] = entry;
    }

    #[cold]
    fn grow(&mut self) {
        let table = Slots::new(self.table.len() * 2);
        let old = std::mem::replace(&mut self.table, table);
        for slot in 0..old.len() {
            if old[slot] != 0 {
                self.place(old[slot]);
            }
        }
    }

    /// Takes out a position that is there.
    #[inline]
    pub(crate) fn remove(&mut self, hash: u64, position: u32) {
        let entry = hash >> 32 << 32 | u64::from(position + 1);
        let mut hole = self.home(entry);
        while self.table[hole] != entry {
            debug_assert_ne!(self.table[hole], 0, "the position is in the index");
            hole = self.after(hole);
        }
        // Entries behind that may stand in the hole move up, so that no probe stops early.
        let mask = self.table.len() - 1;
        let mut slot = hole;
        loop {
            slot = self.after(slot);
            let entry = self.table[slot];
            if entry == 0 {
                break;
            }
            let wanders = slot.wrapping_sub(self.home(entry)) & mask;
            if wanders >= slot.wrapping_sub(hole) & mask {
                self.table[hole] = entry;
                hole = slot;
            }
        }
        self.table[hole] = 0;
        self.len -= 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> usize {
        self.table.len() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::Index;
    use std::collections::HashMap;

    /// Random operations against a map, with hashes that collide often.
    #[test]
    fn agrees_with_a_map() {
        let mut random = fastrand::Rng::with_seed(7);
        // Few homes, and some at the end of the table, so that probes wrap around.
        let hash_of = |position: u32| (55 + u64::from(position) * 7 % 20) << 32;
        for _ in 0..200 {
            let (mut index, mut map) = (Index::new(), HashMap::<u32, u64>::new());
            for _ in 0..400 {
                let position = random.u32(..60);
                let hash = hash_of(position);
                assert_eq!(
                    index.find(hash, |p| p == position).is_some(),
                    map.contains_key(&position)
                );
                if map.remove(&position).is_some() {
                    index.remove(hash, position);
                } else {
                    index.insert(hash, position);
                    map.insert(position, hash);
                }
                assert_eq!(index.len(), map.len());
            }
            for (&position, &hash) in &map {
                assert_eq!(index.find(hash, |p| p == position), Some(position));
            }
        }
    }

    #[test]
    fn grows() {
        let mut index = Index::new();
        let hash_of = |position: u32| crate::hash::hash(&[position]);
        for position in 0..100_000 {
            index.insert(hash_of(position), position);
        }
        for position in 0..100_000 {
            assert_eq!(index.find(hash_of(position), |p| p == position), Some(position));
        }
    }
}
