//! What a worker says of states to their owners, and what it hears.

use lariat_core::{Broken, Limit, Word, makes_mistake};
use lariat_store::SharedSession;
use lariat_system::{System, SystemGraph};

use super::{Halt, Own};
use crate::product::shared::walker::Block;
use crate::spread::parts::{mix, owner};
use crate::spread::pass::{ASKS, Pass, Say, Source};
use crate::spread::wire::{Malformed, NotTaken, Said};

/// The first byte of a message with answers; then each is a byte.
const ANSWERS: u8 = 2;

impl Own<'_> {
    /// Who owns a state.
    pub(in crate::spread) fn owner(
        &self,
        key: u64,
        system: &System<'_, SharedSession<'_>>,
    ) -> usize {
        let (root, _) = system.store().keys().split(key);
        owner(self.parts.hash(root), self.exchange.workers())
    }

    /// Says what there is to say of the successors of some states; those that are reduced, by bits, ask.
    pub(super) fn say<P: Pass>(
        &mut self,
        (sources, reduced): (&[u64], u64),
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
        if pass.reduces() {
            let kept = |at: usize, kept| pass.expanded(kept, reduced >> at & 1 == 0);
            system.session().change(sources, kept, |_, _| false)?;
        }
        self.said.clear();
        if pass.repeats() {
            self.lately.expect(&block.keys);
        }
        for (number, &key) in sources.iter().enumerate() {
            let (root, state) = of_key.split(key);
            let mut source = Source { key, state, payload: 0, hash: 0 };
            if pass.looks() {
                source.payload = payloads[number];
            }
            let before = (root, self.parts.sum(root));
            if pass.hashes() {
                source.hash = mix(before.1);
            }
            let range = block.of(number);
            pass.note_expanded(source, range.len());
            let asks = pass.reduces() && reduced >> number & 1 == 1;
            let asker = if asks { self.asking.begin(key, range.len()) } else { 0 };
            for at in range {
                let key = block.keys[at];
                let (root, state) = of_key.split(key);
                let word = match pass.say(
                    source,
                    key,
                    state,
                    block.marks.get(at).copied().unwrap_or_default(),
                ) {
                    Say::Nothing => continue,
                    Say::Each(word) => word,
                    Say::Once(word, _) if asks => word | ASKS,
                    Say::Once(_, tag) if self.lately.is_repeated(key, tag) => continue,
                    Say::Once(word, _) => word,
                    Say::Found => return Err(self.found(root, state, system)),
                };
                let hash = self.parts.hash_behind(before, root);
                let Some(word) = pass.say_by_hash(word, hash, state) else {
                    return Err(self.found(root, state, system));
                };
                let to = owner(hash, workers);
                if asks {
                    self.asking.ask(to, asker);
                }
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
        self.deliver(pass, system)?;
        for leads_on in std::mem::take(&mut self.answers) {
            self.asking.answer(me, leads_on);
        }
        Ok(())
    }

    /// What was looked for is found: here.
    fn found(
        &mut self,
        root: u64,
        state: Word,
        system: &mut System<'_, SharedSession<'_>>,
    ) -> Halt {
        self.hit = Some((system.load(root).to_vec(), state));
        Halt::Found
    }

    fn send(&mut self, to: usize, system: &System<'_, SharedSession<'_>>) {
        if let Some(bytes) = self.wire.message(to, &self.parts, system.steps()) {
            self.exchange.send(to, bytes);
        }
    }

    /// Sends all that waits to be sent.
    pub(super) fn flush(&mut self, system: &System<'_, SharedSession<'_>>) {
        (0..self.exchange.workers()).for_each(|to| self.send(to, system));
    }

    /// Reads the messages that have come. One that cannot be read because a field is too small stays.
    pub(super) fn read_inbox<P: Pass>(
        &mut self,
        pass: &mut P,
        system: &mut System<'_, SharedSession<'_>>,
    ) -> Result<(), Halt> {
        while let Some((from, bytes)) = self.inbox.front() {
            let from = *from;
            if let [ANSWERS, bits @ ..] = &bytes[..] {
                // Those of a search that is cut may be missing.
                let mut bits = bits.iter();
                if !bits.all(|&bit| bit < 2 && self.asking.answer(from, bit == 1)) {
                    return Err(self.malformed(from, "it answers what nobody has asked"));
                }
                self.inbox.pop_front();
                continue;
            }
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
                Ok(()) => {
                    self.inbox.pop_front();
                    let answers = std::mem::take(&mut self.answers);
                    if !answers.is_empty() {
                        let bits = answers.into_iter().map(u8::from);
                        let message = std::iter::once(ANSWERS).chain(bits).collect();
                        self.exchange.send(from, message);
                    }
                }
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
    pub(super) fn deliver<P: Pass>(
        &mut self,
        pass: &mut P,
        system: &mut System<'_, SharedSession<'_>>,
    ) -> Result<(), Halt> {
        self.answers.clear();
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
        if pass.reduces() {
            // In the order of the questions.
            heard.sort_unstable_by_key(|&(at, _)| at);
            let asks = |&&(at, _): &&(u32, Option<u64>)| words[at as usize] & ASKS != 0;
            let leads_on = |&(_, before): &(u32, Option<u64>)| pass.leads_on(before);
            self.answers.extend(heard.iter().filter(asks).map(leads_on));
        }
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
}
