//! A pass breadth first through a product on all threads: what each pass does with the states is its own affair.
//!
//! A level is complete before the next one begins. A block of states is dealt with as a whole or, if a thread must end, not at all: then its
//! states are given back, and are there when all go on. So nothing is counted twice.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use lariat_core::{Automaton, Limit, Word, headway};
use lariat_model::interp::Fault;
use lariat_model::steps::ModelSteps;
use lariat_store::SharedSession;
use lariat_system::{Stop, System};

use super::SharedProduct;
use super::proviso::Decisions;
use super::walker::{Block, Walker};
use crate::product::components::Components;
use crate::team::{Desk, Ended, Work};

/// States that a thread takes at once.
const TAKEN: usize = 256;
/// States of a part of the set that a thread goes through at once.
const PART: usize = 8_192;

/// What a thread has counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    pub(super) transitions: u64,
    /// What the pass at hand counts.
    pub(super) counted: u64,
    /// Scratch of a pass.
    pub(super) inside: Vec<bool>,
    /// States behind those that were swept.
    pub(super) exits: Vec<u64>,
    /// Entries of decisions that it has added to the set.
    pub(super) entries: u64,
    /// The first run-time error that some runs cannot get past.
    pub(super) dead_end: Option<Fault>,
}

/// What is done with states.
pub(super) trait Pass: Sync {
    /// Whether it keeps states anywhere but in the set and its levels.
    fn keeps_states(&self) -> bool {
        true
    }

    /// Whether the edges between two states of the automaton are of interest.
    fn wants(&self, _src: Word, _dst: Word) -> bool {
        true
    }

    /// The states to begin with, if these are not the initial ones.
    fn begins(&self) -> Option<&[u64]> {
        None
    }

    /// Deals with some of the states to begin with. True if what is looked for is found.
    fn initial(
        &self,
        _keys: &[u64],
        _session: &mut SharedSession<'_>,
        _own: &mut Own,
    ) -> Result<bool, Stop> {
        Ok(false)
    }

    /// A level begins: told by one thread, while the others wait.
    fn begin_level(&self) {}

    /// Whether it begins with states that are there: with those that [`Pass::pick`] adds to the next level.
    fn picks(&self) -> bool {
        false
    }

    /// Whether those before acceptance that were put aside are picked, too. (What is aside besides is in the set once more.)
    fn picks_aside(&self) -> Option<&Components> {
        None
    }

