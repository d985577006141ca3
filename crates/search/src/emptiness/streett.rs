//! Runs that are strongly fair: for each pair of marks, if the first is seen infinitely often,
//! so is the second; and all of some further marks are seen infinitely often.
//!
//! Emerson and Lei, *Modalities for model checking*, 1987: a component that carries every mark
//! that is wanted, and the answer to each request in it, holds such a run. If an answer is
//! missing, a run in the component must come to do without the request: the edges that carry it
//! are taken away, and what is left is taken apart again.
//!
//! This is no search on the fly: the graph is brought into memory first, breadth first, so that
//! prefixes are shortest.

use super::conclude;
use super::cover::{Adjacency, Edge, round};
use crate::dfs::SearchOptions;
use lariat_core::lasso::expand_into;
use lariat_core::{Batch, Full, Graph, Lasso, Limit, Lossless, Marks, Outcome, RowOf, Run, Stats};
use std::collections::HashMap;

/// What a run must carry. Parallel edges carry the same requests, so that a run is told by its
/// states.
#[derive(Clone, Debug, Default)]
pub struct Condition {
    /// All of these infinitely often.
    pub all: Marks,
    /// (request, answer): numbers of marks.
    pub pairs: Vec<(u32, u32)>,
}

impl Condition {
    /// Whether a cycle with these marks is what is looked for.
    pub fn holds(&self, marks: Marks) -> bool {
        marks.contains(self.all) && self.unanswered(marks).is_empty()
    }

    /// The requests among these marks whose answer is not.
    fn unanswered(&self, marks: Marks) -> Marks {
        let open = self.pairs.iter().filter(|&&(ask, answer)| marks.has(ask) && !marks.has(answer));
        open.fold(Marks::NONE, |open, &(ask, _)| open | Marks::one(ask))
    }
}

/// Whether `graph` has a run that meets the condition. `store` is an empty one.
pub fn check<G, S>(
    graph: &mut G,
    store: &mut S,
    options: SearchOptions,
    condition: &Condition,
) -> Outcome
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>, Tag = u32>,
{
    let whole = Whole::explore(graph, store, options);
    let mut stats = Stats {
        states: whole.states.len() as u64,
        transitions: whole.edges.len() as u64,
        expansions: whole.states.len() as u64,
        depth: whole.depth,
        ..Stats::default()
    };
    let Whole { states, parents, edges, cut, .. } = whole;
    let mut parts = vec![edges];
    let mut found = None;
    while let Some(part) = parts.pop() {
        for component in components(part) {
            stats.sccs += 1;
            let marks = component.iter().fold(Marks::NONE, |marks, edge| marks | edge.marks);
            let open = condition.unanswered(marks);
            if !marks.contains(condition.all) {
                continue;
            }
            if open.is_empty() {
                let (knot, cycle) = cycle(component, marks);
                let run = |numbers: &mut dyn Iterator<Item = u32>| {
                    let mut run = Run::new(store.row(states[0]).as_ref().len());
                    numbers.for_each(|state| run.push(store.row(states[state as usize]).as_ref()));
                    run
                };
                let mut prefix = path_to(knot, &parents);
                found = Some(Lasso {
                    prefix: run(&mut prefix.drain(..)),
                    cycle: run(&mut cycle.into_iter()),
                });
                parts.clear();
                break;
            }
            let rest: Vec<Edge> = component
                .into_iter()
                .filter(|edge| edge.marks.without(open) == edge.marks)
                .collect();
            parts.push(rest);
        }
    }
    conclude(store, found, cut, stats)
}

/// A graph in memory.
struct Whole<I> {
    states: Vec<I>,
    /// The state before in the breadth-first search; itself for initial ones.
    parents: Vec<u32>,
    edges: Vec<Edge>,
    depth: u64,
    cut: Option<Limit>,
}

impl<I: Copy> Whole<I> {
    fn explore<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Self
    where
        G: Graph,
        S: Lossless<Row = RowOf<G::Batch>, Id = I, Tag = u32>,
    {
        let (states, parents, edges) = (Vec::new(), Vec::new(), Vec::new());
        let mut whole = Whole { states, parents, edges, depth: 0, cut: None };
        let mut batch = graph.batch(usize::MAX);
        graph.initial(&mut batch);
        if let Some(limit) = graph.stopped() {
            whole.cut = Some(limit);
            return whole;
        }
        if whole.make_room(store, &batch).is_err() {
            whole.cut = Some(Limit::Memory);
            return whole;
        }
        for i in 0..batch.len() {
            whole.number(store, batch.row(i), None);
        }
        let (mut src, mut level_end) = (0, whole.states.len());
        while src < whole.states.len() {
            if src == level_end {
                level_end = whole.states.len();
                whole.depth += 1;
            }
            if whole.depth as usize + 1 >= options.depth_limit {
                whole.cut = Some(Limit::Depth);
                break;
            }
            expand_into(graph, store.row(whole.states[src]), &mut batch);
            if let Some(limit) = graph.stopped() {
                whole.cut = Some(limit);
                break;
            }
            if whole.make_room(store, &batch).is_err() {
                whole.cut = Some(Limit::Memory);
                break;
            }
            for i in 0..batch.len() {
                let dst = whole.number(store, batch.row(i), Some(src as u32));
                whole.edges.push(Edge { src: src as u32, dst, marks: batch.marks(i) });
            }
            src += 1;
        }
        whole
    }

