//! The successors of product states whose system states have no numbers.

use lariat_core::{Automaton, Marks, Word, makes_mistake};
use lariat_store::{Keys, SharedSession};
use lariat_system::{Edges, Stop, System, SystemGraph};
use std::ops::Range;

use super::super::Enabled;
use super::proviso::{Decisions, Scratch};

/// Product states that are looked at for a block.
const SHOWN: usize = 64 + 6;

/// What a thread needs to expand product states.
pub(crate) struct Walker<'w, A> {
    automaton: &'w A,
    stutters: bool,
    keys: Keys,
    enabled: Enabled,
    /// The system states of the block, and their successors.
    ids: Vec<u64>,
    edges: Edges,
    /// By product state: its edges in the automaton, and which of the system states it has; none if there is nothing to expand.
    shown: Vec<(Range<usize>, Option<usize>)>,
    /// If steps are left out.
    decisions: Option<&'w Decisions>,
    pub(super) scratch: Scratch,
    /// The successors of the block.
    pub(crate) block: Block,
}

/// The successors of product states, source after source.
#[derive(Default)]
pub(crate) struct Block {
    /// Their keys.
    pub(crate) keys: Vec<u64>,
    /// The marks of the edges.
    pub(crate) marks: Vec<Marks>,
    pub(crate) ends: Vec<usize>,
}

impl Block {
    /// Where the successors of a source are.
    pub(crate) fn of(&self, source: usize) -> Range<usize> {
        let start = source.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[source]
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.marks.clear();
        self.ends.clear();
    }
}

impl<'w, A: Automaton> Walker<'w, A> {
    pub(crate) fn new(automaton: &'w A, stutters: bool, keys: Keys) -> Self {
        Walker {
            automaton,
            stutters,
            keys,
            enabled: Enabled::default(),
            ids: Vec::new(),
            edges: Edges::default(),
            shown: Vec::new(),
            decisions: None,
            scratch: Scratch::default(),
            block: Block::default(),
        }
    }

    /// Leaves out steps as was decided.
    pub(super) fn deciding(mut self, decisions: Option<&'w Decisions>) -> Self {
        self.decisions = decisions;
        self
    }

    /// The keys of the initial states.
    pub(crate) fn initial(
        &self,
        system: &mut System<'_, SharedSession<'_>>,
    ) -> Result<Vec<u64>, Stop> {
        let mut ids = Vec::new();
        system.initial(&mut ids)?;
        let states = self.automaton.initial();
        let of_id = |id: u64| states.iter().map(move |&state| self.keys.join(id, state));
        Ok(ids.into_iter().flat_map(of_id).collect())
    }

    /// Expands the first of these product states, at least one; how many. Only edges between automaton states that are wanted count.
    #[inline]
    pub(crate) fn expand(
        &mut self,
        system: &mut System<'_, SharedSession<'_>>,
        sources: &[u64],
        wants: impl Fn(Word, Word) -> bool,
    ) -> Result<usize, Stop> {
        let Walker { automaton, keys, enabled, ids, edges, shown, scratch, block, .. } = self;
        ids.clear();
        shown.clear();
        for &key in sources.iter().take(SHOWN) {
            let (id, state) = keys.split(key);
            let valuation = system.valuation(id)?;
            let list = enabled.list(*automaton, state, valuation, system);
            let of_automaton = automaton.edges(state);
            let mut dsts =
                enabled.lists[list.clone()].iter().map(|&edge| of_automaton[edge as usize].dst);
            let source = dsts.any(|dst| wants(state, dst)).then(|| {
                // The same system state in another state of the automaton is expanded once.
                if ids.last() != Some(&id) {
                    ids.push(id);
                }
                ids.len() - 1
            });
            shown.push((list, source));
        }
        edges.clear();
        let expanded = match self.decisions {
            _ if ids.is_empty() => 0,
            None => system.expand(ids, edges)?,
            Some(decisions) => decisions.expand(system, ids, edges, scratch)?,
        };
        block.clear();
        let of_model = system.mark_count();
        let (shift, stutters) = (automaton.mark_count(), self.stutters);
        let mut done = 0;
        for (&key, (list, source)) in sources.iter().zip(shown) {
            if source.is_some_and(|source| source >= expanded) {
                break;
            }
            let (id, state) = keys.split(key);
            let of_automaton = automaton.edges(state);
            let wanted = || {
                let edges =
                    enabled.lists[list.clone()].iter().map(|&edge| &of_automaton[edge as usize]);
                edges.filter(|edge| wants(state, edge.dst))
            };
            let mut add = |id: u64, marks: Marks| {
                let marks = Marks(marks.0.checked_shl(shift).unwrap_or(0));
                for edge in wanted() {
                    block.keys.push(keys.join(id, edge.dst));
                    block.marks.push(edge.marks | marks);
                }
            };
            if let &mut Some(source) = source {
                let (edges, source) = scratch.of(source, edges);
                let successors = edges.of(source);
                if successors.is_empty() && stutters && !makes_mistake("product-stutter") {
                    // A system at rest starves nobody: the stuttering step is fair to all.
                    add(id, Marks::all(of_model));
                }
                for at in successors {
                    add(edges.ids[at], edges.marks.get(at).copied().unwrap_or_default());
                }
            }
            block.ends.push(block.keys.len());
            done += 1;
        }
        Ok(done)
    }
}
