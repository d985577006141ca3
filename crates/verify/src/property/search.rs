//! A question about runs: planned, searched part by part, and brought back to the given model.

use lariat_automata::{Tgba, classify, compile};
use lariat_checks::{Algorithm, Orders, Setup, check_product};
use lariat_core::lasso::Acceptance;
use lariat_core::{Limit, Stats, makes_mistake, stop};
use lariat_model::interp::Fairness;
use lariat_model::ir::Model;
use lariat_model::shortcuts::{Lost, Shortcuts};
use lariat_report::numbers::grouped;
use lariat_search::product::FiniteRuns;

use super::fair::Fair;
use super::formula::{Origin, Property, Watcher};
use super::plan::{Job, Method, jobs};
use super::product::{ProductCheck, ProductResult};
use crate::answer::{Inconclusive, LassoLength};
use crate::bounded::Covered;
use crate::config::Config;
use crate::error::Error;
use crate::judge::Claimed;
use crate::observer::Observer;
use crate::order::Order;
use crate::reduction::{self, Reduction};
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
    /// The run that was found, in the product.
    pub(crate) lasso: Option<LassoLength>,
    /// What was chosen and why, a line each.
    pub(crate) explanation: Vec<String>,
    /// What a search in bounded memory has seen.
    pub(crate) covered: Option<Covered>,
    pub(crate) reduction: Reduction,
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
            lasso: None,
            explanation: Vec::new(),
            covered: None,
            reduction: Reduction::Off,
        }
    }
}

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
    pub(crate) fn is_direct(&self) -> bool {
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

/// Whether it pays to look for weakly fair runs before strongly fair ones: on all threads.
fn asks_weakly_first(task: Task<'_>) -> bool {
    let engine = &task.config.engine;
    engine.spread.is_none() && engine.sharing().is_some_and(|sharing| sharing.threads > 1)
}

/// A run of the model with shortcuts that the given one does not have.
struct Elsewhere {
    lost: Lost,
    run: Claimed,
}

fn search_once(task: Task<'_>) -> Result<Result<Searched, Elsewhere>, Error> {
    assert!(!makes_mistake("panic-in-a-check"), "a mistake on purpose");
    let Task { model: given, property, watcher, .. } = task;
    let shorter = shortcuts::shorter(given, &property.bound, task.fitting_shortcuts());
    let model = shorter.as_ref().unwrap_or(given);
    let reduction = reduction::of_runs(&task, model);
    // Parts of the automaton may tell repeated states apart though the whole does not; and what one
    // search leaves out another may not, so that a run could be found by none of them.
    let (jobs, mut explanation) = jobs(task, reduction.is_used())?;
    explanation.extend(reduction.explained(None));
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
                let Task { setup, order, fair, .. } = task;
                let is_fair = fair.is_some();
                Some(Orders::of(setup, order, is_fair, &compiled, algorithm, check_product))
            }
            Method::Direct | Method::Strong | Method::None => None,
        };
        let swept = orders.as_ref().and_then(|orders| orders.in_words(tgba.state_count(), grouped));
        explanation.extend(swept);
        let propositions = property.propositions(tgba);
        let labels = tgba.edges.iter().flatten().map(|edge| edge.label.clone()).collect();
        let reduction = &reduction;
        let is_for_strong = false;
        let search = ProductCheck {
            model,
            task,
            method,
            orders,
            propositions,
            labels,
            reduction,
            is_for_strong,
        };
        // A strongly fair run is weakly fair: if there is none of these, there is none.
        let weakly = match task.fair {
            Some(fair) if method == Method::Strong && asks_weakly_first(task) => {
                let fair = &Fair { fairness: Fairness::Weak, to: fair.to.clone() };
                let task = Task { fair: Some(fair), ..task };
                let Task { setup, order, .. } = task;
                let algorithm = Algorithm::Dijkstra;
                let weakly = ProductCheck {
                    model,
                    task,
                    method: Method::Check(algorithm),
                    orders: Some(Orders::of(
                        setup,
                        order,
                        true,
                        &compiled,
                        algorithm,
                        check_product,
                    )),
                    propositions: search.propositions.clone(),
                    labels: search.labels.clone(),
                    reduction,
                    is_for_strong: true,
                };
                weakly.excludes(&compiled, by)
            }
            _ => None,
        };
        explanation.extend(weakly.is_some().then(|| {
            "no run is weakly fair, and so none strongly fair: the product was not built".to_owned()
        }));
        let (result, covered) = match (&task.config.bounded, weakly) {
            (Some(bounded), _) => {
                let (result, covered) = search.run_bounded(bounded, &compiled, by)?;
                (result, Some(covered))
            }
            (None, Some(result)) => (result, None),
            (None, None) => (search.run(&compiled, by)?, None),
        };
        let ProductResult { found, stays_inside, system_states, stats, lasso, report } = result;
        explanation.extend(report.iter().flat_map(reduction::where_full));
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
                lasso,
                explanation: Vec::new(),
                covered,
                reduction: reduction.clone(),
            },
            Some(before) => Searched {
                // What the part before could not see is not seen by this one.
                found: match (before.found, found) {
                    (unknown @ Found::Inconclusive(_), Found::None) => unknown,
                    (_, found) => found,
                },
                method,
                why: format!("{}, then {why}", before.why),
                system_states: before.system_states.max(system_states),
                stats: together(&before.stats, &stats),
                lasso,
                covered: covered.or(before.covered),
                ..before
            },
        };
        // Runs that die of an error say nothing of those that the next part looks for.
        let goes_on = match &answer.found {
            Found::None => true,
            Found::Inconclusive(why) => why.limit == Limit::Fault,
            Found::Run(_) => false,
        };
        whole = Some(answer);
        if !goes_on {
            break;
        }
    }
    let answer = whole.expect("there is a check for every property");
    Ok(Ok(Searched { explanation, ..answer }))
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
