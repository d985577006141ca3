//! Breadth first on one thread or several, over whole rows and one lossy set that all share.
//!
//! The states of a level are in chunks. A thread takes a chunk, expands its states, and writes those that are new to chunks of its own; the
//! next level begins when all are done. Small levels are the affair of one thread.
//!
//! *The way back.* Each thread numbers the states that it finds. It expands the states of a chunk in their order, and notes whose chunk that was and the number of
//! its first state. So two bits and a byte for a state are enough, as on one thread: which of the states that the thread has expanded is its parent, and
//! which successor of that it was.
//!
//! *Waiting for the set.* A look at a large set waits for memory, at as many places as there are hash functions. So the successors of some states wait in a list until all that they
//! ask for is on its way, and are entered then, in their order.
//!
//! *What steps learn from new rows* (`ModelSteps::lessons`) is told to all between levels: a row is expanded in the level behind the one that found it.
//!
//! *Who ends, ends all.* What a thread finds, or why it cannot go on, is looked at when the level is over; others are told by a flag to leave the rest of it. A
//! panic tells them, too, and is handed on.
//!
//! How many states are seen depends on luck, as everything that a lossy store says: which of two states that share their bits comes first, and whether two threads find
//! a state at once (`lariat_store::SharedBits`).

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lariat_core::{Arena, FlatArena, Limit, Parents, Word, headway, stop};
use lariat_model::ir::Model;
use lariat_store::visited::Entered;
use lariat_store::{Scratch, Visited};
use lariat_system::{Stop, System, SystemGraph};

use super::breadth_first::Choices;
use super::shuffle::Shuffle;
use super::unproved;
use super::walk::{Told, Walk};
use crate::safety::{ErrorKind, Exploration, ExploreOptions};
use crate::team::STACK;

/// Bytes of rows in a chunk.
const CHUNK: usize = 1 << 14;
/// Successors that wait for the set.
const TOGETHER: usize = 64;
/// A level of fewer chunks is expanded by one thread.
const FEW: usize = 4;

/// A state, by the thread that has found it and its number there.
type Place = (usize, u64);

/// States that one thread has found one after the other.
struct Chunk {
    rows: FlatArena,
    first: Place,
}

/// What threads share.
struct Shared {
    width: usize,
    level: Mutex<Vec<Chunk>>,
    free: Mutex<Vec<FlatArena>>,
    /// All leave the rest of the level.
    is_over: AtomicBool,
    states: AtomicU64,
    depth: AtomicU64,
    /// Bytes of all but the set.
    bytes: AtomicUsize,
}

/// Successors that were not looked at yet, state after state.
struct Waiting {
    rows: FlatArena,
    /// By state that was expanded: where its successors end.
    ends: Vec<usize>,
}

/// A thread.
struct Worker<'a, 'm, V> {
    number: usize,
    shared: &'a Shared,
    walk: Walk<'a, 'm, V>,
    waiting: Waiting,
    /// What it has found for the next level; there is room in the last one.
    next: Vec<Chunk>,
    /// Of the states that it has found and of those that it has expanded.
    parents: Parents,
    choices: Choices,
    found: u64,
    /// By chunk: how many states it had expanded before, and the first one of the chunk.
    expanded: Vec<(u64, Place)>,
    done: u64,
    /// How many lessons all have heard of.
    told: usize,
    /// Where the nearest error is.
    at: Option<Place>,
}

/// What a thread tells of where it is.
type Tells<'a> = Box<dyn FnMut(u64, u64, usize) -> bool + Send + 'a>;

