//! Gastin, Moro and Zeitoun, *Minimization of Counterexamples in SPIN*, SPIN 2004, as Schwoon
//! and Esparza describe it (SE §3.1): HPY with two additions.
//!
//! 1. The blue search reports an edge back to an *accepting* state on its stack. (That the
//!    current state may be the accepting one instead is SE's own addition, not made here.)
//! 2. Black states are on no accepting run; the red search ignores them, and a black accepting
//!    state starts none. When the blue search leaves a state it looks at each successor once
//!    more: if all are black, the state is black. A state is black too when its own red
//!    search has failed. Only in these two places are states blackened; what a red search
//!    has walked over is red. Hence five colours, "three bits per state".
//!
//! The text does not print the algorithm. This reading gives what SE's Table 1 shows: on
//! graphs without cycles through accepting states, where the red search has nothing left to
//! do, exactly two looks at every transition, "one additional visit to every successor
//! state … for every blue state".
//!
//! Sound with a store that forgets: black and red are facts about a state, and the red search
//! walks whatever is neither (see [`super::cvwy`]).

use crate::dfs::{DfsEvent, SearchOptions};
use crate::emptiness::frame::NestedDfs;
use lariat_core::{BitTag, Graph, Lasso, Outcome, RowOf, Store};

/// White is unseen, cyan on the blue stack, red visited by a red search, black on no
/// accepting run.
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
    /// No accepting cycle can be reached.
    Black,
}

impl BitTag for Colour {
    /// Three bits, in cells of four.
    const BITS: u32 = 4;

    #[inline]
    fn bits(self) -> u64 {
        match self {
            Colour::White | Colour::Cyan => 0b000,
            Colour::Blue => 0b001,
            Colour::Red => 0b011,
            Colour::Black => 0b101,
        }
    }

    #[inline]
    fn on_stack(self) -> bool {
        self == Colour::Cyan
    }

    #[inline]
    fn restore(bits: u64, on_stack: bool) -> Self {
        match bits & 0b111 {
            _ if on_stack => Colour::Cyan,
            0b001 => Colour::Blue,
            0b011 => Colour::Red,
            0b101 | 0b111 => Colour::Black,
            _ => Colour::White,
        }
    }
}

/// Auxiliary memory a state.
pub const BITS_PER_STATE: u32 = 3;

/// Whether `graph` has an accepting run by its states.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
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
                DfsEvent::Edge { dst: t, .. } => match self.store.tag(t) {
                    // an edge back to an accepting state that is currently on the call stack
                    Colour::Cyan if self.accepting(t) => return Some(self.lasso(t)),
                    Colour::White => self.enter_blue(t),
                    _ => {}
                },
                DfsEvent::Retreat(s) => {
                    let black = self.all_black(s);
                    if self.stopped() {
                        return None;
                    }
                    let colour = if black {
                        Colour::Black
                    } else if self.accepting(s) {
                        if let Some(lasso) = self.dfs_red(s) {
                            return Some(lasso);
                        }
                        if self.stopped() {
                            return None;
                        }
                        Colour::Black
                    } else {
                        Colour::Blue
                    };
                    self.store.set_tag(s, colour);
                }
            }
        }
        None
    }

    /// One more look at every successor of `s`. The red search's stack is idle here and serves
    /// to generate them.
    fn all_black(&mut self, s: S::Id) -> bool {
        let mut all_black = true;
        self.red.enter(s, ());
        while let Some(step) = self.red.step(self.graph, self.store) {
            if let DfsEvent::Edge { dst: t, .. } = step {
                all_black &= self.store.tag(t) == Colour::Black;
            }
        }
        all_black
    }

    fn dfs_red(&mut self, seed: S::Id) -> Option<Lasso> {
        self.enter_red(seed);
        while let Some(step) = self.red.step(self.graph, self.store) {
            if let DfsEvent::Edge { dst: t, .. } = step {
                match self.store.tag(t) {
                    // t is on the call stack of the blue search
                    Colour::Cyan => return Some(self.lasso(t)),
                    // the red search can ignore black states
                    Colour::Red | Colour::Black => {}
                    // Blue; white only if the store has forgotten it.
                    Colour::Blue | Colour::White => {
                        self.store.set_tag(t, Colour::Red);
                        self.enter_red(t);
                    }
                }
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
