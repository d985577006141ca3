//! What a command reads and writes, for reduction, dead variables and incremental hashing.
//!
//! The sets are safe over-approximations: an array element with a computed index stands for
//! the whole array, a channel found through a variable for all channels.

use super::transition::Sync;
use super::{
    Action, CommandId, DStepNode, Expr, ExprId, Model, Place, ReceiveArg, Region, Transition,
};

/// A part of the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Access {
    /// Bytes of the globals.
    Global {
        start: u32,
        end: u32,
    },
    /// Bytes of the frame of the process itself.
    Local {
        start: u32,
        end: u32,
    },
    Hidden {
        start: u32,
        end: u32,
    },
    /// Contents of channels.
    Channels,
    /// Which processes exist, and all of their frames.
    Processes,
    /// Whether anything else can move (`timeout`, `enabled`): depends on everything.
    Everything,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AccessSet {
    pub reads: Vec<Access>,
    pub writes: Vec<Access>,
}

impl AccessSet {
    /// Touches nothing but the process's own frame.
    pub fn is_local(&self) -> bool {
        self.reads.iter().chain(&self.writes).all(|access| matches!(access, Access::Local { .. }))
    }

    fn finish(mut self) -> AccessSet {
        for list in [&mut self.reads, &mut self.writes] {
            list.sort_unstable();
            list.dedup();
        }
        self
    }

    fn read_place(&mut self, model: &Model, place: &Place) {
        self.reads.extend(span_of(place));
        for index in &place.indices {
            self.read(model, index.value);
        }
    }

    fn write_place(&mut self, model: &Model, place: &Place) {
        self.writes.extend(span_of(place));
        for index in &place.indices {
            self.read(model, index.value);
        }
    }

    fn read(&mut self, model: &Model, expr: ExprId) {
        model.exprs.walk(expr, &mut |_, node| match node {
            Expr::Var(region, offset, scalar) => {
                self.reads.extend(span_of(&Place::simple(*region, *offset, *scalar)));
            }
            Expr::Load(place) => self.reads.extend(span_of(place)),
            Expr::Len(_) | Expr::Probe(..) | Expr::Poll(_) => self.reads.push(Access::Channels),
            Expr::NrProcesses
            | Expr::Last
            | Expr::NonProgress
            | Expr::AtAccept
            | Expr::PcValue(_)
            | Expr::GetPriority(_)
            | Expr::At(_)
            | Expr::Remote(_) => self.reads.push(Access::Processes),
            Expr::Run(_) => {
                self.reads.push(Access::Processes);
                self.writes.push(Access::Processes);
                self.writes.push(Access::Channels);
            }
            Expr::Timeout | Expr::Enabled(_) => self.reads.push(Access::Everything),
            Expr::Const(_)
            | Expr::Table(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(..)
            | Expr::Pid
            | Expr::Priority => {}
        });
    }

    fn act(&mut self, model: &Model, action: &Action) {
        match action {
            Action::Skip => {}
            Action::Else => self.reads.push(Access::Everything),
            Action::Guard(value) | Action::Assert(value) | Action::OwnPriority(value) => {
                self.read(model, *value);
            }
            Action::Assign(assign) => {
                self.read(model, assign.value);
                self.write_place(model, &assign.target);
            }
            Action::Send(send) => {
                self.read(model, send.channel);
                send.args.iter().for_each(|&arg| self.read(model, arg));
                self.reads.push(Access::Channels);
                self.writes.push(Access::Channels);
            }
            Action::Receive(receive) => {
                self.read(model, receive.channel);
                self.reads.push(Access::Channels);
                if !receive.peek {
                    self.writes.push(Access::Channels);
                }
                for arg in &receive.args {
                    match arg {
                        ReceiveArg::Match(value) => self.read(model, *value),
                        ReceiveArg::Store(place) => self.write_place(model, place),
                        ReceiveArg::Ignore => {}
                    }
                }
            }
            Action::Print(print) => print.args.iter().for_each(|&arg| self.read(model, arg)),
            Action::SetPriority { pid, value } => {
                self.read(model, *pid);
                self.read(model, *value);
                self.writes.push(Access::Processes);
            }
            Action::DStep(id) => {
                let program = &model.d_steps[id.0 as usize];
                program.guards.iter().for_each(|guard| self.act(model, guard));
                for node in &program.nodes {
                    if let DStepNode::Do { action, .. } = node {
                        self.act(model, action);
                    }
                }
            }
            Action::Transition(transition) => self.transit(model, transition),
            Action::End => {
                self.reads.push(Access::Processes);
                self.writes.push(Access::Processes);
                self.writes.push(Access::Channels);
            }
        }
    }

    /// A handshake counts as an access to the channels: what one partner does depends on the
    /// other.
    fn transit(&mut self, model: &Model, transition: &Transition) {
        transition.guard.iter().for_each(|&guard| self.read(model, guard));
        for assign in &transition.effects {
            self.read(model, assign.value);
            self.write_place(model, &assign.target);
        }
        let Some(sync) = &transition.sync else { return };
        self.reads.push(Access::Channels);
        self.writes.push(Access::Channels);
        match sync {
            Sync::Offer { values, .. } => {
                values.iter().for_each(|offered| self.read(model, offered.value));
            }
            Sync::Put { values, .. } => {
                values.iter().for_each(|&value| self.read(model, value));
            }
            Sync::Accept { targets, .. } | Sync::Take { targets, .. } => {
                targets.iter().for_each(|place| self.write_place(model, place));
            }
        }
    }
}

/// The bytes that a place may mean; all of the array if an index is computed.
fn span_of(place: &Place) -> Option<Access> {
    let reach: u32 = place.indices.iter().map(|index| (index.count - 1) * index.stride).sum();
    let (start, end) = (place.offset, place.offset + reach + place.scalar.size());
    Some(match place.region {
        Region::Global => Access::Global { start, end },
        Region::Local => Access::Local { start, end },
        Region::Hidden => Access::Hidden { start, end },
        Region::Nothing => return None,
    })
}

impl Model {
    /// What a command reads and writes. The control point of the process is left out.
    pub fn accesses(&self, id: CommandId) -> AccessSet {
        let mut set = AccessSet::default();
        set.act(self, &self.command(id).action);
        set.finish()
    }

    /// The same of an action that is no command yet.
    pub(crate) fn action_accesses(&self, action: &Action) -> AccessSet {
        let mut set = AccessSet::default();
        set.act(self, action);
        set.finish()
    }

    /// What an expression reads.
    pub fn expr_accesses(&self, expr: ExprId) -> AccessSet {
        let mut set = AccessSet::default();
        set.read(self, expr);
        set.finish()
    }

    /// What a receive or assignment target reads besides writing it.
    pub fn place_accesses(&self, place: &Place) -> AccessSet {
        let mut set = AccessSet::default();
        set.read_place(self, place);
        set.finish()
    }
}
