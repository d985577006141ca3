//! What both orders have in common: errors, conditions, limits.

use lariat_core::{Limit, SystemId};
use lariat_model::interp::{FaultKind, Interp, Move};
use lariat_model::ir::Model;
use lariat_system::{NO_VALUATION, Stop, SystemGraph};

use super::{ErrorKind, ErrorPath, Exploration, ExploreOptions, Order};

pub(crate) struct Explorer<'a, 'm, G> {
    /// For end states; successors come from the graph.
    interp: Interp<'m>,
    pub(crate) graph: &'a mut G,
    pub(crate) options: &'a ExploreOptions,
    told: &'a dyn Fn(u64),
    pub(crate) found: Exploration,
    /// The search is over: it has its answer, or a limit was reached.
    pub(crate) stopped: bool,
    /// Breadth first: an error on the way from this level was found. One in a later state of it
    /// would be nearer.
    pub(crate) ends_with_level: bool,
    /// Bytes of the search's own structures.
    pub(crate) own: usize,
}

impl<'a, 'm, G: SystemGraph> Explorer<'a, 'm, G> {
    pub(crate) fn new(
        graph: &'a mut G,
        model: &'m Model,
        options: &'a ExploreOptions,
        told: &'a dyn Fn(u64),
    ) -> Self {
        Explorer {
            interp: Interp::new(model),
            graph,
            options,
            told,
            found: Exploration::default(),
            stopped: false,
            ends_with_level: false,
            own: 0,
        }
    }

    /// What was found, whether the walk came to its end or was stopped.
    pub(crate) fn finish(mut self, walked: Result<(), Stop>) -> Result<Exploration, Stop> {
        match walked {
            Ok(()) => {}
            Err(Stop::Limit(limit)) => self.stop(limit),
            Err(Stop::Fault(_)) => self.stop(Limit::Fault),
            Err(widen @ Stop::Widen(_)) => return Err(widen),
        }
        // Each transition led to a new state or to a known one.
        self.found.matched = (self.found.transitions + 1).saturating_sub(self.found.states);
        self.found.memory = self.graph.bytes() + self.own;
        Ok(self.found)
    }

    /// The initial state.
    pub(crate) fn start(&mut self) -> Result<SystemId, Stop> {
        let mut initial = Vec::new();
        self.graph.initial(&mut initial)?;
        Ok(initial[0])
    }

    pub(crate) fn note_depth(&mut self, depth: u64) {
        if depth > self.found.depth {
            self.found.depth = depth;
            (self.told)(depth);
        }
    }

    /// Whether a state lies beyond the limit. The search goes on elsewhere, but proves nothing.
    pub(crate) fn is_too_deep(&mut self, depth: u64) -> bool {
        let too_deep = self.options.max_depth.is_some_and(|limit| depth >= limit);
        if too_deep {
            self.found.limit.get_or_insert(Limit::Depth);
        }
        too_deep
    }

    pub(crate) fn check_state_limit(&mut self) {
        if self.are_too_many(self.found.states) {
            self.stop(Limit::States);
        }
    }

    /// Whether so many states are more than are allowed.
    pub(crate) fn are_too_many(&self, states: u64) -> bool {
        self.options.max_states.is_some_and(|limit| states > limit)
    }

    /// The search's own structures will take so many bytes.
    pub(crate) fn reserve(&mut self, own: usize) -> Result<(), Stop> {
        self.graph.reserve(own)?;
        self.own = own;
        Ok(())
    }

    /// Nothing leads out of this state.
    pub(crate) fn note_blocked(&mut self, id: SystemId, path: impl FnOnce() -> Vec<SystemId>) {
        self.found.deadlocks += 1;
        let ignores = self.options.ignore_end_states || self.options.only_conditions;
        if !ignores && !self.ends_well(id) {
            self.error(ErrorKind::InvalidEndState, &[], path);
        }
    }

    fn ends_well(&mut self, id: SystemId) -> bool {
        let mut whole = self.graph.hidden().to_vec();
        whole.extend_from_slice(self.graph.load(id));
        self.options.ends_well(&mut self.interp, &whole)
    }

    /// Looks at the conditions. One that cannot be evaluated is not true, and in the error state of a
    /// DVE model nothing has a meaning.
    pub(crate) fn check_conditions(
        &mut self,
        id: SystemId,
        path: impl Fn() -> Vec<SystemId>,
    ) -> Result<(), Stop> {
        let valuation = self.graph.valuation(id)?;
        if valuation == NO_VALUATION {
            return Ok(());
        }
        let truth = self.graph.truth(valuation);
        for (bit, &condition) in self.options.conditions.iter().enumerate() {
            if (truth >> bit & 1 == 1) != condition.wanted {
                self.error(ErrorKind::Condition(condition), &[], &path);
            }
        }
        Ok(())
    }

    /// Records an error in the last state of the path, or on the way from it: then the commands up
    /// to there are not empty.
    pub(crate) fn error(
        &mut self,
        error: ErrorKind,
        moves: &[Move],
        path: impl FnOnce() -> Vec<SystemId>,
    ) {
        *self.found.errors.entry(error.name()).or_default() += 1;
        if let ErrorKind::Fault(fault) = error {
            if fault.kind.is_cut() {
                // Not an error of the model as Spin sees it: the search is cut there.
                debug_assert!(fault.kind != FaultKind::Stopped, "a graph that is stopped says so");
                self.found.limit.get_or_insert(Limit::EndlessStep);
                return;
            }
            self.stopped |= fault.kind.is_fatal() && self.options.stop_at_fatal;
        }
        // An error of a state is one step nearer than one on the way from it.
        let is_of_state = moves.is_empty();
        let is_nearer = self.ends_with_level && is_of_state;
        if self.found.first_error.is_none() || is_nearer {
            let rows: Vec<Box<_>> =
                path().into_iter().map(|id| Box::from(self.graph.load(id))).collect();
            let hidden_is_outside = self.graph.hidden_words() > 0;
            let last = moves.to_vec();
            self.found.first_error = Some(ErrorPath { error, rows, last, hidden_is_outside });
        }
        if self.options.stop_at_error {
            match self.options.order {
                Order::BreadthFirst if !is_of_state => self.ends_with_level = true,
                _ => self.stopped = true,
            }
        }
    }

    pub(crate) fn stop(&mut self, why: Limit) {
        if !self.stopped {
            self.found.limit = Some(why);
            self.stopped = true;
        }
    }
}
