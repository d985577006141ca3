//! `lariat replay`: saved runs once more, on the model as it is now.
//!
//! The steps are taken on the reference interpreter, and the property is asked again: nothing
//! in the file is believed. A file of another model, or of the model before it was changed, is
//! refused.

use std::path::PathBuf;

use lariat_model::ir::Model;
use lariat_verify::fingerprint;
use lariat_verify::judge::Confirmed;
use lariat_verify::saved::{SavedRun, SavedRuns, check_statements, confirm};
use lariat_verify::{Kind, Parts};

use crate::arguments::reading::Reading;
use crate::exit::Exit;
use crate::input;
use crate::views::{About, Views};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file that `lariat check` saved: MODEL.lasso.json
    file: PathBuf,
    /// Replay only the run of this property
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// The file of the model, if it was moved
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    views: Views,
}

pub(crate) fn run(args: &Args) -> Exit {
    match replay(args) {
        Ok(()) => Exit::Holds,
        Err(Refusal::Said(exit)) => exit,
        Err(Refusal::Because(message)) => {
            input::refuse(&format!("{}: {message}", args.file.display()))
        }
    }
}

/// Why a file is not replayed.
enum Refusal {
    /// Standard error says it already.
    Said(Exit),
    Because(String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Because(message)
    }
}

fn replay(args: &Args) -> Result<(), Refusal> {
    let saved = input::read(&args.file);
    let saved = saved.and_then(|(name, text)| SavedRuns::read(&args.file, &name, &text));
    let saved = saved.map_err(|message| {
        input::refuse(&message);
        Refusal::Said(Exit::BadInput)
    })?;
    let path = args.model.as_ref().unwrap_or(&saved.model.path);
    if args.model.is_none() && !path.is_file() {
        return Err(Refusal::Because(format!(
            "its model is not at {} any more; --model says where it is",
            path.display()
        )));
    }
    let reading = Reading { how: saved.model.options, is_quiet: true };
    let mut loaded = match saved.model.claims.is_empty() {
        true => reading.load(path, Parts::System),
        false => reading.load_with_claims(path, &saved.model.claims),
    }
    .map_err(Refusal::Said)?;
    if fingerprint::of(loaded.model()) != saved.model.sha256 {
        return Err(Refusal::Because(format!(
            "{} has changed since these runs were saved; check it again",
            path.display()
        )));
    }
    let known: Vec<&str> = saved.runs.iter().map(|run| run.property.as_str()).collect();
    if let Some(name) = args.property.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("no run of `{name}`: there is {}", known.join(", ")).into());
    }
    let is_wanted =
        |run: &&SavedRun| args.property.is_empty() || args.property.contains(&run.property);
    let wanted: Vec<&SavedRun> = saved.runs.iter().filter(is_wanted).collect();
    let names: Vec<String> = wanted.iter().map(|run| run.property.clone()).collect();
    for (at, run) in wanted.into_iter().enumerate() {
        check_statements(loaded.model(), run)?;
        let execution = confirm(&mut loaded, run)?;
        show(loaded.model(), run, &execution, args);
        if at == 0 {
            let error = run.error.as_ref().map(|error| {
                let condition = error.condition.as_deref();
                let condition = condition.map_or(String::new(), |text| format!(": {text}"));
                error.kind.replace('-', " ") + &condition
            });
            let about = About {
                property: &run.property,
                formula: run.text.as_deref(),
                error: error.as_deref(),
            };
            args.views.write(loaded.model(), &execution, &about)?;
        }
    }
    args.views.tell_which(&names);
    Ok(())
}

fn show(model: &Model, run: &SavedRun, execution: &Confirmed, args: &Args) {
    let (verdict, what) = match run.kind {
        Kind::Exists => ("a run exists", "example"),
        Kind::Reach => ("can be reached", "example"),
        Kind::Run => ("is a run of the model", "run"),
        _ => ("violated", "counterexample"),
    };
    outln!("{}: {} {verdict}, replayed", model.name, run.property);
    if let Some(text) = &run.text {
        outln!("\n  {text}");
    }
    let stuck = run.error.as_ref().is_some_and(|error| error.kind == "invalid-end-state");
    outln!("\n{}", args.views.text(model, execution, what, stuck));
}
