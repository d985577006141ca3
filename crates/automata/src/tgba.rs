//! The automaton itself.

use crate::Label;
use lariat_core::Marks;

/// A state, by number.
pub type StateId = u32;

/// An edge for all letters of its label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The letters that it can be taken for.
    pub label: Label,
    /// The acceptance sets that it belongs to.
    pub marks: Marks,
    /// The state that it leads to.
    pub target: StateId,
}

/// A transition-based generalised Büchi automaton: a run is accepting when it sees each of
/// the `mark_count` marks infinitely often. State-based Büchi is the special case of one
/// mark that all edges of a state share.
#[derive(Clone, Debug, Default)]
pub struct Tgba {
    /// What HOA calls it, mostly a formula.
    pub name: Option<String>,
    /// The names of the propositions that labels refer to.
    pub aps: Vec<String>,
    /// How many acceptance sets there are; at most [`Marks::MAX`].
    pub mark_count: u32,
    /// Several are allowed; none means the empty language.
    pub initial: Vec<StateId>,
    /// The edges of each state.
    pub edges: Vec<Vec<Edge>>,
    /// Names of states where the source gave some; empty, or one for each state.
    pub state_names: Vec<Option<String>>,
}

impl Tgba {
    /// How many states there are, reachable or not.
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Adds a state without edges.
    pub fn add_state(&mut self) -> StateId {
        self.edges.push(Vec::new());
        (self.edges.len() - 1) as StateId
    }

    /// One more edge, behind the others of its source.
    pub fn add_edge(&mut self, source: StateId, label: Label, marks: Marks, target: StateId) {
        self.edges[source as usize].push(Edge { label, marks, target });
    }

    /// Whether acceptance is a matter of states: all edges of each state share their marks.
    pub fn is_state_based(&self) -> bool {
        self.edges.iter().all(|edges| edges.windows(2).all(|pair| pair[0].marks == pair[1].marks))
    }
}
