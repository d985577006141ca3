//! `lariat check`: does a model do what it must?
//!
//! - `files`: which models are meant
//! - `safety`: the search for violated assertions, invalid end states, run-time errors
//! - `temporal`: `ltl` blocks, and formulas of the command line
//! - `judgement`: what is known about a property; `report`: about a model
//! - `human`, `several`, `json`, `junit`, `spin_summary`: the reports
//! - `save`: counterexamples for later

mod files;
mod human;
mod json;
pub(crate) mod judgement;
mod junit;
pub(crate) mod order;
mod report;
mod safety;
mod save;
mod several;
mod spin_summary;
mod temporal;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use lariat_model::interp::Interp;
use lariat_model::ir::Model;
use lariat_report::coverage;
use serde_json::json;

use crate::bug;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::fingerprint;
use crate::input;
use crate::limits::Limits;
use crate::model::{Parts, Reading};
use crate::progress;
use crate::shortcuts::Allowed;
use crate::style::{Style, When};
use crate::vacuity::Vacuity;
use crate::views::Views;
use judgement::{Judgement, Verdict, of_safety, of_temporal};
use report::{Entry, ModelReport};
use save::{SaveOptions, Saver};
use several::{Table, side_by_side};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Models, or directories of them: DVE if the name ends in .dve, else Promela; `-` is
    /// Promela from standard input
    #[arg(required = true)]
    models: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    engine: Engine,
    #[command(flatten)]
    shortcuts: Allowed,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    order: order::Options,
    #[command(flatten)]
    safety: safety::Options,
    #[command(flatten)]
    temporal: temporal::Options,
    #[command(flatten)]
    views: Views,
    #[command(flatten)]
    save: SaveOptions,
    /// List the statements that were never executed
    #[arg(long)]
    coverage: bool,
    /// One JSON object on standard output (docs/json.md)
    #[arg(long, conflicts_with = "report")]
    json: bool,
    /// What to print
    #[arg(long, value_enum, default_value = "human")]
    report: Report,
    /// Write a JUnit report, too
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// How many models are checked side by side
    #[arg(long, value_name = "N", default_value = "1",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Several models: show their runs, too, behind the table
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

pub(crate) fn run(args: &Args) -> Exit {
    progress::catch_interrupts();
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
    let style = Style::of_stdout(args.color);
    let reports = if is_one {
        let report = check(&models[0], saved(0), args, &mut |model, entry| {
            say(&spoken(model, &entry.judgement, args, style));
        });
        vec![report]
    } else {
        progress::silence();
        let table = Table::new(&models, style);
        let is_table = !args.json && args.report == Report::Human;
        if is_table {
            say(&table.header());
        }
        let check = |at: usize| check(&models[at], saved(at), args, &mut |_, _| {});
        let reports = side_by_side(models.len(), args.threads as usize, check, |report| {
            if is_table {
                say(&table.rows(report));
            } else if !args.json {
                report.entries.iter().for_each(|entry| say(&entry.text));
            }
        });
        if is_table {
            say(&format!("{}\n", several::tally(&reports)));
            let entries = reports.iter().flat_map(|report| &report.entries);
            for entry in entries.filter(|entry| args.runs && entry.judgement.run.is_some()) {
                say(&format!("\n{}", entry.text));
            }
        }
        reports
    };
    let worst = reports.iter().map(|report| report.exit).max().unwrap_or(Exit::Holds);
    if args.json {
        let object = match is_one {
            true => json::model(&reports[0]),
            false => json::together(&reports, worst),
        };
        say(&format!("{object}\n"));
    }
    match write_junit(args, &reports) {
        Ok(()) => worst,
        Err(message) => input::refuse(&message),
    }
}

