//! The states of a breadth-first search through a product, in the order of discovery, with the
//! way back to each.
//!
//! A product state is the id of a system state and the number of an automaton state, of which
//! there are few: whether one was seen is a bit. In memory the bits of neighbours are
//! together, so that most of them are in the cache however many states there are.

use crate::parents::Parents;
use crate::reserved::Reserved;
use lariat_core::{Full, MAX_STATES, Word};

/// Automaton states at most.
pub const MOST: usize = u64::BITS as usize;

#[derive(Debug)]
pub struct Frontier {
    /// Those that are gone through, in the order of discovery.
    rows: Reserved<[Word; 2]>,
    len: usize,
    /// Whether a state was seen, by system state and then by automaton state.
    seen: Reserved<u64>,
    /// The logarithm of the bits for a system state.
    log: u32,
    /// The states that others were reached from. Number 0 is none of them: from there the
    /// first ones were.
    parents: Parents,
}

impl Frontier {
    /// For automaton states below this number.
    pub fn new(automaton_states: usize) -> Self {
        assert!(automaton_states <= MOST, "more automaton states than a word has bits");
        let log = automaton_states.next_power_of_two().trailing_zeros();
        let (rows, seen, parents) = (Reserved::new(), Reserved::new(), Parents::default());
        Frontier { rows, len: 0, seen, log, parents }
    }

    /// Makes room for so many more states with system states up to this one.
    #[inline]
    pub fn make_room(&mut self, more: usize, highest: Word) -> Result<(), Full> {
        let words = (highest as usize >> (6 - self.log)) + 1;
        if self.len + more > self.rows.len() || words > self.seen.len() {
            self.grow(self.len + more, words)?;
        }
        if self.parents.growth(more + 1) > 0 {
            self.parents.reserve(more + 1);
        }
        Ok(())
    }

    #[cold]
    fn grow(&mut self, rows: usize, words: usize) -> Result<(), Full> {
        // One number more than there are states.
        if rows >= MAX_STATES {
            return Err(Full);
        }
        if rows > self.rows.len() {
            self.rows.grow(rows + (rows / 16).max(1 << 9))?;
        }
        if words > self.seen.len() {
            self.seen.grow(words + (words / 16).max(1 << 6))?;
        }
        Ok(())
    }

    /// Notes that a state was seen; false if it was before. There must be room.
    #[inline(always)]
    pub fn note(&mut self, [id, state]: [Word; 2]) -> bool {
        let per_word = 6 - self.log;
        let within = (id & ((1 << per_word) - 1)) << self.log | state;
        let (word, bit) = (&mut self.seen[(id >> per_word) as usize], 1 << within);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Adds a state that was not seen before, as one that the parent at hand leads to.
    #[inline(always)]
    pub fn push(&mut self, row: [Word; 2]) {
        self.rows[self.len] = row;
        self.len += 1;
        self.parents.push_child();
    }

    /// The states that follow are reached from the next one.
    #[inline]
    pub fn end_parent(&mut self) {
        self.parents.end_parent();
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn row(&self, number: usize) -> [Word; 2] {
        self.rows[number]
    }

    /// The numbers of the states from a first one to this one.
    pub fn path(&self, last: usize) -> Vec<usize> {
        let path = self.parents.path(last as u64 + 1);
        path[1..].iter().map(|&number| number as usize - 1).collect()
    }

    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.seen.bytes() + self.parents.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::Frontier;
    use std::collections::HashMap;

    #[test]
    fn agrees_with_a_map() {
        for states in [1, 2, 5, 64] {
            let mut frontier = Frontier::new(states);
            let mut parents: HashMap<[u32; 2], Option<[u32; 2]>> = HashMap::new();
            frontier.make_room(1, 0).unwrap();
            assert!(frontier.note([0, 0]));
            frontier.push([0, 0]);
            frontier.end_parent();
            parents.insert([0, 0], None);
            let (mut next, mut random) = (0, 99_u64);
            while next < frontier.len() && frontier.len() < 20_000 {
                let parent = frontier.row(next);
                for _ in 0..3 {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    let row = [random as u32 % 9_000, (random >> 40) as u32 % states as u32];
                    frontier.make_room(1, row[0]).unwrap();
                    let is_new = frontier.note(row);
                    assert_eq!(is_new, !parents.contains_key(&row));
                    if is_new {
                        frontier.push(row);
                        parents.insert(row, Some(parent));
                    }
                }
                frontier.end_parent();
                next += 1;
            }
            assert!(frontier.len() > 5_000, "{}", frontier.len());
            for number in (0..frontier.len()).step_by(11) {
                let path = frontier.path(number);
                assert_eq!(path.last(), Some(&number));
                let mut before = None;
                for at in path {
                    let row = frontier.row(at);
                    assert_eq!(parents[&row], before);
                    before = Some(row);
                }
            }
        }
    }

    #[test]
    fn is_full_in_time() {
        let mut frontier = Frontier::new(3);
        assert!(frontier.make_room(1 << 32, 0).is_err());
        assert!(frontier.make_room(100, u32::MAX).is_ok());
        assert!(frontier.note([u32::MAX, 2]) && !frontier.note([u32::MAX, 2]));
        assert!(frontier.is_empty() && frontier.note([u32::MAX, 1]));
    }
}
