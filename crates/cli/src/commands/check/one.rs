//! All questions about one model.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use lariat_core::stop;
use lariat_report::coverage;
use lariat_verify::fingerprint;
use lariat_verify::property::formula::Property;
use lariat_verify::safety::StateProperty;
use lariat_verify::vacuity::Vacuity;
use lariat_verify::{Config, Kind, Loaded, Parts, Status};
use serde_json::json;

use super::expect::{self, Expectations};
use super::judgement::Judgement;
use super::ledger::{Ledger, locked};
use super::report::ModelReport;
use super::save::Saver;
use super::{Args, Report};
use crate::arguments::reading::Reading;
use crate::bug;
use crate::exit::Exit;
use crate::input;
use crate::out;
use crate::progress::Watch;
use crate::spread;
use crate::views::About;

/// Checks one model.
pub(super) fn check(
    path: &Path,
    saved: Option<PathBuf>,
    args: &Args,
    config: &Config,
    report: &Mutex<ModelReport>,
) {
    // Complaints of an earlier model on this thread are not of this one.
    out::take_complaints();
    bug::busy_with(path);
    let result = match stop::asked() {
        Some(why) => {
            out::complain(&format!("{}: not checked: {why}", path.display()));
            Err(Exit::Inconclusive)
        }
        None => bug::guarded(|| properties(path, saved, args, config, report)),
    };
    let mut report = locked(report);
    if let Err(exit) = result {
        report.fail(exit, out::take_complaints());
    }
    report.is_done = true;
}

/// Questions about states first, then each temporal property.
fn properties(
    path: &Path,
    saved: Option<PathBuf>,
    args: &Args,
    config: &Config,
    report: &Mutex<ModelReport>,
) -> Result<(), Exit> {
    let claims = args.temporal.claims();
    let with_safety = args.temporal.with_safety();
    let mut reading = args.reading.reading();
    let is_quiet = reading.is_quiet;
    let mut asked = ToCheck::of(path, with_safety, &reading, args)?;
    let labels = asked.loaded.asked_labels();
    if !labels.is_empty() {
        reading = reading.with_control_points(labels);
        asked = ToCheck::of(path, with_safety, &reading, args)?;
    }
    let ToCheck { loaded, fingerprint, about_states, temporal } = asked;
    locked(report).model = loaded.model().name.clone();
    let is_alone = locked(report).is_alone;
    let expectations = expectations(path, &loaded, is_alone, args, is_quiet)?;
    let mut saver = saved.map(|file| Saver::new(file, path, fingerprint, &reading.how, claims));
    if temporal.is_empty() && !is_quiet {
        let without_effect = args.temporal.only_temporal();
        if !without_effect.is_empty() {
            errln!(
                "warning: {}: no temporal property here; no effect on safety, which stays exact: {}",
                path.display(),
                without_effect.join(", ")
            );
        }
    }
    let model = loaded.model();
    let mut with_runs: Vec<String> = Vec::new();
    let spread = config.engine.spread.as_ref();
    let mut add = |mut judgement: Judgement| {
        judgement.warnings.extend(spread.and_then(lariat_verify::Spread::warning));
        judgement.expected = expectations.of(&judgement.name);
        if let Some(run) = judgement.run() {
            let because = judgement.because();
            let about = About {
                property: &judgement.name,
                formula: judgement.text.as_deref(),
                error: because.as_deref(),
            };
            if with_runs.is_empty()
                && !spread::is_silent().0
                && let Err(message) = args.views.write(model, run, &about)
            {
                locked(report).exit = input::refuse(&message);
            }
            with_runs.push(judgement.name.clone());
        }
        Ledger::add(report, model, judgement, args);
    };
    let mut waiting: Vec<(String, Kind)> =
        about_states.iter().map(|property| (property.name.clone(), property.kind)).collect();
    if with_safety && expectations.states().is_some() {
        waiting.push((expect::STATES.to_owned(), Kind::States));
    }
    waiting.extend(temporal.iter().map(|found| (found.name.clone(), found.kind())));
    locked(report).waiting = waiting;
    let mut covered = None;
    for property in about_states {
        let options = args.safety.saved(&property);
        bug::busy_with_property(json!({ "name": property.name, "options": options }));
        // Native code does not tell the statements of a d_step apart.
        let mut config = config.clone();
        config.engine.switches.interpret |= args.coverage;
        let watch = Watch::start(format!("{}: {}", model.name, property.name));
        let check = || lariat_verify::safety::check(&loaded, &property, &config, &watch);
        let mut judgement = Judgement::from(args.each.question(check).map_err(bug::tell)?);
        if !args.temporal.wants_explanation() {
            judgement.explanation.clear();
        }
        if let Some(saver) = &mut saver {
            saver.save(model, &mut judgement, args.safety.saved(&property));
        }
        let is_whole = judgement.status() == Status::Holds;
        let exploration = judgement.exploration.take();
        covered = covered.or(exploration.map(|found| (found, is_whole)));
        add(judgement);
    }
    if let Some(expected) = expectations.states().filter(|_| with_safety) {
        let watch = Watch::start(format!("{}: {}", model.name, expect::STATES));
        let count = || lariat_verify::safety::has_states(&loaded, expected, config, &watch);
        add(args.each.question(count).into());
    }
    let mut vacuity = Vacuity::new(model, &temporal);
    for (number, property) in temporal.into_iter().enumerate() {
        let options = args.temporal.saved(&property);
        let (name, text) = (&property.name, &property.text);
        bug::busy_with_property(json!({ "name": name, "formula": text, "options": options }));
        let answer = args.each.question(|| {
            let watch = Watch::start(format!("{}: {}", model.name, property.name));
            let answer = lariat_verify::temporal::check(&loaded, &property, config, &watch);
            let mut answer = answer.map_err(bug::tell)?;
            if !args.temporal.wants_explanation() {
                answer.explanation.clear();
            }
            // That walks over all states, each kept.
            if !is_quiet && config.bounded.is_none() && config.engine.spread.is_none() {
                answer.warnings = vacuity.warnings(model, number, &answer, &config.engine);
            }
            Ok(answer)
        })?;
        let mut judgement = Judgement::from(answer);
        if let Some(saver) = &mut saver {
            saver.save(model, &mut judgement, options);
        }
        add(judgement);
    }
    if let Some(saver) = saver.filter(|_| !args.save.names_a_file()) {
        saver.remove_stale();
    }
    let mut report = locked(report);
    if report.exit != Exit::BadInput {
        args.views.tell_which(&with_runs);
    }
    if let Some((found, is_whole)) = covered.filter(|_| args.coverage) {
        let executed = coverage::Executed {
            commands: &found.executed,
            in_d_steps: &found.executed_in_d_steps,
        };
        report.coverage = Some(coverage::json(model, executed));
        if !args.json && args.report == Report::Human {
            let title = if is_whole { "coverage" } else { "unreached so far" };
            out!("\n{title}:\n{}", coverage::text(model, executed));
        }
    }
    Ok(())
}

