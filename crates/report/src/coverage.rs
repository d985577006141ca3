//! Statements that were never executed, by process type.

use lariat_model::ir::{Action, CommandId, DStepId, DStepNode, Model, Proctype, ProctypeKind};
use lariat_syntax::diagnostics::Span;
use serde_json::{Value, json};

/// What a search executed.
#[derive(Clone, Copy, Debug)]
pub struct Executed<'e> {
    /// By command.
    pub commands: &'e [bool],
    /// By `d_step` and node. Empty if nobody has looked.
    pub in_d_steps: &'e [Vec<bool>],
}

/// A statement of the source.
struct Statement<'m> {
    span: Span,
    text: &'m str,
    executed: bool,
}

/// What was not reached in one process type.
struct Unreached<'m> {
    process: &'m str,
    statements: usize,
    missed: Vec<Statement<'m>>,
}

/// By process type, in the order of the source.
fn unreached<'m>(model: &'m Model, found: Executed<'_>) -> Vec<Unreached<'m>> {
    let runs =
        |proctype: &&Proctype| matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init);
    let of_proctype = |proctype: &'m Proctype| {
        let mut ids = commands(model, proctype);
        ids.sort();
        ids.dedup();
        let statements: Vec<Statement<'m>> =
            ids.into_iter().flat_map(|id| statements(model, id, found)).collect();
        let count = statements.len();
        let mut missed: Vec<_> = statements.into_iter().filter(|stmt| !stmt.executed).collect();
        missed.sort_by_key(|stmt| stmt.span.lo);
        Unreached { process: &proctype.name, statements: count, missed }
    };
    model.proctypes.iter().filter(runs).map(of_proctype).collect()
}

/// A `d_step` is one command of many statements.
fn statements<'m>(model: &'m Model, id: CommandId, found: Executed<'_>) -> Vec<Statement<'m>> {
    let command = model.command(id);
    match command.action {
        Action::DStep(d_step) if !found.in_d_steps.is_empty() => {
            statements_of_d_step(model, d_step, found)
        }
        _ => {
            let executed = found.commands[id.0 as usize];
            vec![Statement { span: command.span, text: &command.text, executed }]
        }
    }
}

fn statements_of_d_step<'m>(
    model: &'m Model,
    id: DStepId,
    found: Executed<'_>,
) -> Vec<Statement<'m>> {
    let executed = &found.in_d_steps[id.0 as usize];
    let nodes = model.d_steps[id.0 as usize].nodes.iter().zip(executed);
    let statements = nodes.filter_map(|(node, &executed)| match node {
        DStepNode::Do { span, text, .. } => Some(Statement { span: *span, text, executed }),
        DStepNode::Select { .. } | DStepNode::Exit => None,
    });
    statements.collect()
}

/// The commands that stand for statements. A jump where control never is was resolved by the
/// translation: what leads to it leads to its target.
fn commands(model: &Model, proctype: &Proctype) -> Vec<CommandId> {
    let mut reached = vec![false; proctype.locations.len()];
    let mut next = vec![proctype.initial];
    while let Some(at) = next.pop() {
        if std::mem::replace(&mut reached[at.0 as usize], true) {
            continue;
        }
        let edges = &proctype.locations[at.0 as usize].edges;
        let targets = edges.iter().map(|edge| model.command(edge.command).target);
        next.extend(targets.filter(|target| (target.0 as usize) < reached.len()));
    }
    let mut ids = Vec::new();
    for (location, reached) in proctype.locations.iter().zip(reached) {
        let commands = location.edges.iter().map(|edge| edge.command);
        ids.extend(commands.filter(|&id| {
            let command = model.command(id);
            !command.is_silent && (reached || command.action != Action::Skip)
        }));
    }
    ids
}

/// A process type, how many statements it has, and those that were not executed.
pub type Missed<'m> = (&'m str, usize, Vec<(Span, &'m str)>);

/// By process type, in the order of the source.
pub fn missed<'m>(model: &'m Model, found: Executed<'_>) -> Vec<Missed<'m>> {
    let missed = |of: Unreached<'m>| {
        let statements = of.missed.iter().map(|stmt| (stmt.span, stmt.text)).collect();
        (of.process, of.statements, statements)
    };
    unreached(model, found).into_iter().map(missed).collect()
}

/// A paragraph for people.
pub fn text(model: &Model, found: Executed<'_>) -> String {
    let mut out = String::new();
    for unreached in unreached(model, found) {
        let Unreached { process, statements, missed } = unreached;
        match missed.len() {
            0 => out += &format!("{process}: all {statements} statements were executed\n"),
            count => out += &format!("{process}: {count} of {statements} statements unreached\n"),
        }
        for stmt in missed {
            let place = model.sources.location(model.sources.call_site(stmt.span));
            let place = place.map_or(String::new(), |place| format!("{place}: "));
            out += &format!("  {place}{}\n", stmt.text);
        }
    }
    out
}

pub fn json(model: &Model, found: Executed<'_>) -> Value {
    let of_process = |unreached: &Unreached<'_>| {
        let missed = unreached.missed.iter().map(|stmt| {
            let place = model.sources.location(model.sources.call_site(stmt.span));
            json!({
                "file": place.as_ref().map(|place| &*place.file),
                "line": place.as_ref().map(|place| place.line),
                "statement": stmt.text,
            })
        });
        json!({
            "process": unreached.process,
            "statements": unreached.statements,
            "unreached": missed.collect::<Vec<_>>(),
        })
    };
    unreached(model, found).iter().map(of_process).collect()
}
