//! The bit-state store (SE §5, GS §1): no state is kept whole but those in hand; of the others
//! a few bits say what the search knows of them.
//!
//! Two states may share their bits, so a search may miss states and runs. It never sees a
//! cycle that is none: what is on the search stack is kept exactly, in an index over the
//! states in hand, and is asked before the bits (ALGORITHMS.md D1).
//!
//! The bits may be those of an array or go with fingerprints: [`Closed`].

use crate::bits::Bits;
use crate::closed::Closed;
use crate::pinned::Pinned;
use lariat_core::{Arena, Batch, BitTag, Full, Intern, Pending, Remembers, States, Store};
use std::marker::PhantomData;

/// The size of the bit array and its hash functions.
#[derive(Clone, Copy, Debug)]
pub struct BitstateOptions {
    /// The array has `2^log_bits` bits for all colours together.
    pub log_bits: u32,
    /// Hash functions, k.
    pub functions: u32,
    /// Another seed misses other states.
    pub seed: u64,
}

impl Default for BitstateOptions {
    /// 16 MiB, three functions.
    fn default() -> Self {
        BitstateOptions { log_bits: 27, functions: 3, seed: 0 }
    }
}

/// Tags of type `T` as bits, and the rows of the states in hand.
#[derive(Debug)]
pub struct Bitstate<T, A, C = Bits> {
    pinned: Pinned<A>,
    bits: C,
    /// The hashes of the batch at hand.
    hashes: Vec<u64>,
    tag: PhantomData<T>,
}

impl<T: BitTag, A: Arena> Bitstate<T, A> {
    /// `rows` is an empty arena of the right width.
    pub fn new(rows: A, options: BitstateOptions) -> Self {
        let BitstateOptions { log_bits, functions, seed } = options;
        Self::over(rows, Bits::side_by_side(T::BITS, log_bits, functions, seed))
    }
}

impl<T: BitTag, A: Arena, C: Closed> Bitstate<T, A, C> {
    /// Over an empty set with room for the bits of the tags.
    pub fn over(rows: A, bits: C) -> Self {
        Bitstate { pinned: Pinned::new(rows), bits, hashes: Vec::new(), tag: PhantomData }
    }

    /// The same; `make` is told how many bits a tag has.
    pub fn try_over(rows: A, make: impl FnOnce(u32) -> Result<C, Full>) -> Result<Self, Full> {
        Ok(Self::over(rows, make(T::BITS)?))
    }

    /// What is known of the states that are not in hand.
    pub fn closed(&self) -> &C {
        &self.bits
    }
}

impl<T: BitTag, A: Arena, C: Closed> States for Bitstate<T, A, C> {
    type Row = A::Row;
    type Id = u32;

    #[inline]
    fn row(&self, id: u32) -> &A::Row {
        self.pinned.row(id)
    }
}

impl<T: BitTag, A: Arena, C: Closed> Intern for Bitstate<T, A, C> {
    fn is_lossy(&self) -> bool {
        true
    }

    #[inline]
    fn intern(&mut self, row: &A::Row) -> u32 {
        let hash = self.bits.hash(row.as_ref());
        self.pinned.push(row, hash)
    }

    #[inline]
    fn intern_all<B: Batch<Row = A::Row>>(&mut self, batch: &B, out: &mut Vec<Pending<u32>>) {
        self.hashes.clear();
        for i in 0..batch.len() {
            let hash = self.bits.hash(batch.row(i).as_ref());
            self.bits.prefetch(hash);
            self.hashes.push(hash);
        }
        self.pinned.push_all(batch, &self.hashes, out);
    }

    /// States that are in hand may all be closed before somebody asks again.
    #[inline]
    fn make_room<B: Batch<Row = A::Row>>(&mut self, batch: &B) -> Result<(), Full> {
        self.bits.make_room(self.pinned.len() + batch.len(), usize::MAX)
    }

    #[inline]
    fn release(&mut self, id: u32) {
        self.pinned.pop(id);
    }

    fn bytes(&self) -> usize {
        self.bits.bytes() + self.pinned.bytes()
    }
}

impl<T: BitTag, A: Arena, C: Closed> Store for Bitstate<T, A, C> {
    type Tag = T;

    #[inline]
    fn tag(&self, id: u32) -> T {
        let on_stack = self.pinned.holder(id).is_some();
        T::restore(self.bits.bits_of(self.pinned.hash(id)), on_stack)
    }

    #[inline]
    fn set_tag(&mut self, id: u32, tag: T) {
        match (self.pinned.holder(id), tag.on_stack()) {
            (None, true) => self.pinned.hold(id),
            (Some(holder), false) => self.pinned.let_go(holder),
            _ => {}
        }
        self.bits.set_bits(self.pinned.hash(id), tag.bits());
    }
}

/// Bits are only ever set.
impl<T: BitTag, A: Arena, C: Closed> Remembers for Bitstate<T, A, C> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug, Default)]
    enum Colour {
        #[default]
        White,
        Cyan,
        Blue,
        Red,
    }

    impl BitTag for Colour {
        const BITS: u32 = 2;
        fn bits(self) -> u64 {
            [0, 0, 1, 3][self as usize]
        }
        fn on_stack(self) -> bool {
            self == Colour::Cyan
        }
        fn restore(bits: u64, on_stack: bool) -> Self {
            match bits {
                _ if on_stack => Colour::Cyan,
                3 => Colour::Red,
                1 => Colour::Blue,
                _ => Colour::White,
            }
        }
    }

    fn store(log_bits: u32) -> Bitstate<Colour, Vec<[u32; 1]>> {
        Bitstate::new(Vec::new(), BitstateOptions { log_bits, ..BitstateOptions::default() })
    }

    #[test]
    fn colours_outlive_the_rows() {
        let mut store = store(16);
        for colour in [Colour::Blue, Colour::Red] {
            let id = store.intern(&[5]);
            store.set_tag(id, Colour::Cyan);
            store.set_tag(id, colour);
            store.release(id);
            let id = store.intern(&[5]);
            assert_eq!(store.tag(id), colour);
            store.release(id);
        }
    }

    /// In 64 bits nearly all states share their bits; still no state is cyan by mistake.
    #[test]
    fn cyan_is_exact_however_full_the_array() {
        let mut store = store(6);
        for state in 0..200 {
            let id = store.intern(&[state]);
            store.set_tag(id, Colour::Red);
            store.release(id);
        }
        let stack: Vec<u32> = (300..340).map(|state| store.intern(&[state])).collect();
        for (i, &id) in stack.iter().enumerate() {
            store.set_tag(id, Colour::Cyan);
            let again = store.intern(&[300 + i as u32]);
            assert_eq!(store.tag(again), Colour::Cyan);
            store.release(again);
        }
        for state in (0..200).chain(400..500) {
            let id = store.intern(&[state]);
            assert_eq!(store.tag(id), Colour::Red);
            store.release(id);
        }
        for &id in stack.iter().rev() {
            store.set_tag(id, Colour::Blue);
            assert_ne!(store.tag(id), Colour::Cyan);
            store.release(id);
        }
    }
}
