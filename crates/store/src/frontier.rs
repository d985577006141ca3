//! The states of a breadth-first search through a product, in the order of discovery, with the
//! way back to each.
//!
//! A product state is the id of a system state and the number of an automaton state, of which
//! there are few: whether one was seen is a bit. In memory the bits of neighbours are
//! together, so that most of them are in the cache however many states there are.
//!
//! The order of discovery is mostly that of the system states' ids, each in the same automaton
//! state, the *main* one. Of such a state only a bit is kept; the others are kept whole, in a
//! list of their own. And all with lower ids were seen, so that mostly no bit is looked at.

use crate::reserved::Reserved;
use lariat_core::{Full, MAX_STATES, Parents, Word};

/// Automaton states at most.
pub const MOST: usize = u64::BITS as usize;

#[derive(Debug)]
pub struct Frontier {
    /// By number, a bit: whether the state follows from those before.
    follows: Reserved<u64>,
    len: usize,
    /// Those that do not.
    others: Reserved<[Word; 2]>,
    /// The automaton state of those that follow.
    main: Word,
    /// All system states below this one were seen with it.
    dense: Word,
    /// Where states are added.
    end: Reader,
    /// Whether a state was seen, by system state and then by automaton state.
    seen: Reserved<u64>,
    /// The logarithm of the bits for a system state.
    log: u32,
    /// The states that others were reached from. Number 0 is none of them: from there the
    /// first ones were.
    parents: Parents,
}

/// A place between two states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reader {
    number: usize,
    /// How many of the others are before it.
    others: usize,
    /// The id of the next state that follows.
    next: Word,
}

impl Reader {
    /// The states before it.
    #[inline]
    pub fn number(&self) -> usize {
        self.number
    }

    #[inline(always)]
    fn pass(&mut self, [id, state]: [Word; 2], main: Word) {
        self.number += 1;
        if state == main && id >= self.next {
            self.next = id.wrapping_add(1);
        }
    }
}

impl Frontier {
    /// For automaton states below this number, of which one is mostly met.
    pub fn new(automaton_states: usize, main: Word) -> Self {
        assert!(automaton_states <= MOST, "more automaton states than a word has bits");
        Frontier {
            follows: Reserved::new(),
            len: 0,
            others: Reserved::new(),
            main,
            dense: 0,
            end: Reader::default(),
            seen: Reserved::new(),
            log: automaton_states.next_power_of_two().trailing_zeros(),
            parents: Parents::default(),
        }
    }

    /// More bytes that [`Frontier::make_room`] would take.
    pub fn growth(&self, more: usize, parents: usize, highest: Word) -> usize {
        let [follows, others, seen] = self.lengths(more, highest);
        (follows - self.follows.len() + seen - self.seen.len()) * size_of::<u64>()
            + (others - self.others.len()) * size_of::<[Word; 2]>()
            + self.parents.growth(more + parents)
    }

    /// Makes room for so many more states, with system states up to this one, that are reached from
    /// so many others.
    pub fn make_room(&mut self, more: usize, parents: usize, highest: Word) -> Result<(), Full> {
        // One number more than there are states.
        if self.len + more >= MAX_STATES {
            return Err(Full);
        }
        let [follows, others, seen] = self.lengths(more, highest);
        self.follows.grow(follows)?;
        self.others.grow(others)?;
        self.seen.grow(seen)?;
        if self.parents.growth(more + parents) > 0 {
            self.parents.reserve(more + parents);
        }
        Ok(())
    }

    /// How long the arrays must be: `follows`, `others`, `seen`.
    fn lengths(&self, more: usize, highest: Word) -> [usize; 3] {
        let larger = |len: usize, wanted: usize, least: usize| match wanted <= len {
            true => len,
            false => wanted + (wanted / 16).max(least),
        };
        let words = (highest as usize >> (6 - self.log)) + 1;
        [
            larger(self.follows.len(), (self.len + more).div_ceil(64), 1 << 6),
            larger(self.others.len(), self.end.others + more, 1 << 9),
            larger(self.seen.len(), words, 1 << 6),
        ]
    }

    /// Notes that a state was seen; false if it was before. There must be room.
    #[inline(always)]
    pub fn note(&mut self, [id, state]: [Word; 2]) -> bool {
        if state == self.main && id <= self.dense {
            if id < self.dense {
                return false;
            }
            self.dense += 1;
            return !self.is_marked([id, state]);
        }
        let (word, bit) = self.place([id, state]);
        let is_new = self.seen[word] & bit == 0;
        self.seen[word] |= bit;
        is_new
    }

    #[inline(always)]
    fn place(&self, [id, state]: [Word; 2]) -> (usize, u64) {
        let per_word = 6 - self.log;
        let within = (id & ((1 << per_word) - 1)) << self.log | state;
        ((id >> per_word) as usize, 1 << within)
    }

    #[inline(always)]
    fn is_marked(&self, row: [Word; 2]) -> bool {
        let (word, bit) = self.place(row);
        self.seen[word] & bit != 0
    }

