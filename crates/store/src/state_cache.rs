//! State-space caching (Holzmann 1987; Godefroid, Holzmann, Pirottin 1992; RDKP §6): a table of a fixed
//! size for the states that were visited. Those on the search stack stay; the others are forgotten
//! when there is no place for another one.
//!
//! A state is 64 bits, exactly: a [`Tree`] packs rows. It learns how from the first states, which it
//! keeps for ever. If it has to pack in another way later, the table is emptied, since what is in it
//! means nothing any more, and the search says again what is on its stack.
//!
//! The table has lines of seven states. A state may be in one of two lines; if both are full, the
//! [`Policy`] says which of their states goes.

use crate::hash::prefetch;
use crate::pairs::hash;
use crate::reserved::Reserved;
use crate::tree::Tree;
use crate::visited::{Entered, Visited};
use bytemuck::{NoUninit, Zeroable};
use lariat_core::{Full, SystemStore, Word, makes_mistake};
use std::collections::HashSet;

/// Which state is forgotten. All but the first rank states by what is known of them; of those with the
/// same rank, one at random goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// Any.
    Random,
    /// The one that left the stack first.
    Oldest,
    /// The one that was met last the longest time ago.
    LeastRecent,
    /// The one that was met most seldom.
    FewestMet,
    /// The one with the fewest states entered behind it: it is soon visited again.
    #[default]
    SmallestSubtree,
}

impl Policy {
    pub const ALL: [Policy; 5] = [
        Policy::Random,
        Policy::Oldest,
        Policy::LeastRecent,
        Policy::FewestMet,
        Policy::SmallestSubtree,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::Oldest => "oldest",
            Policy::LeastRecent => "least-recent",
            Policy::FewestMet => "fewest-met",
            Policy::SmallestSubtree => "smallest-subtree",
        }
    }

    /// The policy of this name.
    pub fn named(name: &str) -> Option<Policy> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }
}

const WAYS: usize = 7;
/// What is known of a state in a line: that it is there, that it is on the stack, its rank. 0 is free.
const TAKEN: u8 = 0x40;
const HELD: u8 = 0x80;
const RANK: u8 = 0x3F;
/// The clock of ages ticks so often while the table is filled once.
const TICKS: usize = 24;
/// States that the tree learns from.
const LEARN: usize = 3 << 16;

/// States, and a byte about each; the last byte is not used.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line {
    states: [u64; WAYS],
    about: [u8; WAYS + 1],
}

// SAFETY: integers without a gap between or behind them (7 × 8 + 8 = 64 bytes): zeros are a line, and
// no byte of a line is undefined.
unsafe impl Zeroable for Line {}
// SAFETY: the same.
unsafe impl NoUninit for Line {}
const _: () = assert!(size_of::<Line>() == 64);

/// A table of visited states that forgets.
pub struct StateCache {
    tree: Tree,
    /// The shape that the packed states are of.
    shape: Option<u64>,
    /// States that the tree keeps.
    learn: usize,
    lines: Reserved<Line>,
    /// States on the stack whose lines are full of such states.
    beside: HashSet<u64>,
    /// Nothing is known of the stack: the shape has changed.
    lost: bool,
    policy: Policy,
    dice: u64,
    /// States that have left the stack.
    left: u64,
    forgotten: u64,
}

/// A place in the table.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    way: usize,
}

impl StateCache {
    /// A table of `bytes`, at least one line. What the tree takes, an empty one, is beside that.
    pub fn new(tree: Tree, bytes: usize, policy: Policy) -> Result<Self, Full> {
        let mut lines = Reserved::new();
        lines.grow((bytes / size_of::<Line>()).max(1))?;
        let learn = LEARN.min(lines.len() * WAYS / 4);
        Ok(StateCache {
            tree,
            shape: None,
            learn,
            lines,
            beside: HashSet::new(),
            lost: false,
            policy,
            dice: 0x9E37_79B9_7F4A_7C15,
            left: 0,
            forgotten: 0,
        })
    }

    /// How often a state was forgotten.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// States that the table has places for.
    pub fn places(&self) -> usize {
        self.lines.len() * WAYS
    }

    fn is_learning(&self) -> bool {
        self.tree.len() < self.learn
    }

    /// The row in 64 bits. If that has another meaning than before, nothing is in the table.
    fn pack(&mut self, row: &[Word]) -> Result<u64, Full> {
        let packed = self.tree.pack(row)?;
        if self.tree.shape() != self.shape {
            // The first time, the stack is all in the tree.
            self.shape = self.tree.shape();
            self.lost = true;
            if !makes_mistake("cache-shape") {
                self.lines.fill(Zeroable::zeroed());
            }
            self.beside.clear();
        }
        Ok(packed)
    }

    #[inline]
    fn lines_of(&self, state: u64) -> [usize; 2] {
        let hash = hash(state);
        let line = |part: u64| ((part * self.lines.len() as u64) >> 32) as usize;
        [line(hash >> 32), line(hash & 0xFFFF_FFFF)]
    }

