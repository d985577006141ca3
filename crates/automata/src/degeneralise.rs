//! From generalised to plain Büchi acceptance by counting through the marks: a copy of a
//! state remembers how many marks of a fixed order were seen since the count last wrapped
//! (the classical construction; for TGBA see Gastin & Oddoux, CAV 2001, §5; per component:
//! Babiak et al., SPIN 2013, §3).
//!
//! With `n` states and `m` marks the result has at most `n·m` states when acceptance is put
//! on transitions, or when the input is state-based already, and `n·(m+1)` otherwise.
//!
//! By component, this becomes much less: a component that accepts nothing needs no count;
//! marks on all its edges need not be counted; each component may have its own order; and
//! since the count matters only inside a component, runs may enter it at any count: they
//! enter at one that belongs to the smallest closed part of the copies.

use crate::scc::{SccId, Sccs};
use crate::{Edge, Label, StateId, Tgba};
use lariat_core::Marks;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Where the one mark of the result goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Output {
    /// On all edges of a state or on none.
    #[default]
    States,
    Transitions,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub output: Output,
    /// Count per component, see above.
    pub by_component: bool,
    /// How many orders of the marks to try for each component; the smallest result wins.
    pub orders: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { output: Output::States, by_component: true, orders: 24 }
    }
}

/// Beyond this many edges of copies, fewer orders are tried.
const MAX_WORK: usize = 1 << 20;

/// An equivalent automaton with one mark. Only reachable states are kept.
pub fn degeneralise(tgba: &Tgba, options: &Options) -> Tgba {
    degeneralise_with_origins(tgba, options).0
}

/// The same, with the state of `tgba` that each state of the result is a copy of.
pub fn degeneralise_with_origins(tgba: &Tgba, options: &Options) -> (Tgba, Vec<StateId>) {
    Degeneraliser::new(tgba, *options).run()
}

/// A part of the automaton with a count of its own.
#[derive(Clone, Debug, Default)]
struct Region {
    /// The marks to see, in this order; `None` when nothing inside is accepted.
    order: Option<Vec<u32>>,
    /// The count with which a state is entered; 0 where absent.
    entry: FxHashMap<StateId, u32>,
}

/// A copy of a state: the state, and how many marks were seen.
type Copy = (StateId, u32);

struct Degeneraliser<'t> {
    tgba: &'t Tgba,
    sccs: Sccs,
    options: Options,
    /// Marks that all edges of a state inside its region share.
    shared: Vec<Marks>,
}

impl<'t> Degeneraliser<'t> {
    fn new(tgba: &'t Tgba, options: Options) -> Self {
        let sccs = Sccs::new(tgba);
        let mut this =
            Degeneraliser { tgba, sccs, options, shared: vec![Marks::NONE; tgba.state_count()] };
        for state in this.sccs.members.iter().flatten().copied().collect::<Vec<_>>() {
            let inner = this.edges(state).filter(|edge| this.same_region(state, edge.target));
            let shared = inner.map(|edge| edge.marks.0).reduce(|all, marks| all & marks);
            this.shared[state as usize] = Marks(shared.unwrap_or(0));
        }
        this
    }

