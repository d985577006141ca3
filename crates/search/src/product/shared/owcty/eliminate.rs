//! OWCTY: elimination.

use lariat_core::Word;
use lariat_store::SharedSession;
use lariat_system::Stop;

use super::super::pass::{Own, Pass};
use super::super::walker::Block;
use super::{IN, MANY, Owcty};

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
        let goes = |&&(_, payload): &&(u64, u64)| payload & (IN | MANY) == IN;
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
            if before & (IN | MANY) == IN | MANY {
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

/// Whether one predecessor of a state in S is left.
fn is_last(payload: u64) -> bool {
    payload & (IN | MANY) == IN | 1
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
