//! Nested searches through selected successors: partial-order reduction as the papers combine it
//! with depth-first search.
//!
//! HPY §4: a set of successors may stand for all if none of them is on the search stack; candidates are
//! tried in turn, and if none will do, all successors are taken. What is selected in a state so
//! depends on the stack, and both searches must select the same. [`selection`] has what the papers do
//! about that; [`se`] does without.
//!
//! All of these select for a state of the product. Two product states with one system state may so
//! have different sets, and with some automata a run is lost (Siegel, CAV 2019; docs/por.md). So none of
//! these searches says that there is no run. They are here to be compared with.

pub mod cvwy;
pub mod hpy;
pub mod se;
pub mod selection;

use crate::emptiness::frame::NestedDfs;
use lariat_core::{Batch, Emptiness, Graph, Limit, Outcome, Pending, RowOf, Store};
use selection::Selection;

/// What [`cvwy`] and [`hpy`] keep of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits<M> {
    /// {s,0} is in the state space.
    pub first: bool,
    /// {s,1} is.
    pub second: bool,
    /// On the stack of the first search.
    pub stack: bool,
    /// On that of the second one.
    pub nested_stack: bool,
    /// What the first search has selected.
    pub selection: M,
}

/// That nothing was found proves nothing.
fn may_miss(outcome: Outcome) -> Outcome {
    let verdict = match outcome.verdict {
        Emptiness::Empty { .. } => Emptiness::Inconclusive(Limit::Proviso),
        other => other,
    };
    Outcome { verdict, ..outcome }
}

/// All successors of a state in their order, and the candidates: places among them.
type Expanded<I> = (Vec<Pending<I>>, Vec<Vec<usize>>);

impl<G, S, T, P> NestedDfs<'_, G, S, T, P>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = T>,
    T: Copy,
    P: Copy,
{
    /// Nothing, if the search must stop.
    fn expanded(&mut self, s: S::Id) -> Expanded<S::Id> {
        let mut batch = self.graph.batch(usize::MAX);
        let (mut all, mut sets) = (Vec::new(), Vec::new());
        self.graph.candidates(self.store.row(s), &mut batch, &mut sets);
        let own = (self.blue.bytes() + self.red.bytes()) as usize + self.store.bytes();
        let stopped = match self.store.make_room(&batch) {
            Err(_) => Some(Limit::Memory),
            Ok(()) => self.graph.stopped().or_else(|| self.graph.reserve(own).err()),
        };
        match stopped {
            Some(limit) => self.blue.stop(limit),
            None => self.store.intern_all(&batch, &mut all),
        }
        all.reverse();
        sets.retain(|_| !all.is_empty());
        debug_assert!(all.is_empty() || all.len() == batch.len());
        (all, sets)
    }

    /// The first of the candidates, of so many, none of whose states is on the stack. None if all
    /// successors must be taken.
    fn off_stack(
        &self,
        (all, sets): &Expanded<S::Id>,
        tries: usize,
        on_stack: impl Fn(T) -> bool,
    ) -> Option<usize> {
        let is_off = |&at: &usize| !on_stack(self.store.tag(all[at].dst));
        sets.iter().take(tries).position(|set| set.iter().all(is_off))
    }
}

impl<G, S, M> NestedDfs<'_, G, S, Bits<M>>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits<M>>,
    M: Selection,
{
    /// add {s,0} to Statespace; add s to Stack; and select its successors
    fn enter_first(&mut self, s: S::Id) {
        let tag = self.store.tag(s);
        self.states += u64::from(!tag.second);
        self.store.set_tag(s, Bits { first: true, stack: true, ..tag });
        let expanded = self.expanded(s);
        let selected = self.off_stack(&expanded, M::TRIES, |tag| tag.stack);
        let tag = self.store.tag(s);
        self.store.set_tag(s, Bits { selection: M::keep(selected), ..tag });
        self.blue.enter_with(s, (), &successors(&expanded, selected));
    }

    /// add {s,1} to Statespace; and the successors that the first search has selected, if that is
    /// known
    fn enter_second(&mut self, s: S::Id) {
        let tag = self.store.tag(s);
        self.states += u64::from(!tag.first);
        self.store.set_tag(s, Bits { second: true, nested_stack: true, ..tag });
        let expanded = self.expanded(s);
        let selected = match tag.selection.recall() {
            // Ignoring its own cycle closing.
            Some(selected) if tag.first => selected,
            _ => self.off_stack(&expanded, M::TRIES, |tag| tag.nested_stack),
        };
        self.enter_red_with(s, &successors(&expanded, selected));
    }

    fn leave_first(&mut self, s: S::Id) {
        let tag = self.store.tag(s);
        self.store.set_tag(s, Bits { stack: false, ..tag });
    }

    fn leave_second(&mut self, s: S::Id) {
        let tag = self.store.tag(s);
        self.store.set_tag(s, Bits { nested_stack: false, ..tag });
    }
}

/// The successors of a set; all without one.
fn successors<I: Copy>((all, sets): &Expanded<I>, selected: Option<usize>) -> Vec<Pending<I>> {
    match selected.and_then(|selected| sets.get(selected)) {
        Some(set) => set.iter().map(|&at| all[at]).collect(),
        None => all.clone(),
    }
}
