//! What both searches have in common: expanding a state, errors, limits.

use std::time::Instant;

use lariat_core::{Batch, Cursor, Flat, Full, Parents, SystemId, SystemStore, Word, stop};

use super::stack::Stack;
use super::{ErrorKind, Exploration, ExploreOptions, Limit, Order, Progress};
use crate::interp::{Fault, FaultKind, Interp, Move, row};
use crate::ir::Model;
use crate::ir::layout::NR_PROCESSES;
use crate::ir::transition::Discipline;
use crate::steps::ModelSteps;

/// Clock and memory are looked at after so many expansions.
const WATCH_EVERY: u64 = 256;

pub(super) struct Search<'a, 'm, S> {
    /// For traces and end states; successors come from `steps`.
    pub(super) interp: Interp<'m>,
    pub(super) steps: &'a mut dyn ModelSteps,
    /// Words of a row, and those of them that hold variables outside the state.
    pub(super) width: usize,
    pub(super) hidden_words: usize,
    /// States without hidden variables, which are not part of them.
    pub(super) store: &'a mut S,
    pub(super) options: &'a ExploreOptions,
    watch: &'a mut dyn FnMut(Progress) -> bool,
    started: Instant,
    expansions: u64,
    next_watch: u64,
    pub(super) found: Exploration,
    pub(super) stopped: bool,
    /// The hidden variables of the state at hand, then, if there are any, all of its row.
    pub(super) row: Vec<Word>,
    pub(super) batch: Flat,
    /// The successors at hand without their hidden variables, if there are any.
    visible: Flat,
    /// The ids of the successors at hand.
    pub(super) ids: Vec<SystemId>,
    /// Depth first.
    pub(super) stack: Stack,
    /// Breadth first: from where a state was reached first.
    pub(super) parents: Parents,
    /// Breadth first: successors of each state of the block at hand.
    pub(super) counts: Vec<u32>,
    /// Breadth first: the hidden variables with which a state was reached first.
    pub(super) hidden: Vec<Word>,
    /// Breadth first: the state at hand.
    pub(super) current: SystemId,
    /// Breadth first: an error on the way from this level was found. One in a later state of it
    /// would be nearer.
    pub(super) ends_with_level: bool,
}

impl<'a, 'm, S: SystemStore<Row = [Word]>> Search<'a, 'm, S> {
    pub(super) fn new(
        model: &'m Model,
        steps: &'a mut dyn ModelSteps,
        hidden_words: usize,
        store: &'a mut S,
        options: &'a ExploreOptions,
        watch: &'a mut dyn FnMut(Progress) -> bool,
        started: Instant,
    ) -> Self {
        let batch = steps.batch(usize::MAX);
        let width = steps.width();
        Search {
            interp: Interp::new(model),
            steps,
            width,
            hidden_words,
            store,
            options,
            watch,
            started,
            expansions: 0,
            next_watch: WATCH_EVERY,
            found: Exploration::default(),
            stopped: false,
            row: Vec::new(),
            batch,
            visible: Flat::new(width - hidden_words, usize::MAX),
            ids: Vec::new(),
            stack: Stack::default(),
            parents: Parents::default(),
            counts: Vec::new(),
            hidden: Vec::new(),
            current: 0,
            ends_with_level: false,
        }
    }

    /// Stores the initial state, if there is room for it.
    pub(super) fn start(&mut self, initial: &[Word]) -> Option<SystemId> {
        self.is_allowed(0);
        let id = self.store.intern(initial);
        if id.is_err() {
            self.stop(Limit::Memory);
        }
        id.ok()
    }

    pub(super) fn finish(mut self) -> Exploration {
        // Each transition led to a new state or to a known one.
        self.found.matched = (self.found.transitions + 1).saturating_sub(self.found.states);
        self.found.executed = self.steps.executed().to_vec();
        self.found.memory = self.memory();
        self.found.executed_in_d_steps = self.steps.executed_in_d_steps().to_vec();
        self.found
    }

