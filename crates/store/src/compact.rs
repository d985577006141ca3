//! The exact store for the states of a product: rows of two words, of which the left one is a
//! dense id, that of the system's state.
//!
//! There is no hashing. By left word stands the row that was added last with it, and by row
//! the one before: as many as the automaton's states that a system state meets, mostly one.
//! Neighbours of a search have ids near each other, so that the lists lie in the cache far
//! more often than the slots of a hash table would. Everything grows in place.

use crate::hash::prefetch;
use crate::reserved::Reserved;
use lariat_core::{
    Batch, Full, Intern, Lossless, MAX_STATES, Pending, Remembers, States, Store, Word,
};

/// Every row, with a tag of type `T`.
#[derive(Debug)]
pub struct Compact<T> {
    rows: Reserved<[Word; 2]>,
    len: usize,
    /// By row: the one before it with the same left word, and one; 0 is none.
    before: Reserved<u32>,
    /// By left word: the last row with it, and one; 0 is none.
    last: Reserved<u32>,
    tags: Vec<T>,
    most: usize,
}

/// Memory is taken for so many rows, or for a part of those that are there.
const STEP: usize = 1 << 9;
const PART: usize = 16;

/// Searches make room before they intern.
const HAS_ROOM: &str = "fewer than 2^32 states and memory for them";

/// The highest left word.
#[inline(always)]
fn highest<B: Batch<Row = [Word; 2]>>(batch: &B) -> Word {
    (0..batch.len()).map(|i| batch.row(i)[0]).max().unwrap_or(0)
}

impl<T: Copy + Default> Compact<T> {
    pub fn new() -> Self {
        let (rows, before, last) = (Reserved::new(), Reserved::new(), Reserved::new());
        Compact { rows, len: 0, before, last, tags: Vec::new(), most: MAX_STATES }
    }

    /// Makes room for so many more rows with left words up to this one.
    #[inline(always)]
    fn reserve(&mut self, more: usize, left: Word) -> Result<(), Full> {
        if self.len + more > self.rows.len() || left as usize >= self.last.len() {
            return self.grow(more, left);
        }
        Ok(())
    }

    #[cold]
    fn grow(&mut self, more: usize, left: Word) -> Result<(), Full> {
        let larger = |len: usize| len + STEP.max(len / PART);
        if self.len + more > MAX_STATES {
            return Err(Full);
        }
        if self.len + more > self.rows.len() {
            let len = larger(self.len + more);
            self.rows.grow(len)?;
            self.before.grow(len)?;
            self.tags.try_reserve_exact(len - self.tags.len()).or(Err(Full))?;
        }
        if left as usize >= self.last.len() {
            self.last.grow(larger(left as usize + 1))?;
        }
        Ok(())
    }

    #[inline(always)]
    fn search(&self, row: &[Word; 2]) -> Option<u32> {
        let mut next = self.last.get(row[0] as usize).copied().unwrap_or(0);
        while next != 0 {
            let id = next - 1;
            if self.rows[id as usize] == *row {
                return Some(id);
            }
            next = self.before[id as usize];
        }
        None
    }

    /// There must be room.
    #[inline(always)]
    fn find_or_insert(&mut self, row: &[Word; 2]) -> u32 {
        self.search(row).unwrap_or_else(|| {
            let id = self.len;
            self.rows[id] = *row;
            self.before[id] = std::mem::replace(&mut self.last[row[0] as usize], id as u32 + 1);
            self.tags.push(T::default());
            self.len += 1;
            id as u32
        })
    }
}

impl<T: Copy + Default> States for Compact<T> {
    type Row = [Word; 2];
    type Id = u32;

    #[inline]
    fn row(&self, id: u32) -> &[Word; 2] {
        &self.rows[id as usize]
    }
}

impl<T: Copy + Default> Intern for Compact<T> {
    fn is_lossy(&self) -> bool {
        false
    }

    #[inline]
    fn intern(&mut self, row: &[Word; 2]) -> u32 {
        self.reserve(1, row[0]).expect(HAS_ROOM);
        self.find_or_insert(row)
    }

    #[inline]
    fn intern_all<B: Batch<Row = [Word; 2]>>(&mut self, batch: &B, out: &mut Vec<Pending<u32>>) {
        self.reserve(batch.len(), highest(batch)).expect(HAS_ROOM);
        for i in 0..batch.len() {
            prefetch(&self.last[batch.row(i)[0] as usize]);
        }
        for i in 0..batch.len() {
            if let Some(id) = self.last[batch.row(i)[0] as usize].checked_sub(1) {
                prefetch(&self.rows[id as usize]);
            }
        }
        for i in (0..batch.len()).rev() {
            let dst = self.find_or_insert(batch.row(i));
            out.push(Pending { dst, marks: batch.marks(i) });
        }
    }

    #[inline]
    fn make_room<B: Batch<Row = [Word; 2]>>(&mut self, batch: &B) -> Result<(), Full> {
        if self.len + batch.len() > self.most {
            return Err(Full);
        }
        self.reserve(batch.len(), highest(batch))
    }

    #[inline]
    fn release(&mut self, _id: u32) {}

    fn bytes(&self) -> usize {
        let own = self.rows.bytes() + self.before.bytes() + self.last.bytes();
        own + self.tags.capacity() * size_of::<T>()
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
        self.search(row)
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
        let mut random = fastrand::Rng::with_seed(77);
        let mut batch = Fixed::<2>::new(usize::MAX);
        for _ in 0..30_000 {
            batch.clear();
            for _ in 0..random.u32(..7) {
                batch.push_copy(&[random.u32(..5_000), random.u32(..4)]);
            }
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            compact.intern_all(&batch, &mut ours);
            exact.intern_all(&batch, &mut theirs);
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert_eq!(ours.dst, theirs.dst);
                assert_eq!(compact.row(ours.dst), exact.row(ours.dst));
                assert_eq!(compact.find(exact.row(ours.dst)), Some(ours.dst));
                let tag = random.u8(..);
                compact.set_tag(ours.dst, tag);
                exact.set_tag(ours.dst, tag);
            }
        }
        for id in 0..exact.len() as u32 {
            assert_eq!(compact.tag(id), exact.tag(id));
        }
        assert_eq!((compact.len, compact.find(&[9_999, 1])), (exact.len(), None));
    }

    #[test]
    fn a_full_store_refuses_before_it_takes_anything() {
        let mut compact = Compact::<u8>::new();
        compact.most = 1_000;
        let mut one = Fixed::<2>::new(usize::MAX);
        let none = Fixed::<2>::new(usize::MAX);
        one.push_copy(&[2_000, 7]);
        for i in 0..1_000 {
            assert!(compact.make_room(&one).is_ok());
            assert_eq!(compact.intern(&[i, 7]), i);
        }
        assert!(compact.make_room(&one).is_err());
        assert!(compact.make_room(&none).is_ok());
        assert_eq!((compact.len, compact.find(&[999, 7])), (1_000, Some(999)));
        let mut exact: Exact<u8, Vec<[Word; 2]>> = Exact::new(Vec::new()).at_most(1);
        assert_eq!((exact.len(), exact.make_room(&one)), (0, Ok(())));
        exact.intern(&[1, 7]);
        assert!(exact.make_room(&one).is_err());
    }
}
