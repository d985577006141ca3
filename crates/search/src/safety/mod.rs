//! The whole reachable space of a system: counted, with errors by kind.
//!
//! Depth first in Spin's order, with an explicit stack, or breadth first for shortest errors. No
//! partial-order reduction and no stop at errors unless asked for.
//!
//! ```
//! use lariat_model::promela::{PromelaOptions, load_text};
//! use lariat_search::safety::{ExploreOptions, Order, explore};
//!
//! let text = "byte x; active proctype p() { do :: x < 3 -> x++ :: else -> break od; assert(x < 3) }";
//! let model = load_text("count.pml", text, &PromelaOptions::default()).unwrap().model;
//! let options = ExploreOptions { order: Order::BreadthFirst, ..Default::default() };
//! let found = explore(&model, &options).unwrap();
//! assert_eq!(found.errors["assertion"], 1);
//! let path = found.first_error.unwrap();
//! assert_eq!(path.commands(&model).unwrap().len(), path.rows.len());
//! ```

pub(crate) mod breadth_first;
mod depth_first;
pub(crate) mod explorer;
mod resumed;
pub(crate) mod rows;
mod shared;
mod stack;
mod threads;

pub use rows::{Progress, explore, explore_rows, may_reduce, reduction};
pub use threads::{Sharing, explore_shared};

use std::collections::BTreeMap;
use std::time::Duration;

use lariat_core::{Emptiness, Limit, SystemId, Word, conclude};
use lariat_model::interp::commands::{NoCommands, commands};
use lariat_model::interp::{Fault, FaultKind, Interp, Move, row};
use lariat_model::ir::{ExprId, Model};
use lariat_system::{Edges, ReductionReport, Remember, Stop, SystemGraph};

use crate::proviso::{self, Proviso};

/// In which order states are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    #[default]
    /// In Spin's order.
    DepthFirst,
    /// Level by level: the first error is a nearest one.
    BreadthFirst,
}

/// What to look for and when to stop.
#[derive(Clone, Debug, Default)]
pub struct ExploreOptions {
    /// Depth first or breadth first.
    pub order: Order,
    /// Stop at the first error.
    pub stop_at_error: bool,
    /// Stop at the first fault that ends Spin's verifier.
    pub stop_at_fatal: bool,
    /// As `pan -A`, which also hides indices out of range.
    pub ignore_assertions: bool,
    /// Invalid end states are no errors.
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
    /// Give up beyond so many states.
    pub max_states: Option<u64>,
    /// Bytes of all structures.
    pub max_memory: Option<usize>,
    /// Give up after this time.
    pub time_limit: Option<Duration>,
    /// Whether the steps of processes are remembered; no answer depends on it.
    pub remember: Remember,
    /// Leave out steps whose order does not matter, if that is possible (docs/por.md). Errors are
    /// not lost, but there are fewer states and steps, and only deadlocks are nearest ones.
    pub reduces: bool,
    /// After so many states it is judged whether that pays; else when there are enough to judge.
    pub reduces_after: Option<u64>,
    /// Say afterwards where nothing could be left out, and why.
    pub explains_reduction: bool,
}

impl ExploreOptions {
    pub(crate) fn ignores(&self, fault: Fault) -> bool {
        let is_endless = matches!(fault.kind, FaultKind::EndlessAtomic | FaultKind::EndlessDStep);
        self.only_conditions && !is_endless || self.ignore_assertions && fault.kind.is_assertion()
    }

    /// Whether a state that nothing leads out of is where processes may end.
    pub(crate) fn ends_well(&self, interp: &mut Interp<'_>, row: &[Word]) -> bool {
        let (state, _) = row::unpack(interp.model(), row);
        interp.is_valid_end(&state)
            && (!self.empty_channels_at_end
                || interp.channels().iter().all(|channel| channel.messages.is_empty()))
    }
}

/// The most conditions that an exploration can look at: one bit for each.
pub const MAX_CONDITIONS: usize = 64;

/// An expression that must be true, or false, in every state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// What is evaluated.
    pub expr: ExprId,
    /// What it must be.
    pub wanted: bool,
}

/// What is wrong in an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// A run-time error.
    Fault(Fault),
    /// Nothing moves, and not all processes are where they may end.
    InvalidEndState,
    /// A state does not fulfil it.
    Condition(Condition),
}

impl ErrorKind {
    /// A short stable name, for tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            ErrorKind::Fault(fault) => fault.kind.name(),
            ErrorKind::InvalidEndState => "invalid-end-state",
            ErrorKind::Condition(Condition { wanted: true, .. }) => "invariant",
            ErrorKind::Condition(Condition { wanted: false, .. }) => "reached",
        }
    }
}

