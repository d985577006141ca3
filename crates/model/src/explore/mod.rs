//! The whole reachable space of a model: counted, with errors by kind and what was executed.
//!
//! Depth first in Spin's order, with an explicit stack, or breadth first for shortest errors.
//! No reduction, and no stop at errors unless asked for.
//!
//! The searches run on rows of words. Who computes the successors and who stores the states is
//! the caller's choice ([`explore_rows`]); [`explore`] takes the interpreter and a plain store.

mod breadth_first;
mod depth_first;
mod plain;
mod search;
mod stack;
mod trace;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lariat_core::{Stop, SystemStore, Word};

use crate::interp::{Fault, FaultKind, Interp, ModelSpace, Move, row};
use crate::ir::{ExprId, Model};
use crate::steps::ModelSteps;

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
    /// Hidden variables are part of a state, so that everything is seen that can be reached. Without
    /// it they are outside, as in Spin, and what is seen depends on the order.
    pub hidden_is_state: bool,
    /// No other error is looked for.
    pub only_conditions: bool,
    /// What must be so in every state.
    pub conditions: Vec<Condition>,
    /// Messages left in channels make an end state invalid (`pan -q`).
    pub empty_channels_at_end: bool,
    /// States deeper than this are not expanded: in commands (depth first) or in levels.
    pub max_depth: Option<u64>,
    pub max_states: Option<u64>,
    pub max_memory: Option<usize>,
    pub time_limit: Option<Duration>,
}

impl ExploreOptions {
    fn ignores(&self, fault: Fault) -> bool {
        let is_endless = matches!(fault.kind, FaultKind::EndlessAtomic | FaultKind::EndlessDStep);
        self.only_conditions && !is_endless || self.ignore_assertions && fault.kind.is_assertion()
    }
}

/// An expression that must be true, or false, in every state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    pub expr: ExprId,
    pub wanted: bool,
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
    /// The first error, with [`ExploreOptions::stop_at_error`].
    FirstError,
    /// A fatal fault, with [`ExploreOptions::stop_at_fatal`].
    Fatal,
}

impl From<Stop> for Limit {
    fn from(why: Stop) -> Limit {
        match why {
            Stop::Time => Limit::Time,
            Stop::Memory => Limit::Memory,
            _ => Limit::Interrupted,
        }
    }
}

/// What is wrong in an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    Fault(Fault),
    InvalidEndState,
    Condition(Condition),
}

impl ErrorKind {
    pub fn name(&self) -> &'static str {
        match self {
            ErrorKind::Fault(fault) => fault.kind.name(),
            ErrorKind::InvalidEndState => "invalid-end-state",
            ErrorKind::Condition(Condition { wanted: true, .. }) => "invariant",
            ErrorKind::Condition(Condition { wanted: false, .. }) => "reached",
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
    /// By `d_step` and node: whether it was executed. Empty if nobody has looked.
    pub executed_in_d_steps: Vec<Vec<bool>>,
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
    pub depth: u64,
    pub memory: usize,
}

/// Explores everything that can be reached.
pub fn explore(model: &Model, options: &ExploreOptions) -> Result<Exploration, Vec<Fault>> {
    let conditions: Vec<ExprId> = options.conditions.iter().map(|found| found.expr).collect();
    explore_rows(
        model,
        options,
        |width| Box::new(ModelSpace::new(model, width, conditions.clone())),
        plain::Plain::new,
        &mut |_| true,
    )
}

/// The most conditions that an exploration can look at.
pub const MAX_CONDITIONS: usize = 64;

/// As [`explore`], with steps and a store for rows of the given width. The propositions of the
/// steps are the conditions of the options. `watch` is called now and then and stops the search
/// by `false`.
///
/// If a state turns out not to fit into a row, the search starts again with wider ones:
/// processes are mostly created early.
pub fn explore_rows<'s, S: SystemStore<Row = [Word]>>(
    model: &Model,
    options: &ExploreOptions,
    mut steps: impl FnMut(usize) -> Box<dyn ModelSteps + 's>,
    mut store: impl FnMut(usize) -> S,
    watch: &mut dyn FnMut(Progress) -> bool,
) -> Result<Exploration, Vec<Fault>> {
    assert!(options.conditions.len() <= MAX_CONDITIONS, "one bit for each condition");
    let started = Instant::now();
    let (state, hidden) = Interp::new(model).initial()?;
    let mut width = row::words_for(&state, &hidden);
    loop {
        let mut steps = steps(width);
        let hidden_words = if options.hidden_is_state { 0 } else { steps.hidden_words() };
        let mut store = store(width - hidden_words);
        let mut initial = vec![0; width];
        row::pack(&state, &hidden, &mut initial);
        let (hidden, visible) = initial.split_at(hidden_words);
        let mut search = search::Search::new(
            model,
            &mut *steps,
            hidden_words,
            &mut store,
            options,
            watch,
            started,
        );
        match search.start(visible) {
            None => {}
            Some(id) if options.order == Order::DepthFirst => search.depth_first(id, hidden),
            Some(_) => search.breadth_first(hidden),
        }
        if !search.must_widen() {
            return Ok(search.finish());
        }
        width = search.wider();
    }
}
