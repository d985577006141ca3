//! The stack of a depth-first search over rows: each state as its difference from the one below.
//!
//! ```text
//! difference ENTERED | difference WAITS | FAULT | difference ENTERED | …
//! ```
//!
//! A difference is pairs of a word's number and what it is to be xored with, so the same pairs lead
//! there and back. Only the row of the current state is there in full.

use lariat_core::{Full, Word};
use lariat_model::steps::FaultAfter;

const ENTERED: u32 = 0;
const WAITS: u32 = 1;
const FAULT: u32 = 2;

/// What is on top.
pub(super) enum Top {
    /// A successor of the current state, so many commands away.
    Waits {
        commands: u32,
    },
    /// All successors of the current state were looked at. So many commands led to it.
    Entered {
        commands: u32,
    },
    Fault,
    Empty,
}

pub(super) struct Differences<K> {
    /// Of each entry: the pairs, the commands, and the number of pairs with the kind.
    words: Vec<u32>,
    /// Of each entered state: how the store knows it, and how many states there were before.
    entered: Vec<(K, u64)>,
    faults: Vec<FaultAfter>,
}

impl<K: Copy> Differences<K> {
    pub(super) fn new() -> Self {
        Differences { words: Vec::new(), entered: Vec::new(), faults: Vec::new() }
    }

    /// Bytes that must be taken for so many rows of this width, if they differ in every word.
    pub(super) fn growth(&self, rows: usize, width: usize) -> usize {
        let more = rows * (2 * width + 2);
        match self.words.len() + more <= self.words.capacity() {
            true => 0,
            false => self.step(more) * size_of::<u32>(),
        }
    }

    fn step(&self, more: usize) -> usize {
        (self.words.capacity() / 4).max(more).max(1 << 12)
    }

    pub(super) fn reserve(&mut self, rows: usize, width: usize) -> Result<(), Full> {
        let more = rows * (2 * width + 2);
        if self.words.len() + more > self.words.capacity() {
            // By a quarter and not by doubling.
            self.words.try_reserve_exact(self.step(more)).or(Err(Full))?;
        }
        self.entered.try_reserve(1).or(Err(Full))
    }

    fn push_head(&mut self, pairs: usize, commands: u32, kind: u32) {
        self.words.push(commands);
        self.words.push((pairs as u32) << 2 | kind);
    }

    /// The state to begin with waits.
    pub(super) fn push_first(&mut self) {
        self.push_head(0, 1, WAITS);
    }

    /// A successor of the current state waits.
    #[inline]
    pub(super) fn push(&mut self, row: &[Word], successor: &[Word], commands: u32) {
        let start = self.words.len();
        for (at, (&old, &new)) in row.iter().zip(successor).enumerate() {
            if old != new {
                self.words.extend([at as u32, old ^ new]);
            }
        }
        self.push_head((self.words.len() - start) / 2, commands, WAITS);
    }

    pub(super) fn push_fault(&mut self, fault: FaultAfter) {
        self.faults.push(fault);
        self.push_head(0, 0, FAULT);
    }

    #[inline]
    fn head(&self, end: usize) -> (usize, u32, u32) {
        let head = self.words[end - 1];
        ((head >> 2) as usize, self.words[end - 2], head & 3)
    }

    #[inline]
    pub(super) fn top(&self) -> Top {
        if self.words.is_empty() {
            return Top::Empty;
        }
        match self.head(self.words.len()) {
            (_, commands, WAITS) => Top::Waits { commands },
            (_, commands, ENTERED) => Top::Entered { commands },
            _ => Top::Fault,
        }
    }

    /// Goes along the difference that ends here, there or back; where it begins.
    #[inline]
    fn go(&self, end: usize, row: &mut [Word]) -> usize {
        let (pairs, ..) = self.head(end);
        let start = end - 2 - 2 * pairs;
        for pair in self.words[start..end - 2].chunks_exact(2) {
            row[pair[0] as usize] ^= pair[1];
        }
        start
    }

