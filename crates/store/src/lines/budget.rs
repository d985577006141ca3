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

    /// Takes bytes, be there any left or not: for what cannot wait.
    pub(crate) fn overdraw(&self, bytes: usize) {
        self.taken.fetch_add(bytes, Relaxed);
    }

    pub(super) fn is_overdrawn(&self) -> bool {
        self.taken() > self.limit
    }

    pub fn give_back(&self, bytes: usize) {
        self.taken.fetch_sub(bytes, Relaxed);
    }

    pub fn taken(&self) -> usize {
        self.taken.load(Relaxed)
    }

    pub fn left(&self) -> usize {
        self.limit.saturating_sub(self.taken())
    }
}
