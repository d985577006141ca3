//! Holzmann, Peled and Yannakakis, *On Nested Depth First Search*, SPIN 1996, §4 and Figure 2: the nested
//! search of Courcoubetis, Vardi, Wolper and Yannakakis on selected successors, "an incorrect algorithm"
//! if nothing is kept between the searches (Figure 3).
//!
//! The second search has a stack of its own and may pass through states of the first one's. There it
//! selects by its own stack, other successors than the first search did.

use super::selection::Selection;
use super::{Bits, may_miss};
use crate::dfs::{DfsEvent, SearchOptions};
use crate::emptiness::frame::NestedDfs;
use lariat_core::{Graph, Lasso, Lossless, Outcome, RowOf, Store};

/// Auxiliary memory a state, without the selection.
pub const BITS_PER_STATE: u32 = 4;

/// Looks for an accepting run by states; it may miss one.
pub fn check<G, S, M>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits<M>> + Lossless,
    M: Selection,
{
    may_miss(NestedDfs::run(graph, store, options, BITS_PER_STATE, |search, root| {
        if search.store.tag(root).first { None } else { search.dfs_to_seed(root) }
    }))
}

impl<G, S, M> NestedDfs<'_, G, S, Bits<M>>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits<M>> + Lossless,
    M: Selection,
{
    fn dfs_to_seed(&mut self, root: S::Id) -> Option<Lasso> {
        self.enter_first(root);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            match step {
                // if {t,0} not in Statespace then dfs(t)
                DfsEvent::Edge { dst: t, .. } => {
                    if !self.store.tag(t).first {
                        self.enter_first(t);
                    }
                }
                DfsEvent::Retreat(s) => {
                    // if accepting(s) then seed := s; ndfs(s)
                    if self.accepting(s)
                        && !self.store.tag(s).second
                        && let Some(lasso) = self.ndfs_to_seed(s)
                    {
                        return Some(lasso);
                    }
                    if self.stopped() {
                        return None;
                    }
                    self.leave_first(s);
                }
            }
        }
        None
    }

    fn ndfs_to_seed(&mut self, seed: S::Id) -> Option<Lasso> {
        self.enter_second(seed);
        while let Some(step) = self.red.step(self.graph, self.store) {
            match step {
                // if t == seed then report cycle
                DfsEvent::Edge { dst: t, .. } if t == seed => return Some(self.lasso(seed)),
                // if {t,1} not in Statespace then ndfs(t)
                DfsEvent::Edge { dst: t, .. } => {
                    if !self.store.tag(t).second && !self.stopped() {
                        self.enter_second(t);
                    }
                }
                DfsEvent::Retreat(s) => self.leave_second(s),
            }
        }
        None
    }
}
