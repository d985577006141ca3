//! OWCTY: those that can be reached from all marks, and how many predecessors they have.

use lariat_core::{Marks, Word};

use super::Owcty;
use crate::product::owcty::{IN, MANY, is_full, one_more};
use crate::spread::pass::{Kept, Pass, Say, Source};

/// Takes those that cannot be reached from all marks out of S, then counts predecessors in S.
pub(in crate::spread) struct Predecessors<'o, 'c>(pub(in crate::spread) &'o mut Owcty<'c>);

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

    fn pick(&mut self, state: Word, payload: u64, _: u64) -> Kept {
        let all = self.0.marks();
        let stays =
            self.0.components.is_accepting(state) && payload & IN != 0 && payload & all == all;
        self.0.counted += u64::from(stays);
        match stays {
            true => Kept { payload: payload & !MANY, waits: true },
            false => Kept { payload: payload & !IN & !MANY, waits: false },
        }
    }

    fn repeats(&self) -> bool {
        false
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
        if before.is_some_and(is_full) {
            self.0.beyond.add(key);
        }
        before.is_some()
    }

    fn bytes(&self) -> usize {
        self.0.beyond.bytes()
    }
}
