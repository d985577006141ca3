//! Accepting cycles depth first, on all threads: CNDFS and UFSCC in the product.
//!
//! Workers are not tied to threads. They rest in a list while nobody works, and go on where they were: when a field of the packed states gets a bit, keys stay what they are.
//! A thread whose worker has come to its end waits for all others, and takes part in what all do together.
//!
//! *Acceptance by edges* for CNDFS: a state that is entered by an edge with the mark is preceded by a state of its own, which is accepting and has the one successor. A cycle
//! through such an edge is one through such a state. Its key is that of the state behind it with another bit; it is no state of the product, and not counted.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lariat_core::{Automaton, Limit, Marks};
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, SharedSession};
use lariat_system::{Stop, System, SystemGraph};

use super::pass::Own;
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
        if !self.start_again(cndfs::payload_bits(threads)) {
            return End::Unfit;
        }
        let workers = (0..threads).map(cndfs::Worker::new).collect();
        self.deep(Cndfs, workers)
    }

    /// The same with any number of marks.
    pub(super) fn ufscc(&mut self, marks: u32) -> End {
        let threads = self.team.owns().count();
        let shared = ufscc::Shared::new(threads, marks);
        let Some(shared) = shared.filter(|_| self.start_again(ufscc::PAYLOAD)) else {
            return End::Unfit;
        };
        self.shared.overdraw(ufscc::Shared::BYTES);
        let workers = (0..threads).map(ufscc::Worker::new).collect();
        self.deep(shared, workers)
    }

    fn deep<C: Check>(&mut self, check: C, workers: Vec<C::Worker>) -> End {
        let product = self.product;
        self.team.owns_mut().for_each(|own| own.transitions = 0);
        let deep = Deep {
            product,
            check,
            keys: Keys::of_product(self.components.states(), 0),
            by_edges: self.by_edges,
            resting: Mutex::new(workers),
            states: AtomicU64::new(0),
        };
        let end = self.team.work(&deep, &mut self.shared);
        self.own_states = deep.states.load(Relaxed);
        // Workers are as many as threads; who counted what does not matter.
        let counted: Vec<u64> = deep.resting().iter().map(C::transitions).collect();
        self.depth = deep.resting().iter().map(C::deepest).max().unwrap_or(0) as u64;
        for (own, transitions) in self.team.owns_mut().zip(counted) {
            own.transitions = transitions;
        }
        end
    }
}

/// A check at work.
struct Deep<'p, 's, A, C: Check> {
    product: &'p SharedProduct<'s, A>,
    check: C,
    /// Of the product itself.
    keys: Keys,
    /// Whether accepting edges have states of their own.
    by_edges: bool,
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
        let walker = Walker::new(self.product.automaton, self.product.stutters(), self.keys);
        let mut worker = self.resting().pop().expect("there is one for each thread");
        let (product, by_edges) = (self.product, self.by_edges);
        let Desk { system, talk } = &mut *desk;
        let (expanded, states) = (0, 0);
        let mut thread =
            Thread { product, walker, system, talk, by_edges, is_first, expanded, states };
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
    walker: Walker<'t, A>,
    system: &'t mut System<'s, SharedSession<'a>>,
    talk: &'t mut Talk<'d>,
    by_edges: bool,
    is_first: bool,
    expanded: u64,
    states: u64,
}

impl<A: Automaton> Thread<'_, '_, '_, '_, A> {
    /// The key of a product state, or of the one before it.
    fn key(&self, of_product: u64, is_before: bool) -> u64 {
        match self.by_edges {
            true => of_product << 1 | u64::from(is_before),
            false => of_product,
        }
    }
}

impl<A: Automaton + Sync> Ground for Thread<'_, '_, '_, '_, A> {
    type Stop = Stop;

    fn initial(&mut self, out: &mut Vec<u64>) -> Result<(), Stop> {
        let initial = self.walker.initial(self.system)?;
        self.talk.tell(self.system);
        out.extend(initial.into_iter().map(|key| self.key(key, false)));
        Ok(())
    }

    fn successors(&mut self, state: u64, out: &mut Vec<(u64, Marks)>) -> Result<(), Stop> {
        if self.by_edges && state & 1 == 1 {
            out.push((state & !1, Marks::NONE));
            return Ok(());
        }
        self.expanded += 1;
        if self.expanded.is_multiple_of(OFTEN) {
            self.product.expanded.fetch_add(OFTEN, Relaxed);
            if self.is_first && !self.product.goes_on(self.system) {
                return Err(Limit::Interrupted.into());
            }
        }
        let of_product = if self.by_edges { state >> 1 } else { state };
        self.talk.hear(self.system);
        self.walker.expand(self.system, &[of_product], |_, _| true)?;
        self.talk.tell(self.system);
        let all = Marks::all(self.product.automaton.mark_count());
        let block = &self.walker.block;
        out.extend(
            block
                .keys
                .iter()
                .zip(&block.marks)
                .map(|(&key, &marks)| (self.key(key, self.by_edges && marks.contains(all)), marks)),
        );
        Ok(())
    }

    fn is_accepting(&self, state: u64) -> bool {
        match self.by_edges {
            true => state & 1 == 1,
            false => self.product.automaton.accepting(self.walker.keys.split(state).1),
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
        let (by_edges, counted) = (self.by_edges, &mut self.states);
        self.system.session().update(states, change, |at, before| {
            *counted += u64::from(by_edges && before.is_none() && states[at] & 1 == 1);
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
