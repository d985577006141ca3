//! What the page needs to know at first.

use std::collections::BTreeSet;

use lariat_model::ir::layout::VariableKind;
use lariat_model::ir::{Proctype, ProctypeKind};
use lariat_syntax::diagnostics::render;
use lariat_verify::{Language, Loaded};
use serde_json::{Value, json};

use super::Given;

pub(super) fn about(given: &Given) -> Value {
    let model = given.model();
    let is_promela = given.loaded.language() == Language::Promela;
    let files = given.files.texts().map(|(name, text)| json!({ "name": name, "text": text }));
    let runs = |proctype: &&Proctype| is_process(proctype);
    let types = model.proctypes.iter().enumerate().filter(|(_, proctype)| is_process(proctype));
    let types = types.map(|(at, proctype)| {
        let started = model.initial_processes.iter();
        json!({
            "name": proctype.name,
            "kind": if proctype.kind == ProctypeKind::Init { "init" } else { "process" },
            "instances": started.filter(|one| usize::from(one.proctype.0) == at).count(),
        })
    });
    let mut statements = Vec::new();
    for proctype in model.proctypes.iter().filter(runs) {
        let edges = proctype.locations.iter().flat_map(|location| &location.edges);
        let commands: BTreeSet<_> = edges.map(|edge| edge.command).collect();
        for command in commands.into_iter().map(|id| model.command(id)) {
            let place = given.files.place(&model.sources, command.span);
            if let Some(place) = place.filter(|_| !command.is_silent) {
                let text = &command.text;
                statements
                    .push(json!({ "process_type": proctype.name, "text": text, "place": place }));
            }
        }
    }
    let mut questions = vec!["safety", "invariant", "reach", "ltl", "exists", "named"];
    if is_promela {
        questions.extend(["acceptance", "non-progress"]);
    }
    let warnings = given.loaded.warnings().iter();
    json!({
        "name": model.name,
        "language": if is_promela { "promela" } else { "dve" },
        "lariat": env!("CARGO_PKG_VERSION"),
        "sha256": given.fingerprint,
        "files": files.collect::<Vec<_>>(),
        "process_types": types.collect::<Vec<_>>(),
        "statements": statements,
        "properties": properties(given),
        "names": names(given),
        "operators": ["[]", "<>", "X", "U", "W", "R", "!", "&&", "||", "->", "<->"],
        "questions": questions,
        "fair": [["weak", "weakly fair runs"], ["strong", "strongly fair runs"]],
        "has_shortest": true,
        "warnings": warnings.map(|found| render(&model.sources, found, false)).collect::<Vec<_>>(),
    })
}

fn is_process(proctype: &Proctype) -> bool {
    matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init)
}

/// What the model says about itself, and what can be asked of any.
fn properties(given: &Given) -> Vec<Value> {
    let model = given.model();
    let blocks = model.ltl.iter();
    let blocks =
        blocks.map(|block| json!({ "id": block.name, "kind": "ltl", "text": block.text.trim() }));
    let claims = model.claims.iter().map(|&id| &model.proctype(id).name);
    let claims = claims.map(
        |name| json!({ "id": name, "kind": "never", "text": format!("the never claim {name}") }),
    );
    let safety = json!({
        "id": "safety", "kind": "safety", "text": "no run-time error, no failed assertion, no invalid end state",
    });
    blocks.chain(claims).chain([safety]).collect()
}

/// What formulas may name.
fn names(given: &Given) -> Vec<Value> {
    let model = given.model();
    let mut all: Vec<(String, &str)> = Vec::new();
    for variable in &model.globals {
        let kind = if variable.kind == VariableKind::Channel { "channel" } else { "variable" };
        let index = if variable.count.is_some() { "[0]" } else { "" };
        all.push((format!("{}{index}", variable.name), kind));
    }
    let constants = model.mtypes.iter().flat_map(|set| &set.names);
    all.extend(constants.map(|name| (name.clone(), "constant")));
    match &given.loaded {
        Loaded::Promela(_) => {
            for (pid, process) in model.initial_processes.iter().enumerate() {
                let proctype = model.proctype(process.proctype);
                labels(proctype, &format!("{}[{pid}]", proctype.name), &mut all);
            }
            let created = model.proctypes.iter().filter(|proctype| {
                let mut first = model.initial_processes.iter();
                is_process(proctype)
                    && !first.any(|one| model.proctype(one.proctype).name == proctype.name)
            });
            created.for_each(|proctype| labels(proctype, &proctype.name, &mut all));
        }
        Loaded::Dve(dve) => {
            let index = |count: Option<u32>| if count.is_some() { "[0]" } else { "" };
            let globals = dve.names.globals.iter();
            all.extend(
                globals
                    .map(|(name, symbol)| (format!("{name}{}", index(symbol.count)), "variable")),
            );
            all.extend(dve.names.channels.keys().map(|name| (name.to_string(), "channel")));
            for (process, known) in &dve.names.processes {
                let states = known.states.keys();
                all.extend(states.map(|state| (format!("{process}.{state}"), "label")));
                all.extend(known.vars.iter().map(|(name, symbol)| {
                    (format!("{process}->{name}{}", index(symbol.count)), "variable")
                }));
            }
        }
    }
    all.sort();
    all.dedup_by(|one, other| one.0 == other.0);
    all.into_iter().map(|(name, kind)| json!({ "name": name, "kind": kind })).collect()
}

fn labels(proctype: &Proctype, process: &str, out: &mut Vec<(String, &'static str)>) {
    let labels = proctype.locations.iter().flat_map(|location| &location.labels);
    out.extend(labels.map(|label| (format!("{process}@{label}"), "label")));
    let own = proctype.variables.iter().filter(|found| found.kind != VariableKind::Channel);
    out.extend(own.map(|found| {
        let index = if found.count.is_some() { "[0]" } else { "" };
        (format!("{process}:{}{index}", found.name), "variable")
    }));
}