/// A model and what is asked about it.
struct ToCheck {
    loaded: Loaded,
    fingerprint: String,
    about_states: Vec<StateProperty>,
    temporal: Vec<Property>,
}

impl ToCheck {
    fn of(path: &Path, with_safety: bool, reading: &Reading, args: &Args) -> Result<ToCheck, Exit> {
        let claims = args.temporal.claims();
        let mut loaded = reading.load(path, Parts::System)?;
        if !claims.is_empty() {
            loaded = reading.load_with_claims(path, claims)?;
        }
        let fingerprint = fingerprint::of(loaded.model());
        let about_states =
            args.safety.properties(&mut loaded, with_safety).map_err(|diagnostics| {
                reading.say(&loaded.model().sources, &diagnostics);
                Exit::BadInput
            })?;
        let temporal = args.temporal.properties(&mut loaded, reading)?;
        Ok(ToCheck { loaded, fingerprint, about_states, temporal })
    }
}

/// What the model says is right. It says so of the model as it is, not of what options make of it.
fn expectations(
    path: &Path,
    loaded: &Loaded,
    is_alone: bool,
    args: &Args,
    is_quiet: bool,
) -> Result<Expectations, Exit> {
    if args.ignore_expectations {
        return Ok(Expectations::default());
    }
    let mut known = vec!["safety".to_owned()];
    known.extend(args.temporal.names(loaded));
    let found = Expectations::read(path, loaded, &known)?;
    let options = args.reading.changes_meaning();
    let options = options.or(args.safety.changes_meaning()).or(args.temporal.changes_meaning());
    match options {
        Some(option) if !found.is_empty() => {
            // Who runs a suite must know.
            if !is_alone && !is_quiet {
                let path = path.display();
                errln!("note: {path}: with {option}, its expectations are not looked at");
            }
            Ok(Expectations::default())
        }
        _ => Ok(found),
    }
}