    /// Goes from the current state to the one on top, which waits, or back again.
    #[inline]
    pub(super) fn go_to_top(&self, row: &mut [Word]) {
        self.go(self.words.len(), row);
    }

    /// The state on top is the current one from now on.
    #[inline]
    pub(super) fn enter(&mut self, key: K, states: u64) {
        let head = self.words.len() - 1;
        self.words[head] = self.words[head] & !3 | ENTERED;
        self.entered.push((key, states));
    }

    /// Takes away what is on top: a state that waits.
    #[inline]
    pub(super) fn drop_waiting(&mut self) {
        let (pairs, ..) = self.head(self.words.len());
        self.words.truncate(self.words.len() - 2 - 2 * pairs);
    }

    /// Takes away the fault on top.
    pub(super) fn pop_fault(&mut self) -> Option<FaultAfter> {
        self.words.truncate(self.words.len() - 2);
        self.faults.pop()
    }

    /// The current state leaves the stack, and the one below is current.
    #[inline]
    pub(super) fn retreat(&mut self, row: &mut [Word]) -> Option<(K, u64)> {
        let start = self.go(self.words.len(), row);
        self.words.truncate(start);
        self.entered.pop()
    }

    /// States on the stack.
    pub(super) fn depth(&self) -> usize {
        self.entered.len()
    }

    /// Has a look at all states on the stack, from the current one down to the first, which may be
    /// known otherwise from now on.
    pub(super) fn each<E>(
        &mut self,
        row: &[Word],
        mut look: impl FnMut(&[Word], &mut K) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut row = row.to_vec();
        let (mut end, mut at) = (self.words.len(), self.entered.len());
        while end > 0 {
            let (pairs, _, kind) = self.head(end);
            if kind == ENTERED {
                at -= 1;
                look(&row, &mut self.entered[at].0)?;
                end = self.go(end, &mut row);
            } else {
                end -= 2 + 2 * pairs;
            }
        }
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
            + self.entered.capacity() * size_of::<(K, u64)>()
            + self.faults.capacity() * size_of::<FaultAfter>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// A walk there and back against a stack of whole rows.
    #[test]
    fn agree_with_whole_rows() {
        let mut random = super::super::shuffle::Dice::new(3);
        let mut stack = Differences::<u32>::new();
        let mut row = vec![7; 6];
        let mut rows: Vec<Vec<Word>> = vec![row.clone()];
        stack.reserve(1, 6).unwrap();
        stack.push_first();
        stack.enter(0, 0);
        for step in 1..5_000 {
            match stack.top() {
                Top::Entered { .. } if random.below(3) > 0 || stack.depth() == 1 => {
                    for _ in 0..=random.below(3) {
                        let mut next = row.clone();
                        for _ in 0..random.below(4) {
                            next[random.below(6)] = random.below(9) as Word;
                        }
                        stack.push(&row, &next, 1);
                    }
                }
                Top::Entered { .. } => {
                    stack.retreat(&mut row);
                    rows.pop();
                    assert_eq!(Some(&row), rows.last());
                }
                Top::Waits { .. } => {
                    stack.go_to_top(&mut row);
                    if random.below(2) == 0 {
                        stack.enter(step, 0);
                        rows.push(row.clone());
                    } else {
                        stack.go_to_top(&mut row);
                        stack.drop_waiting();
                    }
                    assert_eq!(Some(&row), rows.last());
                }
                Top::Fault | Top::Empty => unreachable!("there is none"),
            }
            if step % 100 == 0 {
                let mut seen = Vec::new();
                let all = stack.each(&row, |row, _| {
                    seen.push(row.to_vec());
                    Ok::<(), Infallible>(())
                });
                let Ok(()) = all;
                seen.reverse();
                assert_eq!(seen, rows);
            }
        }
    }
}
