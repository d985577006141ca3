//! Sets of acceptance marks.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// The acceptance sets an edge belongs to, one bit for each; at most 64 sets.
///
/// ```
/// use lariat_core::Marks;
///
/// let seen = Marks::one(0) | Marks::one(2);
/// assert!(seen.has(2) && !seen.contains(Marks::all(3)));
/// assert_eq!(Marks::all(3).without(seen), Marks::one(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Marks(pub u64);

impl Marks {
    /// No mark.
    pub const NONE: Marks = Marks(0);
    /// How many acceptance sets an automaton may have.
    pub const MAX: u32 = 64;

    /// The set `{index}`.
    #[inline]
    pub fn one(index: u32) -> Self {
        Marks(1 << index)
    }

    /// The first `count` marks: what an accepting component must carry.
    #[inline]
    pub fn all(count: u32) -> Self {
        Marks(if count >= 64 { u64::MAX } else { (1 << count) - 1 })
    }

    /// Whether all marks of `other` are in it.
    #[inline]
    pub fn contains(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the mark of this number is in it.
    #[inline]
    pub fn has(self, index: u32) -> bool {
        self.0 >> index & 1 == 1
    }

    /// The marks that are not in `other`.
    #[inline]
    pub fn without(self, other: Marks) -> Self {
        Marks(self.0 & !other.0)
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The indices in the set, smallest first.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..64).filter(move |&index| self.has(index))
    }
}

impl BitOr for Marks {
    type Output = Marks;
    #[inline]
    fn bitor(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

impl BitOrAssign for Marks {
    #[inline]
    fn bitor_assign(&mut self, other: Marks) {
        self.0 |= other.0;
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
