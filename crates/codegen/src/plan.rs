//! What is known of a model before code is generated: fixed positions, constants, channels.

use lariat_model::interp::Interp;
use lariat_model::ir::layout::MAX_LIVE;
use lariat_model::ir::transition::{Discipline, Sync};
use lariat_model::ir::{
    Access, Action, Assign, ChannelType, ChannelTypeId, CommandId, Expr, ExprId, Init, Model,
    Place, ProctypeId, Receive, Region, Scalar,
};

use crate::Unsupported;

pub(crate) struct Plan<'m> {
    pub(crate) model: &'m Model,
    /// Bytes of a row.
    pub(crate) row: u32,
    /// The initial state: globals that nobody writes keep these values.
    initial: Vec<u8>,
    /// Bytes of the globals that some command writes.
    written: Vec<bool>,
    /// Channel variables that nobody writes.
    channel_arrays: Vec<ChannelArray>,
    /// Where processes are, by pid, if none is ever started.
    pub(crate) fixed: Option<Vec<FixedProcess>>,
    /// Where the first process starts.
    pub(crate) first_frame: u32,
    /// Channel types that have the same capacity and messages, in groups.
    pub(crate) classes: Vec<Vec<u8>>,
    /// All channels are rendezvous channels: receiving from channel 0 is no error.
    pub(crate) rendezvous_only: bool,
    pub(crate) has_rendezvous: bool,
    /// Which rendezvous channels a process may receive from, as bits (id modulo 32), by control
    /// point; the control points of a proctype start where `starts` says.
    pub(crate) receive_masks: Vec<i32>,
    pub(crate) starts: Vec<i32>,
    /// Whether some way to a successor has more than one command.
    pub(crate) counts_commands: bool,
    /// DVE: some control point is committed.
    pub(crate) has_committed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedProcess {
    pub(crate) proctype: ProctypeId,
    pub(crate) base: u32,
}

/// Global channel variables with constant values, one after the other.
struct ChannelArray {
    offset: u32,
    end: u32,
    element: u32,
    first_id: u32,
    first_base: u32,
    channel_type: u8,
}

/// A channel whose type is known before the model runs.
pub(crate) struct KnownChannel<'m> {
    pub(crate) ty: &'m ChannelType,
    /// Id and position of the first channel of the array.
    pub(crate) first_id: u32,
    pub(crate) first_base: u32,
    /// Where the array starts in the globals, and bytes of its elements.
    pub(crate) offset: u32,
    pub(crate) element: u32,
}

impl<'m> Plan<'m> {
    pub(crate) fn new(model: &'m Model, width: usize) -> Result<Self, Unsupported> {
        if cfg!(target_endian = "big") || size_of::<usize>() != 8 {
            return Err(Unsupported::Machine);
        }
        if model.hidden_size > 0 {
            return Err(Unsupported::HiddenVariables);
        }
        if model.trace.is_some() {
            return Err(Unsupported::Trace);
        }
        if model.uses.priorities {
            return Err(Unsupported::Priorities);
        }
        if model.uses.provided {
            return Err(Unsupported::Provided);
        }
        if model.discipline == Discipline::DivineLockStep {
            return Err(Unsupported::LockStep);
        }
        let row = u32::try_from(width * 4).map_err(|_| Unsupported::TooLarge)?;
        let (initial, _) = Interp::new(model).initial().map_err(|_| Unsupported::NoInitialState)?;
        if initial.len() > row as usize || row > MAX_ROW {
            return Err(Unsupported::TooLarge);
        }
        let mut plan = Plan {
            model,
            row,
            initial,
            written: written_globals(model),
            channel_arrays: Vec::new(),
            fixed: None,
            first_frame: model.globals_size,
            classes: classes(model),
            rendezvous_only: !model.channel_types.is_empty()
                && model.channel_types.iter().all(ChannelType::is_rendezvous),
            has_rendezvous: model.channel_types.iter().any(ChannelType::is_rendezvous),
            receive_masks: Vec::new(),
            starts: Vec::new(),
            counts_commands: false,
            has_committed: model
                .proctypes
                .iter()
                .flat_map(|proctype| &proctype.locations)
                .any(|location| location.is_committed),
        };
        plan.find_channels();
        plan.find_processes();
        plan.find_receivers();
        plan.counts_commands = match model.discipline {
            Discipline::Spin => {
                plan.has_rendezvous || model.commands.iter().any(|command| command.atomic)
            }
            _ => model.property.is_some() || has_offers(model),
        };
        Ok(plan)
    }

