//! Breadth first: errors by shortest paths, and the fastest way to see everything.
//!
//! Ids are given in the order of discovery, so the queue is the store itself. States are taken
//! in blocks: the store is asked for the successors of a whole block before any answer is
//! waited for.

use lariat_core::{Batch, Full, SystemStore, Word};

use super::search::Search;
use super::{ErrorKind, Limit};

/// States of a block, and the successors that end it early.
const BLOCK: usize = 64;
const ROWS: usize = 128;
/// How far ahead of its turn a state's steps are asked for.
const AHEAD: usize = 6;

impl<S: SystemStore<Row = [Word]>> Search<'_, '_, S> {
    pub(super) fn breadth_first(&mut self, hidden: &[Word]) {
        self.hidden.extend_from_slice(hidden);
        self.found.states = 1;
        // No stack has to hold ids.
        self.store.allow_wide_ids();
        let (mut next, mut level_end) = (0, 1);
        while next < self.found.states as usize && !self.stopped {
            if next == level_end {
                if self.ends_with_level {
                    return self.stop(Limit::FirstError);
                }
                level_end = self.found.states as usize;
                self.found.depth += 1;
            }
            if self.is_too_deep(self.found.depth) {
                return;
            }
            // Hidden variables are taken from the rows of one state's successors.
            let block = if hidden.is_empty() { BLOCK } else { 1 };
            next = self.expand_block(next, level_end.min(next + block));
            if let Err(Full) = self.note_successors() {
                return self.stop(Limit::Memory);
            }
            self.check_limits();
        }
        if self.ends_with_level {
            self.stop(Limit::FirstError);
        }
    }

    /// Expands states until there is enough to ask the store for; the first one that is left.
    fn expand_block(&mut self, first: usize, end: usize) -> usize {
        self.ids.clear();
        self.counts.clear();
        let mut taken = 0;
        for at in first..end {
            self.current = at as u64;
            self.store.prefetch_steps((at + AHEAD) as u64);
            match self.take_in_by_parts(at as u64) {
                Ok(Some(successors)) => {
                    self.counts.push(successors as u32);
                    taken += successors;
                    if self.stopped || taken >= ROWS {
                        return at + 1;
                    }
                    continue;
                }
                Ok(None) => {}
                Err(Full) => {
                    self.stop(Limit::Memory);
                    return at;
                }
            }
            self.row.clear();
            let hidden = self.hidden_words;
            self.row.extend_from_slice(&self.hidden[at * hidden..][..hidden]);
            self.expand(at as u64);
            for fault in 0..self.steps.report().faults.len() {
                let located = self.steps.report().faults[fault].clone();
                if !self.options.ignores(located.fault) {
                    self.error(ErrorKind::Fault(located.fault), Some(&located.moves));
                }
            }
            if self.must_widen() {
                return at;
            }
            if let Err(Full) = self.take_in_successors() {
                self.stop(Limit::Memory);
                return at;
            }
            self.counts.push(self.batch.len() as u32);
            taken += self.batch.len();
            if self.stopped || taken >= ROWS {
                return at + 1;
            }
        }
        end
    }

    /// Interns the successors of the block, and notes from where new states were reached.
    fn note_successors(&mut self) -> Result<(), Full> {
        self.store.finish(&mut self.ids)?;
        self.found.transitions += self.ids.len() as u64;
        let hidden = self.hidden_words;
        let bits = self.ids.len() + self.counts.len();
        let growth = self.parents.growth(bits);
        if growth > 0 {
            if !self.is_allowed(growth) {
                return Err(Full);
            }
            self.parents.reserve(bits);
        }
        let mut ids = self.ids.iter();
        for &count in &self.counts {
            for (at, &id) in ids.by_ref().take(count as usize).enumerate() {
                // Mostly the next id. But a store may have seen the successors of one state in
                // another order before it was expanded as a whole.
                while id >= self.found.states {
                    self.found.states += 1;
                    self.parents.push_child();
                    if hidden > 0 {
                        self.hidden.extend_from_slice(&self.batch.row(at)[..hidden]);
                    }
                }
            }
            self.parents.end_parent();
        }
        debug_assert_eq!(self.found.states, self.store.len() as u64, "none is left out");
        Ok(())
    }
}
