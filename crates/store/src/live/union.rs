//! The union-find of Gabow's algorithm with the states in it (RDKP §5, §6).

use super::dead::Dead;
use super::split::{Lazy, LiveId};
use crate::{Exact, UnionFind};
use lariat_core::{
    Arena, Batch, Full, Intern, LiveStates, LiveStore, Lossless, Pending, States, Status, Store,
    UnionStore,
};

/// The element that all dead states are united with (RDKP Algorithm 4, line 3). As a tag it
/// means that a state is in no class yet.
const DEAD_STATE: u32 = 0;

/// "−ds": all states in one exact table, dead ones in the class of an artificial one.
#[derive(Debug)]
pub struct UnionInPlace<A> {
    /// The tag is the state's element.
    table: Exact<u32, A>,
    classes: UnionFind,
    live: u32,
    peak_live: u32,
}

impl<A: Arena> UnionInPlace<A> {
    /// `rows` is an empty arena of the right width.
    pub fn new(rows: A) -> Self {
        Self::over(Exact::new(rows))
    }

    /// Over an empty table, for one with other settings than the default ones.
    pub fn over(table: Exact<u32, A>) -> Self {
        // uf.make_set(DeadState)
        let mut classes = UnionFind::new();
        classes.make_set();
        UnionInPlace { table, classes, live: 0, peak_live: 0 }
    }
}

impl<A: Arena> States for UnionInPlace<A> {
    type Row = A::Row;
    type Id = u32;

    #[inline]
    fn row(&self, id: u32) -> &A::Row {
        self.table.row(id)
    }
}

impl<A: Arena> Intern for UnionInPlace<A> {
    fn is_lossy(&self) -> bool {
        false
    }

    #[inline]
    fn intern(&mut self, row: &A::Row) -> u32 {
        self.table.intern(row)
    }

    #[inline]
    fn intern_all<B: Batch<Row = A::Row>>(&mut self, batch: &B, out: &mut Vec<Pending<u32>>) {
        self.table.intern_all(batch, out);
    }

    #[inline]
    fn make_room<B: Batch<Row = Self::Row>>(&mut self, batch: &B) -> Result<(), Full> {
        self.classes.make_room(batch.len())?;
        self.table.make_room(batch)
    }

    #[inline]
    fn release(&mut self, _id: u32) {}

    fn bytes(&self) -> usize {
        self.table.bytes() + self.classes.bytes()
    }
}

impl<A: Arena> LiveStates for UnionInPlace<A> {
    fn find_live(&self, row: &A::Row) -> Option<(u32, u32)> {
        let id = self.table.find(row)?;
        let element = self.table.tag(id);
        let live = self.classes.find(element) != self.classes.find(DEAD_STATE);
        live.then_some((element, id))
    }

    fn live_bound(&self) -> u32 {
        self.classes.len() as u32
    }
}

impl<A: Arena> UnionStore for UnionInPlace<A> {
    #[inline]
    fn status(&mut self, id: u32) -> Status {
        match self.table.tag(id) {
            DEAD_STATE => Status::Unknown,
            element if self.classes.same_set(element, DEAD_STATE) => Status::Dead,
            element => Status::Live(element),
        }
    }

    #[inline]
    fn make_set(&mut self, id: u32) -> (u32, u32) {
        let element = self.classes.make_set();
        self.table.set_tag(id, element);
        self.live += 1;
        self.peak_live = self.peak_live.max(self.live);
        (id, element)
    }

    #[inline]
    fn same_set(&mut self, a: u32, b: u32) -> bool {
        self.classes.same_set(a, b)
    }

    #[inline]
    fn unite(&mut self, a: u32, b: u32) {
        self.classes.unite(a, b);
    }

    #[inline]
    fn make_dead(&mut self, element: u32, survivors: u32) {
        self.classes.unite(element, DEAD_STATE);
        self.live = survivors;
    }

    #[inline]
    fn live_len(&self) -> u32 {
        self.live
    }