/// The states from the initial one to an error.
#[derive(Clone, Debug)]
pub struct ErrorPath {
    /// What is wrong at the end.
    pub error: ErrorKind,
    /// States, as the graph keeps them.
    pub rows: Vec<Box<[Word]>>,
    /// The commands from the last state to a fault. None if that state is in error itself.
    pub last: Vec<Move>,
    /// The rows lack the hidden variables.
    pub hidden_is_outside: bool,
}

impl ErrorPath {
    /// There is no state before this error: an initialiser fails.
    pub fn at_once(error: ErrorKind) -> Self {
        ErrorPath { error, rows: Vec::new(), last: Vec::new(), hidden_is_outside: false }
    }

    /// What is executed, step by step.
    pub fn commands(&self, model: &Model) -> Result<Vec<Vec<Move>>, NoCommands> {
        if self.rows.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.rows.iter().map(|row| &row[..]);
        let mut steps = commands(model, rows, self.hidden_is_outside, |_, _| {})?;
        if !self.last.is_empty() {
            steps.push(self.last.clone());
        }
        Ok(steps)
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// Distinct states.
    pub states: u64,
    /// Steps between states, each way through an atomic sequence counted.
    pub transitions: u64,
    /// Steps to states that were known.
    pub matched: u64,
    /// Commands whose target is inside an atomic sequence.
    pub atomic_steps: u64,
    /// The longest path on the stack in commands (depth first), or the number of levels.
    pub depth: u64,
    /// How often each kind of error was met.
    pub errors: BTreeMap<&'static str, u64>,
    /// The first one, or breadth first a nearest one.
    pub first_error: Option<ErrorPath>,
    /// States without successors, whether or not that is an error.
    pub deadlocks: u64,
    /// By command: whether it was executed.
    pub executed: Vec<bool>,
    /// By `d_step` and node: whether it was executed. Empty if nobody has looked.
    pub executed_in_d_steps: Vec<Vec<bool>>,
    /// Bytes of the states and of the search at the end.
    pub memory: usize,
    /// Where nothing could be left out, if that was asked for.
    pub reduction: Option<ReductionReport>,
    /// Why not everything was seen. A search that ends because it has found an error was not cut.
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

    /// Whether there is an error.
    pub fn verdict(&self) -> Emptiness<&ErrorPath> {
        conclude(self.first_error.as_ref(), self.limit, false)
    }
}

/// Goes on until nothing is left out for ever; none if there is an error to which no way is known. `own`:
/// bytes of the search.
pub(crate) fn repaired<G: SystemGraph>(
    graph: &mut G,
    model: &Model,
    options: &ExploreOptions,
    mut found: Exploration,
    own: usize,
) -> Result<Option<Exploration>, Stop> {
    // What was looked at before.
    let mut known = 0;
    loop {
        let cut = |found, limit| Ok(Some(Exploration { limit: Some(limit), ..found }));
        let full = match proviso::violated(graph, Proviso::WayOut, known, own) {
            Ok(full) => full,
            Err(Stop::Limit(limit)) => return cut(found, limit),
            Err(stop) => return Err(stop),
        };
        if full.is_empty() {
            return Ok(Some(found));
        }
        // Their steps are counted anew.
        let mut edges = Edges::default();
        for id in &full {
            graph.expand(&[*id], &mut edges)?;
        }
        found.transitions -= edges.ids.len() as u64;
        found.atomic_steps -= edges.atomic_steps;
        full.iter().for_each(|&id| graph.make_full(id));
        // How deep a state is, is not known then.
        if options.max_depth.is_some() {
            return Ok(None);
        }
        known = graph.len() as SystemId;
        let before = found.clone();
        found = match resumed::explore(graph, model, options, &full, found) {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(None),
            Err(Stop::Limit(limit)) => return cut(before, limit),
            Err(stop) => return Err(stop),
        };
        if found.limit.is_some() {
            return Ok(Some(found));
        }
    }
}

/// Explores what can be reached in a system whose propositions are the conditions of the options.
/// Whoever made it knows what was executed. An error is a reason to start again with more room.
pub fn explore_system<G: SystemGraph>(
    graph: &mut G,
    model: &Model,
    options: &ExploreOptions,
    told: impl Fn(u64),
) -> Result<Exploration, Stop> {
    assert!(options.conditions.len() <= MAX_CONDITIONS, "one bit for each condition");
    for round in 1.. {
        let mut explorer = explorer::Explorer::new(graph, model, options, &told);
        let walked = match options.order {
            Order::DepthFirst => depth_first::explore(&mut explorer),
            Order::BreadthFirst => breadth_first::explore(&mut explorer, |_, _| false).map(drop),
        };
        let own = explorer.own;
        let found = explorer.finish(walked)?;
        let is_decided = options.stop_at_error && found.first_error.is_some();
        if is_decided || found.limit.is_some() {
            return Ok(found);
        }
        // What was left out may hide an error.
        match repaired(graph, model, options, found, own)? {
            Some(found) => return Ok(found),
            None => proviso::begin_anew(graph, round),
        }
    }
    unreachable!("after some rounds the proviso holds")
}
