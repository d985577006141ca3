//! Commands: what a process can do at a control point.

use lariat_syntax::diagnostics::Span;

use super::{ExprId, Place, Transition};

/// Names a command of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct CommandId(pub u32);

/// The number of a control point in its proctype. 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct LocationId(pub u16);

/// A control point.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// In the order in which they are tried.
    pub edges: Vec<Edge>,
    pub labels: Vec<String>,
    /// A process may rest here for ever.
    pub is_end: bool,
    pub is_accept: bool,
    pub is_progress: bool,
    /// While a process is here, only such processes may move.
    pub is_committed: bool,
    /// What holds in every state in which a process is here.
    pub asserts: Vec<ExprId>,
    /// Bytes of the frame, from and to, that are not read any more: 0 in every state in which
    /// a process is here. Empty in a model as it was given.
    pub dead: Vec<(u32, u32)>,
    pub span: Option<Span>,
}

/// A command that can be taken at a control point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub command: CommandId,
    /// Commands of an `unless` escape come first, each group with its own number; if one of a
    /// group is executable, edges of other groups are not tried. 0 is no escape.
    pub escape: u16,
}

/// A guarded command.
#[derive(Clone, Debug)]
pub struct Command {
    pub action: Action,
    /// Where the process goes; unused by [`Action::End`].
    pub target: LocationId,
    /// The process keeps control: the state behind this step is not a state of the model
    /// unless the process is blocked there.
    pub atomic: bool,
    pub span: Span,
    /// As the user wrote it, for traces.
    pub text: String,
    /// Statement made by the translation (`goto`, joins, process end), of no interest for
    /// coverage.
    pub is_silent: bool,
}

/// What a command tests and does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Always executable, no effect: `skip`, `goto`.
    Skip,
    /// Executable if nothing else is at this control point.
    Else,
    /// Executable if not 0.
    Guard(ExprId),
    Assign(Assign),
    Send(Box<Send>),
    Receive(Box<Receive>),
    Assert(ExprId),
    Print(Box<Print>),
    SetPriority {
        pid: ExprId,
        value: ExprId,
    },
    /// Sets the priority of the process itself.
    OwnPriority(ExprId),
    /// A deterministic sequence as one step.
    DStep(DStepId),
    /// Guard, handshake and assignments as one step.
    Transition(Box<Transition>),
    /// The process ends; executable if it is the youngest.
    End,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assign {
    pub target: Place,
    pub value: ExprId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Send {
    pub channel: ExprId,
    /// Inserts in ascending order.
    pub sorted: bool,
    pub args: Vec<ExprId>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receive {
    pub channel: ExprId,
    /// The first message that matches, not only the oldest.
    pub random: bool,
    /// Leaves the message in the channel.
    pub peek: bool,
    pub args: Vec<ReceiveArg>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReceiveArg {
    /// The field must have this value.
    Match(ExprId),
    Store(Place),
    Ignore,
}

impl ReceiveArg {
    pub fn pattern(&self) -> Option<ExprId> {
        match self {
            ReceiveArg::Match(value) => Some(*value),
            ReceiveArg::Store(_) | ReceiveArg::Ignore => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Print {
    /// Escapes resolved; conversions `%d %c %e %u %x %o` as in the source.
    pub format: String,
    pub args: Vec<ExprId>,
    /// The mtype set of each argument, for `%e`.
    pub mtypes: Vec<Option<String>>,
}

/// Names a `d_step` of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DStepId(pub u32);

/// Names a node of a [`DStep`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub u32);

/// The program of a `d_step`.
#[derive(Clone, Debug)]
pub struct DStep {
    /// The step is executable if one of these is; always if there are none.
    pub guards: Vec<Action>,
    pub nodes: Vec<DStepNode>,
    pub entry: NodeId,
}

#[derive(Clone, Debug)]
pub enum DStepNode {
    /// Blocking here is an error.
    Do {
        action: Action,
        next: NodeId,
        span: Span,
        text: String,
    },
    /// The first option whose first action is executable is taken; an option that starts with
    /// a choice of its own always is.
    Select {
        options: Vec<NodeId>,
        span: Span,
    },
    Exit,
}
