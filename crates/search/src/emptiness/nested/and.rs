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

use super::se::{Colour, dfs_red};
use crate::dfs::{Options, Step};
use crate::emptiness::frame::Search;
use lariat_core::{Graph, Lasso, Outcome, Remembers, RowOf, Store};

/// The local variable `allred`.
#[derive(Clone, Copy)]
struct AllRed(bool);

/// Auxiliary memory a state.
pub const BITS_PER_STATE: u32 = 2;

/// Whether `graph` has an accepting run by its states.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: Options) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour> + Remembers,
{
    Search::run(graph, store, options, BITS_PER_STATE, |search, root| {
        match search.store.tag(root) {
            Colour::White => dfs_blue(search, root),
            _ => None,
        }
    })
}

fn dfs_blue<G, S>(search: &mut Search<'_, G, S, AllRed>, root: S::Id) -> Option<Lasso>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
{
    enter_blue(search, root);
    while let Some(step) = search.blue.step(search.graph, search.store) {
        match step {
            Step::Edge { src: s, dst: t, .. } => match search.store.tag(t) {
                // if t.colour = cyan ∧ (s ∈ A ∨ t ∈ A) then report cycle
                Colour::Cyan if search.accepting(s) || search.accepting(t) => {
                    return Some(search.lasso(t));
                }
                // else if t.colour = white then dfs_blue(t)
                Colour::White => enter_blue(search, t),
                colour => looked_at(search, colour),
            },
            Step::Retreat(s) => {
                // if allred then s.colour := red
                let AllRed(all_red) = search.blue.left();
                let colour = if all_red {
                    Colour::Red
                // else if s ∈ A then dfs_red(s); s.colour := red
                } else if search.accepting(s) {
                    if let Some(lasso) = dfs_red(search, s) {
                        return Some(lasso);
                    }
                    if search.stopped() {
                        return None;
                    }
                    Colour::Red
                // else s.colour := blue
                } else {
                    Colour::Blue
                };
                search.store.set_tag(s, colour);
                looked_at(search, colour);
            }
        }
    }
    None
}

/// if t.colour ≠ red then allred := false
#[inline]
fn looked_at<G, S>(search: &mut Search<'_, G, S, AllRed>, t: Colour)
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
{
    if t != Colour::Red
        && let Some(all_red) = search.blue.top_mut()
    {
        *all_red = AllRed(false);
    }
}

#[inline]
fn enter_blue<G, S>(search: &mut Search<'_, G, S, AllRed>, s: S::Id)
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
{
    // allred := true; s.colour := cyan
    search.store.set_tag(s, Colour::Cyan);
    search.states += 1;
    search.blue.enter(s, AllRed(true));
}
