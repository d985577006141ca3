//! All states, each once: counting, and errors of states and of steps.
//!
//! With *hints*, what is kept of a state is the way back (`way`). Where steps are left out, four bits more say what `by_level` wants to know.

use std::cmp::Ordering;

use lariat_core::{Limit, Marks, Word, makes_mistake};
use lariat_model::interp::{FaultKind, Interp, Move};
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, SharedSession};
use lariat_system::{Edges, NO_VALUATION, Sets, Stop, System, SystemGraph};

use super::pass::{Kept, Pass, Say, Source};
use super::safety::Note;
use super::shard::Expander;
use super::way::Wants;
use super::way::label::{self, hint, label};
use crate::by_level;
use crate::product::shared::walker::Block;
use crate::safety::{ErrorKind, Exploration, ExploreOptions};

/// What is kept of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keeps {
    Nothing,
    Hints,
    /// Steps are left out.
    HintsAndLevels,
}

impl Keeps {
    /// What keys are, and the bits kept of each state.
    pub(super) fn keys(self) -> Keys {
        let bits = match self {
            Keeps::Nothing => 0,
            Keeps::Hints => label::BITS,
            Keeps::HintsAndLevels => label::BITS + by_level::BITS,
        };
        Keys::of_product(1, bits)
    }
}

/// Whether not all steps of a state of which this is kept were taken.
fn is_reduced(kept: u64) -> bool {
    by_level::is_reduced(kept >> label::BITS)
}

/// Goes through all states.
pub(super) struct Visit {
    pub(super) keeps: Keeps,
    /// The one that is expanded: what is found is of the next one.
    pub(super) level: u64,
}

/// Said of initial states.
const INITIAL: u64 = 1 << 15;

impl Pass for Visit {
    fn extra(&self) -> usize {
        if self.keeps == Keeps::Nothing { 0 } else { 2 }
    }

    fn hashes(&self) -> bool {
        self.keeps != Keeps::Nothing
    }

    #[inline(always)]
    fn reduces(&self) -> bool {
        self.keeps == Keeps::HintsAndLevels
    }

    fn leads_on(&self, before: Option<u64>) -> bool {
        let known = before.map(|kept| kept >> label::BITS);
        by_level::leads_on(self.level, known) || makes_mistake("spread-leads-on")
    }

    fn expanded(&self, payload: u64, is_full: bool) -> u64 {
        payload & ((1 << label::BITS) - 1) | by_level::expanded(self.level, is_full) << label::BITS
    }

    fn first(&self) -> u64 {
        INITIAL
    }

    /// Whoever expands counts.
    fn counts(&self) -> [u64; 2] {
        [0; 2]
    }

    /// Whichever parent is told first is as good as any.
    #[inline(always)]
    fn say(&mut self, source: Source, _: u64, _: Word, _: Marks) -> Say {
        Say::Once(hint(source.hash, source.state), 0)
    }

    #[inline(always)]
    fn keep(&self, _: Word, before: Option<u64>, word: u64) -> Kept {
        match before {
            Some(payload) => Kept { payload, waits: false },
            None if self.keeps == Keeps::Nothing => Kept { payload: 0, waits: true },
            None => {
                let (level, hint) = match word & INITIAL != 0 {
                    true => (0, 0),
                    false => (self.level + 1, word),
                };
                let born = if self.reduces() { by_level::born(level) } else { 0 };
                Kept { payload: label(level, hint) | born << label::BITS, waits: true }
            }
        }
    }

    #[inline(always)]
    fn hear(&mut self, _: u64, _: Word, _: Option<u64>, _: u64) -> bool {
        true
    }
}

/// An error, and the state that has it or that it is on the way from.
#[derive(Clone, Debug)]
pub(super) struct Least {
    pub(super) error: ErrorKind,
    pub(super) row: Box<[Word]>,
    pub(super) moves: Vec<Move>,
}

impl Least {
    /// An error of a state is one step nearer than one on the way from a state of the same level. Beyond that, the words of the state decide, so that it does not matter who
    /// found it.
    pub(super) fn rank(&self) -> (bool, &[Word]) {
        (!self.moves.is_empty(), &self.row)
    }
}

/// Who expands states, and sees their errors.
pub(super) struct Visitor<'o, 's> {
    pub(super) model: &'s Model,
    pub(super) options: &'o ExploreOptions,
    pub(super) limit: usize,
    interp: Interp<'s>,
    edges: Edges,
    pub(super) found: Exploration,
    pub(super) least: Option<Least>,
    /// By what steps are left out, if any are. Not while the system has them.
    pub(super) sets: Option<Sets<'s>>,
    /// By bits, which of the states of the last block are reduced.
    reduced: u64,
    /// What was executed before a checkpoint that this search goes on with.
    pub(super) inherited: Note,
}

impl<'o, 's> Visitor<'o, 's> {
    pub(super) fn new(model: &'s Model, options: &'o ExploreOptions, limit: usize) -> Self {
        let (interp, edges) = (Interp::new(model), Edges::default());
        let found = Exploration::default();
        let inherited = Note::default();
        let (least, sets, reduced) = (None, None, 0);
        Visitor { model, options, limit, interp, edges, found, least, sets, reduced, inherited }
    }

    /// Leaves out steps.
    pub(super) fn choosing_by(mut self, sets: Option<Sets<'s>>) -> Self {
        self.sets = sets;
        self
    }

