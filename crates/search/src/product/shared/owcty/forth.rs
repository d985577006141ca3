//! Whether all edges lead to the next level.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lariat_core::makes_mistake;
use lariat_store::SharedSession;
use lariat_system::Stop;

use super::super::pass::{Own, Pass};
use super::super::walker::Block;
use crate::product::components::Components;

/// The level of a state, up to this number.
const DEEP: u64 = (1 << PAYLOAD) - 1;
pub(super) const PAYLOAD: u32 = 10;

/// Sweeps everything from these states on, until an edge inside an accepting component does not lead to the next level.
pub(super) struct Forth<'c> {
    components: &'c Components,
    exits: Arc<Vec<u64>>,
    /// The number of the next level.
    level: AtomicU64,
}

impl<'c> Forth<'c> {
    pub(super) fn new(components: &'c Components, exits: Arc<Vec<u64>>) -> Self {
        Forth { components, exits, level: AtomicU64::new(0) }
    }
}

impl Pass for Forth<'_> {
    fn begins(&self) -> Option<&[u64]> {
        Some(&self.exits)
    }

    fn initial(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<bool, Stop> {
        session.add(keys, |_| 0, |_, before| before.is_none())?;
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
        let keys = session.keys();
        own.inside.clear();
        for (number, &source) in sources.iter().enumerate() {
            let (_, src) = keys.split(source);
            let of_source = &block.keys[block.of(number)];
            let insides =
                of_source.iter().map(|&key| self.components.inside(src, keys.split(key).1));
            own.inside.extend(insides);
        }
        let next = self.level.load(Relaxed).min(DEEP);
        let leads_forth =
            |before: u64| before == next && next < DEEP || makes_mistake("owcty-level");
        let mut leads_back = false;
        session.add(
            &block.keys,
            |_| next,
            |at, before| {
                leads_back |= before.is_some_and(|before| own.inside[at] && !leads_forth(before));
                before.is_none()
            },
        )?;
        own.transitions += block.keys.len() as u64;
        Ok(leads_back)
    }
}
