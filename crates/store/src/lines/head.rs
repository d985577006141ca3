//! The last word of a line: lock, version and counts.
//!
//! The high 17 bits of the last word are the *head*; slots (see `shape`) have the rest:
//!
//! ```text
//! lock 1 | third choices 3 | second and third 3 | not at home 4 | count 6 | ... slots
//! ```
//!
//! Slots are in groups by which choice of its key the line was, the third ones first: so a slot has no bits for
//! that. A key that is not at home here takes the first place of the group behind its own, whose key goes to the end of that
//! group, and so on.

use super::shape::HEAD;

pub(super) const LOCK: u64 = 1 << 63;

/// The last word of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head(pub(super) u64);

impl Head {
    /// Of a line's words.
    pub(super) fn of(words: &[u64; 8]) -> Self {
        Head(words[7])
    }

    #[inline(always)]
    pub(super) fn is_locked(self) -> bool {
        self.0 & LOCK != 0
    }

    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        (self.0 >> HEAD) as u32 & 63
    }

    /// How many slots belong to a choice `d` or a later one, for `d` from 1.
    #[inline(always)]
    pub(super) fn at_choice(self, d: usize) -> u32 {
        match d {
            1 => (self.0 >> (HEAD + 6)) as u32 & 15,
            2 => (self.0 >> (HEAD + 10)) as u32 & 7,
            3 => (self.0 >> (HEAD + 13)) as u32 & 7,
            _ => 0,
        }
    }

    /// Whether there is room for a key whose choice `d` this line is. Once false, it stays so.
    #[inline(always)]
    pub(super) fn can_take(self, d: usize, slots: u32) -> bool {
        self.count() < slots
            && (d < 1 || self.at_choice(1) < 15)
            && (d < 2 || self.at_choice(2) < 7)
            && (d < 3 || self.at_choice(3) < 7)
    }

    /// The slots of the keys whose choice `d` this line is: where they begin and end.
    #[inline(always)]
    pub(super) fn group(self, d: usize) -> (u32, u32) {
        let end = if d == 0 { self.count() } else { self.at_choice(d) };
        (self.at_choice(d + 1), end)
    }

    /// With one key more.
    #[inline(always)]
    pub(super) fn one_more(d: usize) -> u64 {
        let counts = [1, 1 | 1 << 6, 1 | 1 << 6 | 1 << 10, 1 | 1 << 6 | 1 << 10 | 1 << 13];
        counts[d & 3] << HEAD
    }
}