    /// Looks at what was told of some states.
    pub(super) fn look<G: SystemGraph>(
        &mut self,
        graph: &mut G,
        ids: &[u64],
        edges: &Edges,
    ) -> Result<(), Stop> {
        // Whatever can fail comes first: then nothing is counted twice.
        let mut truths = Vec::new();
        if !self.options.conditions.is_empty() {
            for &id in ids {
                let valuation = graph.valuation(id)?;
                truths.push((valuation != NO_VALUATION).then(|| graph.truth(valuation)));
            }
        }
        self.found.transitions += edges.ids.len() as u64;
        self.found.atomic_steps += edges.atomic_steps;
        for &source in &edges.blocked {
            self.found.deadlocks += 1;
            let ignores = self.options.ignore_end_states || self.options.only_conditions;
            if !ignores && !self.options.ends_well(&mut self.interp, graph.load(ids[source])) {
                self.note(ErrorKind::InvalidEndState, &[], graph.load(ids[source]));
            }
        }
        for (&id, truth) in ids.iter().zip(truths) {
            let Some(truth) = truth else { continue };
            for (bit, &condition) in self.options.conditions.iter().enumerate() {
                if (truth >> bit & 1 == 1) != condition.wanted {
                    self.note(ErrorKind::Condition(condition), &[], graph.load(id));
                }
            }
        }
        for found in edges.faults.iter().filter(|found| !self.options.ignores(found.fault.fault)) {
            let error = ErrorKind::Fault(found.fault.fault);
            self.note(error, &found.fault.moves, graph.load(ids[found.source]));
        }
        Ok(())
    }

    fn note(&mut self, error: ErrorKind, moves: &[Move], row: &[Word]) {
        *self.found.errors.entry(error.name()).or_default() += 1;
        if let ErrorKind::Fault(fault) = error
            && fault.kind.is_cut()
        {
            // Not an error of the model: the search is cut there.
            debug_assert!(fault.kind != FaultKind::Stopped, "a graph that is stopped says so");
            self.found.limit.get_or_insert(Limit::EndlessStep);
            return;
        }
        if !self.options.stop_at_error {
            return;
        }
        let new = Least { error, row: row.into(), moves: moves.to_vec() };
        let is_less = |old: &Least| new.rank().cmp(&old.rank()) == Ordering::Less;
        if self.least.as_ref().is_none_or(is_less) {
            self.least = Some(new);
        }
    }
}

impl<'s> Expander<'s> for Visitor<'_, 's> {
    fn system<'a>(
        &mut self,
        steps: Box<dyn ModelSteps + 's>,
        session: SharedSession<'a>,
    ) -> System<'s, SharedSession<'a>> {
        let system =
            System::of_states(self.model, steps, true, |_| session).with_limit(Some(self.limit));
        system.choosing_by(self.sets.take())
    }

    fn leave(&mut self, system: &mut System<'s, SharedSession<'_>>) {
        self.sets = system.take_sets();
    }

    fn reduced(&self) -> u64 {
        self.reduced
    }

    fn forget(&mut self, successors: u64) {
        self.found.transitions -= successors;
    }

    fn initial(&mut self, system: &mut System<'s, SharedSession<'_>>) -> Result<Vec<u64>, Stop> {
        let mut ids = Vec::new();
        system.initial(&mut ids)?;
        Ok(ids)
    }

    fn expand(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        keys: &[u64],
        _: &dyn Fn(Word, Word) -> bool,
        block: &mut Block,
    ) -> Result<usize, Stop> {
        self.expand_by(system, keys, block, |system, edges| {
            let expanded = system.expand(keys, edges)?;
            Ok((expanded, system.reduced_sources()))
        })
    }

    fn expand_fully(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        keys: &[u64],
        block: &mut Block,
    ) -> Result<usize, Stop> {
        self.expand_by(system, keys, block, |system, edges| {
            Ok((system.expand_fully(keys, edges)?, 0))
        })
    }

    /// Nothing is counted, nor looked at.
    fn edge(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        (source, kept): (u64, u64),
        to: u64,
        _: Wants<'_>,
    ) -> Result<Option<Marks>, Stop> {
        let mut edges = Edges::default();
        match is_reduced(kept) {
            true => system.expand(&[source], &mut edges)?,
            false => system.expand_fully(&[source], &mut edges)?,
        };
        let is_there = edges.ids.contains(&to) || makes_mistake("spread-way-back");
        Ok(is_there.then_some(Marks::NONE))
    }
}

impl<'s> Visitor<'_, 's> {
    fn expand_by<'a>(
        &mut self,
        system: &mut System<'s, SharedSession<'a>>,
        keys: &[u64],
        block: &mut Block,
        expand: impl FnOnce(
            &mut System<'s, SharedSession<'a>>,
            &mut Edges,
        ) -> Result<(usize, u64), Stop>,
    ) -> Result<usize, Stop> {
        let mut edges = std::mem::take(&mut self.edges);
        edges.clear();
        let expanded = expand(system, &mut edges).and_then(|(expanded, reduced)| {
            self.reduced = reduced;
            self.look(system, &keys[..expanded], &edges)?;
            Ok(expanded)
        });
        block.clear();
        if expanded.is_ok() {
            // There is no automaton: a key is a root.
            std::mem::swap(&mut block.keys, &mut edges.ids);
            std::mem::swap(&mut block.ends, &mut edges.ends);
        }
        self.edges = edges;
        expanded
    }
}
