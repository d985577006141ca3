//! Strongly connected components (Tarjan 1972, with an explicit stack) of the part that is
//! reachable. Edges whose label no letter satisfies do not exist here.

use crate::{Edge, StateId, Tgba};
use lariat_core::Marks;

/// An index into [`Sccs::members`].
pub type SccId = u32;

const UNREACHED: u32 = u32::MAX;

/// The components, successors first: an edge between two of them goes to the smaller number.
#[derive(Clone, Debug)]
pub struct Sccs {
    /// The states of each component, in order of discovery.
    pub members: Vec<Vec<StateId>>,
    component: Vec<SccId>,
    /// For each edge whether a letter takes it.
    satisfiable: Vec<Vec<bool>>,
}

/// A state on the search stack, with the next edge to look at.
struct Frame {
    state: StateId,
    next: usize,
}

impl Sccs {
    pub fn new(tgba: &Tgba) -> Self {
        let satisfiable: Vec<Vec<bool>> = tgba
            .edges
            .iter()
            .map(|edges| edges.iter().map(|edge| edge.label.is_satisfiable()).collect())
            .collect();
        let mut sccs = Sccs {
            members: Vec::new(),
            component: vec![UNREACHED; tgba.state_count()],
            satisfiable,
        };
        // The number in order of discovery, and the smallest one known to be reachable.
        let mut number = vec![UNREACHED; tgba.state_count()];
        let mut low = vec![UNREACHED; tgba.state_count()];
        let mut discovered = 0;
        let mut frames: Vec<Frame> = Vec::new();
        let mut open: Vec<StateId> = Vec::new();
        for &root in &tgba.initial {
            let mut entering = (number[root as usize] == UNREACHED).then_some(root);
            while let Some(state) = entering.take().or_else(|| frames.last().map(|f| f.state)) {
                let s = state as usize;
                if number[s] == UNREACHED {
                    number[s] = discovered;
                    low[s] = discovered;
                    discovered += 1;
                    open.push(state);
                    frames.push(Frame { state, next: 0 });
                }
                let frame = frames.last_mut().expect("just pushed or seen");
                let edges = &tgba.edges[s];
                while frame.next < edges.len() {
                    let (edge, exists) = (&edges[frame.next], sccs.satisfiable[s][frame.next]);
                    frame.next += 1;
                    let t = edge.target as usize;
                    if !exists {
                        continue;
                    }
                    if number[t] == UNREACHED {
                        entering = Some(edge.target);
                        break;
                    }
                    if sccs.component[t] == UNREACHED {
                        low[s] = low[s].min(number[t]);
                    }
                }
                if entering.is_some() {
                    continue;
                }
                frames.pop();
                if let Some(parent) = frames.last() {
                    let p = parent.state as usize;
                    low[p] = low[p].min(low[s]);
                }
                if low[s] == number[s] {
                    let root = open.iter().rposition(|&other| other == state).expect("is open");
                    let members: Vec<StateId> = open.drain(root..).collect();
                    for &member in &members {
                        sccs.component[member as usize] = sccs.members.len() as SccId;
                    }
                    sccs.members.push(members);
                }
            }
        }
        sccs
    }

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
