//! What is known of a model before code is generated: fixed positions, constants, channels.

use lariat_model::analysis::{Cells, Constants};
use lariat_model::interp::Fairness;
use lariat_model::interp::row::{hidden_words, pack};
use lariat_model::ir::layout::MAX_LIVE;
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{
    Action, Assign, ChannelType, ChannelTypeId, Expr, ExprId, Init, Model, Place, ProctypeId,
    Receive, Region, Scalar,
};

use crate::Unsupported;

pub(crate) struct ModelFacts<'m> {
    pub(crate) model: &'m Model,
    /// Bytes of a row, and those of them before the state: its hidden variables.
    pub(crate) row: u32,
    pub(crate) hidden: u32,
    pub(crate) constants: Constants<'m>,
    /// Where processes are, by pid, if none is ever started.
    pub(crate) fixed: Option<Vec<FixedProcess>>,
    /// Where the first process starts.
    pub(crate) first_frame: u32,
    /// Channel types that have the same capacity and messages, in groups.
    pub(crate) classes: Vec<Vec<u8>>,
    /// All channels are rendezvous channels: receiving from channel 0 is no error.
    pub(crate) rendezvous_only: bool,
    pub(crate) has_rendezvous: bool,
    /// Whether somebody may receive an offered message is asked of everybody, because to ask may
    /// fail.
    pub(crate) asks_everybody: bool,
    /// Which rendezvous channels a process may receive from, as bits (id modulo 32), by control
    /// point; the control points of a proctype start where `starts` says.
    pub(crate) receive_masks: Vec<i32>,
    pub(crate) starts: Vec<i32>,
    /// Whether some way to a successor has more than one command.
    pub(crate) counts_commands: bool,
    /// Who takes part in steps is noted, for fairness.
    pub(crate) fairness: Option<Fairness>,
    /// DVE: some control point is committed.
    pub(crate) has_committed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedProcess {
    pub(crate) proctype: ProctypeId,
    pub(crate) base: u32,
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

impl<'m> ModelFacts<'m> {
    pub(crate) fn new(model: &'m Model, width: usize) -> Result<Self, Unsupported> {
        if cfg!(target_endian = "big") || size_of::<usize>() != 8 {
            return Err(Unsupported::Machine);
        }
        if model.discipline == Discipline::DivineLockStep {
            return Err(Unsupported::LockStep);
        }
        let row = u32::try_from(width * 4).map_err(|_| Unsupported::TooLarge)?;
        let hidden = 4 * hidden_words(model) as u32;
        let constants = Constants::of(model).map_err(|_| Unsupported::NoInitialState)?;
        if constants.initial().len() > row.saturating_sub(hidden) as usize || row > MAX_ROW {
            return Err(Unsupported::TooLarge);
        }
        let mut facts = ModelFacts {
            model,
            row,
            hidden,
            constants,
            fixed: None,
            first_frame: model.globals_size,
            classes: classes(model),
            rendezvous_only: !model.channel_types.is_empty()
                && model.channel_types.iter().all(ChannelType::is_rendezvous),
            has_rendezvous: model.channel_types.iter().any(ChannelType::is_rendezvous),
            asks_everybody: false,
            receive_masks: Vec::new(),
            starts: Vec::new(),
            counts_commands: false,
            fairness: None,
            has_committed: model
                .proctypes
                .iter()
                .flat_map(|proctype| &proctype.locations)
                .any(|location| location.is_committed),
        };
        facts.first_frame += facts.global_channels().map(|ty| facts.size_of(ty)).sum::<u32>();
        facts.asks_everybody = facts.has_rendezvous && facts.constants.offers_may_fail();
        facts.find_processes();
        facts.find_receivers();
        facts.counts_commands = match model.discipline {
            Discipline::Spin => {
                facts.has_rendezvous || model.commands.iter().any(|command| command.atomic)
            }
            _ => model.property.is_some() || has_offers(model),
        };
        Ok(facts)
    }

    /// The initial state as a row.
    pub(crate) fn initial_row(&self) -> Vec<u32> {
        let mut row = vec![0; self.row as usize / size_of::<u32>()];
        pack(self.constants.initial(), self.constants.initial_hidden(), &mut row);
        row
    }

    /// Bytes of the state in a row.
    pub(crate) fn state(&self) -> u32 {
        self.row - self.hidden
    }

    /// The words of a row that are its state.
    pub(crate) fn visible<'r>(&self, row: &'r [u32]) -> &'r [u32] {
        &row[self.hidden as usize / 4..]
    }

    pub(crate) fn size_of(&self, ty: ChannelTypeId) -> u32 {
        self.model.channel_types[ty.0 as usize].size
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
        let (start, end) = Cells::from(&place).span();
        let id = |byte: u32| known.first_id + (byte - known.offset) / known.element;
        (id(start)..=id(end - 1)).fold(0, |mask, id| mask | 1 << (id % 32))
    }

    /// Bytes of a process with its channels.
    pub(crate) fn block_size(&self, id: ProctypeId) -> u32 {
        let proctype = self.model.proctype(id);
        proctype.frame_size + proctype.channels.iter().map(|&ty| self.size_of(ty)).sum::<u32>()
    }

    /// The value of a global that nobody writes.
    pub(crate) fn constant(&self, region: Region, offset: u32, scalar: Scalar) -> Option<i32> {
        self.constants.global(region, offset, scalar)
    }

    /// The channel array that a place lies in, whatever its subscripts are.
    pub(crate) fn known_channel(&self, place: &Place) -> Option<KnownChannel<'m>> {
        let array = self.constants.channel_array(place.into())?;
        Some(KnownChannel {
            ty: &self.model.channel_types[array.channel_type.0 as usize],
            first_id: array.first_id,
            first_base: array.first_base,
            offset: array.offset,
            element: array.element,
        })
    }

    /// DVE: how many processes belong to the system; the property's comes behind them.
    pub(crate) fn system_size(&self) -> usize {
        let property = self.model.property.as_ref().map(|property| property.pid as usize);
        property.unwrap_or(self.model.initial_processes.len())
    }

    /// How much code the steps of a process are, in commands, or pairs of them.
    pub(crate) fn weight(&self, pid: usize) -> usize {
        let Some(fixed) = &self.fixed else { return 0 };
        let transitions = |pid: usize| {
            let locations = &self.model.proctype(fixed[pid].proctype).locations;
            let edges = locations.iter().flat_map(|location| &location.edges);
            edges.filter_map(|edge| match &self.model.command(edge.command).action {
                Action::Transition(transition) => Some(transition),
                _ => None,
            })
        };
        let partners = |channel: u16| {
            let others = (0..fixed.len()).filter(|&other| other != pid);
            others.flat_map(transitions).filter(|other| other.accepted() == Some(channel)).count()
        };
        let weight = |offered: Option<u16>| 1 + offered.map_or(0, partners);
        transitions(pid).map(|transition| weight(transition.offered())).sum()
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
        Action::Transition(transition) => transition.offered().is_some(),
        _ => false,
    })
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
