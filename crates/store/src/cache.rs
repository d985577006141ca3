//! The cache store (state-space caching, RDKP §6): the states on the search stack are kept
//! exactly, the others in a table of bounded size that forgets.
//!
//! What it says of a state is true; but a state that was visited may look unvisited and be
//! visited again. Searches still end, since no path on the stack holds a state twice. They
//! may take much longer.

use crate::evicting::Evicting;
use crate::hash::hash;
use crate::pinned::Pinned;
use lariat_core::{Arena, Batch, Intern, Pending, States, Store};

/// Tags of type `T`; exact while the state, or an equal one below it on the stack, is in hand.
#[derive(Debug)]
pub struct Cache<T, A> {
    pinned: Pinned<A>,
    /// The tags of the held states, by position; `None` is not held.
    tags: Vec<Option<T>>,
    old: Evicting<A, T>,
    /// The hashes of the batch at hand.
    hashes: Vec<u64>,
}

impl<T: Copy, A: Arena + Clone> Cache<T, A> {
    /// `rows` is an empty arena of the right width; `room` is how many states off the stack
    /// are remembered at most.
    pub fn new(rows: A, room: usize) -> Self {
        Cache {
            pinned: Pinned::new(rows.clone()),
            tags: Vec::new(),
            old: Evicting::new(rows, room),
            hashes: Vec::new(),
        }
    }
}

impl<T: Copy, A: Arena> States for Cache<T, A> {
    type Row = A::Row;
    type Id = u32;

    #[inline]
    fn row(&self, id: u32) -> &A::Row {
        self.pinned.row(id)
    }
}

impl<T: Copy, A: Arena> Intern for Cache<T, A> {
    fn is_lossy(&self) -> bool {
        false
    }

    #[inline]
    fn intern(&mut self, row: &A::Row) -> u32 {
        self.tags.push(None);
        self.pinned.push(row, hash(row.as_ref()))
    }

    #[inline]
    fn intern_all<B: Batch<Row = A::Row>>(&mut self, batch: &B, out: &mut Vec<Pending<u32>>) {
        self.hashes.clear();
        for i in 0..batch.len() {
            let hash = hash(batch.row(i).as_ref());
            self.old.prefetch(hash);
            self.hashes.push(hash);
            self.tags.push(None);
        }
        self.pinned.push_all(batch, &self.hashes, out);
    }

    /// The last that is known of a held state goes into the table.
    #[inline]
    fn release(&mut self, id: u32) {
        if let Some(tag) = self.tags[id as usize] {
            self.pinned.let_go(id);
            self.old.insert_hashed(self.pinned.row(id), self.pinned.hash(id), tag);
        }
        self.tags.truncate(id as usize);
        self.pinned.pop(id);
    }

    fn bytes(&self) -> usize {
        self.pinned.bytes() + self.tags.capacity() * size_of::<Option<T>>() + self.old.bytes()
    }
}

impl<T: Copy + Default + PartialEq, A: Arena> Store for Cache<T, A> {
    type Tag = T;

    #[inline]
    fn tag(&self, id: u32) -> T {
        match self.pinned.holder(id) {
            Some(holder) => self.tags[holder as usize],
            None => self.old.get_hashed(self.pinned.row(id), self.pinned.hash(id)),
        }
        .unwrap_or_default()
    }

    #[inline]
    fn set_tag(&mut self, id: u32, tag: T) {
        let holder = self.pinned.holder(id).unwrap_or_else(|| {
            self.pinned.hold(id);
            id
        });
        self.tags[holder as usize] = Some(tag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_exact_and_the_rest_is_true_or_gone() {
        let mut store = Cache::<u32, _>::new(Vec::<[u32; 1]>::new(), 4);
        let root = store.intern(&[1000]);
        store.set_tag(root, 77);
        for state in 0..500 {
            let id = store.intern(&[state]);
            store.set_tag(id, state + 1);
            let root_again = store.intern(&[1000]);
            assert_eq!(store.tag(root_again), 77);
            store.set_tag(root_again, 77);
            store.release(root_again);
            store.release(id);
        }
        let mut known = 0;
        for state in 0..500 {
            let id = store.intern(&[state]);
            assert!([0, state + 1].contains(&store.tag(id)));
            known += u32::from(store.tag(id) != 0);
            store.release(id);
        }
        assert_eq!(known, 4);
    }

    #[test]
    fn the_lowest_place_keeps_the_tag() {
        let mut store = Cache::<u32, _>::new(Vec::<[u32; 1]>::new(), 4);
        let low = store.intern(&[1]);
        store.set_tag(low, 1);
        let high = store.intern(&[1]);
        store.set_tag(high, 2);
        store.release(high);
        assert_eq!(store.tag(low), 2);
    }
}
