//! The searches.

use std::time::Instant;

use super::states::{Inserted, States};
use super::{ErrorKind, Exploration, ExploreOptions, Limit, Progress};
use crate::interp::{Expansion, Fault, FaultKind, Interp, Move};

/// A state on the stack, with its successors that were not looked at yet in `pending`.
pub(super) struct Frame {
    pub(super) id: u32,
    /// Where its successors start in `pending`, and where the next one is.
    start: usize,
    next: usize,
    /// Where its faults start in `pending_faults`.
    faults: usize,
    depth: u64,
}

/// Clock and memory are looked at after so many expansions.
const WATCH_EVERY: u64 = 256;

/// Bytes before a state in `pending`: its length, and the number of moves to it.
const HEADER: usize = 8;

/// Instead of a length: here comes a fault, whose place in `pending_faults` follows.
const FAULT: u32 = u32::MAX;

pub(super) struct Search<'a, 'm> {
    pub(super) interp: Interp<'m>,
    pub(super) options: &'a ExploreOptions,
    watch: &'a mut dyn FnMut(Progress) -> bool,
    started: Instant,
    pub(super) states: States,
    expansion: Expansion,
    expansions: u64,
    found: Exploration,
    stopped: bool,
    /// Successors of the states on the stack: header, state, hidden variables.
    pending: Vec<u8>,
    /// Faults on the way from the states on the stack. They wait for their turn like
    /// successors do, so that the first error is the one that Spin finds first.
    pending_faults: Vec<(Fault, Vec<Move>)>,
    pub(super) frames: Vec<Frame>,
    /// Breadth first: from where a state was reached first.
    pub(super) parents: Vec<u32>,
    /// Breadth first: the hidden variables with which a state was reached first.
    hidden: Vec<u8>,
}

impl<'a, 'm> Search<'a, 'm> {
    pub(super) fn new(
        interp: Interp<'m>,
        options: &'a ExploreOptions,
        watch: &'a mut dyn FnMut(Progress) -> bool,
    ) -> Self {
        let executed = vec![false; interp.model().commands.len()];
        Search {
            interp,
            options,
            watch,
            started: Instant::now(),
            states: States::default(),
            expansion: Expansion::new(),
            expansions: 0,
            found: Exploration { executed, ..Default::default() },
            stopped: false,
            pending: Vec::new(),
            pending_faults: Vec::new(),
            frames: Vec::new(),
            parents: Vec::new(),
            hidden: Vec::new(),
        }
    }

    pub(super) fn finish(mut self) -> Exploration {
        self.found.states = self.states.len() as u64;
        self.found.memory = self.memory();
        self.found
    }

    fn hidden_size(&self) -> usize {
        self.interp.model().hidden_size as usize
    }

    pub(super) fn depth_first(&mut self, initial: &[u8], hidden: &[u8]) {
        if let Inserted::New(id) = self.insert(initial) {
            self.enter(id, initial, hidden, 0);
        }
        let mut state = Vec::new();
        let mut hidden = Vec::new();
        let hidden_size = self.hidden_size();
        while !self.stopped {
            let Some(frame) = self.frames.last_mut() else { break };
            if frame.next >= self.pending.len() {
                self.pending.truncate(frame.start);
                self.pending_faults.truncate(frame.faults);
                self.frames.pop();
                continue;
            }
            let at = frame.next + HEADER;
            let length = u32_at(&self.pending, frame.next);
            let number = u32_at(&self.pending, frame.next + 4);
            if length == FAULT {
                frame.next = at;
                let (fault, moves) = self.pending_faults[number as usize].clone();
                self.error(ErrorKind::Fault(fault), Some(&moves));
                continue;
            }
            let length = length as usize;
            let depth = frame.depth + u64::from(number);
            let end = at + length + hidden_size;
            frame.next = end;
            state.clear();
            state.extend_from_slice(&self.pending[at..at + length]);
            hidden.clear();
            hidden.extend_from_slice(&self.pending[at + length..end]);
            self.found.transitions += 1;
            if let Inserted::New(id) = self.insert(&state) {
                self.enter(id, &state, &hidden, depth);
            }
        }
    }