    /// A state did not fit into a row.
    pub(super) fn must_widen(&self) -> bool {
        self.steps.wanted_width() > self.width
    }

    /// The width to try next.
    pub(super) fn wider(&self) -> usize {
        self.steps.wanted_width().max(self.width * 3 / 2)
    }

    /// Whether a state lies beyond the limit. The search goes on elsewhere, but proves nothing.
    pub(super) fn is_too_deep(&mut self, depth: u64) -> bool {
        let too_deep = self.options.max_depth.is_some_and(|limit| depth >= limit);
        if too_deep {
            self.found.limit.get_or_insert(Limit::Depth);
        }
        too_deep
    }

    /// Fills `batch`. The hidden variables of the state are in `row`.
    #[inline]
    pub(super) fn find_successors(&mut self, id: SystemId) {
        self.batch.clear();
        let visible = self.store.load(id);
        let row = if self.row.is_empty() {
            visible
        } else {
            self.row.extend_from_slice(visible);
            &self.row[..]
        };
        self.steps.expand(row, &mut Cursor::default(), &mut self.batch);
    }

    /// Fills `ids`.
    #[inline]
    pub(super) fn intern_successors(&mut self) -> Result<(), Full> {
        self.ids.clear();
        self.take_in_successors()?;
        self.store.finish(&mut self.ids)
    }

    /// Has the store look for the successors at hand.
    #[inline]
    pub(super) fn take_in_successors(&mut self) -> Result<(), Full> {
        let hidden = self.hidden_words;
        if hidden == 0 {
            return self.store.take_in(&self.batch, &mut self.ids);
        }
        self.visible.clear();
        for at in 0..self.batch.len() {
            self.visible.push_copy(&self.batch.row(at)[hidden..]);
        }
        self.store.take_in(&self.visible, &mut self.ids)
    }

    /// Has the store look for the successors of a state by the parts of the model, without
    /// putting its row together; how many there are. None if the state must be expanded as a
    /// whole, as one must that nothing leads out of.
    #[inline]
    pub(super) fn take_in_by_parts(&mut self, id: SystemId) -> Result<Option<usize>, Full> {
        if self.hidden_words > 0 {
            return Ok(None);
        }
        let Some(parts) = self.steps.parts() else { return Ok(None) };
        let Some(taken) = self.store.take_in_steps(id, parts, &mut self.ids)? else {
            return Ok(None);
        };
        if taken.successors == 0 {
            return Ok(None);
        }
        self.expansions += 1;
        self.found.atomic_steps += taken.atomic_steps;
        if !self.options.conditions.is_empty() {
            self.row.clear();
            self.check_conditions(id);
        }
        Ok(Some(taken.successors))
    }

    /// Finds the successors of a state and records what is wrong with the state. The longest
    /// way to a state inside an atomic sequence.
    pub(super) fn expand(&mut self, id: SystemId) -> u64 {
        self.find_successors(id);
        self.expansions += 1;
        if self.must_widen() {
            self.stopped = true;
            return 0;
        }
        let report = self.steps.report();
        let (is_blocked, deepest) = (report.is_blocked, report.deepest);
        self.found.atomic_steps += report.atomic_steps;
        if is_blocked {
            self.found.deadlocks += 1;
            let ignores = self.options.ignore_end_states || self.options.only_conditions;
            if !ignores && !self.ends_well(id) {
                self.error(ErrorKind::InvalidEndState, None);
            }
        }
        if !self.options.conditions.is_empty() {
            self.check_conditions(id);
        }
        deepest
    }

    fn ends_well(&mut self, id: SystemId) -> bool {
        let (state, _) = self.unpacked(id);
        self.interp.is_valid_end(&state)
            && (!self.options.empty_channels_at_end
                || self.interp.channels().iter().all(|channel| channel.messages.is_empty()))
    }

    /// The bytes of a state and of the hidden variables in `row`.
    fn unpacked(&mut self, id: SystemId) -> (Vec<u8>, Vec<u8>) {
        let hidden = self.hidden_words;
        let mut whole = self.row[..hidden].to_vec();
        whole.extend_from_slice(self.store.load(id));
        row::unpack(self.interp.model(), &whole)
    }

