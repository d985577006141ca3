//! One check on the product of a model and an automaton in bounded memory: rows, and no ids.

use std::sync::atomic::{AtomicBool, Ordering};

use lariat_checks::{Algorithm, Setup, check_rows};
use lariat_core::lasso::Acceptance;
use lariat_core::{Automaton, Emptiness, Limit, Outcome, Props, Stats, headway, stop};
use lariat_search::bounded::coverage::Coverage;
use lariat_search::bounded::product::RowProduct;
use lariat_store::{BitstateOptions, Scratch};
use lariat_system::{Room, Stop, System, SystemGraph, with_room};

use super::plan::Method;
use super::product::{ProductCheck, ProductResult, explain, told};
use super::run;
use super::search::{Found, Task};
use crate::bounded::{Bounded, Covered, Keep, Member, swarm};
use crate::error::Error;
use crate::observer::Expansions;

/// What one search says.
type Searched = Result<ProductResult, Error>;

impl ProductCheck<'_> {
    /// As `run`, in bounded memory.
    pub(super) fn run_bounded<A: Automaton + Sync>(
        &self,
        bounded: &Bounded,
        automaton: &A,
        by: Acceptance,
    ) -> Result<(ProductResult, Covered), Error> {
        let Method::Check(algorithm) = self.method else {
            unreachable!("refused before: only checks have other stores")
        };
        let goes_on = AtomicBool::new(true);
        let run = |member: Member| self.run_member(algorithm, automaton, by, member, &goes_on);
        let has_found = |result: &Searched| match result {
            Ok(result) => matches!(result.found, Found::Run(_)),
            Err(_) => true,
        };
        if let Some(wanted) = bounded.swarm {
            let threads = self.task.config.engine.threads;
            let together =
                swarm::run(wanted, bounded, &goes_on, threads, run, |(r, _)| has_found(r));
            let (result, _) = together.answer.expect("at least one search");
            let mut result = result?;
            if !matches!(result.found, Found::Run(_)) {
                let limit = stop::asked().unwrap_or(Limit::Lossy);
                result.found = Found::Inconclusive(together.covered.why(limit));
            }
            return Ok((result, together.covered));
        }
        let mut whole: Option<(ProductResult, Covered)> = None;
        for member in bounded.members() {
            let (result, covered) = run(member);
            let result = result?;
            let ends = match &result.found {
                Found::Run(_) | Found::None => true,
                Found::Inconclusive(why) => why.limit.ends_search(),
            };
            whole = Some(match whole {
                None => (result, covered),
                Some((best, before)) => {
                    let is_better = ends || result.stats.states > best.stats.states;
                    (if is_better { result } else { best }, before.and(covered))
                }
            });
            if ends {
                break;
            }
        }
        let (mut result, covered) = whole.expect("at least one search");
        if let Found::Inconclusive(why) = &mut result.found
            && matches!(why.limit, Limit::Lossy | Limit::Depth | Limit::Time | Limit::Memory)
        {
            *why = covered.why(why.limit);
        }
        Ok((result, covered))
    }

    fn run_member<A: Automaton>(
        &self,
        algorithm: Algorithm,
        automaton: &A,
        by: Acceptance,
        member: Member,
        goes_on: &AtomicBool,
    ) -> (Searched, Covered) {
        let mut covered = Covered::default();
        let part = with_room(self.model, |room| {
            let setup = Bounded::setup(&member, self.task.setup, room.width + 1);
            let part = self.run_in(algorithm, automaton, by, member, &setup, room, goes_on)?;
            if let Ok(result) = &part {
                covered = covers(algorithm, &member, &setup, result.stats.states);
            }
            Ok(part)
        });
        let part = part.unwrap_or_else(|stop| Err(Error::wrong_run(format!("{stop:?}"), None)));
        (part, covered)
    }

    /// The answer; a reason to stop is that there must be more room.
    #[expect(clippy::too_many_arguments, reason = "all that one search is about")]
    fn run_in<A: Automaton>(
        &self,
        algorithm: Algorithm,
        automaton: &A,
        by: Acceptance,
        member: Member,
        setup: &Setup,
        room: Room,
        goes_on: &AtomicBool,
    ) -> Result<Searched, Stop> {
        let Task { finite_runs, fair, observer, config, .. } = self.task;
        let (model, width) = (self.model, room.width);
        let steps = match self.steps(automaton.mark_count(), room) {
            Ok(steps) => steps,
            Err(why) => return Ok(Err(why.into())),
        };
        let matters = |undefined: Props, truth: Props| {
            self.labels.iter().any(|label| label.depends_on(undefined, truth))
        };
        let mut system = System::of_runs(model, steps, &self.propositions, matters, Scratch::new)
            .with_limit(config.limits.memory)
            .reduced_by(member.reduces_runs.then(|| self.sets()).flatten(), Some(u64::MAX))
            .watched_by(|now| {
                observer.expanded(Expansions {
                    expanded: now.expanded,
                    system_states: None,
                    memory: now.bytes as u64,
                    headway: headway::now(),
                });
                goes_on.load(Ordering::Relaxed)
            });
        let mut product =
            RowProduct::new(&mut system, automaton, finite_runs, width, member.shuffle);
        let product_width = product.width();
        let Outcome { verdict, stats } = check_rows(&mut product, product_width, algorithm, setup);
        let stopped = product.why_stopped();
        if let Some(widen @ Stop::Widen(_)) = stopped {
            return Err(widen);
        }
        let mut stays_inside = false;
        let found = match (verdict, stopped) {
            (Emptiness::Found(lasso), _) => {
                observer.found();
                // What was found is not lost because time is over by now.
                if let Err(error) = stop::undisturbed(|| lasso.verify(&mut product, by)) {
                    let what = format!("in the product, {error}");
                    return Ok(Err(Error::wrong_run(what, None)));
                }
                let rows = run::SystemRows::of_whole_rows(&lasso, width);
                stays_inside = rows.stay_inside(model);
                match stop::undisturbed(|| run::claimed(model, fair, &rows)) {
                    Ok(run) => Found::Run(run),
                    Err(what) => return Ok(Err(Error::wrong_run(what, None))),
                }
            }
            (_, Some(Stop::Limit(limit))) => Found::Inconclusive(limit.into()),
            (_, Some(Stop::Fault(fault))) => Found::Inconclusive(told(model, fault)),
            (Emptiness::Inconclusive(limit), _) => Found::Inconclusive(explain(limit)),
            _ => match system.dead_end() {
                Some(fault) => Found::Inconclusive(told(model, fault)),
                None => Found::None,
            },
        };
        let stats = Stats { bytes: stats.bytes + system.bytes() as u64, ..stats };
        Ok(Ok(ProductResult {
            found,
            stays_inside,
            system_states: 0,
            stats,
            lasso: None,
            report: None,
        }))
    }
}

/// What a search of so many states has covered.
fn covers(algorithm: Algorithm, member: &Member, setup: &Setup, states: u64) -> Covered {
    let coverage = match member.keep {
        Keep::Bits { .. } => {
            let BitstateOptions { log_bits, functions, .. } = setup.bitstate();
            // Two sets side by side for searches that are nested.
            let sets = 1 + u32::from(algorithm.expands_again());
            Some(Coverage::expected(states, (1 << log_bits) / u64::from(sets), functions))
        }
        Keep::Prints { bits } => Some(Coverage::of_fingerprints(states, bits - 4)),
        Keep::Cache { .. } => None,
    };
    Covered { coverage, ..Covered::default() }
}
