//! Breadth first: errors by shortest paths.
//!
//! Ids are given in the order of discovery, so the queue is the store itself.

use lariat_core::{Batch, Full, SystemStore, Word};

use super::search::Search;
use super::{ErrorKind, Limit};

impl<S: SystemStore<Row = [Word]>> Search<'_, '_, S> {
    pub(super) fn breadth_first(&mut self, hidden: &[Word]) {
        self.parents.push(0);
        self.hidden.extend_from_slice(hidden);
        self.found.states = 1;
        let (mut next, mut level_end) = (0, 1);
        while next < self.parents.len() && !self.stopped {
            if next == level_end {
                level_end = self.parents.len();
                self.found.depth += 1;
            }
            if self.is_too_deep(self.found.depth) {
                return;
            }
            self.current = next as u32;
            self.row.clear();
            self.row.extend_from_slice(&self.hidden[next * hidden.len()..][..hidden.len()]);
            self.expand(next as u32);
            for at in 0..self.steps.report().faults.len() {
                let located = self.steps.report().faults[at].clone();
                if !self.options.ignores(located.fault) {
                    self.error(ErrorKind::Fault(located.fault), Some(&located.moves));
                }
            }
            if self.must_widen() {
                return;
            }
            if let Err(Full) = self.intern_successors() {
                return self.stop(Limit::Memory);
            }
            self.note_successors();
            next += 1;
            self.check_limits();
        }
    }

    /// Notes from where new states were reached.
    fn note_successors(&mut self) {
        let hidden = self.hidden_words;
        if self.parents.len() + self.ids.len() > self.parents.capacity() {
            // By a quarter and not by doubling.
            let more = (self.parents.capacity() / 4).max(self.ids.len()).max(256);
            if !self.is_allowed(more * (1 + hidden) * size_of::<Word>()) {
                return self.stop(Limit::Memory);
            }
            self.parents.reserve_exact(more);
            self.hidden.reserve_exact(more * hidden);
        }
        self.found.transitions += self.ids.len() as u64;
        for (at, &id) in self.ids.iter().enumerate() {
            if id as usize == self.parents.len() {
                self.parents.push(self.current);
                self.hidden.extend_from_slice(&self.batch.row(at)[..hidden]);
            }
        }
        self.found.states = self.parents.len() as u64;
    }
}