    #[inline]
    fn find(&self, state: u64) -> Option<Place> {
        self.lines_of(state).into_iter().find_map(|line| {
            let Line { states, about } = &self.lines[line];
            let differ = match makes_mistake("cache-known") {
                true => u64::from(u32::MAX),
                false => u64::MAX,
            };
            let is_it = |&way: &usize| (states[way] ^ state) & differ == 0 && about[way] != 0;
            let way = (0..WAYS).find(is_it)?;
            Some(Place { line, way })
        })
    }

    /// Whether a state is known, in the table or beside it. It was met then.
    #[inline]
    fn meet(&mut self, state: u64) -> bool {
        let Some(Place { line, way }) = self.find(state) else {
            return self.tree.has_packed(state) || self.beside.contains(&state);
        };
        let now = self.now();
        let about = &mut self.lines[line].about[way];
        let rank = *about & RANK;
        let rank = match self.policy {
            Policy::LeastRecent => now,
            Policy::FewestMet => (rank + 1).min(RANK),
            _ => rank,
        };
        *about = *about & !RANK | rank;
        true
    }

    /// The time, of which ages are told.
    fn now(&self) -> u8 {
        let tick = (self.places() / TICKS).max(1) as u64;
        (self.left / tick) as u8 & RANK
    }

    /// How much worth a state is.
    fn worth(&self, about: u8) -> u8 {
        let rank = about & RANK;
        match self.policy {
            Policy::Random => 0,
            Policy::Oldest | Policy::LeastRecent => RANK - (self.now().wrapping_sub(rank) & RANK),
            Policy::FewestMet | Policy::SmallestSubtree => rank,
        }
    }

    /// A place for a state: a free one, or that of a state that is forgotten now. None if all are held.
    fn make_place(&mut self, state: u64) -> Option<Place> {
        let lines = self.lines_of(state);
        let free =
            |line: &usize| self.lines[*line].about[..WAYS].iter().filter(|&&a| a == 0).count();
        let emptier = if free(&lines[1]) > free(&lines[0]) { lines[1] } else { lines[0] };
        let about = &self.lines[emptier].about;
        if let Some(way) = (0..WAYS).find(|&way| about[way] == 0) {
            return Some(Place { line: emptier, way });
        }
        let begin = self.roll();
        let mut found: Option<(u8, Place)> = None;
        for at in 0..2 * WAYS {
            let at = (at + begin) % (2 * WAYS);
            let place = Place { line: lines[at / WAYS], way: at % WAYS };
            let about = self.lines[place.line].about[place.way];
            if about & HELD != 0 {
                continue;
            }
            let worth = self.worth(about);
            if found.is_none_or(|(least, _)| worth < least) {
                found = Some((worth, place));
            }
        }
        let (_, place) = found?;
        self.forgotten += 1;
        if self.policy == Policy::FewestMet {
            // What was met long ago counts less and less.
            for line in lines {
                for about in self.lines[line].about[..WAYS].iter_mut() {
                    *about = *about & !RANK | (*about & RANK).saturating_sub(1);
                }
            }
        }
        Some(place)
    }

    /// Puts a state of the stack into the table, or beside it.
    fn put_held(&mut self, state: u64) {
        match self.find(state).or_else(|| self.make_place(state)) {
            Some(Place { line, way }) => {
                self.lines[line].states[way] = state;
                self.lines[line].about[way] = TAKEN | HELD;
            }
            None => {
                self.beside.insert(state);
            }
        }
    }

    /// A number at random (xorshift64).
    fn roll(&mut self) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice >> 33) as usize
    }
}

impl Visited for StateCache {
    /// None if the tree has it.
    type Key = Option<u64>;
    const LOSSY: bool = false;

    fn expanding(&mut self, row: &[Word]) -> Result<(), Full> {
        match self.is_learning() {
            true => Ok(()),
            false => self.tree.compare_with(row),
        }
    }

    fn has(&mut self, row: &[Word]) -> Result<bool, Full> {
        if self.is_learning() {
            return Ok(false);
        }
        let state = self.pack(row)?;
        for line in self.lines_of(state) {
            prefetch(&self.lines[line]);
        }
        Ok(self.meet(state))
    }

    fn enter(&mut self, row: &[Word]) -> Result<Entered<Option<u64>>, Full> {
        if self.is_learning() {
            let known = self.tree.len() as u64;
            return Ok(match self.tree.intern(row)? == known {
                true => Entered::New(None),
                false => Entered::Known,
            });
        }
        let state = self.pack(row)?;
        if self.lost {
            self.lost = false;
            return Ok(Entered::Forgotten);
        }
        if self.meet(state) {
            return Ok(Entered::Known);
        }
        self.put_held(state);
        Ok(Entered::New(Some(state)))
    }

