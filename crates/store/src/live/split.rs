//! RDKP §3.1, "+ds": live states in a stack with a hash index, dead ones in a store of their
//! own that may be lossy or forgetful.
//!
//! With `LAZY` (RDKP §6 for union-find, §7 as an idea for the others) states that die stay
//! where they are, behind the frontier between live and dead slots, and move to `dead` only
//! when their slot is used again. Then killing a component costs nothing at all.

use super::dead::Dead;
use crate::hash::hash;
use crate::index::Index;
use lariat_core::{
    Arena, Batch, Full, Intern, LiveStates, LiveStore, MAX_STATES, Pending, States, Status,
};

/// A live state, or one that was generated and waits to be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiveId {
    /// By position. A state that is live when it is generated stays so while its source is
    /// on the search stack, for both are in one component then.
    Live(u32),
    /// By place among the waiting ones: it was unknown. It may be live or dead by now.
    Unknown(u32),
    /// By place among the waiting ones: it was dead. If a forgetful store has it visited
    /// again meanwhile, that is no reason to look: no accepting run leads through it.
    Dead(u32),
}

/// States that wait on the search stack, exactly, last in first out.
#[derive(Debug)]
struct Waiting<A> {
    rows: A,
    hashes: Vec<u64>,
}

/// Live states in `A`, dead ones in `D`.
#[derive(Debug)]
pub struct Split<A, D, const LAZY: bool> {
    /// The live states in the order of discovery, then dead ones that have not moved yet.
    rows: A,
    index: Index,
    /// Slots below are live.
    frontier: u32,
    dead: D,
    waiting: Waiting<A>,
    hashes: Vec<u64>,
    peak_live: u32,
    peak_dead: u64,
}

/// Dead states move at once.
pub type Eager<A, D> = Split<A, D, false>;
/// Dead states move when their slot is used again.
pub type Lazy<A, D> = Split<A, D, true>;

impl<A: Arena, D: Dead<Row = A::Row>, const LAZY: bool> Split<A, D, LAZY> {
    /// `rows` and `waiting` are empty arenas of the right width.
    pub fn new(rows: A, waiting: A, dead: D) -> Self {
        Split {
            rows,
            index: Index::new(),
            frontier: 0,
            dead,
            waiting: Waiting { rows: waiting, hashes: Vec::new() },
            hashes: Vec::new(),
            peak_live: 0,
            peak_dead: 0,
        }
    }

    /// Slots in use, by live states and by dead ones that have not moved.
    pub fn slots(&self) -> u32 {
        self.rows.len() as u32
    }

    #[inline(always)]
    fn slot_of(&self, row: &A::Row, h: u64) -> Option<u32> {
        self.index.find(h, |position| self.rows.get(position) == row)
    }

    /// GET_STATUS. Architecture invariant: `live` before `dead`.
    #[inline(always)]
    fn look_up(&self, row: &A::Row, h: u64) -> Status {
        match self.slot_of(row, h) {
            Some(position) if position < self.frontier => Status::Live(position),
            Some(_) => Status::Dead,
            None if self.dead.has(row, h) => Status::Dead,
            None => Status::Unknown,
        }
    }

    #[inline(always)]
    fn intern_hashed(&mut self, row: &A::Row, h: u64) -> LiveId {
        let place = self.waiting.hashes.len() as u32;
        let id = match self.look_up(row, h) {
            Status::Live(position) => return LiveId::Live(position),
            Status::Unknown => LiveId::Unknown(place),
            Status::Dead => LiveId::Dead(place),
        };
        self.waiting.rows.push(row);
        self.waiting.hashes.push(h);
        id
    }

    /// Moves the dead state in `slot` to `dead`.
    fn retire(&mut self, slot: u32) {
        let row = self.rows.get(slot);
        let h = hash(row.as_ref());
        self.index.remove(h, slot);
        self.dead.add(row, h);
        self.peak_dead = self.peak_dead.max(self.dead.len());
    }
}

impl<A: Arena, D: Dead<Row = A::Row>, const LAZY: bool> States for Split<A, D, LAZY> {
    type Row = A::Row;
    type Id = LiveId;

    #[inline]
    fn row(&self, id: LiveId) -> &A::Row {
        match id {
            LiveId::Live(position) => self.rows.get(position),
            LiveId::Unknown(place) | LiveId::Dead(place) => self.waiting.rows.get(place),
        }
    }
}