    fn edges(&self, state: StateId) -> impl Iterator<Item = &'t Edge> + use<'t, '_> {
        self.sccs.edges(self.tgba, state)
    }

    fn region_of(&self, state: StateId) -> usize {
        let scc = self.sccs.of(state).expect("only reachable states are asked for");
        if self.options.by_component { scc as usize } else { 0 }
    }

    fn same_region(&self, source: StateId, target: StateId) -> bool {
        self.region_of(source) == self.region_of(target)
    }

    /// How far the count gets from `count` with `marks` at hand.
    fn count_on(order: &[u32], mut count: u32, marks: Marks) -> u32 {
        while order.get(count as usize).is_some_and(|&mark| marks.has(mark)) {
            count += 1;
        }
        count
    }

    /// The count after an edge inside a region, and whether the edge is to be marked.
    ///
    /// With acceptance on states, what all edges of the target share is counted on arrival.
    /// Such marks are not counted again on leaving, else a state-based input would get more
    /// copies than needed.
    fn step(&self, order: &[u32], (source, count): Copy, edge: &Edge) -> (u32, bool) {
        let length = order.len() as u32;
        match self.options.output {
            Output::States => {
                let fresh = edge.marks.without(self.shared[source as usize]);
                let from = if count == length { 0 } else { count };
                let counted = Self::count_on(order, from, fresh);
                (Self::count_on(order, counted, self.shared[edge.target as usize]), count == length)
            }
            Output::Transitions => match Self::count_on(order, count, edge.marks) {
                full if full == length => {
                    let again = Self::count_on(order, 0, edge.marks);
                    (if again == length { 0 } else { again }, true)
                }
                count => (count, false),
            },
        }
    }

    /// The count of a state that is entered from outside, where no better one is known.
    fn plain_entry(&self, order: &[u32], state: StateId) -> u32 {
        match self.options.output {
            Output::States => Self::count_on(order, 0, self.shared[state as usize]),
            Output::Transitions => 0,
        }
    }

    fn run(self) -> (Tgba, Vec<StateId>) {
        let regions = if self.options.by_component {
            (0..self.sccs.len() as SccId).map(|scc| self.plan(scc)).collect()
        } else {
            vec![Region { order: Some((0..self.tgba.mark_count).collect()), ..Region::default() }]
        };
        self.build(&regions)
    }

    /// The order with the fewest copies for a component.
    fn plan(&self, scc: SccId) -> Region {
        if !self.sccs.is_accepting(self.tgba, scc) {
            return Region::default();
        }
        let inner = || self.sccs.inner_edges(self.tgba, scc).map(|(_, edge)| edge.marks);
        let everywhere =
            inner().fold(Marks::all(self.tgba.mark_count), |all, marks| Marks(all.0 & marks.0));
        let mut order: Vec<u32> =
            Marks::all(self.tgba.mark_count).without(everywhere).iter().collect();
        let work = (inner().count() * (order.len() + 1)).max(1);
        let orders = self.options.orders.min(MAX_WORK / work).max(1);
        let mut best: Option<(usize, Region)> = None;
        for _ in 0..orders {
            let (size, entry) = self.smallest_closed_part(scc, &order);
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, Region { order: Some(order.clone()), entry }));
            }
            if size == self.sccs.members[scc as usize].len() || !next_permutation(&mut order) {
                break;
            }
        }
        best.expect("at least one order was tried").1
    }

    /// The copies of a component as a graph; of its components that are never left, the
    /// smallest has all states of the component, and what is not in it need not exist.
    fn smallest_closed_part(&self, scc: SccId, order: &[u32]) -> (usize, FxHashMap<StateId, u32>) {
        let entries = self.sccs.members[scc as usize].iter();
        let entries = entries.map(|&state| (state, self.plain_entry(order, state)));
        let mut copies = Copies::default();
        for entry in entries {
            let id = copies.id(entry);
            copies.graph.initial.push(id);
        }
        while let Some(copy) = copies.todo.pop_front() {
            let source = copies.id(copy);
            for edge in self.edges(copy.0).filter(|edge| self.same_region(copy.0, edge.target)) {
                let target = copies.id((edge.target, self.step(order, copy, edge).0));
                copies.graph.add_edge(source, Label::True, Marks::NONE, target);
            }
        }
        let parts = Sccs::new(&copies.graph);
        let closed = |part: &&Vec<StateId>| {
            let own = parts.of(part[0]);
            part.iter().all(|&copy| {
                parts.edges(&copies.graph, copy).all(|edge| parts.of(edge.target) == own)
            })
        };
        let part = parts.members.iter().filter(closed).min_by_key(|part| part.len());
        let part = part.expect("a finite graph has a component that is never left");
        let mut entry: FxHashMap<StateId, u32> = FxHashMap::default();
        for &copy in part {
            let (state, count) = copies.names[copy as usize];
            let least = entry.entry(state).or_insert(count);
            *least = count.min(*least);
        }
        (part.len(), entry)
    }

    fn build(&self, regions: &[Region]) -> (Tgba, Vec<StateId>) {
        let enter = |state: StateId| {
            let region = &regions[self.region_of(state)];
            let plain = || region.order.as_ref().map_or(0, |order| self.plain_entry(order, state));
            (state, region.entry.get(&state).copied().unwrap_or_else(plain))
        };
        let mut copies = Copies::default();
        for &state in &self.tgba.initial {
            let id = copies.id(enter(state));
            copies.graph.initial.push(id);
        }
        while let Some(copy) = copies.todo.pop_front() {
            let source = copies.id(copy);
            let order = regions[self.region_of(copy.0)].order.as_deref();
            let by_states = self.options.output == Output::States;
            let accepting = by_states && order.is_some_and(|order| copy.1 == order.len() as u32);
            for edge in self.edges(copy.0) {
                let inside = order.filter(|_| self.same_region(copy.0, edge.target));
                let (next, marked) = match inside {
                    Some(order) => {
                        let (count, marked) = self.step(order, copy, edge);
                        ((edge.target, count), marked)
                    }
                    None => (enter(edge.target), accepting),
                };
                let target = copies.id(next);
                let marks = if marked { Marks::one(0) } else { Marks::NONE };
                let label = edge.label.clone();
                copies.graph.edges[source as usize].push(Edge { label, marks, target });
            }
        }
        let origins: Vec<StateId> = copies.names.iter().map(|&(state, _)| state).collect();
        let name_of = |&state: &StateId| self.tgba.state_names[state as usize].clone();
        let named = !self.tgba.state_names.is_empty();
        let result = Tgba {
            name: self.tgba.name.clone(),
            aps: self.tgba.aps.clone(),
            mark_count: 1,
            state_names: if named { origins.iter().map(name_of).collect() } else { Vec::new() },
            ..copies.graph
        };
        (result, origins)
    }
}

/// Copies of states, numbered as they are met.
#[derive(Default)]
struct Copies {
    graph: Tgba,
    names: Vec<Copy>,
    ids: FxHashMap<Copy, StateId>,
    todo: VecDeque<Copy>,
}

impl Copies {
    fn id(&mut self, copy: Copy) -> StateId {
        *self.ids.entry(copy).or_insert_with(|| {
            self.names.push(copy);
            self.todo.push_back(copy);
            self.graph.add_state()
        })
    }
}

/// The next order in lexicographic order; false after the last.
fn next_permutation(order: &mut [u32]) -> bool {
    let Some(pivot) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let other = order.iter().rposition(|&mark| mark > order[pivot]).expect("the next is larger");
    order.swap(pivot, other);
    order[pivot + 1..].reverse();
    true
}
