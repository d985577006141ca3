//! What a thread does with the set.
//!
//! Threads are given leave to add keys, some at a time: `claimed` is how many keys there may be if all add what they may, and
//! never more than there is room for. Who gets no more leave calls a meeting (`is_called`); all others
//! come with their next batch, or are there already as they have nothing to do. The last to come decides:
//! to grow, to take back what leave is not used, or that the budget has no room. A thread that does not come
//! ends the meeting when its session is dropped.
//!
//! Meetings are at the beginning of a batch: so a batch is added as a whole, or not at all, and the view of the
//! lines stays as it is meanwhile.

use super::grow::Mover;
use super::shape::offset;
use super::view::View;
use super::{Root, RootSet};
use crate::hash::prefetch;
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

/// What is decided at a meeting.
const DONE: u8 = 0;
const GROW: u8 = 1;
const TAKE_BACK: u8 = 2;
const FULL: u8 = 3;

/// A thread's access to the set.
pub struct Session<'a, R: Root = u64> {
    set: &'a RootSet<R>,
    view: View<'a, R>,
    /// Keys that it may add.
    leave: usize,
    /// Homes and slots of the batch, and which keys are not at home.
    places: Vec<(u32, R)>,
    far: Vec<u32>,
}

impl<'a, R: Root> Session<'a, R> {
    pub(super) fn new(set: &'a RootSet<R>) -> Self {
        Session { set, view: set.view(), leave: 0, places: Vec::new(), far: Vec::new() }
    }

