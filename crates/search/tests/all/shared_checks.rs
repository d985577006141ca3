//! Checks of several threads against the oracle on random graphs: `cndfs` and `ufscc`.
//!
//! *By turns*: one thread plays all workers. Each may be stopped wherever it asks for something, and goes on when its turn comes again. So there are many orders, the same for the same
//! seed, and what a worker does when it is stopped and goes on is seen, too.
//!
//! *At once*: real threads on the real set of states, which grows meanwhile.
//!
//! More graphs: `LARIAT_SWEEP_COUNT=1000000 LARIAT_SEED=7 cargo test --release -p lariat-search --test all shared_checks`.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Barrier};

use fastrand::Rng;
use lariat_core::{Marks, Word};
use lariat_search::emptiness::shared::{Ground, cndfs, ufscc};
use lariat_store::lines::{Budget, Met, RootSet, Session, Stop};

use crate::support::{Explicit, Sweep};

/// Spreads the few states of a graph over keys.
fn key(state: Word) -> u64 {
    u64::from(state) * 37 + 5
}

fn state(key: u64) -> usize {
    ((key - 5) / 37) as usize
}

fn successors(graph: &Explicit, src: u64, out: &mut Vec<(u64, Marks)>) {
    out.extend(graph.edges[state(src)].iter().map(|&(dst, marks)| (key(dst), marks)));
}

/// What the oracle says: whether there is an accepting cycle, states, edges.
fn truth(graph: &Explicit, by_states: bool) -> (bool, u64, u64) {
    let (reachable, edges) = (graph.reachable(), graph.reachable_edges());
    let is_accepting = match by_states {
        true => graph.accepting_by_states(&edges),
        false => graph.accepting_by_edges(&edges),
    };
    let states = reachable.iter().filter(|&&is_reached| is_reached).count();
    (is_accepting, states as u64, edges.len() as u64)
}

/// A worker of either check.
enum Worker {
    Nested(cndfs::Worker),
    Components(ufscc::Worker),
}

/// What workers share: none for the nested check.
type Shared = Option<ufscc::Shared>;

fn workers(count: usize, graph: &Explicit, nested: bool) -> (Shared, Vec<Worker>) {
    let shared = ufscc::Shared::new(count, graph.mark_count);
    let worker = |number| match nested {
        true => Worker::Nested(cndfs::Worker::new(number)),
        false => Worker::Components(ufscc::Worker::new(number)),
    };
    (shared.filter(|_| !nested), (0..count).map(worker).collect())
}

impl Worker {
    fn run<G: Ground>(&mut self, shared: &Shared, ground: &mut G) -> Result<bool, G::Stop> {
        match (self, shared) {
            (Worker::Nested(worker), _) => worker.run(ground),
            (Worker::Components(worker), Some(shared)) => {
                Ok(worker.run(shared, ground)?.expect("there are numbers"))
            }
            (Worker::Components(_), None) => unreachable!("they share something"),
        }
    }

    fn transitions(&self) -> u64 {
        match self {
            Worker::Nested(worker) => worker.transitions(),
            Worker::Components(worker) => worker.transitions(),
        }
    }
}

/// The next worker's turn.
struct Turn;

struct ByTurns<'a> {
    graph: &'a Explicit,
    payloads: &'a RefCell<HashMap<u64, u64>>,
    random: &'a RefCell<Rng>,
    /// Whether somebody has done something since it was asked.
    has_moved: &'a Cell<bool>,
}

impl ByTurns<'_> {
    fn maybe(&self) -> Result<(), Turn> {
        match self.random.borrow_mut().u32(..3) {
            0 => Err(Turn),
            _ => {
                self.has_moved.set(true);
                Ok(())
            }
        }
    }
}

