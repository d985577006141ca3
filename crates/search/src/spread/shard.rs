//! One worker's part of the states, and its work in a phase.
//!
//! A worker has a tree and a set of its own (`lariat_store::SharedTree`, with one thread), and in them the states that it owns (`parts`). It expands states that wait, says something of
//! each successor to its owner, and takes what others say (`pass`). Level by level, what is heard waits for the next phase; free, it is expanded in the same one.
//!
//! *Why nothing is lost.* A state that waits is expanded, or given back before the worker leaves its session to give a field more bits, or the search is over: then the outcome is none but
//! "inconclusive" or "found". The successors of a block are said all or, if expanding it has failed, none. A message that cannot be taken because a field is too small is kept, and read
//! again. A phase is over when all workers rest, and a worker rests only when nothing waits here, nothing is left to be sent and no message is left to be read. So a phase that is over,
//! with nobody having halted, has expanded all that waited, everywhere. That nobody has halted is told by all to all (`status`), not concluded from silence.
//!
//! *A pause* (`checkpoint`) ends a phase, too: whoever is called stops expanding, takes what comes, and rests. What waited still waits then. If memory is full, what is said of states and cannot be taken
//! is kept as it is: such a pause is the end, and what was kept is part of what is saved.

use std::collections::VecDeque;
use std::time::Instant;

use lariat_core::{Broken, Event, Exchange, Limit, Word, makes_mistake};
use lariat_model::steps::ModelSteps;
use lariat_store::{Ending, Keys, SharedSession, SharedTree, SharedWorker};
use lariat_system::{Remember, Remembered, Stop, System, SystemGraph};

use super::cache::Lately;
use super::parts::{Parts, owner};
use super::pass::{Kept, Pass, Say, Source};
use super::status::{End, Halted};
use super::wire::{Malformed, NotTaken, Said, Wire};
use crate::product::shared::walker::Block;

/// States that are expanded before the worker looks at what has come.
const TAKEN: usize = 1_000;
/// States of the set that are looked at together.
const TOGETHER: usize = 1_024;

/// Who computes successors of keys.
pub(super) trait Expander<'s> {
    /// A system is made anew, over states with such keys.
    fn arrive(&mut self, _keys: Keys) {}

    /// The system, which remembers no steps yet.
    fn system<'a>(
        &self,
        steps: Box<dyn ModelSteps + 's>,
        session: SharedSession<'a>,
    ) -> System<'s, SharedSession<'a>>;

    /// The keys of the initial states.
    fn initial(&mut self, system: &mut System<'s, SharedSession<'_>>) -> Result<Vec<u64>, Stop>;

    /// Expands the first of these states, at least one; how many.
    fn expand(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        keys: &[u64],
        wants: &dyn Fn(Word, Word) -> bool,
        block: &mut Block,
    ) -> Result<usize, Stop>;
}

/// How far a phase goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// What is heard waits for the next phase.
    Level,
    /// Until nothing is left.
    Free,
}

/// What a worker has while it is not at work.
struct Idle<'s> {
    store: SharedWorker,
    steps: Box<dyn ModelSteps + 's>,
    remembered: Remembered,
}

/// What a worker has beside its states.
pub(super) struct Own<'x> {
    pub(super) exchange: &'x mut dyn Exchange,
    pub(super) parts: Parts,
    pub(super) wire: Wire,
    lately: Lately,
    inbox: VecDeque<(usize, Vec<u8>)>,
    /// The states of the automaton, from 0 on.
    pub(super) automaton_states: u32,
    pub(super) row_width: usize,
    /// Counts the phases, so that calls of another one are not heard.
    phase: u64,
    /// The states of the level at hand are those that wait for it.
    has_advanced: bool,
    /// Whether the pass has its first states.
    has_begun: bool,
    /// The next phase goes on where the last one has paused.
    goes_on: bool,
    /// A search that is saved rather than lost.
    pub(super) keeps: bool,
    /// When to call for a pause.
    pub(super) due: Option<Instant>,
    /// It expands nothing any more in this phase; for good, if because of a limit.
    pausing: Option<Option<Limit>>,
    /// What was said of states, and could not be taken yet.
    pub(super) undelivered: Said,
    /// States that wait for the next level.
    pub(super) waiting: u64,
    pub(super) expanded: u64,
    taken: Vec<u64>,
    block: Block,
    said: Said,
    heard: Vec<(u32, Option<u64>)>,
}

