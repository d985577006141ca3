//! Counts that do not fit into a payload.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lariat_system::Stop;

/// Predecessors beyond what a payload can count.
pub(super) struct Beyond([Mutex<HashMap<u64, u32>>; 64]);

impl Beyond {
    pub(super) fn new() -> Self {
        Beyond(std::array::from_fn(|_| Mutex::default()))
    }

    fn of(&self, key: u64) -> MutexGuard<'_, HashMap<u64, u32>> {
        let at = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
        self.0[at as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more; bytes that this takes.
    pub(super) fn add(&self, key: u64) -> usize {
        let mut counts = self.of(key);
        let before = counts.capacity();
        *counts.entry(key).or_default() += 1;
        // A place has a byte of hash, and an eighth of the places is free.
        (counts.capacity() - before) * (size_of::<(u64, u32)>() + 1) * 8 / 7
    }

    /// One less; `else_` if there is none. Others wait meanwhile, so the last one is taken once.
    pub(super) fn take(
        &self,
        key: u64,
        else_: impl FnOnce() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut counts = self.of(key);
        match counts.entry(key) {
            Entry::Occupied(mut entry) if *entry.get() > 1 => *entry.get_mut() -= 1,
            Entry::Occupied(entry) => drop(entry.remove()),
            Entry::Vacant(_) => else_()?,
        }
        Ok(())
    }

    pub(super) fn clear(&self) {
        for counts in &self.0 {
            counts.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}
