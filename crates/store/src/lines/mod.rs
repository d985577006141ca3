//! An exact set of packed states, shared by threads, for searches that need no numbers.
//!
//! A state that is known costs one line of memory: the set has no array of states beside an index, as
//! `pairs` has. What a line tells of a key by its place is not kept (J. G. Cleary, "Compact hash tables using
//! bidirectional linear probing", 1984; A. Laarman and others, "Boosting multi-core reachability performance
//! with shared hash tables", 2010, for lines of a cache and their locks): of 40 bits, 21 are left when there are 10 million
//! keys. Nothing moves between growths, and a growth is one pass in place.
//!
//! - `root`: keys; `mix`: an invertible hash of them; `shape`: where a key lies in the lines
//! - `line`: one line, its lock and version (`head`), its slots (`slots`); `view`: the lines, and which of them a key may be in; `stash`: what
//!   finds no place there
//! - `meeting`: where all threads come together; `session`: what each does; `grow`: more lines, by all of
//!   them
//! - `forecast`: how many keys there may be in the end
//! - `levels`: the states of a breadth-first search that are still to be expanded
//! - `budget`: bytes that are asked for before something grows

mod budget;
mod forecast;
mod grow;
mod head;
mod levels;
mod line;
#[cfg(all(feature = "loom", test))]
mod loom;
mod meeting;
mod mix;
mod root;
mod session;
mod shape;
mod slots;
mod stash;
#[cfg(test)]
mod tests;
mod view;

pub use budget::Budget;
pub use levels::{Hand, Levels};
pub(crate) use meeting::Patience;
pub use root::Root;
pub use session::{Met, Session, Stop};

use crate::reserved::Reserved;
use forecast::{Expected, Forecast};
use grow::{MOST_GROWTH, Plan};
use lariat_core::Full;
use line::Line;
use meeting::Meeting;
use mix::Mix;
use shape::{FEWEST_LINES, Shape};
use stash::Stash;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use view::View;

/// A set of packed states with a few bits of payload for each.
#[derive(Debug)]
pub struct RootSet<R: Root = u64> {
    mix: Mix,
    bits: u32,
    threads: usize,
    budget: Arc<Budget>,
    lines: Mutex<Reserved<[u64; 8]>>,
    shape: Mutex<Shape<R>>,
    stash: Stash<R>,
    plan: Mutex<Option<Arc<Plan<R>>>>,
    len: AtomicUsize,
    room: AtomicUsize,
    /// See `session`.
    claimed: Spaced<AtomicUsize>,
    wanted: AtomicUsize,
    forecast: Forecast,
    is_called: Spaced<AtomicBool>,
    meeting: Meeting,
}

/// What these protect is set as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is written often has a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Spaced<T>(T);

impl<T> Deref for Spaced<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// Bits of payload at most, for keys of any width.
pub const MOST_PAYLOAD: u32 = 16;
/// The same for keys that are not wide: a number beside each.
pub const WIDE_PAYLOAD: u32 = 32;
/// A set may begin with two to the power of so many lines.
const MOST_FIRST_LINES: u32 = 18;

const LINE: usize = 64;
/// Bytes up to which a table doubles, whatever is expected, and up to which it grows by more than half or a quarter.
const SMALL: usize = 1 << 21;
const MEDIUM: usize = 1 << 26;

impl<R: Root> RootSet<R> {
    /// Whether a key and its payload fit into a slot.
    pub fn fits(bits: u32, payload_bits: u32) -> bool {
        let is_narrow = bits + payload_bits <= R::BITS + MOST_FIRST_LINES;
        payload_bits <= MOST_PAYLOAD || payload_bits <= WIDE_PAYLOAD && is_narrow
    }

    /// For keys of so many bits, and so many threads at once. The first lines are taken from the budget be there enough or not.
    pub fn new(bits: u32, payload_bits: u32, threads: usize, budget: &Arc<Budget>) -> Self {
        Self::with_room(0, bits, payload_bits, threads, budget)
    }

