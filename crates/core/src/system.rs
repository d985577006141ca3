//! Where the states of a system live: by dense ids, with a small number beside each.

use crate::{Batch, Row};

/// No room is left: the memory limit was reached, or the ids ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// The most states that a store of 32-bit ids can hold. The ids above are left to searches
/// for marks of their own.
pub const MAX_STATES: usize = u32::MAX as usize - 16;

/// An exact store of system states. Ids count from 0 in the order of insertion, whatever way
/// a row is kept: a compressing store has to put it together, so rows are asked for by
/// [`SystemStore::load`] and are gone with the next call.
pub trait SystemStore {
    type Row: Row + ?Sized;

    fn len(&self) -> usize;

    /// The row of a state.
    fn load(&mut self, id: u32) -> &Self::Row;

    fn intern(&mut self, row: &Self::Row) -> Result<u32, Full>;

    /// Interns the whole batch and appends the ids to `out` in its order. Fast if the rows
    /// differ in few words from the one that was loaded last. Starts the cache misses of all
    /// rows before waiting for any.
    fn intern_all<B: Batch<Row = Self::Row>>(
        &mut self,
        batch: &B,
        out: &mut Vec<u32>,
    ) -> Result<(), Full>;

    /// The state will be loaded soon.
    #[inline]
    fn prefetch(&self, _id: u32) {}

    /// A small number kept with a state; 0 at first.
    fn tag(&self, id: u32) -> u32;

    fn set_tag(&mut self, id: u32, tag: u32);

    /// Bytes of all structures.
    fn bytes(&self) -> usize;

    /// From now on the store is full rather than larger than this.
    fn limit_bytes(&mut self, limit: usize);
}