    /// The set that it belongs to.
    pub fn set(&self) -> &'a RootSet<R> {
        self.set
    }

    /// Adds a batch of keys, those that are new with payload 0. Each key is told to be new to one thread, once; by
    /// its place in the batch, in any order. If there is an error, no key of the batch was added.
    #[inline]
    pub fn insert(&mut self, keys: &[R], new: impl FnMut(usize)) -> Result<(), Stop> {
        self.reserve(keys.len())?;
        // First bytes of slots are in so many blocks: code of its own for each number.
        match self.view.shape.slots {
            ..=16 => self.insert_batch::<1>(keys, new),
            17..=32 => self.insert_batch::<2>(keys, new),
            _ => self.insert_batch::<4>(keys, new),
        }
        Ok(())
    }

    #[inline(always)]
    fn insert_batch<const BLOCKS: usize>(&mut self, keys: &[R], mut new: impl FnMut(usize)) {
        // What a key is known to have does not matter.
        let found = |is_new: bool| (!is_new).then_some(0);
        self.batch(
            keys,
            |view, (home, key), _| {
                let line = view.line(home);
                line.insert::<BLOCKS, R>(&view.shape, 0, key, view.is_alone).map(found)
            },
            |view, mixed, (home, key), _| found(view.insert_far(mixed, home, key)),
            |at, found| {
                if found.is_none() {
                    new(at);
                }
            },
        );
    }

    /// Goes through a batch: by `home` for all keys, then by `far` for those that are not at home and have no place there. Both say what a key had before,
    /// which `told` hears.
    #[inline(always)]
    fn batch(
        &mut self,
        keys: &[R],
        home: impl Fn(&View<'a, R>, (usize, R), usize) -> Option<Option<u64>>,
        far: impl Fn(&View<'a, R>, R, (usize, R), usize) -> Option<u64>,
        mut told: impl FnMut(usize, Option<u64>),
    ) {
        let (view, mix) = (self.view, self.set.mix);
        let mut added = 0;
        self.ask_for(keys);
        for (at, &(place, key)) in self.places.iter().enumerate() {
            match home(&view, (place as usize, key), at) {
                Some(found) => {
                    added += usize::from(found.is_none());
                    told(at, found);
                }
                None => {
                    // Its first choice is asked for, and looked at when all homes were.
                    prefetch(view.line(place as usize + offset(key, 1)));
                    self.far.push(at as u32);
                }
            }
        }
        for at in self.far.drain(..).map(|at| at as usize) {
            let (place, key) = self.places[at];
            let found = far(&view, mix.mix(keys[at]), (place as usize, key), at);
            added += usize::from(found.is_none());
            told(at, found);
        }
        self.note(added);
    }

    /// Adds a batch of keys, those that are new with what `new` says of their place in the batch. `told` hears once of each key what its payload was
    /// before. No thread may change payloads meanwhile: so none is locked to be read.
    pub fn add(
        &mut self,
        keys: &[R],
        new: impl Fn(usize) -> u64,
        told: impl FnMut(usize, Option<u64>),
    ) -> Result<(), Stop> {
        self.reserve(keys.len())?;
        match self.view.shape.slots {
            ..=16 => self.add_batch::<1>(keys, new, told),
            17..=32 => self.add_batch::<2>(keys, new, told),
            _ => self.add_batch::<4>(keys, new, told),
        }
        Ok(())
    }

    #[inline(always)]
    fn add_batch<const BLOCKS: usize>(
        &mut self,
        keys: &[R],
        new: impl Fn(usize) -> u64,
        told: impl FnMut(usize, Option<u64>),
    ) {
        self.batch(
            keys,
            |view, (home, key), at| {
                let line = view.line(home);
                line.add::<BLOCKS, R>(&view.shape, 0, (key, new(at)), view.is_alone)
            },
            |view, mixed, place, at| view.add_far(mixed, place, new(at)),
            told,
        );
    }

    /// Finds the homes of a batch and asks for their lines.
    #[inline(always)]
    fn ask_for(&mut self, keys: &[R]) {
        let (view, mix) = (self.view, self.set.mix);
        self.places.clear();
        self.far.clear();
        self.places.extend(keys.iter().map(|&key| {
            let (home, slot) = view.shape.place(mix.mix(key));
            prefetch(view.line(home));
            (home as u32, slot)
        }));
    }

    /// Adds keys and changes payloads, each in one step: `change` says what it shall be, by the place in the batch and what
    /// it was (`None`: the key is new). It may be called several times for a key; `told` hears once what was
    /// there before. If there is an error, nothing was changed.
    pub fn update(
        &mut self,
        keys: &[R],
        change: impl Fn(usize, Option<u64>) -> u64,
        told: impl FnMut(usize, Option<u64>),
    ) -> Result<(), Stop> {
        self.reserve(keys.len())?;
        self.update_all(keys, change, told);
        Ok(())
    }

    /// The same for keys that are there: the set need not grow for them.
    pub fn change(
        &mut self,
        keys: &[R],
        change: impl Fn(usize, u64) -> u64,
        mut told: impl FnMut(usize, u64),
    ) -> Result<(), Stop> {
        self.reserve(0)?;
        let there = |payload: Option<u64>| payload.expect("the key is there");
        let change = |at, before| change(at, there(before));
        self.update_all(keys, change, |at, before| told(at, there(before)));
        Ok(())
    }

    #[inline]
    fn update_all(
        &mut self,
        keys: &[R],
        change: impl Fn(usize, Option<u64>) -> u64,
        told: impl FnMut(usize, Option<u64>),
    ) {
        match self.view.shape.slots {
            ..=16 => self.update_batch::<1>(keys, change, told),
            17..=32 => self.update_batch::<2>(keys, change, told),
            _ => self.update_batch::<4>(keys, change, told),
        }
    }

    #[inline(always)]
    fn update_batch<const BLOCKS: usize>(
        &mut self,
        keys: &[R],
        change: impl Fn(usize, Option<u64>) -> u64,
        told: impl FnMut(usize, Option<u64>),
    ) {
        let payload = self.view.shape.payload;
        let change = |at: usize, before: Option<u64>| {
            let after = change(at, before);
            debug_assert!(after >> payload == 0);
            after
        };
        self.batch(
            keys,
            |view, (home, key), at| {
                let change = |before| change(at, before);
                view.line(home).update::<BLOCKS, R>(&view.shape, 0, key, change, view.is_alone)
            },
            |view, mixed, place, at| view.update_far(mixed, place, |before| change(at, before)),
            told,
        );
    }

    /// The payload of a key, if it is there.
    pub fn payload(&self, key: R) -> Option<u64> {
        self.view.get(self.set.mix.mix(key))
    }

    /// The payloads of a batch of keys, if they are there.
    pub fn payloads(&mut self, keys: &[R], mut each: impl FnMut(usize, Option<u64>)) {
        self.ask_for(keys);
        for (at, &key) in keys.iter().enumerate() {
            each(at, self.payload(key));
        }
    }

    /// All keys of one of so many parts of the set, with their payloads. Nobody may add any meanwhile.
    pub fn for_each_in(&self, part: usize, parts: usize, each: impl FnMut(R, u64)) {
        self.set.for_each_in(part, parts, each);
    }

    #[inline(always)]
    fn note(&mut self, added: usize) {
        if added > 0 {
            self.leave -= added;
            self.set.len.fetch_add(added, Relaxed);
        }
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
            let wanted = set.wanted.swap(0, Relaxed);
            let room = set.room.load(Relaxed);
            let left = room.saturating_sub(set.len());
            if set.budget.is_overdrawn() {
                FULL
            } else if left < room / 8 + wanted && set.begin_growth().is_ok() {
                GROW
            } else if left >= wanted {
                set.end_call();
                TAKE_BACK
            } else {
                FULL
            }
        });
        match decision.or(Err(Stop::Ended))? {
            DONE => return Ok(Met::Done),
            GROW => self.take_part()?,
            TAKE_BACK => {}
            _ => return Err(Stop::Full),
        }
        self.leave = 0;
        Ok(Met::Grown)
    }

    /// Leave to add so many keys.
    #[inline(always)]
    fn reserve(&mut self, more: usize) -> Result<(), Stop> {
        if self.leave < more || self.set.is_called.load(Relaxed) {
            return self.claim(more);
        }
        Ok(())
    }

    #[cold]
    fn claim(&mut self, more: usize) -> Result<(), Stop> {
        let set = self.set;
        loop {
            if set.meeting.has_ended() {
                return Err(Stop::Ended);
            }
            if !set.is_called.load(Relaxed) {
                if self.leave >= more {
                    return Ok(());
                }
                let room = set.room.load(Relaxed);
                let claim = |claimed: usize| {
                    let left = room.checked_sub(claimed).filter(|&left| left >= more)?;
                    Some(claimed + more.max(left / (4 * set.threads)))
                };
                if let Ok(before) = set.claimed.try_update(Relaxed, Relaxed, claim) {
                    self.leave += claim(before).expect("as just now") - before;
                    return Ok(());
                }
                set.is_called.store(true, Relaxed);
            }
            set.wanted.fetch_add(more, Relaxed);
            self.meet(|| ())?;
        }
    }

    /// Takes part in a growth.
    pub(super) fn take_part(&mut self) -> Result<(), Stop> {
        let set = self.set;
        let plan = super::lock(&set.plan).clone().expect("a growth has begun");
        let grown = set.view_with(plan.new);
        let mut mover = Mover::new();
        while let Some(part) = plan.next_part() {
            let has_ended = || set.meeting.has_ended();
            mover.move_part(&grown, &plan, part, has_ended).or(Err(Stop::Ended))?;
        }
        // Then all lines are those of the new table.
        set.meeting.wait(|| GROW).or(Err(Stop::Ended))?;
        while let Some(map) = plan.next_stash() {
            set.budget.give_back(super::stash::bytes(&map));
            for (mixed, payload) in map {
                let (home, key) = plan.new.place(mixed);
                grown.put(home, plan.new.join(key, payload));
            }
        }
        let end = || {
            set.end_growth(plan.new);
            GROW
        };
        set.meeting.wait(end).or(Err(Stop::Ended))?;
        self.view = grown;
        Ok(())
    }
}

impl<R: Root> Drop for Session<'_, R> {
    fn drop(&mut self) {
        self.set.meeting.end();
        self.set.is_called.store(true, Relaxed);
    }
}

impl<R: Root> std::fmt::Debug for Session<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({} keys to add)", self.leave)
    }
}
