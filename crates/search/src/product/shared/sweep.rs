//! Sweeps on all threads: see [`sweep`](crate::product::sweep) for what they prove.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lariat_core::{Automaton, Marks, Word, makes_mistake};
use lariat_store::SharedSession;
use lariat_store::frontier::MOST;
use lariat_system::Stop;

use super::pass::{Own, Pass};
use super::walker::Block;
use crate::product::components::Components;

/// Goes through the states before acceptance, until one behind them is found.
pub(super) struct Exits<'c> {
    components: &'c Components,
}

impl<'c> Exits<'c> {
    pub(super) fn new(components: &'c Components) -> Self {
        Exits { components }
    }

    fn is_exit(&self, key: u64, session: &SharedSession<'_>) -> bool {
        let (_, state) = session.keys().split(key);
        self.components.before >> state & 1 == 0
    }
}

impl Pass for Exits<'_> {
    fn keeps_states(&self) -> bool {
        false
    }

    fn initial(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<bool, Stop> {
        session.note(keys)?;
        Ok(keys.iter().any(|&key| self.is_exit(key, session)))
    }

    fn note(
        &self,
        _: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        if block.keys.iter().any(|&key| self.is_exit(key, session)) {
            return Ok(true);
        }
        session.note(&block.keys)?;
        own.transitions += block.keys.len() as u64;
        Ok(false)
    }
}

/// Goes through the states before acceptance, and gathers those behind them, each once.
pub(super) struct Gather<'c> {
    components: &'c Components,
    /// Ends when there are many of these.
    only_few: bool,
}

/// One of so many states is few.
pub(super) const FEW: usize = 8;
/// That is not asked before there are so many.
const SOON: usize = 1 << 16;

impl<'c> Gather<'c> {
    pub(super) fn new(components: &'c Components, only_few: bool) -> Self {
        Gather { components, only_few }
    }

    /// Adds states, and notes those that are new: before acceptance for the next level, the others in a list.
    fn add(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<(), Stop> {
        let of_key = session.keys();
        let (before, exits) = (own.exits.capacity(), &mut own.exits);
        session.add(
            keys,
            |_| 0,
            |at, known| {
                let is_before = self.components.is_before(of_key.split(keys[at]).1);
                let is_lost = || makes_mistake("behind-lost") && keys[at] % 4 == 1;
                if known.is_none() && !is_before && !is_lost() {
                    exits.push(keys[at]);
                }
                known.is_none() && is_before
            },
        )?;
        session.overdraw((own.exits.capacity() - before) * size_of::<u64>());
        Ok(())
    }
}

impl Pass for Gather<'_> {
    fn initial(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        self.add(keys, session, own)?;
        Ok(false)
    }

    fn note(
        &self,
        _: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        self.add(&block.keys, session, own)?;
        own.transitions += block.keys.len() as u64;
        let set = session.set();
        let exits = own.exits.len() * set.threads();
        Ok(self.only_few && set.len() > SOON && exits > set.len() / FEW)
    }
}

/// Enters states with a payload, and nothing more.
pub(super) struct Enter<'e> {
    pub(super) states: &'e [u64],
    pub(super) payload: u64,
}

impl Pass for Enter<'_> {
    fn wants(&self, _: Word, _: Word) -> bool {
        false
    }

    fn begins(&self) -> Option<&[u64]> {
        Some(self.states)
    }

    fn initial(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<bool, Stop> {
        session.add(keys, |_| self.payload, |_, _| false)?;
        Ok(false)
    }

    fn note(
        &self,
        _: &[u64],
        _: &Block,
        _: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<bool, Stop> {
        Ok(false)
    }
}

/// Goes through everything, until a component of the automaton has all marks.
pub(super) struct SeekMarks<'c> {
    components: &'c Components,
    /// Those that were seen inside a component, by its name.
    seen: [AtomicU64; MOST],
    all: Marks,
}

impl<'c> SeekMarks<'c> {
    pub(super) fn new<A: Automaton>(components: &'c Components, automaton: &A) -> Self {
        let seen = std::array::from_fn(|_| AtomicU64::new(0));
        SeekMarks { components, seen, all: Marks::all(automaton.mark_count()) }
    }

    /// Notes the marks of an edge; whether its component has all now.
    #[inline]
    fn look(&self, src: Word, dst: Word, marks: Marks) -> bool {
        if !self.components.inside(src, dst) {
            return false;
        }
        let seen = &self.seen[self.components.name(src)];
        let mut known = Marks(seen.load(Relaxed));
        if !known.contains(marks) {
            known = Marks(seen.fetch_or(marks.0, Relaxed)) | marks;
        }
        known.contains(self.all)
    }
}

impl Pass for SeekMarks<'_> {
    fn keeps_states(&self) -> bool {
        false
    }

    fn initial(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<bool, Stop> {
        session.note(keys)?;
        Ok(false)
    }

    fn note(
        &self,
        sources: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        let keys = session.keys();
        for (number, &source) in sources.iter().enumerate() {
            let (_, src) = keys.split(source);
            for at in block.of(number) {
                let (_, dst) = keys.split(block.keys[at]);
                if self.look(src, dst, block.marks[at]) {
                    return Ok(true);
                }
            }
        }
        session.note(&block.keys)?;
        own.transitions += block.keys.len() as u64;
        Ok(false)
    }
}
