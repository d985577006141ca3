//! How far a search has come, beside what it has counted: the level or the depth that it is at, and how long
//! it may still take.
//!
//! A search notes where it is; whoever tells of it asks [`now`], on the same thread. Neither can do harm: no
//! search ever reads what it has noted.
//!
//! Nobody knows how many states there are before they are found, so mostly there is no estimate. There are two
//! exceptions. A time limit says how long it takes at most. And where levels of a breadth-first search have
//! become smaller for a while and are half of the largest one, they mostly go on doing so: if each is `r` times the
//! one before, what is left is `size / (1 - r)` states. Levels shrink faster and faster towards the end, so this is
//! rather too long, sometimes by twice; where they grow once more it is too short (bench/explore.md). As soon as a level is larger than the one
//! before, there is no estimate.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::stop;

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Headway {
    /// Breadth first: the level at hand, from 0.
    pub level: Option<u64>,
    /// Breadth first: so many states that level has.
    pub frontier: Option<u64>,
    /// Depth first: so many states are on the stack.
    pub depth: Option<u64>,
    /// About so long it will take, if levels go on to shrink as they do.
    pub about: Option<Duration>,
    /// So long it will take at most: then time is over.
    pub at_most: Option<Duration>,
}

#[derive(Clone, Copy, Default)]
struct Noted {
    level: Option<(u64, u64)>,
    depth: Option<u64>,
    shrinking: Option<Shrinking>,
}

/// A level that is worth a look at the clock, and what is known of those before.
#[derive(Clone, Copy)]
struct Shrinking {
    began: Instant,
    size: u64,
    /// The size of the largest one.
    largest: u64,
    /// So many levels in a row were smaller than the one before.
    streak: u32,
    /// The last ratios of a level to the one before.
    ratios: [f64; STREAK as usize],
    /// Seconds for a state of the level before.
    pace: f64,
}

/// So many levels must have become smaller.
const STREAK: u32 = 4;
/// Smaller levels are over at once.
const SMALL: u64 = 256;

thread_local! {
    static NOTED: Cell<Noted> = const {
        Cell::new(Noted { level: None, depth: None, shrinking: None })
    };
}

/// A new search: nothing is known of it.
pub fn begin() {
    NOTED.set(Noted::default());
}

/// A search goes breadth first, and a level of so many states begins.
pub fn note_level(level: u64, size: u64) {
    let Noted { shrinking, .. } = NOTED.get();
    let shrinking = match size < SMALL {
        true => shrinking,
        false => Some(Shrinking::next(shrinking, size, Instant::now())),
    };
    NOTED.set(Noted { level: Some((level, size)), depth: None, shrinking });
}

/// A search goes depth first, and has so many states on its stack.
pub fn note_depth(depth: u64) {
    NOTED.set(Noted { level: None, depth: Some(depth), shrinking: None });
}

/// Where the search of this thread is.
pub fn now() -> Headway {
    let Noted { level, depth, shrinking } = NOTED.get();
    let now = Instant::now();
    Headway {
        level: level.map(|(level, _)| level),
        frontier: level.map(|(_, size)| size),
        depth,
        about: shrinking.and_then(|shrinking| shrinking.left(now)),
        at_most: stop::deadline().map(|deadline| deadline.saturating_duration_since(now)),
    }
}

impl Shrinking {
    /// After one more level begins.
    fn next(before: Option<Shrinking>, size: u64, now: Instant) -> Shrinking {
        let Some(mut known) = before else {
            let (streak, ratios, pace) = (0, [1.0; STREAK as usize], 0.0);
            return Shrinking { began: now, size, largest: size, streak, ratios, pace };
        };
        let ratio = size as f64 / known.size as f64;
        known.ratios.rotate_left(1);
        known.ratios[STREAK as usize - 1] = ratio;
        known.streak = if ratio < 1.0 { known.streak + 1 } else { 0 };
        known.pace = now.saturating_duration_since(known.began).as_secs_f64() / known.size as f64;
        Shrinking { began: now, size, largest: known.largest.max(size), ..known }
    }

    fn left(self, now: Instant) -> Option<Duration> {
        if self.streak < STREAK || self.size > self.largest / 2 {
            return None;
        }
        let ratio = self.ratios.iter().sum::<f64>() / f64::from(STREAK);
        let states = self.size as f64 / (1.0 - ratio);
        let whole = Duration::try_from_secs_f64(states * self.pace).ok()?;
        whole.checked_sub(now.saturating_duration_since(self.began))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels of these sizes, a microsecond for each state.
    fn after(sizes: &[u64]) -> Option<Duration> {
        let mut now = Instant::now();
        let mut known = None;
        for &size in sizes {
            let next = Shrinking::next(known, size, now);
            known = Some(next);
            now += Duration::from_micros(size);
        }
        let last = *sizes.last().expect("a level");
        known.and_then(|known| known.left(now - Duration::from_micros(last)))
    }

    #[test]
    fn there_is_an_estimate_only_where_levels_shrink() {
        assert_eq!(after(&[1000, 2000, 4000]), None, "they grow");
        assert_eq!(after(&[16_000, 8000, 4000, 2000]), None, "not for long enough");
        assert_eq!(after(&[16_000, 8000, 4000, 2000, 1000, 1001]), None, "no longer");
        assert_eq!(after(&[1000, 900, 800, 700, 600]), None, "not much");
        let left = after(&[16_000, 8000, 4000, 2000, 1000]).expect("an estimate");
        assert!(left.abs_diff(Duration::from_micros(2000)) < Duration::from_micros(2), "{left:?}");
    }

    #[test]
    fn what_was_noted_last_is_told() {
        begin();
        assert_eq!(now(), Headway::default());
        note_level(3, 70);
        assert_eq!((now().level, now().frontier, now().depth), (Some(3), Some(70), None));
        note_depth(9);
        assert_eq!((now().level, now().frontier, now().depth), (None, None, Some(9)));
        let deadline = Instant::now() + Duration::from_secs(50);
        let left = stop::within(Some(deadline), now).at_most.expect("there is a limit");
        assert!(left <= Duration::from_secs(50));
        begin();
    }
}
