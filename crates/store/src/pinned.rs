//! The states that a search has in hand: on its stack, or generated and not yet looked at.
//!
//! Rows come and go last in first out. Some of them are *held*: found by their row, as the
//! states on the search stack must be. A row may be pinned several times and is held once, at
//! the place that was held first; that place outlives the later ones.

use lariat_core::{Arena, Batch, Pending};

/// Rows by position, with their hashes and an index over the held ones.
#[derive(Debug)]
pub(crate) struct Pinned<A> {
    rows: A,
    hashes: Vec<u64>,
    held: Index,
}

impl<A: Arena> Pinned<A> {
    pub(crate) fn new(rows: A) -> Self {
        Pinned { rows, hashes: Vec::new(), held: Index::default() }
    }

    #[inline]
    pub(crate) fn row(&self, at: u32) -> &A::Row {
        self.rows.get(at)
    }

    #[inline]
    pub(crate) fn hash(&self, at: u32) -> u64 {
        self.hashes[at as usize]
    }

    #[inline]
    pub(crate) fn push(&mut self, row: &A::Row, hash: u64) -> u32 {
        let at = u32::try_from(self.hashes.len()).expect("fewer than 2^32 states in hand");
        self.rows.push(row);
        self.hashes.push(hash);
        at
    }

    /// Pins a batch, the first row last; `hashes` are those of its rows in order.
    #[inline]
    pub(crate) fn push_all<B: Batch<Row = A::Row>>(
        &mut self,
        batch: &B,
        hashes: &[u64],
        out: &mut Vec<Pending<u32>>,
    ) {
        for i in (0..batch.len()).rev() {
            out.push(Pending { dst: self.push(batch.row(i), hashes[i]), marks: batch.marks(i) });
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self, at: u32) {
        debug_assert_eq!(self.hashes.len(), at as usize + 1, "last in, first out");
        self.hashes.truncate(at as usize);
        self.rows.truncate(at as usize);
    }

    /// Where the row of `at` is held.
    #[inline]
    pub(crate) fn holder(&self, at: u32) -> Option<u32> {
        let row = self.rows.get(at);
        self.held.find(self.hash(at), |other| other == at || self.rows.get(other) == row)
    }

    /// Holds the row at this place; it is held nowhere yet.
    #[inline]
    pub(crate) fn hold(&mut self, at: u32) {
        debug_assert!(self.holder(at).is_none());
        self.held.insert(self.hash(at), at);
    }

    /// Lets go of the row held at exactly this place.
    #[inline]
    pub(crate) fn let_go(&mut self, at: u32) {
        self.held.remove(self.hash(at), at);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.bytes() + (self.hashes.capacity() + self.held.slots.capacity()) * size_of::<u64>()
    }
}

/// Hash → position, by linear probing; removal shifts the followers back, so that no
/// tombstones gather while the stack goes up and down. A slot is the hash's high half and
/// position + 1; 0 is free.
#[derive(Debug, Default)]
struct Index {
    slots: Vec<u64>,
    len: usize,
}

impl Index {
    #[inline]
    fn home(entry: u64, mask: usize) -> usize {
        (entry >> 32) as usize & mask
    }

    #[inline]
    fn slot(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = Self::home(hash, mask);
        loop {
            let entry = self.slots[slot];
            let at = (entry as u32).checked_sub(1)?;
            if entry >> 32 == hash >> 32 && is_it(at) {
                return Some(slot);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.slot(hash, is_it).map(|slot| self.slots[slot] as u32 - 1)
    }

    fn insert(&mut self, hash: u64, at: u32) {
        if (self.len + 1) * 2 > self.slots.len() {
            let doubled = vec![0; (self.slots.len() * 2).max(64)];
            for entry in std::mem::replace(&mut self.slots, doubled) {
                if entry != 0 {
                    self.place(entry);
                }
            }
        }
        self.place(hash & !0xFFFF_FFFF | u64::from(at + 1));
        self.len += 1;
    }

    fn place(&mut self, entry: u64) {
        let mask = self.slots.len() - 1;
        let mut slot = Self::home(entry, mask);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = entry;
    }

    fn remove(&mut self, hash: u64, at: u32) {
        let Some(mut hole) = self.slot(hash, |other| other == at) else { return };
        let mask = self.slots.len() - 1;
        let mut slot = hole;
        loop {
            slot = (slot + 1) & mask;
            let entry = self.slots[slot];
            if entry == 0 {
                break;
            }
            // An entry may move to the hole if its home is not between the two.
            let from_home = slot.wrapping_sub(Self::home(entry, mask)) & mask;
            if from_home >= slot.wrapping_sub(hole) & mask {
                self.slots[hole] = entry;
                hole = slot;
            }
        }
        self.slots[hole] = 0;
        self.len -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a plain list, with hashes so poor that everything collides.
    #[test]
    fn the_index_agrees_with_a_list() {
        let mut dice = 12345_u64;
        let mut roll = |bound: u64| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (dice >> 33) % bound
        };
        for spread in [1, 3, 40, 1 << 20] {
            let (mut index, mut list) = (Index::default(), Vec::<(u64, u32)>::new());
            for _ in 0..20_000 {
                let key = roll(200) as u32;
                let hash = (u64::from(key) % spread) << 32;
                if let Some(known) = list.iter().position(|&(_, at)| at == key) {
                    assert_eq!(index.find(hash, |at| at == key), Some(key));
                    if roll(2) == 0 {
                        index.remove(hash, key);
                        list.swap_remove(known);
                    }
                } else {
                    assert_eq!(index.find(hash, |at| at == key), None);
                    index.insert(hash, key);
                    list.push((hash, key));
                }
                assert_eq!(index.len, list.len());
            }
        }
    }

    #[test]
    fn a_row_is_found_from_every_place_where_it_is_pinned() {
        let mut pinned = Pinned::new(Vec::<[u32; 1]>::new());
        let first = pinned.push(&[7], 1);
        let other = pinned.push(&[8], 1);
        let again = pinned.push(&[7], 1);
        assert_eq!(pinned.holder(again), None);
        pinned.hold(first);
        assert_eq!((pinned.holder(again), pinned.holder(other)), (Some(first), None));
        pinned.pop(again);
        pinned.let_go(first);
        assert_eq!(pinned.holder(first), None);
    }
}
