//! Merging of local invisible steps, as Spin's statement merging (`-o3` switches it off), and more:
//! Spin merges sequences of assignments, we also go through decisions on a process's own variables.
//!
//! A control point is *passed through* if all that a process does there concerns nobody else:
//! skips, prints, assignments, guards and `else`, and `d_step`s of these. Whoever arrives there and
//! can go on does so at once: the command that leads there becomes atomic, and the state in between
//! is not stored. For properties without X only.
//!
//! # Why no verdict changes
//!
//! Merging is partial-order reduction with the simplest sets (`docs/por.md`), and then leaves out
//! the states that were reduced. In a state with process p at a passed point l, where p can move,
//! the set is all enabled commands of p; in all other states it is everything. What that needs:
//!
//! - *Nobody outside changes these commands, and they change nobody else* (D1). One question, asked
//!   of the analysis: [`Model::is_own_affair`]. It has its argument there. Only what the control
//!   point itself tells others is left: the next two.
//! - *Nobody sees where the process is*: [`Seen`], for l and for all control points behind its
//!   commands. Remote references, labels that properties look at. Nobody looks at what all
//!   processes do, either: [`is_applicable`].
//! - *Nobody asks whether the process waits for a rendezvous*: [`asks_who_waits`].
//! - *They are invisible* (C2): they write variables of their own process that no remote reference
//!   names, and no property names others.
//! - *They cannot fail* ([`is_safe`]): behind an error there would be nothing, where others go
//!   on in the given model.
//! - *The set is not empty* (D0): if p cannot go on at l, the state is stored, as that of any
//!   process that is blocked inside an atomic sequence, and it has all its steps. Nobody else can
//!   wake p up there, so it rests for ever; an end label is no obstacle to resting, so points
//!   with one are not passed.
//! - *No cycle has reduced states only* (C3): [`break_cycles`]. (Walks through atomic sequences know
//!   loops inside them, so a cycle that was forgotten would cost time, not a verdict.)
//! - *The merged step ends behind these commands*: a command that begins an atomic sequence would
//!   go on through all of it. [`is_safe`] refuses those that keep control.
//!
//! Which command may lead there? The state behind it is the same, whether it was a guard, an
//! assignment, a `d_step`, or a send or receive by a buffered channel: these have no condition of
//! their own. What a receive by rendezvous leads to is passed through, too: control goes to the
//! receiver, which goes on. The sender of a rendezvous has given control away; it cannot go on in
//! the same step, so it is left alone ([`may_hold_control`]). So is the start and the end of a process.
//!
//! A channel operation is always the first command of a merged step, never behind another. That keeps the
//! step as independent as the operation is by itself: reduction (`docs/por.md`) has to take an
//! operation behind another command for one that may block or not.

use std::collections::HashSet;

use lariat_core::makes_mistake;

use super::range::{is_harmless, is_harmless_place};
use crate::analysis::{Cells, Constants, OutsideReads, read_from_outside};
use crate::ir::transition::Discipline;
use crate::ir::{
    Action, ChannelType, Command, DStep, DStepNode, Expr, ExprId, Location, LocationId, Model,
    Proctype, ProctypeId, ProctypeKind, Send,
};

/// A merged step has at most so many ways through points that are passed. Choices behind choices
/// would make too many of them.
const MAX_WAYS: u32 = 16;

