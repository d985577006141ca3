//! Safety: no reachable state or step is in error.

use std::time::{Duration, Instant};

use lariat_core::{makes_mistake, stop};
use lariat_model::explore::{
    Condition, ErrorKind, ErrorTrace, Exploration, ExploreOptions, Limit, Order as Explored,
};
use lariat_model::interp::Fault;
use lariat_model::ir::{ExprId, Model};
use lariat_model::shortcuts::Shortcuts;
use lariat_report::execution::Ending;
use lariat_report::numbers::grouped;

use crate::config::Config;
use crate::error::Error;
use crate::judge::{self, Claimed, Confirmed, Ends, judge};
use crate::model::{Language, Loaded};
use crate::observer::Observer;
use crate::order::Order;
use crate::shortcuts;

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

/// A question about the states that can be reached.
pub struct Question {
    pub name: String,
    /// `safety`, `invariant` or `reach`.
    pub kind: &'static str,
    /// The condition, and its text. Without one, all the errors that the language knows.
    pub condition: Option<(Condition, String)>,
}

impl Question {
    pub fn text(&self) -> Option<String> {
        self.condition.as_ref().map(|(_, text)| text.clone())
    }
}

/// What a search says.
pub enum Verdict {
    Holds,
    /// By this run of the model as it was given; the judge is still to be asked.
    Violated(ErrorKind, Claimed),
    Inconclusive(Limit),
}

pub struct Answer {
    pub verdict: Verdict,
    pub found: Exploration,
    pub order: Explored,
    pub elapsed: Duration,
    /// What makes the run worth less than it seems.
    pub warning: Option<String>,
}

impl Answer {
    /// The run to the error, after the judge has seen it.
    pub fn run(&self, model: &Model, errors: Errors) -> Result<Option<Confirmed>, Error> {
        let Verdict::Violated(error, run) = &self.verdict else { return Ok(None) };
        let ends = match *error {
            ErrorKind::Fault(fault) => Ends::Fault(fault),
            ErrorKind::InvalidEndState => {
                Ends::InvalidEnd { empty_channels: errors.empty_channels }
            }
            ErrorKind::Condition(condition) => Ends::Condition(condition),
        };
        let confirmed = judge(model, &judge::Question::Ends(ends), run);
        confirmed.map(Some).map_err(|what| Error::wrong_run(what, Some(run.clone())))
    }
}

/// Searches until the first error. If a shortest one is wanted, once more breadth first: an error
/// that was found by then is not lost if that takes too long.
pub fn check(
    loaded: &Loaded,
    question: &Question,
    config: &Config,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    config.errors.fit(loaded.language())?;
    let first = search(loaded, question, config, config.order, observer)?;
    let is_shortest = first.order == Explored::BreadthFirst;
    if !config.setup.shortest || is_shortest || !matches!(first.verdict, Verdict::Violated(..)) {
        return Ok(first);
    }
    let second = search(loaded, question, config, Order::BreadthFirst, observer)?;
    let elapsed = first.elapsed + second.elapsed;
    Ok(match second.verdict {
        Verdict::Violated(..) => Answer { elapsed, ..second },
        Verdict::Holds => Answer { elapsed, ..first },
        Verdict::Inconclusive(limit) => {
            let warning = format!("there may be a shorter run: {}", reason(limit));
            Answer { elapsed, warning: Some(warning), ..first }
        }
    })
}

fn search(
    loaded: &Loaded,
    question: &Question,
    config: &Config,
    order: Order,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let started = Instant::now();
    let errors = config.errors;
    let condition = question.condition.as_ref().map(|&(condition, _)| condition);
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
    let about = format!("{}: {}", loaded.model().name, question.name);
    // The shortest error has all steps.
    let may_merge = order != Order::BreadthFirst && !config.setup.shortest;
    let merge = config.shortcuts.merge && may_merge;
    let shortcuts = Shortcuts { merge, ..config.shortcuts };
    let visible: Vec<ExprId> = explore.conditions.iter().map(|found| found.expr).collect();
    let shorter = shortcuts::shorter(loaded.model(), &visible, shortcuts);
    let explored = shorter.as_ref().unwrap_or(loaded.model());
    let found = by_both_orders(explored, &about, order, config, &mut explore, observer);
    let order = explore.order;
    let mut found = found.unwrap_or_else(|faults| {
        // The initialisers fail: an error before the first state.
        let error = faults.first().map(|&fault| ErrorKind::Fault(fault));
        let first = error.map(|error| ErrorTrace { error, initial: Vec::new(), steps: Vec::new() });
        Exploration { first_error: first, ..Default::default() }
    });
    let verdict = match (found.first_error.take(), found.limit) {
        (Some(trace), _) => {
            let mut steps: Vec<_> = trace.steps.into_iter().map(|step| step.moves).collect();
            if makes_mistake("trace-drops-a-step") {
                steps.pop();
            }
            let run = Claimed { steps, ending: Ending::Error };
            observer.found();
            // A run that was found is not lost because time is over.
            let given = || shortcuts::on_given(loaded.model(), &run);
            let run = match shorter {
                None => run,
                Some(_) => {
                    stop::undisturbed(given).map_err(|lost| Error::wrong_run(lost, Some(run)))?
                }
            };
            Verdict::Violated(trace.error, run)
        }
        (None, Some(limit)) => Verdict::Inconclusive(limit),
        (None, None) => Verdict::Holds,
    };
    Ok(Answer { verdict, found, order, elapsed: started.elapsed(), warning: None })
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

/// Why a search did not see everything, for people.
pub fn reason(limit: Limit) -> &'static str {
    match limit {
        Limit::Depth => "the depth limit was reached",
        Limit::States => "the limit of states was reached",
        Limit::Memory => "the memory limit was reached",
        Limit::Time => "the time limit was reached",
        Limit::Interrupted => "interrupted",
        Limit::EndlessStep => "an atomic sequence or d_step is too long to be seen to its end",
        Limit::FirstError => "stopped at the first error",
        Limit::Fatal => "stopped at a fault",
    }
}
