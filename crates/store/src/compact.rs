//! The exact store for rows of two words, the states of a product: a table of pairs.
//!
//! Fewer bytes than [`Exact`](crate::Exact), and it grows in place.

use crate::pairs::{Pairs, hash, pair};
use lariat_core::{Batch, Intern, Lossless, Pending, Remembers, States, Store, Word};

/// Every pair, with a tag of type `T`.
#[derive(Debug)]
pub struct Compact<T> {
    pairs: Pairs,
    tags: Vec<T>,
    /// Pairs of the batch at hand with their hashes.
    batch: Vec<(u64, u64)>,
}

impl<T: Copy + Default> Compact<T> {
    pub fn new() -> Self {
        Compact { pairs: Pairs::new(), tags: Vec::new(), batch: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    #[inline(always)]
    fn reserve(&mut self, more: usize) {
        if !self.pairs.has_room(more) {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let grown = self.pairs.make_room(more, usize::MAX);
        grown.expect("fewer than 2^32 states and memory for them");
        let room = self.pairs.room();
        self.tags.reserve_exact(room - self.tags.len());
    }

    #[inline(always)]
    fn find_or_insert(&mut self, row: u64, h: u64) -> u32 {
        let id = self.pairs.intern(row, h);
        if id as usize == self.tags.len() {
            self.tags.push(T::default());
        }
        id
    }
}

#[inline(always)]
fn as_pair(&[left, right]: &[Word; 2]) -> u64 {
    pair(left, right)
}

impl<T: Copy + Default> States for Compact<T> {
    type Row = [Word; 2];
    type Id = u32;

    #[inline]
    fn row(&self, id: u32) -> &[Word; 2] {
        self.pairs.at(id)
    }
}

impl<T: Copy + Default> Intern for Compact<T> {
    const LOSSY: bool = false;

    #[inline]
    fn intern(&mut self, row: &[Word; 2]) -> u32 {
        self.reserve(1);
        let row = as_pair(row);
        self.find_or_insert(row, hash(row))
    }

    #[inline]
    fn intern_all<B: Batch<Row = [Word; 2]>>(&mut self, batch: &B, out: &mut Vec<Pending<u32>>) {
        self.reserve(batch.len());
        self.batch.clear();
        for i in 0..batch.len() {
            let row = as_pair(batch.row(i));
            let h = hash(row);
            self.pairs.prefetch_bucket(h);
            self.batch.push((row, h));
        }
        for &(_, h) in &self.batch {
            self.pairs.prefetch_pair(h);
        }
        for i in (0..batch.len()).rev() {
            let (row, h) = self.batch[i];
            out.push(Pending { dst: self.find_or_insert(row, h), marks: batch.marks(i) });
        }
    }

    #[inline]
    fn release(&mut self, _id: u32) {}

    fn bytes(&self) -> usize {
        self.pairs.bytes() + self.tags.capacity() * size_of::<T>()
    }
}

impl<T: Copy + Default + PartialEq> Store for Compact<T> {
    type Tag = T;

    #[inline]
    fn tag(&self, id: u32) -> T {
        self.tags[id as usize]
    }

    #[inline]
    fn set_tag(&mut self, id: u32, tag: T) {
        self.tags[id as usize] = tag;
    }
}

impl<T: Copy + Default + PartialEq> Remembers for Compact<T> {}

impl<T: Copy + Default + PartialEq> Lossless for Compact<T> {
    fn find(&self, row: &[Word; 2]) -> Option<u32> {
        let row = as_pair(row);
        self.pairs.find(row, hash(row))
    }
}

#[cfg(test)]
mod tests {
    use super::Compact;
    use crate::Exact;
    use lariat_core::{Batch, Fixed, Intern, Lossless, States, Store, Word};

    #[test]
    fn agrees_with_the_flat_store() {
        let mut compact = Compact::<u8>::new();
        let mut exact: Exact<u8, Vec<[Word; 2]>> = Exact::new(Vec::new());
        assert_eq!(compact.find(&[0, 0]), None);
        let mut random = 77_u64;
        let mut batch = Fixed::<2>::new(usize::MAX);
        for _ in 0..30_000 {
            batch.clear();
            for _ in 0..random % 7 {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                batch.push_copy(&[random as u32 % 5_000, (random >> 40) as u32 % 4]);
            }
            random = random.wrapping_add(1);
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            compact.intern_all(&batch, &mut ours);
            exact.intern_all(&batch, &mut theirs);
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert_eq!(ours.dst, theirs.dst);
                assert_eq!(compact.row(ours.dst), exact.row(ours.dst));
                assert_eq!(compact.find(exact.row(ours.dst)), Some(ours.dst));
                compact.set_tag(ours.dst, random as u8);
                exact.set_tag(ours.dst, random as u8);
            }
        }
        for id in 0..exact.len() as u32 {
            assert_eq!(compact.tag(id), exact.tag(id));
        }
        assert_eq!((compact.len(), compact.find(&[9_999, 1])), (exact.len(), None));
    }
}
