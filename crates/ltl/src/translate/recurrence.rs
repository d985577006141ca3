//! `G F g` where a finite prefix shows that g holds: an automaton waits for a prefix
//! that shows `F g`, marks the edge that completes one, and starts again. (J. Esparza,
//! J. Křetínský, S. Sickert, "One theorem to rule them all", LICS 2018, section 5; Spot has it
//! as "gf_guarantee".)

use lariat_automata::StateId;
use lariat_automata::reduce::powerset::Powerset;
use lariat_automata::reduce::prune::{Between, Numbers, prune};
use lariat_automata::symbolic::{Arc, Bdd, Func, Sccs, Symbolic};
use lariat_core::Marks;

/// From an automaton of `F g` to one of `G F g`. None unless its only accepting component is
/// one state that accepts everything.
pub(super) fn repeat(waiting: &Symbolic, deterministic: bool, bdd: &mut Bdd) -> Option<Symbolic> {
    let goal = goal(waiting)?;
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
    if deterministic {
        start_inside(&mut out);
    }
    Some(prune(&out, Between::None, Numbers::Packed, bdd))
}

/// From an automaton of `F g` to a deterministic one of `G F g`, where whether g holds depends
/// on a bounded number of letters: all attempts to show g are followed at once, one begins at
/// each step, and an edge at which one succeeds is marked. An attempt lasts for a bounded
/// time, so infinitely many marks come from infinitely many attempts. None if some attempt
/// may last for ever, or for more than `max_states` sets of attempts.
pub(super) fn slide(waiting: &Symbolic, max_states: usize, bdd: &mut Bdd) -> Option<Symbolic> {
    let goal = goal(waiting)?;
    let attempts_end = Sccs::of(waiting).sccs.iter().filter(|scc| scc.cyclic).all(|scc| {
        scc.states.len() == 1 && (scc.states[0] == goal || scc.states[0] == waiting.initial)
    });
    if !attempts_end {
        return None;
    }
    let mut attempts = waiting.clone();
    attempts.arcs[goal as usize].clear();
    let start = attempts.initial;
    let begin = Arc { label: Func::TRUE, marks: Marks::NONE, target: start };
    attempts.arcs[start as usize].retain(|arc| arc.target != start);
    attempts.arcs[start as usize].push(begin);
    let powerset = Powerset::of(&attempts, max_states, bdd)?;
    let mut out = Symbolic { mark_count: 1, ..powerset.automaton };
    for arc in out.arcs.iter_mut().flatten() {
        if powerset.subsets[arc.target as usize].contains(&goal) {
            arc.marks = Marks::one(0);
        }
    }
    start_inside(&mut out);
    Some(prune(&out, Between::None, Numbers::Packed, bdd))
}

/// The conjunction of `G F g` for several g, with one mark: waits for one after the other.
/// Each automaton is one of `F g`, as in [`repeat`].
pub(super) fn in_turn(waiting: &[Symbolic], bdd: &mut Bdd) -> Option<Symbolic> {
    let mut out = Symbolic { mark_count: 1, ..waiting.first()?.like() };
    let mut starts = Vec::new();
    let mut count = 0;
    for automaton in waiting {
        starts.push(count + automaton.initial);
        count += automaton.state_count() as StateId;
    }
    for (turn, automaton) in waiting.iter().enumerate() {
        let goal = goal(automaton)?;
        let offset = starts[turn] - automaton.initial;
        let last = turn + 1 == waiting.len();
        let following = starts[(turn + 1) % starts.len()];
        for arcs in &automaton.arcs {
            let step = |arc: &Arc| match arc.target == goal {
                true if last => Arc { marks: Marks::one(0), target: following, ..*arc },
                true => Arc { marks: Marks::NONE, target: following, ..*arc },
                false => Arc { marks: Marks::NONE, target: offset + arc.target, ..*arc },
            };
            out.arcs.push(arcs.iter().map(step).collect());
        }
    }
    out.initial = starts[0];
    Some(prune(&out, Between::None, Numbers::Packed, bdd))
}

/// The language does not depend on prefixes, so a run of a deterministic automaton may begin
/// anywhere: in a component that is not left.
fn start_inside(automaton: &mut Symbolic) {
    let sccs = Sccs::of(automaton);
    if let Some(state) = sccs.sccs.first().and_then(|scc| scc.states.iter().min()) {
        automaton.initial = *state;
    }
}

/// The one state that accepts everything, if that is all there is to acceptance.
fn goal(waiting: &Symbolic) -> Option<StateId> {
    let all = waiting.all_marks();
    let sccs = Sccs::of(waiting);
    let mut accepting = sccs.sccs.iter().filter(|scc| scc.accepting(all));
    let goal = match (accepting.next(), accepting.next()) {
        (Some(scc), None) => scc.states[0],
        _ => return None,
    };
    let whole = matches!(&waiting.arcs[goal as usize][..], [arc]
        if arc.label.is_true() && arc.target == goal && arc.marks == all);
    (whole && goal != waiting.initial).then_some(goal)
}