    fn make_room<S, B>(&mut self, store: &mut S, batch: &B) -> Result<(), Full>
    where
        S: Lossless<Id = I>,
        B: Batch<Row = S::Row>,
    {
        let more = batch.len();
        self.states.try_reserve(more).or(Err(Full))?;
        self.parents.try_reserve(more).or(Err(Full))?;
        self.edges.try_reserve(more).or(Err(Full))?;
        store.make_room(batch)
    }

    fn number<S>(&mut self, store: &mut S, row: &S::Row, parent: Option<u32>) -> u32
    where
        S: Lossless<Id = I, Tag = u32>,
    {
        let id = store.intern(row);
        let known = store.tag(id);
        if known != 0 {
            return known - 1;
        }
        let number = self.states.len() as u32;
        store.set_tag(id, number + 1);
        self.states.push(id);
        self.parents.push(parent.unwrap_or(number));
        number
    }
}

/// From an initial state to the one before `state`.
fn path_to(state: u32, parents: &[u32]) -> Vec<u32> {
    let mut path = Vec::new();
    let mut at = state;
    while parents[at as usize] != at {
        at = parents[at as usize];
        path.push(at);
    }
    path.reverse();
    path
}

/// A state of the component and a cycle from it that carries `marks`.
fn cycle(component: Vec<Edge>, marks: Marks) -> (u32, Vec<u32>) {
    // The state that was found first has the shortest prefix.
    let knot = component.iter().map(|edge| edge.src).min().expect("a component has edges");
    let mut names = Names::default();
    names.number(knot);
    let edges = component.iter().map(|edge| names.edge(*edge)).collect();
    let cycle = round(names.states.len(), edges, marks).expect("a component is connected");
    (knot, cycle.into_iter().map(|state| names.states[state as usize]).collect())
}

/// States of a part, numbered from 0.
#[derive(Default)]
struct Names {
    numbers: HashMap<u32, u32>,
    states: Vec<u32>,
}

impl Names {
    fn number(&mut self, state: u32) -> u32 {
        *self.numbers.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.states.len() as u32 - 1
        })
    }

    fn edge(&mut self, edge: Edge) -> Edge {
        Edge { src: self.number(edge.src), dst: self.number(edge.dst), ..edge }
    }
}

/// The edges inside each component that has any.
fn components(edges: Vec<Edge>) -> Vec<Vec<Edge>> {
    let mut names = Names::default();
    let numbered: Vec<Edge> = edges.iter().map(|edge| names.edge(*edge)).collect();
    let out = Adjacency::new(names.states.len(), numbered.iter().map(|edge| edge.src));
    let component = tarjan(&out, &numbered, names.states.len());
    let mut inside: HashMap<u32, Vec<Edge>> = HashMap::new();
    for (edge, numbered) in edges.into_iter().zip(&numbered) {
        let of = component[numbered.src as usize];
        if of == component[numbered.dst as usize] {
            inside.entry(of).or_default().push(edge);
        }
    }
    let mut inside: Vec<_> = inside.into_iter().collect();
    inside.sort_unstable_by_key(|&(component, _)| component);
    inside.into_iter().map(|(_, edges)| edges).collect()
}

const NONE: u32 = u32::MAX;

/// Tarjan 1972 with an explicit stack: the number of each state's component.
fn tarjan(out: &Adjacency, edges: &[Edge], len: usize) -> Vec<u32> {
    let mut number = vec![NONE; len];
    let mut low = vec![0; len];
    let mut component = vec![NONE; len];
    let (mut open, mut path): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    let (mut next, mut closed) = (0, 0);
    for root in 0..len as u32 {
        if number[root as usize] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some((state, at)) = path.last_mut() {
            let s = *state as usize;
            if *at == 0 && number[s] == NONE {
                (number[s], low[s]) = (next, next);
                next += 1;
                open.push(*state);
            }
            if let Some(&edge) = out.of(*state).get(*at) {
                *at += 1;
                let t = edges[edge as usize].dst as usize;
                if number[t] == NONE {
                    path.push((t as u32, 0));
                } else if component[t] == NONE {
                    low[s] = low[s].min(number[t]);
                }
                continue;
            }
            path.pop();
            if low[s] == number[s] {
                while let Some(state) = open.pop() {
                    component[state as usize] = closed;
                    if state as usize == s {
                        break;
                    }
                }
                closed += 1;
            } else if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[s]);
            }
        }
    }
    component
}
