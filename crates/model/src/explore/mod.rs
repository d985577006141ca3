//! The whole reachable space of a model: counted, with errors by kind and what was executed.
//!
//! Depth first in Spin's order, with an explicit stack, or breadth first for shortest errors.
//! No reduction, and no stop at errors unless asked for.

mod states;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::interp::{Expansion, Fault, FaultKind, Interp, Move};
use crate::ir::{ExprId, Model};
use states::States;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    #[default]
    DepthFirst,
    BreadthFirst,
}

/// What to look for and when to stop.
#[derive(Clone, Debug, Default)]
pub struct ExploreOptions {
    pub order: Order,
    /// Stop at the first error.
    pub stop_at_error: bool,
    /// Stop at the first fault that ends Spin's verifier.
    pub stop_at_fatal: bool,
    /// As `pan -A`, which also hides indices out of range.
    pub ignore_assertions: bool,
    pub ignore_end_states: bool,
    /// A state in which this holds counts as an error.
    pub goal: Option<ExprId>,
    /// Messages left in channels make an end state invalid (`pan -q`).
    pub empty_channels_at_end: bool,
    /// The deepest search stack, in commands.
    pub max_depth: Option<u64>,
    pub max_states: Option<u64>,
    pub max_memory: Option<usize>,
    pub time_limit: Option<Duration>,
}

/// Why a search did not see everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Depth,
    States,
    Memory,
    Time,
    /// The caller said so.
    Interrupted,
    /// An atomic sequence or `d_step` does not end.
    EndlessStep,
    /// A fatal fault, with [`ExploreOptions::stop_at_fatal`].
    Fatal,
}

/// What is wrong in an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    Fault(Fault),
    InvalidEndState,
    /// The state that was looked for, [`ExploreOptions::goal`].
    Goal,
}

impl ErrorKind {
    pub fn name(&self) -> &'static str {
        match self {
            ErrorKind::Fault(fault) => fault.kind.name(),
            ErrorKind::InvalidEndState => "invalid-end-state",
            ErrorKind::Goal => "goal",
        }
    }
}

/// A step of a trace: the commands from the state before to this one.
#[derive(Clone, Debug)]
pub struct TraceStep {
    pub moves: Vec<Move>,
    /// None behind the last step, if it is at fault.
    pub state: Option<Vec<u8>>,
}

/// An execution from the initial state to an error.
#[derive(Clone, Debug)]
pub struct ErrorTrace {
    pub error: ErrorKind,
    pub initial: Vec<u8>,
    pub steps: Vec<TraceStep>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    pub states: u64,
    /// Steps between states, each way through an atomic sequence counted.
    pub transitions: u64,
    /// Steps to states that were known.
    pub matched: u64,
    pub atomic_steps: u64,
    /// The longest path on the stack in commands (depth first), or the number of levels.
    pub depth: u64,
    /// How often each kind of error was met.
    pub errors: BTreeMap<&'static str, u64>,
    pub first_error: Option<ErrorTrace>,
    /// States without successors, whether or not that is an error.
    pub deadlocks: u64,
    /// By command: whether it was executed.
    pub executed: Vec<bool>,
    /// Bytes of the store of states at the end.
    pub memory: usize,
    pub limit: Option<Limit>,
}

impl Exploration {
    /// Errors of all kinds.
    pub fn error_count(&self) -> u64 {
        self.errors.values().sum()
    }

    /// What Spin prints as transitions: stored and matched.
    pub fn stored_and_matched(&self) -> u64 {
        self.states + self.matched
    }
}

/// Progress of a running exploration.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub memory: usize,
}

/// Explores everything that can be reached.
pub fn explore(model: &Model, options: &ExploreOptions) -> Result<Exploration, Vec<Fault>> {
    explore_watched(model, options, &mut |_| true)
}

/// As [`explore`]; `watch` is called now and then and stops the search by `false`.
pub fn explore_watched(
    model: &Model,
    options: &ExploreOptions,
    watch: &mut dyn FnMut(Progress) -> bool,
) -> Result<Exploration, Vec<Fault>> {
    let mut interp = Interp::new(model);
    let (initial, hidden) = interp.initial()?;
    let mut explorer = Explorer {
        interp,
        options,
        watch,
        started: Instant::now(),
        states: States::default(),
        expansion: Expansion::new(),
        found: Exploration { executed: vec![false; model.commands.len()], ..Default::default() },
        pending: Vec::new(),
        frames: Vec::new(),
        parents: Vec::new(),
    };
    match options.order {
        Order::DepthFirst => explorer.depth_first(&initial, &hidden),
        Order::BreadthFirst => explorer.breadth_first(&initial, &hidden),
    }
    explorer.found.states = explorer.states.len() as u64;
    explorer.found.memory = explorer.states.memory();
    Ok(explorer.found)
}

