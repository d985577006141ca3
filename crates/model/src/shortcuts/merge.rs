//! Merging of local invisible steps, as Spin's statement merging (`-o3` switches it off).
//!
//! A control point is *passed through* if its only command is *private*: it can always be
//! executed, touches nothing but variables of its own process that nobody else reads, cannot go
//! wrong, and ends the step. Whoever arrives there goes on at once: the command that leads there
//! becomes atomic, and the state in between is not stored. For properties without X only.
//!
//! `docs/shortcuts.md` has the argument: a private command is a persistent set of its own, so
//! every run has one that differs from it by stuttering only. What it rests on, and where that
//! is checked:
//!
//! - the private command releases control, so that the merged step ends behind it:
//!   [`is_private`] (a command that begins an atomic sequence goes on through all of it);
//! - nobody sees the process arrive or leave: [`Seen`];
//! - nobody asks whether the process waits for a rendezvous: [`asks_who_waits`];
//! - nobody looks at what all processes do, and no property asks for more: [`is_applicable`];
//! - merged steps end: [`break_cycles`].

use std::collections::HashSet;

use lariat_core::makes_mistake;

use super::range::{is_harmless, is_harmless_place};
use crate::analysis::{Access, OutsideReads, read_from_outside};
use crate::ir::transition::Discipline;
use crate::ir::{
    Action, ChannelType, CommandId, Expr, ExprId, Location, LocationId, Model, Proctype,
    ProctypeKind,
};

/// Makes commands atomic; how many. `visible` are the expressions of the property.
pub(super) fn merge(model: &mut Model, visible: &[ExprId]) -> usize {
    let Some(outside) = read_from_outside(model).filter(|_| is_applicable(model, visible)) else {
        return 0;
    };
    let seen = Seen { outside, labels: remote_labels(model), waiting: asks_who_waits(model) };
    let mut merged = Vec::new();
    for proctype in &model.proctypes {
        if !matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init)
            || proctype.provided.is_some()
            || proctype.deterministic
        {
            continue;
        }
        let passed = passed_through(model, proctype, &seen);
        let edges = proctype.locations.iter().flat_map(|location| &location.edges);
        for edge in edges.filter(|edge| edge.escape == 0) {
            let command = model.command(edge.command);
            let leads_on = passed[command.target.0 as usize];
            if leads_on && !command.atomic && may_hold_control(&command.action) {
                merged.push(edge.command);
            }
        }
    }
    merged.sort_unstable();
    merged.dedup();
    for command in &merged {
        model.commands[command.0 as usize].atomic = true;
    }
    merged.len()
}

/// Control points and who moved last must not be looked at by anybody. A label that the
/// process leaves and comes back to on the way would be seen to stay.
fn is_applicable(model: &Model, visible: &[ExprId]) -> bool {
    let looks = |expr: &Expr| {
        matches!(
            expr,
            Expr::Enabled(_)
                | Expr::PcValue(_)
                | Expr::Last
                | Expr::GetPriority(_)
                | Expr::Priority
                | Expr::NonProgress
                | Expr::AtAccept
        )
    };
    let somebody_looks = (0..model.exprs.len() as u32).any(|id| looks(model.exprs.get(ExprId(id))));
    let sees_timeout = |expr: &ExprId| model.exprs.any(*expr, |node| matches!(node, Expr::Timeout));
    let claims_may_see_it = model.uses.timeout && !model.claims.is_empty();
    model.discipline == Discipline::Spin
        && !model.uses.priorities
        && !model.uses.last
        && !model.uses.provided
        && !claims_may_see_it
        && !visible.iter().any(sees_timeout)
        && model.trace.is_none()
        && !somebody_looks
}

/// Where others may notice a process.
struct Seen {
    /// Variables that others read.
    outside: OutsideReads,
    /// Control points that a remote reference names, in any proctype: a pid may be of any type.
    labels: HashSet<LocationId>,
    /// Somebody asks whether a process waits for a rendezvous.
    waiting: bool,
}

