//! Safety: no reachable state or step is in error.

use std::time::{Duration, Instant};

use lariat_core::{self as core, Limit, conclude, makes_mistake, stop};
use lariat_model::interp::Fault;
use lariat_model::ir::{ExprId, Model};
use lariat_model::shortcuts::Shortcuts;
use lariat_report::execution::Ending;
use lariat_report::numbers::grouped;
use lariat_search::safety::{
    Condition, ErrorKind, ErrorPath, Exploration, ExploreOptions, Order as Explored,
};

use crate::answer::{Answer, ErrorInfo, Inconclusive, Kind, Statistics, Verdict};
use crate::bounded::{self, Covered};
use crate::config::{Config, Limits};
use crate::error::Error;
use crate::judge::shorter::shorter;
use crate::judge::{Claimed, Criterion, Ends, judge};
use crate::model::{Language, Loaded};
use crate::observer::Observer;
use crate::order::Order;
use crate::reduction::{Reduction, ReductionSwitches};
use crate::shortcuts;
use crate::spread::Spread;

/// What is an error, beside run-time errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Errors {
    /// Promela: invalid end states are none (`pan -E`).
    pub no_deadlock: bool,
    /// DVE: states without successors are.
    pub deadlock: bool,
    /// Assertions that fail are none (`pan -A`).
    pub no_assert: bool,
    /// Promela: an end state is invalid if a channel still holds a message (`pan -q`).
    pub empty_channels: bool,
}

/// A property of the states that can be reached.
pub struct StateProperty {
    /// What it is called.
    pub name: String,
    /// [`Kind::Safety`], [`Kind::Invariant`] or [`Kind::Reach`].
    pub kind: Kind,
    /// The condition, and its text. Without one, all the errors that the language knows.
    pub condition: Option<(Condition, String)>,
}

impl StateProperty {
    /// The condition as it was written.
    pub fn text(&self) -> Option<String> {
        self.condition.as_ref().map(|(_, text)| text.clone())
    }
}

/// What a search says.
enum Found {
    Nothing,
    /// This error, by this run of the model as it was given; the judge is still to be asked.
    Error(ErrorKind, Claimed),
    Inconclusive(Limit),
}

struct Searched {
    found: Found,
    exploration: Exploration,
    order: Explored,
    elapsed: Duration,
    /// What makes the run worth less than it seems.
    warning: Option<String>,
    /// What a search in bounded memory has seen.
    covered: Option<Covered>,
    reduction: Reduction,
}

/// Searches until the first error, and judges the run to it.
pub fn check(
    loaded: &Loaded,
    property: &StateProperty,
    config: &Config,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    config.errors.fit(loaded.language())?;
    if let Some(bounded) = &config.bounded {
        bounded.fits(config, false)?;
    }
    let Searched { found, exploration, order, elapsed, warning, covered, reduction } =
        search_twice(loaded, property, config, observer)?;
    let covered = covered.unwrap_or_default();
    let (verdict, error) = match found {
        Found::Nothing => (Verdict::Holds, None),
        Found::Inconclusive(limit) => (Verdict::Inconclusive(covered.why(limit)), None),
        Found::Error(error, run) => {
            let ends = match error {
                ErrorKind::Fault(fault) => Ends::Fault(fault),
                ErrorKind::InvalidEndState => {
                    Ends::InvalidEnd { empty_channels: config.errors.empty_channels }
                }
                ErrorKind::Condition(condition) => Ends::Condition(condition),
            };
            let (model, question) = (loaded.model(), Criterion::Ends(ends));
            let confirmed = match judge(model, &question, &run) {
                // Deadlocks are as near as without reduction.
                Ok(confirmed) if reduction.is_used() && error != ErrorKind::InvalidEndState => {
                    shorter(model, &question, run, confirmed)
                }
                Ok(confirmed) => confirmed,
                Err(what) => return Err(Error::wrong_run(what, Some(run))),
            };
            (Verdict::Violated(confirmed), Some(ErrorInfo::of(loaded, &error)))
        }
    };
    Ok(Answer {
        name: property.name.clone(),
        kind: property.kind,
        text: property.text(),
        verdict,
        error,
        check: match (&config.bounded, order) {
            (Some(bounded), _) => bounded.name(order == Explored::BreadthFirst),
            (None, Explored::DepthFirst) => "depth-first search",
            (None, Explored::BreadthFirst) => "breadth-first search",
        },
        why: None,
        explanation: reduction.explained(exploration.reduction.as_ref()),
        automaton_states: None,
        statistics: Statistics::of(&exploration, elapsed),
        reduction,
        warnings: warning.into_iter().collect(),
        notes: covered.notes(),
        exploration: Some(exploration),
    })
}

