//! Everything that an expression or an action looks at or changes, piece by piece.
//!
//! These two `match`es, over [`Expr`] and over [`Action`], have no default: a new construct does
//! not compile until somebody has said here what it touches. All other questions are answered
//! from what they report.

use crate::ir::expr::Instance;
use crate::ir::transition::{Queue, Sync, Transition};
use crate::ir::{
    Action, DStepNode, Expr, ExprId, Index, Init, Model, Place, ReceiveArg, Region, Run, Scalar,
};

/// A variable, or the elements of an array that its subscripts may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cells<'m> {
    pub region: Region,
    pub offset: u32,
    pub scalar: Scalar,
    pub indices: &'m [Index],
}

impl Cells<'_> {
    /// The bytes of the region, from and to: all of an array, whatever the subscripts are.
    pub fn span(&self) -> (u32, u32) {
        let reach: u32 = self.indices.iter().map(|index| (index.count - 1) * index.stride).sum();
        (self.offset, self.offset + reach + self.scalar.size())
    }
}

impl<'m> From<&'m Place> for Cells<'m> {
    fn from(place: &'m Place) -> Self {
        let Place { region, offset, scalar, ref indices } = *place;
        Cells { region, offset, scalar, indices }
    }
}

/// What is done with a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelUse {
    Send,
    /// Where the message goes depends on the others.
    SortedSend,
    /// By the oldest message or by any that matches.
    Receive,
    /// Looks at a message and leaves it.
    Peek,
    /// `len`, `full` and the like, `c?[…]`.
    Test,
}

/// One thing that is looked at or changed.
#[derive(Clone, Copy, Debug)]
pub enum Touch<'m> {
    Read(Cells<'m>),
    Write(Cells<'m>),
    /// A channel by the value of an expression, which is reported, too.
    Channel(ExprId, ChannelUse),
    /// A queue of DVE.
    Queue(Queue, ChannelUse),
    /// A side of a rendezvous of DVE. The other side is a command of another process.
    Offer(u16),
    Accept(u16),
    /// A variable of another process, and its control point.
    RemoteVariable(&'m Instance, Cells<'m>),
    RemoteControl(&'m Instance),
    /// The control point of the process with this pid.
    ControlOf(ExprId),
    /// The control points of all processes.
    AllControls,
    /// How many processes there are.
    ProcessCount,
    /// Who moved last.
    Last,
    OwnPriority,
    PriorityOf(ExprId),
    SetOwnPriority,
    SetPriorityOf(ExprId),
    /// Whether another command of the control point can be executed.
    Else,
    /// Whether anything else can be executed at all.
    Timeout,
    /// Whether the process with this pid can move.
    Enabled(ExprId),
    /// A process begins. What its initialisers touch outside its own frame is reported, too.
    Start(&'m Run),
    /// The process ends.
    End,
}

/// What something is touched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It decides whether the command can be executed.
    Condition,
    /// Only what the command does then depends on it, or is done to it.
    Effect,
}

type Visit<'v, 'm> = &'v mut dyn FnMut(Phase, Touch<'m>);

/// Reports what an expression touches. Branches that are not evaluated count.
pub fn of_expr<'m>(model: &'m Model, root: ExprId, phase: Phase, visit: Visit<'_, 'm>) {
    model.exprs.walk(root, &mut |_, node| match node {
        &Expr::Var(region, offset, scalar) => {
            visit(phase, Touch::Read(Cells { region, offset, scalar, indices: &[] }));
        }
        // Subscripts and other operands are nodes of their own.
        Expr::Load(place) => visit(phase, Touch::Read(Cells::from(&**place))),
        Expr::Len(channel) | Expr::Probe(_, channel) => {
            visit(phase, Touch::Channel(*channel, ChannelUse::Test));
        }
        Expr::Poll(poll) => visit(phase, Touch::Channel(poll.channel, ChannelUse::Test)),
        Expr::NrProcesses => visit(phase, Touch::ProcessCount),
        Expr::Last => visit(phase, Touch::Last),
        Expr::Priority => visit(phase, Touch::OwnPriority),
        Expr::GetPriority(pid) => visit(phase, Touch::PriorityOf(*pid)),
        Expr::NonProgress | Expr::AtAccept => visit(phase, Touch::AllControls),
        Expr::PcValue(pid) => visit(phase, Touch::ControlOf(*pid)),
        Expr::At(remote) => visit(phase, Touch::RemoteControl(&remote.instance)),
        Expr::Remote(remote) => {
            let cells = Cells::from(&remote.place);
            visit(phase, Touch::RemoteVariable(&remote.instance, cells));
        }
        Expr::Timeout => visit(phase, Touch::Timeout),
        Expr::Enabled(pid) => visit(phase, Touch::Enabled(*pid)),
        Expr::Run(run) => {
            visit(phase, Touch::Start(run));
            of_start(model, run, phase, visit);
        }
        Expr::Const(_)
        | Expr::Table(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Conditional(..)
        | Expr::Pid => {}
    });
}

/// What the initialisers of a new process touch; its own frame is new, so nobody has seen it.
fn of_start<'m>(model: &'m Model, run: &'m Run, phase: Phase, visit: Visit<'_, 'm>) {
    let is_own = |cells: &Cells<'_>| cells.region == Region::Local;
    for init in &model.proctype(run.proctype).inits {
        let (Init::Fill { place, count, .. } | Init::Channels { place, count, .. }) = init;
        if !is_own(&place.into()) {
            for element in 0..*count {
                let offset = place.offset + element * place.scalar.size();
                let cells = Cells { offset, ..Cells::from(place) };
                visit(Phase::Effect, Touch::Write(cells));
            }
        }
        if let Init::Fill { value, .. } = init {
            of_expr(model, *value, phase, &mut |phase, touch| match touch {
                Touch::Read(cells) if is_own(&cells) => {}
                touch => visit(phase, touch),
            });
        }
    }
}

