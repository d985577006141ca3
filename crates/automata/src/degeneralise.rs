//! From several acceptance sets on edges to one on states, with few copies: T. Babiak, Th.
//! Badie, A. Duret-Lutz, M. Křetínský, J. Strejček, "Compositional approach to suspension and
//! other improvements to LTL translation", SPIN 2013, section 3.
//!
//! A copy (s, l) of a state says that the first l sets, in some order, were seen; l = all of
//! them makes it accepting. Each component counts for itself. Three things keep it small: an
//! edge may climb several levels; a set that all edges out of a state carry counts on
//! arrival; and since the level is of no account on entering a component, runs enter it in
//! the smallest closed part of its copies.

use crate::tarjan::{At, components};
use crate::{Edge, StateId, Tgba};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// A state and its level.
type Copy = (StateId, u32);

/// Orders of the sets that are tried for each component.
const MAX_ORDERS: usize = 24;

/// An equivalent automaton with one mark, on states, and the state of `tgba` that each of its
/// states is a copy of. Only reachable states are kept.
pub fn degeneralise(tgba: &Tgba) -> (Tgba, Vec<StateId>) {
    let taken = |edges: &'_ Vec<Edge>| -> Vec<Edge> {
        edges.iter().filter(|edge| edge.label.is_satisfiable()).cloned().collect()
    };
    let taken: Vec<Vec<Edge>> = tgba.edges.iter().map(taken).collect();
    let arcs = |edges: &Vec<Edge>| edges.iter().map(|edge| (edge.marks, edge.target)).collect();
    let arcs: Vec<Vec<_>> = taken.iter().map(arcs).collect();
    let copied = copied(tgba.mark_count, &tgba.initial, &arcs, usize::MAX);
    let copied = copied.expect("there is no limit");
    let name_of = |&state: &StateId| tgba.state_names.get(state as usize).cloned();
    let edges = copied.states().map(|(state, marks, targets)| {
        let edges = taken[state as usize].iter().zip(targets);
        edges.map(|(edge, &target)| Edge { label: edge.label.clone(), marks, target }).collect()
    });
    let result = Tgba {
        name: tgba.name.clone(),
        aps: tgba.aps.clone(),
        mark_count: 1,
        state_names: copied.of.iter().filter_map(name_of).collect(),
        edges: edges.collect(),
        initial: copied.initial,
    };
    (result, copied.of)
}

/// The copies of states, numbered as they are met, breadth first.
#[derive(Default)]
pub(crate) struct Copied {
    /// The state that each is a copy of.
    of: Vec<StateId>,
    initial: Vec<StateId>,
    accepting: Vec<bool>,
    /// Where the edges of its state lead, in their order.
    targets: Vec<Vec<StateId>>,
}

impl Copied {
    /// Of each copy: its state, its marks, and where the edges of its state lead.
    pub(crate) fn states(&self) -> impl Iterator<Item = (StateId, Marks, &[StateId])> {
        let marks = |&accepting: &bool| if accepting { Marks::one(0) } else { Marks::NONE };
        let marked = self.of.iter().zip(self.accepting.iter().map(marks));
        marked.zip(&self.targets).map(|((&of, marks), targets)| (of, marks, &targets[..]))
    }
}

/// The copies of an automaton with these edges; `None` if there are more than `max_states`.
pub(crate) fn copied(
    mark_count: u32,
    initial: &[StateId],
    edges: &[Vec<(Marks, StateId)>],
    max_states: usize,
) -> Option<Copied> {
    let edge = |state: StateId, at: usize| {
        edges[state as usize].get(at).map_or(At::End, |&(_, target)| At::Edge(target))
    };
    let sccs = components(edges.len(), initial.iter().copied(), edge);
    let of = |state: StateId| sccs.of[state as usize] as usize;
    let inner = |state: StateId| {
        let edges = edges[state as usize].iter();
        edges.copied().filter(move |&(_, target)| of(target) == of(state))
    };
    let best = |states: &Vec<StateId>| Counter::best(mark_count, states, &inner);
    let counters: Vec<Counter> = sccs.members.iter().map(best).collect();
    let enter = |state: StateId| (state, counters[of(state)].enter(state));
    let mut copies = Copies::default();
    let mut found = Copied::default();
    found.initial.extend(initial.iter().map(|&state| copies.id(enter(state))));
    while let Some((state, level)) = copies.next() {
        let counter = &counters[of(state)];
        found.accepting.push(counter.accepting(level));
        let copy = |&(marks, target): &(Marks, StateId)| match of(target) == of(state) {
            true => (target, counter.step(level, marks, target)),
            false => enter(target),
        };
        let targets = edges[state as usize].iter().map(|edge| copies.id(copy(edge)));
        found.targets.push(targets.collect());
        if copies.names.len() > max_states {
            return None;
        }
    }
    found.of = copies.names.iter().map(|&(state, _)| state).collect();
    Some(found)
}

