//! The last choices, by the kinds of all processes.

use std::hash::Hasher;

use crate::hash::WordHasher;
use crate::reduction::{Choice, Kind};
use crate::set::ProcessSet;

/// A power of two, small enough to stay in the cache: to choose anew takes little longer than to wait for
/// memory.
const SLOTS: usize = 1 << 10;

/// A table of fixed size in which a new answer takes the place of an old one. Answers are pure, so
/// forgetting costs time only. What was never used takes no memory: it is zero.
#[derive(Default)]
pub(crate) struct Memo {
    /// Words of a slot.
    width: usize,
    /// By slot: the number of kinds and one, or 0 if it is free; which of the sets; the kinds.
    slots: Vec<u32>,
    used: usize,
    /// The sets so far: there are few. None are all processes.
    sets: Vec<Choice>,
}

/// Words of a slot before the kinds.
const FIRST: usize = 2;

#[inline]
fn slot(kinds: &[Kind]) -> usize {
    let mut hasher = WordHasher::default();
    kinds.iter().for_each(|kind| hasher.write_u32(kind.raw()));
    (hasher.finish() >> 8) as usize & (SLOTS - 1)
}

impl Memo {
    #[inline]
    pub(crate) fn get(&self, kinds: &[Kind]) -> Option<Choice> {
        if kinds.len() + FIRST > self.width {
            return None;
        }
        let known = &self.slots[slot(kinds) * self.width..][..kinds.len() + FIRST];
        let is_it = known[0] == kinds.len() as u32 + 1
            && known[FIRST..].iter().zip(kinds).all(|(&known, kind)| known == kind.raw());
        is_it.then(|| self.sets[known[1] as usize])
    }

    pub(crate) fn put(&mut self, kinds: &[Kind], choice: Choice) {
        if kinds.len() + FIRST > self.width {
            // More processes than ever: keys are longer now.
            self.width = (kinds.len() + FIRST).next_multiple_of(4);
            self.slots = vec![0; SLOTS * self.width];
            self.used = 0;
        }
        let set = self.sets.iter().position(|&known| known == choice).unwrap_or_else(|| {
            self.sets.push(choice);
            self.sets.len() - 1
        });
        let known = &mut self.slots[slot(kinds) * self.width..][..kinds.len() + FIRST];
        self.used += usize::from(known[0] == 0);
        (known[0], known[1]) = (kinds.len() as u32 + 1, set as u32);
        known[FIRST..].iter_mut().zip(kinds).for_each(|(word, kind)| *word = kind.raw());
    }

    /// Of the slots that are used; the others are not there yet.
    pub(crate) fn bytes(&self) -> usize {
        self.used * self.width * size_of::<u32>() + self.sets.len() * size_of::<ProcessSet>()
    }
}
