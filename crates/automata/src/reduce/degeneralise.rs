//! From several acceptance sets on edges to one on states, with few copies: T. Babiak, Th.
//! Badie, A. Duret-Lutz, M. Křetínský, J. Strejček, "Compositional approach to suspension and
//! other improvements to LTL translation", SPIN 2013, section 3.
//!
//! A copy (s, l) of a state says that the first l sets, in some order, were seen; l = all of
//! them makes it accepting. Each component counts for itself. Three things keep it small: an
//! edge may climb several levels; a set that all edges out of a state carry counts on
//! arrival; and since the level is of no account on entering a component, runs enter it in
//! the smallest closed part of its copies.

use super::prune::{Between, Numbers, prune};
use crate::StateId;
use crate::symbolic::{Arc, Bdd, Sccs, Symbolic};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// A state and its level.
type Copy = (StateId, u32);

/// Orders of the sets that are tried for each component.
const MAX_ORDERS: usize = 24;

/// An equivalent automaton with one mark, on states; `None` if it has more than `max_states`.
pub fn to_states(automaton: &Symbolic, max_states: usize, bdd: &mut Bdd) -> Option<Symbolic> {
    let automaton = &prune(automaton, Between::None, Numbers::Packed, bdd);
    let sccs = Sccs::of(automaton);
    let counters: Vec<Counter> =
        (0..sccs.sccs.len()).map(|number| Counter::best(automaton, &sccs, number)).collect();
    let counter = |state: StateId| &counters[sccs.of[state as usize] as usize];
    let mut out = Symbolic { mark_count: 1, ..automaton.like() };
    let mut copies: Vec<Copy> = vec![counter(automaton.initial).enter(automaton.initial)];
    let mut ids: FxHashMap<Copy, StateId> = FxHashMap::default();
    ids.insert(copies[0], 0);
    let mut at = 0;
    while at < copies.len() {
        let (state, level) = copies[at];
        at += 1;
        let marks = match counter(state).accepting(level) {
            true => Marks::one(0),
            false => Marks::NONE,
        };
        let mut arcs = Vec::new();
        for arc in &automaton.arcs[state as usize] {
            let copy = match sccs.inside(state, arc) {
                true => (arc.target, counter(state).step(level, arc)),
                false => counter(arc.target).enter(arc.target),
            };
            let target = *ids.entry(copy).or_insert_with(|| {
                copies.push(copy);
                (copies.len() - 1) as StateId
            });
            arcs.push(Arc { label: arc.label, marks, target });
        }
        out.arcs.push(arcs);
        if copies.len() > max_states {
            return None;
        }
    }
    out.merge_arcs(bdd);
    Some(out)
}

/// How the levels of one component go.
struct Counter {
    /// The sets in the order in which they are waited for; none if the component accepts
    /// nothing.
    order: Option<Vec<u32>>,
    /// Marks that all edges out of a state (inside the component) carry.
    common: FxHashMap<StateId, Marks>,
    /// The level at which each state is entered.
    entry: FxHashMap<StateId, u32>,
}

impl Counter {
    fn best(automaton: &Symbolic, sccs: &Sccs, number: usize) -> Counter {
        let scc = &sccs.sccs[number];
        let mut counter =
            Counter { order: None, common: FxHashMap::default(), entry: FxHashMap::default() };
        if !scc.accepting(automaton.all_marks()) {
            return counter;
        }
        let everywhere = scc.common.unwrap_or_default();
        let sets: Vec<u32> =
            (0..automaton.mark_count).filter(|&mark| !everywhere.has(mark)).collect();
        for &state in &scc.states {
            let inner = automaton.arcs[state as usize].iter();
            let common = inner
                .filter(|arc| sccs.inside(state, arc))
                .fold(u64::MAX, |common, arc| common & arc.marks.0);
            counter.common.insert(state, Marks(common));
        }
        let mut smallest = usize::MAX;
        let mut best = (Vec::new(), FxHashMap::default());
        // Large components are not worth the time of many orders.
        let orders =
            (MAX_ORDERS * 64 / (scc.states.len() * sets.len().max(1))).clamp(1, MAX_ORDERS);
        for order in permutations(&sets).take(orders) {
            counter.order = Some(order.clone());
            let closed = counter.closed_part(automaton, sccs, number);
            if closed.len() < smallest {
                smallest = closed.len();
                let mut entry: FxHashMap<StateId, u32> = FxHashMap::default();
                for (state, level) in closed {
                    let slot = entry.entry(state).or_insert(level);
                    *slot = level.max(*slot);
                }
                best = (order, entry);
            }
        }
        (counter.order, counter.entry) = (Some(best.0), best.1);
        counter
    }

    fn top(&self) -> u32 {
        self.order.as_ref().map_or(0, |order| order.len() as u32)
    }

    fn accepting(&self, level: u32) -> bool {
        self.order.is_some() && level == self.top()
    }

    fn enter(&self, state: StateId) -> Copy {
        (state, self.entry.get(&state).copied().unwrap_or(0))
    }

    /// The level after an edge inside the component.
    fn step(&self, level: u32, arc: &Arc) -> u32 {
        let Some(order) = &self.order else { return 0 };
        let mut level = if level == self.top() { 0 } else { level };
        let seen = arc.marks | self.common.get(&arc.target).copied().unwrap_or_default();
        while level < self.top() && seen.has(order[level as usize]) {
            level += 1;
        }
        level
    }

    /// The smallest strongly connected part of the copies that is not left.
    fn closed_part(&self, automaton: &Symbolic, sccs: &Sccs, number: usize) -> Vec<Copy> {
        let mut copies: Vec<Copy> = vec![(sccs.sccs[number].states[0], 0)];
        let mut ids: FxHashMap<Copy, StateId> = FxHashMap::default();
        ids.insert(copies[0], 0);
        let mut graph = Symbolic::default();
        let mut at = 0;
        while at < copies.len() {
            let (state, level) = copies[at];
            at += 1;
            let mut arcs = Vec::new();
            for arc in &automaton.arcs[state as usize] {
                if sccs.inside(state, arc) {
                    let copy = (arc.target, self.step(level, arc));
                    let target = *ids.entry(copy).or_insert_with(|| {
                        copies.push(copy);
                        (copies.len() - 1) as StateId
                    });
                    arcs.push(Arc { target, ..*arc });
                }
            }
            graph.arcs.push(arcs);
        }
        let parts = Sccs::of(&graph);
        let closed = |part: &&crate::symbolic::scc::Scc| {
            part.states
                .iter()
                .all(|&state| graph.arcs[state as usize].iter().all(|arc| parts.inside(state, arc)))
        };
        let best = parts.sccs.iter().filter(closed).min_by_key(|part| part.states.len());
        best.map_or(Vec::new(), |part| {
            part.states.iter().map(|&state| copies[state as usize]).collect()
        })
    }
}

/// All orders of the items, beginning with the given one.
fn permutations(items: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let mut next = Some(items.to_vec());
    std::iter::from_fn(move || {
        let current = next.take()?;
        // The next one in lexicographic order.
        let mut following = current.clone();
        if let Some(i) = (1..following.len()).rev().find(|&i| following[i - 1] < following[i]) {
            let j = (i..following.len()).rev().find(|&j| following[j] > following[i - 1]);
            following.swap(i - 1, j.unwrap_or(i));
            following[i..].reverse();
            next = Some(following);
        }
        Some(current)
    })
}
