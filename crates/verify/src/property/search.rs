//! The product of a model and a property, and the checks that run on it.

use lariat_automata::{Label, Tgba, classify, compile};
use lariat_checks::{Algorithm, Choice, Plan, Setup, choose, dispatch};
use lariat_core::lasso::Acceptance;
use lariat_core::{
    Automaton, FlatArena, Graph, Lasso, Limit, Marks, Outcome, Props, Stats, SystemStore, Verdict,
    Word, makes_mistake, stop,
};
use lariat_model::interp::{Fairness, Fault, ModelSpace};
use lariat_model::ir::{ExprId, Model};
use lariat_model::shortcuts::{Lost, Shortcuts};
use lariat_model::steps::ModelSteps;
use lariat_search::emptiness::streett::Condition;
use lariat_search::product::{FiniteRuns, Product};
use lariat_search::shortest::{Budget, shorten};
use lariat_store::Exact;
use lariat_system::{Room, Stop, System, SystemGraph, with_room};

use super::fair::Fair;
use super::formula::{Origin, Property, Watcher};
use super::orders::Orders;
use super::run;
use super::without_progress::WithoutProgress;
use crate::answer::Inconclusive;
use crate::config::Config;
use crate::engine;
use crate::error::Error;
use crate::judge::Claimed;
use crate::observer::Observer;
use crate::order::Order;
use crate::shortcuts;

/// What was found.
pub(crate) enum Found {
    /// No run is as looked for.
    None,
    /// This one, on the model as it was given; the judge is still to be asked.
    Run(Claimed),
    Inconclusive(Inconclusive),
}

pub(crate) struct Searched {
    pub(crate) found: Found,
    /// The check that ran last.
    pub(crate) method: Method,
    pub(crate) why: String,
    /// States of the property automaton.
    pub(crate) automaton_states: usize,
    /// Distinct states of the system.
    pub(crate) system_states: usize,
    pub(crate) stats: Stats,
    /// What was chosen and why, a line each.
    pub(crate) explanation: Vec<String>,
}

impl Searched {
    /// There is nothing to search with.
    pub(crate) fn without_automaton(why: Inconclusive) -> Searched {
        Searched {
            found: Found::Inconclusive(why),
            method: Method::None,
            why: String::new(),
            automaton_states: 0,
            system_states: 0,
            stats: Stats::default(),
            explanation: Vec::new(),
        }
    }
}

/// Bytes of the edge cache, by measurement (`bench/RESULTS.md`): it pays where states are expanded
/// twice.
const EDGE_CACHE: usize = 256 << 20;

/// What is asked, and how the runs are looked for.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) model: &'a Model,
    pub(crate) property: &'a Property,
    /// The property's automaton.
    pub(crate) watcher: &'a Tgba,
    pub(crate) config: &'a Config,
    /// That of the configuration, with its limit of depth.
    pub(crate) setup: &'a Setup,
    /// That of the configuration, or breadth first.
    pub(crate) order: Order,
    /// Those of the configuration, or fewer.
    pub(crate) shortcuts: Shortcuts,
    /// Only fair runs count.
    pub(crate) fair: Option<&'a Fair>,
    pub(crate) finite_runs: FiniteRuns,
    pub(crate) observer: &'a dyn Observer,
}

impl Task<'_> {
    /// HPY Fig. 5 instead of an automaton.
    fn is_direct(&self) -> bool {
        self.config.direct_non_progress && self.property.origin == Origin::NonProgress
    }

    /// The shortcuts that keep this property's verdict. Merged steps are for formulas that do
    /// not count steps; what is fair is asked of the model as it was given.
    fn fitting_shortcuts(&self) -> Shortcuts {
        let property = self.property;
        let counts_steps = match &property.watcher {
            Watcher::Formula { formulas, formula, .. } => !formulas.classes(*formula).next_free(),
            Watcher::Automaton(_) => true,
        };
        let may_merge = property.origin == Origin::Formula && !counts_steps && !self.setup.shortest;
        match self.fair {
            Some(_) => Shortcuts::NONE,
            None => Shortcuts { merge: self.shortcuts.merge && may_merge, ..self.shortcuts },
        }
    }
}

/// What runs on the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    Check(Algorithm),
    /// HPY Fig. 5.
    Direct,
    /// Strong fairness: the components are taken apart.
    Strong,
    /// The formula could not be translated.
    None,
}

