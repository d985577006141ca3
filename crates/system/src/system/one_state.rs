//! A system whose states others keep: it knows one at a time.

use lariat_core::{SystemStore, Word};
use lariat_store::Scratch;

use super::System;
use crate::{Edges, Stop, SystemGraph};

impl System<'_, Scratch> {
    /// This is the state with id 0 from now on, and the only one.
    pub fn set_state(&mut self, row: &[Word]) -> Result<(), Stop> {
        self.store.forget_states();
        if let Some(reduced) = &mut self.reduced {
            reduced.forget_states();
        }
        self.valuations.forget_state();
        self.store.intern(row)?;
        Ok(())
    }

    /// Whether something may have been left out when the state was expanded.
    pub fn is_reduced(&self) -> bool {
        self.reduced.as_ref().is_some_and(|reduced| reduced.left_out.is_reduced(0))
    }

    /// As `expand`, but leaves nothing out.
    pub fn expand_fully(&mut self, out: &mut Edges) -> Result<(), Stop> {
        let reduced = self.reduced.take();
        let done = self.expand(&[0], out);
        self.reduced = reduced;
        done.map(drop)
    }
}
