//! What a command reads, writes and depends on, as parts of the state.

use std::fmt;

use super::outside::shortest_frame;
use super::touch::{self, Cells, ChannelUse, Phase, Touch};
use crate::ir::{Action, CommandId, ExprId, Model, Place, Region};

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
    /// Bytes of the frame of another process.
    Remote {
        start: u32,
        end: u32,
    },
    /// Contents of channels.
    Channels,
    /// Which processes exist.
    Processes,
    /// Where other processes are: who waits for a message, who is committed. Every command
    /// writes this, as its process moves.
    Controls,
    Priorities,
    /// Who moved last.
    Last,
    /// The control point of the event trace.
    Trace,
    /// Whether anything else can move (`timeout`, `enabled`): depends on everything.
    Everything,
}

impl Access {
    /// Whether what one command writes may be what a command of another process looks at.
    fn meets(self, looked_at: Access) -> bool {
        let overlap = |one: (u32, u32), other: (u32, u32)| one.0 < other.1 && other.0 < one.1;
        match (self, looked_at) {
            (Access::Everything, _) | (_, Access::Everything) => true,
            (Access::Global { start, end }, Access::Global { start: from, end: to })
            | (Access::Hidden { start, end }, Access::Hidden { start: from, end: to })
            | (Access::Local { start, end }, Access::Remote { start: from, end: to }) => {
                overlap((start, end), (from, to))
            }
            // Two processes have two frames.
            (Access::Local { .. }, Access::Local { .. }) => false,
            (one, other) => one == other,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AccessSet {
    pub reads: Vec<Access>,
    pub writes: Vec<Access>,
    /// Those of the reads that decide whether the command can be executed.
    pub condition: Vec<Access>,
}

impl AccessSet {
    /// Whether a step of this command may change what a command of another process looks at:
    /// with the [enabling set](Model::enabling) of that one, whether it may enable or disable it.
    pub fn may_change(&self, looked_at: &[Access]) -> bool {
        let mut writes = self.writes.iter().copied().chain([Access::Controls]);
        writes.any(|written| looked_at.iter().any(|&other| written.meets(other)))
    }

    pub(super) fn add(&mut self, model: &Model, phase: Phase, touch: Touch<'_>) {
        let mut read = |access: Access| {
            self.reads.push(access);
            if phase == Phase::Condition {
                self.condition.push(access);
            }
        };
        match touch {
            Touch::Read(cells) => {
                if let Some(access) = of_cells(cells) {
                    read(access);
                }
            }
            Touch::Write(cells) => self.writes.extend(of_cells(cells)),
            Touch::Channel(_, how) | Touch::Queue(_, how) => {
                read(Access::Channels);
                match how {
                    ChannelUse::Send | ChannelUse::SortedSend | ChannelUse::Receive => {
                        self.writes.push(Access::Channels);
                        if model.trace.is_some() {
                            self.reads.push(Access::Trace);
                            self.writes.push(Access::Trace);
                        }
                    }
                    ChannelUse::Peek | ChannelUse::Test => {}
                }
            }
            // What one partner does depends on the other.
            Touch::Offer(_) | Touch::Accept(_) => {
                read(Access::Channels);
                read(Access::Controls);
                self.writes.push(Access::Channels);
            }
            Touch::RemoteVariable(instance, cells) => {
                let (start, end) = cells.span();
                read(Access::Processes);
                // A pid is not asked for its type: behind a shorter frame lies something else.
                match instance.pid.is_some() && end > shortest_frame(model) {
                    true => read(Access::Everything),
                    false => read(Access::Remote { start, end }),
                }
            }
            Touch::RemoteControl(_) | Touch::ControlOf(_) | Touch::AllControls => {
                read(Access::Processes);
                read(Access::Controls);
            }
            Touch::ProcessCount => read(Access::Processes),
            Touch::Last => read(Access::Last),
            Touch::OwnPriority => read(Access::Priorities),
            Touch::PriorityOf(_) => {
                read(Access::Processes);
                read(Access::Priorities);
            }
            Touch::SetOwnPriority => self.writes.push(Access::Priorities),
            Touch::SetPriorityOf(_) => {
                self.reads.push(Access::Processes);
                self.writes.push(Access::Priorities);
            }
            Touch::Else | Touch::Timeout | Touch::Enabled(_) => read(Access::Everything),
            Touch::Start(_) | Touch::End => {
                read(Access::Processes);
                self.writes.push(Access::Processes);
                self.writes.push(Access::Channels);
            }
        }
    }

    fn finish(mut self) -> AccessSet {
        for list in [&mut self.reads, &mut self.writes, &mut self.condition] {
            list.sort_unstable();
            list.dedup();
        }
        self
    }
}

/// The bytes that a variable may mean; all of the array if an index is computed.
fn of_cells(cells: Cells<'_>) -> Option<Access> {
    let (start, end) = cells.span();
    Some(match cells.region {
        Region::Global => Access::Global { start, end },
        Region::Local => Access::Local { start, end },
        Region::Hidden => Access::Hidden { start, end },
        Region::Nothing => return None,
    })
}

impl Model {
    /// What a command reads and writes. The control point of the process is left out.
    pub fn accesses(&self, id: CommandId) -> AccessSet {
        let mut set = self.action_accesses(&self.command(id).action);
        if self.uses.last {
            set.writes.push(Access::Last);
        }
        set.finish()
    }

    /// The same of an action that is no command yet.
    pub(crate) fn action_accesses(&self, action: &Action) -> AccessSet {
        let mut set = AccessSet::default();
        touch::of_action(self, action, &mut |phase, touch| set.add(self, phase, touch));
        set.finish()
    }

    /// What an expression reads.
    pub fn expr_accesses(&self, expr: ExprId) -> AccessSet {
        let mut set = AccessSet::default();
        let visit = &mut |phase, touch: Touch<'_>| set.add(self, phase, touch);
        touch::of_expr(self, expr, Phase::Condition, visit);
        set.finish()
    }
}

impl Place {
    /// The part of the state that the place may mean, without its subscripts.
    pub fn access(&self) -> Option<Access> {
        of_cells(self.into())
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Access::Global { start, end } => write!(f, "global[{start}..{end}]"),
            Access::Local { start, end } => write!(f, "local[{start}..{end}]"),
            Access::Hidden { start, end } => write!(f, "hidden[{start}..{end}]"),
            Access::Remote { start, end } => write!(f, "remote[{start}..{end}]"),
            Access::Channels => write!(f, "channels"),
            Access::Processes => write!(f, "processes"),
            Access::Controls => write!(f, "controls"),
            Access::Priorities => write!(f, "priorities"),
            Access::Last => write!(f, "last"),
            Access::Trace => write!(f, "trace"),
            Access::Everything => write!(f, "everything"),
        }
    }
}