/// Standard output that is gone is noticed by `sigpipe`; other trouble with it is not ours.
fn say(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn write_junit(args: &Args, reports: &[ModelReport]) -> Result<(), String> {
    let Some(file) = &args.junit else { return Ok(()) };
    let document = junit::document(reports)?;
    std::fs::write(file, document)
        .map_err(|error| format!("cannot write {}: {error}", file.display()))
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

/// Called with each property as soon as it is judged.
type Sink<'a> = dyn FnMut(&Model, &Entry) + 'a;

/// Checks one model.
fn check(path: &Path, saved: Option<PathBuf>, args: &Args, sink: &mut Sink<'_>) -> ModelReport {
    let mut report = ModelReport::new(path);
    bug::busy_with(path);
    if let Err(exit) = bug::guarded(|| properties(path, saved, args, &mut report, sink)) {
        report.fail(exit);
    }
    report
}

/// Safety first, then each temporal property.
fn properties(
    path: &Path,
    saved: Option<PathBuf>,
    args: &Args,
    report: &mut ModelReport,
    sink: &mut Sink<'_>,
) -> Result<(), Exit> {
    let claims = args.temporal.claims();
    let mut loaded = args.reading.load(path, Parts::System)?;
    if !claims.is_empty() {
        loaded = args.reading.load_with_claims(path, claims)?;
    }
    report.model = loaded.model().name.clone();
    bug::busy_with_model(loaded.model());
    let fingerprint = fingerprint::of(loaded.model());
    let mut saver = saved.map(|file| Saver::new(file, path, fingerprint, &args.reading, claims));
    let conditions = args.safety.conditions(&mut loaded).map_err(|diagnostics| {
        args.reading.say(&loaded.model().sources, &diagnostics);
        Exit::BadInput
    })?;
    let temporal = args.temporal.properties(&mut loaded, &args.reading)?;
    if temporal.is_empty() && !args.reading.is_quiet() {
        let without_effect = args.temporal.only_temporal();
        if !without_effect.is_empty() {
            eprintln!(
                "warning: {}: no temporal property here; no effect on safety, which stays exact: {}",
                path.display(),
                without_effect.join(", ")
            );
        }
    }
    let model = loaded.model();
    let mut with_runs: Vec<String> = Vec::new();
    let mut add = |judgement: Judgement| {
        if let Some(run) = &judgement.run {
            if with_runs.is_empty()
                && let Err(message) = args.views.write(model, run, &judgement.name)
            {
                report.exit = input::refuse(&message);
            }
            with_runs.push(judgement.name.clone());
        }
        report.exit = report.exit.max(judgement.verdict.exit());
        let wants_text = args.junit.is_some() || args.report == Report::Spin || args.runs;
        let text =
            if wants_text { spoken(model, &judgement, args, Style::PLAIN) } else { String::new() };
        let json = args.json.then(|| json::property(model, &judgement));
        let entry = Entry { judgement, text, json };
        sink(model, &entry);
        report.entries.push(entry);
    };
    let order = args.order.order();
    let mut covered = None;
    if args.temporal.with_safety() || !conditions.is_empty() {
        let (limits, shortcuts) = (&args.limits, args.shortcuts.which());
        bug::busy_with_property(json!({ "name": "safety", "options": args.safety.saved() }));
        // Native code does not tell the statements of a d_step apart.
        let interpret = args.engine.interpret || args.coverage;
        let engine = Engine { interpret, ..args.engine.clone() };
        let answer =
            safety::check(&loaded, &args.safety, order, &conditions, &engine, limits, shortcuts)?;
        let run = answer.run(model, &args.safety)?;
        let mut judgement = of_safety(&loaded, &answer, run);
        if let Some(saver) = &mut saver {
            let error = save::error_of(&answer, &conditions, &args.safety);
            saver.save(model, &mut judgement, error, args.safety.saved());
        }
        add(judgement);
        covered = Some(answer);
    }
    let mut vacuity = Vacuity::new(model, &temporal);
    for (number, property) in temporal.into_iter().enumerate() {
        let (limits, shortcuts) = (&args.limits, args.shortcuts.which());
        bug::busy_with_property(json!({
            "name": property.name,
            "formula": property.text,
            "options": args.temporal.saved(&property),
        }));
        let judged = temporal::check(
            &loaded,
            property,
            &args.temporal,
            order,
            &args.engine,
            limits,
            shortcuts,
        )?;
        let (options, states) = (args.temporal.saved(&judged.property), judged.system_states());
        let mut judgement = of_temporal(judged);
        if judgement.verdict != Verdict::Inconclusive && !args.reading.is_quiet() {
            let holds = judgement.verdict == Verdict::Holds;
            judgement.warnings = vacuity.warnings(model, number, holds, states, &args.engine);
        }
        if let Some(saver) = &mut saver {
            saver.save(model, &mut judgement, None, options);
        }
        add(judgement);
    }
    if let Some(saver) = saver.filter(|_| !args.save.names_a_file()) {
        saver.remove_stale();
    }
    if report.exit != Exit::BadInput {
        args.views.tell_which(&with_runs);
    }
    if let Some(answer) = covered.filter(|_| args.coverage) {
        report.coverage = Some(coverage::json(model, &answer.found));
        if !args.json && args.report == Report::Human {
            let is_whole = matches!(answer.verdict, safety::Verdict::Holds);
            let title = if is_whole { "coverage" } else { "unreached so far" };
            say(&format!("\n{title}:\n{}", coverage::text(model, &answer.found)));
        }
    }
    Ok(())
}
