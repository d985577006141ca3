//! `lariat check`: does a model do what it must?
//!
//! - `files`: which models are meant; `one`: all questions about one of them
//! - `safety`: the search for violated assertions, invalid end states, run-time errors
//! - `temporal`: `ltl` blocks, and formulas of the command line
//! - `expect`: verdicts that models say are right
//! - `judgement`: what is known about a property; `report`: about a model; `ledger`: about all
//! - `human`, `several`, `json`, `junit`, `spin_summary`: the reports
//! - `save`: counterexamples for later

mod expect;
mod files;
mod human;
mod json;
pub(crate) mod judgement;
mod junit;
mod ledger;
mod one;
mod report;
mod safety;
mod save;
mod several;
mod spin_summary;
pub(crate) mod temporal;

use std::path::PathBuf;

use clap::ValueEnum;
use lariat_core::stop;
use lariat_model::interp::Interp;
use lariat_model::ir::Model;
use lariat_verify::Config;
use lariat_verify::reduction::ReductionSwitches;

use crate::arguments::shortcuts::Allowed;
use crate::arguments::switches::Given;
use crate::arguments::{FOR_TESTS, bounded, engine, order, reading};
use crate::exit::Exit;
use crate::input;
use crate::limits::{Each, Limits};
use crate::progress;
use crate::signals;
use crate::spread;
use crate::style::{Style, When};
use crate::views::Views;
pub(crate) use files::models;
use judgement::Judgement;
use ledger::Ledger;
use save::SaveOptions;
pub(crate) use several::side_by_side;
pub(crate) use temporal::own_properties;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model files, or directories of them. Names that end in .dve are DVE models, all others
    /// Promela; `-` reads Promela from standard input
    #[arg(required = true)]
    models: Vec<PathBuf>,
    #[command(flatten)]
    reading: reading::Args,
    #[command(flatten)]
    engine: engine::Args,
    #[command(flatten)]
    shortcuts: Allowed,
    #[command(flatten)]
    reduction: Given<ReductionSwitches>,
    /// Judge after N states whether partial-order reduction pays
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = FOR_TESTS)]
    por_after: Option<u64>,
    #[command(flatten)]
    spread: spread::Args,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    each: Each,
    #[command(flatten)]
    progress: progress::ProgressArgs,
    #[command(flatten)]
    order: order::Args,
    #[command(flatten)]
    bounded: bounded::Args,
    #[command(flatten)]
    safety: safety::SafetyArgs,
    #[command(flatten)]
    temporal: temporal::TemporalArgs,
    #[command(flatten)]
    views: Views,
    #[command(flatten)]
    save: SaveOptions,
    /// Ignore the verdicts that models expect (see docs/expectations.md)
    #[arg(long)]
    ignore_expectations: bool,
    /// List the statements that were never executed
    #[arg(long)]
    coverage: bool,
    /// Print one JSON object (see docs/json.md)
    #[arg(long, conflicts_with = "report")]
    json: bool,
    /// Which report to print
    #[arg(long, value_enum, default_value = "human")]
    report: Report,
    /// Also write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Threads for each search that outlives 100,000 states, as many as there are cores by default; with several models, so many
    /// are checked at the same time. With 1, the same order each time. No verdict and no count depends on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// With several models: show their runs after the table
    #[arg(long)]
    runs: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value = "auto")]
    color: When,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Report {
    /// One line for each property, and its counterexample; a table for several models
    Human,
    /// The lines of Spin's verifier that scripts look for
    Spin,
}

impl Args {
    /// How many models are checked at the same time.
    fn side_by_side(&self, models: usize) -> usize {
        self.threads.map_or(1, |threads| threads as usize).min(models).max(1)
    }

