//! What a search asks of the place where visited states live.
//!
//! ```text
//! States      row of an id
//!  └ Intern   rows → ids, a batch at a time; ids are pinned until released
//!     ├ Store     one tag for each state: colours, numbers
//!     │  └ Remembers  a tag once set is never forgotten
//!     │     └ Lossless   ids outlive `release`, equal exactly for equal states
//!     ├ LiveStore     UNKNOWN / LIVE / DEAD of RDKP §2, for searches by component
//!     └ UnionStore    the same by union-find, for Gabow's
//! ```

use crate::{Batch, Full, Marks, Row};

/// A successor that was generated and not yet looked at.
#[derive(Clone, Copy, Debug)]
pub struct Pending<I> {
    /// Its id.
    pub dst: I,
    /// The marks of the edge to it.
    pub marks: Marks,
}

/// States that were generated, by id.
pub trait States {
    /// What a state looks like.
    type Row: Row + ?Sized;
    /// How a state is named.
    type Id: Copy;
    /// The row of a state.
    fn row(&self, id: Self::Id) -> &Self::Row;
}

/// Ids are pinned from `intern` to `release`, last in first out; a lossy store keeps only
/// what is pinned.
pub trait Intern: States {
    /// Whether a state that was never visited may be taken for one that was. A search that
    /// finds nothing with such a store is inconclusive.
    fn is_lossy(&self) -> bool;

    /// The id of a state, pinned once more.
    fn intern(&mut self, row: &Self::Row) -> Self::Id;

    /// Interns the whole batch and appends it to `out`, the first successor last, so that
    /// popping yields the producer's order. Starts the cache misses of all rows before
    /// waiting for any.
    fn intern_all<B: Batch<Row = Self::Row>>(
        &mut self,
        batch: &B,
        out: &mut Vec<Pending<Self::Id>>,
    );

    /// Makes room for the states of a batch: searches ask before they intern, and end without
    /// an answer if there is none. A store of a fixed size always has room.
    #[inline]
    fn make_room<B: Batch<Row = Self::Row>>(&mut self, _batch: &B) -> Result<(), Full> {
        Ok(())
    }

    /// Takes back the pin of the last `intern` that was not taken back.
    fn release(&mut self, id: Self::Id);

    /// Bytes of all structures.
    fn bytes(&self) -> usize;
}

/// A store of one search, with one tag for each state. The default tag means "never seen".
pub trait Store: Intern {
    /// What is kept with a state.
    type Tag: Copy + Default + PartialEq;
    /// The tag of a state.
    fn tag(&self, id: Self::Id) -> Self::Tag;
    /// Gives a state another tag.
    fn set_tag(&mut self, id: Self::Id, tag: Self::Tag);
}

/// A store that never forgets a tag, though it may take one state for another. Checks whose
/// second search walks only where the first one was ask for it: a state that was forgotten
/// would look unvisited and be left out. A cache does not compile there.
pub trait Remembers: Store {}

/// A tag that bit-state hashing can keep: whether the state is on a search stack, which is
/// kept exactly, and a few bits that are only ever set.
pub trait BitTag: Copy + Default + PartialEq {
    /// How many bits: 1, 2 or 4.
    const BITS: u32;

    /// The bits that are kept when the state has left the stack.
    fn bits(self) -> u64;

    /// Whether the state is on a search stack.
    fn on_stack(self) -> bool;

    /// The tag with these bits. Collisions make any combination.
    fn restore(bits: u64, on_stack: bool) -> Self;
}

/// A store whose ids outlive `release` and are equal exactly for equal states. Checks that
/// keep states off the search stack ask for it; a lossy store does not compile there.
pub trait Lossless: Remembers<Id: Eq + std::hash::Hash> {
    /// The id of a state that was interned before.
    fn find(&self, row: &Self::Row) -> Option<Self::Id>;
}

/// RDKP §2: UNKNOWN until visited, LIVE while its component is open, then DEAD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Not visited so far.
    Unknown,
    /// The position in `live`: states are live in the order of discovery.
    Live(u32),
    /// Its component is closed.
    Dead,
}

/// The states whose component is still open, for the extraction of runs: those that can be
/// reached from the top of the search stack through live states only are its component.
pub trait LiveStates: States {
    /// The number and the id of a live state. Numbers are distinct and below
    /// [`LiveStates::live_bound`].
    fn find_live(&self, row: &Self::Row) -> Option<(u32, Self::Id)>;

    /// All numbers of live states are below it.
    fn live_bound(&self) -> u32;
}

/// RDKP §3.1: `live` (a stack with a hash index, always exact) and `dead` (add and has
/// only, so it may be lossy or forgetful).
///
/// Architecture invariant: `status` looks into `live` before `dead`, else a bit-state
/// collision would take a live state for dead and lose a cycle (RDKP §6).
pub trait LiveStore: Intern + LiveStates {
    /// What is known of a state.
    fn status(&self, id: Self::Id) -> Status;

    /// Makes an unknown state live at the next position. The new id takes the place of `id`
    /// and stays valid until the state dies.
    fn push_live(&mut self, id: Self::Id) -> Self::Id;

    /// How many states are live.
    fn live_len(&self) -> u32;

    /// All live states from `position` on die.
    fn kill_from(&mut self, position: u32);

    /// |live_stack| + 2 |live_hash| (+ |dead|) of RDKP Table 1, now.
    fn words(&self) -> u64;

    /// Peaks of the live part and of the dead store.
    fn peaks(&self) -> (u64, u64);
}

/// RDKP §5: the union-find of Gabow's algorithm, which holds the states itself. Each state
/// in it is known by its element.
pub trait UnionStore: Intern + LiveStates {
    /// `Live` carries the element.
    fn status(&mut self, id: Self::Id) -> Status;

    /// Makes an unknown state live, in a class of its own. The new id takes the place of
    /// `id` and stays valid until the state dies.
    fn make_set(&mut self, id: Self::Id) -> (Self::Id, u32);

    /// Whether two live states are known to be in one component.
    fn same_set(&mut self, a: u32, b: u32) -> bool;

    /// Two live states are in one component.
    fn unite(&mut self, a: u32, b: u32);

    /// The class of `element`, the root of its component, dies; `survivors` states stay live.
    fn make_dead(&mut self, element: u32, survivors: u32);

    /// How many states are live.
    fn live_len(&self) -> u32;

    /// 3 |uf|, or 4 |uf| + |dead|, of RDKP Table 1, now.
    fn words(&self) -> u64;

    /// Peaks of the elements, the live states and the dead store.
    fn peaks(&self) -> (u64, u64, u64);
}
