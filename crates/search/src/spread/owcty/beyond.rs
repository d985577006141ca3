//! Counts that do not fit into a payload.

use std::collections::HashMap;

/// Predecessors beyond what a payload can count.
#[derive(Default)]
pub(super) struct Beyond(pub(super) HashMap<u64, u32>);

impl Beyond {
    pub(super) fn all(&self) -> Vec<(u64, u64)> {
        self.0.iter().map(|(&key, &count)| (key, count.into())).collect()
    }

    pub(super) fn add(&mut self, key: u64) {
        *self.0.entry(key).or_default() += 1;
    }

    /// One less; false if there is none.
    pub(super) fn take(&mut self, key: u64) -> bool {
        if self.0.is_empty() {
            return false;
        }
        match self.0.get_mut(&key) {
            None => false,
            Some(1) => self.0.remove(&key).is_some(),
            Some(count) => {
                *count -= 1;
                true
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        // A place has a byte of hash, and an eighth of the places is free.
        self.0.capacity() * (size_of::<(u64, u32)>() + 1) * 8 / 7
    }
}
