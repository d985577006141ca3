//! Growth in place, by all threads.
//!
//! The order of the lines is that of the keys, in the old table and in the new one, so a key's home never goes
//! down, and the lines are moved from the last to the first. They are cut into parts. A thread
//! takes the highest part that is left, copies its lines aside, clears them, and says so (release store of the
//! part's flag). Then it waits (acquire load) until all old lines are cleared that its keys may go to. As homes only go up, these are
//! its own part and higher ones, which were all taken before it, by threads that clear them without
//! waiting for anybody: nobody waits for somebody who waits for him. Only keys of the first lines may stay
//! below their line's number, as a key may lie up to `WINDOW` lines behind its home: so many lines are the lowest part.
//!
//! A cleared line is an empty line of the new table. Where two parts write to the same lines, at their
//! borders, they use the lines' locks, as always.
//!
//! Keys of a new home come from several old lines. They are collected, by home, in a ring, and written
//! together when the last one was read.

use super::head::Head;
use super::meeting::{Ended, Patience};
use super::root::Root;
use super::shape::{FAR, Shape, WINDOW, offset};
use super::slots::slot_of;
use super::stash::Map;
use super::view::View;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};

/// Lines of a part: few enough to be copied within the cache.
const PART: usize = 512;
/// A table grows to so many times its lines at most: more homes at once are more than the ring holds.
pub(super) const MOST_GROWTH: u64 = 4;

/// What is to be done, and how far it is.
#[derive(Debug)]
pub(super) struct Plan<R> {
    old: Shape<R>,
    pub(super) new: Shape<R>,
    /// Lines of the lowest part, and of each other.
    first: usize,
    part: usize,
    is_clear: Vec<AtomicBool>,
    /// Parts that nobody has taken.
    left: AtomicUsize,
    /// What was in the stash.
    stash: Mutex<Vec<Map<R>>>,
}

impl<R: Root> Plan<R> {
    pub(super) fn new(old: Shape<R>, new: Shape<R>, threads: usize, stash: Vec<Map<R>>) -> Self {
        assert!((old.lines + 1..=old.lines * MOST_GROWTH).contains(&new.lines));
        let all = old.all();
        let part = (all / (threads * 8)).clamp(32, PART);
        // From here on, a key WINDOW lines behind its home goes to a new home that is not below its line.
        let border = (WINDOW as u64 * new.lines + old.lines) / (new.lines - old.lines) + 2;
        let first = part.max(border as usize).min(all);
        let parts = 1 + (all - first).div_ceil(part);
        Plan {
            old,
            new,
            first,
            part,
            is_clear: (0..parts).map(|_| AtomicBool::new(false)).collect(),
            left: AtomicUsize::new(parts),
            stash: Mutex::new(stash),
        }
    }

    /// The highest part that is left.
    pub(super) fn next_part(&self) -> Option<usize> {
        let taken = self.left.try_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        taken.ok().map(|left| left - 1)
    }

    /// Some keys that were in the stash.
    pub(super) fn next_stash(&self) -> Option<Map<R>> {
        self.stash.lock().expect("nothing panics with it").pop()
    }

    fn range(&self, part: usize) -> (usize, usize) {
        let from = |part: usize| if part == 0 { 0 } else { self.first + (part - 1) * self.part };
        (from(part), from(part + 1).min(self.old.all()))
    }

    fn part_of(&self, line: usize) -> usize {
        if line < self.first { 0 } else { 1 + (line - self.first) / self.part }
    }

    /// Waits until old lines, from one to another, are cleared.
    fn wait_for(
        &self,
        lowest: usize,
        highest: usize,
        has_ended: impl Fn() -> bool,
    ) -> Result<(), Ended> {
        for part in self.part_of(lowest)..=self.part_of(highest) {
            let mut patience = Patience::new();
            while !self.is_clear[part].load(Acquire) {
                if has_ended() {
                    return Err(Ended);
                }
                patience.wait();
            }
        }
        Ok(())
    }
}

/// What a thread needs to move parts.
pub(super) struct Mover<R> {
    /// Copies of old lines, and the first keys of their homes.
    lines: Vec<[u64; 8]>,
    starts: Vec<u64>,
    ring: Ring<R>,
}

impl<R: Root> Mover<R> {
    pub(super) fn new() -> Self {
        Mover { lines: Vec::new(), starts: Vec::new(), ring: Ring::new() }
    }

    /// Moves a part to the table that is grown.
    pub(super) fn move_part(
        &mut self,
        grown: &View<R>,
        plan: &Plan<R>,
        part: usize,
        has_ended: impl Fn() -> bool,
    ) -> Result<(), Ended> {
        let (old, new) = (plan.old, plan.new);
        let (from, to) = plan.range(part);
        self.lines.clear();
        for at in from..to {
            self.lines.push(grown.line(at).words());
            grown.line(at).clear();
        }
        plan.is_clear[part].store(true, Release);

        let (homes, low) = (old.lines as usize, from.saturating_sub(WINDOW));
        self.starts.clear();
        // Where there are more homes than mixed parts, no key belongs to the last ones.
        self.starts.extend(old.starts(low).take(to - low).map(|start| start.min(old.last())));
        // New homes of keys that are here.
        let lowest = new.home(self.starts[0]);
        let highest = new.last_before(&old, to);
        debug_assert!(part == 0 || lowest >= from);
        plan.wait_for(lowest, (highest + WINDOW).min(old.all() - 1), has_ended)?;

        // The lowest new home whose keys are all read, but for those in other parts.
        let mut complete = highest + 1;
        for at in (from..to).rev() {
            let words = &self.lines[at - from];
            let head = Head::of(words);
            for d in 0..=FAR {
                let (first, end) = head.group(d);
                for slot in first..end {
                    let value = slot_of(&old, slot, |word| words[word]);
                    let (key, payload) = old.split(value);
                    let start = self.starts[at - offset(key, d) - low];
                    let (home, key) = new.place(old.mixed(start, key));
                    let value = new.join(key, payload);
                    debug_assert!((lowest..complete).contains(&home));
                    if !self.ring.push(home, value) {
                        grown.put(home, value);
                    }
                }
            }
            if at < homes {
                let least = new.home(self.starts[at - low]) + 1;
                while complete > least {
                    complete -= 1;
                    grown.put_all(complete, self.ring.take(complete));
                }
            }
        }
        while complete > lowest {
            complete -= 1;
            grown.put_all(complete, self.ring.take(complete));
        }
        Ok(())
    }
}

/// Slots by home, for the homes at hand.
struct Ring<R> {
    values: Vec<R>,
    counts: [usize; HOMES],
}

/// A line has keys of `WINDOW` homes before it: so many new homes are at hand at once.
const HOMES: usize = 64;
const _: () = assert!((WINDOW + 2) * (MOST_GROWTH as usize) < HOMES);
/// Mostly, no home has more.
const MOST: usize = 72;

impl<R: Root> Ring<R> {
    fn new() -> Self {
        Ring { values: vec![R::from(0); HOMES * MOST], counts: [0; HOMES] }
    }

    /// False if there are too many of this home.
    #[inline(always)]
    fn push(&mut self, home: usize, value: R) -> bool {
        let count = &mut self.counts[home % HOMES];
        if *count == MOST {
            return false;
        }
        self.values[home % HOMES * MOST + *count] = value;
        *count += 1;
        true
    }

    #[inline(always)]
    fn take(&mut self, home: usize) -> &[R] {
        let count = std::mem::take(&mut self.counts[home % HOMES]);
        &self.values[home % HOMES * MOST..][..count]
    }
}