    /// Deals with some states that are there, and their payloads.
    fn pick(
        &self,
        _states: &[(u64, u64)],
        _session: &mut SharedSession<'_>,
        _own: &mut Own,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// Deals with the successors of some states, or with none of them if there is an error. True if what is looked for is found.
    fn note(
        &self,
        sources: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop>;
}

/// A pass at work.
pub(super) struct Walk<'p, 's, A, P> {
    product: &'p SharedProduct<'s, A>,
    pub(super) pass: P,
    level: AtomicUsize,
    /// States when the level began, and levels that have brought new ones.
    states: AtomicUsize,
    pub(super) depth: AtomicU64,
    /// Parts of the set that somebody has taken, and whether all have begun.
    parts: AtomicUsize,
    has_begun: AtomicBool,
    /// If steps are left out.
    decisions: Option<&'p Decisions>,
}

impl<'p, 's, A: Automaton + Sync, P: Pass> Walk<'p, 's, A, P> {
    pub(super) fn new(
        product: &'p SharedProduct<'s, A>,
        decisions: Option<&'p Decisions>,
        pass: P,
    ) -> Self {
        Walk {
            decisions,
            product,
            pass,
            level: AtomicUsize::new(0),
            states: AtomicUsize::new(0),
            depth: AtomicU64::new(0),
            parts: AtomicUsize::new(0),
            has_begun: AtomicBool::new(false),
        }
    }

    /// Puts the first states into the first level, which begins when all have met.
    fn begin(
        &self,
        walker: &mut Walker<'_, A>,
        desk: &mut Desk<'_, '_, 's>,
        own: &mut Own,
        is_first: bool,
    ) -> Result<bool, Stop> {
        if !self.pass.picks() {
            if !is_first {
                return Ok(false);
            }
            let states = match self.pass.begins() {
                Some(_) => Vec::new(),
                None => walker.initial(&mut desk.system)?,
            };
            let mut all = self.pass.begins().unwrap_or(&states).chunks(TAKEN);
            return all.try_fold(false, |is_found, some| {
                if let Some(decisions) = self.decisions {
                    decisions.begin(some, desk.session(), &mut walker.scratch)?;
                }
                Ok(is_found || self.pass.initial(some, desk.session(), own)?)
            });
        }
        let parts = |states: usize| states / PART + 1;
        let (here, keys) = (parts(desk.session().set().len()), desk.session().keys());
        let aside = desk.session().aside().zip(self.pass.picks_aside());
        let elsewhere = aside.map_or(0, |(aside, _)| parts(aside.len()));
        let mut all = Vec::new();
        loop {
            let part = self.parts.fetch_add(1, Relaxed);
            all.clear();
            let add = |key: u64, payload: u64| all.push((key, payload));
            match aside {
                _ if part < here => desk.session().for_each_in(part, here, add),
                Some((aside, components)) if part < here + elsewhere => {
                    aside.for_each_in(part - here, elsewhere, add);
                    all.retain(|&(key, _)| components.is_before(keys.split(key).1));
                }
                _ => return Ok(false),
            }
            if let Some(decisions) = self.decisions {
                all.retain(|&(key, _)| !decisions.is_entry(key, keys));
            }
            for some in all.chunks(TAKEN) {
                self.pass.pick(some, desk.session(), own)?;
            }
        }
    }

    /// The next level: false if it is empty.
    fn next_level(&self, desk: &mut Desk<'_, '_, 's>) -> Result<bool, Stop> {
        let set = desk.session().set();
        let next = |level: usize| {
            self.level.store(level, Relaxed);
            self.pass.begin_level();
            self.decisions.inspect(|decisions| decisions.begin_level());
            let before = self.states.swap(set.len(), Relaxed);
            self.depth.fetch_add(u64::from(set.len() > before), Relaxed);
        };
        let is_next = desk.talk.next_level(&mut desk.system, next)?;
        // All are here, so all have begun.
        self.has_begun.store(true, Relaxed);
        let level = self.level.load(Relaxed);
        if is_next {
            headway::note_level(self.depth.load(Relaxed), level as u64);
        }
        Ok(!is_next || level > 0)
    }

    fn walk(
        &self,
        walker: &mut Walker<'_, A>,
        desk: &mut Desk<'_, '_, 's>,
        own: &mut Own,
        is_first: bool,
    ) -> Result<Ended, Stop> {
        let mut keys = Vec::with_capacity(TAKEN);
        loop {
            keys.clear();
            if desk.session().take(TAKEN, &mut keys) == 0 {
                match self.next_level(desk)? {
                    true => continue,
                    false => return Ok(Ended::Done),
                }
            }
            let mut done = 0;
            while done < keys.len() {
                match self.deal_with(&keys[done..], walker, &mut desk.system, own) {
                    Ok((_, true)) => return Ok(Ended::Found),
                    Ok((more, false)) => done += more,
                    Err(stop) => {
                        desk.session().put_back(&keys[done..])?;
                        return Err(stop);
                    }
                }
            }
            if is_first && !self.product.goes_on(&desk.system) {
                return Err(Limit::Interrupted.into());
            }
        }
    }

    /// Deals with the first of these states; with how many, and whether what is looked for is found.
    fn deal_with(
        &self,
        keys: &[u64],
        walker: &mut Walker<'_, A>,
        system: &mut System<'s, SharedSession<'_>>,
        own: &mut Own,
    ) -> Result<(usize, bool), Stop> {
        let done = walker.expand(system, keys, |src, dst| self.pass.wants(src, dst))?;
        let is_found = self.pass.note(&keys[..done], &walker.block, system.session(), own)?;
        self.product.expanded.fetch_add(done as u64, Relaxed);
        Ok((done, is_found))
    }
}

impl<'s, A: Automaton + Sync, P: Pass> Work<'s> for Walk<'_, 's, A, P> {
    type Own = Own;

    fn keeps_states(&self) -> bool {
        self.pass.keeps_states()
    }

    fn system<'a>(
        &self,
        steps: Box<dyn ModelSteps + 's>,
        session: SharedSession<'a>,
    ) -> System<'s, SharedSession<'a>> {
        self.product.system(steps, session)
    }

    fn shift(
        &self,
        desk: &mut Desk<'_, '_, 's>,
        own: &mut Own,
        is_first: bool,
    ) -> Result<Ended, Stop> {
        let keys = desk.session().keys();
        let mut walker = Walker::new(self.product.automaton, self.product.stutters(), keys)
            .deciding(self.decisions);
        let begun = match self.has_begun.load(Relaxed) {
            true => Ok(false),
            false => self.begin(&mut walker, desk, own, is_first),
        };
        let worked = begun.and_then(|is_found| match is_found {
            true => Ok(Ended::Found),
            false => self.walk(&mut walker, desk, own, is_first),
        });
        own.dead_end = own.dead_end.or(desk.system.dead_end());
        own.entries += walker.scratch.entries;
        worked
    }
}
