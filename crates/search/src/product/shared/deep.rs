//! Accepting cycles depth first, on all threads: CNDFS and UFSCC in the product.
//!
//! States before acceptance are gone through breadth first and put aside, as no cycle through them is accepting and nothing leads back to them. Those behind them are the
//! initial states of the check. They are in the set by then (`sweep::Enter`), for everyone to begin with.
//!
//! Workers are not tied to threads. They rest in a list while nobody works, and go on where they were: when a field of the packed states gets a bit, keys stay what they are.
//! A thread whose worker has come to its end waits for all others, and takes part in what all do together.
//!
//! *Acceptance by edges* for CNDFS: a state that is entered by an edge with the mark is preceded by a state of its own, which is accepting and has the one successor. A cycle
//! through such an edge is one through such a state. Its key is that of the state behind it with another bit, above the automaton's state; it is no state of the product, and not counted.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lariat_core::{Automaton, Limit, Marks};
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, SharedSession};
use lariat_system::{Stop, System, SystemGraph};

use super::pass::Own;
use super::sweep::Enter;
use super::walker::Walker;
use super::{Search, SharedProduct};
use crate::emptiness::shared::{Ground, cndfs, ufscc};
use crate::team::{Desk, End, Ended, Talk, Work};

/// Expansions between two reports.
const OFTEN: u64 = 256;

/// A check by workers.
trait Check: Sync {
    type Worker: Send;

    /// Whether a cycle is found; none if it must be given up.
    fn run<G: Ground>(
        &self,
        worker: &mut Self::Worker,
        ground: &mut G,
    ) -> Result<Option<bool>, G::Stop>;

    fn transitions(worker: &Self::Worker) -> u64;

    fn deepest(worker: &Self::Worker) -> usize;
}

struct Cndfs;

impl Check for Cndfs {
    type Worker = cndfs::Worker;

    fn run<G: Ground>(
        &self,
        worker: &mut cndfs::Worker,
        ground: &mut G,
    ) -> Result<Option<bool>, G::Stop> {
        worker.run(ground).map(Some)
    }

    fn transitions(worker: &cndfs::Worker) -> u64 {
        worker.transitions()
    }

    fn deepest(worker: &cndfs::Worker) -> usize {
        worker.deepest()
    }
}

impl Check for ufscc::Shared {
    type Worker = ufscc::Worker;

    fn run<G: Ground>(
        &self,
        worker: &mut ufscc::Worker,
        ground: &mut G,
    ) -> Result<Option<bool>, G::Stop> {
        worker.run(self, ground)
    }

    fn transitions(worker: &ufscc::Worker) -> u64 {
        worker.transitions()
    }

    fn deepest(worker: &ufscc::Worker) -> usize {
        worker.deepest()
    }
}

impl<'s, A: Automaton + Sync> Search<'_, 's, A> {
    /// Found if there is an accepting cycle, done if there is none. There is at most one mark, on edges of the automaton.
    pub(super) fn cndfs(&mut self) -> End {
        let threads = self.team.owns().count();
        let automaton = self.product.automaton;
        let is_by_states = self.components.all().all(|state| {
            let is_accepting = automaton.accepting(state);
            let all = Marks::all(automaton.mark_count());
            automaton.edges(state).iter().all(|edge| edge.marks.contains(all) == is_accepting)
        });
        self.by_edges = !is_by_states;
        if let Err(end) = self.begin_behind(cndfs::payload_bits(threads)) {
            return end;
        }
        let workers = (0..threads).map(cndfs::Worker::new).collect();
        self.deep(Cndfs, workers, 0)
    }

    /// The same with any number of marks.
    pub(super) fn ufscc(&mut self, marks: u32) -> End {
        let threads = self.team.owns().count();
        let shared = ufscc::Shared::new(threads, marks);
        let Some(shared) = shared else { return End::Unfit };
        if let Err(end) = self.begin_behind(ufscc::PAYLOAD) {
            return end;
        }
        self.shared.overdraw(ufscc::Shared::BYTES);
        let workers = (0..threads).map(ufscc::Worker::new).collect();
        self.deep(shared, workers, ufscc::UNNUMBERED)
    }

    /// `payload`: of a state that no worker has come to.
    fn deep<C: Check>(&mut self, check: C, workers: Vec<C::Worker>, payload: u64) -> End {
        let initial = self.exits.clone();
        let (end, ..) = self.pass(Enter { states: &initial, payload });
        let End::Done = end else { return end };
        let own_bit = if self.by_edges { self.shared.keys().highest() } else { 0 };
        let (resting, states) = (Mutex::new(workers), AtomicU64::new(0));
        let deep = Deep { product: self.product, check, initial, own_bit, resting, states };
        let end = self.team.work(&deep, &mut self.shared);
        self.own_states = deep.states.load(Relaxed);
        let workers = deep.resting();
        self.depth = workers.iter().map(C::deepest).max().unwrap_or(0) as u64;
        // Who has counted what does not matter.
        let counted: u64 = workers.iter().map(C::transitions).sum();
        self.team.owns_mut().take(1).for_each(|own| own.transitions += counted);
        end
    }
}