impl Ground for ByTurns<'_> {
    type Stop = Turn;

    fn initial_count(&self) -> usize {
        self.graph.initial.len()
    }

    fn initial(&self, at: usize) -> u64 {
        key(self.graph.initial[at])
    }

    fn successors(&mut self, src: u64, out: &mut Vec<(u64, Marks)>) -> Result<(), Turn> {
        self.maybe()?;
        successors(self.graph, src, out);
        Ok(())
    }

    fn is_accepting(&self, key: u64) -> bool {
        self.graph.accepting[state(key)]
    }

    fn payloads(&mut self, states: &[u64], mut each: impl FnMut(usize, Option<u64>)) {
        for (at, key) in states.iter().enumerate() {
            each(at, self.payloads.borrow().get(key).copied());
        }
    }

    fn update(
        &mut self,
        states: &[u64],
        change: impl Fn(usize, Option<u64>) -> u64,
        mut told: impl FnMut(usize, Option<u64>),
    ) -> Result<(), Turn> {
        self.maybe()?;
        for (at, &key) in states.iter().enumerate() {
            let before = self.payloads.borrow().get(&key).copied();
            self.payloads.borrow_mut().insert(key, change(at, before));
            told(at, before);
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Turn> {
        Err(Turn)
    }

    fn reserve(&mut self, _: usize) -> Result<(), Turn> {
        self.maybe()
    }

    fn take(&mut self, _: usize) -> Result<(), Turn> {
        Ok(())
    }
}

/// Whether one has found a cycle, states, edges.
fn by_turns(graph: &Explicit, count: usize, nested: bool, seed: u64) -> (bool, u64, u64) {
    let (shared, mut workers) = workers(count, graph, nested);
    let payloads = RefCell::new(HashMap::new());
    let (random, has_moved) = (RefCell::new(Rng::with_seed(seed)), Cell::new(true));
    let mut ground = ByTurns { graph, payloads: &payloads, random: &random, has_moved: &has_moved };
    let (mut at_work, mut idle): (Vec<usize>, u32) = ((0..count).collect(), 0);
    while !at_work.is_empty() {
        let at = random.borrow_mut().usize(..at_work.len());
        match workers[at_work[at]].run(&shared, &mut ground) {
            Ok(true) => return (true, 0, 0),
            Ok(false) => drop(at_work.remove(at)),
            Err(Turn) => {}
        }
        idle = if has_moved.replace(false) { 0 } else { idle + 1 };
        assert!(idle < 10_000, "all wait for each other");
    }
    let transitions = workers.iter().map(Worker::transitions).sum();
    let states = payloads.borrow().len() as u64;
    (false, states, transitions)
}

fn sweep_by_turns(nested: bool, random: fn(u64) -> Explicit) {
    let mut answers = [0_u64; 2];
    for seed in Sweep::from_env(20_000).seeds() {
        let graph = random(seed);
        let truth = truth(&graph, nested);
        answers[usize::from(truth.0)] += 1;
        for count in 1..=3 {
            let said = by_turns(&graph, count, nested, seed);
            let truth = if truth.0 { (true, 0, 0) } else { truth };
            assert_eq!(said, truth, "{count} workers, seed {seed}: {graph:?}");
        }
    }
    assert!(answers.iter().all(|&some| some * 6 > answers.iter().sum()), "{answers:?}");
}

#[test]
fn cndfs_by_turns() {
    sweep_by_turns(true, Explicit::random_buchi);
}

#[test]
fn ufscc_by_turns() {
    sweep_by_turns(false, Explicit::random_tgba);
}

struct AtOnce<'a> {
    graph: &'a Explicit,
    session: Session<'a>,
    random: Rng,
}

impl AtOnce<'_> {
    fn maybe_yield(&mut self) {
        if self.random.u32(..4) == 0 {
            std::thread::yield_now();
        }
    }
}

impl Ground for AtOnce<'_> {
    type Stop = Stop;

    fn initial_count(&self) -> usize {
        self.graph.initial.len()
    }

    fn initial(&self, at: usize) -> u64 {
        key(self.graph.initial[at])
    }

    fn successors(&mut self, src: u64, out: &mut Vec<(u64, Marks)>) -> Result<(), Stop> {
        self.maybe_yield();
        successors(self.graph, src, out);
        Ok(())
    }

    fn is_accepting(&self, key: u64) -> bool {
        self.graph.accepting[state(key)]
    }

    fn payloads(&mut self, states: &[u64], each: impl FnMut(usize, Option<u64>)) {
        self.session.payloads(states, each);
    }

    fn update(
        &mut self,
        states: &[u64],
        change: impl Fn(usize, Option<u64>) -> u64,
        told: impl FnMut(usize, Option<u64>),
    ) -> Result<(), Stop> {
        self.session.update(states, change, told)
    }

    fn wait(&mut self) -> Result<(), Stop> {
        std::thread::yield_now();
        self.session.change(&[], |_, before| before, |_, _| ())
    }

    fn reserve(&mut self, _: usize) -> Result<(), Stop> {
        Ok(())
    }

    fn take(&mut self, _: usize) -> Result<(), Stop> {
        Ok(())
    }
}

