//! What native code does by itself. Commands and expressions that are not named here are left
//! to the interpreter, state by state.

use lariat_model::ir::{
    Action, DStepNode, Expr, ExprId, Init, Model, Place, Receive, ReceiveArg, Region, Run,
};

use crate::facts::run_of;

/// More elements are not initialised by unrolled code.
pub(crate) const MAX_FILL: u32 = 64;
/// Fields of a message that a rendezvous passes.
pub(crate) const MAX_FIELDS: usize = 64;

pub(crate) fn expr(model: &Model, root: ExprId) -> bool {
    !model.exprs.any(root, |node| match node {
        Expr::Run(_) | Expr::Enabled(_) => true,
        Expr::Var(region, ..) => *region == Region::Nothing,
        Expr::Load(place) => place.region == Region::Nothing,
        Expr::Remote(remote) => remote.place.region != Region::Local,
        _ => false,
    })
}

pub(crate) fn place(model: &Model, place: &Place) -> bool {
    place.indices.iter().all(|index| expr(model, index.value))
}

pub(crate) fn action(model: &Model, action: &Action) -> bool {
    if let Some(run) = run_of(model, action) {
        let target_is_fine = match action {
            Action::Assign(assign) => place(model, &assign.target),
            _ => true,
        };
        return target_is_fine && starts(model, run);
    }
    match action {
        Action::Skip | Action::Else | Action::End => true,
        Action::Guard(value) | Action::Assert(value) => expr(model, *value),
        Action::Assign(assign) => expr(model, assign.value) && place(model, &assign.target),
        Action::Print(print) => print.args.iter().all(|&arg| expr(model, arg)),
        Action::Send(send) => {
            !send.sorted
                && send.args.len() <= MAX_FIELDS
                && expr(model, send.channel)
                && send.args.iter().all(|&arg| expr(model, arg))
        }
        Action::Receive(receive) => {
            expr(model, receive.channel)
                && receive.args.iter().all(|arg| match arg {
                    ReceiveArg::Match(value) => expr(model, *value),
                    ReceiveArg::Store(target) => place(model, target),
                    ReceiveArg::Ignore => true,
                })
        }
        Action::DStep(id) => {
            let program = &model.d_steps[id.0 as usize];
            program.guards.iter().all(|guard| is_plain(model, guard))
                && program.nodes.iter().all(|node| match node {
                    DStepNode::Do { action, .. } => is_plain(model, action),
                    DStepNode::Select { .. } | DStepNode::Exit => true,
                })
        }
        Action::SetPriority { pid, value } => expr(model, *pid) && expr(model, *value),
        Action::OwnPriority(value) => expr(model, *value),
        Action::Transition(_) => false,
    }
}

/// Whether it can be said if an action could be executed.
pub(crate) fn condition(model: &Model, action: &Action) -> bool {
    match action {
        Action::Guard(value) => run_of(model, action).is_some() || expr(model, *value),
        Action::Send(send) => expr(model, send.channel),
        Action::Receive(receive) => receives(model, receive),
        Action::DStep(id) => {
            let guards = &model.d_steps[id.0 as usize].guards;
            guards.iter().all(|guard| run_of(model, guard).is_none() && condition(model, guard))
        }
        _ => true,
    }
}

/// Whether it can be said if a receive could be executed.
pub(crate) fn receives(model: &Model, receive: &Receive) -> bool {
    let mut patterns = receive.args.iter().filter_map(ReceiveArg::pattern);
    expr(model, receive.channel) && patterns.all(|pattern| expr(model, pattern))
}

/// Neither a program of its own, nor does it start or end a process.
fn is_plain(model: &Model, inner: &Action) -> bool {
    !matches!(inner, Action::DStep(_) | Action::End)
        && run_of(model, inner).is_none()
        && action(model, inner)
}

fn starts(model: &Model, run: &Run) -> bool {
    run.args.iter().all(|&arg| expr(model, arg))
        && model.proctype(run.proctype).inits.iter().all(|init| match init {
            Init::Fill { place, count, value } => {
                place.region == Region::Local
                    && expr(model, *value)
                    && (*count <= MAX_FILL || matches!(model.exprs.get(*value), Expr::Const(0)))
            }
            Init::Channels { place, count, .. } => {
                place.region == Region::Local && *count <= MAX_FILL
            }
        })
}