impl<A: Arena, D: Dead<Row = A::Row>, const LAZY: bool> Intern for Split<A, D, LAZY> {
    fn is_lossy(&self) -> bool {
        self.dead.is_lossy()
    }

    #[inline]
    fn intern(&mut self, row: &A::Row) -> LiveId {
        self.intern_hashed(row, hash(row.as_ref()))
    }

    #[inline]
    fn intern_all<B: Batch<Row = A::Row>>(&mut self, batch: &B, out: &mut Vec<Pending<LiveId>>) {
        self.hashes.clear();
        for i in 0..batch.len() {
            let h = hash(batch.row(i).as_ref());
            self.index.prefetch(h);
            self.dead.prefetch(h);
            self.hashes.push(h);
        }
        for i in (0..batch.len()).rev() {
            let dst = self.intern_hashed(batch.row(i), self.hashes[i]);
            out.push(Pending { dst, marks: batch.marks(i) });
        }
    }

    #[inline]
    fn make_room<B: Batch<Row = Self::Row>>(&mut self, batch: &B) -> Result<(), Full> {
        let more = batch.len();
        // All live states may die at once, and a bit-state store takes any number of them.
        let dead = if self.dead.is_lossy() { 0 } else { self.dead.len() as usize };
        let waiting = self.waiting.hashes.len() + more;
        if (self.rows.len() + more + dead).max(waiting) > MAX_STATES {
            return Err(Full);
        }
        self.waiting.hashes.try_reserve(more).or(Err(Full))?;
        self.waiting.rows.reserve(more)?;
        self.dead.make_room(self.rows.len() + more)?;
        self.rows.reserve(more)
    }

    #[inline]
    fn release(&mut self, id: LiveId) {
        if let LiveId::Unknown(place) | LiveId::Dead(place) = id {
            debug_assert_eq!(place as usize + 1, self.waiting.hashes.len(), "last in, first out");
            self.waiting.rows.truncate(place as usize);
            self.waiting.hashes.truncate(place as usize);
        }
    }

    fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.index.bytes()
            + self.dead.bytes()
            + self.waiting.rows.bytes()
            + self.waiting.hashes.capacity() * size_of::<u64>()
    }
}

impl<A: Arena, D: Dead<Row = A::Row>, const LAZY: bool> LiveStates for Split<A, D, LAZY> {
    fn find_live(&self, row: &A::Row) -> Option<(u32, LiveId)> {
        let position = self.slot_of(row, hash(row.as_ref()))?;
        (position < self.frontier).then_some((position, LiveId::Live(position)))
    }

    fn live_bound(&self) -> u32 {
        self.frontier
    }
}

impl<A: Arena, D: Dead<Row = A::Row>, const LAZY: bool> LiveStore for Split<A, D, LAZY> {
    #[inline]
    fn status(&self, id: LiveId) -> Status {
        match id {
            LiveId::Live(position) => Status::Live(position),
            LiveId::Dead(_) => Status::Dead,
            LiveId::Unknown(place) => {
                self.look_up(self.waiting.rows.get(place), self.waiting.hashes[place as usize])
            }
        }
    }

    #[inline]
    fn push_live(&mut self, id: LiveId) -> LiveId {
        let LiveId::Unknown(place) = id else { unreachable!("only an unknown state is visited") };
        let position = self.frontier;
        if self.slots() > position {
            self.retire(position);
            self.rows.set(position, self.waiting.rows.get(place));
        } else {
            self.rows.push(self.waiting.rows.get(place));
        }
        self.index.insert(self.waiting.hashes[place as usize], position);
        self.release(id);
        self.frontier += 1;
        self.peak_live = self.peak_live.max(self.frontier);
        LiveId::Live(position)
    }

    #[inline]
    fn live_len(&self) -> u32 {
        self.frontier
    }

    #[inline]
    fn kill_from(&mut self, position: u32) {
        self.frontier = position;
        if !LAZY {
            for slot in (position..self.slots()).rev() {
                self.retire(slot);
            }
            self.rows.truncate(position as usize);
        }
    }

    #[inline]
    fn words(&self) -> u64 {
        self.rows.len() as u64 + 2 * self.index.len() as u64 + self.dead.words()
    }

    fn peaks(&self) -> (u64, u64) {
        (u64::from(self.peak_live), self.peak_dead)
    }
}
