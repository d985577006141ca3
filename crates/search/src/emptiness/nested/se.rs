//! Schwoon and Esparza, *A Note on On-the-Fly Verification Algorithms*, TACAS 2005, Figure 3.
//!
//! Nested depth-first search with four colours in two bits. The comments carry the paper's
//! lines. The printed indentation is lost in the text: lines 11 to 15 (what happens at the
//! retreat) stand after the loop over the successors. The seed stays cyan during its red
//! search and turns red after it.
//!
//! The red search walks blue states only, so the store must remember them.

use crate::dfs::{DfsEvent, SearchOptions};
use crate::emptiness::frame::NestedDfs;
use lariat_core::{BitTag, Graph, Lasso, Outcome, Remembers, RowOf, Store, makes_mistake};

/// White is unseen, cyan on the blue stack, red on no accepting cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Colour {
    #[default]
    /// Never seen.
    White,
    /// On the stack of the first search.
    Cyan,
    /// The first search has left it.
    Blue,
    /// The second search has seen it.
    Red,
}

/// A blue state may turn red, so red is blue and one bit more.
impl BitTag for Colour {
    const BITS: u32 = 2;

    #[inline]
    fn bits(self) -> u64 {
        match self {
            Colour::White | Colour::Cyan => 0b00,
            Colour::Blue => 0b01,
            Colour::Red => 0b11,
        }
    }

    #[inline]
    fn on_stack(self) -> bool {
        self == Colour::Cyan
    }

    #[inline]
    fn restore(bits: u64, on_stack: bool) -> Self {
        match bits {
            _ if on_stack => Colour::Cyan,
            0b01 => Colour::Blue,
            0b11 => Colour::Red,
            _ => Colour::White,
        }
    }
}

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

impl<G, S> NestedDfs<'_, G, S, Colour>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
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
                // if s ∈ A then dfs_red(s); s.color := red
                DfsEvent::Retreat(s) if self.accepting(s) => {
                    if let Some(lasso) = self.dfs_red(s) {
                        return Some(lasso);
                    }
                    if self.stopped() {
                        return None;
                    }
                    self.store.set_tag(s, Colour::Red);
                }
                // else s.color := blue
                DfsEvent::Retreat(s) => self.store.set_tag(s, Colour::Blue),
            }
        }
        None
    }

    #[inline]
    fn enter_blue(&mut self, s: S::Id) {
        self.store.set_tag(s, Colour::Cyan);
        self.states += 1;
        self.blue.enter(s, ());
    }
}

impl<G, S, P> NestedDfs<'_, G, S, Colour, P>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
    P: Copy,
{
    /// Also the red search of [`super::and`].
    pub(super) fn dfs_red(&mut self, seed: S::Id) -> Option<Lasso> {
        self.enter_red(seed);
        while let Some(step) = self.red.step(self.graph, self.store) {
            if let DfsEvent::Edge { dst: t, .. } = step {
                match self.store.tag(t) {
                    // if t.color = cyan then report cycle
                    Colour::Cyan if self.accepting(t) || !makes_mistake("nested-red") => {
                        return Some(self.lasso(t));
                    }
                    // else if t.color = blue then t.color := red; dfs_red(t)
                    Colour::Blue => {
                        self.store.set_tag(t, Colour::Red);
                        self.enter_red(t);
                    }
                    _ => {}
                }
            }
        }
        None
    }
}
