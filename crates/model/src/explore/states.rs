//! An exact set of states of different lengths.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// States lie in pieces of this size, so that a growing set is never copied as a whole.
const CHUNK_BITS: u32 = 26;
const CHUNK: u64 = 1 << CHUNK_BITS;

/// States as byte strings, found by hash, numbered from 0.
#[derive(Default)]
pub(super) struct States {
    chunks: Vec<Vec<u8>>,
    /// Where each state ends, counted over all chunks. A state begins where the one before
    /// ends, or at the start of its chunk.
    ends: Vec<u64>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

/// What became of a state that was to be put into the set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inserted {
    New(u32),
    Known,
    /// The state is larger than a chunk, or there are 2^32 states.
    NoRoom,
}

impl States {
    pub(super) fn get(&self, id: u32) -> &[u8] {
        slice(&self.chunks, &self.ends, id)
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn insert(&mut self, state: &[u8]) -> Inserted {
        let States { chunks, ends, table, hasher } = self;
        let hash = hasher.hash_one(state);
        if table.find(hash, |&id| slice(chunks, ends, id) == state).is_some() {
            return Inserted::Known;
        }
        let Ok(id) = u32::try_from(ends.len()) else { return Inserted::NoRoom };
        if state.len() as u64 > CHUNK || state.is_empty() {
            return Inserted::NoRoom;
        }
        table.insert_unique(hash, id, |&id| hasher.hash_one(slice(chunks, ends, id)));
        let full = |chunk: &Vec<u8>| (chunk.len() + state.len()) as u64 > CHUNK;
        if chunks.last().is_none_or(full) {
            chunks.push(Vec::new());
        }
        let number = chunks.len() as u64 - 1;
        let chunk = chunks.last_mut().expect("there is a chunk");
        chunk.extend_from_slice(state);
        ends.push((number << CHUNK_BITS) + chunk.len() as u64);
        Inserted::New(id)
    }

    /// Bytes of all structures, with those that the next state may need.
    pub(super) fn memory(&self) -> usize {
        let slots = self.table.capacity() * (size_of::<u32>() + 1);
        let next = if self.table.len() == self.table.capacity() { 2 * slots } else { 0 };
        self.chunks.iter().map(Vec::capacity).sum::<usize>()
            + self.ends.capacity() * size_of::<u64>()
            + slots
            + next
    }
}

fn slice<'s>(chunks: &'s [Vec<u8>], ends: &[u64], id: u32) -> &'s [u8] {
    let end = ends[id as usize];
    let number = (end - 1) >> CHUNK_BITS;
    let before = id.checked_sub(1).map_or(0, |before| ends[before as usize]);
    let base = number << CHUNK_BITS;
    &chunks[number as usize][(before.max(base) - base) as usize..(end - base) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_keep_their_bytes_across_chunks() {
        let mut states = States::default();
        let big = (CHUNK / 3) as usize;
        for byte in 0..7_u8 {
            assert_eq!(states.insert(&vec![byte; big]), Inserted::New(2 * u32::from(byte)));
            assert_eq!(states.insert(&[byte]), Inserted::New(2 * u32::from(byte) + 1));
        }
        for byte in 0..7_u8 {
            assert_eq!(states.insert(&[byte]), Inserted::Known);
            assert_eq!(states.get(2 * u32::from(byte)), vec![byte; big]);
            assert_eq!(states.get(2 * u32::from(byte) + 1), [byte]);
        }
        assert_eq!(states.insert(&vec![9; CHUNK as usize + 1]), Inserted::NoRoom);
    }
}
