//! Schwoon and Esparza, *A Note on On-the-Fly Verification Algorithms*, TACAS 2005, §6, with Figure 3: "the
//! partial-order reduction may simply generate all successor states and then discard those that have not
//! been explored before."
//!
//! The blue search selects successors by its stack. The red search remembers nothing of that: it
//! looks at all successors, and white ones, which blue has not explored, it leaves out, as it does in
//! [`crate::emptiness::nested::se`] anyway.

use super::{may_miss, successors};
use crate::dfs::{DfsEvent, SearchOptions};
use crate::emptiness::frame::NestedDfs;
use crate::emptiness::nested::se::{BITS_PER_STATE, Colour};
use lariat_core::{Graph, Lasso, Lossless, Outcome, RowOf, Store};

/// Tells this search from the one without reduction.
#[derive(Clone, Copy)]
struct Selected;

/// Looks for an accepting run by states; it may miss one.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour> + Lossless,
{
    may_miss(NestedDfs::run(graph, store, options, BITS_PER_STATE, |search, root| {
        match search.store.tag(root) {
            Colour::White => search.dfs_blue(root),
            _ => None,
        }
    }))
}

impl<G, S> NestedDfs<'_, G, S, Colour, Selected>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour> + Lossless,
{
    fn dfs_blue(&mut self, root: S::Id) -> Option<Lasso> {
        self.enter_blue(root);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            match step {
                DfsEvent::Edge { src: s, dst: t, .. } => match self.store.tag(t) {
                    // if t.color = cyan ∧ (s ∈ A ∨ t ∈ A) then report cycle
                    Colour::Cyan if self.accepting(s) || self.accepting(t) => {
                        return Some(self.lasso(t));
                    }
                    // else if t.color = white then dfs_blue(t)
                    Colour::White => self.enter_blue(t),
                    _ => {}
                },
                DfsEvent::Retreat(s) => {
                    // if s ∈ A then dfs_red(s); s.color := red
                    let is_accepting = self.accepting(s);
                    if is_accepting && let Some(lasso) = self.dfs_red(s) {
                        return Some(lasso);
                    }
                    if self.stopped() {
                        return None;
                    }
                    // else s.color := blue
                    let colour = if is_accepting { Colour::Red } else { Colour::Blue };
                    self.store.set_tag(s, colour);
                }
            }
        }
        None
    }

    /// s.color := cyan; and select the successors
    fn enter_blue(&mut self, s: S::Id) {
        self.store.set_tag(s, Colour::Cyan);
        self.states += 1;
        let expanded = self.expanded(s);
        let selected = self.off_stack(&expanded, usize::MAX, |colour| colour == Colour::Cyan);
        self.blue.enter_with(s, Selected, &successors(&expanded, selected));
    }
}