impl Seen {
    /// Whether somebody notices that a process arrives at this control point, or leaves it.
    fn notices(&self, model: &Model, proctype: &Proctype, id: LocationId) -> bool {
        let location = &proctype.locations[id.0 as usize];
        let waits = self.waiting && has(model, location, |a| matches!(a, Action::Receive(_)));
        self.labels.contains(&id) || location.is_accept || location.is_progress || waits
    }
}

fn remote_labels(model: &Model) -> HashSet<LocationId> {
    let all = (0..model.exprs.len() as u32).map(|id| model.exprs.get(ExprId(id)));
    all.filter_map(|expr| match expr {
        Expr::At(remote) => Some(remote.location),
        _ => None,
    })
    .collect()
}

/// Whether what a process can do depends on somebody else waiting for its message: a rendezvous
/// send inside an atomic sequence, which stops there or goes on, or one beside `else` or an
/// escape. Such a step does not commute with one that leads another process to a receive.
fn asks_who_waits(model: &Model) -> bool {
    let has_rendezvous = model.channel_types.iter().any(ChannelType::is_rendezvous);
    let sends = |location: &Location| has(model, location, |a| matches!(a, Action::Send(_)));
    let asks = |proctype: &Proctype| {
        proctype.locations.iter().any(|location| {
            let beside = has(model, location, |a| matches!(a, Action::Else))
                || location.edges.iter().any(|edge| edge.escape != 0);
            let leads_to_send = |edge: &crate::ir::Edge| {
                let command = model.command(edge.command);
                command.atomic && sends(&proctype.locations[command.target.0 as usize])
            };
            beside && sends(location) || location.edges.iter().any(leads_to_send)
        })
    };
    has_rendezvous && model.proctypes.iter().any(asks) && !makes_mistake("merge-readiness")
}

fn has(model: &Model, location: &Location, is_such: impl Fn(&Action) -> bool) -> bool {
    location.edges.iter().any(|edge| is_such(&model.command(edge.command).action))
}

/// By control point: whether a process only passes through it.
fn passed_through(model: &Model, proctype: &Proctype, seen: &Seen) -> Vec<bool> {
    let mut passed: Vec<bool> = proctype
        .locations
        .iter()
        .enumerate()
        .map(|(at, location)| {
            let id = LocationId(at as u16);
            let [edge] = location.edges[..] else { return false };
            // Neither leaving the point nor arriving at the next one may be seen.
            let next = model.command(edge.command).target;
            id != proctype.initial
                && id != proctype.end
                && !location.is_end
                && location.asserts.is_empty()
                && edge.escape == 0
                && is_private(model, edge.command, &seen.outside)
                && !seen.notices(model, proctype, id)
                && !seen.notices(model, proctype, next)
        })
        .collect();
    break_cycles(model, proctype, &mut passed);
    passed
}

/// A cycle of points that are passed through would never be left: one of them is not passed.
fn break_cycles(model: &Model, proctype: &Proctype, passed: &mut [bool]) {
    // By which walk a point was visited; 0 by none.
    let mut visited = vec![0; passed.len()];
    for start in 0..passed.len() {
        let (walk, mut at) = (start + 1, start);
        while passed[at] && visited[at] == 0 {
            visited[at] = walk;
            at = model.command(proctype.locations[at].edges[0].command).target.0 as usize;
        }
        if passed[at] && visited[at] == walk {
            passed[at] = false;
        }
    }
}

/// Always executable, touches only what nobody else sees, cannot go wrong, and keeps no control.
fn is_private(model: &Model, id: CommandId, outside: &OutsideReads) -> bool {
    let command = model.command(id);
    let harmless = match &command.action {
        Action::Skip => true,
        Action::Assign(assign) => {
            is_harmless(model, assign.value) && is_harmless_place(model, &assign.target)
        }
        _ => false,
    };
    let accesses = model.accesses(id);
    let own = |access: &Access| match *access {
        Access::Local { start, end } => !outside.touches(start, end),
        _ => false,
    };
    let releases = !command.atomic || makes_mistake("merge-into-atomic");
    releases && harmless && accesses.reads.iter().chain(&accesses.writes).all(own)
}

/// A process keeps control after such a command. A handshake hands it to the partner.
fn may_hold_control(action: &Action) -> bool {
    !matches!(action, Action::Send(_) | Action::Receive(_) | Action::DStep(_) | Action::End)
}
