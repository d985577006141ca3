//! One check on the product of a model and an automaton.

use lariat_automata::Label;
use lariat_checks::{Algorithm, Orders, StackProviso, check_strong, dispatch};
use lariat_core::lasso::Acceptance;
use lariat_core::{
    Automaton, Emptiness, FlatArena, Graph, Lasso, Limit, Marks, Outcome, Props, Stats,
    SystemStore, Word, headway, stop,
};
use lariat_model::interp::{FairMarks, Fairness, Fault};
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::ModelSteps;
use lariat_por::Looks;
use lariat_report::numbers::grouped;
use lariat_search::emptiness::streett::Condition;
use lariat_search::product::Product;
use lariat_search::proviso::Proviso;
use lariat_search::shortest::{Budget, shorten};
use lariat_store::Exact;
use lariat_system::{ReductionReport, Room, Stop, System, SystemGraph, with_room};

use super::plan::Method;
use super::run;
use super::search::{Found, Task};
use super::without_progress::WithoutProgress;
use crate::answer::{Inconclusive, LassoLength};
use crate::config::Config;
use crate::engine;
use crate::error::Error;
use crate::observer::Expansions;
use crate::order::Order;
use crate::reduction::Reduction;

/// Bytes of the edge cache, by measurement (`bench/RESULTS.md`): it pays where states are expanded
/// twice.
const EDGE_CACHE: usize = 256 << 20;

/// What the check of one product says.
pub(crate) struct ProductResult {
    pub(crate) found: Found,
    /// The run that was found stays inside an atomic sequence for ever.
    pub(crate) stays_inside: bool,
    pub(crate) system_states: usize,
    pub(crate) stats: Stats,
    /// The run that was found, in the product.
    pub(crate) lasso: Option<LassoLength>,
    /// Where nothing could be left out, if that was asked for.
    pub(crate) report: Option<ReductionReport>,
}

/// What is to be done with an automaton at hand.
pub(crate) struct ProductCheck<'a> {
    /// The given one, perhaps with shortcuts.
    pub(crate) model: &'a Model,
    pub(crate) task: Task<'a>,
    pub(crate) method: Method,
    /// Of a check; strong fairness and HPY Fig. 5 have searches of their own.
    pub(crate) orders: Option<Orders<'a>>,
    pub(crate) propositions: Vec<ExprId>,
    /// Of the automaton.
    pub(crate) labels: Vec<Label>,
    /// Whether steps may be left out.
    pub(crate) reduction: &'a Reduction,
    /// It is asked whether there is a weakly fair run, where a strongly fair one is looked for.
    pub(crate) is_for_strong: bool,
}

/// How far a search with numbers has come.
#[allow(clippy::large_enum_variant, reason = "there is one for a search")]
pub(crate) enum Searched<'m, S> {
    Done(Result<ProductResult, Error>),
    /// It has not decided within its budget. Whether an accepting component was met.
    Open(Box<System<'m, S>>, bool),
}