/// Copies in the order in which they are met.
#[derive(Default)]
struct Copies {
    names: Vec<Copy>,
    ids: FxHashMap<Copy, StateId>,
    /// How many have been taken.
    taken: usize,
}

impl Copies {
    fn id(&mut self, copy: Copy) -> StateId {
        *self.ids.entry(copy).or_insert_with(|| {
            self.names.push(copy);
            (self.names.len() - 1) as StateId
        })
    }

    fn next(&mut self) -> Option<Copy> {
        let next = self.names.get(self.taken).copied();
        self.taken += usize::from(next.is_some());
        next
    }
}

/// How the levels of one component go.
#[derive(Default)]
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
    /// `inner` are the edges of a state that stay in the component.
    fn best<E>(mark_count: u32, states: &[StateId], inner: &impl Fn(StateId) -> E) -> Counter
    where
        E: Iterator<Item = (Marks, StateId)>,
    {
        let mut counter = Counter::default();
        let all = |edges: E| edges.fold(Marks(u64::MAX), |all, (marks, _)| Marks(all.0 & marks.0));
        let mut edges = states.iter().flat_map(|&state| inner(state)).peekable();
        let is_cyclic = edges.peek().is_some();
        let union = edges.fold(Marks::NONE, |union, (marks, _)| union | marks);
        if !is_cyclic || !union.contains(Marks::all(mark_count)) {
            return counter;
        }
        counter.common.extend(states.iter().map(|&state| (state, all(inner(state)))));
        let everywhere = counter.common.values().fold(u64::MAX, |all, marks| all & marks.0);
        let sets: Vec<u32> = (0..mark_count).filter(|&mark| !Marks(everywhere).has(mark)).collect();
        let mut smallest = usize::MAX;
        let mut best = (Vec::new(), FxHashMap::default());
        // Large components are not worth the time of many orders.
        let orders = (MAX_ORDERS * 64 / (states.len() * sets.len().max(1))).clamp(1, MAX_ORDERS);
        for order in permutations(&sets).take(orders) {
            counter.order = Some(order.clone());
            let closed = counter.closed_part(states[0], inner);
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

    fn enter(&self, state: StateId) -> u32 {
        self.entry.get(&state).copied().unwrap_or(0)
    }

    /// The level after an edge inside the component.
    fn step(&self, level: u32, marks: Marks, target: StateId) -> u32 {
        let Some(order) = &self.order else { return 0 };
        let mut level = if level == self.top() { 0 } else { level };
        let seen = marks | self.common.get(&target).copied().unwrap_or_default();
        while level < self.top() && seen.has(order[level as usize]) {
            level += 1;
        }
        level
    }

    /// The smallest strongly connected part of the copies that is not left. All states of the
    /// component are in it, and what is not need not exist.
    fn closed_part<E>(&self, first: StateId, inner: &impl Fn(StateId) -> E) -> Vec<Copy>
    where
        E: Iterator<Item = (Marks, StateId)>,
    {
        let mut copies = Copies::default();
        copies.id((first, 0));
        let mut edges: Vec<Vec<StateId>> = Vec::new();
        while let Some((state, level)) = copies.next() {
            let next = |(marks, target)| (target, self.step(level, marks, target));
            edges.push(inner(state).map(|edge| copies.id(next(edge))).collect());
        }
        let edge = |copy: StateId, at: usize| {
            edges[copy as usize].get(at).map_or(At::End, |&target| At::Edge(target))
        };
        let parts = components(edges.len(), [0], edge);
        let part_of = |copy: &StateId| parts.of[*copy as usize];
        let closed = |part: &&Vec<StateId>| {
            let inside = |copy: &StateId| {
                edges[*copy as usize].iter().all(|target| part_of(target) == part_of(copy))
            };
            part.iter().all(inside)
        };
        let best = parts.members.iter().filter(closed).min_by_key(|part| part.len());
        let best = best.expect("a finite graph has a component that is never left");
        best.iter().map(|&copy| copies.names[copy as usize]).collect()
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
