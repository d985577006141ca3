//! Automata whose labels are decision diagrams: what translation and reductions work on.
//! Equal labels are equal numbers, and edges that differ in their label only are one edge.

pub mod bdd;
mod convert;
mod cover;
pub(crate) mod letters;
pub mod scc;
mod table;

pub use bdd::{Bdd, Func, Var};
pub(crate) use convert::func_of;
pub use cover::Cube;
pub use scc::Sccs;

use crate::StateId;
use lariat_core::Marks;

/// An edge whose label is a Boolean function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arc {
    /// Over the variables `0..aps.len()`.
    pub label: Func,
    /// The acceptance sets that it belongs to.
    pub marks: Marks,
    /// The state that it leads to.
    pub target: StateId,
}

/// A transition-based generalised Büchi automaton with one initial state, as [`crate::Tgba`];
/// its labels live in a [`Bdd`] that is handed to each operation.
#[derive(Clone, Debug, Default)]
pub struct Symbolic {
    /// The names of the propositions, by variable.
    pub aps: Vec<String>,
    /// How many acceptance sets there are.
    pub mark_count: u32,
    /// Where every run begins.
    pub initial: StateId,
    /// By state: the edges that leave it.
    pub arcs: Vec<Vec<Arc>>,
}

impl Symbolic {
    /// How many states there are, reachable or not.
    pub fn state_count(&self) -> usize {
        self.arcs.len()
    }

    /// How many edges there are.
    pub fn arc_count(&self) -> usize {
        self.arcs.iter().map(Vec::len).sum()
    }

    /// The marks of all acceptance sets together.
    pub fn all_marks(&self) -> Marks {
        Marks::all(self.mark_count)
    }

    /// An automaton over the same propositions without states.
    pub fn like(&self) -> Symbolic {
        Symbolic { aps: self.aps.clone(), mark_count: self.mark_count, ..Symbolic::default() }
    }

    /// Makes one edge of those that differ in their label only, and drops those with an
    /// unsatisfiable label.
    pub fn merge_arcs(&mut self, bdd: &mut Bdd) {
        for arcs in &mut self.arcs {
            merge(arcs, bdd);
        }
    }

    /// Keeps the states that can be reached, numbered in the order of a breadth-first search.
    pub fn keep_reachable(&mut self) {
        let mut number = vec![StateId::MAX; self.arcs.len()];
        let mut order = vec![self.initial];
        number[self.initial as usize] = 0;
        let mut at = 0;
        while at < order.len() {
            for arc in &self.arcs[order[at] as usize] {
                let slot = &mut number[arc.target as usize];
                if *slot == StateId::MAX {
                    *slot = order.len() as StateId;
                    order.push(arc.target);
                }
            }
            at += 1;
        }
        let mut old = std::mem::take(&mut self.arcs);
        for state in order {
            let mut arcs = std::mem::take(&mut old[state as usize]);
            for arc in &mut arcs {
                arc.target = number[arc.target as usize];
            }
            self.arcs.push(arcs);
        }
        self.initial = 0;
    }

    /// Whether no two edges of a state can be taken at the same letter.
    pub fn is_deterministic(&self, bdd: &mut Bdd) -> bool {
        self.arcs.iter().all(|arcs| {
            let mut seen = Func::FALSE;
            arcs.iter().all(|arc| {
                let fresh = !bdd.meets(seen, arc.label);
                seen = bdd.or(seen, arc.label);
                fresh
            })
        })
    }

    /// Whether acceptance is a matter of states: all edges of a state share their marks.
    pub fn is_state_based(&self) -> bool {
        self.arcs.iter().all(|arcs| arcs.windows(2).all(|pair| pair[0].marks == pair[1].marks))
    }
}

/// [`Symbolic::merge_arcs`] for one state.
pub(crate) fn merge(arcs: &mut Vec<Arc>, bdd: &mut Bdd) {
    arcs.sort_by_key(|arc| (arc.target, arc.marks));
    let mut kept: Vec<Arc> = Vec::with_capacity(arcs.len());
    for arc in arcs.iter().filter(|arc| !arc.label.is_false()) {
        match kept.last_mut() {
            Some(last) if last.target == arc.target && last.marks == arc.marks => {
                last.label = bdd.or(last.label, arc.label);
            }
            _ => kept.push(*arc),
        }
    }
    *arcs = kept;
}
