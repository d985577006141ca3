//! The answer for scripts: one object; for several models, an object with a list of them.
//! The schema is documented in docs/json.md.

use lariat_model::ir::Model;
use lariat_report::execution::Ending;
use lariat_report::replay::{Shown, part};
use lariat_report::trace_json;
use lariat_verify::judge::Confirmed;
use lariat_verify::{Statistics, Status};
use serde_json::{Value, json};

use super::judgement::Judgement;
use super::report::ModelReport;
use crate::exit::Exit;
use lariat_core::memory;

/// Grows when a key changes its meaning or goes.
const SCHEMA: u32 = 1;

/// The entry of a property.
pub(super) fn property(model: &Model, judgement: &Judgement) -> Value {
    let mut object = entry(judgement);
    if let Some(execution) = judgement.run() {
        object["run"] = run(model, execution);
    }
    object
}

/// All but the run.
pub(super) fn entry(judgement: &Judgement) -> Value {
    let found = &judgement.statistics;
    let mut object = json!({
        "name": judgement.name,
        "kind": judgement.kind.name(),
        "formula": judgement.text,
        "verdict": judgement.status().name(),
        "check": judgement.check,
        "why": judgement.why,
        "explanation": judgement.explanation,
        "automaton_states": judgement.automaton_states,
        "reduced": judgement.reduction.is_used(),
        "statistics": {
            "states": found.states,
            "system_states": found.system_states,
            "transitions": found.transitions,
            "matched": found.matched,
            "depth": found.depth,
            "memory": found.memory,
            "seconds": found.elapsed.as_secs_f64(),
        },
        "warnings": judgement.warnings,
        "lasso": judgement.saved,
    });
    if !judgement.kind.is_about_states() {
        object["statistics"]["counts"] = counts(found);
    }
    if let Some(expected) = judgement.expected {
        object["expected"] = json!(expected.name());
        object["as_expected"] = json!(judgement.is_as_expected());
    }
    if let Some(reason) = judgement.inconclusive() {
        object["reason"] = json!(reason.why);
    }
    if !judgement.notes.is_empty() {
        object["notes"] = json!(judgement.notes);
    }
    if let Some(error) = &judgement.error {
        object["error"] = json!({ "kind": error.name, "message": error.message, "at": error.at });
    }
    object
}

/// What the papers' tables are made of.
fn counts(found: &Statistics) -> Value {
    let (counts, peaks) = (&found.counts, &found.counts.peaks);
    json!({
        "expansions": counts.expansions,
        "sccs": counts.sccs,
        "roots": peaks.roots,
        "current": peaks.current,
        "live": peaks.live,
        "dead": peaks.dead,
        "dstack": peaks.dstack,
        "union_find": peaks.union_find,
        "words": counts.words,
        "prefix": found.lasso.map(|lasso| lasso.prefix),
        "loop": found.lasso.map(|lasso| lasso.cycle),
    })
}

/// A run with all that its statements did.
fn run(model: &Model, execution: &Confirmed) -> Value {
    let prefix = trace_json::json(&part(model, execution, execution.prefix(), Shown::All));
    let (ending, cycle) = match execution.ending {
        Ending::Error => ("error", Value::Null),
        Ending::Open => ("open", Value::Null),
        Ending::Rest => ("rest", Value::Null),
        Ending::Decided { holds: false } => ("violated", Value::Null),
        Ending::Decided { holds: true } => ("satisfied", Value::Null),
        Ending::Loop { .. } => {
            let cycle = part(model, execution, execution.cycle(), Shown::All);
            ("loop", trace_json::json(&cycle))
        }
    };
    let propositions = execution.propositions.iter();
    let propositions =
        propositions.map(|p| json!({ "name": p.name, "truth": p.truth })).collect::<Vec<_>>();
    json!({
        "ending": ending,
        "prefix": prefix,
        "loop": cycle,
        "propositions": propositions,
        "judged": execution.by(),
    })
}

/// The answer about a model: the worst verdict, and each property's. The counts are those of
/// the first property, which is safety unless it was not asked for.
pub(super) fn model(report: &ModelReport) -> Value {
    let first = report.entries.first().map(|entry| &entry.judgement.statistics);
    let properties: Vec<&Value> =
        report.entries.iter().filter_map(|entry| entry.json.as_ref()).collect();
    let mut object = json!({
        "schema": SCHEMA,
        "model": report.model,
        "verdict": report.verdict().name(),
        "exit": report.exit.code(),
        "states": first.map_or(0, |found| found.states),
        "transitions": first.map_or(0, |found| found.transitions),
        "properties": properties,
        "process": {
            "cpu_seconds": memory::processor_seconds(),
            "peak_memory": memory::peak(),
        },
    });
    if let Some(failure) = &report.failure {
        object["failure"] = json!(failure.what.name());
        object["message"] = json!(failure.message);
    }
    if let Some(bug) = &report.bug {
        object["internal_error"] = json!({ "message": bug.message, "file": bug.file });
    }
    if let Some(coverage) = &report.coverage {
        object["coverage"] = coverage.clone();
    }
    object
}

/// The answer about several models.
pub(super) fn together(reports: &[&ModelReport], worst: Exit) -> Value {
    let verdict = reports.iter().map(|report| report.verdict()).max().unwrap_or(Status::Holds);
    let counts = || {
        let firsts = reports.iter().filter_map(|report| report.entries.first());
        firsts.map(|entry| &entry.judgement.statistics)
    };
    json!({
        "schema": SCHEMA,
        "verdict": verdict.name(),
        "exit": worst.code(),
        "states": counts().map(|found| found.states).sum::<u64>(),
        "transitions": counts().map(|found| found.transitions).sum::<u64>(),
        "models": reports.iter().map(|report| model(report)).collect::<Vec<_>>(),
    })
}
