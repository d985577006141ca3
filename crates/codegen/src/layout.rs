//! Where the processes and channels of a model's states are, as far as all states agree.
//!
//! Processes come and go in stack order, so a frame is where those below it say. As long as
//! every state has the first processes of one list, by type and by the parameters they were
//! given, all positions are constants, and the number of processes says which are there.

use lariat_model::ir::layout::{FRAME_PROCTYPE, NR_CHANNELS, NR_PROCESSES};
use lariat_model::ir::{
    Access, Action, DStepNode, ExprId, Model, Place, Proctype, ProctypeId, ReceiveArg, Region,
    Scalar,
};

use crate::native::bytes_of;
use crate::plan::{FixedProcess, Plan};

/// The processes and channels of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) processes: Vec<Process>,
    /// By id - 1.
    pub(crate) channels: Vec<ChannelPlace>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) place: FixedProcess,
    /// The values of its constant variables, in their order.
    pub(crate) constants: Vec<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChannelPlace {
    pub(crate) base: u32,
    pub(crate) ty: u8,
}

/// The part of a row's first word that says how many processes and channels there are.
pub(crate) fn counts(row: &[u32]) -> u32 {
    let header = row[0].to_le_bytes();
    u32::from(header[NR_PROCESSES]) | u32::from(header[NR_CHANNELS]) << 8
}

impl Layout {
    /// That of a row; None if it is not well formed.
    pub(crate) fn of(plan: &Plan<'_>, constants: &Constants, row: &[u32]) -> Option<Self> {
        let model = plan.model;
        let bytes = bytes_of(row);
        let mut layout = Layout::default();
        let mut at = model.globals_size;
        for ty in plan.global_channels() {
            layout.channels.push(ChannelPlace { base: at, ty: ty.0 });
            at += model.channel_types[ty.0 as usize].size;
        }
        for _ in 0..bytes[NR_PROCESSES] {
            let id = ProctypeId(*bytes.get(at as usize + FRAME_PROCTYPE)?);
            let proctype = model.proctypes.get(id.0 as usize)?;
            let frame = bytes.get(at as usize..(at + proctype.frame_size) as usize)?;
            let value = |&(offset, scalar): &(u32, Scalar)| scalar.load(frame, offset as usize);
            let constants = constants.0[id.0 as usize].iter().map(value).collect();
            let place = FixedProcess { proctype: id, base: at };
            layout.processes.push(Process { place, constants });
            at += proctype.frame_size;
            for ty in &proctype.channels {
                layout.channels.push(ChannelPlace { base: at, ty: ty.0 });
                at += model.channel_types[ty.0 as usize].size;
            }
        }
        let fits =
            at as usize <= bytes.len() && layout.channels.len() == bytes[NR_CHANNELS] as usize;
        fits.then_some(layout)
    }

    /// Whether one is the start of the other.
    pub(crate) fn agrees_with(&self, other: &Layout) -> bool {
        self.processes.iter().zip(&other.processes).all(|(one, other)| one == other)
    }
}

/// By proctype: local variables that no command writes, mostly parameters.
pub(crate) struct Constants(Vec<Vec<(u32, Scalar)>>);

impl Constants {
    pub(crate) fn of(model: &Model) -> Self {
        let of_proctype = |proctype: &Proctype| {
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
                let is_written =
                    written.iter().any(|&(start, stop)| start < end && variable.offset < stop);
                variable.region == Region::Local && variable.count.is_none() && !is_written
            });
            variables.map(|variable| (variable.offset, variable.scalar)).collect()
        };
        Constants(model.proctypes.iter().map(of_proctype).collect())
    }

    /// The number of such a variable.
    pub(crate) fn position(
        &self,
        proctype: ProctypeId,
        offset: u32,
        scalar: Scalar,
    ) -> Option<usize> {
        self.0[proctype.0 as usize].iter().position(|&known| known == (offset, scalar))
    }
}

/// An action and, if it is a program, those in it.
pub(crate) fn for_each_action<'m>(
    model: &'m Model,
    action: &'m Action,
    visit: &mut dyn FnMut(&'m Action),
) {
    visit(action);
    if let Action::DStep(id) = action {
        let program = &model.d_steps[id.0 as usize];
        program.guards.iter().for_each(&mut *visit);
        for node in &program.nodes {
            if let DStepNode::Do { action, .. } = node {
                visit(action);
            }
        }
    }
}

/// The expressions at the top of an action, subscripts of its targets included.
pub(crate) fn for_each_expr(action: &Action, visit: &mut dyn FnMut(ExprId)) {
    let of_place = |place: &Place, visit: &mut dyn FnMut(ExprId)| {
        place.indices.iter().for_each(|index| visit(index.value));
    };
    match action {
        Action::Guard(value) | Action::Assert(value) | Action::OwnPriority(value) => visit(*value),
        Action::Assign(assign) => {
            visit(assign.value);
            of_place(&assign.target, visit);
        }
        Action::Send(send) => {
            visit(send.channel);
            send.args.iter().for_each(|&arg| visit(arg));
        }
        Action::Receive(receive) => {
            visit(receive.channel);
            for arg in &receive.args {
                match arg {
                    ReceiveArg::Match(value) => visit(*value),
                    ReceiveArg::Store(place) => of_place(place, visit),
                    ReceiveArg::Ignore => {}
                }
            }
        }
        Action::Print(print) => print.args.iter().for_each(|&arg| visit(arg)),
        Action::SetPriority { pid, value } => {
            visit(*pid);
            visit(*value);
        }
        Action::Skip | Action::Else | Action::End | Action::DStep(_) => {}
        // Not in Promela.
        Action::Transition(_) => {}
    }
}

/// The places that an action writes.
pub(crate) fn for_each_target(action: &Action, visit: &mut dyn FnMut(&Place)) {
    match action {
        Action::Assign(assign) => visit(&assign.target),
        Action::Receive(receive) => {
            for arg in &receive.args {
                if let ReceiveArg::Store(place) = arg {
                    visit(place);
                }
            }
        }
        _ => {}
    }
}
