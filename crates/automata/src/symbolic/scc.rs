//! Strongly connected components and their marks.

use super::{Arc, Symbolic};
use crate::StateId;
use crate::tarjan::{At, components};
use lariat_core::Marks;

/// The components of the reachable part. They are numbered so that an edge never leads to a
/// component with a higher number.
#[derive(Clone, Debug)]
pub struct Sccs {
    /// The component of each state; `u32::MAX` for states that cannot be reached.
    pub of: Vec<u32>,
    /// By number: what is known of each.
    pub sccs: Vec<Scc>,
}

/// One component.
#[derive(Clone, Debug, Default)]
pub struct Scc {
    /// Its states.
    pub states: Vec<StateId>,
    /// Whether some edge stays inside.
    pub cyclic: bool,
    /// Marks of the inner edges together, and those that all of them carry.
    pub union: Marks,
    /// Marks that all inner edges carry; none without such an edge.
    pub common: Option<Marks>,
}

impl Scc {
    /// Whether a run that stays inside can be accepting.
    pub fn accepting(&self, all: Marks) -> bool {
        self.cyclic && self.union.contains(all)
    }
}

impl Sccs {
    /// Finds the components from the initial state on.
    pub fn of(automaton: &Symbolic) -> Sccs {
        let count = automaton.state_count();
        let mut found = Sccs { of: Vec::new(), sccs: Vec::new() };
        if count == 0 {
            return found;
        }
        let edge = |state: StateId, at: usize| match automaton.arcs[state as usize].get(at) {
            Some(arc) => At::Edge(arc.target),
            None => At::End,
        };
        let components = components(count, [automaton.initial], edge);
        found.of = components.of;
        let scc = |states| Scc { states, ..Scc::default() };
        found.sccs = components.members.into_iter().map(scc).collect();
        for number in 0..found.sccs.len() {
            for i in 0..found.sccs[number].states.len() {
                let state = found.sccs[number].states[i];
                for arc in &automaton.arcs[state as usize] {
                    if found.inside(state, arc) {
                        let scc = &mut found.sccs[number];
                        scc.cyclic = true;
                        scc.union |= arc.marks;
                        let common = scc.common.map_or(arc.marks.0, |marks| marks.0 & arc.marks.0);
                        scc.common = Some(Marks(common));
                    }
                }
            }
        }
        found
    }

    /// Whether the edge stays in its component.
    pub fn inside(&self, source: StateId, arc: &Arc) -> bool {
        self.of[source as usize] == self.of[arc.target as usize]
    }

    /// The component of a state that can be reached.
    pub fn scc(&self, state: StateId) -> &Scc {
        &self.sccs[self.of[state as usize] as usize]
    }

    /// For each component, whether an accepting one can be reached from it.
    pub fn useful(&self, automaton: &Symbolic) -> Vec<bool> {
        let all = automaton.all_marks();
        let mut useful = vec![false; self.sccs.len()];
        for (number, scc) in self.sccs.iter().enumerate() {
            useful[number] = scc.accepting(all)
                || scc.states.iter().any(|&state| {
                    automaton.arcs[state as usize]
                        .iter()
                        .any(|arc| useful[self.of[arc.target as usize] as usize])
                });
        }
        useful
    }
}