impl ProductCheck<'_> {
    pub(crate) fn run<A: Automaton + Sync>(
        self,
        automaton: &A,
        by: Acceptance,
    ) -> Result<ProductResult, Error> {
        let engine = &self.task.config.engine;
        let result = with_room(self.model, |room| match engine.system_store {
            engine::SystemStore::Tree => self.run_tree(automaton, by, room),
            engine::SystemStore::Flat => {
                let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
                self.run_whole(automaton, by, flat, room)
            }
        });
        result.unwrap_or_else(|stop| Err(Error::wrong_run(format!("{stop:?}"), None)))
    }

    /// With numbers at first, then on all threads without, if nobody needs the numbers; with numbers again if something is found.
    fn run_tree<A: Automaton + Sync>(
        &self,
        automaton: &A,
        by: Acceptance,
        room: Room,
    ) -> Result<Result<ProductResult, Error>, Stop> {
        let engine = &self.task.config.engine;
        if let Some(spread) = &engine.spread {
            return self.run_spread(automaton, by, room, spread);
        }
        match self.run_free(automaton, by, room)? {
            Some(result) => Ok(result),
            None => self.run_whole(automaton, by, |width| engine.tree(width), room),
        }
    }

    /// As far as it comes without numbers, after a beginning with them. None if that does not decide.
    fn run_free<A: Automaton + Sync>(
        &self,
        automaton: &A,
        by: Acceptance,
        room: Room,
    ) -> Result<Option<Result<ProductResult, Error>>, Stop> {
        let Some(sharing) = self.sharing() else { return Ok(None) };
        let tree = |width| self.task.config.engine.tree(width);
        match self.run_with(automaton, by, tree, room, Some(sharing.after))? {
            Searched::Done(result) => Ok(Some(result)),
            Searched::Open(system, is_met) => {
                let way = self.way(sharing.threads, is_met);
                Ok(self.run_shared(automaton, *system, room, (sharing, way))?.map(Ok))
            }
        }
    }

    /// That there is no accepting run, if that is found out without numbers.
    pub(crate) fn excludes<A: Automaton + Sync>(
        &self,
        automaton: &A,
        by: Acceptance,
    ) -> Option<ProductResult> {
        let found = with_room(self.model, |room| self.run_free(automaton, by, room)).ok()??.ok()?;
        matches!(found.found, Found::None).then_some(found)
    }

    pub(crate) fn run_whole<A: Automaton, S: SystemStore<Row = [Word]>>(
        &self,
        automaton: &A,
        by: Acceptance,
        store: impl FnOnce(usize) -> S,
        room: Room,
    ) -> Result<Result<ProductResult, Error>, Stop> {
        match self.run_with(automaton, by, store, room, None)? {
            Searched::Done(result) => Ok(result),
            Searched::Open(..) => unreachable!("there is no budget"),
        }
    }

    /// Whether propositions that cannot be evaluated matter to the automaton.
    pub(crate) fn matters(&self, undefined: Props, truth: Props) -> bool {
        self.labels.iter().any(|label| label.depends_on(undefined, truth))
    }

    /// The answer; a reason to stop is that there must be more room.
    pub(crate) fn run_with<A: Automaton, S: SystemStore<Row = [Word]>>(
        &self,
        automaton: &A,
        by: Acceptance,
        store: impl FnOnce(usize) -> S,
        room: Room,
        budget: Option<u64>,
    ) -> Result<Searched<'_, S>, Stop> {
        let Task { setup, finite_runs, fair, observer, config, .. } = self.task;
        let (model, processes) = (self.model, room.processes);
        let steps = match self.steps(automaton.mark_count(), room) {
            Ok(steps) => steps,
            Err(why) => return Ok(Searched::Done(Err(why.into()))),
        };
        let matters = |undefined: Props, truth: Props| self.matters(undefined, truth);
        let (reduced, candidates) = match self.proviso() {
            None => (self.sets(), None),
            Some(_) => (None, self.sets()),
        };
        let mut system = System::of_runs(model, steps, &self.propositions, matters, store)
            .with_limit(config.limits.memory)
            .with_edge_cache(self.edge_cache_bytes())
            .remembering_steps(config.engine.remember())
            .reduced_by(reduced, config.por_after)
            .with_candidates(candidates)
            .watched_by(|now| {
                observer.expanded(Expansions {
                    expanded: now.expanded,
                    system_states: Some(now.states),
                    memory: now.bytes as u64,
                    headway: headway::now(),
                });
                true
            });
        if self.method == Method::Direct || config.switches.no_remembered_propositions {
            system = system.keeping_valuations();
        }
        let mut round = 1;
        let (mut product, Outcome { verdict, stats }) = loop {
            let mut product = Product::new(&mut system, automaton, finite_runs);
            let outcome = match &self.orders {
                Some(orders) => match self.proviso() {
                    Some(proviso) => proviso.check(&mut product, setup),
                    None => {
                        orders.check(&mut product, budget, |most| self.remark_starts_again(most))
                    }
                },
                None if self.method == Method::Direct => {
                    dispatch::check_non_progress(&mut WithoutProgress(&mut product), setup)
                }
                None => {
                    let condition = condition(automaton.mark_count(), processes);
                    check_strong(&mut product, &condition, setup)
                }
            };
            if budget.is_some() && matches!(outcome.verdict, Emptiness::Inconclusive(Limit::Budget))
            {
                let is_met = product.has_met_acceptance();
                return Ok(Searched::Open(Box::new(system), is_met));
            }
            let is_empty = matches!(outcome.verdict, Emptiness::Empty { .. });
            // What was left out may hide a run.
            if is_empty && product.why_stopped().is_none() {
                let own = outcome.stats.bytes + outcome.stats.stack_bytes;
                if !product.fulfils(Proviso::EveryCycle, round, own as usize) {
                    round += 1;
                    continue;
                }
            }
            break (product, outcome);
        };
        let lasso = match &verdict {
            Emptiness::Found(lasso) => Some(self.checked(&mut product, lasso, by, processes)),
            _ => None,
        };
        let stopped = product.why_stopped();
        if let Some(widen @ Stop::Widen(_)) = stopped {
            return Err(widen);
        }
        let length = lasso.as_ref().and_then(|lasso| lasso.as_ref().ok()).map(LassoLength::of);
        let rows = match lasso {
            // If a limit is reached while it is replayed, there is no answer.
            Some(Err(_)) if stopped.is_some() => None,
            Some(Err(error)) => return Ok(Searched::Done(Err(error))),
            Some(Ok(lasso)) => Some(run::system_rows(&mut product, &lasso)),
            None => None,
        };
        let mut stays_inside = false;
        let found = match (verdict, rows, stopped) {
            (_, Some(rows), _) => {
                stays_inside = rows.stay_inside(model);
                match stop::undisturbed(|| run::claimed(model, fair, &rows)) {
                    Ok(run) => Found::Run(run),
                    Err(what) => return Ok(Searched::Done(Err(Error::wrong_run(what, None)))),
                }
            }
            (_, None, Some(Stop::Limit(limit))) => Found::Inconclusive(limit.into()),
            (_, None, Some(Stop::Fault(fault))) => Found::Inconclusive(told(model, fault)),
            (Emptiness::Inconclusive(limit), ..) => Found::Inconclusive(explain(limit)),
            _ => match system.dead_end() {
                Some(fault) => Found::Inconclusive(told(model, fault)),
                None => Found::None,
            },
        };
        let stats = Stats { bytes: stats.bytes + system.bytes() as u64, ..stats };
        let system_states = system.len();
        let report = if config.explains { system.explain_reduction() } else { None };
        let lasso = length;
        let result = ProductResult { found, stays_inside, system_states, stats, lasso, report };
        Ok(Searched::Done(Ok(result)))
    }

    fn remark_starts_again(&self, most: u64) {
        self.task.observer.remark(&format!(
            "{}: {}: not decided by the first {} states, depth first; starting again breadth \
             first, which is faster for all of them (--dfs goes on depth first)",
            self.model.name,
            self.task.property.name,
            grouped(most)
        ));
    }

    /// Steps of the model, with marks for fairness if only fair runs count.
    pub(crate) fn steps(
        &self,
        of_automaton: u32,
        Room { width, processes }: Room,
    ) -> Result<Box<dyn ModelSteps + '_>, String> {
        let Some(fair) = self.task.fair else {
            return Ok(self.task.config.engine.steps(self.model, width, &self.propositions, true));
        };
        enough_marks(fair.fairness, of_automaton, processes)?;
        let marks = FairMarks::new(fair.fairness, fair.to.clone(), processes);
        let engine = &self.task.config.engine;
        Ok(engine.fair_steps(self.model, width, &self.propositions, marks))
    }

    /// A proviso of the papers, if one decides what is left out.
    fn proviso(&self) -> Option<StackProviso> {
        match self.reduction {
            Reduction::MayMiss(proviso) => Some(*proviso),
            _ => None,
        }
    }

    /// Which steps may be left out. What the whole property looks at counts, not what this automaton does.
    pub(crate) fn sets(&self) -> Option<lariat_por::Reduction<'_>> {
        let Task { property, fair, .. } = self.task;
        let looks = Looks { propositions: &property.bound, fairness: fair.is_some() };
        let sets = || lariat_por::Reduction::new(self.model, looks).ok();
        self.reduction.is_used().then(sets).flatten()
    }

    /// How much of the successors of system states is kept.
    fn edge_cache_bytes(&self) -> usize {
        let Config { edge_cache, limits, .. } = self.task.config;
        let allowed = limits.memory.map_or(EDGE_CACHE, |limit| limit / 8);
        let usual = match self.method {
            Method::Check(algorithm) if algorithm.expands_again() => EDGE_CACHE.min(allowed),
            _ => 0,
        };
        edge_cache.unwrap_or(usual)
    }

    /// The lasso, replayed on the product, shorter if that was asked for.
    pub(super) fn checked<G: Graph<Batch = lariat_core::Fixed<2>>>(
        &self,
        product: &mut G,
        lasso: &Lasso,
        by: Acceptance,
        processes: u32,
    ) -> Result<Lasso, Error> {
        let wrong = |error| Error::wrong_run(format!("in the product, {error}"), None);
        // What was found is not lost because time is over by now.
        self.task.observer.found();
        match self.method {
            Method::Check(_) | Method::None => {
                stop::undisturbed(|| lasso.verify(product, by)).map_err(wrong)?;
            }
            // Labels are looked at by the judge.
            Method::Direct => {
                stop::undisturbed(|| lasso.replay(product)).map(drop).map_err(wrong)?;
            }
            Method::Strong => {
                let (marks, _) = stop::undisturbed(|| lasso.replay(product)).map_err(wrong)?;
                let of_automaton = product.mark_count() - 2 * processes;
                if !condition(of_automaton, processes).holds(marks) {
                    return Err(Error::wrong_run("in the product, it is not fair", None));
                }
            }
        }
        let is_nearest = self.method == Method::Check(Algorithm::Reach)
            && self.task.order == Order::BreadthFirst;
        let wants_shorter = self.task.setup.shortest && !is_nearest;
        if !matches!(self.method, Method::Check(_)) || !wants_shorter {
            return Ok(lasso.clone());
        }
        let store = &mut Exact::new(Vec::new());
        match shorten(product, store, lasso, by, Budget::default()) {
            // Cut by a limit: the run is as long as it was found.
            _ if product.stopped().is_some() => Ok(lasso.clone()),
            shorter => shorter.map_err(wrong),
        }
    }
}