impl Method {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Method::Check(algorithm) => algorithm.name(),
            Method::Direct => "non-progress",
            Method::Strong => "streett",
            Method::None => "no check",
        }
    }
}

/// A check and its part of the automaton; the whole without one.
struct Job {
    method: Method,
    why: String,
    automaton: Option<Tgba>,
}

/// Searches the product with the property's automaton. If a shortest run is wanted and a step of it
/// decides, once more breadth first, where the first such step is the nearest: a run that was found
/// by then is not lost if that takes too long.
pub(crate) fn search(task: Task<'_>) -> Result<Searched, Error> {
    let first = search_given(task)?;
    let may_sweep = matches!(task.order, Order::Both { .. }) && task.setup.allows_sweep();
    let decides = first.method == Method::Check(Algorithm::Reach);
    let is_found = matches!(first.found, Found::Run(_));
    if !(task.setup.shortest && may_sweep && decides && is_found) {
        return Ok(first);
    }
    let second = search_given(Task { order: Order::BreadthFirst, ..task })?;
    Ok(match second.found {
        Found::Run(_) => second,
        Found::None | Found::Inconclusive(_) => first,
    })
}

/// Searches until the run that was found is one of the given model.
fn search_given(task: Task<'_>) -> Result<Searched, Error> {
    let Elsewhere { lost, run } = match search_once(task)? {
        Ok(answer) => return Ok(answer),
        Err(elsewhere) => elsewhere,
    };
    let shortcuts = match lost {
        // What was left out goes on counting: the given model has no such loop, as far as anybody
        // has looked. So nothing is left out.
        Lost::Rounds(_) if task.shortcuts.slice => Shortcuts { slice: false, ..task.shortcuts },
        Lost::Inside => Shortcuts::NONE,
        _ => return Err(Error::wrong_run(lost, Some(run))),
    };
    search_once(Task { shortcuts, ..task })?
        .map_err(|Elsewhere { lost, run }| Error::wrong_run(lost, Some(run)))
}

/// A run of the model with shortcuts that the given one does not have.
struct Elsewhere {
    lost: Lost,
    run: Claimed,
}

fn search_once(task: Task<'_>) -> Result<Result<Searched, Elsewhere>, Error> {
    assert!(!makes_mistake("panic-in-a-check"), "a mistake on purpose");
    let Task { model: given, property, watcher, .. } = task;
    let (jobs, mut explanation) = jobs(task)?;
    let shorter = shortcuts::shorter(given, &property.bound, task.fitting_shortcuts());
    let model = shorter.as_ref().unwrap_or(given);
    let mut whole: Option<Searched> = None;
    for Job { method, why, automaton } in jobs {
        let tgba = automaton.as_ref().unwrap_or(watcher);
        let compiled = compile(tgba).map_err(|error| format!("{}: {error}", property.name))?;
        let by = match classify::is_buchi_by_states(tgba) && task.fair.is_none() {
            true => Acceptance::States,
            false => Acceptance::Edges,
        };
        let orders = match method {
            Method::Check(algorithm) => {
                let about = format!("{}: {}", model.name, property.name);
                Some(Orders::of(&task, &compiled, algorithm, about))
            }
            Method::Direct | Method::Strong | Method::None => None,
        };
        let swept = orders.as_ref().and_then(|orders| orders.in_words(tgba.state_count()));
        explanation.extend(swept);
        let propositions = propositions(property, tgba);
        let labels = tgba.edges.iter().flatten().map(|edge| edge.label.clone()).collect();
        let search = Search { model, task, method, orders, propositions, labels };
        let Part { found, stays_inside, system_states, stats } = search.run(&compiled, by)?;
        let found = match found {
            Found::Run(run) if shorter.is_some() && stays_inside => {
                return Ok(Err(Elsewhere { lost: Lost::Inside, run }));
            }
            Found::Run(run) if shorter.is_some() => {
                match stop::undisturbed(|| shortcuts::on_given(given, &run)) {
                    Ok(run) => Found::Run(run),
                    Err(lost) => return Ok(Err(Elsewhere { lost, run })),
                }
            }
            found => found,
        };
        let answer = match whole.take() {
            None => Searched {
                found,
                method,
                why,
                automaton_states: watcher.state_count(),
                system_states,
                stats,
                explanation: Vec::new(),
            },
            Some(before) => Searched {
                found,
                method,
                why: format!("{}, then {why}", before.why),
                system_states: before.system_states.max(system_states),
                stats: together(&before.stats, &stats),
                ..before
            },
        };
        let goes_on = matches!(answer.found, Found::None);
        whole = Some(answer);
        if !goes_on {
            break;
        }
    }
    let answer = whole.expect("there is a check for every property");
    Ok(Ok(Searched { explanation, ..answer }))
}