/// Searches until the first error. If a shortest one is wanted, once more breadth first, not
/// farther than that: an error that was found by then is not lost if this takes too long.
fn search_twice(
    loaded: &Loaded,
    property: &StateProperty,
    config: &Config,
    observer: &dyn Observer,
) -> Result<Searched, Error> {
    // Workers that share nothing have no depth-first order.
    let order = if config.engine.spread.is_some() { Order::BreadthFirst } else { config.order };
    let first = search(loaded, property, config, order, observer)?;
    let is_shortest = first.order == Explored::BreadthFirst && !first.reduction.is_used();
    let Found::Error(_, run) = &first.found else { return Ok(first) };
    if !config.setup.shortest || is_shortest {
        return Ok(first);
    }
    let depth = config
        .limits
        .depth
        .map_or(run.steps.len() as u64, |limit| limit.min(run.steps.len() as u64));
    let limits = Limits { depth: Some(depth), ..config.limits };
    let reduction = ReductionSwitches { no_por: true };
    let exact = Config { limits, reduction, ..config.clone() };
    let second = search(loaded, property, &exact, Order::BreadthFirst, observer)?;
    let elapsed = first.elapsed + second.elapsed;
    Ok(match second.found {
        Found::Error(..) => Searched { elapsed, ..second },
        // None is shorter.
        Found::Nothing | Found::Inconclusive(Limit::Depth) => Searched { elapsed, ..first },
        Found::Inconclusive(limit) => {
            let warning = format!("there may be a shorter run: {limit}");
            Searched { elapsed, warning: Some(warning), ..first }
        }
    })
}

/// Whether a model has so many states. They are counted as `lariat count` does: all of them,
/// without shortcuts.
pub fn has_states(
    loaded: &Loaded,
    expected: u64,
    config: &Config,
    observer: &dyn Observer,
) -> Answer {
    let started = Instant::now();
    let model = loaded.model();
    if let Some(bounded) = &config.bounded {
        let why = format!("{} does not count states", bounded.option());
        let why = Inconclusive::new(Limit::Lossy, why);
        return Answer::without_search(Kind::States.name(), Kind::States, why);
    }
    let options = ExploreOptions {
        order: match model.hidden_size > 0 {
            true => Explored::DepthFirst,
            false => Explored::BreadthFirst,
        },
        max_memory: config.limits.memory,
        max_depth: config.limits.depth,
        ..Default::default()
    };
    let found = config.engine.explore(model, &options, observer).unwrap_or_default();
    let verdict = match found.limit {
        Some(limit) => Verdict::Inconclusive(limit.into()),
        None if found.states == expected => Verdict::Holds,
        None => Verdict::Refuted,
    };
    let (name, kind) = (Kind::States.name(), Kind::States);
    let error = matches!(verdict, Verdict::Refuted).then(|| {
        let (expected, found) = (grouped(expected), grouped(found.states));
        let message = format!("{expected} states expected, not {found}");
        ErrorInfo { name, message, at: None, span: None, is_stuck: false }
    });
    Answer {
        verdict,
        error,
        check: "exploration",
        statistics: Statistics { atomic_steps: 0, ..Statistics::of(&found, started.elapsed()) },
        ..Answer::without_search(name, kind, Limit::Interrupted.into())
    }
}