/// Reports what an action touches, all of a `d_step` included. That the process leaves its
/// control point is not said.
pub fn of_action<'m>(model: &'m Model, action: &'m Action, visit: Visit<'_, 'm>) {
    use Phase::{Condition, Effect};
    match action {
        Action::Skip => {}
        Action::Else => visit(Condition, Touch::Else),
        Action::Guard(value) => of_expr(model, *value, Condition, visit),
        Action::Assert(value) => of_expr(model, *value, Effect, visit),
        Action::Assign(assign) => {
            of_expr(model, assign.value, Effect, visit);
            of_target(model, &assign.target, visit);
        }
        Action::Send(send) => {
            of_expr(model, send.channel, Condition, visit);
            // Whether somebody receives by a rendezvous may depend on the message.
            send.args.iter().for_each(|&arg| of_expr(model, arg, Condition, visit));
            let how = if send.sorted { ChannelUse::SortedSend } else { ChannelUse::Send };
            visit(Condition, Touch::Channel(send.channel, how));
        }
        Action::Receive(receive) => {
            of_expr(model, receive.channel, Condition, visit);
            let how = if receive.peek { ChannelUse::Peek } else { ChannelUse::Receive };
            visit(Condition, Touch::Channel(receive.channel, how));
            for arg in &receive.args {
                match arg {
                    ReceiveArg::Match(value) => of_expr(model, *value, Condition, visit),
                    ReceiveArg::Store(place) => of_target(model, place, visit),
                    ReceiveArg::Ignore => {}
                }
            }
        }
        Action::Print(print) => {
            print.args.iter().for_each(|&arg| of_expr(model, arg, Effect, visit));
        }
        Action::SetPriority { pid, value } => {
            of_expr(model, *pid, Effect, visit);
            of_expr(model, *value, Effect, visit);
            visit(Effect, Touch::SetPriorityOf(*pid));
        }
        Action::OwnPriority(value) => {
            of_expr(model, *value, Effect, visit);
            visit(Effect, Touch::SetOwnPriority);
        }
        Action::DStep(id) => {
            let program = &model.d_steps[id.0 as usize];
            // A guard is only tested: what it would do is done by a node.
            for guard in &program.guards {
                of_action(model, guard, visit);
            }
            for node in &program.nodes {
                match node {
                    DStepNode::Do { action, .. } => {
                        of_action(model, action, &mut |_, touch| visit(Effect, touch));
                    }
                    // Options are nodes of their own.
                    DStepNode::Select { .. } | DStepNode::Exit => {}
                }
            }
        }
        Action::Transition(transition) => of_transition(model, transition, visit),
        Action::End => visit(Condition, Touch::End),
    }
}

fn of_transition<'m>(model: &'m Model, transition: &'m Transition, visit: Visit<'_, 'm>) {
    use Phase::{Condition, Effect};
    let Transition { guard, sync, effects, writes: _ } = transition;
    guard.iter().for_each(|&guard| of_expr(model, guard, Condition, visit));
    for assign in effects {
        of_expr(model, assign.value, Effect, visit);
        of_target(model, &assign.target, visit);
    }
    match sync {
        None => {}
        Some(Sync::Offer { channel, values }) => {
            visit(Condition, Touch::Offer(*channel));
            values.iter().for_each(|offered| of_expr(model, offered.value, Effect, visit));
        }
        Some(Sync::Accept { channel, targets }) => {
            visit(Condition, Touch::Accept(*channel));
            targets.iter().for_each(|place| of_target(model, place, visit));
        }
        Some(Sync::Put { queue, values }) => {
            visit(Condition, Touch::Queue(*queue, ChannelUse::Send));
            values.iter().for_each(|&value| of_expr(model, value, Effect, visit));
        }
        Some(Sync::Take { queue, targets }) => {
            visit(Condition, Touch::Queue(*queue, ChannelUse::Receive));
            targets.iter().for_each(|place| of_target(model, place, visit));
        }
    }
}

fn of_target<'m>(model: &'m Model, place: &'m Place, visit: Visit<'_, 'm>) {
    place.indices.iter().for_each(|index| of_expr(model, index.value, Phase::Effect, visit));
    visit(Phase::Effect, Touch::Write(place.into()));
}