    /// Expands a new state and puts it on the stack.
    fn enter(&mut self, id: u32, state: &[u8], hidden: &[u8], depth: u64) {
        self.found.depth = self.found.depth.max(depth);
        let start = self.pending.len();
        let faults = self.pending_faults.len();
        self.frames.push(Frame { id, start, next: start, faults, depth });
        if self.is_too_deep(depth) {
            return;
        }
        let deepest = self.expand(state, hidden);
        self.found.depth = self.found.depth.max(depth + deepest);
        let mut faults = self.expansion.faults().iter().peekable();
        for at in 0..=self.expansion.len() {
            while let Some(located) = faults.next_if(|located| located.after == at) {
                if !self.is_ignored(located.fault) {
                    self.pending.extend_from_slice(&FAULT.to_le_bytes());
                    let number = self.pending_faults.len() as u32;
                    self.pending.extend_from_slice(&number.to_le_bytes());
                    let moves = self.expansion.fault_moves(located).to_vec();
                    self.pending_faults.push((located.fault, moves));
                }
            }
            if at < self.expansion.len() {
                let successor = self.expansion.state(at);
                let moves = self.expansion.moves(at).len() as u32;
                self.pending.extend_from_slice(&(successor.len() as u32).to_le_bytes());
                self.pending.extend_from_slice(&moves.to_le_bytes());
                self.pending.extend_from_slice(successor);
                self.pending.extend_from_slice(self.expansion.hidden(at));
            }
        }
        self.check_limits();
    }

    pub(super) fn breadth_first(&mut self, initial: &[u8], hidden: &[u8]) {
        self.insert(initial);
        self.parents.push(0);
        self.hidden.extend_from_slice(hidden);
        let size = self.hidden_size();
        let (mut next, mut level_end) = (0, 1);
        while next < self.states.len() && !self.stopped {
            if next == level_end {
                level_end = self.states.len();
                self.found.depth += 1;
            }
            if self.is_too_deep(self.found.depth) {
                return;
            }
            let id = next as u32;
            self.frames.clear();
            let depth = self.found.depth;
            self.frames.push(Frame { id, start: 0, next: 0, faults: 0, depth });
            let state = self.states.get(id).to_vec();
            let hidden = self.hidden[next * size..(next + 1) * size].to_vec();
            self.expand(&state, &hidden);
            let expansion = std::mem::take(&mut self.expansion);
            for located in expansion.faults() {
                if !self.is_ignored(located.fault) {
                    let moves = expansion.fault_moves(located);
                    self.error(ErrorKind::Fault(located.fault), Some(moves));
                }
            }
            for at in 0..expansion.len() {
                self.found.transitions += 1;
                if let Inserted::New(_) = self.insert(expansion.state(at)) {
                    self.parents.push(id);
                    self.hidden.extend_from_slice(expansion.hidden(at));
                }
            }
            self.expansion = expansion;
            next += 1;
            self.check_limits();
        }
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        let inserted = self.states.insert(state);
        match inserted {
            Inserted::New(_) => {}
            Inserted::Known => self.found.matched += 1,
            Inserted::NoRoom => self.stop(Limit::Memory),
        }
        inserted
    }

    /// Whether a state lies beyond the limit. The search goes on elsewhere, but proves nothing.
    fn is_too_deep(&mut self, depth: u64) -> bool {
        let too_deep = self.options.max_depth.is_some_and(|limit| depth >= limit);
        if too_deep {
            self.found.limit.get_or_insert(Limit::Depth);
        }
        too_deep
    }