    /// The same with room for so many keys and some more, as far as the budget has it.
    pub fn with_room(
        keys: usize,
        bits: u32,
        payload_bits: u32,
        threads: usize,
        budget: &Arc<Budget>,
    ) -> Self {
        assert!((1..=R::BITS).contains(&bits) && Self::fits(bits, payload_bits) && threads > 0);
        let mix = Mix::new(bits);
        let least = match payload_bits <= MOST_PAYLOAD {
            // With so many, a slot of the widest key still fits into a `Root`.
            true => payload_bits,
            false => (bits + payload_bits).saturating_sub(R::BITS),
        };
        let lines = FEWEST_LINES.max(1 << least);
        let mut shape = Shape::new(lines, (mix.low, mix.above), payload_bits);
        // A place of a batch has 32 bits for a line.
        let most = (budget.left() / 2 / LINE).min(1 << 31);
        while shape.room() < keys + keys / 4 && 2 * shape.all() <= most {
            shape = shape.resized(2 * shape.lines, shape.above);
        }
        let mut lines = Reserved::new();
        lines.grow(shape.all()).expect("addresses for the first lines");
        budget.overdraw(shape.all() * LINE);
        RootSet {
            mix,
            bits,
            threads,
            budget: budget.clone(),
            lines: Mutex::new(lines),
            shape: Mutex::new(shape),
            stash: Stash::new(budget),
            plan: Mutex::new(None),
            len: AtomicUsize::new(0),
            room: AtomicUsize::new(shape.room()),
            claimed: Spaced::default(),
            wanted: AtomicUsize::new(0),
            forecast: Forecast::default(),
            is_called: Spaced::default(),
            meeting: Meeting::new(threads),
        }
    }

    /// One for each thread. If one is dropped, the others come to their end as well.
    pub fn sessions(&mut self) -> Vec<Session<'_, R>> {
        self.assert_whole();
        self.meeting = Meeting::new(self.threads);
        self.wanted.store(0, Relaxed);
        self.end_call();
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

    pub fn threads(&self) -> usize {
        self.threads
    }

    /// What the set has of its budget.
    pub fn bytes(&self) -> usize {
        lock(&self.lines).bytes() + self.stash.bytes()
    }

    /// Whether keys of so many bits fit, too.
    pub fn can_widen(&self, bits: u32) -> bool {
        let shape = self.shape();
        bits <= R::BITS && shape.width_with(self.mix.widened(bits).above) <= R::BITS
    }

    /// Keys get more bits, at the top: 0 in all that are there. They must fit.
    pub fn widen(&mut self, bits: u32) -> Result<(), Full> {
        assert!((self.bits..=R::BITS).contains(&bits));
        let mix = self.mix.widened(bits);
        while self.shape().above != mix.above {
            // It may take several steps: a table of narrow keys has many to a line.
            let (old, mut lines) = (self.shape(), 0);
            let mut new = old;
            // One pass for both, if there would be another one soon.
            let grows_soon = self.len() > old.room() / 8 * 7;
            let more = if grows_soon { self.within_budget(self.more_lines(&old)) } else { 0 };
            while lines == 0 || new.room() < self.len() && lines < old.lines * MOST_GROWTH {
                lines = (old.lines + more.max(old.lines / 16)).max(lines + lines / 32);
                lines = lines.min(old.lines * MOST_GROWTH);
                new = old.resized(lines, mix.above);
            }
            if new.room() < self.len() {
                new = old.resized(lines, old.above);
            }
            let sessions = self.sessions();
            sessions[0].set().begin(new)?;
            std::thread::scope(|scope| {
                for mut session in sessions {
                    scope.spawn(move || session.take_part());
                }
            });
        }
        (self.mix, self.bits) = (mix, bits);
        Ok(())
    }

    /// All keys, with their payload.
    pub fn for_each(&mut self, mut each: impl FnMut(R, u64)) {
        self.assert_whole();
        let (shape, mix) = (self.shape(), self.mix);
        let lines = self.lines.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (at, words) in lines.iter().enumerate() {
            shape.slots_of(at, words, |mixed, payload| each(mix.unmix(mixed), payload));
        }
        self.stash.for_each(|mixed, payload| each(mix.unmix(mixed), payload));
    }

    /// All keys of one of so many parts of the set, with their payloads. Nobody may add any meanwhile.
    pub fn for_each_in(&self, part: usize, parts: usize, mut each: impl FnMut(R, u64)) {
        let (view, mix) = (self.view(), self.mix);
        let all = view.shape.all();
        let border = |part: usize| (all as u128 * part as u128 / parts as u128) as usize;
        for at in border(part)..border(part + 1) {
            view.shape.slots_of(at, &view.line(at).words(), |mixed, payload| {
                each(mix.unmix(mixed), payload);
            });
        }
        if part + 1 == parts {
            self.stash.for_each(|mixed, payload| each(mix.unmix(mixed), payload));
        }
    }

