//! `G F g` where a finite prefix shows that g holds: an automaton waits for a prefix
//! that shows `F g`, marks the edge that completes one, and starts again. (J. Esparza,
//! J. Křetínský, S. Sickert, "One theorem to rule them all", LICS 2018, section 5; Spot has it
//! as "gf_guarantee".)

use lariat_automata::StateId;
use lariat_automata::reduce::prune::{Between, prune};
use lariat_automata::symbolic::{Arc, Bdd, Sccs, Symbolic};
use lariat_core::Marks;

/// From an automaton of `F g` to one of `G F g`. None unless its only accepting component is
/// one state that accepts everything.
pub(super) fn repeat(waiting: &Symbolic, deterministic: bool, bdd: &mut Bdd) -> Option<Symbolic> {
    let all = waiting.all_marks();
    let is_goal = |state: StateId| {
        matches!(&waiting.arcs[state as usize][..], [arc]
            if arc.label.is_true() && arc.target == state && arc.marks == all)
    };
    let sccs = Sccs::of(waiting);
    let mut accepting = sccs.sccs.iter().filter(|scc| scc.accepting(all));
    let goal = match (accepting.next(), accepting.next()) {
        (Some(scc), None) => scc.states[0],
        _ => return None,
    };
    if goal == waiting.initial || !is_goal(goal) {
        return None;
    }
    let mut out = Symbolic { mark_count: 1, ..waiting.like() };
    out.initial = waiting.initial;
    for (state, arcs) in waiting.arcs.iter().enumerate() {
        let mut new = Vec::new();
        for arc in arcs.iter().filter(|_| state as StateId != goal) {
            if arc.target != goal {
                new.push(Arc { marks: Marks::NONE, ..*arc });
            } else if deterministic {
                // Start again with the letter that completed the prefix; one that completes a
                // prefix by itself is used up.
                for first in &waiting.arcs[waiting.initial as usize] {
                    let label = bdd.and(arc.label, first.label);
                    let target = if first.target == goal { waiting.initial } else { first.target };
                    new.push(Arc { label, marks: Marks::one(0), target });
                }
            } else {
                new.push(Arc { marks: Marks::one(0), target: waiting.initial, ..*arc });
            }
        }
        out.arcs.push(new);
    }
    out.merge_arcs(bdd);
    // The language does not depend on prefixes, so a run of a deterministic automaton may
    // begin anywhere: in a component that is not left.
    let sccs = Sccs::of(&out);
    if deterministic && let Some(state) = sccs.sccs.first().and_then(|scc| scc.states.iter().min())
    {
        out.initial = *state;
    }
    Some(prune(&out, Between::None, bdd))
}
