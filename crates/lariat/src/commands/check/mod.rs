//! `lariat check`: does a model do what it must?
//!
//! - `safety`: the search for violated assertions, invalid end states, run-time errors
//! - `temporal`: `ltl` blocks, and formulas of the command line
//! - `human`, `lasso`, `json`: what was found

mod human;
mod json;
mod lasso;
mod safety;
mod temporal;

use std::path::{Path, PathBuf};

use lariat_report::replay::{Replayed, Shown, replay};
use serde_json::Value;

use crate::engine::Engine;
use crate::exit::Exit;
use crate::limits::Limits;
use crate::model::{Loaded, Parts, Reading};
use crate::progress;
use safety::{Answer, Verdict};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Models: DVE if the name ends in .dve, else Promela; `-` is Promela from standard input
    #[arg(required = true)]
    models: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    engine: Engine,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    safety: safety::Options,
    #[command(flatten)]
    temporal: temporal::Options,
    /// List the statements that were never executed
    #[arg(long)]
    coverage: bool,
    /// Show all steps of a counterexample, however long it is
    #[arg(long)]
    full_trace: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Steps of a long counterexample that are shown at its start and at its end.
const SHOWN: Shown = Shown::Ends { first: 20, last: 60 };

pub(crate) fn run(args: &Args) -> Exit {
    progress::catch_interrupts();
    let mut worst = Exit::Holds;
    let mut objects = Vec::new();
    for path in &args.models {
        let (exit, object) = check(path, args);
        worst = worst.max(exit);
        objects.extend(object);
    }
    if args.json {
        println!("{}", json::together(objects, args.models.len(), worst));
    }
    worst
}

/// Checks one model; what JSON says about it.
fn check(path: &Path, args: &Args) -> (Exit, Option<Value>) {
    let failed = |exit: Exit| {
        let verdict = if exit == Exit::BadInput { "bad input" } else { "inconclusive" };
        (exit, args.json.then(|| json::failed(path, verdict)))
    };
    match properties(path, args) {
        Ok(answer) => answer,
        Err(exit) => failed(exit),
    }
}

/// Safety first, then each temporal property; each is shown when it is known.
fn properties(path: &Path, args: &Args) -> Result<(Exit, Option<Value>), Exit> {
    let mut loaded = args.reading.load(path, Parts::System)?;
    if !args.temporal.claims().is_empty() {
        loaded = args.reading.load_with_claims(path, args.temporal.claims())?;
    }
    let conditions = args.safety.conditions(&mut loaded).map_err(|diagnostics| {
        args.reading.say(&loaded.model().sources, &diagnostics);
        Exit::BadInput
    })?;
    let temporal = args.temporal.properties(&mut loaded, &args.reading)?;
    let mut worst = Exit::Holds;
    let mut objects = Vec::new();
    let mut covered = None;
    if args.temporal.with_safety() || !conditions.is_empty() {
        let answer = safety::check(&loaded, &args.safety, conditions, &args.engine, &args.limits)?;
        let trace = replayed(&loaded, &answer, args).map_err(|message| {
            eprintln!("{}: {message}", path.display());
            Exit::Inconclusive
        })?;
        worst = worst.max(match answer.verdict {
            Verdict::Holds => Exit::Holds,
            Verdict::Violated(_) => Exit::Violated,
            Verdict::Inconclusive(_) => Exit::Inconclusive,
        });
        if args.json {
            objects.push(json::safety(&loaded, &answer, trace.as_ref()));
        } else {
            human::show(&loaded, &answer, trace.as_ref(), args.coverage);
        }
        covered = Some(answer);
    }
    for property in temporal {
        let judged =
            temporal::check(&loaded, property, &args.temporal, &args.engine, &args.limits)?;
        worst = worst.max(judged.exit());
        if args.json {
            objects.push(lasso::object(loaded.model(), &judged));
        } else {
            lasso::show(loaded.model(), &judged, args.full_trace);
        }
    }
    let object = args.json.then(|| {
        let mut object = json::object(&loaded, objects, worst);
        if let Some(answer) = covered.filter(|_| args.coverage) {
            json::with_coverage(&mut object, &loaded, &answer);
        }
        object
    });
    Ok((worst, object))
}

/// The counterexample, once more on the interpreter: nothing is shown that is not true.
fn replayed(loaded: &Loaded, answer: &Answer, args: &Args) -> Result<Option<Replayed>, String> {
    let Verdict::Violated(trace) = &answer.verdict else { return Ok(None) };
    let shown = if args.full_trace || args.json { Shown::All } else { SHOWN };
    match replay(loaded.model(), trace, shown) {
        Ok(replayed) => Ok(Some(replayed)),
        Err(error) => Err(format!("internal error: the counterexample is wrong: {error}")),
    }
}
