//! Accepting cycles by elimination, over workers that share nothing: One Way Catch Them Young.
//!
//! I. Černá, R. Pelánek, *Distributed explicit fair cycle detection*, SPIN 2003; J. Barnat, L. Brim, P. Ročkai, *A time-optimal on-the-fly parallel algorithm for model checking of weak LTL
//! properties*, ICFEM 2009, for weak automata.
//!
//! ```text
//! S := states of accepting components that can be reached
//! repeat
//!     S := states of S that can be reached within S from an edge of S with mark i, for each mark i    (Reach)
//!     count the predecessors in S of each state of S                                                  (Predecessors)
//!     while some state of S has no predecessor in S: S := S \ { it }                                   (Eliminate)
//! until S does not change
//! there is an accepting cycle if and only if S is not empty
//! ```
//!
//! Why that is so is said in `product/shared/owcty/mod.rs`, which does the same with threads and one set. Here, whoever expands a state *tells* the owner of each successor: that it has one more predecessor, that
//! one is gone, from which marks it can be reached. A weak automaton has no marks to reach: predecessors are counted while the product is swept (`Count`), and one elimination is enough.
//!
//! *Why counts are right.* A worker changes only what it owns, by one message at a time. Each edge inside S is told of once when predecessors are counted, as each state of S is expanded once in that pass, and once
//! when its source is taken out, as a state is taken out once. What is told each time ([`Say::Each`]) is not dropped as a repeat. A worker begins a pass, and so has put its own states in order, before it
//! takes a message of that pass (`shard`); and a pass is over when nothing is on its way. Counts beyond the bits are kept in a table beside the set: a message takes from the table first, and from the
//! bits only if the table has none.
//!
//! *Sets of marks grow only*, so their order does not matter, and what was told of a state once need not be told again: a state that gets more is expanded again, unless it waits already; it stops waiting
//! before its marks are read.

use std::collections::HashMap;

use lariat_core::{Marks, Word, makes_mistake};

use super::map::{self, Largest};
use super::pass::{Kept, Pass, Say, Source};
use crate::product::components::Components;

/// Predecessors, up to this number: there may be more in the table.
const MANY: u64 = 31;
/// In S.
const IN: u64 = 1 << 5;
/// To be expanded. Without marks there is no such bit.
const WAITS: u64 = 1 << 6;
/// Marks from which the state can be reached.
const MARKS: u32 = 7;

/// Bits kept of each state.
pub(super) fn payload_bits(marks: u32) -> u32 {
    if marks == 0 { 6 } else { MARKS + marks }
}

/// What all passes know.
pub(super) struct Owcty<'c> {
    components: &'c Components,
    /// All marks.
    all: Marks,
    beyond: Beyond,
    /// If cycles are looked for while predecessors are counted.
    largest: Option<Largest>,
    /// States of S that have come or gone in this pass, here.
    pub(super) counted: u64,
    /// Edges of the product, each once.
    pub(super) transitions: u64,
}

impl<'c> Owcty<'c> {
    pub(super) fn new(components: &'c Components, marks: u32, detects_early: bool) -> Self {
        let (all, beyond) = (Marks::all(marks), Beyond::default());
        let largest = detects_early.then(Largest::default);
        Owcty { components, all, beyond, largest, counted: 0, transitions: 0 }
    }

    /// Predecessors are counted anew.
    pub(super) fn forget_predecessors(&mut self) {
        self.beyond = Beyond::default();
    }

    fn counts(&self) -> [u64; 2] {
        [self.counted, self.transitions]
    }

    /// Goes on with what others have counted, and kept beside the set.
    pub(super) fn inherit(&mut self, [counted, transitions]: [u64; 2], beyond: &[(u64, u64)]) {
        self.counted += counted;
        self.transitions += transitions;
        for &(key, count) in beyond {
            *self.beyond.0.entry(key).or_default() += count as u32;
        }
    }

    /// The marks of a payload, all of them.
    fn marks(&self) -> u64 {
        self.all.0 << MARKS
    }

    /// Whether an edge is an accepting cycle by itself.
    fn is_cycle(&self, source: Source, key: u64, marks: Marks) -> bool {
        key == source.key && marks.contains(self.all)
    }
}

/// A payload with one predecessor more.
fn one_more(payload: u64) -> u64 {
    payload + u64::from(payload & MANY < MANY)
}

/// A payload with one predecessor less, if it is one of a state in S: without the last one it is out of S.
fn one_less(payload: u64) -> u64 {
    match payload & MANY {
        0 => payload,
        _ if payload & IN == 0 => payload,
        1 => payload & !IN & !MANY,
        _ => payload - 1,
    }
}

/// Whether one predecessor of a state in S is left.
fn is_last(payload: u64) -> bool {
    payload & (IN | MANY) == IN | 1
}

