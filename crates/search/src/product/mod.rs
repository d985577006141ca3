//! The product of a system's graph and a property automaton.
//!
//! A product state is two words, the id of the system state and the automaton state: each system
//! state is stored once, however many automaton states it meets. What its valuation enables in an
//! automaton state is worked out once for each pair. Marks on the model's transitions (fairness)
//! stand above the automaton's.

pub mod components;
mod marks;
#[cfg(feature = "model")]
pub(crate) mod owcty;
#[cfg(feature = "model")]
pub mod shared;
pub mod sweep;

use lariat_core::{
    Automaton, Batch, Cursor, DONE, Fixed, Graph, Limit, Marks, Props, Successors, Word,
    makes_mistake,
};
use lariat_system::{Edges, Stop, SystemGraph, Valuation};

#[cfg(feature = "model")]
use crate::proviso::{self, Proviso};
use std::ops::Range;

/// What a system that cannot move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiniteRuns {
    /// It stays where it is for ever: Spin's meaning.
    Stutter,
    /// Its run is finite and satisfies nothing: the textbook's.
    Ignore,
}

/// The product, as a graph for the checks.
pub struct Product<'a, G, A> {
    graph: &'a mut G,
    automaton: &'a A,
    finite_runs: FiniteRuns,
    enabled: Enabled,
    /// Scratch: the system's successors.
    edges: Edges,
    /// Why the walk must end.
    stopped: Option<Stop>,
    /// A sweep has come to an accepting component.
    has_met_acceptance: bool,
}

impl<'a, G: SystemGraph, A: Automaton> Product<'a, G, A> {
    /// Before anything was walked.
    pub fn new(graph: &'a mut G, automaton: &'a A, finite_runs: FiniteRuns) -> Self {
        let (enabled, edges) = (Enabled::default(), Edges::default());
        let (stopped, has_met_acceptance) = (None, false);
        Product { graph, automaton, finite_runs, enabled, edges, stopped, has_met_acceptance }
    }

    /// Lets the walk go on, for so many expansions.
    pub fn set_budget(&mut self, expansions: u64) {
        self.graph.set_budget(expansions);
        if self.stopped == Some(Stop::Limit(Limit::Budget)) {
            self.stopped = None;
        }
    }

    /// Whether a sweep has come to an accepting component.
    pub fn has_met_acceptance(&self) -> bool {
        self.has_met_acceptance
    }

    /// The expansions that are left.
    pub fn budget(&self) -> u64 {
        self.graph.budget()
    }

    /// Starts anew, with other ids. Product states from before mean nothing any more.
    pub fn forget_states(&mut self) {
        self.graph.forget_states();
    }

    /// Whether nothing that matters was left out. If not, states are forgotten, and the next search will
    /// see more. `own`: bytes of the search.
    #[cfg(feature = "model")]
    pub fn fulfils(&mut self, proviso: Proviso, round: u32, own: usize) -> bool {
        let holds = proviso::holds(self.graph, proviso, round, own);
        self.stopped = holds.err().or(self.stopped);
        // If it was stopped, there is no verdict.
        holds.unwrap_or(true)
    }

    /// The system part of a product state.
    pub fn system_row(&mut self, state: &[Word; 2]) -> &[Word] {
        self.graph.load(state[0].into())
    }

    /// Why the walk was stopped, if it was.
    pub fn why_stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// The truth of the propositions in a state that was expanded before, if valuations are
    /// kept.
    pub fn known_props(&self, state: &[Word; 2]) -> Option<Props> {
        Some(self.graph.truth(self.graph.known_valuation(state[0].into())?))
    }

    /// Whether a state without successors is its own.
    fn stutters(&self) -> bool {
        self.finite_runs == FiniteRuns::Stutter
    }

    fn try_initial(&mut self, out: &mut Fixed<2>) -> Result<(), Stop> {
        let mut ids = Vec::new();
        self.graph.initial(&mut ids)?;
        for id in ids {
            for &state in self.automaton.initial() {
                out.push_copy(&[id as Word, state]);
            }
        }
        Ok(())
    }

    #[inline]
    fn try_expand(&mut self, [id, state]: [Word; 2], out: &mut Fixed<2>) -> Result<(), Stop> {
        let valuation = self.graph.valuation(id.into())?;
        let enabled = self.enabled.list(self.automaton, state, valuation, self.graph);
        if enabled.is_empty() {
            return Ok(());
        }
        self.edges.clear();
        self.graph.expand(&[id.into()], &mut self.edges)?;
        self.combine([id, state], enabled, out);
        Ok(())
    }

