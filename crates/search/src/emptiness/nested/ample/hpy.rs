//! Holzmann, Peled and Yannakakis, *On Nested Depth First Search*, SPIN 1996, Figure 4: "Optimized
//! Nested Depth First Search, Compatible with Reduction".
//!
//! The second search ends at a state of the first one's stack (§5.1), and selects what the first one
//! has selected (§5.2, [`super::selection`]). Correction: the figure tests for the stack only where {t,1}
//! is known; the text needs the stack test first, see [`crate::emptiness::nested::hpy`].

use super::selection::Selection;
use super::{Bits, may_miss};
use crate::dfs::{DfsEvent, SearchOptions};
use crate::emptiness::frame::NestedDfs;
use lariat_core::{Graph, Lasso, Lossless, Outcome, RowOf, Store};

/// Auxiliary memory a state, without the selection.
pub const BITS_PER_STATE: u32 = 3;

/// Looks for an accepting run by states; it may miss one.
pub fn check<G, S, M>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits<M>> + Lossless,
    M: Selection,
{
    may_miss(NestedDfs::run(graph, store, options, BITS_PER_STATE, |search, root| {
        if search.store.tag(root).first { None } else { search.dfs_to_stack(root) }
    }))
}

impl<G, S, M> NestedDfs<'_, G, S, Bits<M>>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits<M>> + Lossless,
    M: Selection,
{
    fn dfs_to_stack(&mut self, root: S::Id) -> Option<Lasso> {
        self.enter_first(root);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            match step {
                // for each (selected) successor t: if {t,0} not in Statespace then dfs(t)
                DfsEvent::Edge { dst: t, .. } => {
                    if !self.store.tag(t).first {
                        self.enter_first(t);
                    }
                }
                DfsEvent::Retreat(s) => {
                    // if accepting(s) then ndfs(s)
                    if self.accepting(s)
                        && let Some(lasso) = self.ndfs_to_stack(s)
                    {
                        return Some(lasso);
                    }
                    if self.stopped() {
                        return None;
                    }
                    // delete s from Stack
                    self.leave_first(s);
                }
            }
        }
        None
    }

    fn ndfs_to_stack(&mut self, seed: S::Id) -> Option<Lasso> {
        self.enter_second(seed);
        while let Some(step) = self.red.step(self.graph, self.store) {
            match step {
                // for each (selected) successor t
                DfsEvent::Edge { dst: t, .. } => {
                    let tag = self.store.tag(t);
                    // if t in Stack then report cycle
                    if tag.stack {
                        return Some(self.lasso(t));
                    }
                    // if {t,1} not in Statespace then ndfs(t)
                    if !tag.second && !self.stopped() {
                        self.enter_second(t);
                    }
                }
                DfsEvent::Retreat(s) => self.leave_second(s),
            }
        }
        None
    }
}
