//! A system one state at a time: its errors, and the limits of a search.

use lariat_core::{Full, Limit, SystemId, Word};
use lariat_model::interp::{Interp, Move};
use lariat_model::ir::Model;
use lariat_store::{Scratch, Visited};
use lariat_system::{Edges, NO_VALUATION, Stop, System, SystemGraph};

use super::shuffle::{Dice, Shuffle};
use crate::safety::{ErrorKind, ErrorPath, Exploration, ExploreOptions};

/// Told how many states there are, how deep they lie and bytes; false ends the search.
pub(super) type Told<'a> = &'a mut (dyn FnMut(u64, u64, usize) -> bool + Send);

/// Expansions between two looks at who wants to know.
const TELL_EVERY: u64 = 1 << 10;

pub(super) struct Walk<'a, 'm, V> {
    pub(super) system: &'a mut System<'m, Scratch>,
    pub(super) options: &'a ExploreOptions,
    pub(super) visited: &'a mut V,
    pub(super) found: Exploration,
    /// The first error, and the commands to it.
    pub(super) error: Option<(ErrorKind, Vec<Move>)>,
    /// The successors of the state that was expanded last.
    pub(super) edges: Edges,
    /// The order in which they are looked at.
    pub(super) order: Vec<usize>,
    interp: Interp<'a>,
    shuffle: Shuffle,
    dice: Dice,
    told: Told<'a>,
    expanded: u64,
    peak: usize,
}

impl<'a, 'm, V: Visited> Walk<'a, 'm, V> {
    pub(super) fn new(
        system: &'a mut System<'m, Scratch>,
        model: &'a Model,
        options: &'a ExploreOptions,
        visited: &'a mut V,
        shuffle: Shuffle,
        told: Told<'a>,
    ) -> Self {
        Walk {
            system,
            options,
            visited,
            found: Exploration::default(),
            error: None,
            edges: Edges::default(),
            order: Vec::new(),
            interp: Interp::new(model),
            shuffle,
            dice: shuffle.dice(),
            told,
            expanded: 0,
            peak: 0,
        }
    }

    pub(super) fn finish(mut self, walked: Result<(), Stop>) -> Result<Exploration, Stop> {
        match walked {
            Ok(()) => {}
            Err(Stop::Limit(limit)) => self.found.limit = Some(limit),
            Err(Stop::Fault(_)) => self.found.limit = Some(Limit::Fault),
            Err(widen @ Stop::Widen(_)) => return Err(widen),
        }
        // Each transition led to a new state or to a known one.
        self.found.matched = (self.found.transitions + 1).saturating_sub(self.found.states);
        self.found.memory = self.peak.max(self.visited.bytes());
        self.found.executed = self.system.steps().executed().to_vec();
        self.found.executed_in_d_steps = self.system.steps().executed_in_d_steps().to_vec();
        Ok(self.found)
    }

    /// The initial state.
    pub(super) fn start(&mut self) -> Result<Vec<Word>, Stop> {
        let mut initial = Vec::new();
        self.system.forget_states();
        self.system.initial(&mut initial)?;
        Ok(self.system.load(initial[0]).to_vec())
    }

    /// Bytes that are left beside the store and what the search takes.
    fn spare(&self, own: usize) -> usize {
        let taken = self.visited.bytes() + own;
        self.options.max_memory.map_or(usize::MAX, |limit| limit.saturating_sub(taken))
    }

    /// The search itself takes so many bytes, and will take so many more.
    pub(super) fn allow(&mut self, own: usize, more: usize) -> Result<(), Stop> {
        if more > self.spare(own) {
            return Err(Limit::Memory.into());
        }
        self.peak = self.peak.max(self.visited.bytes() + own + more);
        Ok(())
    }

    /// Makes room for so many more states, if the search itself takes so many bytes.
    pub(super) fn make_room(&mut self, more: usize, own: usize) -> Result<(), Full> {
        let spare = self.spare(own);
        self.visited.make_room(more, spare)
    }

