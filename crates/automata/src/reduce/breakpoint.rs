//! The complement of a weak automaton: S. Miyano, T. Hayashi, "Alternating finite automata on ω-words",
//! TCS 32, 1984.
//!
//! A run of a weak automaton is accepting if it stays in an accepting component at last, and else it is
//! in other states again and again. So a word is rejected if *every* run over it is outside of accepting
//! components again and again. The subset construction follows all runs, and with them those that owe such a
//! state; when nobody owes one any more, that is a breakpoint, and all who are inside owe one from then
//! on. The word is rejected exactly if there are breakpoints without end: runs that owe a
//! state for ever would be accepting, by König's lemma.

use crate::StateId;
use crate::stutter::in_accepting_component;
use crate::symbolic::{Arc, Bdd, Func, Symbolic};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// A deterministic automaton for the words that a weak one rejects. `letters` are the classes of letters that
/// its labels do not tell apart. None if it takes more states than `max_states`, or the given one more
/// than 64.
pub fn complement_of_weak(
    automaton: &Symbolic,
    letters: &[Func],
    max_states: usize,
    bdd: &mut Bdd,
) -> Option<Symbolic> {
    let count = automaton.state_count();
    if count > 64 {
        return None;
    }
    let is_inside = in_accepting_component(automaton);
    let inside = (0..count).filter(|&state| is_inside[state]).fold(0_u64, |set, s| set | 1 << s);
    // By letter and state: where it leads.
    let mut next = vec![vec![0_u64; count]; letters.len()];
    for (&letter, next) in letters.iter().zip(&mut next) {
        for (arcs, targets) in automaton.arcs.iter().zip(next) {
            let taken = arcs.iter().filter(|arc| bdd.implies(letter, arc.label));
            *targets = taken.fold(0, |set, arc| set | 1 << arc.target);
        }
    }
    let mut out = Symbolic { mark_count: 1, ..automaton.like() };
    let start = 1_u64 << automaton.initial;
    let mut states = vec![(start, start & inside)];
    let mut ids: FxHashMap<(u64, u64), StateId> = FxHashMap::default();
    ids.insert(states[0], 0);
    while out.arcs.len() < states.len() {
        let (all, owing) = states[out.arcs.len()];
        let is_breakpoint = owing == 0;
        let marks = if is_breakpoint { Marks::one(0) } else { Marks::NONE };
        let mut arcs = Vec::new();
        for (&letter, next) in letters.iter().zip(&next) {
            let step = |set: u64| {
                let members = (0..count).filter(|state| set >> state & 1 == 1);
                members.fold(0, |to, state| to | next[state])
            };
            let followed = step(all);
            let owing = if is_breakpoint { followed } else { step(owing) } & inside;
            let pair = (followed, owing);
            let target = *ids.entry(pair).or_insert_with(|| {
                states.push(pair);
                (states.len() - 1) as StateId
            });
            arcs.push(Arc { label: letter, marks, target });
        }
        out.arcs.push(arcs);
        if states.len() > max_states || bdd.exhausted() {
            return None;
        }
    }
    Some(out)
}