/// The automaton's marks, and an answer to each process that asks.
fn condition(of_automaton: u32, processes: u32) -> Condition {
    let pair = |pid| (of_automaton + processes + pid, of_automaton + pid);
    Condition { all: Marks::all(of_automaton), pairs: (0..processes).map(pair).collect() }
}

/// Fairness needs marks for all processes.
fn enough_marks(fairness: Fairness, of_automaton: u32, processes: u32) -> Result<(), String> {
    let room = fairness.processes(Marks::MAX - of_automaton);
    if processes <= room {
        return Ok(());
    }
    Err(format!(
        "fairness is possible for {room} processes here ({} marks in all, {of_automaton} of them \
         for the property); this model has {processes} or more",
        Marks::MAX
    ))
}

/// Where no limit was given, and the system or the numbers of states set one.
pub(crate) const NO_MEMORY: &str = "there is no memory for more states";

/// Why a check was cut, if the system went on.
pub(crate) fn explain(limit: Limit) -> Inconclusive {
    match limit {
        Limit::Memory => Inconclusive::new(limit, NO_MEMORY),
        limit => limit.into(),
    }
}

/// A run-time error that some runs cannot get past, or a step that was not seen to its end.
pub(crate) fn told(model: &Model, fault: Fault) -> Inconclusive {
    let place = model.sources.location(fault.span);
    let place = place.map_or(String::new(), |place| format!(" at {place}"));
    match fault.kind {
        kind if kind.is_cut() => Inconclusive::new(Limit::EndlessStep, format!("{kind}{place}")),
        kind => {
            let why = format!("run-time error: {kind}{place}; what follows it has no meaning");
            Inconclusive::new(Limit::Fault, why)
        }
    }
}