fn at_once(graph: &Explicit, count: usize, nested: bool, seed: u64) -> (bool, u64, u64) {
    let (shared, workers) = workers(count, graph, nested);
    let payload = if nested { cndfs::payload_bits(count) } else { ufscc::PAYLOAD };
    let mut set = RootSet::<u64>::new(20, payload, count, &Arc::new(Budget::unlimited()));
    let (barrier, is_found, transitions) =
        (Barrier::new(count), AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for (number, (mut worker, session)) in workers.into_iter().zip(set.sessions()).enumerate() {
            let (shared, barrier, is_found, transitions) =
                (&shared, &barrier, &is_found, &transitions);
            let random = Rng::with_seed(seed + number as u64);
            scope.spawn(move || {
                let mut ground = AtOnce { graph, session, random };
                barrier.wait();
                match worker.run(shared, &mut ground) {
                    Ok(true) => is_found.store(true, Relaxed),
                    // Others may still add states.
                    Ok(false) => while ground.session.meet(|| ()) == Ok(Met::Grown) {},
                    Err(stop) => assert_eq!(stop, Stop::Ended),
                }
                transitions.fetch_add(worker.transitions(), Relaxed);
            });
        }
    });
    match is_found.into_inner() {
        true => (true, 0, 0),
        false => (false, set.len() as u64, transitions.into_inner()),
    }
}

/// Thousands of states, of which few are on cycles with all marks.
fn large(seed: u64, nested: bool) -> Explicit {
    let mut random = Rng::with_seed(seed);
    let len = random.u32(500..8_000);
    let back = random.u32(1..100);
    let near = random.u32(2..200);
    let mark_count = if nested { 1 } else { random.u32(1..5) };
    let accepting: Vec<bool> = (0..len).map(|_| random.u32(..len / 3) == 0).collect();
    let mut edges = Vec::new();
    for src in 0..len {
        let degree = random.u32(1..4);
        let mut edge = || {
            let dst = match random.u32(..100) < back {
                true => src - random.u32(..=src.min(near)),
                false => src + random.u32(..=near.min(len - 1 - src)),
            };
            let marks = match nested {
                true if accepting[src as usize] => Marks::one(0),
                true => Marks::NONE,
                false if random.u32(..50) == 0 => Marks::one(random.u32(..mark_count)),
                false => Marks::NONE,
            };
            (dst, marks)
        };
        edges.push((0..degree).map(|_| edge()).collect());
    }
    Explicit { accepting, ..Explicit::tgba(mark_count, edges) }
}

fn sweep_at_once(nested: bool, small: fn(u64) -> Explicit) {
    let mut answers = [0_u64; 2];
    for (number, seed) in Sweep::from_env(1_000).seeds().enumerate() {
        let graph = if number % 10 == 0 { large(seed, nested) } else { small(seed) };
        let truth = truth(&graph, nested);
        answers[usize::from(truth.0)] += 1;
        for count in 1..=3 {
            let said = at_once(&graph, count, nested, seed);
            let truth = if truth.0 { (true, 0, 0) } else { truth };
            assert_eq!(said, truth, "{count} threads, seed {seed}");
        }
    }
    assert!(answers.iter().all(|&some| some * 6 > answers.iter().sum()), "{answers:?}");
}

#[test]
fn cndfs_at_once() {
    sweep_at_once(true, Explicit::random_buchi);
}

#[test]
fn ufscc_at_once() {
    sweep_at_once(false, Explicit::random_tgba);
}

#[test]
fn too_many_workers_and_marks_are_refused() {
    assert!(ufscc::Shared::new(3, 61).is_some() && ufscc::Shared::new(4, 61).is_none());
}
