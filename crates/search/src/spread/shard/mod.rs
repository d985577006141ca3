//! One worker's part of the states, and its work in a phase.
//!
//! A worker has a tree and a set of its own (`lariat_store::SharedTree`, with one thread), and in them the states that it owns (`parts`). It expands states that wait (`work`), says something of
//! each successor to its owner, and takes what others say (`talk`; what is said is a `pass`). Level by level, what is heard waits for the next phase; free, it is expanded in the same one.
//!
//! *Why nothing is lost.* A state that waits is expanded, or given back before the worker leaves its session to give a field more bits, or the search is over: then the outcome is none but
//! "inconclusive" or "found". The successors of a block are said all or, if expanding it has failed, none. A message that cannot be taken because a field is too small is kept, and read
//! again. A phase is over when all workers rest, and a worker rests only when nothing waits here, nothing is left to be sent and no message is left to be read. So a phase that is over,
//! with nobody having halted, has expanded all that waited, everywhere. That nobody has halted is told by all to all (`status`), not concluded from silence.

use std::collections::VecDeque;
use std::time::Instant;

use lariat_core::stop::Hold;
use lariat_core::{Broken, Event, Exchange, Limit, Marks, Word};
use lariat_model::steps::ModelSteps;
use lariat_store::{Ending, Keys, SharedSession, SharedTree, SharedWorker};
use lariat_system::{Remember, Remembered, Stop, System};

use crate::product::shared::walker::Block;
use crate::spread::asking::Asking;
use crate::spread::cache::Lately;
use crate::spread::parts::Parts;
use crate::spread::pass::Pass;
use crate::spread::status::{End, Halted};
use crate::spread::way::Wants;
use crate::spread::wire::{Said, Wire};

mod talk;
mod work;

pub(in crate::spread) use work::keys_of;

/// Who computes successors of keys.
pub(in crate::spread) trait Expander<'s> {
    /// A system is made anew, over states with such keys.
    fn arrive(&mut self, _keys: Keys) {}

    /// The system, which remembers no steps yet.
    fn system<'a>(
        &mut self,
        steps: Box<dyn ModelSteps + 's>,
        session: SharedSession<'a>,
    ) -> System<'s, SharedSession<'a>>;

    /// The system is given up.
    fn leave(&mut self, _system: &mut System<'s, SharedSession<'_>>) {}

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

    /// By bits, which of the states of the last block are reduced.
    fn reduced(&self) -> u64 {
        0
    }

    /// As [`Expander::expand`], with nothing left out.
    fn expand_fully(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        keys: &[u64],
        block: &mut Block,
    ) -> Result<usize, Stop> {
        self.expand(system, keys, &|_, _| true, block)
    }

    /// Of states that will be expanded once more, so many successors were counted.
    fn forget(&mut self, _successors: u64) {}

    /// The marks of all edges from a state, of which this is kept, to another one, of those that are wanted and were gone along; none if there is no such edge.
    fn edge(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        source: (u64, u64),
        to: u64,
        wants: Wants<'_>,
    ) -> Result<Option<Marks>, Stop>;
}

/// How far a phase goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::spread) enum Mode {
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
pub(in crate::spread) struct Own<'x> {
    pub(in crate::spread) exchange: &'x mut dyn Exchange,
    pub(in crate::spread) parts: Parts,
    pub(in crate::spread) wire: Wire,
    lately: Lately,
    asking: Asking,
    /// Questions had no answers when the last phase was over.
    pub(in crate::spread) left_open: bool,
    inbox: VecDeque<(usize, Vec<u8>)>,
    /// The states of the automaton, from 0 on.
    pub(in crate::spread) automaton_states: u32,
    pub(in crate::spread) row_width: usize,
    /// Counts the phases, so that calls of another one are not heard.
    phase: u64,
    /// The states of the level at hand are those that wait for it.
    has_advanced: bool,
    /// Whether the pass has its first states.
    has_begun: bool,
    /// The next phase goes on where the last one has paused.
    goes_on: bool,
    /// What a pass begins with, if not with the initial states: rows, and states of the automaton.
    pub(in crate::spread) starts: Option<Vec<(Vec<Word>, Word)>>,
    /// The successor of which a pass has said that it is found.
    pub(in crate::spread) hit: Option<(Vec<Word>, Word)>,
    /// A search that is saved rather than lost.
    pub(in crate::spread) keeps: bool,
    /// When to call for a pause.
    pub(in crate::spread) due: Option<Instant>,
    /// The search is cut when so many states were expanded here.
    pub(in crate::spread) cut_after: Option<u64>,
    /// It expands nothing any more in this phase; for good, if because of a limit.
    pausing: Option<Option<Limit>>,
    /// From a pause until it is saved, or the search is over.
    hold: Option<Hold>,
    /// What was said of states, and could not be taken yet.
    pub(in crate::spread) undelivered: Said,
    /// States that wait for the next level.
    pub(in crate::spread) waiting: u64,
    pub(in crate::spread) expanded: u64,
    taken: Vec<u64>,
    block: Block,
    said: Said,
    heard: Vec<(u32, Option<u64>)>,
    /// By what was delivered last: whether it leads on, if the pass asks.
    answers: Vec<bool>,
}

