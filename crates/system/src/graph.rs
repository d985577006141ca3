//! What searches ask of a system, and what they are told.

use lariat_core::{Limit, Marks, Props, SystemId, Word};
#[cfg(feature = "model")]
use lariat_model::{interp::Fault, steps::FaultAfter};

#[cfg(feature = "model")]
use crate::LeftOut;
use crate::Room;
#[cfg(not(feature = "model"))]
use crate::no_model::{Fault, FaultAfter};

/// The number of a valuation of the propositions. [`SystemGraph::truth`] says what it stands for.
pub type Valuation = u32;

/// Nothing has a meaning in this state: it is the error state of a DVE model.
pub const NO_VALUATION: Valuation = 0;

/// A system's states by id, whoever computes their successors and wherever they are kept.
///
/// Ids count from 0 in the order in which states are met. After an error, nothing of the call is
/// in its output, and the search is over.
pub trait SystemGraph {
    /// Appends the initial states.
    fn initial(&mut self, out: &mut Vec<SystemId>) -> Result<(), Stop>;

    /// Expands as many of `ids` as make a good block, at least one, and says how many. The others
    /// are only asked for ahead of their turn. Successors are appended to `out` in the order in which
    /// the model produces them, whether computed, remembered or cached.
    fn expand(&mut self, ids: &[SystemId], out: &mut Edges) -> Result<usize, Stop>;

    /// The number of the valuation of the propositions in a state.
    fn valuation(&mut self, id: SystemId) -> Result<Valuation, Stop>;

    /// The same, if it was asked for before and is kept.
    fn known_valuation(&self, id: SystemId) -> Option<Valuation>;

    /// The truth of the propositions that a number stands for.
    fn truth(&self, valuation: Valuation) -> Props;

    /// The row of a state, without hidden variables that are outside of it.
    fn load(&mut self, id: SystemId) -> &[Word];

    /// The state will be expanded or loaded soon.
    fn prefetch(&self, _id: SystemId) {}

    /// How many sets the marks on steps range over.
    fn mark_count(&self) -> u32;

    /// Whether steps are left out, and that pays as far as is known.
    fn reduces(&self) -> bool {
        false
    }

    /// States so far.
    fn len(&self) -> usize;

    /// Bytes of all structures: states, remembered steps, cached successors, valuations.
    fn bytes(&self) -> usize;

    /// The search's own structures will take so many bytes in all: [`Limit::Memory`] if that is too
    /// much beside the rest.
    fn reserve(&mut self, bytes: usize) -> Result<(), Stop>;

    /// After so many expansions, the next one is [`Limit::Budget`].
    fn set_budget(&mut self, expansions: u64);

    /// The expansions that are left.
    fn budget(&self) -> u64;

    /// Ids begin anew. What was learned of the kind of states is kept.
    fn forget_states(&mut self);

    /// From now on there may be more states than 32-bit ids can tell apart.
    fn allow_wide_ids(&mut self);

    /// From now on [`Edges::commands`] and [`Edges::deepest`] are told, which takes longer.
    fn count_commands(&mut self);

    /// Where partial-order reduction may have left something out; None if it is off. A search that has
    /// found nothing is no proof before `lariat_search::proviso` has looked at this.
    #[cfg(feature = "model")]
    fn left_out(&mut self) -> Option<&mut LeftOut> {
        None
    }

    /// All successors of a state, and sets of them that may stand for all unless something is put off
    /// for ever by that, as places in [`Edges::ids`]. Only of a system that leaves nothing out by itself
    /// there are any.
    fn candidates(
        &mut self,
        id: SystemId,
        out: &mut Edges,
        _sets: &mut Vec<Vec<usize>>,
    ) -> Result<(), Stop> {
        self.expand(&[id], out).map(drop)
    }

    /// From now on nothing is left out in this state, whatever its id will be.
    #[cfg(feature = "model")]
    fn make_full(&mut self, _id: SystemId) {}

    /// Words of hidden variables that are not part of a state. If there are any, a block is one
    /// state.
    fn hidden_words(&self) -> usize;

    /// The hidden variables with which the next state is expanded or its propositions are
    /// evaluated. At first, those of the initial state.
    fn set_hidden(&mut self, hidden: &[Word]);

    /// Those that were set last.
    fn hidden(&self) -> &[Word];
}

