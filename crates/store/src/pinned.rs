//! The states that a search has in hand: on its stack, or generated and not yet looked at.
//!
//! Rows come and go last in first out. Some of them are *held*: found by their row, as the
//! states on the search stack must be. A row may be pinned several times and is held once, at
//! the place that was held first; that place outlives the later ones.

use crate::index::Index;
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
        Pinned { rows, hashes: Vec::new(), held: Index::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
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
        self.rows.bytes() + self.hashes.capacity() * size_of::<u64>() + self.held.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
