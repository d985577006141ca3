//! What can enable or disable a command: its own condition and everything around it.

use super::access::{Access, AccessSet};
use super::touch::{self, Phase, Touch};
use crate::ir::transition::Discipline;
use crate::ir::{Action, Command, Edge, Location, LocationId, Model, ProctypeId};

impl Model {
    /// What decides whether a process of this type at this control point can take an edge. While
    /// a step of another process [changes](AccessSet::may_change) none of this, the edge stays
    /// what it is: enabled, or not.
    ///
    /// # Panics
    /// If there is no such edge.
    pub fn enabling(&self, id: ProctypeId, at: LocationId, edge: usize) -> Vec<Access> {
        let proctype = self.proctype(id);
        let location = &proctype.locations[at.0 as usize];
        let Edge { command, escape } = location.edges[edge];
        let mut found = self.condition(&self.command(command).action, location);
        // Escapes go first, and one that can be taken keeps the others from moving.
        for other in location.edges.iter().filter(|other| other.escape != escape) {
            found.extend(self.condition(&self.command(other.command).action, location));
        }
        if let Some(provided) = proctype.provided {
            found.extend(self.expr_accesses(provided).reads);
        }
        if self.uses.priorities {
            found.push(Access::Everything);
        }
        match self.discipline {
            Discipline::Spin => {}
            Discipline::Divine => {
                let mut locations = self.proctypes.iter().flat_map(|other| &other.locations);
                if !location.is_committed && locations.any(|other| other.is_committed) {
                    found.push(Access::Controls);
                }
            }
            // Somebody who cannot move keeps all from moving.
            Discipline::DivineLockStep => found.push(Access::Everything),
        }
        if let Some(property) = &self.property {
            // It joins every step, or there is none.
            let watcher = self.proctype(self.initial_processes[property.pid as usize].proctype);
            let edges = watcher.locations.iter().flat_map(|location| &location.edges);
            found
                .extend(edges.flat_map(|edge| self.condition_of_other(self.command(edge.command))));
            found.push(Access::Controls);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The condition of an action with that of those that it may meet by a rendezvous.
    fn condition(&self, action: &Action, location: &Location) -> Vec<Access> {
        let (mut set, mut is_else, mut meets) = (AccessSet::default(), false, false);
        touch::of_action(self, action, &mut |phase, touch| match touch {
            // Whether another command of this control point can be executed.
            Touch::Else if phase == Phase::Condition => is_else = true,
            touch => {
                meets |= phase == Phase::Condition && self.may_meet(&touch);
                set.add(self, phase, touch);
            }
        });
        let mut found = set.condition;
        if is_else {
            let others = location.edges.iter().map(|edge| &self.command(edge.command).action);
            for other in others.filter(|&other| other != action) {
                found.extend(match other {
                    Action::Else => Vec::new(),
                    Action::DStep(_) => vec![Access::Everything],
                    other => self.condition(other, location),
                });
            }
        }
        if meets {
            found.push(Access::Controls);
            let partners = self.commands.iter().filter(|command| {
                let mut meets = false;
                let visit = &mut |_, touch: Touch<'_>| meets |= self.may_meet(&touch);
                touch::of_action(self, &command.action, visit);
                meets
            });
            found.extend(partners.flat_map(|command| self.condition_of_other(command)));
            let provided = self.proctypes.iter().filter_map(|proctype| proctype.provided);
            found.extend(provided.flat_map(|expr| without_locals(self.expr_accesses(expr).reads)));
        }
        found
    }

    /// Whether this may be one side of a rendezvous.
    fn may_meet(&self, touch: &Touch<'_>) -> bool {
        match touch {
            Touch::Offer(_) | Touch::Accept(_) => true,
            Touch::Channel(..) => self.channel_types.iter().any(|ty| ty.is_rendezvous()),
            _ => false,
        }
    }

    /// What the condition of a command of another process depends on, apart from what only that
    /// process changes: whoever asks this looks at its control point anyway.
    fn condition_of_other(&self, command: &Command) -> Vec<Access> {
        without_locals(self.action_accesses(&command.action).condition)
    }
}

fn without_locals(mut accesses: Vec<Access>) -> Vec<Access> {
    accesses.retain(|access| !matches!(access, Access::Local { .. }));
    accesses
}