    /// The initial state as a row.
    pub(crate) fn initial_row(&self) -> Vec<u32> {
        let mut row = vec![0; self.row as usize / size_of::<u32>()];
        lariat_model::interp::row::pack(&self.initial, &[], &mut row);
        row
    }

    fn find_channels(&mut self) {
        let (mut id, mut base) = (1, self.model.globals_size);
        for init in &self.model.global_inits {
            let Init::Channels { place, count, channel } = init else { continue };
            let size = self.model.channel_types[channel.0 as usize].size;
            let element = place.scalar.size();
            let (offset, end) = (place.offset, place.offset + count * element);
            if place.region == Region::Global && !self.is_written(offset, end) {
                self.channel_arrays.push(ChannelArray {
                    offset,
                    end,
                    element,
                    first_id: id,
                    first_base: base,
                    channel_type: channel.0,
                });
            }
            id += count;
            base += count * size;
        }
        self.first_frame = base;
    }

    fn find_processes(&mut self) {
        let model = self.model;
        let runs = (0..model.exprs.len())
            .any(|at| matches!(model.exprs.get(ExprId(at as u32)), Expr::Run(_)));
        if runs || model.initial_processes.len() > MAX_LIVE {
            return;
        }
        let mut base = self.first_frame;
        let mut fixed = Vec::new();
        for process in &model.initial_processes {
            fixed.push(FixedProcess { proctype: process.proctype, base });
            base += self.block_size(process.proctype);
        }
        self.fixed = Some(fixed);
    }

    /// The types of the channels that are there from the start, in order.
    pub(crate) fn global_channels(&self) -> impl Iterator<Item = ChannelTypeId> + '_ {
        self.model.global_inits.iter().flat_map(|init| match init {
            Init::Channels { count, channel, .. } => std::iter::repeat_n(*channel, *count as usize),
            Init::Fill { .. } => std::iter::repeat_n(ChannelTypeId(0), 0),
        })
    }

    fn find_receivers(&mut self) {
        let model = self.model;
        for proctype in &model.proctypes {
            self.starts.push(self.receive_masks.len() as i32);
            for location in &proctype.locations {
                let mut mask = 0;
                for edge in &location.edges {
                    mask |= match &model.command(edge.command).action {
                        Action::Receive(receive) => self.receive_mask(receive),
                        Action::DStep(id) => {
                            let guards = model.d_steps[id.0 as usize].guards.iter();
                            let masks = guards.map(|guard| match guard {
                                Action::Receive(receive) => self.receive_mask(receive),
                                _ => 0,
                            });
                            masks.fold(0, |one, other| one | other)
                        }
                        _ => 0,
                    };
                }
                self.receive_masks.push(mask);
            }
        }
    }

    /// The rendezvous channels that a receive may be about. Looking at a message without taking
    /// it is an error there, whoever sends.
    fn receive_mask(&self, receive: &Receive) -> i32 {
        let known = match self.model.exprs.get(receive.channel) {
            Expr::Var(region, offset, scalar) => {
                let place = Place::simple(*region, *offset, *scalar);
                self.known_channel(&place).map(|known| (known, place))
            }
            Expr::Load(place) => self.known_channel(place).map(|known| (known, (**place).clone())),
            _ => None,
        };
        let Some((known, place)) = known else { return -1 };
        if !known.ty.is_rendezvous() {
            return 0;
        }
        if receive.peek {
            return -1;
        }
        let reach: u32 = place.indices.iter().map(|index| (index.count - 1) * index.stride).sum();
        let first = known.first_id + (place.offset - known.offset) / known.element;
        (first..=first + reach / known.element).fold(0, |mask, id| mask | 1 << (id % 32))
    }

    /// Bytes of a process with its channels.
    pub(crate) fn block_size(&self, id: ProctypeId) -> u32 {
        let proctype = self.model.proctype(id);
        let channels = proctype.channels.iter();
        let channels = channels.map(|c| self.model.channel_types[c.0 as usize].size);
        proctype.frame_size + channels.sum::<u32>()
    }

    fn is_written(&self, start: u32, end: u32) -> bool {
        self.written[start as usize..end as usize].iter().any(|&written| written)
    }

    /// The value of a global that nobody writes.
    pub(crate) fn constant(&self, region: Region, offset: u32, scalar: Scalar) -> Option<i32> {
        let is_constant =
            region == Region::Global && !self.is_written(offset, offset + scalar.size());
        is_constant.then(|| scalar.load(&self.initial, offset as usize))
    }

    /// The channel array that a place lies in, whatever its subscripts are.
    pub(crate) fn known_channel(&self, place: &Place) -> Option<KnownChannel<'m>> {
        let reach: u32 = place.indices.iter().map(|index| (index.count - 1) * index.stride).sum();
        let array = self.channel_arrays.iter().find(|array| {
            place.region == Region::Global
                && array.offset <= place.offset
                && place.offset + reach + place.scalar.size() <= array.end
        })?;
        Some(KnownChannel {
            ty: &self.model.channel_types[array.channel_type as usize],
            first_id: array.first_id,
            first_base: array.first_base,
            offset: array.offset,
            element: array.element,
        })
    }

    /// How much code the steps of a process are, in commands, or pairs of them.
    pub(crate) fn weight(&self, pid: usize) -> usize {
        let Some(fixed) = &self.fixed else { return 0 };
        let edges = |pid: usize| {
            let locations = &self.model.proctype(fixed[pid].proctype).locations;
            locations.iter().flat_map(|location| &location.edges).map(|edge| {
                match &self.model.command(edge.command).action {
                    Action::Transition(transition) => transition.sync.as_ref(),
                    _ => None,
                }
            })
        };
        let partners = |number: u16| {
            let others = (0..fixed.len()).filter(|&other| other != pid);
            let accepts = others.flat_map(edges).filter(
                |sync| matches!(sync, Some(Sync::Accept { channel, .. }) if *channel == number),
            );
            accepts.count()
        };
        edges(pid)
            .map(|sync| match sync {
                Some(Sync::Offer { channel, .. }) => 1 + partners(*channel),
                _ => 1,
            })
            .sum()
    }

    /// Global channels of DVE: id and position are constants.
    pub(crate) fn queue_base(&self, id: u8) -> u32 {
        let mut base = self.model.globals_size;
        let mut next = 1;
        for init in &self.model.global_inits {
            let Init::Channels { count, channel, .. } = init else { continue };
            let size = self.model.channel_types[channel.0 as usize].size;
            if u32::from(id) < next + count {
                return base + (u32::from(id) - next) * size;
            }
            next += count;
            base += count * size;
        }
        base
    }
}

