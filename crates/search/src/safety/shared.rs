//! Breadth first on several threads, over states without numbers (see `team`).
//!
//! Each thread takes states of the level at hand, expands them, and adds what is new to the set of all states and to the next
//! level. All meet at the end of a level, so a level is complete before the next one begins, and every count is the
//! same for any number of threads: each state is new once and expanded once. Where steps are left out, `by_level` decides which states
//! are expanded fully, which depends on complete levels only.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use lariat_core::{Limit, SystemId, headway};
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_store::{Numbered, SharedSession};
use lariat_system::{Edges, LeftOut, Stop, System, SystemGraph};

use super::breadth_first::Position;
use super::explorer::Explorer;
use super::{ErrorKind, Exploration, ExploreOptions, Progress};
use crate::by_level::{are_enough, born, expanded, leads_on};
use crate::proviso::Proviso;
use crate::team::{Desk, Ended, Talk, Work};

/// States that a thread takes at once.
const TAKEN: usize = 256;

/// Told now and then; false ends the search.
pub(super) type Watch<'a> = &'a mut (dyn FnMut(Progress) -> bool + Send);

/// The states with numbers, from which it goes on.
pub(super) struct Begins {
    pub(super) numbered: Numbered,
    pub(super) position: Position,
    /// Which of them were reduced, and those that must be expanded once more.
    pub(super) left_out: LeftOut,
    pub(super) again: Vec<SystemId>,
}

/// The search as all threads see it.
pub(super) struct Levels<'o, 's> {
    model: &'s Model,
    options: &'o ExploreOptions,
    /// Steps are left out.
    reduces: bool,
    /// Bytes of all structures.
    limit: usize,
    /// The level at hand, and how many states it has.
    pub(super) depth: AtomicU64,
    level: AtomicUsize,
    /// Until all of these states are there.
    begins: Mutex<Option<Begins>>,
    has_begun: AtomicBool,
    watch: Mutex<Watch<'o>>,
}

impl<'o, 's> Levels<'o, 's> {
    pub(super) fn new(
        model: &'s Model,
        (options, reduces): (&'o ExploreOptions, bool),
        (limit, depth): (usize, u64),
        begins: Begins,
        watch: Watch<'o>,
    ) -> Self {
        Levels {
            model,
            options,
            reduces,
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
        if let Some(Begins { numbered, position, left_out, again }) = begins {
            let level = self.depth.load(Relaxed);
            let Position { expanded: done, level_end } = position;
            // The level of an expanded state is not known, but which of them are full is settled.
            let payload = |id: usize| match self.reduces {
                false => 0,
                true if id < done => {
                    expanded(level.wrapping_sub(1), !left_out.is_reduced(id as SystemId))
                }
                true => born(level + u64::from(id >= level_end)),
            };
            session.enter(numbered, (done, level_end), &again, payload)?;
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

    /// Those that were taken are given back.
    fn keeps_states(&self) -> bool {
        false
    }

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
        let (mut ids, mut block) = (Vec::with_capacity(TAKEN), Block::default());
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
            let expanded = self.expand(explorer, &ids, &mut block);
            // First of all: who goes on after a stop has forgotten that an error was found before it.
            if explorer.stopped || explorer.ends_with_level {
                return Ok(Ended::Found);
            }
            expanded?;
            if is_first && !self.goes_on(explorer.graph) {
                return Err(Limit::Interrupted.into());
            }
        }
    }
}

/// What a thread knows of some states.
#[derive(Default)]
struct Block {
    edges: Edges,
    /// By successor: whether it leads on.
    leads_on: Vec<bool>,
    /// By bits, which states must be expanded fully; these, and their successors.
    refuted: u64,
    full: Vec<SystemId>,
    more: Edges,
}

impl<'s> Levels<'_, 's> {
    /// Expands states, and counts what is told of them. Those that it does not come to are given back.
    fn expand(
        &self,
        explorer: &mut Explorer<'_, 's, System<'s, SharedSession<'_>>>,
        ids: &[SystemId],
        block: &mut Block,
    ) -> Result<(), Stop> {
        let mut done = 0;
        while done < ids.len() {
            let expanded = match self.reduces {
                false => {
                    block.edges.clear();
                    explorer.graph.expand(&ids[done..], &mut block.edges)
                }
                true => self.expand_by_level(explorer.graph, &ids[done..], block),
            };
            match expanded {
                Ok(expanded) => {
                    let some = &ids[done..done + expanded];
                    count(explorer, some, &block.edges, block.refuted)?;
                    if block.refuted != 0 {
                        count(explorer, &block.full, &block.more, 0)?;
                    }
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

    /// Expands the first of these states, and fully those whose successors do not lead on; how many.
    fn expand_by_level(
        &self,
        system: &mut System<'s, SharedSession<'_>>,
        ids: &[SystemId],
        block: &mut Block,
    ) -> Result<usize, Stop> {
        let Block { edges, leads_on: leads, refuted, full, more } = block;
        let level = self.depth.load(Relaxed);
        edges.clear();
        let done = system.expand(ids, edges)?;
        let reduced = system.reduced_sources();
        leads.clear();
        leads.resize(edges.ids.len(), true);
        let of_new = |_: usize, known: Option<u64>| known.unwrap_or(born(level + 1));
        system.session().update(&edges.ids, of_new, |at, known| {
            leads[at] = leads_on(level, known);
            known.is_none()
        })?;
        (*refuted, _) = (0, full.clear());
        for source in (0..done).filter(|source| reduced >> source & 1 == 1) {
            if !are_enough(Proviso::WayOut, leads[edges.of(source)].iter().copied()) {
                *refuted |= 1 << source;
                full.push(ids[source]);
            }
        }
        if *refuted != 0 {
            more.clear();
            while more.sources() < full.len() {
                system.expand_fully(&full[more.sources()..], more)?;
            }
            system.session().update(&more.ids, of_new, |_, known| known.is_none())?;
        }
        let is_full = !reduced | *refuted;
        system.session().change(
            &ids[..done],
            |at, _| expanded(level, is_full >> at & 1 == 1),
            |_, _| false,
        )?;
        Ok(done)
    }
}

/// Counts what is told of some states, but for those that these bits name.
fn count<G: SystemGraph>(
    explorer: &mut Explorer<'_, '_, G>,
    ids: &[SystemId],
    edges: &Edges,
    but: u64,
) -> Result<(), Stop> {
    let counts = |source: usize| but >> source & 1 == 0;
    explorer.found.transitions += match but {
        0 => edges.ids.len() as u64,
        _ => (0..ids.len()).filter(|&at| counts(at)).map(|at| edges.of(at).len() as u64).sum(),
    };
    explorer.found.atomic_steps += edges.atomic_steps;
    for &source in edges.blocked.iter().filter(|&&source| counts(source)) {
        explorer.note_blocked(ids[source], Vec::new);
    }
    for found in edges.faults.iter().filter(|found| counts(found.source)) {
        if !explorer.options.ignores(found.fault.fault) {
            explorer.error(ErrorKind::Fault(found.fault.fault), &found.fault.moves, Vec::new);
        }
    }
    if !explorer.options.conditions.is_empty() {
        for (_, &id) in ids.iter().enumerate().filter(|&(at, _)| counts(at)) {
            explorer.check_conditions(id, Vec::new)?;
        }
    }
    Ok(())
}
