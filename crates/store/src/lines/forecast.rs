//! How many keys there may be in the end, by the levels of a breadth-first search.
//!
//! Levels grow first and shrink then, ever faster mostly. Where a level is smaller than the one before, those behind it have about
//! as many keys as a geometric series: a growth need not make room for more. It is an estimate for the size of a growth, no more: where it
//! was too low, there is another growth.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[derive(Debug)]
pub(super) struct Forecast {
    /// Keys of the level at hand.
    level: AtomicUsize,
    /// `usize::MAX` is any number.
    keys: AtomicUsize,
}

impl Forecast {
    pub(super) fn new() -> Self {
        Forecast { level: AtomicUsize::new(0), keys: AtomicUsize::new(usize::MAX) }
    }

    /// A level begins that has so many keys, of so many that there are.
    pub(super) fn note_level(&self, level: usize, all: usize) {
        let before = self.level.swap(level, Relaxed);
        let keys = match before.checked_sub(level) {
            None | Some(0) => usize::MAX,
            // `level` times r / (1 - r), where r is `level` / `before`.
            Some(less) => {
                let behind = level as u128 * level as u128 / less as u128;
                all.saturating_add(usize::try_from(behind).unwrap_or(usize::MAX))
            }
        };
        self.keys.store(keys, Relaxed);
    }

    pub(super) fn keys(&self) -> usize {
        self.keys.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shrinks_comes_to_an_end() {
        let forecast = Forecast::new();
        forecast.note_level(1_000, 5_000);
        assert_eq!(forecast.keys(), usize::MAX);
        forecast.note_level(500, 5_500);
        // 250, 125 and so on.
        assert_eq!(forecast.keys(), 6_000);
        forecast.note_level(500, 6_000);
        assert_eq!(forecast.keys(), usize::MAX);
        forecast.note_level(0, 6_000);
        assert_eq!(forecast.keys(), 6_000);
    }
}