    /// Expands a state. Then its successors are those of `edges`, to be looked at in `order`, and its
    /// own errors are known.
    pub(super) fn expand(&mut self, row: &[Word]) -> Result<(), Stop> {
        self.expanded += 1;
        if self.expanded.is_multiple_of(TELL_EVERY)
            && !(self.told)(
                self.found.states,
                self.found.depth,
                self.peak.max(self.visited.bytes()),
            )
        {
            return Err(Limit::Interrupted.into());
        }
        self.system.set_state(row)?;
        self.edges.clear();
        self.system.expand(&[0], &mut self.edges)?;
        if self.system.is_reduced() && !self.leads_on()? {
            self.system.set_state(row)?;
            self.edges.clear();
            self.system.expand_fully(&mut self.edges)?;
        }
        self.found.atomic_steps += self.edges.atomic_steps;
        self.found.transitions += self.edges.ids.len() as u64;
        if !self.edges.blocked.is_empty() {
            self.found.deadlocks += 1;
            let ignores = self.options.ignore_end_states || self.options.only_conditions;
            if !ignores && !self.options.ends_well(&mut self.interp, row) {
                self.error(ErrorKind::InvalidEndState, &[]);
            }
        }
        if !self.options.conditions.is_empty() {
            self.check_conditions()?;
        }
        self.shuffle.order(&mut self.dice, self.edges.ids.len(), &mut self.order);
        Ok(())
    }

    /// Whether a successor is new. Steps are put off only then: from such a state a way leads on, and at
    /// its end is one that is expanded fully (docs/por.md, S).
    fn leads_on(&mut self) -> Result<bool, Stop> {
        for &id in &self.edges.ids {
            if !self.visited.has(self.system.load(id))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn check_conditions(&mut self) -> Result<(), Stop> {
        let valuation = self.system.valuation(0)?;
        if valuation == NO_VALUATION {
            return Ok(());
        }
        let truth = self.system.truth(valuation);
        for (bit, &condition) in self.options.conditions.iter().enumerate() {
            if (truth >> bit & 1 == 1) != condition.wanted {
                self.error(ErrorKind::Condition(condition), &[]);
            }
        }
        Ok(())
    }

    /// The row of a successor, by its number in `edges`.
    #[inline]
    pub(super) fn successor(&mut self, at: usize) -> &[Word] {
        let id: SystemId = self.edges.ids[at];
        self.system.load(id)
    }

    /// An error of the state at hand, or on the way from it: then the commands are not empty. The
    /// first one counts, but one of a state before one on the way from it.
    pub(super) fn error(&mut self, error: ErrorKind, moves: &[Move]) {
        *self.found.errors.entry(error.name()).or_default() += 1;
        if let ErrorKind::Fault(fault) = error
            && fault.kind.is_cut()
        {
            // Not an error of the model: the search is cut there.
            self.found.limit.get_or_insert(Limit::EndlessStep);
            return;
        }
        let is_nearer = moves.is_empty() && self.error.as_ref().is_some_and(|(_, m)| !m.is_empty());
        if self.error.is_none() || is_nearer {
            self.error = Some((error, moves.to_vec()));
        }
    }

    /// The error was met at the end of these rows.
    pub(super) fn found_at(&mut self, rows: Vec<Box<[Word]>>) {
        if let Some((error, last)) = self.error.take() {
            let path = ErrorPath { error, rows, last, hidden_is_outside: false };
            self.found.first_error = Some(path);
        }
    }

    /// Whether a state lies beyond the limit. The search goes on elsewhere, but proves nothing.
    pub(super) fn is_too_deep(&mut self, depth: u64) -> bool {
        self.found.depth = self.found.depth.max(depth);
        let too_deep = self.options.max_depth.is_some_and(|limit| depth >= limit);
        if too_deep {
            self.found.limit.get_or_insert(Limit::Depth);
        }
        too_deep
    }

    /// Whether there are more states than were allowed.
    pub(super) fn has_too_many(&self) -> bool {
        self.options.max_states.is_some_and(|limit| self.found.states > limit)
    }
}