/// Wider rows are left to the interpreter.
const MAX_ROW: u32 = 1 << 16;

fn has_offers(model: &Model) -> bool {
    model.commands.iter().any(|command| match &command.action {
        Action::Transition(transition) => matches!(transition.sync, Some(Sync::Offer { .. })),
        _ => false,
    })
}

/// Bytes of the globals that a command or the start of a process writes.
fn written_globals(model: &Model) -> Vec<bool> {
    let mut written = vec![false; model.globals_size as usize];
    // The header changes.
    let header = lariat_model::ir::layout::HEADER_SIZE as usize;
    let header = header.min(written.len());
    written[..header].fill(true);
    for id in 0..model.commands.len() {
        for access in model.accesses(CommandId(id as u32)).writes {
            if let Access::Global { start, end } = access {
                written[start as usize..end as usize].fill(true);
            }
        }
    }
    for init in model.proctypes.iter().flat_map(|proctype| &proctype.inits) {
        let (place, count) = match init {
            Init::Fill { place, count, .. } | Init::Channels { place, count, .. } => (place, count),
        };
        if place.region == Region::Global {
            let start = place.offset as usize;
            written[start..start + (count * place.scalar.size()) as usize].fill(true);
        }
    }
    written
}

/// Groups of channel types that code cannot tell apart.
fn classes(model: &Model) -> Vec<Vec<u8>> {
    let mut classes: Vec<Vec<u8>> = Vec::new();
    for (id, ty) in model.channel_types.iter().enumerate() {
        let is_same = |class: &&mut Vec<u8>| {
            let other = &model.channel_types[class[0] as usize];
            let fields = |ty: &ChannelType| {
                ty.fields.iter().map(|field| (field.scalar, field.offset)).collect::<Vec<_>>()
            };
            ty.capacity == other.capacity
                && ty.message_size == other.message_size
                && fields(ty) == fields(other)
        };
        match classes.iter_mut().find(is_same) {
            Some(class) => class.push(id as u8),
            None => classes.push(vec![id as u8]),
        }
    }
    classes
}

/// The `run` that is all of a command: `run P()`, or `x = run P()`.
pub(crate) fn run_of<'m>(
    model: &'m Model,
    action: &'m Action,
) -> Option<&'m lariat_model::ir::Run> {
    let value = match action {
        Action::Guard(value) | Action::Assign(Assign { value, .. }) => *value,
        _ => return None,
    };
    match model.exprs.get(value) {
        Expr::Run(run) => Some(run),
        _ => None,
    }
}