    fn leave(&mut self, key: Option<u64>, behind: u64) {
        let Some(state) = key else { return };
        self.left += 1;
        if self.beside.remove(&state) {
            // Its lines were full of more important states.
            return;
        }
        let rank = match self.policy {
            Policy::Random | Policy::FewestMet => 0,
            Policy::Oldest | Policy::LeastRecent => self.now(),
            Policy::SmallestSubtree => (behind + 1).ilog2() as u8,
        };
        if let Some(Place { line, way }) = self.find(state) {
            self.lines[line].about[way] = TAKEN | rank.min(RANK);
        }
    }

    fn hold(&mut self, row: &[Word]) -> Result<Option<Option<u64>>, Full> {
        let state = self.pack(row)?;
        if self.lost {
            self.lost = false;
            return Ok(None);
        }
        if self.tree.has_packed(state) {
            return Ok(Some(None));
        }
        self.put_held(state);
        Ok(Some(Some(state)))
    }

    fn make_room(&mut self, more: usize, spare: usize) -> Result<(), Full> {
        let _ = more;
        self.tree.limit_bytes(self.tree.bytes().saturating_add(spare));
        Ok(())
    }

    fn bytes(&self) -> usize {
        let beside = self.beside.capacity() * (size_of::<u64>() + 1);
        self.tree.bytes() + self.lines.bytes() + beside
    }
}

impl std::fmt::Debug for StateCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StateCache({} places, {} forgotten)", self.places(), self.forgotten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tuning;

    /// A walk with a stack: what is on it is known, what is known was entered.
    #[test]
    fn the_stack_is_never_forgotten_and_nothing_is_made_up() {
        for policy in Policy::ALL {
            for (seed, values) in [(1, 6), (2, 50), (3, 4_000)] {
                let mut random = fastrand::Rng::with_seed(seed);
                let first_plan = if seed == 1 { 1 << 13 } else { 4 };
                let tree = Tree::new(5).with_tuning(Tuning { first_plan, ..Tuning::default() });
                let mut cache = StateCache::new(tree, 4 << 10, policy).unwrap();
                let mut stack: Vec<(Vec<Word>, Option<u64>)> = Vec::new();
                let mut entered = HashSet::new();
                for step in 0..30_000 {
                    let mut row = stack.last().map_or(vec![0; 5], |(row, _)| row.clone());
                    row[random.usize(..5)] = random.u32(..values);
                    match cache.enter(&row).unwrap() {
                        Entered::New(key) => {
                            let is_on_stack = stack.iter().any(|(other, _)| *other == row);
                            assert!(!is_on_stack, "seed {seed}, step {step}");
                            stack.push((row.clone(), key));
                            entered.insert(row);
                        }
                        Entered::Known => assert!(entered.contains(&row), "seed {seed}"),
                        Entered::Forgotten => hold_all(&mut cache, &mut stack),
                    }
                    while stack.len() > 200 || !stack.is_empty() && random.u32(..5) < 2 {
                        let (_, key) = stack.pop().unwrap();
                        cache.leave(key, random.u64(..1_000));
                    }
                    if step % 500 == 0 {
                        for (row, _) in &stack {
                            assert!(cache.is_learning() || cache.lost || cache.has(row).unwrap());
                        }
                    }
                }
                assert!(values == 6 || cache.forgotten() > 0);
            }
        }
    }

    /// New values of a word make its field wider, and the fields behind it move: with two bits for the
    /// first word (0, 1, …) is 0b…0100, with three (4, 0, …) is. The mistake `cache-shape` takes such a row
    /// for known.
    #[test]
    fn a_state_that_looks_like_one_of_another_shape_is_new() {
        let tree = Tree::new(3).with_tuning(Tuning { first_plan: 4, ..Tuning::default() });
        let mut cache = StateCache::new(tree, 4 << 10, Policy::default()).unwrap();
        let mut entered = HashSet::new();
        let mut shapes = HashSet::new();
        for number in 0..9 * 64 {
            let row = [number / 64, number / 8 % 8, number % 8];
            let is_new = loop {
                match cache.enter(&row).unwrap() {
                    Entered::New(key) => break Some(key),
                    Entered::Known => break None,
                    // Nothing is on the stack.
                    Entered::Forgotten => {}
                }
            };
            assert_eq!(is_new.is_some(), entered.insert(row), "{row:?}");
            cache.leave(is_new.flatten(), 0);
            shapes.insert(cache.tree.shape());
        }
        assert!(!cache.is_learning() && shapes.len() > 2);
    }

    fn hold_all(cache: &mut StateCache, stack: &mut [(Vec<Word>, Option<u64>)]) {
        'again: loop {
            for (row, key) in stack.iter_mut() {
                match cache.hold(row).unwrap() {
                    Some(held) => *key = held,
                    None => continue 'again,
                }
            }
            return;
        }
    }
}
