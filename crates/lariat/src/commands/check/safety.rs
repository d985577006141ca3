//! Safety: no reachable state or step is in error.

use std::time::Duration;

use lariat_model::explore::{
    Condition, ErrorKind, ErrorTrace, Exploration, ExploreOptions, Limit, Order as Explored,
};

use lariat_core::{makes_mistake, stop};
use lariat_model::interp::Fault;
use lariat_model::ir::{ExprId, Model};
use lariat_model::shortcuts::Shortcuts;
use lariat_report::execution::Ending;
use lariat_report::numbers::grouped;
use lariat_syntax::diagnostics::Diagnostic;
use serde_json::{Value, json};

use super::order::Order;
use crate::bug::Trouble;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::input;
use crate::judge::{self, Claimed, Confirmed, Ends, judge};
use crate::limits::{Limits, reason};
use crate::model::{Language, Loaded};
use crate::progress::{self, Watch};
use crate::shortcuts;
use crate::watchdog;

#[derive(clap::Args, Clone, Debug)]
pub(super) struct Options {
    /// Promela: do not report invalid end states (`pan -E`)
    #[arg(long, conflicts_with = "deadlock")]
    no_deadlock: bool,
    /// DVE: report states without successors
    #[arg(long)]
    deadlock: bool,
    /// Do not check assertions (`pan -A`)
    #[arg(long)]
    no_assert: bool,
    /// Promela: an end state is invalid if a channel still holds a message (`pan -q`)
    #[arg(long)]
    empty_channels: bool,
    /// Check that this expression is true in every state, besides safety
    #[arg(long, value_name = "EXPR")]
    invariant: Vec<String>,
    /// Look for a state in which this expression is true, besides safety. Shows a run to it (exit
    /// code 1), or says that there is none
    #[arg(long, value_name = "EXPR")]
    reach: Vec<String>,
}

/// A question about the states that can be reached.
pub(super) struct Question {
    pub(super) name: String,
    /// `safety`, `invariant` or `reach`.
    pub(super) kind: &'static str,
    /// The condition, and its text. Without one, all the errors that the language knows.
    pub(super) condition: Option<(Condition, String)>,
}

impl Question {
    pub(super) fn text(&self) -> Option<String> {
        self.condition.as_ref().map(|(_, text)| text.clone())
    }
}

impl Options {
    /// What is asked about states: safety, then each condition for itself. What is wrong with the
    /// conditions.
    pub(super) fn questions(
        &self,
        loaded: &mut Loaded,
        with_safety: bool,
    ) -> Result<Vec<Question>, Vec<Diagnostic>> {
        let mut questions = Vec::new();
        if with_safety {
            let name = "safety".to_owned();
            questions.push(Question { name, kind: "safety", condition: None });
        }
        for (kind, texts) in [("invariant", &self.invariant), ("reach", &self.reach)] {
            for (number, text) in texts.iter().enumerate() {
                let expr = loaded.expression(&format!("--{kind}"), text)?;
                let condition = Condition { expr, wanted: kind == "invariant" };
                let name = format!("--{kind}#{}", number + 1);
                questions.push(Question { name, kind, condition: Some((condition, text.clone())) });
            }
        }
        Ok(questions)
    }

    /// What was looked for, in a saved run.
    pub(super) fn saved(&self, question: &Question) -> Value {
        match &question.condition {
            Some((_, text)) => json!({ "condition": text }),
            None => json!({
                "no_deadlock": self.no_deadlock,
                "deadlock": self.deadlock,
                "no_assert": self.no_assert,
                "empty_channels": self.empty_channels,
            }),
        }
    }

    /// An option that was given and decides what safety means.
    pub(super) fn changes_meaning(&self) -> Option<&'static str> {
        let given = [
            (self.no_deadlock, "--no-deadlock"),
            (self.deadlock, "--deadlock"),
            (self.no_assert, "--no-assert"),
            (self.empty_channels, "--empty-channels"),
        ];
        given.into_iter().find(|&(given, _)| given).map(|(_, option)| option)
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
    /// What makes the run worth less than it seems.
    pub(super) warning: Option<String>,
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
        let confirmed = judge(model, &judge::Question::Ends(ends), run);
        confirmed.map(Some).map_err(|what| Trouble::wrong_run(what, Some(run.clone())).tell())
    }
}

