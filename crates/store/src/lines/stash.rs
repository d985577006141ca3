//! Keys that found no place in four lines: few, unless somebody chooses keys to that end. Plain maps, each with a
//! mutex, by mixed key.
//!
//! A thread comes here only when all choices of its key are full, and full lines stay so: hence all that look
//! for a key that is here, or add it, come here.

use super::budget::Budget;
use super::root::Root;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 16;

pub(super) type Map<R> = HashMap<R, u64>;

#[derive(Debug)]
pub(super) struct Stash<R> {
    shards: [Mutex<Map<R>>; SHARDS],
    budget: Arc<Budget>,
}

/// What a map takes: hashbrown has a power of two of places, each with a byte of hash, and fills 7 of 8.
pub(super) fn bytes<R>(map: &Map<R>) -> usize {
    match map.capacity() {
        0 => 0,
        capacity => (capacity * 8 / 7).next_power_of_two() * (size_of::<(R, u64)>() + 1) + 16,
    }
}

impl<R: Root> Stash<R> {
    pub(super) fn new(budget: &Arc<Budget>) -> Self {
        Stash { shards: Default::default(), budget: budget.clone() }
    }

    fn shard(&self, mixed: R) -> MutexGuard<'_, Map<R>> {
        let number = (mixed.low() >> 5 ^ mixed.low() >> 13) as usize % SHARDS;
        // A map is as it should be, whatever has panicked beside it.
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the payload of a key, which is added if it is not there: what it was.
    pub(super) fn update(&self, mixed: R, change: impl Fn(Option<u64>) -> u64) -> Option<u64> {
        let mut map = self.shard(mixed);
        let before = bytes(&map);
        let found = match map.entry(mixed) {
            Entry::Occupied(mut entry) => {
                let payload = change(Some(*entry.get()));
                Some(entry.insert(payload))
            }
            Entry::Vacant(entry) => {
                entry.insert(change(None));
                None
            }
        };
        self.budget.overdraw(bytes(&map) - before);
        found
    }

    pub(super) fn get(&self, mixed: R) -> Option<u64> {
        self.shard(mixed).get(&mixed).copied()
    }

    /// Takes all keys out.
    pub(super) fn take(&self) -> Vec<Map<R>> {
        let take = |shard: &Mutex<Map<R>>| {
            std::mem::take(&mut *shard.lock().unwrap_or_else(PoisonError::into_inner))
        };
        self.shards.iter().map(take).filter(|map| !map.is_empty()).collect()
    }

    pub(super) fn for_each(&self, mut each: impl FnMut(R, u64)) {
        for shard in &self.shards {
            let map = shard.lock().unwrap_or_else(PoisonError::into_inner);
            map.iter().for_each(|(&mixed, &payload)| each(mixed, payload));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let of =
            |shard: &Mutex<Map<R>>| bytes(&shard.lock().unwrap_or_else(PoisonError::into_inner));
        self.shards.iter().map(of).sum()
    }
}
