//! The IR as text, for people and for tests.

use std::fmt::{self, Write};

use super::layout::VariableKind;
use super::{Model, Proctype, ProctypeKind, Region, Scalar, Variable};
use crate::analysis::Access;

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bits(bits) => write!(f, "u{bits}"),
            Scalar::Byte => write!(f, "u8"),
            Scalar::Short => write!(f, "i16"),
            Scalar::Int => write!(f, "i32"),
        }
    }
}

/// `lariat show --ir`
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "model {}", self.name)?;
        writeln!(f, "\nglobals: {} bytes", self.globals_size)?;
        self.globals.iter().try_for_each(|variable| write_variable(f, variable))?;
        if !self.hidden.is_empty() {
            writeln!(f, "\nhidden: {} bytes", self.hidden_size)?;
            self.hidden.iter().try_for_each(|variable| write_variable(f, variable))?;
        }
        for set in &self.mtypes {
            let name = set.name.as_ref().map_or(String::new(), |name| format!(":{name}"));
            writeln!(f, "\nmtype{name}")?;
            for (at, name) in set.names.iter().enumerate() {
                writeln!(f, "  {} {name}", at + 1)?;
            }
        }
        for (at, channel) in self.channel_types.iter().enumerate() {
            let kind = match channel.capacity {
                0 => "rendezvous".to_string(),
                capacity => format!("{capacity} messages"),
            };
            write!(f, "\nchannel type {at} ({}): {kind} of {{", channel.name)?;
            for field in &channel.fields {
                write!(f, " {}", field.scalar)?;
            }
            writeln!(f, " }}, {} bytes", channel.size)?;
        }
        let initial = self.initial_processes.iter();
        let initial: Vec<&str> = initial.map(|p| self.proctype(p.proctype).name.as_str()).collect();
        writeln!(f, "\nprocesses at the start: {}", initial.join(", "))?;
        self.proctypes.iter().try_for_each(|proctype| self.write_proctype(f, proctype))
    }
}

fn write_variable(f: &mut fmt::Formatter<'_>, variable: &Variable) -> fmt::Result {
    let region = match variable.region {
        Region::Global => "",
        Region::Local => "frame ",
        Region::Hidden => "hidden ",
        Region::Nothing => "nowhere ",
    };
    write!(f, "  {region}{:>4} {}", variable.offset, variable.scalar)?;
    if let Some(count) = variable.count {
        write!(f, "[{count}]")?;
    }
    let kind = match &variable.kind {
        VariableKind::Number => String::new(),
        VariableKind::Bool => " bool".into(),
        VariableKind::Channel => " chan".into(),
        VariableKind::Pid => " pid".into(),
        VariableKind::Mtype(None) => " mtype".into(),
        VariableKind::Mtype(Some(set)) => format!(" mtype:{set}"),
    };
    writeln!(f, " {}{kind}", variable.name)
}

impl Model {
    fn write_proctype(&self, f: &mut fmt::Formatter<'_>, proctype: &Proctype) -> fmt::Result {
        let kind = match proctype.kind {
            ProctypeKind::Process => "proctype",
            ProctypeKind::Init => "init",
            ProctypeKind::Never => "never",
            ProctypeKind::Trace => "trace",
            ProctypeKind::NoTrace => "notrace",
        };
        let parameters = proctype.params;
        writeln!(
            f,
            "\n{kind} {}: {parameters} parameters, frame of {} bytes, starts at {}",
            proctype.name, proctype.frame_size, proctype.initial.0
        )?;
        proctype.variables.iter().try_for_each(|variable| write_variable(f, variable))?;
        for (at, location) in proctype.locations.iter().enumerate() {
            if location.edges.is_empty() {
                continue;
            }
            write!(f, "  {at}:")?;
            for label in &location.labels {
                write!(f, " {label}:")?;
            }
            for (mark, name) in [
                (location.is_end, "end"),
                (location.is_accept, "accept"),
                (location.is_progress, "progress"),
                (location.is_committed, "committed"),
            ] {
                if mark {
                    write!(f, " <{name}>")?;
                }
            }
            f.write_char('\n')?;
            for edge in &location.edges {
                let command = self.command(edge.command);
                let atomic = if command.atomic { " atomic" } else { "" };
                let escape = if edge.escape != 0 { " escape" } else { "" };
                let target = command.target.0;
                writeln!(f, "    -> {target:<4}{atomic}{escape} {}", command.text)?;
                let set = self.accesses(edge.command);
                for (what, list) in [("reads", &set.reads), ("writes", &set.writes)] {
                    if !list.is_empty() {
                        let list: Vec<String> = list.iter().map(Access::to_string).collect();
                        writeln!(f, "         {what} {}", list.join(" "))?;
                    }
                }
            }
        }
        Ok(())
    }
}
