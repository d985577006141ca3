//! Breadth first on several threads, over states without numbers (see `team`).
//!
//! Each thread takes states of the level at hand, expands them, and adds what is new to the set of all states and to the next
//! level. All meet at the end of a level, so a level is complete before the next one begins, and every count is the
//! same for any number of threads: each state is new once and expanded once.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use lariat_core::{Limit, SystemId, headway};
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_store::{Numbered, SharedSession};
use lariat_system::{Edges, Stop, System, SystemGraph};

use super::breadth_first::Position;
use super::explorer::Explorer;
use super::{ErrorKind, Exploration, ExploreOptions, Progress};
use crate::team::{Desk, Ended, Talk, Work};

/// States that a thread takes at once.
const TAKEN: usize = 256;

/// Told now and then; false ends the search.
pub(super) type Watch<'a> = &'a mut (dyn FnMut(Progress) -> bool + Send);

/// The search as all threads see it.
pub(super) struct Levels<'o, 's> {
    model: &'s Model,
    options: &'o ExploreOptions,
    /// Bytes of all structures.
    limit: usize,
    /// The level at hand, and how many states it has.
    pub(super) depth: AtomicU64,
    level: AtomicUsize,
    /// The states with numbers, from which it goes on, and whether all of them are there.
    begins: Mutex<Option<(Numbered, Position)>>,
    has_begun: AtomicBool,
    watch: Mutex<Watch<'o>>,
}

impl<'o, 's> Levels<'o, 's> {
    pub(super) fn new(
        model: &'s Model,
        options: &'o ExploreOptions,
        (limit, depth): (usize, u64),
        begins: (Numbered, Position),
        watch: Watch<'o>,
    ) -> Self {
        Levels {
            model,
            options,
            limit,
            depth: AtomicU64::new(depth),
            level: AtomicUsize::new(0),
            begins: Mutex::new(Some(begins)),
            has_begun: AtomicBool::new(false),
            watch: Mutex::new(watch),
        }
    }

    /// Enters the states with numbers. Nobody looks for states before all are there.
    fn begin(&self, session: &mut SharedSession<'_>) -> Result<(), Stop> {
        if self.has_begun.load(Relaxed) {
            return Ok(());
        }
        let begins = self.begins.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((numbered, position)) = begins {
            session.enter(numbered, position.expanded, position.level_end)?;
        }
        session.wait()?;
        self.has_begun.store(true, Relaxed);
        Ok(())
    }

    /// Tells how far it is; false ends the search.
    fn goes_on(&self, system: &System<'_, SharedSession<'_>>) -> bool {
        let (states, memory) = (system.len() as u64, system.bytes());
        let (depth, headway) = (self.depth.load(Relaxed), headway::now());
        let progress = Progress { states, depth, memory, headway };
        (self.watch.lock().unwrap_or_else(PoisonError::into_inner))(progress)
    }
}

impl<'s> Work<'s> for Levels<'_, 's> {
    type Own = Exploration;

    fn system<'a>(
        &self,
        steps: Box<dyn ModelSteps + 's>,
        session: SharedSession<'a>,
    ) -> System<'s, SharedSession<'a>> {
        System::of_states(self.model, steps, true, |_| session).with_limit(Some(self.limit))
    }

    fn shift(
        &self,
        desk: &mut Desk<'_, '_, 's>,
        own: &mut Exploration,
        is_first: bool,
    ) -> Result<Ended, Stop> {
        self.begin(desk.session())?;
        let mut explorer = Explorer::new(&mut desk.system, self.model, self.options, &|_| {});
        std::mem::swap(&mut explorer.found, own);
        let walked = self.walk(&mut explorer, &mut desk.talk, is_first);
        std::mem::swap(&mut explorer.found, own);
        walked
    }
}

impl<'s> Levels<'_, 's> {
    fn walk(
        &self,
        explorer: &mut Explorer<'_, 's, System<'s, SharedSession<'_>>>,
        talk: &mut Talk<'_>,
        is_first: bool,
    ) -> Result<Ended, Stop> {
        let (mut ids, mut edges) = (Vec::with_capacity(TAKEN), Edges::default());
        loop {
            ids.clear();
            if explorer.graph.session().take(TAKEN, &mut ids) == 0 {
                let next = |states: usize| {
                    self.level.store(states, Relaxed);
                    self.depth.fetch_add(u64::from(states > 0), Relaxed);
                };
                if talk.next_level(explorer.graph, next)? {
                    let size = self.level.load(Relaxed);
                    if size == 0 {
                        return Ok(Ended::Done);
                    }
                    headway::note_level(self.depth.load(Relaxed), size as u64);
                }
                continue;
            }
            expand(explorer, &ids, &mut edges)?;
            if explorer.stopped || explorer.ends_with_level {
                return Ok(Ended::Found);
            }
            if is_first && !self.goes_on(explorer.graph) {
                return Err(Limit::Interrupted.into());
            }
        }
    }
}

/// Expands states, and counts what is told of them. Those that it does not come to are given back.
fn expand(
    explorer: &mut Explorer<'_, '_, System<'_, SharedSession<'_>>>,
    ids: &[SystemId],
    edges: &mut Edges,
) -> Result<(), Stop> {
    let mut done = 0;
    while done < ids.len() {
        edges.clear();
        match explorer.graph.expand(&ids[done..], edges) {
            Ok(expanded) => {
                count(explorer, &ids[done..done + expanded], edges)?;
                done += expanded;
            }
            Err(stop) => {
                explorer.graph.session().put_back(&ids[done..])?;
                return Err(stop);
            }
        }
    }
    Ok(())
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
