//! How to check.

use std::time::{Duration, Instant};

use lariat_checks::{Setup, StackProviso};
use lariat_core::{stop, switches};
use lariat_model::interp::{Fairness, Move};
use lariat_model::shortcuts::Shortcuts;
use lariat_search::product::FiniteRuns;

use crate::bounded::Bounded;
use crate::engine::Engine;
use crate::order::Order;
use crate::reduction::ReductionSwitches;
use crate::safety::Errors;

/// How to check. The default is what `lariat check MODEL` does.
#[derive(Clone, Debug)]
pub struct Config {
    /// Who computes successors, and where states are kept.
    pub engine: Engine,
    /// In which order states are looked at.
    pub order: Order,
    /// How far a search may go.
    pub limits: Limits,
    /// Steps from the initial state to where the search begins.
    pub start: Vec<Vec<Move>>,
    /// Reductions that may be made; not every property suits all.
    pub shortcuts: Shortcuts,
    /// Safety: what is an error.
    pub errors: Errors,
    /// Temporal properties: which check, which store. Whether a shortest run is wanted is said
    /// here for safety, too.
    pub setup: Setup,
    /// Not every visited state is kept.
    pub bounded: Option<Bounded>,
    /// Temporal properties: only fair runs count.
    pub fairness: Option<Fairness>,
    /// Fair to processes of these types; to all without a name.
    pub fair_processes: Vec<String>,
    /// Temporal properties: what of runs that end. Without it they stutter, but make no cycle
    /// without progress.
    pub finite_runs: Option<FiniteRuns>,
    /// Cycles without progress: by HPY Fig. 5, without an automaton.
    pub direct_non_progress: bool,
    /// Temporal properties: bytes for a cache of successors.
    pub edge_cache: Option<usize>,
    /// Partial-order reduction.
    pub reduction: ReductionSwitches,
    /// After so many states it is judged whether reduction pays; else when there are enough to
    /// judge.
    pub por_after: Option<u64>,
    /// Temporal properties: a proviso of the papers, which may miss runs, instead of the sound one.
    pub por_proviso: Option<StackProviso>,
    /// Say afterwards where nothing could be left out, and why.
    pub explains: bool,
    /// Temporal properties: what is on or off beside that.
    pub switches: ProductSwitches,
}

switches! {
    /// What is on or off in the product of a model and an automaton.
    pub struct ProductSwitches {
        /// Temporal properties: evaluate propositions in every state, even if the words that they
        /// look at are as in another state
        no_remembered_propositions: "--no-remembered-propositions" for Tests,
        /// Temporal properties: look for cycles by elimination (OWCTY), on however few threads
        elimination: "--elimination" for Users,
        /// Temporal properties: look for cycles by a nested search of all threads (CNDFS), or by UFSCC where
        /// there is more than one mark
        cndfs: "--cndfs" for Users,
        /// Temporal properties: look for cycles by components that all threads find together (UFSCC)
        ufscc: "--ufscc" for Users,
        /// Several processes: do not look for largest accepting predecessors (MAP) while predecessors are counted
        no_map: "--no-map" for Tests,
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            engine: Engine::default(),
            order: Order::default(),
            limits: Limits::default(),
            start: Vec::new(),
            shortcuts: Shortcuts { slice: false, ..Shortcuts::ALL },
            errors: Errors::default(),
            setup: Setup::default(),
            bounded: None,
            fairness: None,
            fair_processes: Vec::new(),
            finite_runs: None,
            direct_non_progress: false,
            edge_cache: None,
            reduction: ReductionSwitches::default(),
            por_after: None,
            por_proviso: None,
            explains: false,
            switches: ProductSwitches::default(),
        }
    }
}

/// How far a search may go. It also ends when [`lariat_core::stop`] says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Bytes of what is stored.
    pub memory: Option<usize>,
    /// Steps.
    pub depth: Option<u64>,
    /// For one question.
    pub time: Option<Duration>,
}

impl Limits {
    /// Works on a question as long as there is time.
    pub(crate) fn within<T>(&self, work: impl FnOnce() -> T) -> T {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        stop::within(deadline, work)
    }
}
