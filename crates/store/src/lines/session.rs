//! What a thread does with the set.

use super::{Root, RootSet};
use std::sync::atomic::Ordering::Relaxed;

/// Why a thread must come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The budget has no room for more keys. All that were inserted are there.
    Full,
    /// Another thread has ended: it said so, or panicked.
    Ended,
}

/// How a meeting went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// The set has grown: there may be work left.
    Grown,
    /// All have come with nothing left to do.
    Done,
}

const DONE: u8 = 0;
const GROWN: u8 = 1;
const FULL: u8 = 2;

/// A thread's access to the set.
#[derive(Debug)]
pub struct Session<'a, R: Root = u64> {
    set: &'a RootSet<R>,
}

impl<'a, R: Root> Session<'a, R> {
    pub(super) fn new(set: &'a RootSet<R>) -> Self {
        Session { set }
    }

    /// The set that it belongs to.
    pub fn set(&self) -> &'a RootSet<R> {
        self.set
    }

    /// Adds a batch of keys, those that are new with payload 0. Each key is told to be new to one thread, once; by its
    /// place in the batch, in any order. If there is an error, no key of the batch was added.
    pub fn insert(&mut self, keys: &[R], mut new: impl FnMut(usize)) -> Result<(), Stop> {
        self.update(
            keys,
            |_, payload| payload.unwrap_or(0),
            |at, payload| {
                if payload.is_none() {
                    new(at);
                }
            },
        )
    }

    /// Adds keys and changes payloads, each in one step: `change` says what it shall be, by the place in the batch and what it
    /// was (`None`: the key is new). It may be called several times for a key; `told` hears once what was there before.
    pub fn update(
        &mut self,
        keys: &[R],
        change: impl Fn(usize, Option<u64>) -> u64,
        mut told: impl FnMut(usize, Option<u64>),
    ) -> Result<(), Stop> {
        self.reserve(keys.len())?;
        let set = self.set;
        let mut added = 0;
        for (at, key) in keys.iter().enumerate() {
            let number = (key.to_u128() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
            let mut shard = set.shards[number as usize].lock().unwrap();
            let before = shard.get(key).copied();
            let after = change(at, before);
            debug_assert!(after >> set.payload_bits == 0);
            shard.insert(*key, after);
            drop(shard);
            added += usize::from(before.is_none());
            told(at, before);
        }
        set.len.fetch_add(added, Relaxed);
        Ok(())
    }

    /// The payload of a key, if it is there.
    pub fn payload(&self, key: R) -> Option<u64> {
        let number = (key.to_u128() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
        self.set.shards[number as usize].lock().unwrap().get(&key).copied()
    }

    /// All threads come here when they have nothing to do. If all do, the last one to come does `last` while the
    /// others wait; if the set must grow, all take part in that, and go on.
    pub fn meet(&mut self, last: impl FnOnce()) -> Result<Met, Stop> {
        let set = self.set;
        let decision = set.meeting.wait(|| {
            if !set.is_called.load(Relaxed) {
                last();
                return DONE;
            }
            set.claimed.store(set.len(), Relaxed);
            if set.grow().is_err() {
                return FULL;
            }
            set.is_called.store(false, Relaxed);
            GROWN
        });
        match decision {
            Ok(DONE) => Ok(Met::Done),
            Ok(GROWN) => Ok(Met::Grown),
            Ok(_) => Err(Stop::Full),
            Err(_) => Err(Stop::Ended),
        }
    }

    /// All others come to their end: with their next batch, or at the meeting where they wait. The same happens when a session
    /// is dropped.
    pub fn end(self) {}

    fn reserve(&mut self, more: usize) -> Result<(), Stop> {
        let set = self.set;
        loop {
            if set.meeting.has_ended() {
                return Err(Stop::Ended);
            }
            if !set.is_called.load(Relaxed) {
                let claimed = set.claimed.fetch_add(more, Relaxed) + more;
                if claimed <= set.room.load(Relaxed) {
                    return Ok(());
                }
                set.wanted.fetch_add(more, Relaxed);
                set.is_called.store(true, Relaxed);
            }
            self.meet(|| ())?;
        }
    }
}

impl<R: Root> Drop for Session<'_, R> {
    fn drop(&mut self) {
        self.set.meeting.end();
    }
}
