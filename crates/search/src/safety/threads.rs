//! Explorations on several threads. The first states are explored with numbers, by one thread: small models are done by then, and
//! for others it is known how to pack states. Then `shared` goes on.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use lariat_core::{SystemId, SystemStore, headway, stop};
use lariat_model::interp::{Fault, Interp};
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, Tree};
use lariat_system::{Edges, Remember, Sets, Stop, System, SystemGraph, with_room};

use super::breadth_first;
use super::explorer::Explorer;
use super::rows::{outcome, reduction};
use super::shared::{Begins, Levels, Watch};
use super::{Exploration, ExploreOptions, Order, Progress, explore_rows, repaired};
use crate::by_level;
use crate::team::{End, Team};

/// When states do without numbers, and who works on them.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// At least one.
    pub threads: usize,
    /// When there are so many states.
    pub after: u64,
}

/// A search that leaves out steps keeps numbers so many times longer: by then it was judged often enough whether that pays.
const LONGER_IF_REDUCED: u64 = 6;

/// As [`explore_rows`], but where nobody needs the numbers of states the search goes on without, on all threads.
/// All counts are the same. An error is told with a run to it only if the search stops there: then it is
/// looked for once more, with numbers.
pub fn explore_shared<'s>(
    model: &Model,
    options: &ExploreOptions,
    sharing: Sharing,
    steps: impl Fn(usize) -> Box<dyn ModelSteps + 's>,
    tree: impl Fn(usize) -> Tree,
    watch: Watch<'_>,
) -> Result<Exploration, Vec<Fault>> {
    if !needs_no_numbers(model, options) {
        return explore_rows(model, options, steps, tree, watch);
    }
    Interp::new(model).initial()?;
    let deadline = options.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    stop::within(deadline, || {
        let explored = with_room(model, |room| {
            explore(model, options, sharing, || steps(room.width), tree(room.width), watch)
        });
        match explored {
            Ok(Some(found)) => Ok(found),
            Ok(None) => explore_rows(model, options, &steps, &tree, watch),
            Err(stop) => outcome(Err(stop)),
        }
    })
}

/// Whether nobody asks for the number of a state: no hidden variables to go with it, no depth but that of levels, no
/// explanation of steps that are left out.
fn needs_no_numbers(model: &Model, options: &ExploreOptions) -> bool {
    options.order == Order::BreadthFirst
        && (options.hidden_is_state || model.hidden_size == 0)
        && !options.explains_reduction
        // What is counted with reduction depends on when it is given up.
        && (!options.reduces || options.stop_at_error)
        && !options.stop_at_fatal
        && options.max_depth.is_none()
        && options.max_states.is_none()
}

