//! Where the states of a system live: by dense ids.

use crate::{Batch, Row};
use std::ops::Range;

/// No room is left: the memory limit was reached, or the ids ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// The most states that a store of 32-bit ids can hold. The ids above are left to searches
/// for marks of their own.
pub const MAX_STATES: usize = u32::MAX as usize - 16;

/// The number of a system state. Below [`MAX_STATES`] unless wide ids were allowed.
pub type SystemId = u64;

/// A part of the states of a store, in the store's own terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fields {
    /// The bits of a packed state.
    pub mask: u64,
    /// Of the way in which the store keeps states.
    pub version: u64,
}

/// An exact store of system states. Ids count from 0 in the order of insertion, whatever way
/// a row is kept: a compressing store has to put it together, so rows are asked for by
/// [`SystemStore::load`] and are gone with the next call.
pub trait SystemStore {
    /// What a state looks like.
    type Row: Row + ?Sized;

    /// How many states there are.
    fn len(&self) -> usize;

    /// Whether ids count from 0. Else an id is the packed state itself: nothing can be kept by id, and ids have no order.
    fn has_numbers(&self) -> bool {
        true
    }

    /// The row of a state.
    fn load(&mut self, id: SystemId) -> &Self::Row;

    /// The id of a state, a new one if it is not there.
    fn intern(&mut self, row: &Self::Row) -> Result<SystemId, Full>;

    /// Interns the whole batch and appends the ids to `out` in its order. Fast if the rows
    /// differ in few words from the one that was loaded last. Starts the cache misses of all
    /// rows before waiting for any.
    fn intern_all<B: Batch<Row = Self::Row>>(
        &mut self,
        batch: &B,
        out: &mut Vec<SystemId>,
    ) -> Result<(), Full> {
        self.take_in(batch, out)?;
        self.finish(out)
    }

    /// Takes a batch in. With [`SystemStore::finish`], its ids are in `out`, behind those of
    /// the batches taken in before: nobody waits for any row until all are there. States may
    /// be loaded in between, but nothing else interned.
    fn take_in<B: Batch<Row = Self::Row>>(
        &mut self,
        batch: &B,
        out: &mut Vec<SystemId>,
    ) -> Result<(), Full> {
        self.take_in_rows(batch, 0..batch.len(), out)
    }

    /// The same for some rows of a batch.
    fn take_in_rows<B: Batch<Row = Self::Row>>(
        &mut self,
        batch: &B,
        rows: Range<usize>,
        out: &mut Vec<SystemId>,
    ) -> Result<(), Full>;

    /// Interns what was taken in.
    fn finish(&mut self, _out: &mut Vec<SystemId>) -> Result<(), Full> {
        Ok(())
    }

    /// Whether a state is there; it does not become one. None if the store cannot say. Only while nothing is
    /// taken in.
    fn knows(&mut self, _row: &Self::Row) -> Option<bool> {
        None
    }

    /// A number for the way in which this store packs a state into 64 bits, another one whenever
    /// that changes. None if it does not pack them; then nobody asks for anything packed.
    #[inline]
    fn shape(&self) -> Option<u64> {
        None
    }

    /// The bits of a packed state that some bytes of its row, given as bits, are in: states with
    /// the same bits there agree in these bytes, and a state that differs from another one in these
    /// bytes only differs from it in these bits only. The lowest byte of a word comes first.
    fn fields(&self, _bytes: &[u64]) -> Option<Fields> {
        None
    }

    /// The bits, in the shape at hand, of the fields that some bits of an earlier shape belong to. None if a state is packed
    /// differently now. Otherwise fields have only got more bits, which are 0 in the states that there were.
    fn widened(&self, _mask: u64, _shape: u64) -> Option<u64> {
        None
    }

    /// A state as it is packed in the shape at hand.
    #[inline]
    fn packed(&self, _id: SystemId) -> u64 {
        unreachable!("this store does not pack states")
    }

    /// Takes a state in that is packed in the shape at hand, and whose values in all fields are
    /// those of states that there are.
    #[inline]
    fn take_in_packed(&mut self, _packed: u64) {
        unreachable!("this store does not pack states")
    }

    /// The same for all that differ from a state by these changes.
    #[inline]
    fn take_in_changes(&mut self, packed: u64, changes: &[u64]) {
        changes.iter().for_each(|change| self.take_in_packed(packed ^ change));
    }

    /// How many states were taken in that have no ids yet.
    #[inline]
    fn pending(&self) -> usize {
        0
    }

    /// One of them, packed; None if that is not known yet.
    fn pending_packed(&self, _at: usize) -> Option<u64> {
        None
    }

    /// Forgets those of them behind the first `pending`.
    fn take_back(&mut self, _pending: usize) {}

    /// Asks for a shape that keeps bytes of different classes apart, where that is easy. By byte;
    /// empty if nobody cares.
    fn suit(&mut self, _classes: &[u32]) {}

    /// The state will be loaded soon.
    #[inline]
    fn prefetch(&self, _id: SystemId) {}

    /// Forgets all states: ids begin with 0 again. What was learned of their kind is kept.
    fn forget_states(&mut self);

    /// From now on there may be more states than 32-bit ids can tell apart, if the store has
    /// wider ones for that.
    fn allow_wide_ids(&mut self) {}

    /// Bytes of all structures.
    fn bytes(&self) -> usize;

    /// From now on the store is full rather than larger than this.
    fn limit_bytes(&mut self, limit: usize);
}
