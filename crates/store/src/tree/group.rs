//! The values of a group: a few thousand short rows and their ids.

use lariat_core::{Full, MAX_STATES, Word};

use crate::lines::Budget;
use crate::pairs::hash;

/// A slot is the upper half of the hash and id + 1; 0 is free.
#[derive(Clone, Debug)]
pub(super) struct Group {
    width: usize,
    words: Vec<Word>,
    slots: Vec<u64>,
    len: usize,
    /// Of one word: id + 1 of small values; 0 is unknown.
    small: Vec<u32>,
}

/// Words below this are found without a hash.
const SMALL: usize = 1 << 8;

impl Group {
    pub(super) fn new(width: usize) -> Self {
        let small = vec![0; if width == 1 { SMALL } else { 0 }];
        Group { width, words: Vec::new(), slots: vec![0; 1 << 6], len: 0, small }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn get(&self, id: u32) -> &[Word] {
        &self.words[id as usize * self.width..][..self.width]
    }

    /// The id of a row, or its hash if there is none.
    #[inline(always)]
    pub(super) fn find(&self, row: &[Word]) -> Result<u32, u64> {
        if let [word] = *row
            && let Some(id) = self.small.get(word as usize).and_then(|id| id.checked_sub(1))
        {
            return Ok(id);
        }
        let hash = hash_words(row);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot & mask];
            if entry == 0 {
                return Err(hash);
            }
            if entry >> 32 == hash >> 32 {
                let id = entry as u32 - 1;
                if is_equal(self.get(id), row) {
                    return Ok(id);
                }
            }
            slot += 1;
        }
    }

    /// Adds a row that is not there, with at most so many more bytes.
    #[cold]
    pub(super) fn add(&mut self, row: &[Word], hash: u64, spare: usize) -> Result<u32, Full> {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            // The old slots and the new ones are there at once.
            check(self.slots.len() * 2 * size_of::<u64>(), spare)?;
            let slots = vec![0; self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, slots);
            old.into_iter().filter(|&entry| entry != 0).for_each(|entry| {
                let id = entry as u32 - 1;
                self.place(hash_words(self.get(id)), entry);
            });
        }
        if self.words.len() + self.width > self.words.capacity() {
            let more = (self.words.len() / 2).max(8 * self.width);
            check((self.words.len() + more) * size_of::<Word>(), spare)?;
            self.words.reserve_exact(more);
        }
        if self.len == MAX_STATES {
            return Err(Full);
        }
        let id = self.len as u32;
        self.words.extend_from_slice(row);
        self.len += 1;
        if let [word] = *row
            && let Some(small) = self.small.get_mut(word as usize)
        {
            *small = id + 1;
        }
        self.place(hash, hash >> 32 << 32 | u64::from(id + 1));
        Ok(id)
    }

    /// The id of a row, which is added if it is not there.
    pub(super) fn number(&mut self, row: &[Word], budget: &Budget) -> Result<u32, Full> {
        self.find(row).or_else(|hash| self.add(row, hash, budget.left()))
    }

    /// Adds what another one, which began as this one did, has besides.
    pub(super) fn catch_up(&mut self, other: &Group) -> Result<(), Full> {
        for id in self.len..other.len {
            let row = other.get(id as u32);
            self.add(row, hash_words(row), usize::MAX)?;
        }
        Ok(())
    }

    fn place(&mut self, hash: u64, entry: u64) {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = entry;
    }

    pub(super) fn bytes(&self) -> usize {
        (self.words.capacity() + self.small.len()) * size_of::<Word>()
            + self.slots.len() * size_of::<u64>()
    }
}

/// Without a call, which the comparison of slices makes: rows are short and mostly equal.
#[inline(always)]
fn is_equal(row: &[Word], other: &[Word]) -> bool {
    row.iter().zip(other).fold(0, |bits, (word, other)| bits | (word ^ other)) == 0
}

fn check(bytes: usize, spare: usize) -> Result<(), Full> {
    if bytes <= spare { Ok(()) } else { Err(Full) }
}

/// Odd and without pattern: the digits of the golden ratio, multiplied on.
const KEY: u64 = 0x9E37_79B9_7F4A_7C15;

/// Products of neighbours, each with a key of its own. They do not wait for each other.
#[inline(always)]
fn hash_words(row: &[Word]) -> u64 {
    let (mut mixed, mut key) = (0_u64, KEY);
    let (pairs, odd) = row.as_chunks::<2>();
    for &[left, right] in pairs {
        let (left, right) = (u64::from(left) ^ key, u64::from(right) ^ key.rotate_left(32));
        mixed = mixed.wrapping_add(left.wrapping_mul(right));
        key = key.wrapping_add(KEY);
    }
    if let [odd] = odd {
        mixed = mixed.wrapping_add((u64::from(*odd) ^ key).wrapping_mul(KEY));
    }
    hash(mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_through_growth_and_the_limit_holds() {
        let mut group = Group::new(3);
        let limit = 100_000;
        let mut ids = 0;
        loop {
            let row = [ids, 7, ids / 3];
            let hash = group.find(&row).unwrap_err();
            match group.add(&row, hash, limit - group.bytes()) {
                Ok(id) => assert_eq!(id, ids),
                Err(Full) => break,
            }
            ids += 1;
            assert!(group.bytes() <= limit);
        }
        assert!(ids > 2_000, "{ids}");
        for id in 0..ids {
            assert_eq!(group.get(id), [id, 7, id / 3]);
            assert_eq!(group.find(&[id, 7, id / 3]), Ok(id));
        }
    }
}
