//! OWCTY: elimination.

use lariat_core::{Marks, Word};

use super::Owcty;
use crate::product::owcty::{IN, has_none, is_last, one_less};
use crate::spread::pass::{Kept, Pass, Say, Source};

/// Takes states without predecessors in S out of S.
pub(in crate::spread) struct Eliminate<'o, 'c>(pub(in crate::spread) &'o mut Owcty<'c>);

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

    fn pick(&mut self, state: Word, payload: u64, _: u64) -> Kept {
        let goes = has_none(payload) && self.0.components.is_accepting(state);
        self.0.counted += u64::from(goes);
        Kept { payload: if goes { payload & !IN } else { payload }, waits: goes }
    }

    fn repeats(&self) -> bool {
        false
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
