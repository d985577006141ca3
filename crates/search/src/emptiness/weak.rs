//! Simple depth-first search for weak automata (Černá and Pelánek, MFCS 2003; SE §5.1; GS §3):
//! SE without its red search.
//!
//! In a weak automaton a cycle has accepting states only or none, so every accepting cycle is
//! seen when its last edge leads back to the stack. One expansion a state, minimal
//! exploration. On other automata the answer "empty" would mean nothing: the caller checks
//! the class.
//!
//! Sound with a store that forgets. Take the first state of an accepting cyclic component
//! that is ever entered: when it is left for the first time, every edge of the component has
//! been examined while it was on the stack, among them one back to it.

use super::frame::NestedDfs;
use crate::dfs::{DfsEvent, SearchOptions};
use lariat_core::{BitTag, Graph, Lasso, Outcome, RowOf, Store};

/// White is unseen, cyan on the stack, blue finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Colour {
    #[default]
    /// Never seen.
    White,
    /// On the stack.
    Cyan,
    /// Left.
    Blue,
}

impl BitTag for Colour {
    const BITS: u32 = 1;

    #[inline]
    fn bits(self) -> u64 {
        u64::from(self == Colour::Blue)
    }

    #[inline]
    fn on_stack(self) -> bool {
        self == Colour::Cyan
    }

    #[inline]
    fn restore(bits: u64, on_stack: bool) -> Self {
        match bits {
            _ if on_stack => Colour::Cyan,
            0 => Colour::White,
            _ => Colour::Blue,
        }
    }
}

/// Auxiliary memory a state.
pub const BITS_PER_STATE: u32 = 2;

/// Whether `graph`, which is weak, has an accepting run by its states.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
{
    NestedDfs::run(graph, store, options, BITS_PER_STATE, |search, root| {
        match search.store.tag(root) {
            Colour::White => search.dfs(root),
            _ => None,
        }
    })
}

impl<G, S> NestedDfs<'_, G, S, Colour>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
{
    fn dfs(&mut self, root: S::Id) -> Option<Lasso> {
        self.enter(root);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            match step {
                DfsEvent::Edge { src: s, dst: t, .. } => match self.store.tag(t) {
                    // if t.colour = cyan ∧ (s ∈ A ∨ t ∈ A) then report cycle
                    Colour::Cyan if self.accepting(s) || self.accepting(t) => {
                        return Some(self.lasso(t));
                    }
                    // else if t.colour = white then dfs(t)
                    Colour::White => self.enter(t),
                    _ => {}
                },
                // s.colour := blue
                DfsEvent::Retreat(s) => self.store.set_tag(s, Colour::Blue),
            }
        }
        None
    }

    #[inline]
    fn enter(&mut self, s: S::Id) {
        self.store.set_tag(s, Colour::Cyan);
        self.states += 1;
        self.blue.enter(s, ());
    }
}
