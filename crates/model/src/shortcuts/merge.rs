//! Merging of local invisible steps, as Spin's statement merging (`-o3` switches it off).
//!
//! A control point is *passed through* if its only command can always be executed, touches
//! nothing but variables of its own process that nobody else reads, and cannot go wrong.
//! Whoever arrives there goes on at once: the command that leads there becomes atomic, and the
//! state in between is not stored. Such a command commutes with every step of the other
//! processes, disables none and is disabled by none, and no property sees it, so every run has
//! one that differs from it by stuttering only. This is for properties without X. A chain of
//! such points ends: cycles of them are not merged.

use super::range::{is_harmless, is_harmless_place};
use super::relevance::read_from_outside;
use crate::ir::transition::Discipline;
use crate::ir::{
    Access, Action, CommandId, Expr, ExprId, LocationId, Model, Proctype, ProctypeKind,
};

/// Makes commands atomic; how many. `visible` are the expressions of the property.
pub(super) fn merge(model: &mut Model, visible: &[ExprId]) -> usize {
    if !is_applicable(model, visible) {
        return 0;
    }
    let outside = read_from_outside(model);
    let labels = labels_seen_from_outside(model);
    let mut merged = Vec::new();
    for proctype in &model.proctypes {
        if !matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init)
            || proctype.provided.is_some()
            || proctype.deterministic
        {
            continue;
        }
        let passed = passed_through(model, proctype, &outside, &labels);
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

/// Control points that a remote reference names, in any proctype: a pid may be of any type.
fn labels_seen_from_outside(model: &Model) -> Vec<LocationId> {
    let mut seen = Vec::new();
    for id in (0..model.exprs.len() as u32).map(ExprId) {
        if let Expr::At(remote) = model.exprs.get(id) {
            seen.push(remote.location);
        }
    }
    seen
}

/// By control point: whether a process only passes through it.
fn passed_through(
    model: &Model,
    proctype: &Proctype,
    outside: &[(u32, u32)],
    labels: &[LocationId],
) -> Vec<bool> {
    let count = proctype.locations.len();
    let mut passed: Vec<bool> = (0..count)
        .map(|at| {
            let id = LocationId(at as u16);
            let location = &proctype.locations[at];
            let [edge] = location.edges[..] else { return false };
            // Neither leaving the point nor arriving at the next one may be seen.
            let next = model.command(edge.command).target;
            let is_seen = |id: LocationId| {
                let location = &proctype.locations[id.0 as usize];
                labels.contains(&id) || location.is_accept || location.is_progress
            };
            id != proctype.initial
                && id != proctype.end
                && !location.is_end
                && !is_seen(id)
                && !is_seen(next)
                && location.asserts.is_empty()
                && edge.escape == 0
                && is_private(model, edge.command, outside)
        })
        .collect();
    // A cycle of such points would never be left: break it.
    for start in 0..count {
        let mut at = start;
        for _ in 0..count {
            if !passed[at] {
                break;
            }
            at = model.command(proctype.locations[at].edges[0].command).target.0 as usize;
            if at == start {
                passed[start] = false;
            }
        }
    }
    passed
}

/// Always executable, touches only what nobody else sees, cannot go wrong.
fn is_private(model: &Model, id: CommandId, outside: &[(u32, u32)]) -> bool {
    let harmless = match &model.command(id).action {
        Action::Skip => true,
        Action::Assign(assign) => {
            is_harmless(model, assign.value) && is_harmless_place(model, &assign.target)
        }
        _ => false,
    };
    let accesses = model.accesses(id);
    let own = |access: &Access| match *access {
        Access::Local { start, end } => !outside.iter().any(|&(s, e)| s < end && start < e),
        _ => false,
    };
    harmless && accesses.reads.iter().chain(&accesses.writes).all(own)
}

/// A process keeps control after such a command. A handshake hands it to the partner.
fn may_hold_control(action: &Action) -> bool {
    !matches!(action, Action::Send(_) | Action::Receive(_) | Action::DStep(_) | Action::End)
}
