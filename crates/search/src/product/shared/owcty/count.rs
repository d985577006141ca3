//! OWCTY for weak automata: the sweep that counts predecessors.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lariat_core::{Word, makes_mistake};
use lariat_store::SharedSession;
use lariat_system::Stop;

use super::super::pass::{Own, Pass};
use super::super::walker::Block;
use super::{DEEP, IN, LEVEL, MANY, Owcty, one_more};

/// Sweeps everything, and counts predecessors inside accepting components.
pub(super) struct Count<'o, 'c> {
    owcty: &'o Owcty<'c>,
    /// The number of the next level.
    level: AtomicU64,
}

impl<'o, 'c> Count<'o, 'c> {
    pub(super) fn new(owcty: &'o Owcty<'c>) -> Self {
        Count { owcty, level: AtomicU64::new(0) }
    }
}

impl Pass for Count<'_, '_> {
    fn wants(&self, _: Word, _: Word) -> bool {
        true
    }

    fn initial(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        self.add(keys, &vec![false; keys.len()], session, own)?;
        Ok(false)
    }

    fn begin_level(&self) {
        self.level.fetch_add(1, Relaxed);
    }

    fn note(
        &self,
        sources: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        let mut inside = std::mem::take(&mut own.inside);
        let looked = self.owcty.insides(sources, block, session, &mut inside);
        let added = looked.map(|()| self.add(&block.keys, &inside, session, own));
        own.inside = inside;
        let Some(added) = added else { return Ok(true) };
        let leads_back = added?;
        own.transitions += block.keys.len() as u64;
        if leads_back {
            self.owcty.leads_back.store(true, Relaxed);
        }
        Ok(leads_back && self.owcty.only_forth)
    }
}

impl Count<'_, '_> {
    /// Adds states, and predecessors to those behind edges that are inside. Whether one of these edges does not lead to the next level.
    fn add(
        &self,
        keys: &[u64],
        inside: &[bool],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        let Owcty { components, beyond, .. } = self.owcty;
        let of_key = session.keys();
        let is_in = |at: usize| components.is_accepting(of_key.split(keys[at]).1);
        let next = self.level.load(Relaxed).min(DEEP);
        let change = |at: usize, before: Option<u64>| {
            let new = || next << LEVEL | if is_in(at) { IN } else { 0 };
            let payload = before.unwrap_or_else(new);
            if inside[at] { one_more(payload) } else { payload }
        };
        let leads_forth =
            |before: u64| before >> LEVEL == next && next < DEEP || makes_mistake("owcty-level");
        let (mut bytes, mut leads_back) = (0, false);
        session.update(keys, change, |at, before| {
            if let Some(before) = before.filter(|_| inside[at]) {
                leads_back |= !leads_forth(before);
                if before & MANY == MANY {
                    bytes += beyond.add(keys[at]);
                }
            }
            own.counted += u64::from(before.is_none() && is_in(at));
            before.is_none()
        })?;
        session.overdraw(bytes);
        Ok(leads_back)
    }
}