/// What was asked for goes depth first, or has an order of its own.
fn refuse_breadth_first(task: Task<'_>) -> Result<(), String> {
    let is_direct = task.is_direct();
    let is_strong = task.fair.is_some_and(|fair| fair.fairness == Fairness::Strong);
    let what = match task.setup.given().into_iter().find(|&switch| switch != "--shortest") {
        Some(switch) => switch,
        None if is_direct => "--non-progress=direct",
        None if is_strong => "--fair strong",
        None if !task.setup.allows_sweep() => "--depth-limit",
        None => return Ok(()),
    };
    Err(format!("--bfs does not go with {what} for a temporal property"))
}

fn jobs(task: Task<'_>) -> Result<(Vec<Job>, Vec<String>), String> {
    let Task { setup, fair, .. } = task;
    setup.fits_products()?;
    if task.order == Order::BreadthFirst {
        refuse_breadth_first(task)?;
    }
    let alone = |method, why: &str, automaton| {
        let explanation = vec![format!("check: {}: {why}", Method::name(method))];
        (vec![Job { method, why: why.to_owned(), automaton }], explanation)
    };
    let (jobs, mut explanation) = match fair {
        _ if task.is_direct() => {
            if fair.is_some() {
                return Err("Fig. 5 knows no fairness; --non-progress=automaton does".to_owned());
            }
            alone(Method::Direct, "HPY Fig. 5, as asked; no automaton", Some(everything()))
        }
        Some(fair) if fair.fairness == Fairness::Strong => {
            setup.fits_no_check("strong fairness")?;
            alone(Method::Strong, "strong fairness; the product is built as a whole", None)
        }
        _ => {
            let Choice { plans, explanation } = choose(task.watcher, setup, fair.is_some())?;
            let job = |Plan { algorithm, why, automaton, .. }| Job {
                method: Method::Check(algorithm),
                why,
                automaton,
            };
            (plans.into_iter().map(job).collect(), explanation)
        }
    };
    if let Some(fair) = fair {
        explanation.push(format!("fairness: {} to {}", fair.name(), fair.whom(task.model)));
    }
    Ok((jobs, explanation))
}

/// An automaton for the system alone.
fn everything() -> Tgba {
    let mut tgba = Tgba::default();
    let state = tgba.add_state();
    tgba.initial.push(state);
    tgba.add_edge(state, Label::True, Marks::NONE, state);
    tgba
}

/// What the bits of the automaton's propositions mean.
fn propositions(property: &Property, tgba: &Tgba) -> Vec<ExprId> {
    match &property.watcher {
        // By number: the texts of a claim's tests need not differ.
        Watcher::Automaton(_) => property.bound.clone(),
        Watcher::Formula { .. } if tgba.aps.is_empty() => property.bound.clone(),
        Watcher::Formula { .. } => {
            let of = |ap: &String| property.names.iter().position(|name| name == ap);
            tgba.aps.iter().filter_map(of).map(|ap| property.bound[ap]).collect()
        }
    }
}

fn together(one: &Stats, other: &Stats) -> Stats {
    Stats {
        states: one.states + other.states,
        transitions: one.transitions + other.transitions,
        expansions: one.expansions + other.expansions,
        depth: one.depth.max(other.depth),
        sccs: one.sccs + other.sccs,
        bytes: one.bytes.max(other.bytes),
        stack_bytes: one.stack_bytes.max(other.stack_bytes),
        words: one.words.max(other.words),
        ..*other
    }
}

/// What one check says.
struct Part {
    found: Found,
    /// The run that was found stays inside an atomic sequence for ever.
    stays_inside: bool,
    system_states: usize,
    stats: Stats,
}

/// What is to be done with an automaton at hand.
struct Search<'a> {
    /// The given one, perhaps with shortcuts.
    model: &'a Model,
    task: Task<'a>,
    method: Method,
    /// Of a check; strong fairness and HPY Fig. 5 have searches of their own.
    orders: Option<Orders<'a>>,
    propositions: Vec<ExprId>,
    /// Of the automaton.
    labels: Vec<Label>,
}

