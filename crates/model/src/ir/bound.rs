//! How large a state can become, where that can be seen without running the model.

use std::collections::HashMap;

use super::layout::MAX_LIVE;
use super::{Action, Assign, CommandId, Expr, Location, Model, ProctypeId};

/// Processes and bytes that come with one process, those that it starts included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Weight {
    processes: usize,
    bytes: usize,
}

impl Model {
    /// An upper bound of the bytes of a state. None if a process may be started again and
    /// again: inside a loop, or by a proctype that starts itself.
    pub fn max_state_size(&self) -> Option<usize> {
        let channels = self.global_inits.iter().map(|init| match init {
            super::Init::Channels { count, channel, .. } => {
                *count as usize * self.channel_types[channel.0 as usize].size as usize
            }
            super::Init::Fill { .. } => 0,
        });
        let fixed = self.globals_size as usize + channels.sum::<usize>();
        let mut known = HashMap::new();
        let mut total = Weight { processes: 0, bytes: fixed };
        for process in &self.initial_processes {
            let weight = self.weight(process.proctype, &mut known, 0)?;
            total.processes += weight.processes;
            total.bytes += weight.bytes;
        }
        (total.processes <= MAX_LIVE).then_some(total.bytes)
    }

    // Recursion is as deep as the chain of `run`s; deeper than the number of proctypes means
    // that one starts itself.
    fn weight(
        &self,
        id: ProctypeId,
        known: &mut HashMap<ProctypeId, Weight>,
        depth: usize,
    ) -> Option<Weight> {
        if let Some(&weight) = known.get(&id) {
            return Some(weight);
        }
        if depth > self.proctypes.len() {
            return None;
        }
        let proctype = self.proctype(id);
        let channels = proctype.channels.iter();
        let channels = channels.map(|c| self.channel_types[c.0 as usize].size as usize);
        let mut weight =
            Weight { processes: 1, bytes: proctype.frame_size as usize + channels.sum::<usize>() };
        let mut seen: Vec<CommandId> = Vec::new();
        for location in &proctype.locations {
            for edge in &location.edges {
                let started = self.started_by(edge.command);
                if started.is_empty() || seen.contains(&edge.command) {
                    continue;
                }
                seen.push(edge.command);
                if self.can_return(&proctype.locations, edge.command) {
                    return None;
                }
                for child in started {
                    let child = self.weight(child, known, depth + 1)?;
                    weight.processes += child.processes;
                    weight.bytes += child.bytes;
                }
            }
        }
        if weight.processes > MAX_LIVE {
            return None;
        }
        known.insert(id, weight);
        Some(weight)
    }

    /// The proctypes that a command runs.
    fn started_by(&self, command: CommandId) -> Vec<ProctypeId> {
        let mut started = Vec::new();
        // Only these can contain `run`.
        if let Action::Guard(value) | Action::Assign(Assign { value, .. }) =
            self.command(command).action
        {
            self.exprs.walk(value, &mut |_, node| {
                if let Expr::Run(run) = node {
                    started.push(run.proctype);
                }
            });
        }
        started
    }

    /// Whether the command can be executed again after it was.
    fn can_return(&self, locations: &[Location], command: CommandId) -> bool {
        let mut reached = vec![false; locations.len()];
        let mut todo = vec![self.command(command).target.0 as usize];
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut reached[at], true) {
                continue;
            }
            for edge in &locations[at].edges {
                if edge.command == command {
                    return true;
                }
                todo.push(self.command(edge.command).target.0 as usize);
            }
        }
        false
    }
}
