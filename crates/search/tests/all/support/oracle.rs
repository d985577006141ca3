//! What is true of a graph, from the components of the whole of it.

use super::Explicit;
use lariat_core::{Marks, Word};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// A maximal strongly connected set of states.
pub struct Component {
    pub states: Vec<Word>,
    /// Has an edge inside.
    pub cyclic: bool,
    /// The marks of the edges inside.
    pub marks: Marks,
    /// Some edge leaves it.
    pub open: bool,
}

/// The components of the graph that the edges span over states `0..len`.
pub fn components(len: usize, edges: &[(Word, Word, Marks)]) -> Vec<Component> {
    let mut graph = DiGraph::<(), Marks>::new();
    (0..len).for_each(|_| {
        graph.add_node(());
    });
    let node = |state: Word| NodeIndex::new(state as usize);
    for &(src, dst, marks) in edges {
        graph.add_edge(node(src), node(dst), marks);
    }
    let mut home = vec![0; len];
    let sets = kosaraju_scc(&graph);
    for (index, set) in sets.iter().enumerate() {
        set.iter().for_each(|state| home[state.index()] = index);
    }
    let mut components: Vec<_> = sets
        .iter()
        .map(|set| Component {
            states: set.iter().map(|state| state.index() as Word).collect(),
            cyclic: false,
            marks: Marks::NONE,
            open: false,
        })
        .collect();
    for &(src, dst, marks) in edges {
        let component = &mut components[home[src as usize]];
        if home[src as usize] == home[dst as usize] {
            component.cyclic = true;
            component.marks |= marks;
        } else {
            component.open = true;
        }
    }
    components
}

impl Explicit {
    pub fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut todo = self.initial.clone();
        while let Some(state) = todo.pop() {
            if !std::mem::replace(&mut seen[state as usize], true) {
                todo.extend(self.edges[state as usize].iter().map(|&(dst, _)| dst));
            }
        }
        seen
    }

    /// The edges that leave reachable states.
    pub fn reachable_edges(&self) -> Vec<(Word, Word, Marks)> {
        let reachable = self.reachable();
        let of =
            |src: usize| self.edges[src].iter().map(move |&(dst, marks)| (src as Word, dst, marks));
        (0..self.len()).filter(|&src| reachable[src]).flat_map(of).collect()
    }

    /// Components of the reachable part; an unreachable state is a component of its own.
    pub fn components(&self) -> Vec<Component> {
        components(self.len(), &self.reachable_edges())
    }

    /// Whether these edges have a cycle through an accepting state.
    pub fn accepting_by_states(&self, edges: &[(Word, Word, Marks)]) -> bool {
        let accepting = |&state: &Word| self.accepting[state as usize];
        components(self.len(), edges)
            .iter()
            .any(|component| component.cyclic && component.states.iter().any(accepting))
    }

    /// Whether these edges have a cycle that carries all marks.
    pub fn accepting_by_edges(&self, edges: &[(Word, Word, Marks)]) -> bool {
        components(self.len(), edges).iter().any(|component| {
            component.cyclic && component.marks.contains(Marks::all(self.mark_count))
        })
    }

    /// Whether these edges have a cycle without a state of `progress`.
    pub fn non_progress(&self, edges: &[(Word, Word, Marks)], progress: &[bool]) -> bool {
        let idle = |&(src, dst, _): &(Word, Word, Marks)| {
            !progress[src as usize] && !progress[dst as usize]
        };
        let idle: Vec<_> = edges.iter().copied().filter(idle).collect();
        components(self.len(), &idle).iter().any(|component| component.cyclic)
    }
}
