//! Strongly connected components: R. Tarjan, "Depth-first search and linear graph
//! algorithms", SIAM J. Comput. 1 (1972), with an explicit stack.

use super::{Arc, Symbolic};
use crate::StateId;
use lariat_core::Marks;

/// The components of the reachable part. They are numbered so that an edge never leads to a
/// component with a higher number.
#[derive(Clone, Debug)]
pub struct Sccs {
    /// The component of each state; `u32::MAX` for states that cannot be reached.
    pub of: Vec<u32>,
    pub sccs: Vec<Scc>,
}

#[derive(Clone, Debug, Default)]
pub struct Scc {
    pub states: Vec<StateId>,
    /// Whether some edge stays inside.
    pub cyclic: bool,
    /// Marks of the inner edges together, and those that all of them carry.
    pub union: Marks,
    pub common: Option<Marks>,
}

impl Scc {
    /// Whether a run that stays inside can be accepting.
    pub fn accepting(&self, all: Marks) -> bool {
        self.cyclic && self.union.contains(all)
    }
}

impl Sccs {
    pub fn of(automaton: &Symbolic) -> Sccs {
        let count = automaton.state_count();
        let mut found = Sccs { of: vec![u32::MAX; count], sccs: Vec::new() };
        if count == 0 {
            return found;
        }
        const NEW: u32 = u32::MAX;
        let mut index = vec![NEW; count];
        let mut low = vec![0u32; count];
        let mut next_index = 0;
        let mut open: Vec<StateId> = Vec::new();
        let mut calls: Vec<(StateId, usize)> = vec![(automaton.initial, 0)];
        index[automaton.initial as usize] = 0;
        open.push(automaton.initial);
        next_index += 1;
        while let Some((state, at)) = calls.last_mut() {
            let s = *state as usize;
            if let Some(arc) = automaton.arcs[s].get(*at) {
                *at += 1;
                let t = arc.target as usize;
                if index[t] == NEW {
                    index[t] = next_index;
                    low[t] = next_index;
                    next_index += 1;
                    open.push(arc.target);
                    calls.push((arc.target, 0));
                } else if found.of[t] == u32::MAX {
                    low[s] = low[s].min(index[t]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[s]);
            }
            if low[s] == index[s] {
                let number = found.sccs.len() as u32;
                let from = open.iter().rposition(|&t| t as usize == s).unwrap_or(0);
                let states = open.split_off(from);
                for &t in &states {
                    found.of[t as usize] = number;
                }
                found.sccs.push(Scc { states, ..Scc::default() });
            }
        }
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
