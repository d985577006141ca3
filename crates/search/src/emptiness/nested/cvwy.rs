//! Courcoubetis, Vardi, Wolper and Yannakakis, *Memory-efficient algorithms for the
//! verification of temporal properties*, 1992; as drawn in SE Figure 1, HPY Figure 2 and the
//! slides.
//!
//! Two bits a state. The second search looks for its seed only; it may pass through the first
//! one's stack and beyond it, into states that the first search has not seen. As the slides
//! say, it starts only from a state that is not red. In exact runs that is always so: a
//! failed search has met finished states only.
//!
//! Sound with a store that forgets whatever is on no stack. Every mark that is remembered is
//! true: blue was entered, red was entered by the running search or by one that failed. So
//! each search still examines every edge out of whatever it reaches, once at least, and only
//! the usual argument about order is left. Take the first time that the search from an
//! accepting s on a cycle fails. Some t on that cycle was red from an earlier, failed search
//! from s', so s' →* t →* s, and s' is on no cycle. When s' was finished, s was not on the stack
//! (then s →* s'); not still to be entered for the first time (then some state on the
//! path from s' to s is on the stack, and reaches s'); so s was finished, and its search
//! failed, before: a contradiction.

use crate::dfs::{DfsEvent, SearchOptions};
use crate::emptiness::frame::NestedDfs;
use lariat_core::{BitTag, Graph, Lasso, Outcome, RowOf, Store};

/// The two bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// The first search has seen it.
    pub blue: bool,
    /// The second search has.
    pub red: bool,
}

impl BitTag for Bits {
    const BITS: u32 = 2;

    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.blue) | u64::from(self.red) << 1
    }

    /// The check does not ask for it: a cycle is closed at the seed, found by its row.
    #[inline]
    fn on_stack(self) -> bool {
        false
    }

    #[inline]
    fn restore(bits: u64, _on_stack: bool) -> Self {
        Bits { blue: bits & 1 != 0, red: bits & 2 != 0 }
    }
}

/// Auxiliary memory a state.
pub const BITS_PER_STATE: u32 = 2;

/// Whether `graph` has an accepting run by its states.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    NestedDfs::run(graph, store, options, BITS_PER_STATE, |search, root| {
        if search.store.tag(root).blue { None } else { search.dfs_blue(root) }
    })
}

impl<G, S> NestedDfs<'_, G, S, Bits>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    fn dfs_blue(&mut self, root: S::Id) -> Option<Lasso> {
        self.enter_blue(root);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            match step {
                // if ¬t.blue then dfs_blue(t)
                DfsEvent::Edge { dst: t, .. } => {
                    if !self.store.tag(t).blue {
                        self.enter_blue(t);
                    }
                }
                // if s ∈ A (and s is not red) then seed := s; dfs_red(s)
                DfsEvent::Retreat(s) => {
                    if self.accepting(s)
                        && !self.store.tag(s).red
                        && let Some(lasso) = self.dfs_red(s)
                    {
                        return Some(lasso);
                    }
                    if self.stopped() {
                        return None;
                    }
                }
            }
        }
        None
    }

    fn dfs_red(&mut self, seed: S::Id) -> Option<Lasso> {
        self.redden(seed);
        while let Some(step) = self.red.step(self.graph, self.store) {
            if let DfsEvent::Edge { dst: t, .. } = step {
                // if t = seed then report cycle
                if self.store.row(t) == self.store.row(seed) {
                    return Some(self.lasso(seed));
                }
                // if ¬t.red then dfs_red(t)
                if !self.store.tag(t).red {
                    self.redden(t);
                }
            }
        }
        None
    }

    /// s.blue := true
    #[inline]
    fn enter_blue(&mut self, s: S::Id) {
        let tag = self.store.tag(s);
        self.states += u64::from(!tag.red);
        self.store.set_tag(s, Bits { blue: true, ..tag });
        self.blue.enter(s, ());
    }

    /// s.red := true
    #[inline]
    fn redden(&mut self, s: S::Id) {
        let tag = self.store.tag(s);
        self.states += u64::from(!tag.blue);
        self.store.set_tag(s, Bits { red: true, ..tag });
        self.enter_red(s);
    }
}