    #[inline]
    fn words(&self) -> u64 {
        3 * self.classes.len() as u64
    }

    fn peaks(&self) -> (u64, u64, u64) {
        (self.classes.len() as u64, u64::from(self.peak_live), 0)
    }
}

/// "+ds": elements are slots of a vector whose live states come first. A state is dead if it
/// is behind the frontier, or in `dead`; the slot of a dead state is used again.
///
/// A live class has no element behind the frontier: what is found after a component's root
/// dies with it. So a slot can start a new class without regard to the old one.
#[derive(Debug)]
pub struct UnionSplit<A, D> {
    states: Lazy<A, D>,
    classes: UnionFind,
}

impl<A: Arena, D: Dead<Row = A::Row>> UnionSplit<A, D> {
    /// `rows` and `waiting` are empty arenas of the right width.
    pub fn new(rows: A, waiting: A, dead: D) -> Self {
        UnionSplit { states: Lazy::new(rows, waiting, dead), classes: UnionFind::new() }
    }
}

impl<A: Arena, D: Dead<Row = A::Row>> States for UnionSplit<A, D> {
    type Row = A::Row;
    type Id = LiveId;

    #[inline]
    fn row(&self, id: LiveId) -> &A::Row {
        self.states.row(id)
    }
}

impl<A: Arena, D: Dead<Row = A::Row>> Intern for UnionSplit<A, D> {
    fn is_lossy(&self) -> bool {
        self.states.is_lossy()
    }

    #[inline]
    fn intern(&mut self, row: &A::Row) -> LiveId {
        self.states.intern(row)
    }

    #[inline]
    fn intern_all<B: Batch<Row = A::Row>>(&mut self, batch: &B, out: &mut Vec<Pending<LiveId>>) {
        self.states.intern_all(batch, out);
    }

    #[inline]
    fn make_room<B: Batch<Row = Self::Row>>(&mut self, batch: &B) -> Result<(), Full> {
        self.classes.make_room(batch.len())?;
        self.states.make_room(batch)
    }

    #[inline]
    fn release(&mut self, id: LiveId) {
        self.states.release(id);
    }

    fn bytes(&self) -> usize {
        self.states.bytes() + self.classes.bytes()
    }
}

impl<A: Arena, D: Dead<Row = A::Row>> LiveStates for UnionSplit<A, D> {
    fn find_live(&self, row: &A::Row) -> Option<(u32, LiveId)> {
        self.states.find_live(row)
    }

    fn live_bound(&self) -> u32 {
        self.states.live_bound()
    }
}

impl<A: Arena, D: Dead<Row = A::Row>> UnionStore for UnionSplit<A, D> {
    #[inline]
    fn status(&mut self, id: LiveId) -> Status {
        self.states.status(id)
    }

    #[inline]
    fn make_set(&mut self, id: LiveId) -> (LiveId, u32) {
        let slot = self.states.live_len();
        let id = self.states.push_live(id);
        if (slot as usize) < self.classes.len() {
            self.classes.reset(slot);
        } else {
            self.classes.make_set();
        }
        (id, slot)
    }

    #[inline]
    fn same_set(&mut self, a: u32, b: u32) -> bool {
        self.classes.same_set(a, b)
    }

    #[inline]
    fn unite(&mut self, a: u32, b: u32) {
        self.classes.unite(a, b);
    }

    #[inline]
    fn make_dead(&mut self, element: u32, survivors: u32) {
        debug_assert_eq!(element, survivors, "the live states are the first ones");
        self.states.kill_from(element);
    }

    #[inline]
    fn live_len(&self) -> u32 {
        self.states.live_len()
    }

    #[inline]
    fn words(&self) -> u64 {
        self.states.words() + self.classes.len() as u64
    }

    fn peaks(&self) -> (u64, u64, u64) {
        let (live, dead) = self.states.peaks();
        (self.classes.len() as u64, live, dead)
    }
}
