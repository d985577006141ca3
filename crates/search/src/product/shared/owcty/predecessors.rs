//! OWCTY: those that can be reached from all marks, and how many predecessors they have.

use lariat_core::Word;
use lariat_store::SharedSession;
use lariat_system::Stop;

use super::super::pass::{Own, Pass};
use super::super::walker::Block;
use super::Owcty;
use crate::product::owcty::{IN, MANY, is_full, one_more};

/// Takes those that cannot be reached from all marks out of S, then counts predecessors in S.
pub(super) struct Predecessors<'o, 'c>(&'o Owcty<'c>);

impl<'o, 'c> Predecessors<'o, 'c> {
    pub(super) fn new(owcty: &'o Owcty<'c>) -> Self {
        Predecessors(owcty)
    }
}

impl Pass for Predecessors<'_, '_> {
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
        let may_accept = |&&(key, _): &&(u64, u64)| self.0.may_accept(key, session);
        let keys: Vec<u64> = states.iter().filter(may_accept).map(|&(key, _)| key).collect();
        let all = self.0.all;
        let stays = |before: u64| before & IN != 0 && before & all == all;
        session.change(
            &keys,
            |_, before| if stays(before) { before & !MANY } else { before & !IN },
            |_, before| {
                own.counted += u64::from(stays(before));
                stays(before)
            },
        )?;
        Ok(())
    }

    fn note(
        &self,
        _: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<bool, Stop> {
        let mut bytes = 0;
        session.change(
            &block.keys,
            |_, before| if before & IN == 0 { before } else { one_more(before) },
            |at, before| {
                if is_full(before) {
                    bytes += self.0.beyond.add(block.keys[at]);
                }
                false
            },
        )?;
        session.overdraw(bytes);
        Ok(false)
    }
}
