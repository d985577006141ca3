//! Gaiser and Schwoon, *Comparison of Algorithms for Checking Emptiness on Büchi Automata*,
//! MEMICS 2009, Figure 1: SE, amended.
//!
//! A state whose successors are all red is red itself and needs no red search. The figure is
//! two columns of one procedure. Corrections: lines 12 and 13 belong to every successor,
//! after the recursive call if there was one, not to the white ones only (that misses
//! cycles); `allred` is a local of each call, so it lives in the frame here, and it is true
//! for a state without successors.
//!
//! The red search walks blue states only, so the store must remember them.

use super::se::Colour;
use crate::dfs::{DfsEvent, SearchOptions};
use crate::emptiness::frame::NestedDfs;
use lariat_core::{Graph, Lasso, Outcome, Remembers, RowOf, Store};

/// The local variable `allred`.
#[derive(Clone, Copy)]
struct AllRed(bool);

/// Auxiliary memory a state.
pub const BITS_PER_STATE: u32 = 2;

/// Whether `graph` has an accepting run by its states.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour> + Remembers,
{
    NestedDfs::run(graph, store, options, BITS_PER_STATE, |search, root| {
        match search.store.tag(root) {
            Colour::White => search.dfs_blue(root),
            _ => None,
        }
    })
}

impl<G, S> NestedDfs<'_, G, S, Colour, AllRed>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
{
    fn dfs_blue(&mut self, root: S::Id) -> Option<Lasso> {
        self.enter_blue(root);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            match step {
                DfsEvent::Edge { src: s, dst: t, .. } => match self.store.tag(t) {
                    // if t.colour = cyan ∧ (s ∈ A ∨ t ∈ A) then report cycle
                    Colour::Cyan if self.accepting(s) || self.accepting(t) => {
                        return Some(self.lasso(t));
                    }
                    // else if t.colour = white then dfs_blue(t)
                    Colour::White => self.enter_blue(t),
                    colour => self.looked_at(colour),
                },
                DfsEvent::Retreat(s) => {
                    // if allred then s.colour := red
                    let AllRed(all_red) = self.blue.left();
                    let colour = if all_red {
                        Colour::Red
                    // else if s ∈ A then dfs_red(s); s.colour := red
                    } else if self.accepting(s) {
                        if let Some(lasso) = self.dfs_red(s) {
                            return Some(lasso);
                        }
                        if self.stopped() {
                            return None;
                        }
                        Colour::Red
                    // else s.colour := blue
                    } else {
                        Colour::Blue
                    };
                    self.store.set_tag(s, colour);
                    self.looked_at(colour);
                }
            }
        }
        None
    }

    /// if t.colour ≠ red then allred := false
    #[inline]
    fn looked_at(&mut self, t: Colour) {
        if t != Colour::Red
            && let Some(all_red) = self.blue.top_mut()
        {
            *all_red = AllRed(false);
        }
    }

    #[inline]
    fn enter_blue(&mut self, s: S::Id) {
        // allred := true; s.colour := cyan
        self.store.set_tag(s, Colour::Cyan);
        self.states += 1;
        self.blue.enter(s, AllRed(true));
    }
}
