//! What a part touches, by its own bytes: with whom a process meets is often told by its own variables, and then
//! the control point alone tells too little (`Parts::narrowing`).
//!
//! By the fields of the part's own bytes, closed by nothing: states that agree in these fields agree in these bytes, in one shape of the
//! store. When fields are given bits, those are 0 in all that is known, so it stays true.

use super::part::UNKNOWN;
use super::table::mixed;
use lariat_core::makes_mistake;

/// Values that are kept for a part; the control point is enough where there are more.
const MOST: usize = 1 << 13;
const FIRST: usize = 1 << 4;

#[derive(Debug, Default)]
pub(super) struct Narrow {
    /// The fields of the part's own bytes.
    pub(super) own: u64,
    /// A power of two, less than three quarters of them used: the fields, and what is touched; [`UNKNOWN`] is free.
    slots: Vec<(u64, u8)>,
    len: usize,
}

impl Narrow {
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(u64, u8)>()
    }

    /// What is touched in a state, if it is known.
    #[inline]
    pub(super) fn get(&self, packed: u64) -> u8 {
        match self.slots.is_empty() {
            true => UNKNOWN,
            false => self.slots[self.place(packed & self.own)].1,
        }
    }

    /// The slot of these fields, or a free one.
    #[inline(always)]
    fn place(&self, own: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = mixed(own) as usize & mask;
        let is_it = |(known, kind): (u64, u8)| {
            kind == UNKNOWN || known == own || makes_mistake("steps-narrow")
        };
        while !is_it(self.slots[at]) {
            at = (at + 1) & mask;
        }
        at
    }

    /// Keeps what is touched in a state; false if there is no room.
    pub(super) fn put(&mut self, packed: u64, kind: u8) -> bool {
        if self.len == MOST {
            return false;
        }
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            let more = (self.slots.len() * 2).max(FIRST);
            let old = std::mem::replace(&mut self.slots, vec![(0, UNKNOWN); more]);
            for slot in old.into_iter().filter(|&(_, kind)| kind != UNKNOWN) {
                let at = self.place(slot.0);
                self.slots[at] = slot;
            }
        }
        let own = packed & self.own;
        let at = self.place(own);
        self.len += usize::from(self.slots[at].1 == UNKNOWN);
        self.slots[at] = (own, kind);
        true
    }
}
