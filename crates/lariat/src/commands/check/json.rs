//! The answer for scripts: one object; for several models, an object with a list of them.

use std::path::Path;

use lariat_report::replay::Replayed;
use lariat_report::{coverage, trace_json};
use serde_json::{Value, json};

use super::human::{place, title};
use super::safety::{Answer, Verdict};
use crate::exit::Exit;
use crate::limits::reason;
use crate::model::Loaded;

/// Grows when a key changes its meaning or goes.
const SCHEMA: u32 = 1;

/// The entry of safety in the list of properties.
pub(super) fn safety(loaded: &Loaded, answer: &Answer, trace: Option<&Replayed>) -> Value {
    let found = &answer.found;
    let mut safety = json!({
        "name": "safety",
        "kind": "safety",
        "verdict": answer.verdict.name(),
        "check": match answer.order {
            lariat_model::explore::Order::DepthFirst => "depth-first search",
            lariat_model::explore::Order::BreadthFirst => "breadth-first search",
        },
        "statistics": {
            "states": found.states,
            "transitions": found.transitions,
            "depth": found.depth,
            "memory": found.memory,
            "seconds": answer.elapsed.as_secs_f64(),
        },
    });
    match &answer.verdict {
        Verdict::Holds => {}
        Verdict::Inconclusive(limit) => safety["reason"] = json!(reason(*limit)),
        Verdict::Violated(error) => {
            safety["error"] = json!({
                "kind": error.error.name(),
                "message": title(loaded, &error.error),
                "at": place(loaded, error),
            });
            safety["trace"] = json!(trace.map(trace_json::json));
        }
    }
    safety
}

/// The answer about a model: the worst verdict, and each property's. The counts are those of
/// the first property.
pub(super) fn object(loaded: &Loaded, properties: Vec<Value>, worst: Exit) -> Value {
    let count = |name: &str| {
        let first = properties.first().map(|property| &property["statistics"][name]);
        first.cloned().unwrap_or_else(|| json!(0))
    };
    json!({
        "schema": SCHEMA,
        "model": loaded.model().name,
        "verdict": verdict(worst),
        "states": count("states"),
        "transitions": count("transitions"),
        "properties": properties,
    })
}

pub(super) fn with_coverage(object: &mut Value, loaded: &Loaded, answer: &Answer) {
    object["coverage"] = coverage::json(loaded.model(), &answer.found.executed);
}

/// A model that could not be checked; standard error says why.
pub(super) fn failed(path: &Path, verdict: &str) -> Value {
    json!({ "schema": SCHEMA, "model": path.display().to_string(), "verdict": verdict })
}

pub(super) fn together(mut objects: Vec<Value>, models: usize, worst: Exit) -> Value {
    if models == 1 {
        return objects.pop().unwrap_or_default();
    }
    json!({ "schema": SCHEMA, "verdict": verdict(worst), "models": objects })
}

fn verdict(worst: Exit) -> &'static str {
    match worst {
        Exit::Holds => "holds",
        Exit::Violated => "violated",
        Exit::BadInput => "bad input",
        Exit::Inconclusive => "inconclusive",
    }
}
