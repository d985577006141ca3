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

use super::frame::Search;
use crate::dfs::{Options, Step};
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
    options: Options,
) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    Search::run(graph, store, options, BITS_PER_STATE, |search, root| {
        if search.store.tag(root).first { None } else { dfs(search, &progress, root) }
    })
}

fn dfs<G, S>(
    search: &mut Search<'_, G, S>,
    progress: &impl Fn(&G, &RowOf<G::Batch>) -> bool,
    root: S::Id,
) -> Option<Lasso>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    enter(search, root);
    while let Some(step) = search.blue.step(search.graph, search.store) {
        match step {
            // if {t,0} not in Statespace then dfs(t)
            Step::Edge { dst: t, .. } => {
                if !search.store.tag(t).first {
                    enter(search, t);
                }
            }
            // ndfs(s)
            Step::Retreat(s) => {
                if !search.store.tag(s).second
                    && let Some(lasso) = ndfs(search, progress, s)
                {
                    return Some(lasso);
                }
                if search.stopped() {
                    return None;
                }
            }
        }
    }
    None
}

fn ndfs<G, S>(
    search: &mut Search<'_, G, S>,
    progress: &impl Fn(&G, &RowOf<G::Batch>) -> bool,
    seed: S::Id,
) -> Option<Lasso>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    enter_nested(search, progress, seed);
    while let Some(step) = search.red.step(search.graph, search.store) {
        match step {
            Step::Edge { dst: t, .. } => {
                let tag = search.store.tag(t);
                // if t is in Stack then report cycle
                if tag.stack {
                    return Some(search.lasso(t));
                }
                // if {t,1} not in Statespace then ndfs(t)
                if !tag.second {
                    enter_nested(search, progress, t);
                }
            }
            // delete s from Stack
            Step::Retreat(s) => {
                let tag = search.store.tag(s);
                search.store.set_tag(s, Bits { stack: false, ..tag });
            }
        }
    }
    None
}

/// add {s,0} to Statespace
#[inline]
fn enter<G, S>(search: &mut Search<'_, G, S>, s: S::Id)
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    let tag = search.store.tag(s);
    search.store.set_tag(s, Bits { first: true, ..tag });
    search.states += 1;
    search.blue.enter(s, ());
}

/// if s is Progress State then return; add {s,1} to Statespace; add s to Stack
#[inline]
fn enter_nested<G, S>(
    search: &mut Search<'_, G, S>,
    progress: &impl Fn(&G, &RowOf<G::Batch>) -> bool,
    s: S::Id,
) where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    if progress(search.graph, search.store.row(s)) {
        return;
    }
    let tag = search.store.tag(s);
    search.store.set_tag(s, Bits { second: true, stack: true, ..tag });
    search.enter_red(s);
}
