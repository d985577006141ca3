//! What is the same in all states: variables that no command writes, and the channels that such
//! variables name.

use super::access::Access;
use super::touch::Cells;
use crate::interp::{Fault, Interp};
use crate::ir::layout::{FRAME_PRIORITY, HEADER_SIZE};
use crate::ir::{
    Action, BinaryOp, ChannelTypeId, CommandId, DStepNode, Expr, ExprId, Init, Model, Proctype,
    ProctypeId, Region, Scalar,
};

/// By byte of the globals: whether a command that counts, or the start of a process, writes it.
/// The header is always written.
pub(crate) fn written_globals(model: &Model, counts: impl Fn(&Action) -> bool) -> Vec<bool> {
    let mut written = vec![false; model.globals_size as usize];
    let header = (HEADER_SIZE as usize).min(written.len());
    written[..header].fill(true);
    for (id, command) in model.commands.iter().enumerate() {
        if !counts(&command.action) {
            continue;
        }
        for access in model.accesses(CommandId(id as u32)).writes {
            if let Access::Global { start, end } = access {
                written[start as usize..end as usize].fill(true);
            }
        }
    }
    for init in model.proctypes.iter().flat_map(|proctype| &proctype.inits) {
        let (Init::Fill { place, count, .. } | Init::Channels { place, count, .. }) = init;
        if place.region == Region::Global {
            let start = place.offset as usize;
            written[start..start + (count * place.scalar.size()) as usize].fill(true);
        }
    }
    written
}

/// The constants of a model.
pub struct Constants<'m> {
    pub(super) model: &'m Model,
    /// The initial state: globals that nobody writes keep these values.
    initial: Vec<u8>,
    initial_hidden: Vec<u8>,
    written: Vec<bool>,
    channels: Vec<ChannelArray>,
    /// By proctype: local variables that no command writes, mostly parameters.
    locals: Vec<Vec<(u32, Scalar)>>,
    /// No command changes a priority.
    pub(super) keeps_priorities: bool,
}

/// Global channel variables with constant values, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct ChannelArray {
    /// Where the array starts and ends in the globals, and bytes of its elements.
    pub offset: u32,
    pub end: u32,
    pub element: u32,
    /// Id and position of its first channel.
    pub first_id: u32,
    pub first_base: u32,
    pub channel_type: ChannelTypeId,
}

impl<'m> Constants<'m> {
    /// The faults of the initialisers, if there is no initial state.
    pub fn of(model: &'m Model) -> Result<Self, Vec<Fault>> {
        let (initial, initial_hidden) = Interp::new(model).initial()?;
        let written = written_globals(model, |_| true);
        let locals = model.proctypes.iter().map(|proctype| unwritten(model, proctype)).collect();
        let channels = Vec::new();
        let in_d_steps = model.d_steps.iter().flat_map(|program| &program.nodes);
        let in_d_steps = in_d_steps.filter_map(|node| match node {
            DStepNode::Do { action, .. } => Some(action),
            DStepNode::Select { .. } | DStepNode::Exit => None,
        });
        let mut actions = model.commands.iter().map(|command| &command.action).chain(in_d_steps);
        let keeps_priorities = !actions
            .any(|action| matches!(action, Action::SetPriority { .. } | Action::OwnPriority(_)));
        let mut constants = Constants {
            model,
            initial,
            initial_hidden,
            written,
            channels,
            locals,
            keeps_priorities,
        };
        constants.find_channels();
        Ok(constants)
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.model
    }

    pub fn initial(&self) -> &[u8] {
        &self.initial
    }

    /// The variables outside of it.
    pub fn initial_hidden(&self) -> &[u8] {
        &self.initial_hidden
    }

    fn find_channels(&mut self) {
        let (mut id, mut base) = (1, self.model.globals_size);
        for init in &self.model.global_inits {
            let &Init::Channels { ref place, count, channel } = init else { continue };
            let size = self.model.channel_types[channel.0 as usize].size;
            let element = place.scalar.size();
            let (offset, end) = (place.offset, place.offset + count * element);
            if place.region == Region::Global && !self.is_written(offset, end) {
                self.channels.push(ChannelArray {
                    offset,
                    end,
                    element,
                    first_id: id,
                    first_base: base,
                    channel_type: channel,
                });
            }
            id += count;
            base += count * size;
        }
    }

    fn is_written(&self, start: u32, end: u32) -> bool {
        self.written[start as usize..end as usize].contains(&true)
    }

    /// The value of a global that nobody writes.
    pub fn global(&self, region: Region, offset: u32, scalar: Scalar) -> Option<i32> {
        let is_constant =
            region == Region::Global && !self.is_written(offset, offset + scalar.size());
        is_constant.then(|| scalar.load(&self.initial, offset as usize))
    }

    /// The channel array that a variable lies in, whatever its subscripts are.
    pub fn channel_array(&self, cells: Cells<'_>) -> Option<&ChannelArray> {
        let (start, end) = cells.span();
        let holds = |array: &&ChannelArray| {
            cells.region == Region::Global && array.offset <= start && end <= array.end
        };
        self.channels.iter().find(holds)
    }

    /// What is the same in all states of a process that has this frame in one.
    pub fn fixed(&self, proctype: ProctypeId, frame: &[u8]) -> Fixed {
        let value = |&(offset, scalar): &(u32, Scalar)| scalar.load(frame, offset as usize);
        let constants = self.locals[proctype.0 as usize].iter().map(value).collect();
        let priority = if self.keeps_priorities { frame[FRAME_PRIORITY] } else { 0 };
        Fixed { proctype, constants, priority }
    }

    /// The value of an expression that is the same in all states. `who` is the process that
    /// evaluates it: its pid, its type and the values of its constants.
    pub fn value(&self, who: Option<(usize, &Fixed)>, expr: ExprId) -> Option<i32> {
        match *self.model.exprs.get(expr) {
            Expr::Const(value) => Some(value),
            Expr::Pid => i32::try_from(who?.0).ok(),
            Expr::Var(Region::Local, offset, scalar) => {
                let (_, process) = who?;
                let locals = &self.locals[process.proctype.0 as usize];
                let at = locals.iter().position(|&known| known == (offset, scalar))?;
                process.constants.get(at).copied()
            }
            Expr::Var(region, offset, scalar) => self.global(region, offset, scalar),
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.value(who, left)?, self.value(who, right)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Subtract => left.checked_sub(right),
                    BinaryOp::Multiply => left.checked_mul(right),
                    BinaryOp::Divide => left.checked_div(right),
                    BinaryOp::Remainder => left.checked_rem(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// A process as far as all states agree on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    pub proctype: ProctypeId,
    /// The values of the variables that nobody writes, in their order.
    pub constants: Vec<i32>,
    /// Its priority, if no command changes any; else 0.
    pub priority: u8,
}

/// Local variables that no command writes, and that are nowhere dead.
fn unwritten(model: &Model, proctype: &Proctype) -> Vec<(u32, Scalar)> {
    let mut written = Vec::new();
    for location in &proctype.locations {
        written.extend(location.dead.iter().copied());
        for edge in &location.edges {
            for access in model.accesses(edge.command).writes {
                if let Access::Local { start, end } = access {
                    written.push((start, end));
                }
            }
        }
    }
    let variables = proctype.variables.iter().filter(|variable| {
        let end = variable.offset + variable.scalar.size();
        let is_written = written.iter().any(|&(start, stop)| start < end && variable.offset < stop);
        variable.region == Region::Local && variable.count.is_none() && !is_written
    });
    variables.map(|variable| (variable.offset, variable.scalar)).collect()
}
