//! Dead variables: a local variable that is not read any more before it is written has no
//! value. Spin does the same at the end of a variable's life (`-o1` switches it off).
//!
//! Backward liveness on each proctype's control graph. What is dead at a control point is
//! recorded there ([`Location::dead`]); interpreter and native code put 0 there whenever a
//! process arrives. Two states that differ in dead variables only have the same futures.
//!
//! [`Location::dead`]: crate::ir::Location::dead

use lariat_core::makes_mistake;

use crate::analysis::{Access, read_from_outside};
use crate::ir::layout::FRAME_HEADER;
use crate::ir::transition::Sync;
use crate::ir::{
    Action, Command, Model, Place, Proctype, ProctypeKind, ReceiveArg, Region, Variable,
};

/// Records dead variables; how many places of the control graphs have some.
pub(super) fn mark(model: &mut Model) -> usize {
    let Some(outside) = read_from_outside(model) else { return 0 };
    let mut marked = 0;
    for at in 0..model.proctypes.len() {
        let proctype = &model.proctypes[at];
        if !matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init) {
            continue;
        }
        let live = liveness(model, proctype);
        let dead: Vec<Vec<(u32, u32)>> = live
            .iter()
            .map(|live| {
                let mut dead: Vec<(u32, u32)> = proctype
                    .variables
                    .iter()
                    .zip(live)
                    .filter(|&(_, &live)| !live)
                    .map(|(variable, _)| extent(variable))
                    .filter(|&(start, end)| !outside.touches(start, end))
                    .collect();
                dead.sort_unstable();
                join(dead)
            })
            .collect();
        for (location, dead) in model.proctypes[at].locations.iter_mut().zip(dead) {
            marked += usize::from(!dead.is_empty());
            location.dead = dead;
        }
    }
    marked
}

/// Neighbouring ranges as one.
fn join(sorted: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (start, end) in sorted {
        match joined.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            _ => joined.push((start, end)),
        }
    }
    joined
}

fn extent(variable: &Variable) -> (u32, u32) {
    let size = variable.scalar.size() * variable.count.unwrap_or(1);
    (variable.offset, variable.offset + size)
}

/// By control point and variable: whether its value may still be read.
fn liveness(model: &Model, proctype: &Proctype) -> Vec<Vec<bool>> {
    let variables = &proctype.variables;
    let mut live = vec![vec![false; variables.len()]; proctype.locations.len()];
    let use_of = |reads: &[Access], live: &mut [bool]| {
        for &access in reads {
            // Frames that are read from outside are never dead.
            let Access::Local { start, end } = access else { continue };
            for (variable, live) in variables.iter().zip(live.iter_mut()) {
                let (from, to) = extent(variable);
                *live |= from < end && start < to;
            }
        }
    };
    loop {
        let mut grown = false;
        for at in (0..proctype.locations.len()).rev() {
            let location = &proctype.locations[at];
            let mut now = vec![false; variables.len()];
            if let Some(provided) = proctype.provided {
                use_of(&model.expr_accesses(provided).reads, &mut now);
            }
            for &assert in &location.asserts {
                use_of(&model.expr_accesses(assert).reads, &mut now);
            }
            for edge in &location.edges {
                let command = model.command(edge.command);
                let mut before = match command.action {
                    Action::End => vec![false; variables.len()],
                    _ => live[command.target.0 as usize].clone(),
                };
                for (variable, live) in variables.iter().zip(before.iter_mut()) {
                    *live &= !overwrites(command, variable);
                }
                if !(makes_mistake("dead-messages") && matches!(command.action, Action::Send(_))) {
                    use_of(&model.accesses(edge.command).reads, &mut before);
                }
                for (now, before) in now.iter_mut().zip(before) {
                    *now |= before;
                }
            }
            if live[at] != now {
                live[at] = now;
                grown = true;
            }
        }
        if !grown {
            return live;
        }
    }
}

/// Whether the command, when it is executed, always writes the whole variable.
fn overwrites(command: &Command, variable: &Variable) -> bool {
    let is_it = |place: &Place| {
        place.region == Region::Local
            && place.indices.is_empty()
            && variable.count.is_none()
            && place.offset == variable.offset
            && place.scalar == variable.scalar
    };
    debug_assert!(variable.offset >= FRAME_HEADER);
    match &command.action {
        Action::Assign(assign) => is_it(&assign.target),
        Action::Receive(receive) => {
            receive.args.iter().any(|arg| matches!(arg, ReceiveArg::Store(place) if is_it(place)))
        }
        Action::Transition(transition) => {
            transition.effects.iter().any(|assign| is_it(&assign.target))
                || matches!(&transition.sync,
                    Some(Sync::Accept { targets, .. } | Sync::Take { targets, .. })
                    if targets.iter().any(is_it))
        }
        _ => false,
    }
}
