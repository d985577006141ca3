//! The bytes that several structures may take together. Who grows asks before.

use lariat_core::Full;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A number of bytes, and how many of them are taken. All threads may use it.
#[derive(Debug)]
pub struct Budget {
    limit: usize,
    taken: AtomicUsize,
}

impl Budget {
    pub fn new(limit: usize) -> Self {
        Budget { limit, taken: AtomicUsize::new(0) }
    }

    pub fn unlimited() -> Self {
        Budget::new(usize::MAX)
    }

    /// Takes so many bytes, or none at all.
    pub fn take(&self, bytes: usize) -> Result<(), Full> {
        let more = |taken: usize| taken.checked_add(bytes).filter(|&taken| taken <= self.limit);
        self.taken.try_update(Relaxed, Relaxed, more).map(drop).or(Err(Full))
    }

    pub fn give_back(&self, bytes: usize) {
        self.taken.fetch_sub(bytes, Relaxed);
    }

    pub fn taken(&self) -> usize {
        self.taken.load(Relaxed)
    }

    pub fn left(&self) -> usize {
        self.limit - self.taken()
    }
}
