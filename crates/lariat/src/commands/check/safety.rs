//! Safety: no reachable state or step is in error.

use std::time::{Duration, Instant};

use lariat_core::makes_mistake;
use lariat_model::explore::{
    Condition, ErrorKind, ErrorTrace, Exploration, ExploreOptions, Limit, MAX_CONDITIONS,
    Order as Explored,
};

use lariat_model::interp::Fault;
use lariat_model::ir::{ExprId, Model};
use lariat_model::shortcuts::Shortcuts;
use lariat_report::execution::Ending;
use lariat_syntax::diagnostics::Diagnostic;
use serde_json::{Value, json};

use super::order::{DEPTH_FIRST, Order};
use crate::bug::Trouble;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::input;
use crate::judge::{Claimed, Confirmed, Ends, Question, judge};
use crate::limits::Limits;
use crate::model::{Language, Loaded};
use crate::progress::Watch;
use crate::shortcuts;

#[derive(clap::Args, Clone, Debug)]
pub(super) struct Options {
    /// Promela: do not look for invalid end states (`pan -E`)
    #[arg(long, conflicts_with = "deadlock")]
    no_deadlock: bool,
    /// DVE: a state without successors is an error
    #[arg(long)]
    deadlock: bool,
    /// Do not look at assertions (`pan -A`)
    #[arg(long)]
    no_assert: bool,
    /// Promela: a message that is left in a channel makes an end state invalid (`pan -q`)
    #[arg(long)]
    empty_channels: bool,
    /// An expression of the model's language that must be true in every state
    #[arg(long, value_name = "EXPR")]
    invariant: Vec<String>,
    /// An expression of the model's language: show how it can become true
    #[arg(long, value_name = "EXPR")]
    reach: Vec<String>,
}

impl Options {
    /// The conditions on states, as expressions of the model; what is wrong with them.
    pub(super) fn conditions(
        &self,
        loaded: &mut Loaded,
    ) -> Result<Vec<Condition>, Vec<Diagnostic>> {
        let invariants = self.invariant.iter().map(|text| ("--invariant", text, true));
        let goals = self.reach.iter().map(|text| ("--reach", text, false));
        let mut conditions = Vec::new();
        for (name, text, wanted) in invariants.chain(goals) {
            conditions.push(Condition { expr: loaded.expression(name, text)?, wanted });
        }
        Ok(conditions)
    }

    /// What was looked for, in a saved run.
    pub(super) fn saved(&self) -> Value {
        json!({
            "no_deadlock": self.no_deadlock,
            "deadlock": self.deadlock,
            "no_assert": self.no_assert,
            "empty_channels": self.empty_channels,
            "invariants": self.invariant,
            "reach": self.reach,
        })
    }

    /// The text of a condition, by its number.
    pub(super) fn condition_text(&self, at: usize) -> Option<&String> {
        self.invariant.iter().chain(&self.reach).nth(at)
    }
}

/// What a search says.
pub(super) enum Verdict {
    Holds,
    /// By this run of the model as it was given; the judge is still to be asked.
    Violated(ErrorKind, Claimed),
    Inconclusive(Limit),
}

pub(super) struct Answer {
    pub(super) verdict: Verdict,
    pub(super) found: Exploration,
    pub(super) order: Explored,
    pub(super) elapsed: Duration,
}

impl Answer {
    /// The run to the error, after the judge has seen it.
    pub(super) fn run(&self, model: &Model, options: &Options) -> Result<Option<Confirmed>, Exit> {
        let Verdict::Violated(error, run) = &self.verdict else { return Ok(None) };
        let ends = match *error {
            ErrorKind::Fault(fault) => Ends::Fault(fault),
            ErrorKind::InvalidEndState => {
                Ends::InvalidEnd { empty_channels: options.empty_channels }
            }
            ErrorKind::Condition(condition) => Ends::Condition(condition),
        };
        let confirmed = judge(model, &Question::Ends(ends), run);
        confirmed.map(Some).map_err(|what| Trouble::wrong_run(what, Some(run.clone())).tell())
    }
}

/// Searches until the first error.
pub(super) fn check(
    loaded: &Loaded,
    options: &Options,
    order: Order,
    conditions: &[Condition],
    engine: &Engine,
    limits: &Limits,
    shortcuts: Shortcuts,
) -> Result<Answer, Exit> {
    options.fit(loaded.language()).map_err(|message| input::refuse(&message))?;
    if conditions.len() > MAX_CONDITIONS {
        let message = format!("at most {MAX_CONDITIONS} conditions at a time");
        return Err(input::refuse(&message));
    }
    let mut explore = ExploreOptions {
        order: match order {
            Order::BreadthFirst => Explored::BreadthFirst,
            Order::DepthFirst | Order::Both => Explored::DepthFirst,
        },
        stop_at_error: true,
        hidden_is_state: true,
        ignore_assertions: options.no_assert,
        ignore_end_states: match loaded.language() {
            Language::Promela => options.no_deadlock,
            Language::Dve => !options.deadlock,
        },
        empty_channels_at_end: options.empty_channels,
        conditions: conditions.to_vec(),
        ..Default::default()
    };
    limits.apply(&mut explore);
    let mut watch = Watch::start();
    // The shortest error has all steps.
    let shortcuts =
        Shortcuts { merge: shortcuts.merge && order != Order::BreadthFirst, ..shortcuts };
    let visible: Vec<ExprId> = explore.conditions.iter().map(|found| found.expr).collect();
    let shorter = shortcuts::shorter(loaded.model(), &visible, shortcuts);
    let explored = shorter.as_ref().unwrap_or(loaded.model());
    let found = by_both_orders(explored, order, engine, &mut explore, &mut watch);
    watch.finish();
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
            let run = match shorter {
                None => run,
                Some(_) => shortcuts::on_given(loaded.model(), &run).map_err(|lost| {
                    let what = format!("the given model cannot take it: {lost:?}");
                    Trouble::wrong_run(what, Some(run)).tell()
                })?,
            };
            Verdict::Violated(trace.error, run)
        }
        (None, Some(limit)) => Verdict::Inconclusive(limit),
        (None, None) => Verdict::Holds,
    };
    Ok(Answer { verdict, found, order, elapsed: watch.elapsed() })
}

fn by_both_orders(
    model: &Model,
    order: Order,
    engine: &Engine,
    explore: &mut ExploreOptions,
    watch: &mut Watch,
) -> Result<Exploration, Vec<Fault>> {
    let mut run =
        |explore: &ExploreOptions| engine.explore(model, explore, &mut |now| watch.look(now));
    // A limit of depth counts statements, depth first.
    let is_bound_to_order = explore.max_depth.is_some();
    let is_small = explore.max_states.is_some_and(|limit| limit <= DEPTH_FIRST);
    if order != Order::Both || is_bound_to_order || is_small {
        return run(explore);
    }
    let started = Instant::now();
    let first = ExploreOptions { max_states: Some(DEPTH_FIRST), ..explore.clone() };
    let found = run(&first)?;
    if found.limit != Some(Limit::States) || found.first_error.is_some() {
        return Ok(found);
    }
    explore.order = Explored::BreadthFirst;
    explore.time_limit = explore.time_limit.map(|limit| limit.saturating_sub(started.elapsed()));
    run(explore)
}

impl Options {
    /// A switch that has no meaning for the language is refused, not ignored.
    fn fit(&self, language: Language) -> Result<(), String> {
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
