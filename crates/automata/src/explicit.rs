//! Explicit automata as what the searches walk on: a graph of their own, or a property
//! automaton for a product with a model.

use crate::label::GuardError;
use crate::scc::Sccs;
use crate::{StateId, Tgba};
use lariat_core::{Automaton, Batch, Cursor, DONE, Edge, Fixed, Graph, Marks, Successors, Word};

/// For each state whether acceptance by states takes it: all the edges that leave it carry
/// every mark. Edges that no letter takes do not count. A state that nothing leaves is not
/// accepting, so that reachability cannot stop there; without marks every state is.
fn accepting_states<E>(edges: &[Vec<E>], marks: impl Fn(&E) -> Marks, count: u32) -> Vec<bool> {
    let all = Marks::all(count);
    let accepting = |edges: &Vec<E>| {
        count == 0 || !edges.is_empty() && edges.iter().all(|edge| marks(edge).contains(all))
    };
    edges.iter().map(accepting).collect()
}

/// An automaton as a graph: labels matter only in that an edge with an unsatisfiable one
/// does not exist. A row is one word, the state; [`ExplicitGraph::widened`] adds words that are 0.
#[derive(Clone, Debug)]
pub struct ExplicitGraph<const WIDTH: usize = 1> {
    initial: Vec<StateId>,
    /// The edges of each state, in the automaton's order.
    edges: Vec<Vec<(Marks, StateId)>>,
    accepting: Vec<bool>,
    mark_count: u32,
}

impl ExplicitGraph {
    /// The automaton as a graph of its own, each letter allowed.
    pub fn new(tgba: &Tgba) -> Self {
        let edges: Vec<Vec<_>> = tgba
            .edges
            .iter()
            .map(|edges| {
                let taken = edges.iter().filter(|edge| edge.label.is_satisfiable());
                taken.map(|edge| (edge.marks, edge.target)).collect()
            })
            .collect();
        let accepting = accepting_states(&edges, |edge| edge.0, tgba.mark_count);
        ExplicitGraph {
            initial: tgba.initial.clone(),
            edges,
            accepting,
            mark_count: tgba.mark_count,
        }
    }

    /// The same graph in rows as wide as those of other graphs, so that a search that is compiled
    /// for those takes it, too.
    pub fn widened<const WIDTH: usize>(self) -> ExplicitGraph<WIDTH> {
        let ExplicitGraph { initial, edges, accepting, mark_count } = self;
        ExplicitGraph { initial, edges, accepting, mark_count }
    }
}

fn row<const WIDTH: usize>(state: StateId) -> [Word; WIDTH] {
    let mut row = [0; WIDTH];
    row[0] = state;
    row
}

impl<const WIDTH: usize> Successors for ExplicitGraph<WIDTH> {
    type Batch = Fixed<WIDTH>;

    fn batch(&self, room: usize) -> Fixed<WIDTH> {
        Fixed::new(room)
    }

    fn initial(&mut self, out: &mut Fixed<WIDTH>) {
        for &state in &self.initial {
            out.push_copy(&row(state));
        }
    }

    fn expand(&mut self, src: &[Word; WIDTH], at: &mut Cursor, out: &mut Fixed<WIDTH>) {
        let edges = &self.edges[src[0] as usize];
        while (at.0 as usize) < edges.len() && out.room() > 0 {
            let (marks, target) = edges[at.0 as usize];
            out.push_copy(&row(target));
            out.set_marks(out.len() - 1, marks);
            at.0 += 1;
        }
        if at.0 as usize >= edges.len() {
            *at = DONE;
        }
    }
}

impl<const WIDTH: usize> Graph for ExplicitGraph<WIDTH> {
    fn accepting(&self, state: &[Word; WIDTH]) -> bool {
        self.accepting[state[0] as usize]
    }

    fn mark_count(&self) -> u32 {
        self.mark_count
    }
}

/// A property automaton ready for a product: labels as guards over a valuation of propositions.
#[derive(Clone, Debug)]
pub struct Compiled {
    initial: Vec<Word>,
    edges: Vec<Vec<Edge>>,
    accepting: Vec<bool>,
    mark_count: u32,
}

/// Translates every label; edges that no letter takes are left out. Bit `i` of a valuation is
/// proposition `i` of the automaton. Edges out of a component come first: a depth-first search
/// comes to accepting components sooner, and finds shorter runs.
pub fn compile(tgba: &Tgba) -> Result<Compiled, GuardError> {
    let mut edges = Vec::with_capacity(tgba.state_count());
    let sccs = Sccs::new(tgba);
    for outgoing in &tgba.edges {
        let mut compiled = Vec::with_capacity(outgoing.len());
        for edge in outgoing {
            let guards = edge.label.to_guards()?.into_boxed_slice();
            if !guards.is_empty() {
                compiled.push(Edge { guards, marks: edge.marks, dst: edge.target });
            }
        }
        // Components are numbered successors first.
        compiled.sort_by_key(|edge: &Edge| sccs.of(edge.dst));
        edges.push(compiled);
    }
    let accepting = accepting_states(&edges, |edge: &Edge| edge.marks, tgba.mark_count);
    Ok(Compiled { initial: tgba.initial.clone(), edges, accepting, mark_count: tgba.mark_count })
}

impl Automaton for Compiled {
    fn initial(&self) -> &[Word] {
        &self.initial
    }

    fn edges(&self, state: Word) -> &[Edge] {
        &self.edges[state as usize]
    }

    fn accepting(&self, state: Word) -> bool {
        self.accepting[state as usize]
    }

    fn mark_count(&self) -> u32 {
        self.mark_count
    }
}
