//! Sets of small numbers in one word.

use crate::state::State;
use std::fmt;

/// A set of numbers below 64.
///
/// ```
/// use lariat::collections::BitSet;
/// let mut up: BitSet = (0..3).collect();
/// up.remove(1);
/// assert!(up.contains(2) && !up.contains(1) && up.len() == 2);
/// assert_eq!(up.iter().collect::<Vec<_>>(), [0, 2]);
/// assert_eq!(format!("{up:?}"), "{0, 2}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct BitSet(u64);

impl BitSet {
    /// An empty one.
    pub const fn new() -> Self {
        BitSet(0)
    }

    fn bit(number: usize) -> u64 {
        assert!(number < 64, "{number} is not below 64");
        1 << number
    }

    /// Puts a number in. Whether it was not there before.
    ///
    /// # Panics
    /// If it is not below 64.
    pub fn insert(&mut self, number: usize) -> bool {
        let is_new = !self.contains(number);
        self.0 |= Self::bit(number);
        is_new
    }

    /// Takes a number out. Whether it was there.
    pub fn remove(&mut self, number: usize) -> bool {
        let was_there = self.contains(number);
        if was_there {
            self.0 &= !Self::bit(number);
        }
        was_there
    }

    /// Whether it is there.
    pub fn contains(self, number: usize) -> bool {
        number < 64 && self.0 & Self::bit(number) != 0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// There is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All, from the smallest on.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |&number| self.contains(number))
    }
}

impl FromIterator<usize> for BitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut all = Self::new();
        for number in numbers {
            all.insert(number);
        }
        all
    }
}

impl fmt::Debug for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl State for BitSet {}
