//! Slicing: what no guard, no message, no assertion and no property depends on is not
//! computed. Spin calls the simplest case write-only variables (`-o2`).
//!
//! A byte of the state is *relevant* if an expression reads it whose value decides something:
//! whether a command is executable, what is sent, where something is stored, whether a
//! property holds. What is assigned to a relevant byte makes the bytes that the value is
//! computed from relevant. All other assignments become steps without effect: the control
//! graph stays, and two states that differ in irrelevant bytes only have the same futures.

//!
//! A `d_step` is looked at statement by statement. An assignment that may fail is still evaluated,
//! but what it assigns to an irrelevant byte is lost ([`Region::Nothing`]).

use lariat_core::makes_mistake;

use super::range::{always_fits, is_harmless, is_harmless_place};
use crate::analysis::{Access, Bytes, OutsideReads, read_from_outside};
use crate::ir::transition::Discipline;
use crate::ir::{
    Action, Assign, CommandId, DStepNode, ExprId, Init, Model, Place, ProctypeId, ReceiveArg,
    Region, Scalar,
};

/// Drops irrelevant assignments; how many commands compute less. `visible` are the expressions of
/// the property.
pub(super) fn slice(model: &mut Model, visible: &[ExprId]) -> usize {
    let Some(outside) = read_from_outside(model) else { return 0 };
    let relevant = relevant(model, visible, &outside);
    let mut dropped = 0;
    for (proctype, command) in owners(model) {
        let action = model.command(command).action.clone();
        let is_sliced = match &action {
            Action::DStep(id) => {
                let nodes = model.d_steps[id.0 as usize].nodes.clone();
                let sliced = nodes.iter().map(|node| slice_node(model, node, proctype, &relevant));
                let sliced: Vec<DStepNode> = sliced.collect();
                let is_sliced = action_of_nodes(&sliced).ne(action_of_nodes(&nodes));
                model.d_steps[id.0 as usize].nodes = sliced;
                is_sliced
            }
            action => {
                let sliced = without_irrelevant(model, action, proctype, &relevant);
                let is_sliced = sliced != *action;
                model.commands[command.0 as usize].action = sliced;
                is_sliced
            }
        };
        dropped += usize::from(is_sliced);
    }
    dropped
}

fn slice_node(model: &Model, node: &DStepNode, of: ProctypeId, relevant: &Bytes) -> DStepNode {
    let mut node = node.clone();
    if let DStepNode::Do { action, .. } = &mut node {
        *action = without_irrelevant(model, action, of, relevant);
    }
    node
}

fn action_of_nodes(nodes: &[DStepNode]) -> impl Iterator<Item = &Action> {
    nodes.iter().filter_map(|node| match node {
        DStepNode::Do { action, .. } => Some(action),
        DStepNode::Select { .. } | DStepNode::Exit => None,
    })
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
    // Statements, those inside a `d_step` by themselves.
    let mut statements: Vec<(ProctypeId, &Action)> = Vec::new();
    for (proctype, command) in owners(model) {
        let action = &model.command(command).action;
        if let Action::DStep(id) = action {
            let program = &model.d_steps[id.0 as usize];
            let ignored = makes_mistake("slice-d-step");
            let inside = action_of_nodes(&program.nodes)
                .filter(|inner| !(ignored && matches!(inner, Action::Guard(_))));
            statements.extend(inside.map(|inner| (proctype, inner)));
            // Guards are only tested.
            for guard in &program.guards {
                for access in model.action_accesses(guard).reads {
                    relevant.add(access, Some(proctype));
                }
            }
        } else {
            statements.push((proctype, action));
        }
    }
    for &(proctype, action) in &statements {
        for access in needed(model, action) {
            relevant.add(access, Some(proctype));
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
        for &(proctype, action) in &statements {
            let assigns: &[Assign] = match action {
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

/// What an action reads whatever becomes of its results, and what is written by others than
/// assignments and receives.
fn needed(model: &Model, action: &Action) -> Vec<Access> {
    let mut action = action.clone();
    let mut needed = Vec::new();
    let mut read_by = |assign: &Assign| {
        if !is_droppable(model, assign) {
            needed.extend(model.action_accesses(&Action::Assign(assign.clone())).reads);
        }
    };
    let is_idle = match &mut action {
        Action::Assign(assign) => {
            read_by(assign);
            true
        }
        Action::Transition(transition) => {
            transition.effects.drain(..).for_each(|assign| read_by(&assign));
            false
        }
        Action::Print(print) => print.args.iter().all(|&arg| is_harmless(model, arg)),
        Action::Send(_) => makes_mistake("slice-messages"),
        _ => false,
    };
    if !is_idle {
        let accesses = model.action_accesses(&action);
        let may_lose = matches!(action, Action::Receive(_));
        needed.extend(accesses.reads);
        needed.extend(accesses.writes.into_iter().filter(|_| !may_lose));
    }
    needed
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
    matches!(place.region, Region::Global | Region::Local)
}

fn without_irrelevant(model: &Model, action: &Action, of: ProctypeId, relevant: &Bytes) -> Action {
    let is_irrelevant = |place: &Place| {
        is_variable(place)
            && !place.access().is_some_and(|access| relevant.touches(access, Some(of)))
    };
    // It stays if it may fail, but its result is lost.
    let lose = |assign: &mut Assign| {
        if is_irrelevant(&assign.target) {
            assign.target.region = Region::Nothing;
        }
    };
    let is_idle = |assign: &Assign| is_irrelevant(&assign.target) && is_droppable(model, assign);
    let mut action = action.clone();
    match &mut action {
        Action::Assign(assign) if is_idle(assign) => return Action::Skip,
        Action::Assign(assign) => lose(assign),
        Action::Transition(transition) => {
            transition.effects.retain(|assign| !is_idle(assign));
            transition.effects.iter_mut().for_each(lose);
        }
        Action::Receive(receive) => {
            for arg in &mut receive.args {
                if let ReceiveArg::Store(place) = arg
                    && is_irrelevant(place)
                {
                    match is_harmless_place(model, place) {
                        true => *arg = ReceiveArg::Ignore,
                        false => place.region = Region::Nothing,
                    }
                }
            }
        }
        _ => {}
    }
    action
}
