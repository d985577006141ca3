//! Reachability for terminal automata (SE §5.1; the search is HPY Figure 1): an accepting
//! state decides.
//!
//! In a terminal automaton no edge leaves the accepting part, and, as SE says, every state
//! must have a successor. Then any walk from the first accepting state closes a cycle, and
//! that walk gives the lasso. Here the walk is a depth-first search among accepting states, so
//! that a graph with dead ends or ways out does not lead to a wrong answer: if the walk
//! fails, the search goes on. So the verdict is right on all weak automata. On others the
//! answer "empty" would mean nothing: the caller checks the class.
//!
//! Sound with a store that forgets, for the reason given in [`super::weak`].

use super::frame::NestedDfs;
use crate::dfs::{DfsEvent, SearchOptions};
use lariat_core::{BitTag, Graph, Lasso, Outcome, RowOf, Store};

/// Barren states are accepting and were walked through in vain; the search itself has yet to
/// visit them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Tag {
    #[default]
    /// Never seen.
    Unseen,
    /// On the stack of the running walk.
    Walked,
    /// The walk has left it: no accepting cycle can be reached.
    Barren,
    /// The first search has seen it.
    Visited,
}

impl BitTag for Tag {
    const BITS: u32 = 2;

    #[inline]
    fn bits(self) -> u64 {
        match self {
            Tag::Unseen | Tag::Walked => 0b00,
            Tag::Barren => 0b01,
            Tag::Visited => 0b11,
        }
    }

    #[inline]
    fn on_stack(self) -> bool {
        self == Tag::Walked
    }

    #[inline]
    fn restore(bits: u64, on_stack: bool) -> Self {
        match bits {
            _ if on_stack => Tag::Walked,
            0b00 => Tag::Unseen,
            0b01 => Tag::Barren,
            _ => Tag::Visited,
        }
    }
}

/// Visited or not; the walk that makes the lasso comes on top.
pub const BITS_PER_STATE: u32 = 1;

/// Whether `graph`, which is terminal, has an accepting run by its states.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Tag>,
{
    NestedDfs::run(graph, store, options, BITS_PER_STATE, |search, root| {
        if let Some(lasso) = search.visit(root) {
            return Some(lasso);
        }
        while let Some(step) = search.blue.step(search.graph, search.store) {
            if let DfsEvent::Edge { dst: t, .. } = step
                && let Some(lasso) = search.visit(t)
            {
                return Some(lasso);
            }
            if search.stopped() {
                return None;
            }
        }
        None
    })
}

impl<G, S> NestedDfs<'_, G, S, Tag>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Tag>,
{
    /// if t not in Statespace then (if error(t) then report error; dfs(t))
    fn visit(&mut self, t: S::Id) -> Option<Lasso> {
        match self.store.tag(t) {
            Tag::Visited => return None,
            Tag::Unseen if self.accepting(t) => {
                if let Some(lasso) = self.walk(t) {
                    return Some(lasso);
                }
                if self.stopped() {
                    return None;
                }
            }
            Tag::Unseen => self.states += 1,
            Tag::Walked | Tag::Barren => {}
        }
        self.store.set_tag(t, Tag::Visited);
        self.blue.enter(t, ());
        None
    }

    /// From an accepting state along accepting states until a cycle closes.
    fn walk(&mut self, from: S::Id) -> Option<Lasso> {
        self.enter_walk(from);
        while let Some(step) = self.red.step(self.graph, self.store) {
            match step {
                DfsEvent::Edge { dst: t, .. } => match self.store.tag(t) {
                    Tag::Walked => return Some(self.lasso(t)),
                    Tag::Unseen if self.accepting(t) => self.enter_walk(t),
                    _ => {}
                },
                DfsEvent::Retreat(s) => self.store.set_tag(s, Tag::Barren),
            }
        }
        None
    }

    #[inline]
    fn enter_walk(&mut self, s: S::Id) {
        self.store.set_tag(s, Tag::Walked);
        self.states += 1;
        self.enter_red(s);
    }
}
