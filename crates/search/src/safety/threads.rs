//! Explorations on several threads. The first states are explored with numbers, by one thread: small models are done by then, and
//! for others it is known how to pack states. Then `shared` goes on.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use lariat_core::{Limit, SystemStore, headway, stop};
use lariat_model::interp::{Fault, Interp};
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_store::Tree;
use lariat_system::{Remember, Stop, System, with_room};

use super::breadth_first;
use super::explorer::Explorer;
use super::rows::outcome;
use super::shared::{Levels, Watch};
use super::{Exploration, ExploreOptions, Order, Progress, explore_rows};
use crate::team::{End, Team};

/// When states do without numbers, and who works on them.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// At least one.
    pub threads: usize,
    /// When there are so many states.
    pub after: u64,
}

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
        if options.reduces {
            // Small models are done with that, and those where reduction pays.
            let (max_states, allows_more_if_reduced) = (Some(sharing.after), true);
            let first = ExploreOptions { max_states, allows_more_if_reduced, ..options.clone() };
            let found = explore_rows(model, &first, &steps, &tree, watch)?;
            if found.limit != Some(Limit::States) {
                return Ok(found);
            }
        }
        let options = &ExploreOptions { reduces: false, ..options.clone() };
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
/// explanation of steps that are left out. (Where that pays, the proviso needs numbers: see above.)
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
    let mut system = System::of_states(model, steps(), true, |_| tree)
        .with_limit(options.max_memory)
        .remembering_steps(options.remember)
        .watched_by(|now| {
            let depth = depth.load(Relaxed);
            let (states, memory, headway) = (now.states, now.bytes, headway::now());
            told(Progress { states, depth, memory, headway })
        });
    let deeper = |levels| depth.store(levels, Relaxed);
    let mut explorer = Explorer::new(&mut system, model, options, &deeper);
    // If it cannot be done then, later.
    let mut after = sharing.after;
    let walked = breadth_first::explore(&mut explorer, |system, states| {
        let is_time = states > after;
        after = if is_time { after.saturating_mul(2) } else { after };
        is_time && system.store().can_be_shared()
    });
    let Ok(Some(position)) = walked else {
        let found = explorer.finish(walked.map(drop))?;
        return Ok(Some(with_executed(found, [system.steps()])));
    };
    let before = explorer.found;
    let (first, mut tree, remembered) = system.into_parts();
    let mut remember = remembered.remember();
    if !remembered.pays() {
        // The shape cannot change later: it is one for states that are expanded as a whole.
        tree.suit(&[]);
        remember = Remember::Never;
    }
    let limit = options.max_memory.unwrap_or(usize::MAX / 2);
    // There is no room for both.
    let Ok((mut shared, numbered)) = tree.shared(sharing.threads, limit) else { return Ok(None) };
    let all = [first].into_iter().chain((1..sharing.threads).map(|_| steps())).collect();
    let mut team = Team::new(&shared, all, remember, Exploration::default);
    let mut told = |now| told(now);
    let begins = (numbered, position);
    let levels = Levels::new(model, options, (limit, before.depth), begins, &mut told);
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

/// With what some of them have executed.
fn with_executed<'a>(
    found: Exploration,
    all: impl IntoIterator<Item = &'a (dyn ModelSteps + 'a)>,
) -> Exploration {
    let (mut executed, mut executed_in_d_steps) = (Vec::new(), Vec::new());
    for steps in all {
        join(&mut executed, steps.executed());
        let in_d_steps = steps.executed_in_d_steps();
        executed_in_d_steps.resize(in_d_steps.len().max(executed_in_d_steps.len()), Vec::new());
        executed_in_d_steps.iter_mut().zip(in_d_steps).for_each(|(all, more)| join(all, more));
    }
    Exploration { executed, executed_in_d_steps, ..found }
}

fn join(all: &mut Vec<bool>, more: &[bool]) {
    all.resize(all.len().max(more.len()), false);
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}

impl Exploration {
    /// With what another thread has counted.
    fn plus(mut self, other: &Exploration) -> Exploration {
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
