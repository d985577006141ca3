//! OWCTY: elimination.

use lariat_core::Word;
use lariat_store::SharedSession;
use lariat_system::Stop;

use super::super::pass::{Own, Pass};
use super::super::walker::Block;
use super::Owcty;
use crate::product::owcty::{IN, MANY, has_none, is_full, is_last, one_less};

/// Takes states without predecessors in S out of S.
pub(super) struct Eliminate<'o, 'c>(&'o Owcty<'c>);

impl<'o, 'c> Eliminate<'o, 'c> {
    pub(super) fn new(owcty: &'o Owcty<'c>) -> Self {
        Eliminate(owcty)
    }
}

impl Pass for Eliminate<'_, '_> {
    fn wants(&self, src: Word, dst: Word) -> bool {
        self.0.components.inside(src, dst)
    }

    fn picks(&self) -> bool {
        true
    }

    fn pick(
        &self,
        states: &[(u64, u64)],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<(), Stop> {
        let goes = |&&(_, payload): &&(u64, u64)| has_none(payload);
        let keys: Vec<u64> = states
            .iter()
            .filter(goes)
            .map(|&(key, _)| key)
            .filter(|&key| self.0.may_accept(key, session))
            .collect();
        own.counted += keys.len() as u64;
        session.change(&keys, |_, before| before & !IN, |_, _| true)?;
        Ok(())
    }

    fn note(
        &self,
        _: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        // In the table there may be more.
        let mut many = Vec::new();
        let change = |_, before: u64| match before & MANY {
            MANY => before,
            _ => one_less(before),
        };
        session.change(&block.keys, change, |at, before| {
            if is_full(before) {
                many.push(block.keys[at]);
            }
            own.counted += u64::from(is_last(before));
            is_last(before)
        })?;
        for key in many {
            self.0.beyond.take(key, || {
                session.change(
                    &[key],
                    |_, before| one_less(before),
                    |_, before| {
                        own.counted += u64::from(is_last(before));
                        is_last(before)
                    },
                )?;
                Ok(())
            })?;
        }
        Ok(false)
    }
}
