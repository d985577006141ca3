//! Memory, time, and those who are told how far a walk has come.

use lariat_core::{Limit, SystemStore, Word, stop};

use super::{Progress, System};
use crate::reduced::{Chooser, Reduced};
use crate::{Stop, SystemGraph};

/// Clock and memory are looked at after so many expansions.
pub(super) const LOOK_EVERY: u64 = 128;

impl<S: SystemStore<Row = [Word]>> System<'_, S> {
    /// Bytes of all but the store.
    pub(super) fn beside_store(&self) -> usize {
        self.beside_remembered() + self.remembered.bytes()
    }

    /// Bytes of all but the store and the steps that are remembered.
    fn beside_remembered(&self) -> usize {
        let reduced = self.reduced.as_ref().map_or(0, Reduced::bytes);
        let candidates = self.candidates.as_ref().map_or(0, Chooser::bytes);
        let own = self.edges.bytes() + self.valuations.bytes() + reduced + candidates;
        self.reserved + own
    }

    /// The store may have what is left.
    pub(super) fn limit_store(&mut self) {
        if let Some(limit) = self.limit {
            self.remembered.set_limit(limit.saturating_sub(self.beside_remembered()));
            self.store.limit_bytes(limit.saturating_sub(self.beside_store()));
        }
    }

    /// Whether there may be so many more bytes.
    pub(super) fn allow(&mut self, more: usize) -> Result<(), Stop> {
        let Some(limit) = self.limit else { return Ok(()) };
        self.limit_store();
        match self.store.bytes() + self.beside_store() + more <= limit {
            true => Ok(()),
            false => Err(Limit::Memory.into()),
        }
    }

    /// Looks at the limits, now and then at those that take time.
    #[inline]
    pub(super) fn look(&mut self) -> Result<(), Stop> {
        if self.budget == 0 {
            return Err(Limit::Budget.into());
        }
        match self.expanded < self.next_look {
            true => Ok(()),
            false => self.look_around(),
        }
    }

    #[cold]
    fn look_around(&mut self) -> Result<(), Stop> {
        self.next_look = self.expanded + LOOK_EVERY;
        if stop::is_undisturbed() {
            // A run that was found is replayed whatever the limits and the watcher say.
            return Ok(());
        }
        self.allow(0)?;
        if let Some(why) = stop::asked() {
            return Err(why.into());
        }
        let (states, bytes) = (self.store.len() as u64, self.bytes());
        let progress = Progress { states, expanded: self.expanded, bytes };
        match self.watch.as_mut().is_none_or(|watch| watch(progress)) {
            true => Ok(()),
            false => Err(Limit::Interrupted.into()),
        }
    }
}
