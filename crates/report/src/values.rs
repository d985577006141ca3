//! The variables and channels of a state, by the names that the user gave them.

use lariat_model::interp::{Channel, Interp, Process};
use lariat_model::ir::layout::VariableKind;
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{Model, Variable};

/// A variable, an element of an array or a channel, with its value as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub name: String,
    pub value: String,
}

/// All of a state: globals, channels, then the locals of each process.
pub fn values_of(interp: &mut Interp<'_>, state: &[u8], hidden: &[u8]) -> Vec<Named> {
    interp.load_with_hidden(state, hidden);
    let model = interp.model();
    let mut named = Vec::new();
    for variable in model.globals.iter().chain(&model.hidden) {
        push_variable(interp, variable, None, &mut named);
    }
    for channel in interp.channels() {
        let ty = &model.channel_types[channel.channel_type.0 as usize];
        if !ty.is_rendezvous() {
            let name = channel_name(interp, &channel);
            named.push(Named { name, value: messages(model, &channel) });
        }
    }
    let processes: Vec<Process<'_>> = interp.processes().collect();
    for process in &processes {
        for variable in &model.proctype(process.proctype).variables {
            push_variable(interp, variable, Some(process), &mut named);
        }
    }
    named
}

/// What differs in `after`; what is gone is not listed.
pub fn changes(before: &[Named], after: &[Named]) -> Vec<Named> {
    // Frames come and go at the end, so positions agree as far as the processes do.
    let unchanged = |at: usize, named: &Named| match before.get(at) {
        Some(old) if old.name == named.name => old.value == named.value,
        _ => before.iter().any(|old| old == named),
    };
    let changed = after.iter().enumerate().filter(|&(at, named)| !unchanged(at, named));
    changed.map(|(_, named)| named.clone()).collect()
}

/// A process as traces call it. In DVE there is one process of each name.
pub fn process_name(model: &Model, process: &Process<'_>) -> String {
    let name = &model.proctype(process.proctype).name;
    match model.discipline {
        Discipline::Spin => format!("{name}({})", process.pid),
        Discipline::Divine | Discipline::DivineLockStep => name.clone(),
    }
}

fn push_variable(
    interp: &Interp<'_>,
    variable: &Variable,
    process: Option<&Process<'_>>,
    out: &mut Vec<Named>,
) {
    // What a channel variable holds is a number without meaning; its channel is shown.
    if variable.kind == VariableKind::Channel {
        return;
    }
    let model = interp.model();
    let separator = if model.discipline == Discipline::Spin { ":" } else { "." };
    let owner = process.map_or(String::new(), |process| process_name(model, process) + separator);
    for (at, &value) in interp.values(variable, process).iter().enumerate() {
        let index = variable.count.map_or(String::new(), |_| format!("[{at}]"));
        let name = format!("{owner}{}{index}", variable.name);
        out.push(Named { name, value: value_text(model, &variable.kind, value) });
    }
}

/// A number as the user would write it.
pub fn value_text(model: &Model, kind: &VariableKind, value: i32) -> String {
    match kind {
        VariableKind::Bool => if value != 0 { "true" } else { "false" }.to_owned(),
        VariableKind::Mtype(set) => match model.mtype_name(set.as_deref(), value) {
            Some(name) => name.to_owned(),
            None => value.to_string(),
        },
        VariableKind::Number | VariableKind::Channel | VariableKind::Pid => value.to_string(),
    }
}

/// `[1,ack][2,nak]`, the oldest message first.
pub(crate) fn messages(model: &Model, channel: &Channel) -> String {
    if channel.messages.is_empty() {
        return "[]".to_owned();
    }
    let fields = &model.channel_types[channel.channel_type.0 as usize].fields;
    let message = |values: &Vec<i32>| {
        let texts = values.iter().zip(fields);
        let texts: Vec<String> =
            texts.map(|(&value, field)| value_text(model, &field.kind, value)).collect();
        format!("[{}]", texts.join(","))
    };
    channel.messages.iter().map(message).collect()
}

/// The variable that the channel was declared with.
pub(crate) fn channel_name(interp: &Interp<'_>, channel: &Channel) -> String {
    let model = interp.model();
    let declared = &model.channel_types[channel.channel_type.0 as usize].name;
    let holder = |variables: &[Variable], process: Option<&Process<'_>>| {
        let variables = variables.iter().filter(|variable| {
            variable.kind == VariableKind::Channel && &variable.name == declared
        });
        variables.into_iter().find_map(|variable| {
            let values = interp.values(variable, process);
            let at = values.iter().position(|&value| value == i32::from(channel.id))?;
            Some(variable.count.map_or(declared.clone(), |_| format!("{declared}[{at}]")))
        })
    };
    if let Some(name) = holder(&model.globals, None) {
        return name;
    }
    for process in interp.processes() {
        if let Some(name) = holder(&model.proctype(process.proctype).variables, Some(&process)) {
            return format!("{}:{name}", process_name(model, &process));
        }
    }
    format!("{declared}#{}", channel.id)
}
