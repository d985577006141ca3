//! Explorations of a model: its system is made here, with rows as wide as they must be.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use lariat_core::{FlatArena, Headway, SystemStore, Word, headway, stop};
use lariat_model::interp::{Fault, Interp, ModelSpace};
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::ModelSteps;
use lariat_por::{Looks, Reason, Reduction};
use lariat_store::Exact;
use lariat_system::{Stop, System, with_room};

use super::{Exploration, ExploreOptions, explore_system};

/// Progress of a running exploration.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States so far.
    pub states: u64,
    /// The depth so far.
    pub depth: u64,
    /// Bytes of the states.
    pub memory: usize,
    /// Where it is.
    pub headway: Headway,
}

/// Explores everything that can be reached, with the interpreter and a plain store.
pub fn explore(model: &Model, options: &ExploreOptions) -> Result<Exploration, Vec<Fault>> {
    let conditions: Vec<ExprId> = options.conditions.iter().map(|found| found.expr).collect();
    explore_rows(
        model,
        options,
        |width| Box::new(ModelSpace::new(model, width, conditions.clone())),
        |width| Exact::<u32, _>::new(FlatArena::new(width)),
        &mut |_| true,
    )
}

/// Which steps may be left out without losing an error, or why none.
pub fn reduction<'m>(model: &'m Model, options: &ExploreOptions) -> Result<Reduction<'m>, Reason> {
    let conditions: Vec<ExprId> = options.conditions.iter().map(|found| found.expr).collect();
    Reduction::new(model, Looks { propositions: &conditions, fairness: false })
}

/// Whether steps may be left out without losing an error, or why not.
pub fn may_reduce(model: &Model, options: &ExploreOptions) -> Result<(), Reason> {
    let conditions: Vec<ExprId> = options.conditions.iter().map(|found| found.expr).collect();
    Reduction::check(model, Looks { propositions: &conditions, fairness: false })
}

/// As [`explore`], with steps and a store for rows of the given width. The propositions of the
/// steps are the conditions of the options. `watch` is called now and then and stops the search
/// by `false`. Faults of initialisers are errors: there is no state then.
pub fn explore_rows<'s, S: SystemStore<Row = [Word]>>(
    model: &Model,
    options: &ExploreOptions,
    mut steps: impl FnMut(usize) -> Box<dyn ModelSteps + 's>,
    mut store: impl FnMut(usize) -> S,
    watch: &mut (dyn FnMut(Progress) -> bool + Send),
) -> Result<Exploration, Vec<Fault>> {
    Interp::new(model).initial()?;
    let deadline = options.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let explored = stop::within(deadline, || {
        with_room(model, |room| {
            let depth = AtomicU64::new(0);
            let steps = steps(room.width);
            let is_whole = options.hidden_is_state || model.hidden_size == 0;
            let reduction = (options.reduces && is_whole).then(|| reduction(model, options).ok());
            let mut system = System::of_states(model, steps, options.hidden_is_state, &mut store)
                .with_limit(options.max_memory)
                .remembering_steps(options.remember)
                .reduced_by(reduction.flatten(), options.reduces_after)
                .watched_by(|now| {
                    let depth = depth.load(Ordering::Relaxed);
                    let (states, memory, headway) = (now.states, now.bytes, headway::now());
                    watch(Progress { states, depth, memory, headway })
                });
            let found = explore_system(&mut system, model, options, |deeper| {
                depth.store(deeper, Ordering::Relaxed);
            })?;
            let executed = system.steps().executed().to_vec();
            let executed_in_d_steps = system.steps().executed_in_d_steps().to_vec();
            let reduction =
                if options.explains_reduction { system.explain_reduction() } else { None };
            Ok(Exploration { executed, executed_in_d_steps, reduction, ..found })
        })
    });
    outcome(explored)
}

/// What was found, or the fault that is before the first state.
pub(super) fn outcome(explored: Result<Exploration, Stop>) -> Result<Exploration, Vec<Fault>> {
    explored.or_else(|stop| match stop {
        Stop::Limit(limit) => Ok(Exploration { limit: Some(limit), ..Exploration::default() }),
        Stop::Fault(fault) => Err(vec![fault]),
        Stop::Widen(_) => unreachable!("with_room widens"),
    })
}
