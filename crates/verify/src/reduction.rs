//! Whether partial-order reduction keeps the answer to a question (docs/por.md).

use lariat_automata::stutter::{self, Stuttering};
use lariat_checks::StackProviso;
use lariat_core::switches;
use lariat_ltl::stutter::is_invariant;
use lariat_model::interp::Fairness;
use lariat_model::ir::Model;
use lariat_por::Looks;
use lariat_report::numbers::grouped;
use lariat_system::ReductionReport;

use crate::property::atoms::over_atoms;
use crate::property::formula::{Origin, Watcher};
use crate::property::search::Task;

switches! {
    /// What is on or off of the reduction.
    pub struct ReductionSwitches {
        /// Do not leave out steps whose order does not matter (partial-order reduction)
        no_por: "--no-por" for Users,
    }
}

/// An automaton with more states is not asked whether repeated states change its answer.
const MOST_STATES: usize = 1000;

/// What became of the reduction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// It was switched off, or there was nothing to search.
    Off,
    /// Steps whose order does not matter were left out.
    Used,
    /// The same, but some may have been put off for ever, and runs missed by that.
    MayMiss(StackProviso),
    /// It might change the answer, for this reason.
    Impossible(String),
}

impl Reduction {
    /// Whether steps were left out.
    pub fn is_used(&self) -> bool {
        matches!(self, Reduction::Used | Reduction::MayMiss(_))
    }

    /// For `--explain`: with what was found out afterwards.
    pub(crate) fn explained(&self, report: Option<&ReductionReport>) -> Vec<String> {
        let mut lines = vec![self.in_words()];
        lines.extend(report.into_iter().flat_map(where_full));
        lines
    }

    fn in_words(&self) -> String {
        match self {
            Reduction::Off => "reduction: none, as asked".to_owned(),
            Reduction::Used => {
                "reduction: steps whose order does not matter are left out".to_owned()
            }
            Reduction::MayMiss(proviso) => format!(
                "reduction: steps are left out by the proviso {}, which may miss runs",
                proviso.name()
            ),
            Reduction::Impossible(why) => format!("reduction: none: {why}"),
        }
    }
}

/// What is known of the language that watches, over the atoms of its propositions.
fn of_automaton(task: &Task<'_>) -> Stuttering {
    let over = over_atoms(task.model, task.watcher, &task.property.bound);
    stutter::of_language(&over, MOST_STATES)
}

/// So many causes are named; the others are counted.
const MOST_CAUSES: usize = 8;

/// Where nothing was left out, and why.
pub(crate) fn where_full(report: &ReductionReport) -> Vec<String> {
    let share =
        |count: u64| format!("{:.1} %", 100.0 * count as f64 / report.looked_at.max(1) as f64);
    let of = match report.looked_at == report.states {
        true => "states".to_owned(),
        false => format!("states (of {} that were looked at)", grouped(report.looked_at)),
    };
    let mut lines =
        vec![format!("  something was left out in {} of the {of}", share(report.reduced))];
    let (named, others) = report.full.split_at(report.full.len().min(MOST_CAUSES));
    lines.extend(
        named.iter().map(|(cause, count)| format!("  nothing in {}: {cause}", share(*count))),
    );
    if !others.is_empty() {
        let count = others.iter().map(|(_, count)| count).sum();
        lines.push(format!("  nothing in {}: {} other reasons", share(count), others.len()));
    }
    lines
}

/// For the product with a property's automaton.
pub(crate) fn of_runs(task: &Task<'_>, model: &Model) -> Reduction {
    let Task { property, config, setup, fair, .. } = task;
    if config.reduction.no_por || setup.shortest || config.engine.spread.is_some() {
        return Reduction::Off;
    }
    let bounded = config.bounded.as_ref();
    if let Some(why) = bounded.and_then(|bounded| bounded.why_unreduced(config.order, true)) {
        return Reduction::Impossible(why.to_owned());
    }
    let why = match (property.origin, &property.watcher) {
        _ if task.is_direct() => Some("HPY Fig. 5 is searched as it is printed".to_owned()),
        _ if fair.is_some_and(|fair| fair.fairness == Fairness::Spin) => {
            Some("fairness as in `pan -f` looks at who waits for a rendezvous".to_owned())
        }
        (Origin::Formula, Watcher::Formula { formulas, formula, .. }) => {
            let mut formulas = (**formulas).clone();
            match is_invariant(&mut formulas, *formula, MOST_STATES) {
                Ok(true) => None,
                Ok(false) => Some("the formula tells repeated states apart".to_owned()),
                Err(_) => Some("it takes too long to see whether X counts steps".to_owned()),
            }
        }
        (Origin::Acceptance | Origin::NonProgress, _) => None,
        _ => match of_automaton(task) {
            Stuttering::Closed => None,
            Stuttering::Open => Some("the automaton tells repeated states apart".to_owned()),
            Stuttering::Unknown => Some("the automaton may tell repeated states apart".to_owned()),
        },
    };
    let looks = Looks { propositions: &property.bound, fairness: fair.is_some() };
    let why =
        why.or_else(|| lariat_por::Reduction::check(model, looks).err().map(|why| why.to_string()));
    let used = config.por_proviso.map_or(Reduction::Used, Reduction::MayMiss);
    why.map_or(used, Reduction::Impossible)
}