    /// The same with candidates: those of the system, with every edge of the automaton.
    fn try_candidates(
        &mut self,
        [id, state]: [Word; 2],
        out: &mut Fixed<2>,
        sets: &mut Vec<Vec<usize>>,
    ) -> Result<(), Stop> {
        let valuation = self.graph.valuation(id.into())?;
        let enabled = self.enabled.list(self.automaton, state, valuation, self.graph);
        if enabled.is_empty() {
            return Ok(());
        }
        self.edges.clear();
        self.graph.candidates(id.into(), &mut self.edges, sets)?;
        let edges = enabled.len();
        let (first, steps) = (out.len(), self.edges.ids.len());
        self.combine([id, state], enabled, out);
        for set in sets {
            let places = (0..edges).flat_map(|edge| set.iter().map(move |at| edge * steps + at));
            *set = places.map(|at| first + at).collect();
        }
        Ok(())
    }

    /// Every successor of the system, in `edges`, with every edge of the automaton that is enabled.
    #[inline]
    fn combine(&mut self, [id, state]: [Word; 2], enabled: Range<usize>, out: &mut Fixed<2>) {
        if self.edges.ids.is_empty() && self.stutters() && !makes_mistake("product-stutter") {
            // A system at rest starves nobody: the stuttering step is fair to all.
            self.edges.ids.push(id.into());
            self.edges.marks.push(Marks::all(self.graph.mark_count()));
        }
        let shift = self.automaton.mark_count();
        let edges = self.automaton.edges(state);
        for &edge in &self.enabled.lists[enabled] {
            let edge = &edges[edge as usize];
            for (at, &successor) in self.edges.ids.iter().enumerate() {
                out.push_copy(&[successor as Word, edge.dst]);
                let of_model = self.edges.marks.get(at).map_or(0, |marks| marks.0);
                let of_model = of_model.checked_shl(shift).unwrap_or(0);
                out.set_marks(out.len() - 1, edge.marks | Marks(of_model));
            }
        }
    }
}

/// The automaton edges that a valuation enables, by valuation and automaton state.
#[derive(Default)]
struct Enabled {
    ranges: Vec<Vec<Option<Range<usize>>>>,
    /// The numbers of edges that the ranges point at.
    lists: Vec<u32>,
}

impl Enabled {
    /// Where the edges of `state` that the valuation enables stand in `lists`.
    #[inline]
    fn list<G: SystemGraph, A: Automaton>(
        &mut self,
        automaton: &A,
        state: Word,
        valuation: Valuation,
        graph: &G,
    ) -> Range<usize> {
        match self.ranges.get(valuation as usize).and_then(|ranges| ranges.get(state as usize)) {
            Some(Some(range)) => range.clone(),
            _ => self.work_out(automaton, state, valuation, graph.truth(valuation)),
        }
    }

    #[cold]
    fn work_out<A: Automaton>(
        &mut self,
        automaton: &A,
        state: Word,
        valuation: Valuation,
        truth: Props,
    ) -> Range<usize> {
        let start = self.lists.len();
        let edges = automaton.edges(state).iter().enumerate();
        self.lists.extend(edges.filter(|(_, edge)| edge.allows(truth)).map(|(i, _)| i as u32));
        let range = start..self.lists.len();
        let valuations = self.ranges.len().max(valuation as usize + 1);
        self.ranges.resize(valuations, Vec::new());
        let ranges = &mut self.ranges[valuation as usize];
        ranges.resize(ranges.len().max(state as usize + 1), None);
        ranges[state as usize] = Some(range.clone());
        range
    }
}

impl<G: SystemGraph, A: Automaton> Successors for Product<'_, G, A> {
    type Batch = Fixed<2>;

    fn batch(&self, room: usize) -> Fixed<2> {
        Fixed::new(room)
    }

    fn initial(&mut self, out: &mut Fixed<2>) {
        self.stopped = self.try_initial(out).err().or(self.stopped);
    }

    /// All successors at once, whatever the room: the system's are computed once.
    fn expand(&mut self, src: &[Word; 2], at: &mut Cursor, out: &mut Fixed<2>) {
        *at = DONE;
        if let Err(stop) = self.try_expand(*src, out) {
            self.stopped = Some(stop);
        }
    }

    #[inline]
    fn stopped(&self) -> Option<Limit> {
        self.stopped.map(Stop::limit)
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Limit> {
        self.stopped = self.graph.reserve(bytes).err().or(self.stopped);
        self.stopped().map_or(Ok(()), Err)
    }
}

impl<G: SystemGraph, A: Automaton> Graph for Product<'_, G, A> {
    /// Meaningful only for a model without marks.
    fn accepting(&self, state: &[Word; 2]) -> bool {
        self.automaton.accepting(state[1])
    }

    fn mark_count(&self) -> u32 {
        self.automaton.mark_count() + self.graph.mark_count()
    }

    fn candidates(&mut self, src: &[Word; 2], out: &mut Fixed<2>, sets: &mut Vec<Vec<usize>>) {
        if let Err(stop) = self.try_candidates(*src, out, sets) {
            self.stopped = Some(stop);
        }
    }
}
