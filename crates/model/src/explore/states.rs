//! An exact set of states of different lengths.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// States as byte strings in one piece of memory, found by hash, numbered from 0.
#[derive(Default)]
pub(super) struct States {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl States {
    pub(super) fn get(&self, id: u32) -> &[u8] {
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.bytes[start as usize..self.ends[id as usize] as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a state, and whether it is new.
    pub(super) fn insert(&mut self, state: &[u8]) -> (u32, bool) {
        let States { bytes, ends, table, hasher } = self;
        let slice = |id: u32| {
            let start = id.checked_sub(1).map_or(0, |before| ends[before as usize]);
            &bytes[start as usize..ends[id as usize] as usize]
        };
        let hash = hasher.hash_one(state);
        if let Some(&id) = table.find(hash, |&id| slice(id) == state) {
            return (id, false);
        }
        let id = ends.len() as u32;
        table.insert_unique(hash, id, |&id| hasher.hash_one(slice(id)));
        bytes.extend_from_slice(state);
        ends.push(bytes.len() as u64);
        (id, true)
    }

    /// Bytes of all structures.
    pub(super) fn memory(&self) -> usize {
        self.bytes.capacity()
            + self.ends.capacity() * size_of::<u64>()
            + self.table.capacity() * (size_of::<u32>() + 1)
    }
}