/// A graph of forgotten type: searches are compiled once, and called once for each block.
impl<G: SystemGraph + ?Sized> SystemGraph for &mut G {
    fn initial(&mut self, out: &mut Vec<SystemId>) -> Result<(), Stop> {
        (**self).initial(out)
    }
    #[inline]
    fn expand(&mut self, ids: &[SystemId], out: &mut Edges) -> Result<usize, Stop> {
        (**self).expand(ids, out)
    }
    fn candidates(
        &mut self,
        id: SystemId,
        out: &mut Edges,
        sets: &mut Vec<Vec<usize>>,
    ) -> Result<(), Stop> {
        (**self).candidates(id, out, sets)
    }
    #[inline]
    fn valuation(&mut self, id: SystemId) -> Result<Valuation, Stop> {
        (**self).valuation(id)
    }
    fn known_valuation(&self, id: SystemId) -> Option<Valuation> {
        (**self).known_valuation(id)
    }
    #[inline]
    fn truth(&self, valuation: Valuation) -> Props {
        (**self).truth(valuation)
    }
    fn load(&mut self, id: SystemId) -> &[Word] {
        (**self).load(id)
    }
    #[inline]
    fn prefetch(&self, id: SystemId) {
        (**self).prefetch(id);
    }
    fn mark_count(&self) -> u32 {
        (**self).mark_count()
    }
    fn reduces(&self) -> bool {
        (**self).reduces()
    }
    fn len(&self) -> usize {
        (**self).len()
    }
    fn bytes(&self) -> usize {
        (**self).bytes()
    }
    fn reserve(&mut self, bytes: usize) -> Result<(), Stop> {
        (**self).reserve(bytes)
    }
    fn set_budget(&mut self, expansions: u64) {
        (**self).set_budget(expansions);
    }
    fn budget(&self) -> u64 {
        (**self).budget()
    }
    fn forget_states(&mut self) {
        (**self).forget_states();
    }
    fn allow_wide_ids(&mut self) {
        (**self).allow_wide_ids();
    }
    fn count_commands(&mut self) {
        (**self).count_commands();
    }
    #[cfg(feature = "model")]
    fn left_out(&mut self) -> Option<&mut LeftOut> {
        (**self).left_out()
    }
    #[cfg(feature = "model")]
    fn make_full(&mut self, id: SystemId) {
        (**self).make_full(id);
    }
    fn hidden_words(&self) -> usize {
        (**self).hidden_words()
    }
    fn set_hidden(&mut self, hidden: &[Word]) {
        (**self).set_hidden(hidden);
    }
    fn hidden(&self) -> &[Word] {
        (**self).hidden()
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A limit was reached.
    Limit(Limit),
    /// What follows this run-time error has no meaning.
    Fault(Fault),
    /// A state did not fit. See [`with_room`](crate::with_room), which nobody else need do.
    Widen(Room),
}

impl Stop {
    /// What cuts a search that is told so.
    pub fn limit(self) -> Limit {
        match self {
            Stop::Limit(limit) => limit,
            Stop::Fault(_) => Limit::Fault,
            // There is no room for a state; whoever made the system starts again.
            Stop::Widen(_) => Limit::Memory,
        }
    }
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Stop {
        Stop::Limit(limit)
    }
}

impl From<lariat_core::Full> for Stop {
    fn from(_: lariat_core::Full) -> Stop {
        Stop::Limit(Limit::Memory)
    }
}

/// The successors of some states, source after source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edges {
    /// Successors.
    pub ids: Vec<SystemId>,
    /// Where the successors of each source end in `ids`.
    pub ends: Vec<usize>,
    /// By successor: the marks of the step. Empty if the system has none.
    pub marks: Vec<Marks>,
    /// By successor: how many commands led to it, if somebody has asked. One to each of those behind
    /// its end.
    pub commands: Vec<u32>,
    /// By successor: its hidden variables, [`SystemGraph::hidden_words`] each.
    pub hidden: Vec<Word>,
    /// Run-time errors on the way from a source.
    pub faults: Vec<FaultAt>,
    /// Sources that no process can leave.
    pub blocked: Vec<usize>,
    /// Commands executed whose target is inside an atomic sequence.
    pub atomic_steps: u64,
    /// The longest sequence of commands to a state on the way that is no state of the system.
    pub deepest: u64,
}

/// A run-time error, and where it was met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultAt {
    /// The number of the source among those in [`Edges`].
    pub source: usize,
    /// The error, and its place among the successors of the source.
    pub fault: FaultAfter,
}

impl Edges {
    /// Forgets all.
    #[inline]
    pub fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
        self.marks.clear();
        self.commands.clear();
        self.hidden.clear();
        self.faults.clear();
        self.blocked.clear();
        (self.atomic_steps, self.deepest) = (0, 0);
    }

    /// Sources so far.
    pub fn sources(&self) -> usize {
        self.ends.len()
    }

    /// The successors of a source, by its number: where they are in `ids`.
    #[inline]
    pub fn of(&self, source: usize) -> std::ops::Range<usize> {
        let start = source.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[source]
    }

    /// Keeps the first sources, whose successors have so many hidden words each.
    #[cfg(feature = "model")]
    pub(crate) fn truncate(&mut self, sources: usize, hidden_words: usize) {
        self.ends.truncate(sources);
        let ids = self.ends.last().copied().unwrap_or(0);
        self.hidden.truncate(ids * hidden_words);
        self.ids.truncate(ids);
        self.marks.truncate(ids);
        self.commands.truncate(ids);
        self.faults.retain(|fault| fault.source < sources);
        self.blocked.retain(|&source| source < sources);
    }
}
