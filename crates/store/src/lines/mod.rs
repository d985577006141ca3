//! An exact set of packed states, shared by threads, for searches that need no numbers.
//!
//! - `root`: keys; `budget`: bytes that are asked for before something grows
//! - `meeting`: where all threads come together
//! - `levels`: the states of a breadth-first search that are still to be expanded

mod budget;
mod levels;
mod meeting;
mod root;
mod session;

pub use budget::Budget;
pub use levels::{Hand, Levels};
pub use root::Root;
pub use session::{Met, Session, Stop};

use lariat_core::Full;
use meeting::Meeting;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// A set of packed states with a few bits of payload for each.
#[derive(Debug)]
pub struct RootSet<R = u64> {
    bits: u32,
    payload_bits: u32,
    threads: usize,
    budget: Arc<Budget>,
    shards: Vec<Mutex<HashMap<R, u64>>>,
    len: AtomicUsize,
    claimed: AtomicUsize,
    room: AtomicUsize,
    wanted: AtomicUsize,
    is_called: AtomicBool,
    meeting: Meeting,
}

const BYTES: usize = 24;

impl<R: Root> RootSet<R> {
    /// For keys of so many bits, and so many threads at once.
    pub fn new(bits: u32, payload_bits: u32, threads: usize, budget: &Arc<Budget>) -> Self {
        assert!((1..=R::BITS).contains(&bits) && payload_bits <= 8 && threads > 0);
        RootSet {
            bits,
            payload_bits,
            threads,
            budget: budget.clone(),
            shards: (0..64).map(|_| Mutex::default()).collect(),
            len: AtomicUsize::new(0),
            claimed: AtomicUsize::new(0),
            room: AtomicUsize::new(0),
            wanted: AtomicUsize::new(0),
            is_called: AtomicBool::new(false),
            meeting: Meeting::new(threads),
        }
    }

    /// One for each thread. If one is dropped, the others come to their end as well.
    pub fn sessions(&mut self) -> Vec<Session<'_, R>> {
        self.meeting = Meeting::new(self.threads);
        *self.is_called.get_mut() = false;
        let set = &*self;
        (0..self.threads).map(|_| Session::new(set)).collect()
    }

    /// The keys that are there: exact while nobody inserts a batch.
    pub fn len(&self) -> usize {
        self.len.load(Relaxed)
    }

    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// What the set has of its budget.
    pub fn bytes(&self) -> usize {
        self.room.load(Relaxed) * BYTES
    }

    /// Keys get more bits, at the top: 0 in all that are there.
    pub fn widen(&mut self, bits: u32) -> Result<(), Full> {
        assert!((self.bits..=R::BITS).contains(&bits));
        self.bits = bits;
        Ok(())
    }

    /// All keys, with their payload.
    pub fn for_each(&mut self, mut each: impl FnMut(R, u64)) {
        for shard in &mut self.shards {
            shard.get_mut().unwrap().iter().for_each(|(&root, &payload)| each(root, payload));
        }
    }

    fn grow(&self) -> Result<(), Full> {
        let wanted = self.wanted.swap(0, Relaxed);
        let more = self.room.load(Relaxed).max(1 << 12).min(self.budget.left() / BYTES).max(wanted);
        self.budget.take(more * BYTES)?;
        self.room.fetch_add(more, Relaxed);
        Ok(())
    }
}

impl<R> Drop for RootSet<R> {
    fn drop(&mut self) {
        self.budget.give_back(*self.room.get_mut() * BYTES);
    }
}
