//! A worker's loop: it expands what waits, takes what comes, and rests.
//!
//! *A pause* (`checkpoint`) ends a phase, too: whoever is called stops expanding, takes what comes, and rests. What waited still waits then. If memory is full, what is said of states and cannot be taken
//! is kept as it is: such a pause is the end, and what was kept is part of what is saved.

use std::time::Instant;

use lariat_core::{Event, Limit, SystemStore, Word};
use lariat_store::SharedSession;
use lariat_system::{Stop, System, SystemGraph};

use super::{Expander, Halt, Mode, Own};
use crate::spread::pass::{Kept, Pass};

/// States that are expanded before the worker looks at what has come.
const TAKEN: usize = 1_000;
/// States of the set that are looked at together.
const TOGETHER: usize = 1_024;

impl Own<'_> {
    /// Works until all rest.
    pub(super) fn work<'s, P: Pass, E: Expander<'s>>(
        &mut self,
        pass: &mut P,
        mode: Mode,
        system: &mut System<'s, SharedSession<'_>>,
        expander: &mut E,
    ) -> Result<(), Halt> {
        let worked = self.work_on(pass, mode, system, expander);
        if worked.is_err() {
            // If it goes on, then with wider numbers.
            self.flush(system);
        }
        worked
    }

    fn work_on<'s, P: Pass, E: Expander<'s>>(
        &mut self,
        pass: &mut P,
        mode: Mode,
        system: &mut System<'s, SharedSession<'_>>,
        expander: &mut E,
    ) -> Result<(), Halt> {
        if !self.has_begun {
            self.begin(pass, system, expander)?;
            self.has_begun = true;
        }
        if !self.has_advanced {
            self.advance(system)?;
            self.has_advanced = true;
        }
        if self.pausing.is_none() {
            system.reserve(self.bytes() + pass.bytes())?;
        }
        self.said = std::mem::take(&mut self.undelivered);
        self.deliver(pass, system)?;
        loop {
            self.read_inbox(pass, system)?;
            while let Some(event) = self.exchange.poll()? {
                self.take(event)?;
                self.read_inbox(pass, system)?;
            }
            // What must be expanded fully is part of what was begun, unless the search ends.
            let is_done = self.pausing.is_some_and(|limit| limit.is_some())
                || self.pausing.is_some() && !self.asking.has_refuted();
            if is_done {
                self.flush(system);
                match self.exchange.rest()? {
                    Event::Over => return self.give_back_unsettled(system, expander),
                    event => self.take(event)?,
                }
                continue;
            }
            if !self.exchange.may_send() {
                continue;
            }
            if self.asking.has_refuted() {
                match self.expand_refuted(pass, system, expander) {
                    Err(Halt::Stopped(Stop::Limit(limit))) if self.may_pause(limit, system) => {
                        self.pause(Some(limit));
                    }
                    expanded => expanded?,
                }
                continue;
            }
            let mut taken = std::mem::take(&mut self.taken);
            taken.clear();
            let left = self.cut_after.map_or(u64::MAX, |cut| cut.saturating_sub(self.expanded));
            let most = TAKEN.min(left.max(1) as usize);
            let is_empty = system.session().take(most, &mut taken) == 0;
            let worked = match is_empty {
                false => self.expand(&taken, pass, system, expander).map(|()| true),
                true => self.wait(mode, system),
            };
            self.taken = taken;
            match worked {
                // Whoever pauses all the time gets on nevertheless.
                Ok(true) if self.pausing.is_some() => {}
                Ok(true) if self.due.is_some_and(|due| Instant::now() >= due) => self.pause(None),
                Ok(true) if self.cut_after.is_some_and(|cut| self.expanded >= cut) => {
                    self.pause(Some(Limit::Interrupted));
                }
                Ok(true) => {}
                Ok(false) => return self.give_back_unsettled(system, expander),
                Err(Halt::Stopped(Stop::Limit(limit))) if self.may_pause(limit, system) => {
                    self.pause(Some(limit));
                }
                Err(halt) => return Err(halt),
            }
        }
    }

    /// States whose questions are open, when somebody has ended or cut the search: they are to be expanded once more. Whoever reads this phase's status
    /// hears whether anybody has (`left_open`): the end of a phase may come before the call that tells of it.
    fn give_back_unsettled<'s, E: Expander<'s>>(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        expander: &mut E,
    ) -> Result<(), Halt> {
        let unsettled = self.asking.unsettled();
        self.left_open = !unsettled.is_empty();
        let keys: Vec<u64> = unsettled.iter().map(|&(key, _)| key).collect();
        if let Err(full) = system.session().put_back(&keys) {
            self.keeps = false;
            return Err(full.into());
        }
        expander.forget(unsettled.iter().map(|&(_, successors)| u64::from(successors)).sum());
        Ok(())
    }

    /// Expands the first of these states, fully or as reduction has it, and says what there is to say of their successors; how many.
    fn expand_first<'s, P: Pass, E: Expander<'s>>(
        &mut self,
        (keys, is_full): (&[u64], bool),
        pass: &mut P,
        system: &mut System<'s, SharedSession<'_>>,
        expander: &mut E,
    ) -> Result<usize, Halt> {
        let mut block = std::mem::take(&mut self.block);
        let expanded = match is_full {
            true => expander.expand_fully(system, keys, &mut block),
            false => expander.expand(system, keys, &|src, dst| pass.wants(src, dst), &mut block),
        };
        let said = expanded.map_err(Halt::from).and_then(|expanded| {
            let sources = (&keys[..expanded], expander.reduced());
            self.say(sources, &block, pass, system).map(|()| expanded)
        });
        self.block = block;
        said
    }

    /// Expands fully the states none of whose successors leads on.
    fn expand_refuted<'s, P: Pass, E: Expander<'s>>(
        &mut self,
        pass: &mut P,
        system: &mut System<'s, SharedSession<'_>>,
        expander: &mut E,
    ) -> Result<(), Halt> {
        let refuted = self.asking.take_refuted();
        let keys: Vec<u64> = refuted.iter().map(|&(key, _)| key).collect();
        let mut done = 0;
        while done < keys.len() {
            match self.expand_first((&keys[done..], true), pass, system, expander) {
                Ok(expanded) => {
                    let these = &refuted[done..done + expanded];
                    expander.forget(these.iter().map(|&(_, known)| u64::from(known)).sum());
                    done += expanded;
                }
                Err(halt) => {
                    self.asking.put_back(&refuted[done..]);
                    return Err(halt);
                }
            }
        }
        Ok(())
    }

    /// Whether what there is can be saved when a search is cut for this.
    pub(super) fn may_pause(&self, limit: Limit, system: &System<'_, SharedSession<'_>>) -> bool {
        let is_kind = matches!(limit, Limit::Memory | Limit::Time | Limit::Interrupted);
        self.keeps && is_kind && system.store().ending().is_none()
    }

    /// Has all others pause, too.
    pub(super) fn pause(&mut self, limit: Option<Limit>) {
        self.pausing = Some(limit);
        self.hold.get_or_insert_default();
        self.exchange.call(self.phase << 1 | 1);
    }

    /// Nothing is left to be expanded in this level: false if the phase is over.
    fn wait(
        &mut self,
        mode: Mode,
        system: &mut System<'_, SharedSession<'_>>,
    ) -> Result<bool, Halt> {
        if mode == Mode::Free && self.waiting > 0 {
            self.advance(system)?;
            return Ok(true);
        }
        self.flush(system);
        match self.exchange.rest()? {
            Event::Over => Ok(false),
            event => {
                self.take(event)?;
                Ok(true)
            }
        }
    }

    /// What waits is the level at hand.
    fn advance(&mut self, system: &mut System<'_, SharedSession<'_>>) -> Result<(), Halt> {
        while !system.session().next_level(|_| ())? {}
        self.waiting = 0;
        Ok(())
    }

    fn take(&mut self, event: Event) -> Result<(), Halt> {
        match event {
            Event::Message { from, bytes } => self.inbox.push_back((from, bytes)),
            Event::Call { word, .. } if word == self.phase << 1 => return Err(Halt::Called),
            Event::Call { word, .. } if word == self.phase << 1 | 1 => {
                self.pausing.get_or_insert(None);
                self.hold.get_or_insert_default();
            }
            Event::Call { .. } | Event::Over => {}
        }
        Ok(())
    }

    /// The first states: those of the initial ones that this worker owns, or some that are there.
    fn begin<'s, P: Pass, E: Expander<'s>>(
        &mut self,
        pass: &mut P,
        system: &mut System<'s, SharedSession<'_>>,
        expander: &mut E,
    ) -> Result<(), Halt> {
        if pass.picks() {
            return self.pick(pass, system);
        }
        let keys = match &self.starts {
            None => expander.initial(system)?,
            Some(starts) => keys_of(starts, system)?,
        };
        self.parts.catch_up(system.store());
        self.said.clear();
        for key in keys {
            if self.owner(key, system) == self.me() {
                self.said.push(key, pass.first());
            }
        }
        self.deliver(pass, system)
    }

    fn pick<P: Pass>(
        &mut self,
        pass: &mut P,
        system: &mut System<'_, SharedSession<'_>>,
    ) -> Result<(), Halt> {
        self.parts.catch_up(system.store());
        let session = system.session();
        let of_key = session.keys();
        let parts = session.set().len() / TOGETHER + 1;
        let mut keys = Vec::new();
        let mut kept: Vec<Kept> = Vec::new();
        for part in 0..parts {
            keys.clear();
            kept.clear();
            session.for_each_in(part, parts, |key, payload| {
                let (root, state) = of_key.split(key);
                let hash = if pass.hashes() { self.parts.hash(root) } else { 0 };
                let after = pass.pick(state, payload, hash);
                if after.waits || after.payload != payload {
                    keys.push(key);
                    kept.push(after);
                }
            });
            session.change(&keys, |at, _| kept[at].payload, |at, _| kept[at].waits)?;
            self.waiting += kept.iter().filter(|kept| kept.waits).count() as u64;
        }
        Ok(())
    }

    /// Expands states; those that it does not come to are given back.
    fn expand<'s, P: Pass, E: Expander<'s>>(
        &mut self,
        keys: &[u64],
        pass: &mut P,
        system: &mut System<'s, SharedSession<'_>>,
        expander: &mut E,
    ) -> Result<(), Halt> {
        let mut done = 0;
        while done < keys.len() {
            match self.expand_first((&keys[done..], false), pass, system, expander) {
                Ok(expanded) => done += expanded,
                Err(halt) => {
                    if let Err(full) = system.session().put_back(&keys[done..]) {
                        // They are lost: this is nothing that can be gone on with.
                        self.keeps = false;
                        return Err(full.into());
                    }
                    return Err(halt);
                }
            }
        }
        self.expanded += keys.len() as u64;
        Ok(())
    }
}

/// Product states, by rows and states of the automaton, as keys.
pub(in crate::spread) fn keys_of(
    states: &[(Vec<Word>, Word)],
    system: &mut System<'_, SharedSession<'_>>,
) -> Result<Vec<u64>, Stop> {
    let keys = system.store().keys();
    let key =
        |(row, state): &(Vec<Word>, Word)| Ok(keys.join(system.session().intern(row)?, *state));
    states.iter().map(key).collect()
}
