//! A system whose states others keep: it knows one at a time.

use lariat_core::{SystemStore, Word};
use lariat_store::Scratch;

use super::System;
use crate::Stop;

impl System<'_, Scratch> {
    /// This is the state with id 0 from now on, and the only one.
    pub fn set_state(&mut self, row: &[Word]) -> Result<(), Stop> {
        self.store.forget_states();
        self.valuations.forget_state();
        self.store.intern(row)?;
        Ok(())
    }
}
