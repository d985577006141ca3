//! The lines as a thread sees them between two growths, and the choices of a key.
//!
//! A key belongs to its home line. If that is full, it goes to one of three others among the next eight, told by the key itself,
//! and at last to the stash.
//!
//! **A key is added once.** Whether a line takes a key whose choice `d` it is never changes from no to yes
//! (`Head::can_take`). All threads go through the choices of a key in the same order, and leave
//! one behind only if at one moment it has not the key and cannot take it: so it never will. Hence all that
//! add the same key come to the same line, or to the stash, where one is the first, and the others find the
//! key. There is one lock at a time: no order of locks, no deadlock.

use super::line::{ALL_BLOCKS, Line};
use super::root::Root;
use super::shape::{FAR, Shape, offset};
use super::stash::Stash;

pub(super) struct View<'a, R> {
    /// At least `shape.all()` lines.
    base: *const Line,
    pub(super) shape: Shape<R>,
    stash: &'a Stash<R>,
    /// There is one thread only: nobody else writes, now or later.
    pub(super) is_alone: bool,
}

impl<R: Copy> Clone for View<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Copy> Copy for View<'_, R> {}

// SAFETY: lines are atomic words, which any thread may use.
unsafe impl<R: Root> Send for View<'_, R> {}

impl<'a, R: Root> View<'a, R> {
    /// # Safety
    /// There must be `shape.all()` lines at `base`, zeros or what views with this shape have written, for as
    /// long as the view is used.
    pub(super) unsafe fn new(
        base: *const Line,
        shape: Shape<R>,
        stash: &'a Stash<R>,
        is_alone: bool,
    ) -> Self {
        View { base, shape, stash, is_alone }
    }

    #[inline(always)]
    pub(super) fn line(&self, at: usize) -> &Line {
        debug_assert!(at < self.shape.all());
        // SAFETY: homes are below `lines`, choices `WINDOW` behind them at most, and there are so many lines.
        unsafe { &*self.base.add(at) }
    }

    /// Adds a key that is not at home and has no place there: true if it is new.
    #[inline(never)]
    pub(super) fn insert_far(&self, mixed: R, home: usize, key: R) -> bool {
        for d in 1..=FAR {
            if let Some(is_new) = self.choice(home, key, d).insert::<ALL_BLOCKS, R>(
                &self.shape,
                d,
                key,
                self.is_alone,
            ) {
                return is_new;
            }
        }
        self.stash.update(mixed, |payload| payload.unwrap_or(0)).is_none()
    }

    #[inline(always)]
    fn choice(&self, home: usize, key: R, d: usize) -> &Line {
        self.line(home + offset(key, d))
    }

    /// The same with a payload for a new key: what the key had before.
    #[inline(never)]
    pub(super) fn add_far(&self, mixed: R, (home, key): (usize, R), payload: u64) -> Option<u64> {
        for d in 1..=FAR {
            let line = self.choice(home, key, d);
            let added = line.add::<ALL_BLOCKS, R>(&self.shape, d, (key, payload), self.is_alone);
            if let Some(found) = added {
                return found;
            }
        }
        self.stash.update(mixed, |before| before.unwrap_or(payload))
    }

    /// Changes the payload of a key that is not at home and has no place there; it is added if it is nowhere. What it was.
    pub(super) fn update_far(
        &self,
        mixed: R,
        (home, key): (usize, R),
        change: impl Fn(Option<u64>) -> u64,
    ) -> Option<u64> {
        for d in 1..=FAR {
            if let Some(found) = self.choice(home, key, d).update::<ALL_BLOCKS, R>(
                &self.shape,
                d,
                key,
                &change,
                self.is_alone,
            ) {
                return found;
            }
        }
        self.stash.update(mixed, change)
    }

    /// The payload of a key.
    pub(super) fn get(&self, mixed: R) -> Option<u64> {
        let (home, key) = self.shape.place(mixed);
        for d in 0..=FAR {
            let (found, head) =
                self.choice(home, key, d).get::<ALL_BLOCKS, R>(&self.shape, d, key, self.is_alone);
            if found.is_some() || head.can_take(d, self.shape.slots) {
                return found.map(|(_, payload)| payload);
            }
        }
        self.stash.get(mixed)
    }

    /// Puts a slot of a key that is nowhere yet.
    pub(super) fn put(&self, home: usize, value: R) {
        for d in 0..=FAR {
            if self.choice(home, value, d).put(&self.shape, d, value) {
                return;
            }
        }
        let (key, payload) = self.shape.split(value);
        self.stash.update(self.shape.mixed(self.shape.start(home), key), |_| payload);
    }

    /// The same for several of one home.
    pub(super) fn put_all(&self, home: usize, values: &[R]) {
        if values.is_empty() {
            return;
        }
        let here = self.line(home).fill(&self.shape, values);
        values[here..].iter().for_each(|&value| self.put(home, value));
    }
}
