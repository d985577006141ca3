//! A replayed trace as JSON.

use serde_json::{Map, Value, json};

use crate::replay::{Line, Replayed, Standing};
use crate::values::Named;

pub fn json(trace: &Replayed) -> Value {
    json!({
        "steps": trace.steps,
        "initial": object(&trace.initial),
        "statements": trace.lines.iter().map(line).collect::<Vec<_>>(),
        "last": object(&trace.last),
        "processes": trace.standings.iter().map(standing).collect::<Vec<_>>(),
    })
}

fn line(line: &Line) -> Value {
    json!({
        "step": line.step,
        "pid": line.pid,
        "process": line.process,
        "file": line.file,
        "line": line.line,
        "column": line.column,
        "statement": line.text,
        "changes": object(&line.changes),
        "output": line.output,
    })
}

fn standing(standing: &Standing) -> Value {
    json!({
        "process": standing.process,
        "at": standing.place,
        "statements": standing.statements,
        "is_end": standing.is_end,
    })
}

fn object(values: &[Named]) -> Value {
    let entries = values.iter().map(|named| (named.name.to_string(), json!(&*named.value)));
    Value::Object(entries.collect::<Map<_, _>>())
}