pub(in crate::spread) struct Shard<'x, 's, E> {
    pub(in crate::spread) expander: E,
    shared: SharedTree,
    idle: Option<Idle<'s>>,
    pub(in crate::spread) own: Own<'x>,
}

/// Why a worker does not go on.
#[derive(Debug)]
pub(in crate::spread) enum Halt {
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
    pub(in crate::spread) fn new(
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
        let asking = Asking::new(exchange.workers());
        let own = Own {
            exchange,
            parts,
            wire,
            lately: Lately::new(),
            asking,
            left_open: false,
            inbox: VecDeque::new(),
            automaton_states,
            row_width,
            phase: 0,
            has_advanced: false,
            has_begun: false,
            goes_on: false,
            starts: None,
            hit: None,
            keeps: false,
            due: None,
            cut_after: None,
            pausing: None,
            hold: None,
            undelivered: Said::default(),
            waiting: 0,
            expanded: 0,
            taken: Vec::new(),
            block: Block::default(),
            said: Said::default(),
            heard: Vec::new(),
            answers: Vec::new(),
        };
        let idle = Some(Idle { store, steps, remembered: Remembered::new(remember) });
        Shard { expander, shared, idle, own }
    }

    /// All that workers must agree on before they can tell each other of states.
    pub(in crate::spread) fn fingerprint(&mut self) -> u64 {
        self.at_work(|_, system, _| Parts::fingerprint(system.store()))
    }

    /// States of this worker.
    pub(in crate::spread) fn len(&self) -> usize {
        self.shared.len()
    }

    pub(in crate::spread) fn bytes(&self) -> usize {
        self.shared.bytes()
    }

    /// Bytes that are left.
    pub(in crate::spread) fn left(&self) -> usize {
        self.shared.left()
    }

    pub(in crate::spread) fn steps(&self) -> &dyn ModelSteps {
        &*self.idle.as_ref().expect("nobody is at work").steps
    }

    /// Lends who computes successors.
    pub(in crate::spread) fn with_steps<T>(
        &mut self,
        work: impl FnOnce(Box<dyn ModelSteps + 's>) -> (Box<dyn ModelSteps + 's>, T),
    ) -> T {
        let idle = self.idle.take().expect("nobody is at work");
        let (steps, done) = work(idle.steps);
        self.idle = Some(Idle { steps, ..idle });
        done
    }

    /// Forgets all states, for keys of another kind. False if they do not fit.
    pub(in crate::spread) fn start_again(&mut self, keys: Keys) -> bool {
        self.begin_pass();
        self.shared.start_again(keys)
    }

    /// After a phase that was ended before all of its messages were read: nobody knows what others have been told of parts. All workers do this, before they tell each other of states again.
    pub(in crate::spread) fn tell_anew(&mut self) {
        let Own { wire, parts, exchange, .. } = &mut self.own;
        wire.begin_anew(exchange.workers(), parts);
    }

    /// The next phase begins a pass.
    pub(in crate::spread) fn begin_pass(&mut self) {
        self.own.has_begun = false;
        self.own.waiting = 0;
        self.own.lately.forget();
        self.own.asking.clear();
    }

    /// The states of a pass are there: the next phase goes on with those that wait.
    pub(in crate::spread) fn resume(&mut self) {
        self.own.has_begun = true;
        self.own.goes_on = true;
    }

    /// The next phase goes on with the one that was paused.
    pub(in crate::spread) fn go_on(&mut self) {
        self.own.goes_on = true;
    }

    /// The same for what may need more bits.
    pub(in crate::spread) fn retrying<T>(
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
    pub(in crate::spread) fn at_work<T>(
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
        self.expander.leave(&mut system);
        let (steps, session, remembered) = system.into_parts();
        self.idle = Some(Idle { store: session.end(), steps, remembered });
        done
    }

    /// A phase, until all rest. What ended it here, if it was not that.
    pub(in crate::spread) fn phase<P: Pass>(
        &mut self,
        pass: &mut P,
        mode: Mode,
    ) -> Result<Halted, Broken> {
        self.own.has_advanced = std::mem::take(&mut self.own.goes_on);
        self.own.hold = None;
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

    fn bytes(&self) -> usize {
        self.parts.bytes() + self.wire.table_bytes() + self.lately.bytes() + self.asking.bytes()
    }
}
