//! Systems of threads that share their states: each thread has a system of its own, over its access to the states
//! ([`SharedSession`]).
//!
//! A thread expands states that others have found. What the model's steps must know of all rows, they are told before
//! that ([`ModelSteps::learn`]): whoever shares states sees to it.

use lariat_core::SystemStore;
use lariat_model::steps::ModelSteps;
use lariat_store::SharedSession;

use super::System;
use crate::Remembered;

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

impl<'a> System<'_, SharedSession<'a>> {
    /// The access to the states that are shared.
    pub fn session(&mut self) -> &mut SharedSession<'a> {
        &mut self.store
    }
}
