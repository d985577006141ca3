//! The complement of a deterministic automaton: R. Kurshan, "Complementing deterministic Büchi
//! automata in polynomial time", J. Computer and System Sciences 35 (1987), for several
//! acceptance sets on edges.

use crate::StateId;
use crate::symbolic::{Arc, Bdd, Func, Symbolic};
use lariat_core::Marks;

/// The words that are not accepted: those whose only run ends somewhere, or sees some set
/// finitely often only. That set is guessed, and when it was seen for the last time: then the
/// run goes on in a copy without the edges of that set. The automaton must be deterministic.
pub fn complement(automaton: &Symbolic, bdd: &mut Bdd) -> Symbolic {
    debug_assert!(automaton.is_deterministic(bdd));
    let count = automaton.state_count() as StateId;
    let sink = count * (automaton.mark_count + 1);
    let mut out = Symbolic { mark_count: 1, ..automaton.like() };
    out.initial = automaton.initial;
    // Copy 0 has all edges; copy m + 1 only those without mark m.
    for copy in 0..=automaton.mark_count {
        for arcs in &automaton.arcs {
            let mut new = Vec::new();
            let mut missing = Func::TRUE;
            for arc in arcs {
                missing = bdd.minus(missing, arc.label);
                if copy == 0 {
                    for later in 0..=automaton.mark_count {
                        let target = later * count + arc.target;
                        new.push(Arc { label: arc.label, marks: Marks::NONE, target });
                    }
                } else if !arc.marks.has(copy - 1) {
                    let target = copy * count + arc.target;
                    new.push(Arc { label: arc.label, marks: Marks::one(0), target });
                }
            }
            if copy == 0 && !missing.is_false() {
                new.push(Arc { label: missing, marks: Marks::NONE, target: sink });
            }
            out.arcs.push(new);
        }
    }
    out.arcs.push(vec![Arc { label: Func::TRUE, marks: Marks::one(0), target: sink }]);
    out
}
