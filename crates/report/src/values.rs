//! The variables and channels of a state, by the names that the user gave them.

use std::sync::Arc;

use lariat_model::interp::{Channel, Interp, Process};
use lariat_model::ir::layout::VariableKind;
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{Model, ProctypeId, Variable};

/// A variable, an element of an array or a channel, with its value as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub name: Arc<str>,
    pub value: Arc<str>,
}

/// All of a state: globals, channels, then the locals of each process.
pub fn values_of(interp: &mut Interp<'_>, state: &[u8], hidden: &[u8]) -> Arc<[Named]> {
    Snapshot::of(interp, state, hidden).named
}

/// The values of a state, and what they are made of: the texts of the next state are mostly the
/// same ones.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    processes: Vec<(u8, ProctypeId)>,
    /// The values of channel variables: channels have their names from these.
    holders: Vec<i32>,
    /// The values of all other variables: globals, then locals.
    numbers: Vec<i32>,
    globals: usize,
    channels: Vec<Channel>,
    pub(crate) named: Arc<[Named]>,
}

impl Snapshot {
    pub(crate) fn of(interp: &mut Interp<'_>, state: &[u8], hidden: &[u8]) -> Self {
        interp.load_with_hidden(state, hidden);
        let mut snapshot = Snapshot::numbers(interp);
        let model = interp.model();
        let mut named = Vec::new();
        for variable in model.globals.iter().chain(&model.hidden) {
            push_variable(interp, variable, None, &mut named);
        }
        for channel in &snapshot.channels {
            let (name, value) = (channel_name(interp, channel), messages(model, channel));
            named.push(Named { name: name.into(), value: value.into() });
        }
        for process in interp.processes() {
            for variable in &model.proctype(process.proctype).variables {
                push_variable(interp, variable, Some(&process), &mut named);
            }
        }
        snapshot.named = named.into();
        snapshot
    }

    /// That of the next state.
    pub(crate) fn next(&self, interp: &mut Interp<'_>, state: &[u8], hidden: &[u8]) -> Self {
        interp.load_with_hidden(state, hidden);
        let mut next = Snapshot::numbers(interp);
        let is_alike = |(one, other): (&Channel, &Channel)| {
            (one.id, one.channel_type) == (other.id, other.channel_type)
        };
        let has_same_names = next.processes == self.processes
            && next.holders == self.holders
            && next.channels.len() == self.channels.len()
            && next.channels.iter().zip(&self.channels).all(is_alike);
        if !has_same_names {
            return Snapshot::of(interp, state, hidden);
        }
        let model = interp.model();
        let kinds = self.kinds(model);
        let (globals, channels) = (self.globals, self.channels.len());
        let value = |at: usize| -> Option<Arc<str>> {
            if (globals..globals + channels).contains(&at) {
                let (old, new) = (&self.channels[at - globals], &next.channels[at - globals]);
                return (old.messages != new.messages).then(|| messages(model, new).into());
            }
            let at = if at < globals { at } else { at - channels };
            let (old, new) = (self.numbers[at], next.numbers[at]);
            (old != new).then(|| value_text(model, kinds[at], new).into())
        };
        let named = self.named.iter().enumerate().map(|(at, named)| Named {
            name: named.name.clone(),
            value: value(at).unwrap_or_else(|| named.value.clone()),
        });
        next.named = named.collect();
        next
    }

    /// Of the loaded state, without any text.
    fn numbers(interp: &Interp<'_>) -> Self {
        let model = interp.model();
        let (mut holders, mut numbers) = (Vec::new(), Vec::new());
        let mut add = |variable: &Variable, process: Option<&Process<'_>>| {
            let list = match variable.kind {
                VariableKind::Channel => &mut holders,
                _ => &mut numbers,
            };
            list.extend(interp.values(variable, process));
            numbers.len()
        };
        let mut globals = 0;
        for variable in model.globals.iter().chain(&model.hidden) {
            globals = add(variable, None);
        }
        let mut processes = Vec::new();
        for process in interp.processes() {
            processes.push((process.pid, process.proctype));
            for variable in &model.proctype(process.proctype).variables {
                add(variable, Some(&process));
            }
        }
        let mut channels = interp.channels();
        channels.retain(|channel| {
            !model.channel_types[channel.channel_type.0 as usize].is_rendezvous()
        });
        Snapshot { processes, holders, numbers, globals, channels, named: Arc::default() }
    }

    /// What the numbers mean, one by one.
    fn kinds<'m>(&self, model: &'m Model) -> Vec<&'m VariableKind> {
        let of_processes = self.processes.iter();
        let locals = of_processes.flat_map(|&(_, id)| &model.proctype(id).variables);
        let all = model.globals.iter().chain(&model.hidden).chain(locals);
        all.filter(|variable| variable.kind != VariableKind::Channel)
            .flat_map(|variable| {
                std::iter::repeat_n(&variable.kind, variable.count.unwrap_or(1) as usize)
            })
            .collect()
    }
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

/// Between a process and its variable.
pub(crate) fn separator(model: &Model) -> &'static str {
    if model.discipline == Discipline::Spin { ":" } else { "." }
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
    let owner =
        process.map_or(String::new(), |process| process_name(model, process) + separator(model));
    for (at, &value) in interp.values(variable, process).iter().enumerate() {
        let index = variable.count.map_or(String::new(), |_| format!("[{at}]"));
        let name = format!("{owner}{}{index}", variable.name).into();
        out.push(Named { name, value: value_text(model, &variable.kind, value).into() });
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
