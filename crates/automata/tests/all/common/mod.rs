//! Random automata, and what checks take for granted. Every test prints its seed when it fails.

use fastrand::Rng;
use lariat_automata::classify::{classify, is_buchi_by_states};
use lariat_automata::{ExplicitGraph, Label, Sccs, StateId, Tgba};
use lariat_core::{Graph, Marks};

/// Whether simple DFS is right on the automaton, and on its product with any model that has
/// no marks of its own: state-based Büchi, and in each component that has a cycle all states
/// are accepting or none is.
pub(crate) fn is_weak_by_states(tgba: &Tgba) -> bool {
    is_buchi_by_states(tgba) && classify(tgba).weak
}

/// Whether reachability of an accepting state is right: state-based Büchi, and in each
/// reachable accepting state, each letter has an edge and all edges lead to accepting states.
/// Then every word is accepted from there. Weakness of the accepting part follows, and the
/// rest does not matter.
pub(crate) fn is_terminal_by_states(tgba: &Tgba) -> bool {
    let graph = ExplicitGraph::new(tgba);
    let accepting = |state: StateId| graph.accepting(&[state]);
    let goes_on = |state: StateId, letter| {
        let mut taken = tgba.edges[state as usize].iter().filter(|e| e.label.holds_in(letter));
        taken.clone().next().is_some() && taken.all(|edge| accepting(edge.target))
    };
    let sccs = Sccs::new(tgba);
    let mut reachable = sccs.members.iter().flatten().copied();
    is_buchi_by_states(tgba)
        && reachable
            .all(|state| !accepting(state) || (0..1 << tgba.aps.len()).all(|l| goes_on(state, l)))
}

fn chance(random: &mut Rng, percent: u32) -> bool {
    random.u32(..100) < percent
}

fn label(random: &mut Rng, aps: u32, depth: u32) -> Label {
    let ap = random.u32(..aps);
    match random.u32(..8) {
        0 | 1 => Label::literal(ap, chance(random, 50)),
        2 => Label::True,
        3 if depth > 0 => label(random, aps, depth - 1).negated(),
        4 | 5 if depth > 0 => {
            Label::and([label(random, aps, depth - 1), label(random, aps, depth - 1)])
        }
        6 | 7 if depth > 0 => {
            Label::or([label(random, aps, depth - 1), label(random, aps, depth - 1)])
        }
        _ => Label::literal(ap, chance(random, 50)),
    }
}

/// Over propositions `a` and `b`; some labels are unsatisfiable.
pub(crate) fn tgba(seed: u64, max_states: u32, max_edges: u32, max_marks: u32) -> Tgba {
    let random = &mut Rng::with_seed(seed);
    let mut tgba = Tgba { mark_count: random.u32(..=max_marks), ..Tgba::default() };
    tgba.aps = vec!["a".into(), "b".into()];
    let states = 1 + random.u32(..max_states);
    let (mark_chance, by_states) = (10 + random.u32(..80), chance(random, 30));
    for _ in 0..states {
        tgba.add_state();
    }
    for _ in 0..=random.u32(..2) {
        let state = random.u32(..states);
        if !tgba.initial.contains(&state) {
            tgba.initial.push(state);
        }
    }
    let marks = |random: &mut Rng, count| {
        Marks((0..count).filter(|_| chance(random, mark_chance)).map(|mark| 1 << mark).sum())
    };
    let of_states: Vec<Marks> = (0..states).map(|_| marks(random, tgba.mark_count)).collect();
    for _ in 0..random.u32(..=max_edges) {
        let (source, target) = (random.u32(..states), random.u32(..states));
        let own = marks(random, tgba.mark_count);
        let marks = if by_states { of_states[source as usize] } else { own };
        tgba.add_edge(source, label(random, 2, 2), marks, target);
    }
    tgba
}
