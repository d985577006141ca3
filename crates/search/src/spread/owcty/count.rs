//! OWCTY for weak automata: the sweep that counts predecessors.

use lariat_core::{Marks, Word, makes_mistake};

use super::Owcty;
use crate::product::owcty::{IN, MANY, one_more};
use crate::spread::map::{self, Largest};
use crate::spread::pass::{Kept, Pass, Say, Source};

/// Sweeps everything, and counts predecessors inside accepting components.
pub(in crate::spread) struct Count<'o, 'c>(pub(in crate::spread) &'o mut Owcty<'c>);

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
        if self.0.largest.is_some() { 1 + map::RANK as usize / 8 } else { 1 }
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
                largest.tell(hash, state, Marks::NONE).map(|told| word | told << ABOVE)
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