    /// A condition that cannot be evaluated is not true.
    fn check_conditions(&mut self, id: SystemId) {
        let hidden = self.hidden_words;
        let visible = self.store.load(id);
        let is_dve = self.interp.model().discipline != Discipline::Spin;
        if is_dve && visible[0].to_le_bytes()[NR_PROCESSES] == 0 {
            // Nothing has a meaning in the error state.
            return;
        }
        self.row.truncate(hidden);
        let row = if hidden == 0 {
            visible
        } else {
            self.row.extend_from_slice(visible);
            &self.row[..]
        };
        let truth = self.steps.props(row);
        let undefined = self.steps.undefined();
        for (bit, &condition) in self.options.conditions.iter().enumerate() {
            let is_true = truth >> bit & 1 == 1 && undefined >> bit & 1 == 0;
            if is_true != condition.wanted {
                self.error(ErrorKind::Condition(condition), None);
            }
        }
    }

    /// Records an error in the current state, or on the way from it.
    pub(super) fn error(&mut self, error: ErrorKind, moves: Option<&[Move]>) {
        if matches!(error, ErrorKind::Fault(Fault { kind: FaultKind::Stopped, .. })) {
            return self.stop(stop::asked().map_or(Limit::Interrupted, Limit::from));
        }
        *self.found.errors.entry(error.name()).or_default() += 1;
        if let ErrorKind::Fault(fault) = error {
            if fault.kind.is_cut() {
                // Not an error of the model as Spin sees it: the search is cut there.
                self.found.limit.get_or_insert(Limit::EndlessStep);
                return;
            }
            if fault.kind.is_fatal() && self.options.stop_at_fatal {
                self.stop(Limit::Fatal);
            }
        }
        // An error of a state is one step nearer than one on the way from it.
        let moves = moves.filter(|moves| !moves.is_empty());
        let is_nearer = self.ends_with_level && moves.is_none();
        if self.found.first_error.is_none() || is_nearer {
            // What was found is kept, even if time is over now.
            self.found.first_error = Some(stop::undisturbed(|| self.trace(error, moves)));
        }
        if !self.options.stop_at_error {
            return;
        }
        match moves {
            Some(_) if self.options.order == Order::BreadthFirst => self.ends_with_level = true,
            _ => self.stop(Limit::FirstError),
        }
    }

    pub(super) fn stop(&mut self, why: Limit) {
        if !self.stopped {
            self.found.limit = Some(why);
            self.stopped = true;
        }
    }

    /// Bytes of the search itself.
    fn own_memory(&self) -> usize {
        self.stack.bytes() + self.parents.bytes() + self.hidden.capacity() * size_of::<u32>()
    }

    pub(super) fn memory(&self) -> usize {
        self.store.bytes() + self.own_memory()
    }

    /// Whether so many more bytes are within the limit.
    pub(super) fn is_allowed(&mut self, more: usize) -> bool {
        let Some(limit) = self.options.max_memory else { return true };
        let own = self.own_memory() + more;
        self.store.limit_bytes(limit.saturating_sub(own));
        self.store.bytes() + own <= limit
    }

    pub(super) fn check_limits(&mut self) {
        let states = self.found.states;
        if self.options.max_states.is_some_and(|limit| states > limit) {
            self.stop(Limit::States);
        }
        // A block of states may step over any single number.
        if self.expansions < self.next_watch {
            return;
        }
        self.next_watch = self.expansions + WATCH_EVERY;
        if !self.is_allowed(0) {
            self.stop(Limit::Memory);
        }
        if self.options.time_limit.is_some_and(|limit| self.started.elapsed() > limit) {
            self.stop(Limit::Time);
        }
        if let Some(why) = stop::asked() {
            self.stop(why.into());
        }
        let depth = self.found.depth;
        let memory = self.memory();
        if !(self.watch)(Progress { states, depth, memory }) {
            self.stop(Limit::Interrupted);
        }
    }
}
