//! The last choices, by the kinds of all processes.

use std::hash::Hasher;

use crate::hash::WordHasher;
use crate::reduction::{Choice, Kind};
use crate::set::ProcessSet;

/// A power of two.
const SLOTS: usize = 1 << 16;

/// A table of fixed size in which a new answer takes the place of an old one. Answers are pure, so
/// forgetting costs time only. What was never used takes no memory: it is zero.
#[derive(Default)]
pub(crate) struct Memo {
    /// Words of a key.
    width: usize,
    /// By slot: the number of kinds and one, then the kinds; 0 is a free slot.
    keys: Vec<u32>,
    /// By slot: the processes that were chosen; none are all.
    chosen: Vec<[u64; 4]>,
    used: usize,
}

fn slot(kinds: &[Kind]) -> usize {
    let mut hasher = WordHasher::default();
    kinds.iter().for_each(|kind| hasher.write_u32(kind.raw()));
    (hasher.finish() >> 8) as usize & (SLOTS - 1)
}

impl Memo {
    #[inline]
    pub(crate) fn get(&self, kinds: &[Kind]) -> Option<Choice> {
        if kinds.len() >= self.width {
            return None;
        }
        let slot = slot(kinds);
        let key = &self.keys[slot * self.width..][..kinds.len() + 1];
        let is_it = key[0] == kinds.len() as u32 + 1
            && key[1..].iter().zip(kinds).all(|(&known, kind)| known == kind.raw());
        is_it.then(|| match self.chosen[slot] {
            [0, 0, 0, 0] => Choice::All,
            bits => Choice::Only(ProcessSet::from_bits(bits)),
        })
    }

    pub(crate) fn put(&mut self, kinds: &[Kind], choice: Choice) {
        if kinds.len() >= self.width {
            // More processes than ever: keys are longer now.
            self.width = kinds.len() + 1;
            self.keys = vec![0; SLOTS * self.width];
            self.chosen = vec![[0; 4]; SLOTS];
            self.used = 0;
        }
        let slot = slot(kinds);
        let key = &mut self.keys[slot * self.width..][..kinds.len() + 1];
        self.used += usize::from(key[0] == 0);
        key[0] = kinds.len() as u32 + 1;
        key[1..].iter_mut().zip(kinds).for_each(|(word, kind)| *word = kind.raw());
        self.chosen[slot] = match choice {
            Choice::All => [0; 4],
            Choice::Only(set) => set.bits(),
        };
    }

    /// Of the slots that are used; the others are not there yet.
    pub(crate) fn bytes(&self) -> usize {
        self.used * (self.width * size_of::<u32>() + size_of::<[u64; 4]>())
    }
}
