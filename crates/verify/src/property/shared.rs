//! A product on all threads, without numbers of states.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use lariat_checks::Algorithm;
use lariat_core::{Automaton, Emptiness, Props, headway};
use lariat_search::product::shared::{By, SharedOutcome, SharedProduct, Way};
use lariat_search::safety::Sharing;
use lariat_store::Tree;
use lariat_system::{Progress, Room, Sets, Stop, System};

use super::plan::Method;
use super::product::{ProductCheck, ProductResult, explain, told};
use super::search::Found;
use crate::config::ProductSwitches;
use crate::observer::Expansions;

/// So many threads are faster by elimination than one depth first.
const ENOUGH_FOR_WEAK: usize = 2;
const ENOUGH_FOR_MARKS: usize = 3;
/// So many are if few states are behind acceptance.
const ENOUGH_FOR_FEW_MARKS: usize = 2;

impl ProductSwitches {
    /// Which search of all threads was asked for, and by which option.
    pub(super) fn asked_for(&self) -> Result<Option<(By, &'static str)>, String> {
        let all = [
            (self.elimination, By::Owcty, "--elimination"),
            (self.cndfs, By::Cndfs, "--cndfs"),
            (self.ufscc, By::Ufscc, "--ufscc"),
        ];
        let mut asked = all.into_iter().filter(|(is_asked, ..)| *is_asked);
        let first = asked.next().map(|(_, by, option)| (by, option));
        match (first, asked.next()) {
            (Some((_, one)), Some((.., other))) => Err(format!("{one} does not go with {other}")),
            _ => Ok(first),
        }
    }
}

impl ProductCheck<'_> {
    /// Who works on it after how many states, if nobody needs the numbers of states: no order, no store and no check was asked for, no
    /// proviso of the papers, and nothing is to be said of what was left out.
    pub(crate) fn sharing(&self) -> Option<Sharing> {
        let config = self.task.config;
        let is_free = self.orders.as_ref().is_some_and(|orders| orders.are_free());
        let explains = config.explains && self.reduction.is_used();
        let needs_no_numbers = is_free && config.por_proviso.is_none() && !explains;
        config.engine.sharing().filter(|_| needs_no_numbers && self.way(1, true).is_some())
    }

    /// How an accepting run is looked for without numbers. `is_met`: an accepting component was met.
    pub(crate) fn way(&self, threads: usize, is_met: bool) -> Option<Way> {
        // By measurement (bench/cores.md): depth first, a state is expanded once.
        let asked = self.task.config.switches.asked_for().ok().flatten().map(|(by, _)| by);
        let by = |enough| asked.or((threads >= enough).then_some(By::Owcty));
        match self.method {
            Method::Check(Algorithm::Reach) => Some(Way::Before),
            Method::Check(Algorithm::Sd) => {
                Some(Way::Weak { is_unmet: !is_met, by: by(ENOUGH_FOR_WEAK) })
            }
            Method::Check(Algorithm::Dijkstra) => {
                // What it saves is a product with all its edges in memory.
                let enough = if self.is_for_strong { 1 } else { ENOUGH_FOR_FEW_MARKS };
                let only_few = asked.is_none() && !self.is_for_strong && threads < ENOUGH_FOR_MARKS;
                Some(Way::Marks { by: by(enough), only_few })
            }
            _ => None,
        }
    }

    /// Goes on without numbers, from the initial states. None if a search with numbers must say more: a run was found, or is not excluded; states do not fit;
    /// or leaving steps out pays, and there is one thread, which is faster with numbers.
    pub(crate) fn run_shared<A: Automaton + Sync>(
        &self,
        automaton: &A,
        system: System<'_, Tree>,
        room: Room,
        (sharing, way): (Sharing, Option<Way>),
    ) -> Result<Option<ProductResult>, Stop> {
        let reduces = !system.has_given_up_reduction();
        let Some(way) = way.filter(|_| !reduces || sharing.threads > 1) else {
            return Ok(None);
        };
        let (first, tree, remembered) = system.into_parts();
        let others = (1..sharing.threads).map(|_| self.steps(automaton.mark_count(), room));
        let Ok(others) = others.collect::<Result<Vec<_>, _>>() else { return Ok(None) };
        let steps = [first].into_iter().chain(others).collect();
        let config = self.task.config;
        let observer = self.task.observer;
        let watch = &mut |now: Progress| {
            observer.expanded(Expansions {
                expanded: now.expanded,
                system_states: None,
                memory: now.bytes as u64,
                headway: headway::now(),
            });
            true
        };
        let matters = |undefined: Props, truth: Props| self.matters(undefined, truth);
        let sets = || self.sets().filter(|_| reduces).and_then(Sets::new);
        let product = SharedProduct {
            model: self.model,
            automaton,
            propositions: &self.propositions,
            matters: &matters,
            evaluates_all: config.switches.no_remembered_propositions,
            finite_runs: self.task.finite_runs,
            limit: config.limits.memory,
            remember: remembered.remember(),
            sets: &sets,
            watch: Mutex::new(watch),
            expanded: AtomicU64::new(0),
        };
        let Some(outcome) = product.check(way, tree, steps) else { return Ok(None) };
        let SharedOutcome { verdict, stopped, stats, system_states, dead_end } = outcome;
        let found = match (verdict, stopped) {
            (None, _) => return Ok(None),
            (_, Some(widen @ Stop::Widen(_))) => return Err(widen),
            (_, Some(Stop::Limit(limit))) => Found::Inconclusive(limit.into()),
            (_, Some(Stop::Fault(fault))) => Found::Inconclusive(told(self.model, fault)),
            (Some(Emptiness::Inconclusive(limit)), _) => Found::Inconclusive(explain(limit)),
            _ => match dead_end {
                Some(fault) => Found::Inconclusive(told(self.model, fault)),
                None => Found::None,
            },
        };
        let (stays_inside, lasso, report) = (false, None, None);
        Ok(Some(ProductResult { found, stays_inside, system_states, stats, lasso, report }))
    }
}
