//! Breadth first on several threads, over states without numbers (`lariat_store::SharedTree`).
//!
//! Each thread takes states of the level at hand, expands them, and adds what is new to the set of all states and to the next
//! level. All meet at the end of a level, so a level is complete before the next one begins, and every count is the
//! same for any number of threads: each state is new once and expanded once.
//!
//! A thread that cannot go on ends its session, and all others come to their end: they give back the states that they had
//! not dealt with. If a field of the packed states was too small, it is made larger, and all go on from there. Else the
//! search is over: a limit, more room for rows, an error that was looked for, a panic, which is handed on.
//!
//! What the model's steps have learned from new rows (`ModelSteps::lessons`) is told to all threads at the end of a level,
//! before any of them can be given one of those rows.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lariat_core::{Limit, SystemId, Word, headway, stop};
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_store::{Ending, Numbered, SharedSession, SharedTree, SharedWorker};
use lariat_system::{Edges, Remember, Remembered, Stop, System, SystemGraph};

use super::breadth_first::Position;
use super::explorer::Explorer;
use super::{ErrorKind, Exploration, ExploreOptions, Progress};

/// States that a thread takes at once.
const TAKEN: usize = 256;
/// Bytes of stack for each thread: as much as the main thread has.
const STACK: usize = 8 << 20;

/// What a thread has while nobody works.
pub(super) struct Member<'s> {
    store: SharedWorker,
    pub(super) rest: Rest<'s>,
}

/// The same without its part of the states.
pub(super) struct Rest<'s> {
    pub(super) steps: Box<dyn ModelSteps + 's>,
    remembered: Remembered,
    /// What it has counted.
    pub(super) found: Exploration,
    /// How many of its lessons the others were told.
    heard: usize,
}

impl<'s> Member<'s> {
    pub(super) fn new(
        steps: Box<dyn ModelSteps + 's>,
        store: SharedWorker,
        remember: Remember,
    ) -> Self {
        let heard = steps.lessons().len();
        let (remembered, found) = (Remembered::new(remember), Exploration::default());
        Member { store, rest: Rest { steps, remembered, found, heard } }
    }
}

/// The search as all threads see it.
pub(super) struct Team<'o, 's> {
    model: &'s Model,
    options: &'o ExploreOptions,
    /// Bytes of all structures.
    limit: usize,
    /// The level at hand, and how many states it has.
    pub(super) depth: AtomicU64,
    level: AtomicUsize,
    /// No state is there yet.
    is_first: AtomicBool,
    lessons: Mutex<Vec<Box<[Word]>>>,
}

/// Told now and then; false ends the search.
pub(super) type Watch<'a> = &'a mut (dyn FnMut(Progress) -> bool + Send);

/// Why a thread has ended.
enum Ended {
    /// Everything was seen.
    Done,
    /// An error was found, and no more is wanted.
    Error,
    /// Another thread has ended.
    Others,
    /// A field is too small.
    Bits,
    Stopped(Stop),
}

/// How a search ends.
pub(super) enum End {
    /// Everything was seen.
    Done,
    /// An error was found, to which nobody knows the way.
    Error,
    /// States do not fit into a root.
    Unfit,
    Stopped(Stop),
}

impl<'o, 's> Team<'o, 's> {
    pub(super) fn new(
        model: &'s Model,
        options: &'o ExploreOptions,
        limit: usize,
        depth: u64,
    ) -> Self {
        let (depth, level) = (AtomicU64::new(depth), AtomicUsize::new(0));
        let (is_first, lessons) = (AtomicBool::new(true), Mutex::default());
        Team { model, options, limit, depth, level, is_first, lessons }
    }

    /// Goes on from where a walk with numbers has come, until the end.
    pub(super) fn work(
        &self,
        shared: &mut SharedTree,
        members: &mut Vec<Member<'s>>,
        numbered: Numbered,
        position: Position,
        watch: Watch<'_>,
    ) -> End {
        let mut begins = Some((numbered, position));
        loop {
            let ends = self.round(shared, members, begins.as_ref(), watch);
            if let Some((numbered, _)) = begins.take() {
                shared.forget(numbered);
                self.is_first.store(false, Relaxed);
            }
            if let Some(end) = self.end_of(&ends) {
                return end;
            }
            match shared.make_bits() {
                Ok(true) => {}
                Ok(false) => return End::Unfit,
                Err(full) => return End::Stopped(full.into()),
            }
        }
    }

    /// How the search ends; None if it goes on with more bits.
    fn end_of(&self, ends: &[Ended]) -> Option<End> {
        let stops = || {
            ends.iter().filter_map(|ended| match ended {
                Ended::Stopped(stop) => Some(*stop),
                _ => None,
            })
        };
        // With more room for rows the search can go on.
        let widens = stops().find(|stop| matches!(stop, Stop::Widen(_)));
        if let Some(stop) = widens.or_else(|| stops().next()) {
            return Some(End::Stopped(stop));
        }
        if ends.iter().any(|ended| matches!(ended, Ended::Error)) {
            return Some(End::Error);
        }
        if ends.iter().any(|ended| matches!(ended, Ended::Bits)) {
            return None;
        }
        let is_done = ends.iter().all(|ended| matches!(ended, Ended::Done));
        assert!(is_done, "a thread has ended because of another one, which has no reason");
        Some(End::Done)
    }

