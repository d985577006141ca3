//! Statements that were never executed, by process type.

use lariat_model::ir::{Action, Command, CommandId, Model, Proctype, ProctypeKind};
use serde_json::{Value, json};

/// What was not reached in one process type.
pub struct Unreached<'m> {
    pub process: &'m str,
    pub statements: usize,
    pub commands: Vec<&'m Command>,
}

/// By process type, in the order of the source; `executed` is by command.
pub fn unreached<'m>(model: &'m Model, executed: &[bool]) -> Vec<Unreached<'m>> {
    let runs =
        |proctype: &&Proctype| matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init);
    let of_proctype = |proctype: &'m Proctype| {
        let mut ids = statements(model, proctype);
        ids.sort();
        ids.dedup();
        let missed = ids.iter().filter(|id| !executed[id.0 as usize]);
        let mut commands: Vec<&Command> = missed.map(|&id| model.command(id)).collect();
        commands.sort_by_key(|command| command.span.lo);
        Unreached { process: &proctype.name, statements: ids.len(), commands }
    };
    model.proctypes.iter().filter(runs).map(of_proctype).collect()
}

/// The commands that stand for statements. A jump where control never is was resolved by the
/// translation: what leads to it leads to its target.
fn statements(model: &Model, proctype: &Proctype) -> Vec<CommandId> {
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

/// A paragraph for people.
pub fn text(model: &Model, executed: &[bool]) -> String {
    let mut out = String::new();
    for unreached in unreached(model, executed) {
        let Unreached { process, statements, commands } = unreached;
        let missed = commands.len();
        match missed {
            0 => out += &format!("{process}: all {statements} statements were executed\n"),
            _ => out += &format!("{process}: {missed} of {statements} statements unreached\n"),
        }
        for command in commands {
            let place = model.sources.location(model.sources.call_site(command.span));
            let place = place.map_or(String::new(), |place| format!("{place}: "));
            out += &format!("  {place}{}\n", command.text);
        }
    }
    out
}

pub fn json(model: &Model, executed: &[bool]) -> Value {
    let of_process = |unreached: &Unreached<'_>| {
        let commands = unreached.commands.iter().map(|command| {
            let place = model.sources.location(model.sources.call_site(command.span));
            json!({
                "file": place.as_ref().map(|place| &*place.file),
                "line": place.as_ref().map(|place| place.line),
                "statement": command.text,
            })
        });
        json!({
            "process": unreached.process,
            "statements": unreached.statements,
            "unreached": commands.collect::<Vec<_>>(),
        })
    };
    unreached(model, executed).iter().map(of_process).collect()
}
