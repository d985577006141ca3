//! The steps of a model as it gives them, without rows: what runs are replayed and judged by.

use crate::model::{Model, Sink, Steps};

/// A step, with the state as it is and the one that stands for it.
pub(crate) struct Step<M: Model> {
    pub(crate) action: M::Action,
    pub(crate) state: M::State,
    pub(crate) canonical: M::State,
}

/// All steps out of a state, and how many lead beyond the boundary.
pub(crate) struct AllSteps<M: Model> {
    pub(crate) steps: Vec<Step<M>>,
    pub(crate) beyond: u64,
}

impl<M: Model> AllSteps<M> {
    pub(crate) fn of(model: &M, state: &M::State) -> Self {
        let mut sink = TypedSink { model, found: AllSteps { steps: Vec::new(), beyond: 0 } };
        let mut scratch = state.clone();
        model.steps(state, &mut Steps::new(state, &mut scratch, &mut sink));
        sink.found
    }

    /// Nothing is possible, here or beyond.
    pub(crate) fn is_rest(&self) -> bool {
        self.steps.is_empty() && self.beyond == 0
    }
}

/// The initial states within the boundary, each with the one that stands for it.
pub(crate) fn initial<M: Model>(model: &M) -> impl Iterator<Item = (M::State, M::State)> {
    let both = |state: M::State| {
        let mut canonical = state.clone();
        model.canonical(&mut canonical);
        (state, canonical)
    };
    model.initial().into_iter().map(both).filter(|(_, canonical)| model.within(canonical))
}

struct TypedSink<'a, M: Model> {
    model: &'a M,
    found: AllSteps<M>,
}

impl<M: Model> Sink<M> for TypedSink<'_, M> {
    fn take(&mut self, action: M::Action, source: &M::State, next: &mut M::State) {
        let state = std::mem::replace(next, source.clone());
        let mut canonical = state.clone();
        self.model.canonical(&mut canonical);
        match self.model.within(&canonical) {
            true => self.found.steps.push(Step { action, state, canonical }),
            false => self.found.beyond += 1,
        }
    }
}
