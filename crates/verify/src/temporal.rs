//! Temporal properties: which runs does a model have?

use std::time::{Duration, Instant};

use lariat_checks::Setup;
use lariat_ltl::translate::TooLarge;
use lariat_search::shared_product::FiniteRuns;

use crate::config::Config;
use crate::error::Error;
use crate::judge::{Confirmed, judge};
use crate::model::Loaded;
use crate::observer::Observer;
use crate::property::fair::Fair;
use crate::property::formula::{Kind, Mode, Property};
use crate::property::search::{Answer, Found, Task, search};

/// The answer about one property, and how long it took.
pub struct Judged {
    pub property: Property,
    pub answer: Answer,
    /// The run that was found, after the judge has seen it.
    pub run: Option<Confirmed>,
    pub elapsed: Duration,
}

impl Judged {
    /// `holds` for a formula that all runs satisfy, or that some run was wanted for and found.
    pub fn verdict(&self) -> &'static str {
        match (&self.answer.found, self.property.mode) {
            (Found::Inconclusive(_), _) => "inconclusive",
            (Found::None, Mode::Always) | (Found::Run(_), Mode::Exists) => "holds",
            (Found::None, Mode::Exists) | (Found::Run(_), Mode::Always) => "violated",
        }
    }
}

/// Checks one property.
pub fn check(
    loaded: &Loaded,
    property: Property,
    config: &Config,
    observer: &dyn Observer,
) -> Result<Judged, Error> {
    let started = Instant::now();
    let model = loaded.model();
    let finite_runs = config.finite_runs.unwrap_or(match property.kind {
        // A run that ends makes no cycle, Spin says there.
        Kind::NonProgress => FiniteRuns::Ignore,
        _ => FiniteRuns::Stutter,
    });
    let fair = config.fairness.map(|fairness| Fair::new(model, fairness, &config.fair_processes));
    let fair = fair.transpose()?;
    let depth = config.limits.depth.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let setup = Setup { depth_limit: depth, ..config.setup.clone() };
    let answer = match property.watcher.automaton() {
        Ok(automaton) => search(Task {
            model,
            property: &property,
            watcher: &automaton,
            config,
            setup: &setup,
            order: config.order,
            shortcuts: config.shortcuts,
            fair: fair.as_ref(),
            finite_runs,
            observer,
        })?,
        Err(TooLarge::Stopped(why)) => {
            Answer::without_automaton(format!("{why} while the formula was translated"))
        }
        Err(error) => Answer::without_automaton(format!("cannot translate the formula: {error}")),
    };
    let run = match &answer.found {
        Found::Run(run) => {
            let may_rest = finite_runs == FiniteRuns::Stutter;
            let judged = judge(model, &property.question(fair.as_ref(), may_rest), run);
            Some(judged.map_err(|what| Error::wrong_run(what, Some(run.clone())))?)
        }
        Found::None | Found::Inconclusive(_) => None,
    };
    Ok(Judged { property, answer, run, elapsed: started.elapsed() })
}