pub(super) struct Shard<'x, 's, E> {
    pub(super) expander: E,
    shared: SharedTree,
    idle: Option<Idle<'s>>,
    pub(super) own: Own<'x>,
}

/// Why a worker does not go on.
#[derive(Debug)]
pub(super) enum Halt {
    Broken(Broken),
    Stopped(Stop),
    /// What was looked for is found.
    Found,
    /// Another worker says why.
    Called,
}

impl From<Broken> for Halt {
    fn from(broken: Broken) -> Self {
        Halt::Broken(broken)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stopped(stop)
    }
}

impl From<lariat_core::Full> for Halt {
    fn from(full: lariat_core::Full) -> Self {
        Halt::Stopped(full.into())
    }
}

impl<'x, 's, E: Expander<'s>> Shard<'x, 's, E> {
    pub(super) fn new(
        exchange: &'x mut dyn Exchange,
        expander: E,
        mut shared: SharedTree,
        (steps, row_width): (Box<dyn ModelSteps + 's>, usize),
        remember: Remember,
        (automaton_states, below): (u32, u32),
    ) -> Self {
        let worker = shared.worker();
        let session = shared.sessions(vec![worker]).pop().expect("there is one thread");
        let parts = Parts::new(&session);
        let store = session.end();
        let wire = Wire::new(exchange.workers(), &parts, below);
        let own = Own {
            exchange,
            parts,
            wire,
            lately: Lately::new(),
            inbox: VecDeque::new(),
            automaton_states,
            row_width,
            phase: 0,
            has_advanced: false,
            has_begun: false,
            goes_on: false,
            keeps: false,
            due: None,
            pausing: None,
            undelivered: Said::default(),
            waiting: 0,
            expanded: 0,
            taken: Vec::new(),
            block: Block::default(),
            said: Said::default(),
            heard: Vec::new(),
        };
        let idle = Some(Idle { store, steps, remembered: Remembered::new(remember) });
        Shard { expander, shared, idle, own }
    }

    /// All that workers must agree on before they can tell each other of states.
    pub(super) fn fingerprint(&mut self) -> u64 {
        self.at_work(|_, system, _| Parts::fingerprint(system.store()))
    }

    /// States of this worker.
    pub(super) fn len(&self) -> usize {
        self.shared.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.shared.bytes()
    }

    pub(super) fn steps(&self) -> &dyn ModelSteps {
        &*self.idle.as_ref().expect("nobody is at work").steps
    }

    /// Lends who computes successors.
    pub(super) fn with_steps<T>(
        &mut self,
        work: impl FnOnce(Box<dyn ModelSteps + 's>) -> (Box<dyn ModelSteps + 's>, T),
    ) -> T {
        let idle = self.idle.take().expect("nobody is at work");
        let (steps, done) = work(idle.steps);
        self.idle = Some(Idle { steps, ..idle });
        done
    }

    /// Forgets all states, for keys of another kind. False if they do not fit.
    pub(super) fn start_again(&mut self, keys: Keys) -> bool {
        self.begin_pass();
        self.shared.start_again(keys)
    }

    /// The next phase begins a pass.
    pub(super) fn begin_pass(&mut self) {
        self.own.has_begun = false;
        self.own.waiting = 0;
        self.own.lately.forget();
    }

    /// The states of a pass are there: the next phase goes on with those that wait.
    pub(super) fn resume(&mut self) {
        self.own.has_begun = true;
        self.own.goes_on = true;
    }

    /// The next phase goes on with the one that was paused.
    pub(super) fn go_on(&mut self) {
        self.own.goes_on = true;
    }

    /// The same for what may need more bits.
    pub(super) fn retrying<T>(
        &mut self,
        mut work: impl FnMut(
            &mut Own<'x>,
            &mut System<'s, SharedSession<'_>>,
            &mut E,
        ) -> Result<T, Stop>,
    ) -> Result<T, End> {
        loop {
            let worked = self.at_work(|own, system, expander| {
                let worked = work(own, system, expander);
                (worked, system.session().ending())
            });
            match worked {
                (Ok(done), _) => return Ok(done),
                (Err(Stop::Limit(Limit::Memory)), Some(Ending::Bits)) => {
                    match self.shared.make_bits(true) {
                        Ok(true) => {}
                        Ok(false) => return Err(End::Unfit),
                        Err(full) => return Err(End::Stopped(full.into())),
                    }
                }
                (Err(stop), _) => return Err(End::Stopped(stop)),
            }
        }
    }

    /// Does something with the states at hand.
    pub(super) fn at_work<T>(
        &mut self,
        work: impl FnOnce(&mut Own<'x>, &mut System<'s, SharedSession<'_>>, &mut E) -> T,
    ) -> T {
        let Idle { store, steps, remembered } = self.idle.take().expect("nobody is at work");
        let session = self.shared.sessions(vec![store]).pop().expect("there is one thread");
        if session.layout() != self.own.parts.layout {
            self.own.parts.widen(&session);
            self.own.wire.widen();
        }
        self.expander.arrive(session.keys());
        let mut system = self.expander.system(steps, session).with_remembered(remembered);
        let done = work(&mut self.own, &mut system, &mut self.expander);
        let (steps, session, remembered) = system.into_parts();
        self.idle = Some(Idle { store: session.end(), steps, remembered });
        done
    }

    /// A phase, until all rest. What ended it here, if it was not that.
    pub(super) fn phase<P: Pass>(&mut self, pass: &mut P, mode: Mode) -> Result<Halted, Broken> {
        self.own.has_advanced = std::mem::take(&mut self.own.goes_on);
        self.own.wire.set_extra(pass.extra());
        let halted = loop {
            let worked = self.at_work(|own, system, expander| {
                let worked = own.work(pass, mode, system, expander);
                (worked, system.session().ending())
            });
            match worked {
                (Ok(()), _) => break self.own.pausing.take().map_or(Halted::No, Halted::Paused),
                (Err(Halt::Stopped(Stop::Limit(Limit::Memory))), Some(Ending::Bits)) => {
                    match self.shared.make_bits(true) {
                        Ok(true) => {}
                        Ok(false) => break Halted::Here(End::Unfit),
                        Err(full) => break Halted::Here(End::Stopped(full.into())),
                    }
                }
                (Err(Halt::Stopped(stop)), _) => break Halted::Here(End::Stopped(stop)),
                (Err(Halt::Found), _) => break Halted::Here(End::Found),
                (Err(Halt::Called), _) => break Halted::Elsewhere,
                (Err(Halt::Broken(broken)), _) => return Err(broken),
            }
        };
        if let Halted::Here(_) = halted {
            self.own.exchange.call(self.own.phase << 1);
        }
        self.own.pausing = None;
        if matches!(halted, Halted::Here(_) | Halted::Elsewhere) {
            // All others end as well; what they have sent does not matter any more.
            self.own.inbox.clear();
            while self.own.exchange.rest()? != Event::Over {}
        }
        self.own.phase += 1;
        Ok(halted)
    }
}

impl Own<'_> {
    fn me(&self) -> usize {
        self.exchange.me()
    }

    /// Works until all rest.
    fn work<'s, P: Pass, E: Expander<'s>>(
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
            if self.pausing.is_some() {
                self.flush(system);
                match self.exchange.rest()? {
                    Event::Over => return Ok(()),
                    event => self.take(event)?,
                }
                continue;
            }
            if !self.exchange.may_send() {
                continue;
            }
            let mut taken = std::mem::take(&mut self.taken);
            taken.clear();
            let is_empty = system.session().take(TAKEN, &mut taken) == 0;
            let worked = match is_empty {
                false => self.expand(&taken, pass, system, expander).map(|()| true),
                true => self.wait(mode, system),
            };
            self.taken = taken;
            match worked {
                // Whoever pauses all the time gets on nevertheless.
                Ok(true) if self.due.is_some_and(|due| Instant::now() >= due) => self.pause(None),
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(Halt::Stopped(Stop::Limit(limit))) if self.may_pause(limit, system) => {
                    self.pause(Some(limit));
                }
                Err(halt) => return Err(halt),
            }
        }
    }

    /// Whether what there is can be saved when a search is cut for this.
    fn may_pause(&self, limit: Limit, system: &System<'_, SharedSession<'_>>) -> bool {
        let is_kind = matches!(limit, Limit::Memory | Limit::Time | Limit::Interrupted);
        self.keeps && is_kind && system.store().ending().is_none()
    }

    /// Has all others pause, too.
    fn pause(&mut self, limit: Option<Limit>) {
        self.pausing = Some(limit);
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
        let keys = expander.initial(system)?;
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
        let session = system.session();
        let of_key = session.keys();
        let parts = session.set().len() / TOGETHER + 1;
        let mut keys = Vec::new();
        let mut kept: Vec<Kept> = Vec::new();
        for part in 0..parts {
            keys.clear();
            kept.clear();
            session.for_each_in(part, parts, |key, payload| {
                let after = pass.pick(of_key.split(key).1, payload);
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

    /// Who owns a state.
    pub(super) fn owner(&self, key: u64, system: &System<'_, SharedSession<'_>>) -> usize {
        let (root, _) = system.store().keys().split(key);
        owner(self.parts.hash(root), self.exchange.workers())
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
            let mut block = std::mem::take(&mut self.block);
            let wants = &|src, dst| pass.wants(src, dst);
            let expanded = expander.expand(system, &keys[done..], wants, &mut block);
            let said = expanded.map_err(Halt::from).and_then(|expanded| {
                let sources = &keys[done..done + expanded];
                self.say(sources, &block, pass, system).map(|()| expanded)
            });
            self.block = block;
            match said {
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

    /// Says what there is to say of the successors of some states.
    fn say<P: Pass>(
        &mut self,
        sources: &[u64],
        block: &Block,
        pass: &mut P,
        system: &mut System<'_, SharedSession<'_>>,
    ) -> Result<(), Halt> {
        self.parts.catch_up(system.store());
        let of_key = system.store().keys();
        let (me, workers) = (self.exchange.me(), self.exchange.workers());
        let mut payloads = vec![0; if pass.looks() { sources.len() } else { 0 }];
        if pass.looks() {
            let note = |at: usize, before| {
                payloads[at] = before;
                false
            };
            system.session().change(sources, |_, before| pass.leave(before), note)?;
        }
        self.said.clear();
        for (number, &key) in sources.iter().enumerate() {
            let (root, state) = of_key.split(key);
            let mut source = Source { key, state, payload: 0, hash: 0 };
            if pass.looks() {
                source.payload = payloads[number];
            }
            if pass.hashes() {
                source.hash = self.parts.hash(root);
            }
            let range = block.of(number);
            pass.note_expanded(source, range.len());
            for at in range {
                let key = block.keys[at];
                let (root, state) = of_key.split(key);
                let word = match pass.say(
                    source,
                    key,
                    state,
                    block.marks.get(at).copied().unwrap_or_default(),
                ) {
                    Say::Each(word) => word,
                    Say::Once(_, tag) if self.lately.is_repeated(key, tag) => continue,
                    Say::Once(word, _) => word,
                    Say::Found => return Err(Halt::Found),
                };
                let to = owner(self.parts.hash(root), workers);
                if to == me {
                    self.said.push(key, word);
                    continue;
                }
                if makes_mistake("spread-lost-message") && key % 64 == 5 {
                    continue;
                }
                if self.wire.push(to, (root, state, word), &self.parts, system.store()) {
                    self.send(to, system);
                }
            }
        }
        self.deliver(pass, system)
    }

    fn send(&mut self, to: usize, system: &System<'_, SharedSession<'_>>) {
        if let Some(bytes) = self.wire.message(to, &self.parts, system.steps()) {
            self.exchange.send(to, bytes);
        }
    }

    /// Sends all that waits to be sent.
    fn flush(&mut self, system: &System<'_, SharedSession<'_>>) {
        (0..self.exchange.workers()).for_each(|to| self.send(to, system));
    }

    /// Reads the messages that have come. One that cannot be read because a field is too small stays.
    fn read_inbox<P: Pass>(
        &mut self,
        pass: &mut P,
        system: &mut System<'_, SharedSession<'_>>,
    ) -> Result<(), Halt> {
        while let Some((from, bytes)) = self.inbox.front() {
            let from = *from;
            self.said.clear();
            let keys = system.store().keys();
            let mut lessons = Vec::new();
            let learn = |row: &[Word]| lessons.push(Box::<[Word]>::from(row));
            let read = self.wire.read(
                (from, bytes),
                &mut self.parts,
                (keys, self.automaton_states),
                system.session(),
                (self.row_width, learn),
                &mut self.said,
            );
            lessons.iter().for_each(|row| system.steps_mut().learn(row));
            match read {
                Ok(()) => {}
                Err(NotTaken::Stopped(stop)) => return Err(stop.into()),
                Err(NotTaken::Malformed(Malformed(what))) => {
                    return Err(self.malformed(from, what));
                }
            }
            match self.deliver(pass, system) {
                Ok(()) => drop(self.inbox.pop_front()),
                Err(Halt::Broken(Broken { what })) => return Err(self.malformed(from, &what)),
                Err(halt) => return Err(halt),
            }
        }
        Ok(())
    }

    fn malformed(&self, from: usize, what: &str) -> Halt {
        let me = self.me();
        Halt::Broken(Broken {
            what: format!("worker {me} cannot read a message of worker {from}: {what}"),
        })
    }

    /// Hears what is said of states that this worker owns.
    fn deliver<P: Pass>(
        &mut self,
        pass: &mut P,
        system: &mut System<'_, SharedSession<'_>>,
    ) -> Result<(), Halt> {
        if !self.undelivered.keys.is_empty() {
            // There is no room.
            self.put_off();
            return Ok(());
        }
        let session = system.session();
        let (of_key, said) = (session.keys(), &mut self.said);
        let mut kept = 0;
        for at in 0..said.keys.len() {
            if !pass.absorbs(said.keys[at], said.words[at]) {
                (said.keys[kept], said.words[kept]) = (said.keys[at], said.words[at]);
                kept += 1;
            }
        }
        said.keys.truncate(kept);
        let (keys, words) = (&said.keys, &said.words);
        let state = |at: usize| of_key.split(keys[at]).1;
        let (heard, mut waiting) = (&mut self.heard, 0);
        heard.clear();
        let updated = session.update(
            keys,
            |at, before| pass.keep(state(at), before, words[at]).payload,
            |at, before| {
                heard.push((at as u32, before));
                let waits = pass.keep(state(at), before, words[at]).waits;
                waiting += u64::from(waits);
                waits
            },
        );
        if let Err(full) = updated {
            if !self.may_pause(Limit::Memory, system) {
                return Err(full.into());
            }
            // Nothing was changed: all of it is said once more when there is room.
            self.put_off();
            self.pause(Some(Limit::Memory));
            return Ok(());
        }
        self.waiting += waiting;
        for (at, before) in heard.drain(..) {
            let at = at as usize;
            if !pass.hear(keys[at], state(at), before, words[at]) {
                return Err(
                    Broken { what: "it speaks of a state that is not there".to_owned() }.into()
                );
            }
        }
        Ok(())
    }

    /// What is said is kept for later.
    fn put_off(&mut self) {
        let Said { keys, words } = &mut self.said;
        if !makes_mistake("checkpoint-said") {
            self.undelivered.keys.append(keys);
            self.undelivered.words.append(words);
        }
    }

    fn bytes(&self) -> usize {
        self.parts.bytes() + self.wire.table_bytes() + self.lately.bytes()
    }
}
