//! Slicing: what no guard, no message, no assertion and no property depends on is not
//! computed. Spin calls the simplest case write-only variables (`-o2`).
//!
//! A byte of the state is *relevant* if an expression reads it whose value decides something:
//! whether a command is executable, what is sent, where something is stored, whether a
//! property holds. What is assigned to a relevant byte makes the bytes that the value is
//! computed from relevant. All other assignments become steps without effect: the control
//! graph stays, and two states that differ in irrelevant bytes only have the same futures.

use lariat_core::makes_mistake;

use super::range::{always_fits, is_harmless, is_harmless_place};
use crate::analysis::{Bytes, OutsideReads, read_from_outside};
use crate::ir::transition::Discipline;
use crate::ir::{
    Action, Assign, CommandId, ExprId, Init, Model, Place, ProctypeId, ReceiveArg, Scalar,
};

/// Drops irrelevant assignments; how many. `visible` are the expressions of the property.
pub(super) fn slice(model: &mut Model, visible: &[ExprId]) -> usize {
    let Some(outside) = read_from_outside(model) else { return 0 };
    let relevant = relevant(model, visible, &outside);
    let mut dropped = 0;
    for (proctype, command) in owners(model) {
        let action = model.command(command).action.clone();
        let sliced = without_irrelevant(model, &action, proctype, &relevant);
        if sliced != action {
            model.commands[command.0 as usize].action = sliced;
            dropped += 1;
        }
    }
    dropped
}

/// Each command with the proctype whose frame is local to it.
fn owners(model: &Model) -> Vec<(ProctypeId, CommandId)> {
    let mut owners = Vec::new();
    for (at, proctype) in model.proctypes.iter().enumerate() {
        let edges = proctype.locations.iter().flat_map(|location| &location.edges);
        owners.extend(edges.map(|edge| (ProctypeId(at as u8), edge.command)));
    }
    owners.sort_unstable();
    owners.dedup();
    owners
}

fn relevant(model: &Model, visible: &[ExprId], outside: &OutsideReads) -> Bytes {
    let mut relevant = Bytes::none(model);
    let read = |relevant: &mut Bytes, expr: ExprId, of: Option<ProctypeId>| {
        for access in model.expr_accesses(expr).reads {
            relevant.add(access, of);
        }
    };
    for &expr in visible {
        read(&mut relevant, expr, None);
    }
    for (start, end) in outside.ranges() {
        for frame in &mut relevant.frames {
            let end = frame.len().min(end);
            frame[start.min(end)..end].fill(true);
        }
    }
    if let Some(trace) = &model.trace {
        let watched = trace.sends.iter().chain(&trace.receives);
        watched.for_each(|&channel| read(&mut relevant, channel, None));
    }
    for (at, proctype) in model.proctypes.iter().enumerate() {
        let of = Some(ProctypeId(at as u8));
        proctype.provided.iter().for_each(|&expr| read(&mut relevant, expr, of));
        let asserts = proctype.locations.iter().flat_map(|location| &location.asserts);
        asserts.for_each(|&expr| read(&mut relevant, expr, of));
        for init in &proctype.inits {
            if let Init::Fill { value, .. } = init {
                read(&mut relevant, *value, of);
            }
        }
    }
    let owners = owners(model);
    // What a command reads is relevant whatever becomes of it, but for assignments.
    for &(proctype, command) in &owners {
        let mut action = model.command(command).action.clone();
        if let Action::Transition(transition) = &mut action {
            transition.effects.retain(|assign| !is_droppable(model, assign));
        }
        let droppable = match &action {
            Action::Assign(assign) => is_droppable(model, assign),
            Action::Print(print) => print.args.iter().all(|&arg| is_harmless(model, arg)),
            Action::Send(_) => makes_mistake("slice-messages"),
            _ => false,
        };
        if !droppable {
            let accesses = model.action_accesses(&action);
            // Where one writer of a variable must stay, so must the others: each would leave
            // the value of another behind, and that makes more states, not fewer.
            let writes = accesses.writes.iter().filter(|_| !matches!(action, Action::Receive(_)));
            for &access in accesses.reads.iter().chain(writes) {
                relevant.add(access, Some(proctype));
            }
        }
    }
    for (proctype, relevant) in model.proctypes.iter().zip(&mut relevant.frames) {
        for parameter in &proctype.variables[..proctype.params] {
            let end = parameter.offset + parameter.scalar.size();
            relevant[parameter.offset as usize..end as usize].fill(true);
        }
    }
    // What relevant bytes are computed from is relevant.
    loop {
        let mut grown = false;
        for &(proctype, command) in &owners {
            let assigns: &[Assign] = match &model.command(command).action {
                Action::Assign(assign) => std::slice::from_ref(assign),
                Action::Transition(transition) => &transition.effects,
                _ => &[],
            };
            for assign in assigns {
                let accesses = model.action_accesses(&Action::Assign(assign.clone()));
                let of = Some(proctype);
                if accesses.writes.iter().any(|&write| relevant.touches(write, of)) {
                    for access in accesses.reads {
                        grown |= relevant.add(access, of);
                    }
                }
            }
        }
        if !grown {
            return relevant;
        }
    }
}

/// The assignment can be left out if nobody needs its result: it cannot go wrong, and starts
/// no process. In DVE a value that does not fit is a fault.
fn is_droppable(model: &Model, assign: &Assign) -> bool {
    let fits = |scalar: Scalar| {
        model.discipline == Discipline::Spin || always_fits(model, assign.value, scalar)
    };
    is_harmless(model, assign.value)
        && is_harmless_place(model, &assign.target)
        && fits(assign.target.scalar)
        && is_variable(&assign.target)
}

/// A place inside the state.
fn is_variable(place: &Place) -> bool {
    use crate::ir::Region;
    matches!(place.region, Region::Global | Region::Local)
}

fn without_irrelevant(
    model: &Model,
    action: &Action,
    proctype: ProctypeId,
    relevant: &Bytes,
) -> Action {
    let is_irrelevant = |place: &Place| {
        is_variable(place)
            && is_harmless_place(model, place)
            && !place.access().is_some_and(|access| relevant.touches(access, Some(proctype)))
    };
    let is_idle = |assign: &Assign| is_droppable(model, assign) && is_irrelevant(&assign.target);
    match action {
        Action::Assign(assign) if is_idle(assign) => Action::Skip,
        Action::Transition(transition) => {
            let mut transition = transition.clone();
            transition.effects.retain(|assign| !is_idle(assign));
            Action::Transition(transition)
        }
        Action::Receive(receive) => {
            let mut receive = receive.clone();
            for arg in &mut receive.args {
                if matches!(arg, ReceiveArg::Store(place) if is_irrelevant(place)) {
                    *arg = ReceiveArg::Ignore;
                }
            }
            Action::Receive(receive)
        }
        other => other.clone(),
    }
}
