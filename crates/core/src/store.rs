//! What a search asks of the place where visited states live.
//!
//! ```text
//! States      row of an id
//!  └ Intern   rows → ids, a batch at a time; ids are pinned until released
//!     ├ Store     one tag for each state: colours, numbers
//!     │  └ Lossless   ids outlive `release`, equal exactly for equal states
//!     └ LiveStore     UNKNOWN / LIVE / DEAD of RDKP §2, for searches by component
//! ```

use crate::{Batch, Marks, Row};

/// A successor that was generated and not yet looked at.
#[derive(Clone, Copy, Debug)]
pub struct Pending<I> {
    pub dst: I,
    pub marks: Marks,
}

/// States that were generated, by id.
pub trait States {
    type Row: Row + ?Sized;
    type Id: Copy;
    fn row(&self, id: Self::Id) -> &Self::Row;
}

/// Ids are pinned from `intern` to `release`, last in first out; a lossy store keeps only
/// what is pinned.
pub trait Intern: States {
    /// Whether a state that was never visited may be taken for one that was. A search that
    /// finds nothing with such a store is inconclusive.
    const LOSSY: bool;

    fn intern(&mut self, row: &Self::Row) -> Self::Id;

    /// Interns the whole batch and appends it to `out`, the first successor last, so that
    /// popping yields the producer's order. Starts the cache misses of all rows before
    /// waiting for any.
    fn intern_all<B: Batch<Row = Self::Row>>(
        &mut self,
        batch: &B,
        out: &mut Vec<Pending<Self::Id>>,
    );

    fn release(&mut self, id: Self::Id);

    /// Bytes of all structures.
    fn bytes(&self) -> usize;
}

/// A store of one search, with one tag for each state. The default tag means "never seen".
pub trait Store: Intern {
    type Tag: Copy + Default + PartialEq;
    fn tag(&self, id: Self::Id) -> Self::Tag;
    fn set_tag(&mut self, id: Self::Id, tag: Self::Tag);
}

/// A store whose ids outlive `release` and are equal exactly for equal states. Checks that
/// keep states off the search stack ask for it; a lossy store does not compile there.
pub trait Lossless: Store<Id: Eq + std::hash::Hash> {
    /// The id of a state that was interned before.
    fn find(&self, row: &Self::Row) -> Option<Self::Id>;
}

/// RDKP §2: UNKNOWN until visited, LIVE while its component is open, then DEAD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Unknown,
    /// The position in `live`: states are live in the order of discovery.
    Live(u32),
    Dead,
}

/// RDKP §3.1: `live` (a stack with a hash index, always exact) and `dead` (add and has
/// only, so it may be lossy or forgetful).
///
/// Architecture invariant: `status` looks into `live` before `dead`, else a bit-state
/// collision would take a live state for dead and lose a cycle (RDKP §6).
pub trait LiveStore: Intern {
    fn status(&self, id: Self::Id) -> Status;

    /// The status of any row, for the extraction of runs.
    fn status_of(&self, row: &Self::Row) -> Status;

    /// Makes an unknown state live at the next position; the new id stays valid until the
    /// state dies.
    fn push_live(&mut self, id: Self::Id) -> Self::Id;

    /// The row at a live position.
    fn live_row(&self, position: u32) -> &Self::Row;

    fn live_len(&self) -> u32;

    /// All live states from `position` on die.
    fn kill_from(&mut self, position: u32);

    /// Peaks of the live part and of the dead store.
    fn peaks(&self) -> (u64, u64);
}
