//! OWCTY: states that can be reached from edges with marks.

use lariat_core::{Word, makes_mistake};
use lariat_store::SharedSession;
use lariat_system::Stop;

use super::super::pass::{Own, Pass};
use super::super::walker::Block;
use super::Owcty;
use crate::product::owcty::{IN, MARKS, WAITS};

/// Adds the marks from which states can be reached: while everything is swept, or within S.
pub(super) struct Reach<'o, 'c> {
    owcty: &'o Owcty<'c>,
    is_first: bool,
}

impl<'o, 'c> Reach<'o, 'c> {
    /// While everything is swept.
    pub(super) fn first(owcty: &'o Owcty<'c>) -> Self {
        Reach { owcty, is_first: true }
    }

    /// Within S.
    pub(super) fn within(owcty: &'o Owcty<'c>) -> Self {
        Reach { owcty, is_first: false }
    }
}

impl Pass for Reach<'_, '_> {
    fn keeps_states(&self) -> bool {
        !self.is_first
    }

    fn wants(&self, src: Word, dst: Word) -> bool {
        self.is_first || self.owcty.components.inside(src, dst)
    }

    fn begins(&self) -> Option<&[u64]> {
        Some(&self.owcty.exits)
    }

    fn initial(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        self.add(keys, &vec![0; keys.len()], session, own)?;
        Ok(false)
    }

    fn picks(&self) -> bool {
        !self.is_first
    }

    /// All of S wait, and no marks are known.
    fn pick(
        &self,
        states: &[(u64, u64)],
        session: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<(), Stop> {
        let is_in = |&&(key, payload): &&(u64, u64)| {
            payload & IN != 0 && self.owcty.may_accept(key, session)
        };
        let keys: Vec<u64> = states.iter().filter(is_in).map(|&(key, _)| key).collect();
        session.change(&keys, |_, before| before & !self.owcty.all | WAITS, |_, _| true)?;
        Ok(())
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
        own.inside = inside;
        if looked.is_none() || session.set().len() > self.owcty.most {
            return Ok(true);
        }
        // They wait no longer: what comes from now on makes them wait again.
        let mut known = vec![0; sources.len()];
        session.change(
            sources,
            |_, before| before & !WAITS,
            |at, before| {
                known[at] = before & self.owcty.all;
                false
            },
        )?;
        let mut more = vec![0; block.keys.len()];
        for (number, known) in known.into_iter().enumerate() {
            for at in block.of(number).filter(|&at| own.inside[at]) {
                more[at] = known | block.marks[at].0 << MARKS & self.owcty.all;
            }
        }
        self.add(&block.keys, &more, session, own)?;
        if self.is_first {
            // Each state is in S when it was expanded, and its edges count once.
            session.change(
                sources,
                |_, before| before | IN,
                |at, before| {
                    if before & IN == 0 {
                        own.transitions += block.of(at).len() as u64;
                    }
                    false
                },
            )?;
        }
        Ok(false)
    }
}

impl Reach<'_, '_> {
    /// Adds marks to states. Those that have got some wait; so do new ones.
    fn add(
        &self,
        keys: &[u64],
        more: &[u64],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<(), Stop> {
        let gains = |at: usize, before: u64| more[at] & !before != 0;
        let with = |at: usize, before: u64| match gains(at, before) {
            true => before | more[at] | WAITS,
            false => before,
        };
        if !self.is_first {
            let change = |at, before| if before & IN == 0 { before } else { with(at, before) };
            let wants = |at, before| before & IN != 0 && before & WAITS == 0 && gains(at, before);
            return Ok(session.change(keys, change, wants)?);
        }
        let (components, of_key) = (self.owcty.components, session.keys());
        let change = |at: usize, before: Option<u64>| match before {
            None => more[at] | WAITS,
            Some(before) => with(at, before),
        };
        session.update(keys, change, |at, before| match before {
            None => {
                let may_accept = components.is_accepting(of_key.split(keys[at]).1);
                own.counted += u64::from(may_accept);
                true
            }
            Some(before) => {
                before & WAITS == 0 && gains(at, before) && !makes_mistake("owcty-marks")
            }
        })?;
        Ok(())
    }
}
