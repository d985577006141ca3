//! RDKP §6 and §7, "−ds": live and dead states in one exact table.
//!
//! Each state has one word beside it: its position in `live`, or a value for DEAD. So the
//! status costs no second lookup.

use crate::Exact;
use lariat_core::{
    Arena, Batch, Full, Intern, LiveStates, LiveStore, Lossless, Pending, States, Status,
};

/// The tag is position + 1; 0 is a state that was generated and never visited.
const UNKNOWN: u32 = 0;
const DEAD: u32 = u32::MAX;

/// A store of rows with one word each.
pub trait Table: Lossless<Id = u32, Tag = u32> {}
impl<T: Lossless<Id = u32, Tag = u32>> Table for T {}

/// Live and dead states in one exact table of whole rows.
pub type InPlace<A> = InPlaceOver<Exact<u32, A>>;

/// Live and dead states in one exact table.
#[derive(Debug)]
pub struct InPlaceOver<T> {
    table: T,
    /// The ids of the live states in the order of discovery.
    live: Vec<u32>,
    visited: u64,
    peak_live: usize,
}

impl<A: Arena> InPlaceOver<Exact<u32, A>> {
    /// `rows` is an empty arena of the right width.
    pub fn new(rows: A) -> Self {
        Self::over(Exact::new(rows))
    }
}

impl<T: Table> InPlaceOver<T> {
    /// Over an empty table.
    pub fn over(table: T) -> Self {
        InPlaceOver { table, live: Vec::new(), visited: 0, peak_live: 0 }
    }
}

impl<T: Table> States for InPlaceOver<T> {
    type Row = T::Row;
    type Id = u32;

    #[inline]
    fn row(&self, id: u32) -> &T::Row {
        self.table.row(id)
    }
}

impl<T: Table> Intern for InPlaceOver<T> {
    fn is_lossy(&self) -> bool {
        false
    }

    #[inline]
    fn intern(&mut self, row: &T::Row) -> u32 {
        self.table.intern(row)
    }

    #[inline]
    fn intern_all<B: Batch<Row = T::Row>>(&mut self, batch: &B, out: &mut Vec<Pending<u32>>) {
        self.table.intern_all(batch, out);
    }

    #[inline]
    fn make_room<B: Batch<Row = Self::Row>>(&mut self, batch: &B) -> Result<(), Full> {
        self.live.try_reserve(batch.len()).or(Err(Full))?;
        self.table.make_room(batch)
    }

    #[inline]
    fn release(&mut self, _id: u32) {}

    fn bytes(&self) -> usize {
        self.table.bytes() + self.live.capacity() * size_of::<u32>()
    }
}

impl<T: Table> LiveStates for InPlaceOver<T> {
    fn find_live(&self, row: &T::Row) -> Option<(u32, u32)> {
        let id = self.table.find(row)?;
        match self.status(id) {
            Status::Live(position) => Some((position, id)),
            _ => None,
        }
    }

    fn live_bound(&self) -> u32 {
        self.live_len()
    }
}

impl<T: Table> LiveStore for InPlaceOver<T> {
    #[inline]
    fn status(&self, id: u32) -> Status {
        match self.table.tag(id) {
            UNKNOWN => Status::Unknown,
            DEAD => Status::Dead,
            tag => Status::Live(tag - 1),
        }
    }

    #[inline]
    fn push_live(&mut self, id: u32) -> u32 {
        self.live.push(id);
        self.table.set_tag(id, self.live.len() as u32);
        self.visited += 1;
        self.peak_live = self.peak_live.max(self.live.len());
        id
    }

    #[inline]
    fn live_len(&self) -> u32 {
        self.live.len() as u32
    }

    #[inline]
    fn kill_from(&mut self, position: u32) {
        for &id in &self.live[position as usize..] {
            self.table.set_tag(id, DEAD);
        }
        self.live.truncate(position as usize);
    }

    /// |live_hash| counts the dead states too: they are in the same table.
    #[inline]
    fn words(&self) -> u64 {
        self.live.len() as u64 + 2 * self.visited
    }

    fn peaks(&self) -> (u64, u64) {
        (self.peak_live as u64, 0)
    }
}