/// How to search.
#[derive(Clone, Copy)]
pub(super) struct Conduct<'a> {
    pub(super) order: Order,
    /// A shortest run is wanted.
    pub(super) shortest: bool,
    pub(super) engine: &'a Engine,
    pub(super) limits: &'a Limits,
    pub(super) shortcuts: Shortcuts,
}

/// Searches until the first error. If a shortest one is wanted, once more breadth first: an error
/// that was found by then is not lost if that takes too long.
pub(super) fn check(
    loaded: &Loaded,
    options: &Options,
    question: &Question,
    conduct: Conduct<'_>,
) -> Result<Answer, Exit> {
    options.fit(loaded.language()).map_err(|message| input::refuse(&message))?;
    let first = search(loaded, options, question, conduct)?;
    let is_shortest = first.order == Explored::BreadthFirst;
    if !conduct.shortest || is_shortest || !matches!(first.verdict, Verdict::Violated(..)) {
        return Ok(first);
    }
    let conduct = Conduct { order: Order::BreadthFirst, ..conduct };
    let second = search(loaded, options, question, conduct)?;
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
    options: &Options,
    question: &Question,
    conduct: Conduct<'_>,
) -> Result<Answer, Exit> {
    let Conduct { order, shortest, engine, limits, shortcuts } = conduct;
    let condition = question.condition.as_ref().map(|&(condition, _)| condition);
    let mut explore = ExploreOptions {
        order: match order {
            Order::BreadthFirst => Explored::BreadthFirst,
            Order::DepthFirst | Order::Both { .. } => Explored::DepthFirst,
        },
        only_conditions: condition.is_some(),
        stop_at_error: true,
        hidden_is_state: true,
        ignore_assertions: options.no_assert,
        ignore_end_states: match loaded.language() {
            Language::Promela => options.no_deadlock,
            Language::Dve => !options.deadlock,
        },
        empty_channels_at_end: options.empty_channels,
        conditions: condition.into_iter().collect(),
        ..Default::default()
    };
    limits.apply(&mut explore);
    let about = format!("{}: {}", loaded.model().name, question.name);
    let mut watch = Watch::start(about.clone());
    // The shortest error has all steps.
    let may_merge = order != Order::BreadthFirst && !shortest;
    let shortcuts = Shortcuts { merge: shortcuts.merge && may_merge, ..shortcuts };
    let visible: Vec<ExprId> = explore.conditions.iter().map(|found| found.expr).collect();
    let shorter = shortcuts::shorter(loaded.model(), &visible, shortcuts);
    let explored = shorter.as_ref().unwrap_or(loaded.model());
    let found = by_both_orders(explored, &about, order, engine, &mut explore, &mut watch);
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
            watchdog::note_found();
            // A run that was found is not lost because time is over.
            let given = || shortcuts::on_given(loaded.model(), &run);
            let run = match shorter {
                None => run,
                Some(_) => stop::undisturbed(given)
                    .map_err(|lost| Trouble::wrong_run(lost, Some(run)).tell())?,
            };
            Verdict::Violated(trace.error, run)
        }
        (None, Some(limit)) => Verdict::Inconclusive(limit),
        (None, None) => Verdict::Holds,
    };
    Ok(Answer { verdict, found, order, elapsed: watch.elapsed(), warning: None })
}

fn by_both_orders(
    model: &Model,
    about: &str,
    order: Order,
    engine: &Engine,
    explore: &mut ExploreOptions,
    watch: &mut Watch,
) -> Result<Exploration, Vec<Fault>> {
    let mut run = |explore: &ExploreOptions| {
        let watch = &mut |now| {
            watch.look(now);
            true
        };
        engine.explore(model, explore, watch)
    };
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
    progress::remark(&format!(
        "{about}: nothing found in the first {} states, depth first; starting again breadth first, \
         which is faster for all of them (--dfs goes on depth first)",
        grouped(most)
    ));
    explore.order = Explored::BreadthFirst;
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