    /// What cannot be had by several processes.
    fn why_not_spread(&self, is_one: bool) -> Option<String> {
        let given = [
            (!is_one, "more than one model"),
            (self.order.is_depth_first(), "--dfs"),
            (self.limits.has_depth(), "--depth-limit"),
            (self.bounded.bounded().is_some(), "bounded memory"),
            (self.por_after.is_some(), "--por-after"),
            (self.coverage, "--coverage"),
        ];
        let misplaced = given.into_iter().find(|&(is_given, _)| is_given && self.spread.is_given());
        let told = |(_, what): (bool, &str)| {
            format!("{what} cannot be had with --processes, --hosts or checkpoints")
        };
        misplaced.map(told).or_else(|| self.spread.complaint(&self.models[0]))
    }

    /// `models` are checked in all.
    fn config(&self, models: usize) -> Config {
        let threads = self.threads.map(|threads| threads as usize / self.side_by_side(models));
        Config {
            engine: self.engine.engine(threads),
            order: self.order.order(),
            limits: self.limits.shared_by(
                self.threads.filter(|_| self.spread.is_given()),
                self.spread.on_this_machine(),
            ),
            shortcuts: self.shortcuts.which(),
            reduction: self.reduction.0,
            por_after: self.por_after,
            errors: self.safety.errors(),
            bounded: self.bounded.bounded(),
            ..self.temporal.config()
        }
    }
}

pub(crate) fn run(args: &'static Args) -> Exit {
    signals::catch();
    args.progress.apply();
    let has_time_limit = args.limits.has_time() || args.each.has_time();
    if let Some(message) = args.bounded.complaint(has_time_limit) {
        return input::refuse(message);
    }
    let models = match files::models(&args.models) {
        Ok(models) => models,
        Err(message) => return input::refuse(&message),
    };
    let is_one = models.len() == 1 && !args.models[0].is_dir();
    if !is_one && args.save.names_a_file() {
        return input::refuse("--lasso is for one model; several have a file each");
    }
    if !is_one && args.views.has_files() {
        return input::refuse("--svg, --itf and --trail are for one model");
    }
    let names = files::saved_names(&models);
    let saved = |at: usize| args.save.file(&models[at], &names[at]);
    // The watchdog may have to print it while this thread is still at work.
    let ledger: &'static Ledger = Box::leak(Box::new(Ledger::new(&models, is_one, args)));
    let deadline = args.limits.watch(|why| ledger.cut(why));
    if let Some(message) = args.why_not_spread(is_one) {
        return input::refuse(&message);
    }
    if args.spread.is_given() {
        let threads = args.threads.map(|threads| threads as usize);
        let properties = args.temporal.files();
        let asked = spread::Asked {
            model: &models[0],
            is_bfs: args.order.is_breadth_first(),
            properties: &properties,
        };
        return args.spread.run(asked, threads, || {
            // Only what the first worker of the first process finds is told, and kept in files.
            let is_silent = spread::is_silent().0;
            let own = is_silent.then(|| Ledger::new(&models, is_one, args));
            let (ledger, saved) = match &own {
                Some(own) => (own, None),
                None => (ledger, saved(0)),
            };
            let config = args.config(1);
            stop::within(deadline, || {
                one::check(&models[0], saved, args, &config, &ledger.reports[0])
            });
            if is_silent { Exit::Holds } else { ledger.conclude() }
        });
    }
    let config = args.config(models.len());
    let check = |at: usize| {
        let report = &ledger.reports[at];
        stop::within(deadline, || one::check(&models[at], saved(at), args, &config, report));
    };
    ledger.begin();
    if is_one {
        check(0);
    } else {
        side_by_side(models.len(), args.side_by_side(models.len()), check, |at| ledger.show(at));
    }
    ledger.conclude()
}

/// What is printed about a property; nothing where JSON says it all later.
fn spoken(model: &Model, judgement: &Judgement, args: &Args, style: Style) -> String {
    match args.report {
        _ if args.json => String::new(),
        Report::Human => human::text(model, judgement, &args.views, style),
        Report::Spin => {
            let initial = Interp::new(model).initial();
            spin_summary::text(judgement, initial.map_or(0, |(state, _)| state.len()))
        }
    }
}