/// Makes commands atomic; how many. `visible` are the expressions of the property.
pub(super) fn merge(model: &mut Model, visible: &[ExprId]) -> usize {
    let Some(outside) = read_from_outside(model).filter(|_| is_applicable(model, visible)) else {
        return 0;
    };
    let seen = Seen { outside, labels: remote_labels(model), waiting: asks_who_waits(model) };
    let constants = Constants::of(model).ok();
    let mut merged = Vec::new();
    for (at, proctype) in model.proctypes.iter().enumerate() {
        if !matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init)
            || proctype.provided.is_some()
            || proctype.deterministic
        {
            continue;
        }
        let passed = passed_through(model, ProctypeId(at as u8), &seen);
        let edges = proctype.locations.iter().flat_map(|location| &location.edges);
        for edge in edges.filter(|edge| edge.escape == 0) {
            let command = model.command(edge.command);
            let leads_on = passed[command.target.0 as usize];
            if leads_on && !command.atomic && may_hold_control(constants.as_ref(), command) {
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
fn passed_through(model: &Model, id: ProctypeId, seen: &Seen) -> Vec<bool> {
    let proctype = model.proctype(id);
    let is_passed = |at: usize| {
        let (at, location) = (LocationId(at as u16), &proctype.locations[at]);
        // Neither leaving the point nor arriving at the next ones may be seen.
        let is_quiet = |at: LocationId| !seen.notices(model, proctype, at);
        at != proctype.initial
            && at != proctype.end
            && !location.is_end
            && location.asserts.is_empty()
            && !location.edges.is_empty()
            && is_quiet(at)
            && location.edges.iter().all(|edge| {
                let command = model.command(edge.command);
                edge.escape == 0 && is_safe(model, command) && is_quiet(command.target)
            })
            && model.is_own_affair(id, at, &seen.outside)
    };
    let mut passed: Vec<bool> = (0..proctype.locations.len()).map(is_passed).collect();
    break_cycles(model, proctype, &mut passed);
    passed
}

/// A cycle of points that are passed through would never be left: one of them is not passed. Nor
/// are points with too many ways behind them.
fn break_cycles(model: &Model, proctype: &Proctype, passed: &mut [bool]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Walked {
        No,
        Open,
        /// With so many ways from here.
        Done(u32),
    }
    let next = |at: usize, number: usize| {
        let edge = proctype.locations[at].edges.get(number)?;
        Some(model.command(edge.command).target.0 as usize)
    };
    let mut walked = vec![Walked::No; passed.len()];
    for start in 0..passed.len() {
        // Points on the way, each with the number of its next edge and the ways behind those before.
        let mut way = Vec::new();
        if passed[start] && walked[start] == Walked::No {
            walked[start] = Walked::Open;
            way.push((start, 0, 0));
        }
        while let Some((at, number, ways)) = way.last_mut() {
            let Some(target) = next(*at, *number) else {
                passed[*at] &= *ways <= MAX_WAYS;
                walked[*at] = Walked::Done(*ways);
                way.pop();
                continue;
            };
            // A point that turns out not to be passed after all ends the way like any other.
            let behind = match walked[target] {
                _ if !passed[target] => 1,
                Walked::Open => {
                    passed[target] = false;
                    1
                }
                Walked::Done(ways) => ways,
                Walked::No => {
                    walked[target] = Walked::Open;
                    way.push((target, 0, 0));
                    continue;
                }
            };
            *ways += behind;
            *number += 1;
        }
    }
}

/// Cannot fail, and the process gives control away behind it.
fn is_safe(model: &Model, command: &Command) -> bool {
    let releases = !command.atomic || makes_mistake("merge-into-atomic");
    releases
        && match &command.action {
            Action::Else => true,
            Action::Guard(condition) => is_harmless(model, *condition),
            Action::DStep(id) => is_safe_program(model, &model.d_steps[id.0 as usize]),
            action => is_safe_statement(model, action),
        }
}

/// Can always be executed, and cannot fail.
fn is_safe_statement(model: &Model, action: &Action) -> bool {
    match action {
        Action::Skip => true,
        Action::Assign(assign) => {
            is_harmless(model, assign.value) && is_harmless_place(model, &assign.target)
        }
        Action::Print(print) => print.args.iter().all(|&arg| is_harmless(model, arg)),
        _ => false,
    }
}

/// One statement after the other: perhaps a guard, which was tested before, then what can always be executed.
fn is_safe_program(model: &Model, program: &DStep) -> bool {
    let mut at = program.entry;
    for number in 0..=program.nodes.len() {
        match &program.nodes[at.0 as usize] {
            DStepNode::Exit => return true,
            DStepNode::Select { .. } => return false,
            DStepNode::Do { action, next, .. } => {
                let is_safe = match action {
                    Action::Guard(condition) if number == 0 => {
                        program.guards == [action.clone()] && is_harmless(model, *condition)
                    }
                    action => is_safe_statement(model, action),
                };
                if !is_safe {
                    return false;
                }
                at = *next;
            }
        }
    }
    // It does not end.
    false
}

/// A process keeps control after such a command.
fn may_hold_control(constants: Option<&Constants<'_>>, command: &Command) -> bool {
    match &command.action {
        Action::Send(send) => constants.is_some_and(|constants| may_be_buffered(constants, send)),
        Action::End => false,
        _ => true,
    }
}

/// The sender of a rendezvous gives control away whether or not it is atomic. Where the channel
/// is not known, the step goes on or not when it is taken.
fn may_be_buffered(constants: &Constants<'_>, send: &Send) -> bool {
    let model = constants.model();
    let cells = match model.exprs.get(send.channel) {
        &Expr::Var(region, offset, scalar) => Some(Cells { region, offset, scalar, indices: &[] }),
        Expr::Load(place) => Some(Cells::from(&**place)),
        _ => None,
    };
    match cells.and_then(|cells| constants.channel_array(cells)) {
        Some(array) => !model.channel_types[array.channel_type.0 as usize].is_rendezvous(),
        None => !model.channel_types.iter().all(ChannelType::is_rendezvous),
    }
}
