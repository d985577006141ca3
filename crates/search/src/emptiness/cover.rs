//! A cycle through a given state that carries all marks, among states that a search visited.
//!
//! The successors are generated once more, breadth first, and kept as a list of edges; then
//! everything is plain graph work on numbers. The cycle is put together from shortest paths
//! to the nearest edge with a missing mark (Couvreur, Duret-Lutz, Poitrenaud, *On-the-fly
//! emptiness checks for generalized Büchi automata*, SPIN 2005), so it is short, not shortest.

use lariat_core::lasso::expand_into;
use lariat_core::{Batch, Graph, Lossless, Marks, RowOf, Run};
use std::collections::{HashMap, VecDeque};

/// `None` if no cycle among the states whose tag is `inside` leads through `knot` and every
/// mark of `all`.
pub(super) fn cycle_through<G, S>(
    graph: &mut G,
    store: &S,
    knot: S::Id,
    all: Marks,
    inside: impl Fn(S::Tag) -> bool,
) -> Option<Run>
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>>,
{
    // The part that knot leads to; state 0 is knot.
    let mut number = HashMap::from([(knot, 0)]);
    let (mut states, mut edges) = (vec![knot], Vec::new());
    let mut batch = graph.batch(usize::MAX);
    let mut src = 0;
    while src < states.len() {
        expand_into(graph, store.row(states[src]), &mut batch);
        for i in 0..batch.len() {
            let Some(id) = store.find(batch.row(i)).filter(|&id| inside(store.tag(id))) else {
                continue;
            };
            let dst = *number.entry(id).or_insert_with(|| {
                states.push(id);
                states.len() as u32 - 1
            });
            edges.push(Edge { src: src as u32, dst, marks: batch.marks(i) });
        }
        src += 1;
    }
    drop(number);
    let path = round(states.len(), edges, all)?;
    let mut cycle = Run::new(store.row(knot).as_ref().len());
    for state in path {
        cycle.push(store.row(states[state as usize]).as_ref());
    }
    Some(cycle)
}

#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) src: u32,
    pub(super) dst: u32,
    pub(super) marks: Marks,
}

/// A round from state 0 back to it over edges that carry `all` marks together; without the
/// second 0.
pub(super) fn round(len: usize, mut edges: Vec<Edge>, all: Marks) -> Option<Vec<u32>> {
    // Keep what leads back to 0.
    let back = Adjacency::new(len, edges.iter().map(|edge| edge.dst));
    let mut leads_back = vec![false; len];
    leads_back[0] = true;
    let mut todo = vec![0];
    while let Some(state) = todo.pop() {
        for &i in back.of(state) {
            let before = edges[i as usize].src;
            if !std::mem::replace(&mut leads_back[before as usize], true) {
                todo.push(before);
            }
        }
    }
    drop(back);
    edges.retain(|edge| leads_back[edge.src as usize] && leads_back[edge.dst as usize]);

    let out = Adjacency::new(len, edges.iter().map(|edge| edge.src));
    let (mut path, mut missing) = (vec![0], all);
    let mut walk = Walk { edges: &edges, out: &out, entered_by: vec![UNSEEN; len] };
    let mut here = 0;
    while !missing.is_empty() {
        let steps = walk.shortest(here, |edge| edge.marks.without(missing) != edge.marks)?;
        here = follow(&edges, &steps, &mut path, &mut missing);
    }
    if here != 0 || path.len() == 1 {
        let steps = walk.shortest(here, |edge| edge.dst == 0)?;
        follow(&edges, &steps, &mut path, &mut missing);
    }
    path.pop();
    Some(path)
}

/// Appends the targets of these edges and crosses their marks off.
fn follow(edges: &[Edge], steps: &[u32], path: &mut Vec<u32>, missing: &mut Marks) -> u32 {
    let mut here = 0;
    for &step in steps {
        let edge = edges[step as usize];
        path.push(edge.dst);
        *missing = missing.without(edge.marks);
        here = edge.dst;
    }
    here
}

const UNSEEN: u32 = u32::MAX;
const START: u32 = u32::MAX - 1;

struct Walk<'a> {
    edges: &'a [Edge],
    out: &'a Adjacency,
    /// The edge by which the breadth-first search came to a state.
    entered_by: Vec<u32>,
}

impl Walk<'_> {
    /// The shortest path from `from` whose last edge is wanted; edges in order.
    fn shortest(&mut self, from: u32, wanted: impl Fn(&Edge) -> bool) -> Option<Vec<u32>> {
        self.entered_by.fill(UNSEEN);
        self.entered_by[from as usize] = START;
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for &i in self.out.of(state) {
                let edge = self.edges[i as usize];
                if wanted(&edge) {
                    return Some(self.path_to(i));
                }
                if self.entered_by[edge.dst as usize] == UNSEEN {
                    self.entered_by[edge.dst as usize] = i;
                    queue.push_back(edge.dst);
                }
            }
        }
        None
    }

    fn path_to(&self, last: u32) -> Vec<u32> {
        let mut steps = vec![last];
        let mut state = self.edges[last as usize].src;
        while self.entered_by[state as usize] != START {
            let step = self.entered_by[state as usize];
            steps.push(step);
            state = self.edges[step as usize].src;
        }
        steps.reverse();
        steps
    }
}

/// The numbers of the edges at each state, in one piece of memory.
pub(super) struct Adjacency {
    first: Vec<u32>,
    edges: Vec<u32>,
}

impl Adjacency {
    /// `ends` yields for each edge the state at which it is listed.
    pub(super) fn new(len: usize, ends: impl Iterator<Item = u32> + Clone) -> Self {
        let mut first = vec![0; len + 1];
        for at in ends.clone() {
            first[at as usize + 1] += 1;
        }
        for state in 0..len {
            first[state + 1] += first[state];
        }
        let mut next = first.clone();
        let mut edges = vec![0; first[len] as usize];
        for (i, at) in (0..).zip(ends) {
            edges[next[at as usize] as usize] = i;
            next[at as usize] += 1;
        }
        Adjacency { first, edges }
    }

    pub(super) fn of(&self, state: u32) -> &[u32] {
        let (start, end) = (self.first[state as usize], self.first[state as usize + 1]);
        &self.edges[start as usize..end as usize]
    }
}
