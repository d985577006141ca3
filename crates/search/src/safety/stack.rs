//! The stack of the depth-first search: ids only, in one piece.
//!
//! ```text
//! state ENTERED successor FAULT successor | state ENTERED successor …
//! ```
//!
//! It is not [`crate::dfs::Dfs`]: a pending successor takes 16 bytes there, for its marks, and 4
//! here. A path may be as long as there are states, and `--max-memory` counts the stack. Faults wait in it for their turn, as successors do, and depth is counted
//! in commands, which the checks know nothing of.
//!
//! A state that was entered stays below the mark [`ENTERED`]; above it are those of its
//! successors that are still to be looked at, the next one on top. The path from the initial
//! state to the current one is what lies below the marks.

use lariat_core::{MAX_STATES, Word};

use lariat_model::steps::FaultAfter;

/// The state below was entered.
const ENTERED: u32 = u32::MAX;
/// The top of `faults` is next.
const FAULT: u32 = u32::MAX - 1;

const _: () = assert!(MAX_STATES <= FAULT as usize);

/// What comes next.
pub(super) enum Top {
    /// A successor of the current state, so many commands away.
    State {
        id: u32,
        commands: u32,
    },
    Fault(FaultAfter),
    /// All successors of the current state were looked at. So many commands led to it.
    Retreat {
        commands: u32,
    },
    Empty,
}

#[derive(Default)]
pub(super) struct Stack {
    entries: Vec<u32>,
    /// How many commands led to the state of each entry; empty as long as it is always 1.
    commands: Vec<u32>,
    /// The hidden variables of each entry.
    hidden: Vec<Word>,
    hidden_words: usize,
    /// Faults on the way from the states on the stack. They wait for their turn like
    /// successors do, so that the first error is the one that Spin finds first.
    faults: Vec<FaultAfter>,
}

impl Stack {
    pub(super) fn new(hidden_words: usize) -> Self {
        Stack { hidden_words, ..Default::default() }
    }

    /// Entries and what is kept with each, so many more of them: bytes to be taken now.
    pub(super) fn growth(&self, more: usize) -> usize {
        if self.entries.len() + more <= self.entries.capacity() {
            return 0;
        }
        let each = 1 + usize::from(!self.commands.is_empty()) + self.hidden_words;
        (self.entries.capacity() / 4).max(more).max(256) * each * size_of::<u32>()
    }

    /// Takes room for so many more entries, by a quarter and not by doubling.
    pub(super) fn reserve(&mut self, more: usize) {
        let step = (self.entries.capacity() / 4).max(more).max(256);
        let reserve = |list: &mut Vec<u32>, each: usize| {
            if list.len() + more * each > list.capacity() {
                list.reserve_exact(step * each);
            }
        };
        reserve(&mut self.entries, 1);
        if !self.commands.is_empty() {
            reserve(&mut self.commands, 1);
        }
        reserve(&mut self.hidden, self.hidden_words);
    }

    #[inline(always)]
    pub(super) fn push_state(&mut self, id: u32, commands: u32, hidden: &[Word]) {
        if commands != 1 && self.commands.is_empty() {
            self.commands = vec![1; self.entries.len()];
        }
        if commands != 1 || !self.commands.is_empty() {
            self.commands.push(commands);
        }
        self.entries.push(id);
        self.hidden.extend_from_slice(hidden);
    }

    pub(super) fn push_fault(&mut self, fault: FaultAfter) {
        self.push_mark(FAULT);
        self.faults.push(fault);
    }

    #[inline(always)]
    fn push_mark(&mut self, mark: u32) {
        self.entries.push(mark);
        if !self.commands.is_empty() {
            self.commands.push(1);
        }
        if self.hidden_words > 0 {
            self.hidden.resize(self.entries.len() * self.hidden_words, 0);
        }
    }

    #[inline(always)]
    fn pop_entry(&mut self) -> Option<(u32, u32)> {
        let entry = self.entries.pop()?;
        let commands = self.commands.pop().unwrap_or(1);
        if self.hidden_words > 0 {
            self.hidden.truncate(self.entries.len() * self.hidden_words);
        }
        Some((entry, commands))
    }

    /// Looks at the top. A state stays there until it is dropped or entered.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Top {
        match self.entries.last() {
            None => Top::Empty,
            Some(&ENTERED) => {
                self.pop_entry();
                let (_, commands) = self.pop_entry().expect("a state is below its mark");
                Top::Retreat { commands }
            }
            Some(&FAULT) => {
                self.pop_entry();
                Top::Fault(self.faults.pop().expect("each mark has its fault"))
            }
            Some(&id) => Top::State { id, commands: self.commands.last().copied().unwrap_or(1) },
        }
    }

    /// The state below the top, if it is one that waits.
    #[inline(always)]
    pub(super) fn below(&self) -> Option<u32> {
        let below = self.entries.len().checked_sub(2)?;
        Some(self.entries[below]).filter(|&entry| entry < FAULT)
    }

    /// Takes away the state on top.
    #[inline(always)]
    pub(super) fn drop_state(&mut self) {
        self.pop_entry();
    }

    /// The state on top becomes the current one.
    #[inline(always)]
    pub(super) fn enter(&mut self) {
        self.push_mark(ENTERED);
    }

    /// The hidden variables of the state on top, or of the current one.
    pub(super) fn hidden(&self) -> &[Word] {
        let marks = usize::from(self.entries.last() == Some(&ENTERED));
        self.hidden_of(self.entries.len() - 1 - marks)
    }

    fn hidden_of(&self, entry: usize) -> &[Word] {
        &self.hidden[entry * self.hidden_words..][..self.hidden_words]
    }

    /// The entered states from the initial one on, with their hidden variables.
    pub(super) fn path(&self) -> Vec<(u32, Vec<Word>)> {
        let marks = (1..self.entries.len()).filter(|&at| self.entries[at] == ENTERED);
        marks.map(|at| (self.entries[at - 1], self.hidden_of(at - 1).to_vec())).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        let words = self.entries.capacity() + self.commands.capacity() + self.hidden.capacity();
        words * size_of::<u32>() + self.faults.capacity() * size_of::<FaultAfter>()
    }
}