/// A state on the stack, with its successors that were not looked at yet in `pending`.
struct Frame {
    id: u32,
    /// Where its successors start in `pending`, and where the next one is.
    start: usize,
    next: usize,
    depth: u64,
}

struct Explorer<'a, 'm> {
    interp: Interp<'m>,
    options: &'a ExploreOptions,
    watch: &'a mut dyn FnMut(Progress) -> bool,
    started: Instant,
    states: States,
    expansion: Expansion,
    found: Exploration,
    /// Successors of the states on the stack: length of the state, nr of moves, state, hidden
    /// variables.
    pending: Vec<u8>,
    frames: Vec<Frame>,
    /// Breadth first: from where a state was reached first.
    parents: Vec<u32>,
}

const HEADER: usize = 8;

impl<'m> Explorer<'_, 'm> {
    fn hidden_size(&self) -> usize {
        self.interp.model().hidden_size as usize
    }

    fn depth_first(&mut self, initial: &[u8], hidden: &[u8]) {
        self.states.insert(initial);
        self.enter(0, initial.to_vec().as_slice(), hidden, 0);
        let mut state = Vec::new();
        let mut hidden = Vec::new();
        while self.found.limit.is_none() {
            let Some(frame) = self.frames.last_mut() else { break };
            if frame.next >= self.pending.len() {
                self.pending.truncate(frame.start);
                self.frames.pop();
                continue;
            }
            let at = frame.next;
            let length = u32_at(&self.pending, at) as usize;
            let depth = frame.depth + u32_at(&self.pending, at + 4) as u64;
            state.clear();
            state.extend_from_slice(&self.pending[at + HEADER..at + HEADER + length]);
            let end = at + HEADER + length + self.interp.model().hidden_size as usize;
            hidden.clear();
            hidden.extend_from_slice(&self.pending[at + HEADER + length..end]);
            frame.next = end;
            self.found.transitions += 1;
            let (id, is_new) = self.states.insert(&state);
            match is_new {
                true => self.enter(id, &state, &hidden, depth),
                false => self.found.matched += 1,
            }
        }
    }

    /// Expands a new state and puts it on the stack.
    fn enter(&mut self, id: u32, state: &[u8], hidden: &[u8], depth: u64) {
        if self.options.max_depth.is_some_and(|limit| depth >= limit) {
            self.found.limit = Some(Limit::Depth);
            return;
        }
        let start = self.pending.len();
        self.frames.push(Frame { id, start, next: start, depth });
        self.expand(state, hidden, depth);
        for at in 0..self.expansion.len() {
            let successor = self.expansion.state(at);
            self.pending.extend_from_slice(&(successor.len() as u32).to_le_bytes());
            let moves = self.expansion.moves(at).len() as u32;
            self.pending.extend_from_slice(&moves.to_le_bytes());
            self.pending.extend_from_slice(successor);
            self.pending.extend_from_slice(self.expansion.hidden(at));
        }
        self.check_limits();
    }

    fn breadth_first(&mut self, initial: &[u8], hidden: &[u8]) {
        self.states.insert(initial);
        self.parents.push(0);
        let mut hidden_of = hidden.to_vec();
        let mut level_end = 1;
        let mut next = 0;
        while next < self.states.len() && self.found.limit.is_none() {
            if next == level_end {
                level_end = self.states.len();
                self.found.depth += 1;
                if self.options.max_depth.is_some_and(|limit| self.found.depth > limit) {
                    self.found.limit = Some(Limit::Depth);
                    return;
                }
            }
            let id = next as u32;
            self.frames.clear();
            self.frames.push(Frame { id, start: 0, next: 0, depth: 0 });
            let state = self.states.get(id).to_vec();
            let size = self.hidden_size();
            let hidden = hidden_of[next * size..(next + 1) * size].to_vec();
            let depth = self.found.depth;
            self.expand(&state, &hidden, depth);
            self.found.depth = depth;
            for at in 0..self.expansion.len() {
                self.found.transitions += 1;
                let (_, is_new) = self.states.insert(self.expansion.state(at));
                if is_new {
                    self.parents.push(id);
                    hidden_of.extend_from_slice(self.expansion.hidden(at));
                } else {
                    self.found.matched += 1;
                }
            }
            next += 1;
            self.check_limits();
        }
    }

    /// Finds the successors of a state and records what is wrong with it.
    fn expand(&mut self, state: &[u8], hidden: &[u8], depth: u64) {
        let mut expansion = std::mem::take(&mut self.expansion);
        expansion.clear();
        self.interp.successors(state, hidden, &mut expansion);
        self.found.atomic_steps += expansion.atomic_steps;
        self.found.depth = self.found.depth.max(depth + expansion.deepest as u64);
        for at in 0..expansion.len() {
            for step in expansion.moves(at) {
                self.found.executed[step.command.0 as usize] = true;
            }
        }
        for at in 0..expansion.faults().len() {
            let located = &expansion.faults()[at];
            let fault = located.fault;
            if self.options.ignore_assertions && fault.kind.is_assertion() {
                continue;
            }
            let moves = expansion.fault_moves(located).to_vec();
            self.error(ErrorKind::Fault(fault), Some(moves));
        }
        if let Some(goal) = self.options.goal
            && !self.interp.is_error_state(state)
        {
            match self.interp.eval(state, goal, None) {
                Ok(0) => {}
                Ok(_) => self.error(ErrorKind::Goal, None),
                Err(fault) => self.error(ErrorKind::Fault(fault), None),
            }
        }
        self.found.deadlocks += expansion.is_blocked as u64;
        if expansion.is_blocked && !self.options.ignore_end_states && !self.ends_well(state) {
            self.error(ErrorKind::InvalidEndState, None);
        }
        self.expansion = expansion;
    }

    fn ends_well(&mut self, state: &[u8]) -> bool {
        self.interp.is_valid_end(state)
            && (!self.options.empty_channels_at_end
                || self.interp.channels().iter().all(|channel| channel.messages.is_empty()))
    }

    fn error(&mut self, error: ErrorKind, moves: Option<Vec<Move>>) {
        if let ErrorKind::Fault(fault) = error {
            if matches!(fault.kind, FaultKind::EndlessAtomic | FaultKind::EndlessDStep) {
                // Not an error of the model as Spin sees it: the search is cut there.
                *self.found.errors.entry(error.name()).or_default() += 1;
                self.found.limit.get_or_insert(Limit::EndlessStep);
                if !self.options.stop_at_error {
                    self.found.limit = None;
                }
                return;
            }
            if fault.kind.is_fatal() && self.options.stop_at_fatal {
                self.found.limit = Some(Limit::Fatal);
            }
        }
        *self.found.errors.entry(error.name()).or_default() += 1;
        if self.found.first_error.is_none() {
            self.found.first_error = Some(self.trace(error, moves));
        }
        if self.options.stop_at_error {
            self.found.limit.get_or_insert(Limit::Interrupted);
        }
    }

    /// The execution that leads to the state on top of the stack.
    fn trace(&mut self, error: ErrorKind, last: Option<Vec<Move>>) -> ErrorTrace {
        let mut ids: Vec<u32> = self.frames.iter().map(|frame| frame.id).collect();
        if self.options.order == Order::BreadthFirst {
            while let Some(&first) = ids.first()
                && first != 0
            {
                ids.insert(0, self.parents[first as usize]);
            }
        }
        let mut expansion = Expansion::new();
        let initial = self.interp.initial();
        let (initial, mut hidden) = initial.unwrap_or_default();
        let mut steps = Vec::with_capacity(ids.len());
        for pair in ids.windows(2) {
            let (from, to) = (self.states.get(pair[0]), self.states.get(pair[1]));
            expansion.clear();
            self.interp.successors(from, &hidden, &mut expansion);
            let Some(at) = (0..expansion.len()).find(|&at| expansion.state(at) == to) else {
                break;
            };
            hidden = expansion.hidden(at).to_vec();
            let moves = expansion.moves(at).to_vec();
            steps.push(TraceStep { moves, state: Some(to.to_vec()) });
        }
        if let Some(moves) = last {
            steps.push(TraceStep { moves, state: None });
        }
        ErrorTrace { error, initial, steps }
    }

    fn check_limits(&mut self) {
        let states = self.states.len() as u64;
        if self.options.max_states.is_some_and(|limit| states > limit) {
            self.found.limit = Some(Limit::States);
        }
        if !states.is_multiple_of(1024) {
            return;
        }
        let memory = self.states.memory() + self.pending.capacity();
        if self.options.max_memory.is_some_and(|limit| memory > limit) {
            self.found.limit = Some(Limit::Memory);
        }
        if self.options.time_limit.is_some_and(|limit| self.started.elapsed() > limit) {
            self.found.limit = Some(Limit::Time);
        }
        let (transitions, depth) = (self.found.transitions, self.found.depth);
        if !(self.watch)(Progress { states, transitions, depth, memory }) {
            self.found.limit = Some(Limit::Interrupted);
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
