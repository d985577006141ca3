//! States in bounded memory.

use std::sync::atomic::{AtomicBool, Ordering};

use lariat_core::{Limit, headway};
use lariat_model::interp::{Fault, Interp};
use lariat_model::ir::{ExprId, Model};
use lariat_search::bounded::coverage::Coverage;
use lariat_search::bounded::{explore as explore_bounded, explore_threads};
use lariat_search::safety::{Exploration, ExploreOptions, Order, Progress, reduction};
use lariat_store::{Bits, Fingerprints, Scratch, StateCache};
use lariat_system::{Stop, System, with_room};

use super::{Bounded, Covered, Keep, Member, swarm};
use crate::config::Config;
use crate::observer::Observer;

/// Looks for a first error. Faults of initialisers are errors: there is no state then.
pub(crate) fn explore(
    bounded: &Bounded,
    config: &Config,
    model: &Model,
    options: &ExploreOptions,
    observer: &dyn Observer,
) -> Result<(Exploration, Covered), Vec<Fault>> {
    Interp::new(model).initial()?;
    let search = Search { config, model, options, observer };
    if let Some(wanted) = bounded.swarm {
        let goes_on = AtomicBool::new(true);
        let run = |member: Member| search.run(member, &goes_on);
        let swarm =
            swarm::run(wanted, bounded, &goes_on, config.engine.threads, run, |(found, _)| {
                found.as_ref().is_ok_and(|found| found.first_error.is_some())
            });
        return swarm.into_answer();
    }
    let mut whole: Option<(Exploration, Covered)> = None;
    for member in bounded.members() {
        let (found, covered) = search.run(member, &AtomicBool::new(true));
        let found = found?;
        let ends = found.first_error.is_some() || found.limit.is_none_or(Limit::ends_search);
        let states = found.states;
        whole = Some(match whole {
            None => (found, covered),
            Some((best, before)) => {
                let best = if ends || states > best.states { found } else { best };
                (best, before.and(covered))
            }
        });
        if ends {
            break;
        }
    }
    Ok(whole.expect("at least one search"))
}

struct Search<'a> {
    config: &'a Config,
    model: &'a Model,
    options: &'a ExploreOptions,
    observer: &'a dyn Observer,
}

impl Search<'_> {
    /// One search. `goes_on` ends it by false.
    fn run(
        &self,
        member: Member,
        goes_on: &AtomicBool,
    ) -> (Result<Exploration, Vec<Fault>>, Covered) {
        let Search { config, model, observer, .. } = *self;
        let max_depth = match (self.options.max_depth, member.depth) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let options = &ExploreOptions { max_depth, ..self.options.clone() };
        let conditions: Vec<ExprId> = options.conditions.iter().map(|found| found.expr).collect();
        let mut covered = Covered::default();
        let explored = with_room(model, |room| {
            let steps = || config.engine.steps(model, room.width, &conditions, false);
            let sets = || reduction(model, options).ok();
            let sets = options.reduces.then(sets).flatten();
            let mut system = System::of_states(model, steps(), true, Scratch::new)
                .reduced_by(sets, Some(u64::MAX));
            let system = &mut system;
            let mut told = |states, depth, memory| {
                let headway = headway::now();
                observer.explored(Progress { states, depth, memory, headway });
                goes_on.load(Ordering::Relaxed)
            };
            let told = &mut told;
            let shuffle = member.shuffle;
            match member.keep {
                Keep::Bits { log_bits, functions } => {
                    let bits = &mut Bits::try_side_by_side(1, log_bits, functions, member.seed)?;
                    let found = match options.order {
                        Order::BreadthFirst => {
                            let threads = config.engine.sharing().map_or(1, |all| all.threads);
                            let system = || System::of_states(model, steps(), true, Scratch::new);
                            let mut all: Vec<_> = (0..threads).map(|_| system()).collect();
                            let bits = bits.shared();
                            explore_threads(&mut all, room.width, model, options, &bits, told)?
                        }
                        Order::DepthFirst => {
                            explore_bounded(system, model, options, bits, shuffle, told)?
                        }
                    };
                    let coverage = Coverage::of_bits(found.states, bits.filling(), functions);
                    covered.coverage = Some(coverage);
                    Ok(found)
                }
                Keep::Prints { bits } => {
                    let prints = &mut Fingerprints::new(bits, member.seed);
                    let found = explore_bounded(system, model, options, prints, shuffle, told)?;
                    let coverage = Coverage::of_fingerprints(found.states, prints.width());
                    covered.coverage = Some(coverage);
                    Ok(found)
                }
                Keep::Cache { bytes, policy } => {
                    let cache =
                        &mut StateCache::new(config.engine.tree(room.width), bytes, policy)?;
                    let found = explore_bounded(system, model, options, cache, shuffle, told)?;
                    covered.cache = Some((cache.places() as u64, cache.forgotten()));
                    Ok(found)
                }
            }
        });
        let found = explored.or_else(|stop| match stop {
            Stop::Limit(limit) => Ok(Exploration { limit: Some(limit), ..Exploration::default() }),
            Stop::Fault(fault) => Err(vec![fault]),
            Stop::Widen(_) => unreachable!("with_room widens"),
        });
        (found, covered)
    }
}