    /// All threads work until one ends.
    fn round(
        &self,
        shared: &mut SharedTree,
        members: &mut Vec<Member<'s>>,
        begins: Option<&(Numbered, Position)>,
        watch: Watch<'_>,
    ) -> Vec<Ended> {
        let (stores, all): (Vec<_>, Vec<_>) =
            members.drain(..).map(|Member { store, rest }| (store, rest)).unzip();
        let deadline = stop::deadline();
        std::thread::scope(|scope| {
            let mut sessions = shared.sessions(stores).into_iter().zip(all);
            let (session, rest) = sessions.next().expect("there is a thread");
            let start = |(session, rest)| {
                let thread = std::thread::Builder::new().stack_size(STACK);
                let work = move || stop::within(deadline, || self.shift(session, rest, None, None));
                thread.spawn_scoped(scope, work).expect("a thread can be started")
            };
            let threads: Vec<_> = sessions.map(start).collect();
            let mut done = vec![self.shift(session, rest, begins, Some(watch))];
            for thread in threads {
                done.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            let (back, ends): (Vec<_>, Vec<_>) = done.into_iter().unzip();
            members.extend(back);
            ends
        })
    }

    /// A thread's work until it or another one ends.
    fn shift(
        &self,
        session: SharedSession<'_>,
        rest: Rest<'s>,
        begins: Option<&(Numbered, Position)>,
        watch: Option<Watch<'_>>,
    ) -> (Member<'s>, Ended) {
        let Rest { mut steps, remembered, found, mut heard } = rest;
        // Others have made their code before.
        steps.prepare();
        let mut system = System::of_states(self.model, steps, true, |_| session)
            .with_limit(Some(self.limit))
            .with_remembered(remembered);
        let mut explorer = Explorer::new(&mut system, self.model, self.options, &|_| {});
        explorer.found = found;
        let walked = self.walk(&mut explorer, &mut heard, begins, watch);
        let found = explorer.found;
        let ended = match (walked, system.session().ending()) {
            (Ok(ended), _) => ended,
            (Err(Stop::Limit(Limit::Memory)), Some(Ending::Others)) => Ended::Others,
            (Err(Stop::Limit(Limit::Memory)), Some(Ending::Bits)) => Ended::Bits,
            (Err(stop), _) => Ended::Stopped(stop),
        };
        let (steps, session, remembered) = system.into_parts();
        let rest = Rest { steps, remembered, found, heard };
        (Member { store: session.end(), rest }, ended)
    }

    fn walk(
        &self,
        explorer: &mut Explorer<'_, 's, System<'s, SharedSession<'_>>>,
        heard: &mut usize,
        begins: Option<&(Numbered, Position)>,
        mut watch: Option<Watch<'_>>,
    ) -> Result<Ended, Stop> {
        if self.is_first.load(Relaxed) {
            if let Some((numbered, position)) = begins {
                let session = explorer.graph.session();
                session.enter(numbered, position.expanded, position.level_end)?;
            }
            // Nobody looks for states before all are there.
            explorer.graph.session().wait()?;
        }
        let (mut ids, mut edges) = (Vec::with_capacity(TAKEN), Edges::default());
        loop {
            ids.clear();
            if explorer.graph.session().take(TAKEN, &mut ids) == 0 {
                match self.next_level(explorer.graph, heard)? {
                    Some(0) => return Ok(Ended::Done),
                    Some(size) => headway::note_level(self.depth.load(Relaxed), size as u64),
                    None => {}
                }
                continue;
            }
            let mut done = 0;
            while done < ids.len() {
                edges.clear();
                match explorer.graph.expand(&ids[done..], &mut edges) {
                    Ok(expanded) => {
                        count(explorer, &ids[done..done + expanded], &edges)?;
                        done += expanded;
                    }
                    Err(stop) => {
                        explorer.graph.session().put_back(&ids[done..])?;
                        return Err(stop);
                    }
                }
            }
            if explorer.stopped || explorer.ends_with_level {
                return Ok(Ended::Error);
            }
            if let Some(watch) = &mut watch {
                let (states, memory) = (explorer.graph.len() as u64, explorer.graph.bytes());
                let depth = self.depth.load(Relaxed);
                if !watch(Progress { states, depth, memory, headway: headway::now() }) {
                    return Err(Limit::Interrupted.into());
                }
            }
        }
    }

    /// Waits for the next level; how many states it has. None if there may be some left of the one at hand.
    fn next_level(
        &self,
        system: &mut System<'s, SharedSession<'_>>,
        heard: &mut usize,
    ) -> Result<Option<usize>, Stop> {
        let new = &system.steps().lessons()[*heard..];
        if !new.is_empty() {
            lock(&self.lessons).extend_from_slice(new);
            *heard += new.len();
        }
        let next = |states: usize| {
            self.level.store(states, Relaxed);
            self.depth.fetch_add(u64::from(states > 0), Relaxed);
        };
        if !system.session().next_level(next)? {
            return Ok(None);
        }
        // Nobody adds to it before all have met again.
        for row in &*lock(&self.lessons) {
            system.steps_mut().learn(row);
        }
        *heard = system.steps().lessons().len();
        Ok(Some(self.level.load(Relaxed)))
    }
}

/// Counts what is told of some states.
fn count<G: SystemGraph>(
    explorer: &mut Explorer<'_, '_, G>,
    ids: &[SystemId],
    edges: &Edges,
) -> Result<(), Stop> {
    explorer.found.transitions += edges.ids.len() as u64;
    explorer.found.atomic_steps += edges.atomic_steps;
    for &source in &edges.blocked {
        explorer.note_blocked(ids[source], Vec::new);
    }
    for found in edges.faults.iter().filter(|found| !explorer.options.ignores(found.fault.fault)) {
        explorer.error(ErrorKind::Fault(found.fault.fault), &found.fault.moves, Vec::new);
    }
    if !explorer.options.conditions.is_empty() {
        for &id in ids {
            explorer.check_conditions(id, Vec::new)?;
        }
    }
    Ok(())
}

/// Lessons are added whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
