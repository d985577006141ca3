//! OWCTY for weak automata: the sweep that counts predecessors.

use lariat_store::SharedSession;
use lariat_system::Stop;

use super::super::pass::{Own, Pass};
use super::super::walker::Block;
use super::Owcty;
use crate::product::owcty::{IN, MANY, one_more};

/// Sweeps everything, and counts predecessors inside accepting components.
pub(super) struct Count<'o, 'c>(pub(super) &'o Owcty<'c>);

impl Pass for Count<'_, '_> {
    fn begins(&self) -> Option<&[u64]> {
        Some(&self.0.exits)
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

    fn note(
        &self,
        sources: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        let mut inside = std::mem::take(&mut own.inside);
        let looked = self.0.insides(sources, block, session, &mut inside);
        let added = looked.map(|()| self.add(&block.keys, &inside, session, own));
        own.inside = inside;
        let Some(added) = added else { return Ok(true) };
        added?;
        own.transitions += block.keys.len() as u64;
        Ok(false)
    }
}

impl Count<'_, '_> {
    /// Adds states, and predecessors to those behind edges that are inside.
    fn add(
        &self,
        keys: &[u64],
        inside: &[bool],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<(), Stop> {
        let Owcty { components, beyond, .. } = self.0;
        let of_key = session.keys();
        let is_in = |at: usize| components.is_accepting(of_key.split(keys[at]).1);
        let change = |at: usize, before: Option<u64>| {
            let payload = before.unwrap_or_else(|| if is_in(at) { IN } else { 0 });
            if inside[at] { one_more(payload) } else { payload }
        };
        let mut bytes = 0;
        session.update(keys, change, |at, before| {
            if before.is_some_and(|before| inside[at] && before & MANY == MANY) {
                bytes += beyond.add(keys[at]);
            }
            own.counted += u64::from(before.is_none() && is_in(at));
            before.is_none()
        })?;
        session.overdraw(bytes);
        Ok(())
    }
}
