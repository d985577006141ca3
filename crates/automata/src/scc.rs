//! Strongly connected components of the part that is reachable. Edges whose label no letter satisfies do not exist here.

use crate::tarjan::{At, UNREACHED, components};
use crate::{Edge, StateId, Tgba};
use lariat_core::Marks;

/// An index into [`Sccs::members`].
pub type SccId = u32;

/// The components, successors first: an edge between two of them goes to the smaller number.
#[derive(Clone, Debug)]
pub struct Sccs {
    /// The states of each component, in order of discovery.
    pub members: Vec<Vec<StateId>>,
    component: Vec<SccId>,
    /// For each edge whether a letter takes it.
    satisfiable: Vec<Vec<bool>>,
}

impl Sccs {
    /// The components of the part that can be reached.
    pub fn new(tgba: &Tgba) -> Self {
        let satisfiable: Vec<Vec<bool>> = tgba
            .edges
            .iter()
            .map(|edges| edges.iter().map(|edge| edge.label.is_satisfiable()).collect())
            .collect();
        let edge = |state: StateId, at: usize| {
            let s = state as usize;
            match tgba.edges[s].get(at) {
                Some(edge) if satisfiable[s][at] => At::Edge(edge.target),
                Some(_) => At::Skip,
                None => At::End,
            }
        };
        let found = components(tgba.state_count(), tgba.initial.iter().copied(), edge);
        Sccs { members: found.members, component: found.of, satisfiable }
    }

    /// How many components there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The component of a state; `None` when it is not reachable.
    pub fn of(&self, state: StateId) -> Option<SccId> {
        Some(self.component[state as usize]).filter(|&component| component != UNREACHED)
    }

    /// The edges of a state that some letter takes.
    pub fn edges<'t>(
        &self,
        tgba: &'t Tgba,
        state: StateId,
    ) -> impl Iterator<Item = &'t Edge> + Clone {
        let satisfiable = &self.satisfiable[state as usize];
        let edges = tgba.edges[state as usize].iter();
        edges.zip(satisfiable).filter(|(_, satisfiable)| **satisfiable).map(|(edge, _)| edge)
    }

    /// The edges from a state of a component to states of it, with their sources.
    pub fn inner_edges<'t>(
        &self,
        tgba: &'t Tgba,
        scc: SccId,
    ) -> impl Iterator<Item = (StateId, &'t Edge)> {
        let members = self.members[scc as usize].iter();
        members.flat_map(move |&state| {
            let edges = self.edges(tgba, state);
            edges
                .filter(move |edge| self.of(edge.target) == Some(scc))
                .map(move |edge| (state, edge))
        })
    }

    /// Whether no edge stays in the component.
    pub fn is_trivial(&self, tgba: &Tgba, scc: SccId) -> bool {
        self.inner_edges(tgba, scc).next().is_none()
    }

    /// Whether some run that stays in the component is accepting.
    pub fn is_accepting(&self, tgba: &Tgba, scc: SccId) -> bool {
        let mut edges = self.inner_edges(tgba, scc).peekable();
        let all = Marks::all(tgba.mark_count);
        edges.peek().is_some()
            && edges.fold(Marks::NONE, |marks, (_, edge)| marks | edge.marks).contains(all)
    }
}
