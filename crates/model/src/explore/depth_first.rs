//! Depth first, in Spin's order.
//!
//! The successors of a state are interned as a batch when the state is entered; whether one
//! was *visited* is its tag, set when its turn comes. Those that were visited already are
//! counted at once and never reach the stack. The stack holds ids of 32 bits: the store gives no
//! wider ones unless they are allowed.

use lariat_core::{Batch, Full, SystemId, SystemStore, Word};

use super::search::Search;
use super::stack::{Stack, Top};
use super::{ErrorKind, Limit};

const VISITED: u32 = 1;

impl<S: SystemStore<Row = [Word]>> Search<'_, '_, S> {
    pub(super) fn depth_first(&mut self, initial: SystemId, hidden: &[Word]) {
        self.stack = Stack::new(hidden.len());
        self.stack.push_state(initial as u32, 1, hidden);
        // The path to the initial state has no commands.
        let mut depth = -1_i64;
        while !self.stopped {
            match self.stack.next() {
                Top::State { id, commands } => {
                    if self.store.tag(id.into()) == VISITED {
                        self.stack.drop_state();
                        continue;
                    }
                    self.store.set_tag(id.into(), VISITED);
                    self.found.states += 1;
                    depth += i64::from(commands);
                    // Its turn comes when the search is back.
                    if let Some(sibling) = self.stack.below() {
                        self.store.prefetch(sibling.into());
                    }
                    self.stack.enter();
                    self.enter(id.into(), depth as u64);
                }
                Top::Retreat { commands } => depth -= i64::from(commands),
                Top::Fault(located) => {
                    let kind = ErrorKind::Fault(located.fault);
                    self.error(kind, Some(&located.moves));
                    if self.stopped {
                        self.uncount(Some(located.after));
                    }
                }
                Top::Empty => break,
            }
        }
    }

    /// Expands the current state and puts its successors on the stack.
    fn enter(&mut self, id: SystemId, depth: u64) {
        self.found.depth = self.found.depth.max(depth);
        if self.is_too_deep(depth) {
            return;
        }
        self.row.clear();
        if self.hidden_words > 0 {
            self.row.extend_from_slice(self.stack.hidden());
        }
        let deepest = self.expand(id);
        if self.must_widen() {
            return;
        }
        self.found.depth = self.found.depth.max(depth + deepest);
        if self.stopped {
            return self.uncount(None);
        }
        if let Err(Full) = self.intern_successors() {
            return self.stop(Limit::Memory);
        }
        self.push_successors();
        self.check_limits();
        if self.found.limit == Some(Limit::States) {
            self.uncount(Some(0));
        }
    }

    fn push_successors(&mut self) {
        let count = self.ids.len();
        self.found.transitions += count as u64;
        let more = count + self.steps.report().faults.len() + 2;
        let growth = self.stack.growth(more);
        if growth > 0 {
            if !self.is_allowed(growth) {
                return self.stop(Limit::Memory);
            }
            self.stack.reserve(more);
        }
        let report = self.steps.report();
        let hidden = self.hidden_words;
        if hidden == 0 && report.faults.is_empty() {
            // Nearly always.
            for at in (0..count).rev() {
                let id = self.ids[at];
                if self.store.tag(id) != VISITED {
                    self.stack.push_state(id as u32, report.commands_to(at), &[]);
                }
            }
            return;
        }
        let mut faults = report.faults.iter().rev().peekable();
        for at in (0..=count).rev() {
            if at < count {
                let id = self.ids[at];
                if self.store.tag(id) != VISITED {
                    let hidden = &self.batch.row(at)[..hidden];
                    self.stack.push_state(id as u32, report.commands_to(at), hidden);
                }
            }
            while let Some(located) = faults.next_if(|located| located.after == at) {
                if !self.options.ignores(located.fault) {
                    self.stack.push_fault(located.clone());
                }
            }
        }
    }

    /// Transitions are counted when they are found. Takes back those on the path that the
    /// search would have looked at later: of the current state, those from `current` on, if
    /// its successors were counted at all.
    fn uncount(&mut self, current: Option<usize>) {
        let path = self.stack.path();
        for at in 0..path.len() {
            let (id, hidden) = &path[at];
            let next = path.get(at + 1).map(|&(next, _)| next);
            if next.is_none() && current.is_none() {
                break;
            }
            self.row.clear();
            self.row.extend_from_slice(hidden);
            self.find_successors((*id).into());
            if self.intern_successors().is_err() {
                return;
            }
            let is_next = |&successor: &SystemId| next.map(SystemId::from) == Some(successor);
            let looked_at = self.ids.iter().position(is_next).map_or(current, |at| Some(at + 1));
            self.found.transitions -= (self.ids.len() - looked_at.unwrap_or(0)) as u64;
        }
    }
}
