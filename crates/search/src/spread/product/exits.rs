//! Goes through the states before acceptance, until one behind them is found.

use lariat_core::{Marks, Word};

use crate::product::components::Components;
use crate::spread::pass::{Kept, Pass, Say, Source};

pub(super) struct Exits<'c> {
    pub(super) components: &'c Components,
    pub(super) transitions: u64,
}

impl Pass for Exits<'_> {
    fn counts(&self) -> [u64; 2] {
        [0, self.transitions]
    }

    fn extra(&self) -> usize {
        0
    }

    fn say(&mut self, _: Source, _: u64, state: Word, _: Marks) -> Say {
        match self.components.is_before(state) {
            true => Say::Once(0, 0),
            false => Say::Found,
        }
    }

    fn note_expanded(&mut self, _: Source, successors: usize) {
        self.transitions += successors as u64;
    }

    fn keep(&self, _: Word, before: Option<u64>, _: u64) -> Kept {
        Kept { payload: 0, waits: before.is_none() }
    }

    fn hear(&mut self, _: u64, _: Word, _: Option<u64>, _: u64) -> bool {
        true
    }
}
