//! Holzmann, Peled and Yannakakis, *On Nested Depth First Search*, SPIN 1996, Figure 4.
//!
//! The second search stops at any state on the first one's stack. Correction: the figure
//! tests for the stack only where {t,1} is known, so that the second search would walk
//! through states of the first one's stack; the text (§5.1) and the argument about partial
//! order need the stack test first, and so it stands here.
//!
//! Three bits a state: {s,0}, {s,1} and the stack. Sound with a store that forgets: the second
//! search does not ask whether the first one was there, and what it remembers of failed
//! searches is true (the proof is that of [`super::cvwy`]).

use crate::dfs::{Options, Step};
use crate::emptiness::frame::Search;
use lariat_core::{BitTag, Graph, Lasso, Outcome, RowOf, Store};

/// The three bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// {s,0} is in the state space.
    pub first: bool,
    /// {s,1} is.
    pub second: bool,
    /// On the stack of the first search.
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

/// Whether `graph` has an accepting run by its states.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: Options) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    Search::run(graph, store, options, BITS_PER_STATE, |search, root| {
        if search.store.tag(root).first { None } else { dfs(search, root) }
    })
}

fn dfs<G, S>(search: &mut Search<'_, G, S>, root: S::Id) -> Option<Lasso>
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
            Step::Retreat(s) => {
                // if accepting(s) then ndfs(s)
                if search.accepting(s)
                    && let Some(lasso) = ndfs(search, s)
                {
                    return Some(lasso);
                }
                if search.stopped() {
                    return None;
                }
                // delete s from Stack
                let tag = search.store.tag(s);
                search.store.set_tag(s, Bits { stack: false, ..tag });
            }
        }
    }
    None
}

fn ndfs<G, S>(search: &mut Search<'_, G, S>, seed: S::Id) -> Option<Lasso>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    enter_nested(search, seed);
    while let Some(step) = search.red.step(search.graph, search.store) {
        if let Step::Edge { dst: t, .. } = step {
            let tag = search.store.tag(t);
            // if t in Stack then report cycle
            if tag.stack {
                return Some(search.lasso(t));
            }
            // if {t,1} not in Statespace then ndfs(t)
            if !tag.second {
                enter_nested(search, t);
            }
        }
    }
    None
}

/// add {s,0} to Statespace; add s to Stack
#[inline]
fn enter<G, S>(search: &mut Search<'_, G, S>, s: S::Id)
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    let tag = search.store.tag(s);
    search.store.set_tag(s, Bits { first: true, stack: true, ..tag });
    search.states += 1;
    search.blue.enter(s, ());
}

/// add {s,1} to Statespace
#[inline]
fn enter_nested<G, S>(search: &mut Search<'_, G, S>, s: S::Id)
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    let tag = search.store.tag(s);
    search.store.set_tag(s, Bits { second: true, ..tag });
    search.enter_red(s);
}
