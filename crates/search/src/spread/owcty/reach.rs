//! OWCTY: states that can be reached from edges with marks.

use lariat_core::{Marks, Word, makes_mistake};

use super::Owcty;
use crate::product::owcty::{IN, MARKS, WAITS};
use crate::spread::map::Largest;
use crate::spread::pass::{Kept, Pass, Say, Source};

/// Adds the marks from which states can be reached: while everything is swept, or within S.
pub(in crate::spread) struct Reach<'o, 'c> {
    pub(in crate::spread) owcty: &'o mut Owcty<'c>,
    pub(in crate::spread) is_first: bool,
}

impl Pass for Reach<'_, '_> {
    fn counts(&self) -> [u64; 2] {
        self.owcty.counts()
    }

    fn beyond(&self) -> Vec<(u64, u64)> {
        self.owcty.beyond.all()
    }

    fn extra(&self) -> usize {
        if self.largest().is_some() { 8 } else { 2 }
    }

    fn hashes(&self) -> bool {
        self.largest().is_some()
    }

    fn wants(&self, src: Word, dst: Word) -> bool {
        self.is_first || self.owcty.components.inside(src, dst)
    }

    fn picks(&self) -> bool {
        !self.is_first
    }

    /// All of S wait, and no marks are known.
    fn pick(&mut self, state: Word, payload: u64, _: u64) -> Kept {
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
        match self.largest() {
            None => Say::Once(more, more),
            // Those of the edge are for `say_by_hash`.
            Some(_) => Say::Once(more | ALONG | marks.0 << TOLD, more),
        }
    }

    fn say_by_hash(&mut self, word: u64, hash: u64, state: Word) -> Option<u64> {
        match self.largest() {
            Some(largest) if word & ALONG != 0 => {
                let told = largest.tell(hash, state, Marks(word >> TOLD))?;
                Some(word & (ALONG - 1) | told << TOLD)
            }
            _ => Some(word),
        }
    }

    fn note_expanded(&mut self, source: Source, successors: usize) {
        if self.is_first && source.payload & IN == 0 {
            self.owcty.transitions += successors as u64;
        }
        if let Some(largest) = self.owcty.largest.as_mut().filter(|_| self.is_first)
            && self.owcty.components.is_accepting(source.state)
        {
            largest.expand(source.key, source.hash, source.state);
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

    fn hear(&mut self, key: u64, state: Word, before: Option<u64>, word: u64) -> bool {
        let is_new = before.is_none();
        self.owcty.counted += u64::from(is_new && self.owcty.components.is_accepting(state));
        // What it hands on when it is expanded, once more or for the first time.
        if self.is_first
            && self.keep(state, before, word).payload & WAITS != 0
            && let Some(largest) = &mut self.owcty.largest
        {
            largest.hear(key, word >> TOLD);
        }
        self.is_first || !is_new
    }

    fn bytes(&self) -> usize {
        self.largest().map_or(0, Largest::bytes)
    }
}

/// Said of a state behind an edge inside an accepting component; below it, marks.
const ALONG: u64 = 1 << 11;
/// Above that, what `map` tells.
const TOLD: u32 = 12;

impl Reach<'_, '_> {
    /// Looks for cycles, while everything is swept.
    fn largest(&self) -> Option<&Largest> {
        self.owcty.largest.as_ref().filter(|_| self.is_first)
    }
}
