//! A state for viewers: its variables as parts that can be folded, and where its processes stand.

use std::sync::Arc;

use lariat_model::interp::{Interp, Process};
use lariat_model::ir::Variable;
use lariat_model::ir::layout::VariableKind;
use lariat_syntax::diagnostics::Span;

use crate::values::{Named, channel_name, messages, process_name, value_text};

/// A variable, an element of an array or a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// As everywhere: `P(1):t.a[2]`.
    pub named: Named,
    /// The process that it belongs to; empty if it is global.
    pub scope: String,
    /// `t`, `a`, `2`.
    pub path: Vec<String>,
    /// A channel: its messages, oldest first, and how many there is room for.
    pub channel: Option<(Vec<Vec<String>>, u32)>,
}

/// Where a process stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stand {
    pub pid: u8,
    pub process: String,
    pub process_type: String,
    pub labels: Vec<String>,
    /// The statements that it could execute there, if they were executable, each with its place.
    pub statements: Vec<(String, Span)>,
    pub is_end: bool,
}

/// The entries of a state, in the order of [`crate::values::values_of`].
pub fn entries(interp: &mut Interp<'_>, state: &[u8], hidden: &[u8]) -> Vec<Entry> {
    interp.load_with_hidden(state, hidden);
    let model = interp.model();
    let mut all = Vec::new();
    for variable in model.globals.iter().chain(&model.hidden) {
        push(interp, variable, None, &mut all);
    }
    for channel in interp.channels() {
        let channel_type = &model.channel_types[channel.channel_type.0 as usize];
        if channel_type.is_rendezvous() {
            continue;
        }
        let full = channel_name(interp, &channel);
        let (scope, own) = full.rsplit_once(':').unwrap_or(("", &full));
        let fields = |values: &Vec<i32>| {
            let fields = values.iter().zip(&channel_type.fields);
            fields.map(|(&value, field)| value_text(model, &field.kind, value)).collect()
        };
        let contents = channel.messages.iter().map(fields).collect();
        all.push(Entry {
            scope: scope.to_owned(),
            path: path(own),
            channel: Some((contents, channel_type.capacity)),
            named: Named { name: full.into(), value: messages(model, &channel).into() },
        });
    }
    for process in interp.processes() {
        for variable in &model.proctype(process.proctype).variables {
            push(interp, variable, Some(&process), &mut all);
        }
    }
    all
}

fn push(
    interp: &Interp<'_>,
    variable: &Variable,
    process: Option<&Process<'_>>,
    out: &mut Vec<Entry>,
) {
    if variable.kind == VariableKind::Channel {
        return;
    }
    let model = interp.model();
    let scope = process.map_or(String::new(), |process| process_name(model, process));
    for (at, &value) in interp.values(variable, process).iter().enumerate() {
        let index = variable.count.map_or(String::new(), |_| format!("[{at}]"));
        let own = format!("{}{index}", variable.name);
        let name: Arc<str> = match process {
            None => own.as_str().into(),
            Some(_) => format!("{scope}{}{own}", crate::values::separator(model)).into(),
        };
        let value = value_text(model, &variable.kind, value).into();
        let (path, named) = (path(&own), Named { name, value });
        out.push(Entry { named, scope: scope.clone(), path, channel: None });
    }
}

/// `t.a[2]` as its parts.
fn path(name: &str) -> Vec<String> {
    let parts = name.split(['.', '[']).map(|part| part.trim_end_matches(']').to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// Where each process stands in a state.
pub fn stands(interp: &mut Interp<'_>, state: &[u8]) -> Vec<Stand> {
    interp.load(state);
    let model = interp.model();
    let stand = |process: Process<'_>| {
        let mut statements: Vec<(String, Span)> = Vec::new();
        for edge in &process.location.edges {
            let command = model.command(edge.command);
            if !statements.iter().any(|(text, _)| *text == command.text) {
                statements.push((command.text.clone(), command.span));
            }
        }
        Stand {
            pid: process.pid,
            process: process_name(model, &process),
            process_type: model.proctype(process.proctype).name.clone(),
            labels: process.location.labels.clone(),
            statements,
            is_end: process.location.is_end,
        }
    };
    interp.processes().map(stand).collect()
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn names_have_parts() {
        assert_eq!(path("x"), ["x"]);
        assert_eq!(path("t.a[2].b"), ["t", "a", "2", "b"]);
        assert_eq!(path("m[1][2]"), ["m", "1", "2"]);
    }
}