    /// Which of these keys are there, and their payloads, while nobody adds any. Keys may have bits that those of the set had not yet.
    pub fn which_are_there(&self, keys: &[R], mut each: impl FnMut(usize, u64)) {
        let (view, mix) = (self.view(), self.mix);
        let fits = |key: R| key & R::mask(self.bits) == key;
        for &key in keys.iter().filter(|&&key| fits(key)) {
            crate::hash::prefetch(view.line(view.shape.place(mix.mix(key)).0));
        }
        for (at, &key) in keys.iter().enumerate() {
            if let Some(payload) = fits(key).then(|| view.get(mix.mix(key))).flatten() {
                each(at, payload);
            }
        }
    }

    /// Nothing is right after a panic in the midst of a growth.
    fn assert_whole(&self) {
        assert!(lock(&self.plan).is_none(), "a thread panicked while the set grew");
    }

    fn shape(&self) -> Shape<R> {
        *lock(&self.shape)
    }

    fn view(&self) -> View<'_, R> {
        self.view_with(self.shape())
    }

    /// With the shape at hand, or that of the growth at hand.
    fn view_with(&self, shape: Shape<R>) -> View<'_, R> {
        let base = lock(&self.lines).base();
        // SAFETY: there are as many lines as any shape of this set has (`begin`). They move only when a
        // growth begins, while all sessions wait; at its end, all have a new view.
        unsafe { View::new(base.cast::<Line>(), shape, &self.stash, self.threads == 1) }
    }

    /// Asks for more lines, while all threads wait.
    fn begin_growth(&self) -> Result<(), Full> {
        let old = self.shape();
        let more = self.within_budget(self.more_lines(&old).max(old.lines / 6));
        // A small gain is not worth a pass.
        if more < old.lines / 50 {
            return Err(Full);
        }
        self.begin(old.resized(old.lines + more, old.above))
    }

    /// How many more lines there should be, by what is expected.
    fn more_lines(&self, old: &Shape<R>) -> u64 {
        let bytes = old.all() * LINE;
        match self.forecast.expected() {
            _ if bytes < SMALL => old.lines,
            // So that a large one that was wrong does not cost as much again.
            Expected::Twice if bytes < MEDIUM => old.lines,
            Expected::Twice | Expected::Unknown => old.lines / 2,
            Expected::More(keys) => {
                let keys = self.len() as f64 + keys;
                // Some keys more: it is an estimate, and threads have leave for keys that they do not add.
                let lines = old.lines as f64 * keys / old.room() as f64 * 1.03;
                let most = if bytes < MEDIUM { old.lines / 2 } else { old.lines / 4 };
                (lines as u64).saturating_sub(old.lines).min(most)
            }
        }
    }

    /// So many more lines, or as many as there is room for.
    fn within_budget(&self, more: u64) -> u64 {
        // Something is left for the stash and for who shares the budget.
        let most = self.budget.left() / LINE / 1_000 * 990;
        more.min(most as u64)
    }

    /// A level of a breadth-first search begins, with so many keys.
    pub fn note_level(&self, keys: usize) {
        self.forecast.note_level(keys);
    }

    /// Begins a growth to another shape.
    fn begin(&self, new: Shape<R>) -> Result<(), Full> {
        let old = self.shape();
        // A place of a batch has 32 bits for a line.
        u32::try_from(new.all()).or(Err(Full))?;
        let bytes = (new.all() - old.all()) * LINE;
        self.budget.take(bytes)?;
        if lock(&self.lines).grow(new.all()).is_err() {
            self.budget.give_back(bytes);
            return Err(Full);
        }
        let plan = Plan::new(old, new, self.threads, self.stash.take());
        *lock(&self.plan) = Some(Arc::new(plan));
        Ok(())
    }

    /// All keys are where the new shape wants them.
    fn end_growth(&self, new: Shape<R>) {
        *lock(&self.shape) = new;
        *lock(&self.plan) = None;
        self.room.store(new.room(), Relaxed);
        self.end_call();
    }

    /// Threads claim anew.
    fn end_call(&self) {
        self.claimed.store(self.len(), Relaxed);
        self.is_called.store(self.meeting.has_ended(), Relaxed);
    }
}

impl<R: Root> Drop for RootSet<R> {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes());
    }
}
