//! Temporal properties: which runs does a model have?

use std::time::Instant;

use lariat_checks::Setup;
use lariat_core::Limit;
use lariat_ltl::translate::TooLarge;
use lariat_search::product::FiniteRuns;

use crate::answer::{Answer, Inconclusive, Statistics, Verdict};
use crate::config::Config;
use crate::error::Error;
use crate::judge::judge;
use crate::model::Loaded;
use crate::observer::Observer;
use crate::property::fair::Fair;
use crate::property::formula::{Mode, Origin, Property};
use crate::property::search::{Found, Searched, Task, search};

/// Checks one property.
pub fn check(
    loaded: &Loaded,
    property: &Property,
    config: &Config,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let started = Instant::now();
    let model = loaded.model();
    let finite_runs = config.finite_runs.unwrap_or(match property.origin {
        // A run that ends makes no cycle, Spin says there.
        Origin::NonProgress => FiniteRuns::Ignore,
        _ => FiniteRuns::Stutter,
    });
    let fair = config.fairness.map(|fairness| Fair::new(model, fairness, &config.fair_processes));
    let fair = fair.transpose()?;
    let depth = config.limits.depth.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let depth_limit = depth.or(config.setup.depth_limit);
    let setup = Setup { depth_limit, ..config.setup.clone() };
    let searched = match property.watcher.automaton() {
        Ok(automaton) => search(Task {
            model,
            property,
            watcher: &automaton,
            config,
            setup: &setup,
            order: config.order,
            shortcuts: config.shortcuts,
            fair: fair.as_ref(),
            finite_runs,
            observer,
        })?,
        Err(TooLarge::Stopped(limit)) => {
            let why = format!("{limit} while the formula was translated");
            Searched::without_automaton(Inconclusive::new(limit, why))
        }
        Err(error) => {
            let why = format!("cannot translate the formula: {error}");
            Searched::without_automaton(Inconclusive::new(Limit::Memory, why))
        }
    };
    let verdict = match searched.found {
        Found::Run(run) => {
            let may_rest = finite_runs == FiniteRuns::Stutter;
            let judged = judge(model, &property.criterion(fair.as_ref(), may_rest), &run);
            let confirmed = judged.map_err(|what| Error::wrong_run(what, Some(run)))?;
            let shown = confirmed.up_to_decision(property);
            match property.mode {
                Mode::Always => Verdict::Violated(shown),
                Mode::Exists => Verdict::Found(shown),
            }
        }
        Found::None => match property.mode {
            Mode::Always => Verdict::Holds,
            Mode::Exists => Verdict::Refuted,
        },
        Found::Inconclusive(why) => Verdict::Inconclusive(why),
    };
    let stats = searched.stats;
    Ok(Answer {
        name: property.name.clone(),
        kind: property.kind(),
        text: Some(property.text.trim().to_owned()),
        verdict,
        error: None,
        check: searched.method.name(),
        why: Some(searched.why),
        explanation: searched.explanation,
        automaton_states: Some(searched.automaton_states),
        statistics: Statistics {
            states: stats.states,
            system_states: Some(searched.system_states as u64),
            transitions: stats.transitions,
            matched: stats.transitions.saturating_sub(stats.states),
            atomic_steps: 0,
            depth: stats.depth,
            memory: stats.bytes + stats.stack_bytes,
            elapsed: started.elapsed(),
        },
        warnings: Vec::new(),
        exploration: None,
    })
}
