//! A run in the Informal Trace Format of Apalache (ADR 015), which trace viewers read.
//!
//! Every state has the same variables: the globals by name, `channels` and `processes`. Truth
//! of propositions and the statements that led to a state are in its `#meta`.

use lariat_model::interp::{Interp, Process};
use lariat_model::ir::layout::VariableKind;
use lariat_model::ir::{Model, Variable};
use serde_json::{Map, Value, json};

use crate::execution::{Ending, Execution, State};
use crate::values::{channel_name, process_name, value_text};

/// The whole trace; `property` says what it is about.
pub fn itf(model: &Model, execution: &Execution, property: &str) -> Value {
    let names = Names::new(model);
    let mut interp = Interp::new(model);
    let mut states: Vec<Value> = Vec::new();
    let reached = execution.steps.iter().filter_map(|step| step.state.as_ref());
    let all = std::iter::once(&execution.initial).filter(|state| !state.0.is_empty());
    for (at, state) in all.chain(reached).take(execution.state_count()).enumerate() {
        let mut object = variables(&mut interp, state, &names);
        let truth = execution.propositions.iter().filter_map(|p| Some((&p.name, p.truth.get(at)?)));
        let truth: Map<_, _> = truth.map(|(name, &holds)| (name.clone(), json!(holds))).collect();
        let taken = at.checked_sub(1).map(|step| &execution.steps[step].moves);
        let taken = taken.into_iter().flatten().map(
            |taken| json!({ "pid": taken.pid, "statement": model.command(taken.command).text }),
        );
        let taken: Vec<Value> = taken.collect();
        object.insert(
            "#meta".to_owned(),
            json!({ "index": at, "statements": taken, "propositions": truth }),
        );
        states.push(Value::Object(object));
    }
    let mut trace = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
            "source": model.name,
            "description": property,
            "tool": concat!("lariat ", env!("CARGO_PKG_VERSION")),
        },
        "vars": names.all(model),
    });
    match execution.ending {
        Ending::Error | Ending::Decided { .. } | Ending::Open => {}
        Ending::Loop { start } => trace["loop"] = json!(start),
        // The last state again and again.
        Ending::Rest => trace["loop"] = json!(states.len().saturating_sub(1)),
    }
    trace["states"] = Value::Array(states);
    trace
}

/// The names of the variables that are no globals: other names, if the model has them.
struct Names {
    channels: String,
    processes: String,
}

impl Names {
    fn new(model: &Model) -> Names {
        let free = |wanted: &str| {
            let mut name = wanted.to_owned();
            while globals(model).any(|variable| variable.name == name) {
                name.push('_');
            }
            name
        };
        Names { channels: free("channels"), processes: free("processes") }
    }

    fn all(&self, model: &Model) -> Vec<String> {
        let globals = globals(model).map(|variable| variable.name.clone());
        globals.chain([self.channels.clone(), self.processes.clone()]).collect()
    }
}

/// What a channel variable holds is a number without meaning; its channel is listed.
fn globals(model: &Model) -> impl Iterator<Item = &Variable> {
    let all = model.globals.iter().chain(&model.hidden);
    all.filter(|variable| variable.kind != VariableKind::Channel)
}

fn variables(interp: &mut Interp<'_>, state: &State, names: &Names) -> Map<String, Value> {
    interp.load_with_hidden(&state.0, &state.1);
    let model = interp.model();
    let mut object = Map::new();
    for variable in globals(model) {
        object.insert(variable.name.clone(), value(interp, variable, None));
    }
    let channels = interp.channels().into_iter().map(|channel| {
        let fields = &model.channel_types[channel.channel_type.0 as usize].fields;
        let message = |values: &Vec<i32>| {
            let values = values.iter().zip(fields);
            let values = values.map(|(&number, field)| scalar(model, &field.kind, number));
            json!({ "#tup": values.collect::<Vec<_>>() })
        };
        let messages: Vec<Value> = channel.messages.iter().map(message).collect();
        json!({ "name": channel_name(interp, &channel), "messages": messages })
    });
    object.insert(names.channels.clone(), Value::Array(channels.collect()));
    let processes: Vec<Process<'_>> = interp.processes().collect();
    let processes = processes.iter().map(|process| {
        let locals = &model.proctype(process.proctype).variables;
        let locals = locals.iter().filter(|local| local.kind != VariableKind::Channel);
        let locals = locals.map(|local| (local.name.clone(), value(interp, local, Some(process))));
        json!({
            "pid": process.pid,
            "name": process_name(model, process),
            "location": process.at.0,
            "labels": process.location.labels,
            "locals": locals.collect::<Map<_, _>>(),
        })
    });
    object.insert(names.processes.clone(), Value::Array(processes.collect()));
    object
}

fn value(interp: &Interp<'_>, variable: &Variable, process: Option<&Process<'_>>) -> Value {
    let values = interp.values(variable, process);
    let values: Vec<Value> =
        values.iter().map(|&number| scalar(interp.model(), &variable.kind, number)).collect();
    match (variable.count, values.as_slice()) {
        (None, [value]) => value.clone(),
        _ => Value::Array(values),
    }
}

fn scalar(model: &Model, kind: &VariableKind, number: i32) -> Value {
    match kind {
        VariableKind::Bool => json!(number != 0),
        VariableKind::Mtype(_) => json!(value_text(model, kind, number)),
        VariableKind::Number | VariableKind::Channel | VariableKind::Pid => json!(number),
    }
}
