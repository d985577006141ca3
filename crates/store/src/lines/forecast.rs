//! How many keys there may be in the end, by the levels of a breadth-first search.
//!
//! Levels grow first and shrink then, much as a bell. While they grow, and are no smaller than before, at least as many keys are still to come as there are.
//! When they shrink, the logarithms of their sizes bend down: what comes is as if they went on to bend as they did lately. It is an estimate for the size of a
//! growth, no more: where it was too low, there is another growth.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Sums of levels that are kept: when there are so many, each is of twice as many levels. Sizes of neighbours jump, sums do not.
const MOST_SUMS: usize = 32;
/// With fewer, nothing is said.
const FEWEST_SUMS: usize = 6;
/// Of so many sums, one is looked at at a time.
const SHARE: usize = 12;
/// As far as is looked ahead.
const STEPS: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Forecast {
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    /// Of two to the power of `doubled` levels each.
    sums: Vec<usize>,
    doubled: u32,
    /// The levels since, and their number.
    last: usize,
    count: usize,
}

/// What is to be expected.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Expected {
    Unknown,
    /// As many keys more as there are, or more.
    Twice,
    /// So many keys more.
    More(f64),
}

impl Forecast {
    /// A level begins that has so many keys.
    pub(super) fn note_level(&self, level: usize) {
        self.seen().note_level(level);
    }

    /// Behind the level at hand.
    pub(super) fn expected(&self) -> Expected {
        self.seen().expected()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn note_level(&mut self, level: usize) {
        self.last += level;
        self.count += 1;
        if self.count < 1 << self.doubled {
            return;
        }
        self.sums.push(std::mem::take(&mut self.last));
        self.count = 0;
        if self.sums.len() == MOST_SUMS {
            self.sums = self.sums.chunks(2).map(|two| two.iter().sum()).collect();
            self.doubled += 1;
        }
    }

    fn expected(&self) -> Expected {
        let (FEWEST_SUMS.., &[.., before, last]) = (self.sums.len(), &self.sums[..]) else {
            return Expected::Unknown;
        };
        let largest = self.sums.iter().max().copied().unwrap_or(0);
        if last >= before && last >= largest - largest / 10 {
            return Expected::Twice;
        }
        let wide = (self.sums.len() / SHARE).max(1);
        let mut latest = self.sums.rchunks(wide).map(|sums| sums.iter().sum::<usize>().max(1));
        let [last, middle, first] = [(); 3].map(|()| latest.next().unwrap_or(1) as f64);
        let mut slope = (last / middle).ln();
        let bend = (slope - (middle / first).ln()).min(0.0);
        let (mut level, mut more) = (last, 0.0);
        for _ in 0..STEPS {
            slope += bend;
            level *= slope.exp();
            more += level;
        }
        Expected::More((more - self.last as f64).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(levels: impl IntoIterator<Item = usize>) -> Expected {
        let forecast = Forecast::default();
        levels.into_iter().for_each(|level| forecast.note_level(level));
        forecast.expected()
    }

    #[test]
    fn what_grows_is_expected_to_shrink_as_long() {
        assert_eq!(of(1..6), Expected::Unknown);
        assert_eq!(of((1..40).map(|level| level * 10)), Expected::Twice);
        // As many are as large in turn.
        assert_eq!(of((1..40_000).map(|level| level * 10 * (1 + level % 2))), Expected::Twice);
    }

    #[test]
    fn what_shrinks_comes_to_an_end() {
        // 15, 7, 3 and so on.
        let Expected::More(more) = of((5..20).rev().map(|bits| 1 << bits)) else { panic!() };
        assert!((31.0..=33.0).contains(&more), "{more}");
        // A bell, at some of its levels: never more than twice what is to come, when half was seen.
        let bell: Vec<usize> =
            (-300..=300_i32).map(|at| (1e6 * (-f64::from(at * at) / 2e4).exp()) as usize).collect();
        for seen in [320, 350, 400, 450] {
            let Expected::More(more) = of(bell[..seen].iter().copied()) else { panic!() };
            let behind = bell[seen..].iter().sum::<usize>() as f64;
            assert!((behind / 2.0..behind * 2.0).contains(&more), "{seen}: {more}, {behind}");
        }
    }
}