/// Sweeps everything, and counts predecessors inside accepting components.
pub(super) struct Count<'o, 'c>(pub(super) &'o mut Owcty<'c>);

/// Said of a state behind an edge inside an accepting component; above it, what `map` tells.
const INSIDE: u64 = 1;
/// Where that begins.
const ABOVE: u32 = 8;

fn is_inside(word: u64) -> bool {
    word & INSIDE != 0
}

impl Pass for Count<'_, '_> {
    fn counts(&self) -> [u64; 2] {
        self.0.counts()
    }

    fn beyond(&self) -> Vec<(u64, u64)> {
        self.0.beyond.all()
    }

    fn extra(&self) -> usize {
        if self.0.largest.is_some() { 1 + map::BYTES } else { 1 }
    }

    fn hashes(&self) -> bool {
        self.0.largest.is_some()
    }

    fn say(&mut self, source: Source, key: u64, state: Word, marks: Marks) -> Say {
        match self.0.components.inside(source.state, state) {
            true if self.0.is_cycle(source, key, marks) => Say::Found,
            true if makes_mistake("spread-repeats") => Say::Once(INSIDE, INSIDE),
            true => Say::Each(INSIDE),
            false => Say::Once(0, 0),
        }
    }

    fn say_by_hash(&mut self, word: u64, hash: u64, state: Word) -> Option<u64> {
        match &self.0.largest {
            Some(largest) if is_inside(word) => {
                largest.tell(hash, state).map(|told| word | told << ABOVE)
            }
            _ => Some(word),
        }
    }

    fn note_expanded(&mut self, source: Source, successors: usize) {
        self.0.transitions += successors as u64;
        if let Some(largest) = &mut self.0.largest
            && self.0.components.is_accepting(source.state)
        {
            largest.expand(source.key, source.hash, source.state);
        }
    }

    fn keep(&self, state: Word, before: Option<u64>, word: u64) -> Kept {
        let new = if self.0.components.is_accepting(state) { IN } else { 0 };
        let payload = before.unwrap_or(new);
        let payload = if is_inside(word) { one_more(payload) } else { payload };
        Kept { payload, waits: before.is_none() }
    }

    fn hear(&mut self, key: u64, state: Word, before: Option<u64>, word: u64) -> bool {
        let is_in = self.0.components.is_accepting(state);
        self.0.counted += u64::from(before.is_none() && is_in);
        if is_inside(word) && before.is_some_and(|before| before & MANY == MANY) {
            self.0.beyond.add(key);
        }
        if let Some(largest) = &mut self.0.largest
            && before.is_none()
        {
            largest.hear(key, word >> ABOVE);
        }
        word == 0 || is_inside(word) && is_in
    }

    fn bytes(&self) -> usize {
        self.0.beyond.bytes() + self.0.largest.as_ref().map_or(0, Largest::bytes)
    }
}

/// Adds the marks from which states can be reached: while everything is swept, or within S.
pub(super) struct Reach<'o, 'c> {
    pub(super) owcty: &'o mut Owcty<'c>,
    pub(super) is_first: bool,
}

impl Pass for Reach<'_, '_> {
    fn counts(&self) -> [u64; 2] {
        self.owcty.counts()
    }

    fn beyond(&self) -> Vec<(u64, u64)> {
        self.owcty.beyond.all()
    }

    fn extra(&self) -> usize {
        2
    }

    fn wants(&self, src: Word, dst: Word) -> bool {
        self.is_first || self.owcty.components.inside(src, dst)
    }

    fn picks(&self) -> bool {
        !self.is_first
    }

    /// All of S wait, and no marks are known.
    fn pick(&mut self, state: Word, payload: u64) -> Kept {
        let is_in = payload & IN != 0 && self.owcty.components.is_accepting(state);
        match is_in {
            true => Kept { payload: payload & !self.owcty.marks() | WAITS, waits: true },
            false => Kept { payload, waits: false },
        }
    }

    fn looks(&self) -> bool {
        true
    }

    /// Each state is in S when it was expanded.
    fn leave(&self, payload: u64) -> u64 {
        payload & !WAITS | if self.is_first { IN } else { 0 }
    }

    fn say(&mut self, source: Source, key: u64, state: Word, marks: Marks) -> Say {
        if !self.owcty.components.inside(source.state, state) {
            return Say::Once(0, 0);
        }
        if self.owcty.is_cycle(source, key, marks) {
            return Say::Found;
        }
        let more = (source.payload >> MARKS | marks.0) & self.owcty.all.0;
        Say::Once(more, more)
    }

    fn note_expanded(&mut self, source: Source, successors: usize) {
        if self.is_first && source.payload & IN == 0 {
            self.owcty.transitions += successors as u64;
        }
    }