    /// Finds the successors of a state and records what is wrong with the state. The longest way to a
    /// state inside an atomic sequence.
    fn expand(&mut self, state: &[u8], hidden: &[u8]) -> u64 {
        let mut expansion = std::mem::take(&mut self.expansion);
        expansion.clear();
        self.interp.successors(state, hidden, &mut expansion);
        self.expansions += 1;
        self.found.atomic_steps += expansion.atomic_steps;
        for at in 0..expansion.len() {
            for step in expansion.moves(at) {
                self.found.executed[step.command.0 as usize] = true;
            }
        }
        for located in expansion.faults() {
            for step in expansion.fault_moves(located) {
                self.found.executed[step.command.0 as usize] = true;
            }
        }
        self.found.deadlocks += u64::from(expansion.is_blocked);
        if expansion.is_blocked && !self.options.ignore_end_states && !self.ends_well(state) {
            self.error(ErrorKind::InvalidEndState, None);
        }
        self.check_conditions(state, hidden);
        let deepest = expansion.deepest as u64;
        self.expansion = expansion;
        deepest
    }

    fn is_ignored(&self, fault: Fault) -> bool {
        self.options.ignore_assertions && fault.kind.is_assertion()
    }

    fn ends_well(&mut self, state: &[u8]) -> bool {
        self.interp.is_valid_end(state)
            && (!self.options.empty_channels_at_end
                || self.interp.channels().iter().all(|channel| channel.messages.is_empty()))
    }

    /// A condition that cannot be evaluated is not met.
    fn check_conditions(&mut self, state: &[u8], hidden: &[u8]) {
        let options = self.options;
        if options.conditions.is_empty() || self.interp.is_error_state(state) {
            return;
        }
        for &condition in &options.conditions {
            self.interp.load_with_hidden(state, hidden);
            let value = self.interp.eval_loaded(condition.expr, None);
            if value.map_or(true, |value| (value != 0) != condition.wanted) {
                self.error(ErrorKind::Condition(condition), None);
            }
        }
    }

    /// Records an error in the state on top of the stack, or on the way from it.
    fn error(&mut self, error: ErrorKind, moves: Option<&[Move]>) {
        *self.found.errors.entry(error.name()).or_default() += 1;
        if let ErrorKind::Fault(fault) = error {
            if matches!(fault.kind, FaultKind::EndlessAtomic | FaultKind::EndlessDStep) {
                // Not an error of the model as Spin sees it: the search is cut there.
                self.found.limit.get_or_insert(Limit::EndlessStep);
                return;
            }
            if fault.kind.is_fatal() && self.options.stop_at_fatal {
                self.stop(Limit::Fatal);
            }
        }
        if self.found.first_error.is_none() {
            self.found.first_error = Some(self.trace(error, moves));
        }
        if self.options.stop_at_error {
            self.stop(Limit::FirstError);
        }
    }

    fn stop(&mut self, why: Limit) {
        if !self.stopped {
            self.found.limit = Some(why);
            self.stopped = true;
        }
    }

    fn memory(&self) -> usize {
        self.states.memory()
            + self.pending.capacity()
            + self.frames.capacity() * size_of::<Frame>()
            + self.parents.capacity() * size_of::<u32>()
            + self.hidden.capacity()
    }

    fn check_limits(&mut self) {
        let states = self.states.len() as u64;
        if self.options.max_states.is_some_and(|limit| states > limit) {
            self.stop(Limit::States);
        }
        if !self.expansions.is_multiple_of(WATCH_EVERY) {
            return;
        }
        let memory = self.memory();
        if self.options.max_memory.is_some_and(|limit| memory > limit) {
            self.stop(Limit::Memory);
        }
        if self.options.time_limit.is_some_and(|limit| self.started.elapsed() > limit) {
            self.stop(Limit::Time);
        }
        let (transitions, depth) = (self.found.transitions, self.found.depth);
        if !(self.watch)(Progress { states, transitions, depth, memory }) {
            self.stop(Limit::Interrupted);
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