    /// Adds a state that was not seen before, as one that the parent at hand leads to.
    #[inline(always)]
    pub fn push(&mut self, row: [Word; 2]) {
        if row == [self.end.next, self.main] {
            self.follows[self.len / 64] |= 1 << (self.len % 64);
        } else {
            self.others[self.end.others] = row;
            self.end.others += 1;
        }
        self.end.pass(row, self.main);
        self.len += 1;
        self.parents.push_child();
    }

    /// The next state, if there is one yet.
    #[inline(always)]
    pub fn read(&self, reader: &mut Reader) -> Option<[Word; 2]> {
        if reader.number == self.len {
            return None;
        }
        let row = if self.follows[reader.number / 64] >> (reader.number % 64) & 1 == 1 {
            [reader.next, self.main]
        } else {
            reader.others += 1;
            self.others[reader.others - 1]
        };
        reader.pass(row, self.main);
        Some(row)
    }

    /// The states that follow are reached from the next one.
    #[inline]
    pub fn end_parent(&mut self) {
        self.parents.end_parent();
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The states from a first one to the one with this number.
    pub fn path(&self, last: usize) -> Vec<[Word; 2]> {
        let numbers = self.parents.path(last as u64 + 1);
        let (mut path, mut reader) = (Vec::new(), Reader::default());
        // Parents come before their children.
        for &number in &numbers[1..] {
            while reader.number as u64 + 1 < number {
                self.read(&mut reader);
            }
            path.extend(self.read(&mut reader));
        }
        path
    }

    pub fn bytes(&self) -> usize {
        self.follows.bytes() + self.others.bytes() + self.seen.bytes() + self.parents.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::{Frontier, Reader};
    use std::collections::HashMap;

    #[test]
    fn agrees_with_a_map() {
        for states in [1, 2, 5, 64] {
            let mut frontier = Frontier::new(states, 0);
            let mut parents: HashMap<[u32; 2], Option<[u32; 2]>> = HashMap::new();
            frontier.make_room(1, 1, 0).unwrap();
            assert!(frontier.note([0, 0]));
            frontier.push([0, 0]);
            frontier.end_parent();
            parents.insert([0, 0], None);
            let (mut reader, mut random) = (Reader::default(), fastrand::Rng::with_seed(99));
            let mut rows = vec![[0, 0]];
            let mut new = 1;
            while frontier.len() < 20_000 {
                let Some(parent) = frontier.read(&mut reader) else { break };
                for _ in 0..3 {
                    // Many of them in the order of their ids.
                    let id = if random.u32(..3) == 0 { random.u32(..9_000) } else { new };
                    let row = [id, random.u32(..states as u32)];
                    new += u32::from(id == new);
                    let (before, growth) = (frontier.bytes(), frontier.growth(1, 1, row[0]));
                    frontier.make_room(1, 1, row[0]).unwrap();
                    assert_eq!(frontier.bytes(), before + growth);
                    let is_new = frontier.note(row);
                    assert_eq!(is_new, !parents.contains_key(&row));
                    if is_new {
                        frontier.push(row);
                        rows.push(row);
                        parents.insert(row, Some(parent));
                    }
                }
                frontier.end_parent();
            }
            assert_eq!(frontier.len(), rows.len());
            let mut all = Reader::default();
            for &row in &rows {
                assert_eq!(frontier.read(&mut all), Some(row));
            }
            assert_eq!(frontier.read(&mut all), None);
            assert!(rows.len() > 5_000, "{}", rows.len());
            for number in (0..rows.len()).step_by(11) {
                let path = frontier.path(number);
                assert_eq!(path.last(), Some(&rows[number]));
                let mut before = None;
                for row in path {
                    assert_eq!(parents[&row], before);
                    before = Some(row);
                }
            }
        }
    }

    #[test]
    fn states_in_order_take_no_more_than_bits() {
        let mut frontier = Frontier::new(1, 0);
        for id in 0..100_000 {
            frontier.make_room(1, 1, id).unwrap();
            assert!(frontier.note([id, 0]));
            frontier.push([id, 0]);
            frontier.end_parent();
        }
        assert!(frontier.bytes() < 100_000, "{}", frontier.bytes());
    }

    #[test]
    fn is_full_in_time() {
        let mut frontier = Frontier::new(3, 1);
        assert!(frontier.make_room(1 << 32, 1, 0).is_err());
        assert!(frontier.make_room(100, 1, u32::MAX).is_ok());
        assert!(frontier.note([u32::MAX, 2]) && !frontier.note([u32::MAX, 2]));
        assert_eq!(frontier.len(), 0);
        // The main state, far away and then near.
        for id in [u32::MAX, 3, 1, 0] {
            assert!(frontier.note([id, 1]));
        }
        for id in [0, 1, 3, u32::MAX, 1, 0] {
            assert!(!frontier.note([id, 1]));
        }
        assert!(frontier.note([2, 1]) && !frontier.note([2, 1]) && !frontier.note([3, 1]));
    }
}
