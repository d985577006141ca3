//! Which checks answer a question about runs, each on its part of the property automaton.

use lariat_automata::{Label, Tgba};
use lariat_checks::{Algorithm, Choice, Plan, choose};
use lariat_core::Marks;
use lariat_model::interp::Fairness;

use super::search::Task;
use crate::order::Order;

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
pub(super) struct Job {
    pub(super) method: Method,
    pub(super) why: String,
    pub(super) automaton: Option<Tgba>,
}

/// What was asked for goes depth first, or has an order of its own.
fn refuse_breadth_first(task: Task<'_>, asked: &str) -> Result<(), String> {
    let is_direct = task.is_direct();
    let is_strong = task.fair.is_some_and(|fair| fair.fairness == Fairness::Strong);
    let what = match task.setup.given().into_iter().find(|&switch| switch != "--shortest") {
        Some(switch) => switch,
        None if is_direct => "--non-progress=direct",
        None if is_strong => "--fair strong",
        None if !task.setup.allows_sweep() => "--depth-limit",
        None => return Ok(()),
    };
    Err(format!("{asked} does not go with {what} for a temporal property"))
}

/// `is_whole`: the automaton must not be taken apart.
pub(super) fn jobs(task: Task<'_>, is_whole: bool) -> Result<(Vec<Job>, Vec<String>), String> {
    let Task { setup, fair, .. } = task;
    setup.fits_products()?;
    if task.order == Order::BreadthFirst {
        refuse_breadth_first(task, "--bfs")?;
    }
    if let Some((_, asked)) = task.config.switches.asked_for()? {
        let is_numbered = task.config.engine.sharing().is_none();
        let why = match task.order {
            Order::DepthFirst => Some("--dfs"),
            _ if is_numbered => Some("states with numbers"),
            _ if task.config.por_proviso.is_some() => Some("--por-proviso"),
            _ => task.config.bounded.as_ref().map(|_| "bounded memory"),
        };
        if let Some(why) = why {
            return Err(format!("{asked} does not go with {why}"));
        }
        refuse_breadth_first(task, asked)?;
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
            let Choice { plans, explanation } =
                choose(task.watcher, setup, fair.is_some(), is_whole)?;
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