/// A check at work.
struct Deep<'p, 's, A, C: Check> {
    product: &'p SharedProduct<'s, A>,
    check: C,
    /// The states to begin with.
    initial: Arc<Vec<u64>>,
    /// A bit of keys of states of accepting edges, if these have any.
    own_bit: u64,
    resting: Mutex<Vec<C::Worker>>,
    /// States of accepting edges.
    states: AtomicU64,
}

impl<A, C: Check> Deep<'_, '_, A, C> {
    /// Workers come and go whole.
    fn resting(&self) -> MutexGuard<'_, Vec<C::Worker>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'s, A: Automaton + Sync, C: Check> Work<'s> for Deep<'_, 's, A, C> {
    type Own = Own;

    /// On the workers' stacks.
    fn keeps_states(&self) -> bool {
        true
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
        let (keys, initial) = (desk.session().keys(), &self.initial[..]);
        let walker = Walker::new(self.product.automaton, self.product.stutters(), keys);
        let mut worker = self.resting().pop().expect("there is one for each thread");
        let (product, own_bit) = (self.product, self.own_bit);
        let Desk { system, talk } = &mut *desk;
        let (expanded, states) = (0, 0);
        let mut thread = Thread {
            product,
            keys,
            walker,
            system,
            talk,
            initial,
            own_bit,
            is_first,
            expanded,
            states,
        };
        let worked = self.check.run(&mut worker, &mut thread);
        self.states.fetch_add(thread.states, Relaxed);
        product.expanded.fetch_add(thread.expanded % OFTEN, Relaxed);
        self.resting().push(worker);
        own.dead_end = own.dead_end.or(desk.system.dead_end());
        match worked? {
            Some(true) => Ok(Ended::Found),
            Some(false) => {
                desk.session().wait()?;
                Ok(Ended::Done)
            }
            None => Err(Limit::Memory.into()),
        }
    }
}

/// What a thread sees of the product.
struct Thread<'t, 'd, 'a, 's, A> {
    product: &'t SharedProduct<'s, A>,
    keys: Keys,
    walker: Walker<'t, A>,
    system: &'t mut System<'s, SharedSession<'a>>,
    talk: &'t mut Talk<'d>,
    initial: &'t [u64],
    own_bit: u64,
    is_first: bool,
    expanded: u64,
    states: u64,
}

impl<A> Thread<'_, '_, '_, '_, A> {
    /// Whether it is the state of an accepting edge.
    fn is_own(&self, state: u64) -> bool {
        state & self.own_bit != 0
    }
}

impl<A: Automaton + Sync> Ground for Thread<'_, '_, '_, '_, A> {
    type Stop = Stop;

    fn initial_count(&self) -> usize {
        self.initial.len()
    }

    fn initial(&self, at: usize) -> u64 {
        self.initial[at]
    }

    fn successors(&mut self, state: u64, out: &mut Vec<(u64, Marks)>) -> Result<(), Stop> {
        if self.is_own(state) {
            out.push((state & !self.own_bit, Marks::NONE));
            return Ok(());
        }
        self.expanded += 1;
        if self.expanded.is_multiple_of(OFTEN) {
            self.product.expanded.fetch_add(OFTEN, Relaxed);
            if self.is_first && !self.product.goes_on(self.system) {
                return Err(Limit::Interrupted.into());
            }
        }
        self.talk.hear(self.system);
        self.walker.expand(self.system, &[state], |_, _| true)?;
        self.talk.tell(self.system);
        let all = Marks::all(self.product.automaton.mark_count());
        let own = |marks: Marks| if marks.contains(all) { self.own_bit } else { 0 };
        let block = &self.walker.block;
        let edges = block.keys.iter().zip(&block.marks);
        out.extend(edges.map(|(&key, &marks)| (key | own(marks), marks)));
        Ok(())
    }

    fn is_accepting(&self, state: u64) -> bool {
        match self.own_bit {
            0 => self.product.automaton.accepting(self.keys.split(state).1),
            _ => self.is_own(state),
        }
    }

    fn payloads(&mut self, states: &[u64], each: impl FnMut(usize, Option<u64>)) {
        self.system.session().payloads(states, each);
    }

    fn update(
        &mut self,
        states: &[u64],
        change: impl Fn(usize, Option<u64>) -> u64,
        mut told: impl FnMut(usize, Option<u64>),
    ) -> Result<(), Stop> {
        let (own_bit, counted) = (self.own_bit, &mut self.states);
        self.system.session().update(states, change, |at, before| {
            *counted += u64::from(before.is_none() && states[at] & own_bit != 0);
            told(at, before);
            false
        })?;
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Stop> {
        std::thread::yield_now();
        self.system.session().change(&[], |_, before| before, |_, _| false)?;
        Ok(())
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Stop> {
        self.system.reserve(bytes)
    }

    fn take(&mut self, bytes: usize) -> Result<(), Stop> {
        self.system.session().take_bytes(bytes)?;
        Ok(())
    }
}
