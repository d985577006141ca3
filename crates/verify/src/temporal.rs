//! Temporal properties: which runs does a model have?

use std::time::Instant;

use lariat_checks::{Setup, StackProviso};
use lariat_core::Limit;
use lariat_ltl::translate::TooLarge;
use lariat_model::interp::Move;
use lariat_model::ir::layout::Divergence;
use lariat_model::ir::transition::Discipline;
use lariat_model::shortcuts::Shortcuts;
use lariat_report::execution::Ending;
use lariat_search::product::FiniteRuns;

use crate::answer::{Answer, Inconclusive, Statistics, Verdict};
use crate::bounded::Bounded;
use crate::config::Config;
use crate::error::Error;
use crate::judge::{Claimed, judge};
use crate::model::Loaded;
use crate::observer::Observer;
use crate::order::Order;
use crate::property::fair::Fair;
use crate::property::formula::{Mode, Origin, Property};
use crate::property::search::{Found, Searched, Task, search};
use crate::reduction::ReductionSwitches;
use crate::safety::begun;

/// The setup for a proviso of the papers. What does not go with it is refused.
fn proviso_fits(proviso: StackProviso, config: &Config, setup: &Setup) -> Result<Setup, String> {
    let refused = [
        (config.fairness.is_some(), "--fair: fairness is several marks"),
        (config.order == Order::BreadthFirst, "--bfs: it looks at a search stack"),
        (config.direct_non_progress, "--non-progress=direct: HPY §6 knows no repair"),
        (config.reduction.no_por, "--no-por"),
    ];
    match refused.into_iter().find(|&(given, _)| given) {
        Some((_, why)) => Err(format!("--por-proviso {} does not go with {why}", proviso.name())),
        None => proviso.setup(setup),
    }
}

/// The run behind the steps that the search began with.
fn behind(start: &[Vec<Move>], run: Claimed) -> Claimed {
    let steps = start.iter().cloned().chain(run.steps).collect();
    let ending = match run.ending {
        Ending::Loop { start: inside } => Ending::Loop { start: start.len() + inside },
        ending => ending,
    };
    Claimed { steps, ending }
}

/// Checks one property.
pub fn check(
    loaded: &Loaded,
    property: &Property,
    config: &Config,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let started = Instant::now();
    let given = loaded.model();
    let begun = begun(given, config)?;
    let model = begun.as_ref().unwrap_or(given);
    if let Some((state, _)) = &model.start
        && given.discipline == Discipline::Spin
        && Divergence::of(state).is_some()
    {
        let message = "here the run stays inside an atomic sequence for ever: ask before it";
        return Err(Error::Refused(message.to_owned()));
    }
    let config = &match begun {
        None => config.clone(),
        // A state of the given model need not be one of a smaller model.
        Some(_) => Config {
            shortcuts: Shortcuts::NONE,
            reduction: ReductionSwitches { no_por: true },
            ..config.clone()
        },
    };
    let finite_runs = config.finite_runs.unwrap_or(match property.origin {
        // A run that ends makes no cycle, Spin says there.
        Origin::NonProgress => FiniteRuns::Ignore,
        _ => FiniteRuns::Stutter,
    });
    let fair = config.fairness.map(|fairness| Fair::new(model, fairness, &config.fair_processes));
    let fair = fair.transpose()?;
    if let Some(bounded) = &config.bounded {
        bounded.fits(config, true)?;
    }
    let depth = config.limits.depth.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let depth_limit = depth.or(config.setup.depth_limit);
    let mut setup = Setup { depth_limit, ..config.setup.clone() };
    if let Some(member) = config.bounded.and_then(|bounded| bounded.members().next()) {
        // How wide states are is not known yet, and says nothing about which check fits.
        setup = Bounded::setup(&member, &setup, 1);
    }
    if let Some(proviso) = config.por_proviso {
        setup = proviso_fits(proviso, config, &setup)?;
    }
    let searched = match property.watcher.automaton() {
        Ok(automaton) => search(Task {
            model,
            property,
            watcher: &automaton,
            config,
            setup: &setup,
            order: if config.bounded.is_some() { Order::DepthFirst } else { config.order },
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
            let from = config.start.len();
            let run = behind(&config.start, run);
            let criterion = property.criterion_from(fair.as_ref(), may_rest, from);
            let judged = judge(given, &criterion, &run);
            let confirmed = judged.map_err(|what| Error::wrong_run(what, Some(run)))?;
            let shown = match from {
                0 => confirmed.up_to_decision(property),
                _ => confirmed,
            };
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
    let covered = searched.covered.unwrap_or_default();
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
            // Where the system's states are not kept, nobody counts them.
            system_states: config.bounded.is_none().then_some(searched.system_states as u64),
            transitions: stats.transitions,
            matched: stats.transitions.saturating_sub(stats.states),
            atomic_steps: 0,
            depth: stats.depth,
            memory: stats.bytes + stats.stack_bytes,
            elapsed: started.elapsed(),
            lasso: searched.lasso,
            counts: stats,
        },
        reduction: searched.reduction,
        warnings: Vec::new(),
        notes: config
            .bounded
            .and_then(|b| b.note(config))
            .into_iter()
            .chain(covered.notes())
            .collect(),
        exploration: None,
    })
}