impl Search<'_> {
    fn run<A: Automaton>(self, automaton: &A, by: Acceptance) -> Result<Part, Error> {
        let engine = &self.task.config.engine;
        let part = with_room(self.model, |room| match engine.system_store {
            engine::SystemStore::Tree => {
                self.run_with(automaton, by, |width| engine.tree(width), room)
            }
            engine::SystemStore::Flat => {
                let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
                self.run_with(automaton, by, flat, room)
            }
        });
        part.unwrap_or_else(|stop| Err(Error::wrong_run(format!("{stop:?}"), None)))
    }

    /// The answer; a reason to stop is that there must be more room.
    fn run_with<A: Automaton, S: SystemStore<Row = [Word]>>(
        &self,
        automaton: &A,
        by: Acceptance,
        store: impl FnOnce(usize) -> S,
        room: Room,
    ) -> Result<Result<Part, Error>, Stop> {
        let Task { setup, finite_runs, fair, observer, config, .. } = self.task;
        let (model, Room { width, processes }) = (self.model, room);
        let steps: Box<dyn ModelSteps + '_> = match fair {
            Some(fair) => {
                if let Err(why) = enough_marks(fair.fairness, automaton.mark_count(), processes) {
                    return Ok(Err(why.into()));
                }
                let space =
                    ModelSpace::new(model, width, self.propositions.clone()).with_divergences();
                Box::new(space.with_fairness(fair.fairness, fair.to.clone(), processes))
            }
            None => config.engine.steps_of_runs(model, width, &self.propositions),
        };
        let matters = |undefined: Props, truth: Props| {
            self.labels.iter().any(|label| label.depends_on(undefined, truth))
        };
        let mut system = System::of_runs(model, steps, &self.propositions, matters, store)
            .with_limit(config.limits.memory)
            .with_edge_cache(self.edge_cache_bytes())
            .watched_by(|now| {
                observer.expanded(now.expanded);
                true
            });
        if self.method == Method::Direct || !config.remembers_propositions {
            system = system.keeping_valuations();
        }
        let mut product = Product::new(&mut system, automaton, finite_runs);
        let Outcome { verdict, stats } = match &self.orders {
            Some(orders) => orders.check(&mut product),
            None if self.method == Method::Direct => {
                dispatch::check_non_progress(&mut WithoutProgress(&mut product), setup)
            }
            None => {
                let condition = condition(automaton.mark_count(), processes);
                dispatch::check_strong(&mut product, &condition, setup)
            }
        };
        let lasso = match &verdict {
            Verdict::Found(lasso) => Some(self.checked(&mut product, lasso, by, processes)),
            _ => None,
        };
        let stopped = product.why_stopped();
        if let Some(widen @ Stop::Widen(_)) = stopped {
            return Err(widen);
        }
        let rows = match lasso {
            // If a limit is reached while it is replayed, there is no answer.
            Some(Err(_)) if stopped.is_some() => None,
            Some(Err(error)) => return Ok(Err(error)),
            Some(Ok(lasso)) => Some(run::system_rows(&mut product, &lasso)),
            None => None,
        };
        let mut stays_inside = false;
        let found = match (verdict, rows, stopped) {
            (_, Some(rows), _) => {
                stays_inside = rows.stay_inside(model);
                match stop::undisturbed(|| run::claimed(model, fair, &rows)) {
                    Ok(run) => Found::Run(run),
                    Err(what) => return Ok(Err(Error::wrong_run(what, None))),
                }
            }
            (_, None, Some(Stop::Limit(limit))) => Found::Inconclusive(limit.into()),
            (_, None, Some(Stop::Fault(fault))) => Found::Inconclusive(told(model, fault)),
            (Verdict::Inconclusive(limit), ..) => Found::Inconclusive(explain(limit)),
            _ => match system.dead_end() {
                Some(fault) => Found::Inconclusive(told(model, fault)),
                None => Found::None,
            },
        };
        let stats = Stats { bytes: stats.bytes + system.bytes() as u64, ..stats };
        Ok(Ok(Part { found, stays_inside, system_states: system.len(), stats }))
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
    fn checked<G: Graph<Batch = lariat_core::Fixed<2>>>(
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
fn explain(limit: Limit) -> Inconclusive {
    match limit {
        Limit::Memory => Inconclusive::new(limit, NO_MEMORY),
        limit => limit.into(),
    }
}

/// A run-time error that some runs cannot get past, or a step that was not seen to its end.
fn told(model: &Model, fault: Fault) -> Inconclusive {
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
