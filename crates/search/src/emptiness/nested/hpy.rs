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

use crate::dfs::{DfsEvent, SearchOptions};
use crate::emptiness::frame::NestedDfs;
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
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    NestedDfs::run(graph, store, options, BITS_PER_STATE, |search, root| {
        if search.store.tag(root).first { None } else { search.dfs(root) }
    })
}

impl<G, S> NestedDfs<'_, G, S, Bits>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Bits>,
{
    fn dfs(&mut self, root: S::Id) -> Option<Lasso> {
        self.enter(root);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            match step {
                // if {t,0} not in Statespace then dfs(t)
                DfsEvent::Edge { dst: t, .. } => {
                    if !self.store.tag(t).first {
                        self.enter(t);
                    }
                }
                DfsEvent::Retreat(s) => {
                    // if accepting(s) then ndfs(s)
                    if self.accepting(s)
                        && let Some(lasso) = self.ndfs(s)
                    {
                        return Some(lasso);
                    }
                    if self.stopped() {
                        return None;
                    }
                    // delete s from Stack
                    let tag = self.store.tag(s);
                    self.store.set_tag(s, Bits { stack: false, ..tag });
                }
            }
        }
        None
    }

    fn ndfs(&mut self, seed: S::Id) -> Option<Lasso> {
        self.enter_nested(seed);
        while let Some(step) = self.red.step(self.graph, self.store) {
            if let DfsEvent::Edge { dst: t, .. } = step {
                let tag = self.store.tag(t);
                // if t in Stack then report cycle
                if tag.stack {
                    return Some(self.lasso(t));
                }
                // if {t,1} not in Statespace then ndfs(t)
                if !tag.second {
                    self.enter_nested(t);
                }
            }
        }
        None
    }

    /// add {s,0} to Statespace; add s to Stack
    #[inline]
    fn enter(&mut self, s: S::Id) {
        let tag = self.store.tag(s);
        self.store.set_tag(s, Bits { first: true, stack: true, ..tag });
        self.states += 1;
        self.blue.enter(s, ());
    }

    /// add {s,1} to Statespace
    #[inline]
    fn enter_nested(&mut self, s: S::Id) {
        let tag = self.store.tag(s);
        self.store.set_tag(s, Bits { second: true, ..tag });
        self.enter_red(s);
    }
}
