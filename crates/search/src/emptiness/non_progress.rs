//! Holzmann, Peled and Yannakakis, *On Nested Depth First Search*, SPIN 1996, Figure 5: cycles
//! without a progress state, found directly.
//!
//! From every state a second search starts, with a stack of its own, which does not go
//! through progress states. Correction: the figure calls `ndfs(s)` even if {s,1} is stored;
//! here that is asked first. As in Figure 4 the stack is asked before the state space.
//!
//! Must not be combined with partial order reduction (HPY §6).
//!
//! Sound with a store that forgets: the second searches together are one depth-first search
//! for cycles among the states without progress (see [`super::weak`]).

use super::frame::NestedDfs;
use crate::dfs::{DfsEvent, SearchOptions};
use lariat_core::{BitTag, Graph, Lasso, Outcome, RowOf, Store};

/// The three bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// {s,0} is in the state space.
    pub first: bool,
    /// {s,1} is.
    pub second: bool,
    /// On the stack of the second search.
    pub stack: bool,
}

impl BitTag for Bits {
    const BITS: u32 = 2;

    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.first) | u64::from(self.second) << 1
    }

    #[inline]
    fn on_stack(self) -> bool {
        self.stack
    }

    #[inline]
    fn restore(bits: u64, on_stack: bool) -> Self {
        Bits { first: bits & 1 != 0, second: bits & 2 != 0, stack: on_stack }
    }
}

/// Auxiliary memory a state.
pub const BITS_PER_STATE: u32 = 3;

/// Whether `graph` has a run that passes states of `progress` finitely often. It is asked about
/// states that were expanded before.
pub fn check<G, S>(
    graph: &mut G,
    progress: impl Fn(&G, &RowOf<G::Batch>) -> bool,
    store: &mut S,
    options: SearchOptions,
) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    NestedDfs::run(graph, store, options, BITS_PER_STATE, |search, root| {
        if search.store.tag(root).first { None } else { search.dfs(&progress, root) }
    })
}

impl<G, S> NestedDfs<'_, G, S, Bits>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    fn dfs(
        &mut self,
        progress: &impl Fn(&G, &RowOf<G::Batch>) -> bool,
        root: S::Id,
    ) -> Option<Lasso> {
        self.enter(root);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            match step {
                // if {t,0} not in Statespace then dfs(t)
                DfsEvent::Edge { dst: t, .. } => {
                    if !self.store.tag(t).first {
                        self.enter(t);
                    }
                }
                // ndfs(s)
                DfsEvent::Retreat(s) => {
                    if !self.store.tag(s).second
                        && let Some(lasso) = self.ndfs(progress, s)
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

    fn ndfs(
        &mut self,
        progress: &impl Fn(&G, &RowOf<G::Batch>) -> bool,
        seed: S::Id,
    ) -> Option<Lasso> {
        self.enter_nested(progress, seed);
        while let Some(step) = self.red.step(self.graph, self.store) {
            match step {
                DfsEvent::Edge { dst: t, .. } => {
                    let tag = self.store.tag(t);
                    // if t is in Stack then report cycle
                    if tag.stack {
                        return Some(self.lasso(t));
                    }
                    // if {t,1} not in Statespace then ndfs(t)
                    if !tag.second {
                        self.enter_nested(progress, t);
                    }
                }
                // delete s from Stack
                DfsEvent::Retreat(s) => {
                    let tag = self.store.tag(s);
                    self.store.set_tag(s, Bits { stack: false, ..tag });
                }
            }
        }
        None
    }

    /// add {s,0} to Statespace
    #[inline]
    fn enter(&mut self, s: S::Id) {
        let tag = self.store.tag(s);
        self.store.set_tag(s, Bits { first: true, ..tag });
        self.states += 1;
        self.blue.enter(s, ());
    }

    /// if s is Progress State then return; add {s,1} to Statespace; add s to Stack
    #[inline]
    fn enter_nested(&mut self, progress: &impl Fn(&G, &RowOf<G::Batch>) -> bool, s: S::Id) {
        if progress(self.graph, self.store.row(s)) {
            return;
        }
        let tag = self.store.tag(s);
        self.store.set_tag(s, Bits { second: true, stack: true, ..tag });
        self.enter_red(s);
    }
}