/// None if only a search with numbers can answer: there is an error to which the way is not known, or states do not fit.
fn explore<'s>(
    model: &Model,
    options: &ExploreOptions,
    sharing: Sharing,
    steps: impl Fn() -> Box<dyn ModelSteps + 's>,
    tree: Tree,
    watch: Watch<'_>,
) -> Result<Option<Exploration>, Stop> {
    let (watch, depth) = (Mutex::new(watch), AtomicU64::new(0));
    let told = |progress| (watch.lock().unwrap_or_else(PoisonError::into_inner))(progress);
    let sets = || options.reduces.then(|| reduction(model, options).ok()).flatten();
    let mut system = System::of_states(model, steps(), true, |_| tree)
        .with_limit(options.max_memory)
        .remembering_steps(options.remember)
        .reduced_by(sets(), options.reduces_after)
        .watched_by(|now| {
            let depth = depth.load(Relaxed);
            let (states, memory, headway) = (now.states, now.bytes, headway::now());
            told(Progress { states, depth, memory, headway })
        });
    let deeper = |levels| depth.store(levels, Relaxed);
    let mut explorer = Explorer::new(&mut system, model, options, &deeper);
    let walked = breadth_first::explore(&mut explorer, |system, states| {
        // One thread is faster with numbers.
        let enough = match sharing.threads {
            1 => u64::MAX,
            _ => sharing.after.saturating_mul(LONGER_IF_REDUCED),
        };
        let is_kept = options.reduces && system.reduces() && states <= enough;
        states > sharing.after && !is_kept
    });
    let Ok(Some(position)) = walked else {
        let own = explorer.own;
        let found = explorer.finish(walked.map(drop))?;
        let found = match found.first_error.is_some() || found.limit.is_some() {
            true => Some(found),
            // What was left out may hide an error.
            false => repaired(&mut system, model, options, found, own)?,
        };
        return Ok(found.map(|found| with_executed(found, [system.steps()])));
    };
    let mut before = explorer.found;
    // Those of which no way leads on are expanded once more, and their steps are counted then.
    let again = stuck(&mut system);
    let mut edges = Edges::default();
    for id in &again {
        system.expand(&[*id], &mut edges)?;
    }
    before.transitions -= edges.ids.len() as u64;
    before.atomic_steps -= edges.atomic_steps;
    let left_out = system.left_out().map(std::mem::take).unwrap_or_default();
    let reduces = options.reduces && system.reduces();
    let (first, mut tree, remembered) = system.into_parts();
    let mut remember = remembered.remember();
    if !remembered.pays() {
        // The shape cannot change later: it is one for states that are expanded as a whole.
        tree.suit(&[]);
        remember = Remember::Never;
    }
    let limit = options.max_memory.unwrap_or(usize::MAX / 2);
    // There is no room for both.
    let keys = if reduces { Keys::with_payload(by_level::BITS) } else { Keys::ROOTS };
    let Some((mut shared, numbered)) = tree.shared(keys, sharing.threads, limit) else {
        return Ok(None);
    };
    let all = [first].into_iter().chain((1..sharing.threads).map(|_| steps())).collect();
    let mut team = Team::new(&shared, all, remember, Exploration::default)
        .choosing_by(|| sets().filter(|_| reduces).and_then(Sets::new));
    let mut told = |now| told(now);
    let begins = Begins { numbered, position, left_out, again };
    let levels = Levels::new(model, (options, reduces), (limit, before.depth), begins, &mut told);
    let end = team.work(&levels, &mut shared);
    let mut found = team.owns().fold(before, |sum, own| sum.plus(own));
    found.states = shared.len() as u64;
    found.depth = levels.depth.load(Relaxed);
    found.matched = (found.transitions + 1).saturating_sub(found.states);
    found.memory = shared.bytes();
    match end {
        End::Done => {}
        End::Found | End::Unfit => return Ok(None),
        End::Stopped(widen @ Stop::Widen(_)) => return Err(widen),
        End::Stopped(stop) => found.limit = Some(stop.limit()),
    }
    Ok(Some(with_executed(found, team.steps())))
}

/// Reduced states that lead to no later one, so that all they lead to may lead back to them.
fn stuck(system: &mut System<'_, Tree>) -> Vec<SystemId> {
    let Some(left_out) = system.left_out() else { return Vec::new() };
    let next = |&id: &SystemId| left_out.next_stuck(id + 1);
    std::iter::successors(left_out.next_stuck(0), next).collect()
}

/// With what some of them have executed.
fn with_executed<'a>(
    mut found: Exploration,
    all: impl IntoIterator<Item = &'a (dyn ModelSteps + 'a)>,
) -> Exploration {
    for steps in all {
        found.note_executed(steps.executed(), steps.executed_in_d_steps());
    }
    found
}

fn join(all: &mut Vec<bool>, more: &[bool]) {
    all.resize(all.len().max(more.len()), false);
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}

impl Exploration {
    /// Adds what a thread has executed.
    pub(crate) fn note_executed(&mut self, executed: &[bool], in_d_steps: &[Vec<bool>]) {
        join(&mut self.executed, executed);
        let all = &mut self.executed_in_d_steps;
        all.resize(in_d_steps.len().max(all.len()), Vec::new());
        all.iter_mut().zip(in_d_steps).for_each(|(all, more)| join(all, more));
    }

    /// With what another thread has counted.
    pub(crate) fn plus(mut self, other: &Exploration) -> Exploration {
        self.transitions += other.transitions;
        self.atomic_steps += other.atomic_steps;
        self.deadlocks += other.deadlocks;
        for (&kind, count) in &other.errors {
            *self.errors.entry(kind).or_default() += count;
        }
        self.limit = self.limit.or(other.limit);
        self
    }
}
