//! Systems of threads that share their states: each thread has a system of its own, over its access to the states
//! ([`SharedSession`]).
//!
//! A thread expands states that others have found. What the model's steps must know of all rows, they are told before
//! that ([`ModelSteps::learn`]): whoever shares states sees to it.

use lariat_core::SystemStore;
use lariat_core::{SystemId, Word};
use lariat_model::steps::ModelSteps;
use lariat_store::SharedSession;

use super::System;
use crate::reduced::Reduced;
use crate::{Edges, Remembered, Sets, Stop, SystemGraph};

impl<'m, S: SystemStore> System<'m, S> {
    /// Who computes successors, the store, and the steps that are remembered.
    pub fn into_parts(self) -> (Box<dyn ModelSteps + 'm>, S, Remembered) {
        (self.steps, self.store, self.remembered)
    }

    /// Where states are kept.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Who computes successors.
    pub fn steps_mut(&mut self) -> &mut (dyn ModelSteps + 'm) {
        &mut *self.steps
    }
}

impl<'m, S: SystemStore<Row = [Word]>> System<'m, S> {
    /// Leaves out steps whose order does not matter, in every state. Whoever searches looks at [`System::reduced_sources`] and
    /// decides which states must be expanded fully, so that nothing is put off for ever.
    pub fn choosing_by(mut self, sets: Option<Sets<'m>>) -> Self {
        self.reduced = sets.map(Reduced::leveled);
        self.keeping_kinds()
    }

    /// Gives back what steps were chosen by.
    pub fn take_sets(&mut self) -> Option<Sets<'m>> {
        self.reduced.take().map(Reduced::into_sets)
    }
}

impl<'a> System<'_, SharedSession<'a>> {
    /// The access to the states that are shared.
    pub fn session(&mut self) -> &mut SharedSession<'a> {
        &mut self.store
    }

    /// By bits, which of the states of the last block are reduced.
    #[inline]
    pub fn reduced_sources(&self) -> u64 {
        self.reduced.as_ref().map_or(0, |reduced| reduced.sources)
    }

    /// As [`SystemGraph::expand`], with nothing left out.
    pub fn expand_fully(&mut self, ids: &[SystemId], out: &mut Edges) -> Result<usize, Stop> {
        let until = self.reduced.as_mut().map(|reduced| reduced.full_from(0));
        let expanded = self.expand(ids, out);
        if let (Some(reduced), Some(until)) = (&mut self.reduced, until) {
            reduced.full_from(until);
        }
        expanded
    }
}
