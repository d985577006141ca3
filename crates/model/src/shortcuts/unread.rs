//! Global variables that nobody ever reads: what is assigned to them is lost, and they keep their
//! first value. Spin calls them write-only (`-o2` keeps them). Part of `dead`, which does the same
//! for variables of processes.
//!
//! Two states that differ in unread variables only have the same futures: no command and no
//! property can tell them apart. Values and subscripts that may fail are evaluated as before. A
//! variable that is read for its own sake only (`n++`) counts as read. So does a global that is
//! assigned to an unread variable: what is lost here is found again after a round or two of a loop.

use lariat_core::makes_mistake;

use super::range::{is_harmless, is_harmless_place};
use crate::analysis::{Access, Bytes};
use crate::ir::transition::Discipline;
use crate::ir::{Action, DStepNode, Expr, ExprId, Model, Place, ReceiveArg, Region};

/// Lets assignments to unread variables store nothing; how many there are.
pub(super) fn forget(model: &mut Model, visible: &[ExprId]) -> usize {
    // In DVE two partners must not assign to the same variable, read or not.
    if model.discipline != Discipline::Spin {
        return 0;
    }
    let read = read_anywhere(model, visible);
    let mut forgotten = 0;
    for at in 0..model.commands.len() {
        if let Some(action) = without_unread(model, &model.commands[at].action, &read) {
            model.commands[at].action = action;
            forgotten += 1;
        }
    }
    for program in 0..model.d_steps.len() {
        for at in 0..model.d_steps[program].nodes.len() {
            let lost = match &model.d_steps[program].nodes[at] {
                DStepNode::Do { action, .. } => without_unread(model, action, &read),
                DStepNode::Select { .. } | DStepNode::Exit => None,
            };
            if let Some(lost) = lost
                && let DStepNode::Do { action, .. } = &mut model.d_steps[program].nodes[at]
            {
                *action = lost;
                forgotten += 1;
            }
        }
    }
    forgotten
}

/// The action without its stores to unread variables, if it has some.
fn without_unread(model: &Model, action: &Action, read: &Bytes) -> Option<Action> {
    let is_unread = |place: &Place| {
        place.region == Region::Global
            && place.access().is_some_and(|access| !read.touches(access, None))
    };
    let mut action = action.clone();
    match &mut action {
        Action::Assign(assign) if is_unread(&assign.target) => {
            if is_harmless(model, assign.value) && is_harmless_place(model, &assign.target) {
                return Some(Action::Skip);
            }
            assign.target.region = Region::Nothing;
        }
        Action::Receive(receive) => {
            let mut places = receive.args.iter_mut().filter_map(|arg| match arg {
                ReceiveArg::Store(place) if is_unread(place) => Some(place),
                _ => None,
            });
            places.next()?.region = Region::Nothing;
            places.for_each(|place| place.region = Region::Nothing);
        }
        _ => return None,
    }
    Some(action)
}

/// Every node of every expression counts, the model's and the properties'.
fn read_anywhere(model: &Model, visible: &[ExprId]) -> Bytes {
    let mut read = Bytes::none(model);
    let mut skipped = vec![false; model.exprs.len()];
    if makes_mistake("unread-visible") {
        let mut skip = |id: ExprId, _: &Expr| skipped[id.0 as usize] = true;
        visible.iter().for_each(|&expr| model.exprs.walk(expr, &mut skip));
    }
    for id in (0..model.exprs.len() as u32).map(ExprId) {
        let access = match model.exprs.get(id) {
            _ if skipped[id.0 as usize] => None,
            &Expr::Var(region, offset, scalar) => Place::simple(region, offset, scalar).access(),
            Expr::Load(place) => place.access(),
            _ => None,
        };
        if let Some(access @ Access::Global { .. }) = access {
            read.add(access, None);
        }
    }
    read
}
