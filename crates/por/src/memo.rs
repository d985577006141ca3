//! The last choices, by the kinds of all processes.

use std::hash::Hasher;

use crate::hash::WordHasher;
use crate::reduction::{Choice, Kind};

const SLOTS: usize = 1 << 14;

/// A table of fixed size in which a new answer takes the place of an old one. Answers are pure, so
/// forgetting costs time only.
#[derive(Default)]
pub(crate) struct Memo {
    slots: Vec<Option<(Box<[Kind]>, Choice)>>,
    /// Bytes of the keys.
    keys: usize,
}

fn slot(kinds: &[Kind]) -> usize {
    let mut hasher = WordHasher::default();
    kinds.iter().for_each(|kind| hasher.write_u32(kind.raw()));
    (hasher.finish() >> 8) as usize % SLOTS
}

impl Memo {
    #[inline]
    pub(crate) fn get(&self, kinds: &[Kind]) -> Option<Choice> {
        let (known, choice) = self.slots.get(slot(kinds))?.as_ref()?;
        (known[..] == *kinds).then_some(*choice)
    }

    pub(crate) fn put(&mut self, kinds: &[Kind], choice: Choice) {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        match &mut self.slots[slot(kinds)] {
            Some((known, old)) if known.len() == kinds.len() => {
                known.copy_from_slice(kinds);
                *old = choice;
            }
            free => {
                let before = free.as_ref().map_or(0, |(kinds, _)| size_of_val(&kinds[..]));
                self.keys += size_of_val(kinds);
                self.keys -= before;
                *free = Some((kinds.into(), choice));
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.keys + size_of_val(&self.slots[..])
    }
}