    fn keep(&self, _: Word, before: Option<u64>, word: u64) -> Kept {
        let more = word << MARKS & self.owcty.marks();
        match before {
            None => Kept { payload: more | WAITS, waits: self.is_first },
            Some(before) if !self.is_first && before & IN == 0 => {
                Kept { payload: before, waits: false }
            }
            Some(before) if more & !before == 0 => Kept { payload: before, waits: false },
            Some(before) => {
                let waits = before & WAITS == 0 && !makes_mistake("spread-marks");
                Kept { payload: before | more | WAITS, waits }
            }
        }
    }

    fn hear(&mut self, _: u64, state: Word, before: Option<u64>, _: u64) -> bool {
        let is_new = before.is_none();
        self.owcty.counted += u64::from(is_new && self.owcty.components.is_accepting(state));
        self.is_first || !is_new
    }
}

/// Takes those that cannot be reached from all marks out of S, then counts predecessors in S.
pub(super) struct Predecessors<'o, 'c>(pub(super) &'o mut Owcty<'c>);

impl Pass for Predecessors<'_, '_> {
    fn counts(&self) -> [u64; 2] {
        self.0.counts()
    }

    fn beyond(&self) -> Vec<(u64, u64)> {
        self.0.beyond.all()
    }

    fn extra(&self) -> usize {
        0
    }

    fn wants(&self, src: Word, dst: Word) -> bool {
        self.0.components.inside(src, dst)
    }

    fn picks(&self) -> bool {
        true
    }

    fn pick(&mut self, state: Word, payload: u64) -> Kept {
        let all = self.0.marks();
        let stays =
            self.0.components.is_accepting(state) && payload & IN != 0 && payload & all == all;
        self.0.counted += u64::from(stays);
        match stays {
            true => Kept { payload: payload & !MANY, waits: true },
            false => Kept { payload: payload & !IN & !MANY, waits: false },
        }
    }

    fn say(&mut self, _: Source, _: u64, _: Word, _: Marks) -> Say {
        Say::Each(0)
    }

    fn keep(&self, _: Word, before: Option<u64>, _: u64) -> Kept {
        let before = before.unwrap_or(0);
        let payload = if before & IN == 0 { before } else { one_more(before) };
        Kept { payload, waits: false }
    }

    fn hear(&mut self, key: u64, _: Word, before: Option<u64>, _: u64) -> bool {
        let is_full = |before: u64| before & (IN | MANY) == IN | MANY;
        if before.is_some_and(is_full) {
            self.0.beyond.add(key);
        }
        before.is_some()
    }

    fn bytes(&self) -> usize {
        self.0.beyond.bytes()
    }
}

/// Takes states without predecessors in S out of S.
pub(super) struct Eliminate<'o, 'c>(pub(super) &'o mut Owcty<'c>);

impl Pass for Eliminate<'_, '_> {
    fn counts(&self) -> [u64; 2] {
        self.0.counts()
    }

    fn beyond(&self) -> Vec<(u64, u64)> {
        self.0.beyond.all()
    }

    fn extra(&self) -> usize {
        0
    }

    fn wants(&self, src: Word, dst: Word) -> bool {
        self.0.components.inside(src, dst)
    }

    fn picks(&self) -> bool {
        true
    }

    fn pick(&mut self, state: Word, payload: u64) -> Kept {
        let goes = payload & (IN | MANY) == IN && self.0.components.is_accepting(state);
        self.0.counted += u64::from(goes);
        Kept { payload: if goes { payload & !IN } else { payload }, waits: goes }
    }

    fn say(&mut self, _: Source, _: u64, _: Word, _: Marks) -> Say {
        Say::Each(0)
    }

    fn absorbs(&mut self, key: u64, _: u64) -> bool {
        self.0.beyond.take(key)
    }

    fn keep(&self, _: Word, before: Option<u64>, _: u64) -> Kept {
        let before = before.unwrap_or(0);
        Kept { payload: one_less(before), waits: is_last(before) }
    }

    fn hear(&mut self, _: u64, _: Word, before: Option<u64>, _: u64) -> bool {
        self.0.counted += u64::from(before.is_some_and(is_last));
        before.is_some()
    }
}

/// Predecessors beyond what a payload can count.
#[derive(Default)]
struct Beyond(HashMap<u64, u32>);

impl Beyond {
    fn all(&self) -> Vec<(u64, u64)> {
        self.0.iter().map(|(&key, &count)| (key, count.into())).collect()
    }

    fn add(&mut self, key: u64) {
        *self.0.entry(key).or_default() += 1;
    }

    /// One less; false if there is none.
    fn take(&mut self, key: u64) -> bool {
        if self.0.is_empty() {
            return false;
        }
        match self.0.get_mut(&key) {
            None => false,
            Some(1) => self.0.remove(&key).is_some(),
            Some(count) => {
                *count -= 1;
                true
            }
        }
    }

    fn bytes(&self) -> usize {
        // A place has a byte of hash, and an eighth of the places is free.
        self.0.capacity() * (size_of::<(u64, u32)>() + 1) * 8 / 7
    }
}