fn search(
    loaded: &Loaded,
    property: &StateProperty,
    config: &Config,
    order: Order,
    observer: &dyn Observer,
) -> Result<Searched, Error> {
    let started = Instant::now();
    let errors = config.errors;
    let condition = property.condition.as_ref().map(|&(condition, _)| condition);
    let mut explore = ExploreOptions {
        order: match order {
            Order::BreadthFirst => Explored::BreadthFirst,
            Order::DepthFirst | Order::Both { .. } => Explored::DepthFirst,
        },
        only_conditions: condition.is_some(),
        stop_at_error: true,
        hidden_is_state: true,
        ignore_assertions: errors.no_assert,
        ignore_end_states: match loaded.language() {
            Language::Promela => errors.no_deadlock,
            Language::Dve => !errors.deadlock,
        },
        empty_channels_at_end: errors.empty_channels,
        conditions: condition.into_iter().collect(),
        max_memory: config.limits.memory,
        max_depth: config.limits.depth,
        ..Default::default()
    };
    let about = format!("{}: {}", loaded.model().name, property.name);
    // The shortest error has all steps.
    let may_merge = order != Order::BreadthFirst && !config.setup.shortest;
    let merge = config.shortcuts.merge && may_merge;
    let shortcuts = Shortcuts { merge, ..config.shortcuts };
    let visible: Vec<ExprId> = explore.conditions.iter().map(|found| found.expr).collect();
    let begun = begun(loaded.model(), config)?;
    let shorter = match begun {
        // A state of the given model need not be one of a smaller model.
        Some(_) => None,
        None => shortcuts::shorter(loaded.model(), &visible, shortcuts),
    };
    let explored = begun.as_ref().or(shorter.as_ref()).unwrap_or(loaded.model());
    let bounded = config.bounded.as_ref();
    let why_unreduced = bounded.and_then(|bounded| bounded.why_unreduced(order, false));
    // Several workers leave out steps by levels, and search for an error once only.
    let needs_all = |spread: &Spread| spread.is_free() || config.setup.shortest;
    let no_por = config.reduction.no_por
        || begun.is_some()
        || config.engine.spread.as_ref().is_some_and(needs_all);
    let reduction = match (no_por, why_unreduced) {
        (true, _) => Reduction::Off,
        (false, Some(why)) => Reduction::Impossible(why.to_owned()),
        (false, None) => match lariat_search::safety::may_reduce(explored, &explore) {
            Ok(()) => Reduction::Used,
            Err(why) => Reduction::Impossible(why.to_string()),
        },
    };
    explore.reduces = reduction.is_used();
    explore.reduces_after = config.por_after;
    explore.explains_reduction = config.explains;
    let mut covered = None;
    let found = match &config.bounded {
        Some(bounded) => bounded::safety::explore(bounded, config, explored, &explore, observer)
            .map(|(found, seen)| {
                covered = Some(seen);
                found
            }),
        None => by_both_orders(explored, &about, order, config, &mut explore, observer),
    };
    if let Some(failure) = config.engine.spread.as_ref().and_then(Spread::failure) {
        return Err(failure);
    }
    let order = explore.order;
    let mut exploration = found.unwrap_or_else(|faults| {
        // The initialisers fail: an error before the first state.
        let error = faults.first().map(|&fault| ErrorKind::Fault(fault));
        Exploration { first_error: error.map(ErrorPath::at_once), ..Default::default() }
    });
    let found = match conclude(exploration.first_error.take(), exploration.limit, false) {
        core::Emptiness::Found(path) => {
            // A run that was found is not lost because time is over.
            let steps = stop::undisturbed(|| path.commands(explored));
            let mut steps = steps.map_err(|lost| Error::wrong_run(lost, None))?;
            if makes_mistake("trace-drops-a-step") {
                steps.pop();
            }
            let steps = config.start.iter().cloned().chain(steps).collect();
            let run = Claimed { steps, ending: Ending::Error };
            observer.found();
            let given = || shortcuts::on_given(loaded.model(), &run);
            let run = match shorter {
                None => run,
                Some(_) => {
                    stop::undisturbed(given).map_err(|lost| Error::wrong_run(lost, Some(run)))?
                }
            };
            Found::Error(path.error, run)
        }
        core::Emptiness::Inconclusive(limit) => Found::Inconclusive(limit),
        core::Emptiness::Empty { .. } => Found::Nothing,
    };
    let elapsed = started.elapsed();
    Ok(Searched { found, exploration, order, elapsed, warning: None, covered, reduction })
}

/// The model as it goes on behind the steps that the search begins with; none if there are none.
pub(crate) fn begun(model: &Model, config: &Config) -> Result<Option<Model>, Error> {
    if config.start.is_empty() {
        return Ok(None);
    }
    let claimed = Claimed { steps: config.start.clone(), ending: Ending::Open };
    let there = judge(model, &Criterion::Possible, &claimed).map_err(Error::Refused)?;
    let start = there.whole().before(config.start.len()).clone();
    Ok(Some(Model { start: Some(start), ..model.clone() }))
}

fn by_both_orders(
    model: &Model,
    about: &str,
    order: Order,
    config: &Config,
    explore: &mut ExploreOptions,
    observer: &dyn Observer,
) -> Result<Exploration, Vec<Fault>> {
    let run = |explore: &ExploreOptions| config.engine.explore(model, explore, observer);
    // A limit of depth counts statements, depth first.
    let is_bound_to_order = explore.max_depth.is_some();
    let Order::Both { first: most, .. } = order else { return run(explore) };
    let is_small = explore.max_states.is_some_and(|limit| limit <= most);
    if is_bound_to_order || is_small {
        return run(explore);
    }
    let first = ExploreOptions { max_states: Some(most), ..explore.clone() };
    let found = run(&first)?;
    if found.limit != Some(Limit::States) || found.first_error.is_some() {
        return Ok(found);
    }
    observer.remark(&format!(
        "{about}: nothing found in the first {} states, depth first; starting again breadth first, \
         which is faster for all of them (--dfs goes on depth first)",
        grouped(most)
    ));
    explore.order = Explored::BreadthFirst;
    run(explore)
}

impl Errors {
    /// A switch that has no meaning for the language is refused, not ignored.
    fn fit(self, language: Language) -> Result<(), String> {
        let misplaced = match language {
            Language::Promela => vec![(self.deadlock, "--deadlock", "DVE")],
            Language::Dve => vec![
                (self.no_deadlock, "--no-deadlock", "Promela"),
                (self.empty_channels, "--empty-channels", "Promela"),
            ],
        };
        match misplaced.into_iter().find(|&(given, ..)| given) {
            Some((_, "--deadlock", _)) => Err("--deadlock is for DVE: in Promela invalid end \
                 states are errors without it (--no-deadlock turns that off)"
                .to_owned()),
            Some((_, switch, language)) => Err(format!("{switch} is for {language} models")),
            None => Ok(()),
        }
    }
}
