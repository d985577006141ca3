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

pub(super) fn object(
    loaded: &Loaded,
    answer: &Answer,
    trace: Option<&Replayed>,
    with_coverage: bool,
) -> Value {
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
                "message": title(&error.error),
                "at": place(loaded, error),
            });
            safety["trace"] = json!(trace.map(trace_json::json));
        }
    }
    let mut object = json!({
        "schema": SCHEMA,
        "model": loaded.model().name,
        "verdict": answer.verdict.name(),
        "states": found.states,
        "transitions": found.transitions,
        "properties": [safety],
    });
    if with_coverage {
        object["coverage"] = coverage::json(loaded.model(), &found.executed);
    }
    object
}

/// A model that could not be checked; standard error says why.
pub(super) fn failed(path: &Path, verdict: &str) -> Value {
    json!({ "schema": SCHEMA, "model": path.display().to_string(), "verdict": verdict })
}

pub(super) fn together(mut objects: Vec<Value>, models: usize, worst: Exit) -> Value {
    if models == 1 {
        return objects.pop().unwrap_or_default();
    }
    let verdict = match worst {
        Exit::Holds => "holds",
        Exit::Violated => "violated",
        Exit::BadInput => "bad input",
        Exit::Inconclusive => "inconclusive",
    };
    json!({ "schema": SCHEMA, "verdict": verdict, "models": objects })
}