/// As [`explore`](super::explore), breadth first, with a thread for each of these systems.
pub fn explore_threads<V: Visited + Clone + Send>(
    systems: &mut [System<'_, Scratch>],
    width: usize,
    model: &Model,
    options: &ExploreOptions,
    visited: &V,
    told: Told<'_>,
) -> Result<Exploration, Stop> {
    let shared = &Shared {
        width,
        level: Mutex::default(),
        free: Mutex::default(),
        is_over: AtomicBool::new(false),
        states: AtomicU64::new(1),
        depth: AtomicU64::new(0),
        bytes: AtomicUsize::new(0),
    };
    let mut sets = vec![visited.clone(); systems.len()];
    let of_set = visited.bytes();
    let mut tells = Some(|_: u64, _: u64, _: usize| {
        let bytes = of_set + shared.bytes.load(Relaxed);
        told(shared.states.load(Relaxed), shared.depth.load(Relaxed), bytes)
    });
    // The first one tells.
    let mut all: Vec<Tells<'_>> = Vec::new();
    for _ in 0..systems.len() {
        match tells.take() {
            Some(tells) => all.push(Box::new(tells)),
            None => all.push(Box::new(|_, _, _| true)),
        }
    }
    let mut workers = Vec::new();
    for (number, ((system, set), told)) in
        systems.iter_mut().zip(&mut sets).zip(&mut all).enumerate()
    {
        workers.push(Worker {
            number,
            shared,
            walk: Walk::new(system, model, options, set, Shuffle::Not, &mut **told),
            waiting: Waiting { rows: FlatArena::new(width), ends: Vec::new() },
            next: Vec::new(),
            parents: Parents::default(),
            choices: Choices::default(),
            found: 0,
            expanded: Vec::new(),
            done: 0,
            told: 0,
            at: None,
        });
    }
    let walked = go(shared, &mut workers);
    finish(workers, walked)
}

/// Goes through all levels.
fn go<V: Visited + Send>(shared: &Shared, workers: &mut [Worker<'_, '_, V>]) -> Result<(), Stop> {
    headway::begin();
    workers[0].begin()?;
    let mut depth = 0;
    loop {
        let all = workers.iter_mut().flat_map(|worker| worker.next.drain(..));
        let level: Vec<Chunk> = all.filter(|chunk| chunk.rows.len() > 0).collect();
        if level.is_empty() || workers[0].walk.is_too_deep(depth) {
            return Ok(());
        }
        headway::note_level(depth, level.iter().map(|chunk| chunk.rows.len() as u64).sum());
        shared.depth.store(depth, Relaxed);
        depth += 1;
        let threads = if level.len() < FEW { 1 } else { workers.len() };
        *lock(&shared.level) = level;
        together(&mut workers[..threads])?;
        tell_lessons(workers);
        if workers.iter().any(|worker| worker.at.is_some()) {
            return Ok(());
        }
    }
}

/// Tells what steps have learned from new rows (`ModelSteps::lessons`) to all, before any of these rows is expanded.
fn tell_lessons<V: Visited>(workers: &mut [Worker<'_, '_, V>]) {
    for from in 0..workers.len() {
        let lessons = workers[from].walk.system.steps().lessons();
        let new: Vec<Box<[Word]>> = lessons[workers[from].told..].to_vec();
        for (to, worker) in workers.iter_mut().enumerate() {
            if to != from {
                new.iter().for_each(|row| worker.walk.system.steps_mut().learn(row));
            }
        }
    }
    for worker in workers {
        worker.told = worker.walk.system.steps().lessons().len();
    }
}

/// All of them work on the level until it is done or over.
fn together<V: Visited + Send>(workers: &mut [Worker<'_, '_, V>]) -> Result<(), Stop> {
    let deadline = stop::deadline();
    let (first, others) = workers.split_first_mut().expect("there is a thread");
    let ends: Vec<Result<(), Stop>> = std::thread::scope(|scope| {
        let start = |worker: &'_ mut Worker<'_, '_, V>| worker.work();
        let threads: Vec<_> = (others.iter_mut())
            .map(|worker| {
                let thread = std::thread::Builder::new().stack_size(STACK);
                let at_work = move || stop::within(deadline, || start(worker));
                thread.spawn_scoped(scope, at_work).expect("a thread can be started")
            })
            .collect();
        let mut ends = vec![first.work()];
        for thread in threads {
            ends.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        ends
    });
    // With more room for rows the search can begin again.
    let mut stops = ends.into_iter().filter_map(Result::err);
    let widens = stops.clone().find(|stop| matches!(stop, Stop::Widen(_)));
    widens.or_else(|| stops.next()).map_or(Ok(()), Err)
}

/// What all have found together.
fn finish<V: Visited + Send>(
    mut workers: Vec<Worker<'_, '_, V>>,
    walked: Result<(), Stop>,
) -> Result<Exploration, Stop> {
    if let Err(widen @ Stop::Widen(_)) = walked {
        return Err(widen);
    }
    // An error of a state is one step nearer than one on the way from it.
    let is_far = |worker: &&Worker<'_, '_, V>| {
        worker.walk.error.as_ref().is_some_and(|(_, moves)| !moves.is_empty())
    };
    let nearest = workers.iter().filter(|worker| worker.at.is_some()).min_by_key(is_far);
    if let Some((number, at)) = nearest.and_then(|worker| Some((worker.number, worker.at?))) {
        let way = way(&workers, at);
        // What was found is not lost because time is over.
        let rows = stop::undisturbed(|| workers[number].follow(&way))?;
        workers[number].walk.found_at(rows);
    }
    let mut all: Option<Exploration> = None;
    for worker in workers {
        let mut found = worker.walk.finish(Ok(()))?;
        all = Some(match all {
            None => found,
            Some(before) => {
                let mut joined = before.plus(&found);
                joined.note_executed(&found.executed, &found.executed_in_d_steps);
                joined.first_error = joined.first_error.or(found.first_error.take());
                joined.states += found.states;
                joined.depth = joined.depth.max(found.depth);
                joined.memory = joined.memory.max(found.memory);
                joined
            }
        });
    }
    let mut found = all.expect("there is a thread");
    found.matched = (found.transitions + 1).saturating_sub(found.states);
    match walked {
        Err(Stop::Limit(limit)) => found.limit = Some(limit),
        Err(_) => found.limit = Some(Limit::Fault),
        Ok(()) => {}
    }
    Ok(unproved::<V>(found))
}

/// From the first state to this one: which successors lead there.
fn way<V>(workers: &[Worker<'_, '_, V>], mut at: Place) -> Vec<usize> {
    let lookups: Vec<_> = workers.iter().map(|worker| worker.parents.lookup()).collect();
    let mut way = Vec::new();
    while at != FIRST {
        let worker = &workers[at.0];
        way.push(worker.choices.get(at.1));
        let parent = lookups[at.0].parent_of(at.1 + 1);
        let chunk = worker.expanded.partition_point(|&(before, _)| before <= parent) - 1;
        let (before, (owner, first)) = worker.expanded[chunk];
        at = (owner, first + parent - before);
    }
    way.reverse();
    way
}

/// The initial state: as if a state before all others led there.
const FIRST: Place = (0, 0);

impl<V: Visited> Worker<'_, '_, V> {
    /// Puts the initial state into the first level.
    fn begin(&mut self) -> Result<(), Stop> {
        let first = self.walk.start()?;
        self.make_room(1, 1)?;
        self.walk.visited.enter(&first)?;
        self.next.last_mut().expect("room was made").rows.push(&first);
        self.note(0)?;
        self.walk.found.states = 1;
        self.end_parent();
        Ok(())
    }

    /// Until the level is done or over.
    fn work(&mut self) -> Result<(), Stop> {
        let over = Over(&self.shared.is_over);
        while !self.shared.is_over.load(Relaxed) {
            let Some(mut chunk) = lock(&self.shared.level).pop() else { break };
            self.expand_chunk(&chunk)?;
            chunk.rows.truncate(0);
            lock(&self.shared.free).push(chunk.rows);
            let most = self.walk.options.max_states;
            if most.is_some_and(|most| self.shared.states.load(Relaxed) > most) {
                return Err(Limit::States.into());
            }
            if self.at.is_some() && !self.is_far() {
                return Ok(());
            }
        }
        std::mem::forget(over);
        Ok(())
    }

    /// Whether the error is on the way from a state: one of a state of the level would be nearer.
    fn is_far(&self) -> bool {
        self.walk.error.as_ref().is_some_and(|(_, moves)| !moves.is_empty())
    }

    fn expand_chunk(&mut self, chunk: &Chunk) -> Result<(), Stop> {
        self.expanded.push((self.done, chunk.first));
        let before = self.walk.found.states;
        for number in 0..chunk.rows.len() {
            let had_error = self.walk.error.is_some();
            self.expand(chunk.rows.get(number as u32))?;
            let has_error = self.walk.error.is_some();
            if has_error && (!had_error || !self.is_far()) {
                self.at = Some((chunk.first.0, chunk.first.1 + number as u64));
            }
            if has_error && !self.is_far() {
                break;
            }
        }
        self.enter_waiting()?;
        self.shared.states.fetch_add(self.walk.found.states - before, Relaxed);
        Ok(())
    }

    /// Expands a state of the level; its successors wait.
    fn expand(&mut self, row: &[Word]) -> Result<(), Stop> {
        self.walk.expand(row)?;
        let faults = std::mem::take(&mut self.walk.edges.faults);
        for located in faults.into_iter().map(|found| found.fault) {
            if !self.walk.options.ignores(located.fault) {
                self.walk.error(ErrorKind::Fault(located.fault), &located.moves);
            }
        }
        let Walk { system, visited, edges, .. } = &mut self.walk;
        for &id in &edges.ids {
            let row = system.load(id);
            visited.prefetch(row);
            self.waiting.rows.push(row);
        }
        self.waiting.ends.push(self.waiting.rows.len());
        if self.waiting.rows.len() >= TOGETHER { self.enter_waiting() } else { Ok(()) }
    }

    /// Enters those that wait; new ones are in the next level.
    fn enter_waiting(&mut self) -> Result<(), Stop> {
        self.make_room(self.waiting.rows.len(), self.waiting.ends.len())?;
        let mut begin = 0;
        for state in 0..self.waiting.ends.len() {
            let end = self.waiting.ends[state];
            for at in begin..end {
                let row = self.waiting.rows.get(at as u32);
                if let Entered::New(_) = self.walk.visited.enter(row)? {
                    self.walk.found.states += 1;
                    self.next.last_mut().expect("room was made").rows.push(row);
                    self.note(at - begin)?;
                }
            }
            begin = end;
            self.end_parent();
        }
        self.waiting.rows.truncate(0);
        self.waiting.ends.clear();
        Ok(())
    }

    /// The state that was found last is that successor of the one at hand.
    fn note(&mut self, choice: usize) -> Result<(), Stop> {
        self.choices.push(choice);
        self.parents.push_child();
        self.found += 1;
        self.make_room_for_row()
    }

    /// Room for one more row in the last chunk.
    fn make_room_for_row(&mut self) -> Result<(), Stop> {
        let most = (CHUNK / size_of::<Word>() / self.shared.width.max(1)).max(1);
        if self.next.last().is_some_and(|chunk| chunk.rows.len() < most) {
            return Ok(());
        }
        let free = lock(&self.shared.free).pop();
        let rows = match free {
            Some(rows) => rows,
            None => {
                self.take(most * self.shared.width * size_of::<Word>())?;
                let mut rows = FlatArena::new(self.shared.width);
                rows.reserve(most)?;
                rows
            }
        };
        self.next.push(Chunk { rows, first: (self.number, self.found) });
        Ok(())
    }

    fn end_parent(&mut self) {
        self.parents.end_parent();
        self.done += 1;
    }

    /// Room for so many successors of so many states.
    fn make_room(&mut self, count: usize, states: usize) -> Result<(), Stop> {
        if self.next.is_empty() {
            self.make_room_for_row()?;
        }
        let steps = count + states;
        let growth = self.parents.growth(steps) + self.choices.growth(count);
        if growth > 0 {
            self.take(growth)?;
            if self.parents.growth(steps) > 0 {
                self.parents.reserve(steps);
            }
            self.choices.reserve(count)?;
        }
        Ok(())
    }

    /// Takes so many bytes from what all may have.
    fn take(&mut self, bytes: usize) -> Result<(), Stop> {
        let before = self.shared.bytes.fetch_add(bytes, Relaxed);
        self.walk.allow(before, bytes).inspect_err(|_| {
            self.shared.bytes.fetch_sub(bytes, Relaxed);
        })
    }

    /// The rows on this way from the first state.
    fn follow(&mut self, way: &[usize]) -> Result<Vec<Box<[Word]>>, Stop> {
        let mut rows: Vec<Box<[Word]>> = vec![self.walk.start()?.into()];
        for &choice in way {
            let Walk { system, edges, .. } = &mut self.walk;
            system.set_state(&rows[rows.len() - 1])?;
            edges.clear();
            system.expand(&[0], edges)?;
            rows.push(self.walk.successor(choice).into());
        }
        Ok(rows)
    }
}

/// Tells all to leave the rest of the level, if a thread does not come to its end: whatever the reason.
struct Over<'o>(&'o AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Lists are whole whoever panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
