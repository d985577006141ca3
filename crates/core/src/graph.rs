//! What can be walked: state spaces, property automata, and graphs with acceptance.

use crate::{Batch, Limit, Marks, Parts, Word};

/// The truth of the atomic propositions in a state, one bit for each.
pub type Props = u64;

/// Where successor generation of one state stopped; 0 is the start. The numbers between
/// are the producer's own affair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cursor(pub u32);

/// No successor is left.
pub const DONE: Cursor = Cursor(u32::MAX);

/// The rows of a batch.
pub type RowOf<B> = <B as Batch>::Row;

/// Anything that can be walked from its initial states.
///
/// The methods take `&mut self` so that an implementor may keep scratch space, counters or,
/// in a product, the store of its system states.
pub trait Successors {
    /// What successors are written to.
    type Batch: Batch;

    /// An empty buffer for rows of this graph.
    fn batch(&self, room: usize) -> Self::Batch;

    /// Appends the states to begin with.
    fn initial(&mut self, out: &mut Self::Batch);

    /// More states to begin with, when all that the earlier ones lead to was seen. Nothing is
    /// appended if there are none.
    fn more_initial(&mut self, _out: &mut Self::Batch) {}

    /// Appends successors of `src` from `at` on until `out` is full or none is left; then
    /// `at` is [`DONE`]. Duplicate edges are allowed and are looked at each.
    fn expand(&mut self, src: &RowOf<Self::Batch>, at: &mut Cursor, out: &mut Self::Batch);

    /// The parts that the steps fall into, if they are known.
    #[inline]
    fn parts(&mut self) -> Option<&mut dyn Parts> {
        None
    }

    /// Why the search must stop, if so: a limit was reached, the user interrupted, or the model
    /// met an error. Asked after every call of `expand`.
    #[inline]
    fn stopped(&self) -> Option<Limit> {
        None
    }

    /// The search that walks here takes so many bytes itself: a limit if that is too much beside
    /// what the graph has. Asked now and then.
    fn reserve(&mut self, _bytes: usize) -> Result<(), Limit> {
        Ok(())
    }
}

/// The transition system of a model. `dyn StateSpace<Batch = …>` is allowed.
pub trait StateSpace: Successors {
    /// The truth of the propositions in `state`.
    fn props(&mut self, state: &RowOf<Self::Batch>) -> Props;

    /// How many sets the marks on the model's own transitions range over: fairness as
    /// acceptance (RDKP §1). A fair run sees each infinitely often.
    fn mark_count(&self) -> u32 {
        0
    }
}

/// A conjunction of literals: every `must` bit is set, no `must_not` bit is.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guard {
    /// Propositions that must hold.
    pub must: Props,
    /// Propositions that must not.
    pub must_not: Props,
}

impl Guard {
    /// Whether a valuation satisfies it.
    #[inline]
    pub fn allows(self, props: Props) -> bool {
        props & self.must == self.must && props & self.must_not == 0
    }
}

/// An edge of a property automaton as the product sees it: `guards` is a disjunction.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The edge can be taken where one of them is satisfied.
    pub guards: Box<[Guard]>,
    /// The acceptance sets that it belongs to.
    pub marks: Marks,
    /// The state that it leads to.
    pub dst: Word,
}

impl Edge {
    /// Whether it can be taken under a valuation.
    #[inline]
    pub fn allows(&self, props: Props) -> bool {
        self.guards.iter().any(|guard| guard.allows(props))
    }
}

/// A property automaton, read-only once built.
pub trait Automaton {
    /// Where runs begin; none means that there is no run.
    fn initial(&self) -> &[Word];
    /// The edges that leave a state.
    fn edges(&self, state: Word) -> &[Edge];
    /// State-based acceptance; meaningful when `mark_count` is at most 1.
    fn accepting(&self, state: Word) -> bool;
    /// How many acceptance sets there are.
    fn mark_count(&self) -> u32;
}

/// What an emptiness check walks on: the product, or anything shaped like it.
pub trait Graph: Successors {
    /// State-based acceptance, for nested searches: all edges that leave the state carry
    /// the one mark. With no mark at all every state is accepting.
    fn accepting(&self, state: &RowOf<Self::Batch>) -> bool;

    /// How many sets the marks on the edges range over, for searches by component.
    fn mark_count(&self) -> u32;

    /// All successors of `src`, and sets of them that may stand for all unless something is put off
    /// for ever by that (partial-order reduction, docs/por.md). A set is places in `out`; they come
    /// in the order in which they are tried. Without reduction there are none.
    fn candidates(
        &mut self,
        src: &RowOf<Self::Batch>,
        out: &mut Self::Batch,
        _sets: &mut Vec<Vec<usize>>,
    ) {
        let mut at = Cursor::default();
        while at != DONE && self.stopped().is_none() {
            self.expand(src, &mut at, out);
        }
    }
}
