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

use super::frame::Search;
use crate::dfs::{Options, Step};
use lariat_core::{BitTag, Graph, Lasso, Outcome, RowOf, Store};

/// Barren states are accepting and were walked through in vain; the search itself has yet to
/// visit them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Tag {
    #[default]
    Unseen,
    /// On the stack of the running walk.
    Walked,
    Barren,
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
pub fn check<G, S>(graph: &mut G, store: &mut S, options: Options) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Tag>,
{
    Search::run(graph, store, options, BITS_PER_STATE, |search, root| {
        if let Some(lasso) = visit(search, root) {
            return Some(lasso);
        }
        while let Some(step) = search.blue.step(search.graph, search.store) {
            if let Step::Edge { dst: t, .. } = step
                && let Some(lasso) = visit(search, t)
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

/// if t not in Statespace then (if error(t) then report error; dfs(t))
fn visit<G, S>(search: &mut Search<'_, G, S>, t: S::Id) -> Option<Lasso>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Tag>,
{
    match search.store.tag(t) {
        Tag::Visited => return None,
        Tag::Unseen if search.accepting(t) => {
            if let Some(lasso) = walk(search, t) {
                return Some(lasso);
            }
            if search.stopped() {
                return None;
            }
        }
        Tag::Unseen => search.states += 1,
        Tag::Walked | Tag::Barren => {}
    }
    search.store.set_tag(t, Tag::Visited);
    search.blue.enter(t, ());
    None
}

/// From an accepting state along accepting states until a cycle closes.
fn walk<G, S>(search: &mut Search<'_, G, S>, from: S::Id) -> Option<Lasso>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Tag>,
{
    enter_walk(search, from);
    while let Some(step) = search.red.step(search.graph, search.store) {
        match step {
            Step::Edge { dst: t, .. } => match search.store.tag(t) {
                Tag::Walked => return Some(search.lasso(t)),
                Tag::Unseen if search.accepting(t) => enter_walk(search, t),
                _ => {}
            },
            Step::Retreat(s) => search.store.set_tag(s, Tag::Barren),
        }
    }
    None
}

#[inline]
fn enter_walk<G, S>(search: &mut Search<'_, G, S>, s: S::Id)
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Tag>,
{
    search.store.set_tag(s, Tag::Walked);
    search.states += 1;
    search.enter_red(s);
}
