//! One acceptance set on states instead of several on edges: [`mod@crate::degeneralise`] for
//! automata in the making.

use super::prune::{Between, Numbers, prune};
use crate::degeneralise::copied;
use crate::symbolic::{Arc, Bdd, Symbolic};

/// An equivalent automaton with one mark, on states; `None` if it has more than `max_states`.
pub fn to_states(automaton: &Symbolic, max_states: usize, bdd: &mut Bdd) -> Option<Symbolic> {
    let automaton = &prune(automaton, Between::None, Numbers::Packed, bdd);
    let edges = |arcs: &Vec<Arc>| arcs.iter().map(|arc| (arc.marks, arc.target)).collect();
    let edges: Vec<Vec<_>> = automaton.arcs.iter().map(edges).collect();
    let copied = copied(automaton.mark_count, &[automaton.initial], &edges, max_states)?;
    let mut out = Symbolic { mark_count: 1, ..automaton.like() };
    out.arcs.extend(copied.states().map(|(state, marks, targets)| -> Vec<Arc> {
        let arcs = automaton.arcs[state as usize].iter().zip(targets);
        arcs.map(|(arc, &target)| Arc { label: arc.label, marks, target }).collect()
    }));
    out.merge_arcs(bdd);
    Some(out)
}
