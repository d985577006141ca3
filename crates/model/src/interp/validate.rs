//! Whether a row that comes from outside (a file, another machine) is a state of a model.
//!
//! What runs on a row trusts it: it finds processes, channels and variables where the row says
//! that they are. [`Validator`] is what makes a row trusted that was not made by the model's own
//! steps. It asks for the form of a state, not whether the state can be reached.

use std::fmt;

use lariat_core::Word;

use super::row::{hidden_words, unpack};
use super::{Fault, Interp};
use crate::analysis::written_globals;
use crate::ir::layout::{
    CHANNEL_HEADER, CHANNEL_LEN, CHANNEL_TYPE, EVENT, FRAME_HEADER, FRAME_LOCATION, FRAME_PRIORITY,
    FRAME_PROCTYPE, HEADER_SIZE, LAST, MAX_EVENTS, MAX_LIVE, NR_CHANNELS, NR_PROCESSES,
};
use crate::ir::transition::Discipline;
use crate::ir::{ChannelTypeId, Init, Model, ProctypeKind, Scalar, Variable};

/// What is wrong with a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowError {
    /// The row ends before the state does.
    Short,
    /// DVE: these are not the processes of the model.
    Processes,
    /// More processes, or more channels, than there can be.
    TooMany,
    /// No process can be of this type.
    Proctype(u8),
    /// The process has no such control point.
    ControlPoint(u16),
    Priority(u8),
    /// `_last` in a model that does not name it.
    Last(u8),
    /// The event trace has no such control point.
    Event(u8),
    /// The number of channels is not that of the globals and the processes.
    Channels(u8),
    ChannelType(u8),
    /// More messages than the channel has room for.
    ChannelLength(u8),
    /// The variable, or the field of a message, has no such value.
    Value(i32),
    /// A variable that nobody writes has another value than at the start.
    Constant,
    /// A byte that belongs to nothing, or to a variable that is dead, is not 0.
    Padding,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowError::Short => write!(f, "the row ends before the state does"),
            RowError::Processes => write!(f, "other processes than the model has"),
            RowError::TooMany => write!(f, "more than {MAX_LIVE} processes or channels"),
            RowError::Proctype(id) => write!(f, "no process has type {id}"),
            RowError::ControlPoint(at) => write!(f, "no control point {at}"),
            RowError::Priority(value) => write!(f, "priority {value}"),
            RowError::Last(pid) => write!(f, "_last is {pid}"),
            RowError::Event(at) => write!(f, "no control point {at} of the trace"),
            RowError::Channels(count) => write!(f, "{count} channels"),
            RowError::ChannelType(ty) => write!(f, "channel of type {ty}"),
            RowError::ChannelLength(len) => write!(f, "channel with {len} messages"),
            RowError::Value(value) => write!(f, "{value} is out of range of its variable"),
            RowError::Constant => write!(f, "a variable that nobody writes has another value"),
            RowError::Padding => write!(f, "a byte without a meaning is not 0"),
        }
    }
}

impl std::error::Error for RowError {}

/// Knows what all states of a model have in common.
pub struct Validator<'m> {
    model: &'m Model,
    /// The initial state, and by byte of its globals whether a command writes it.
    initial: Vec<u8>,
    is_written: Vec<bool>,
}

impl<'m> Validator<'m> {
    /// The faults of the initialisers, if there is no initial state.
    pub fn new(model: &'m Model) -> Result<Validator<'m>, Vec<Fault>> {
        let (initial, _) = Interp::new(model).initial()?;
        Ok(Validator { model, initial, is_written: written_globals(model, |_| true) })
    }

    /// Whether a row has the form of a state of this model. All rows that the model's own steps
    /// lead to have it.
    pub fn validate(&self, row: &[Word]) -> Result<(), RowError> {
        let model = self.model;
        let front = hidden_words(model);
        if row.len() <= front || (row.len() - front) * 4 < model.globals_size as usize {
            return Err(RowError::Short);
        }
        let (state, hidden) = unpack(model, row);
        // `unpack` has cut off what fills the last word.
        let mut filling = model.hidden_size as usize..front * 4;
        if filling.any(|at| row[at / 4].to_le_bytes()[at % 4] != 0) {
            return Err(RowError::Padding);
        }
        variables(&hidden, 0, &model.hidden, model.hidden_size)?;
        if model.discipline != Discipline::Spin && state[NR_PROCESSES] == 0 {
            // The error state.
            return zero(&state);
        }
        header(model, &state)?;
        variables(&state, HEADER_SIZE, &model.globals, model.globals_size)?;
        let differs = |at: usize| !self.is_written[at] && state[at] != self.initial[at];
        if (0..model.globals_size as usize).any(differs) {
            return Err(RowError::Constant);
        }
        let at = model.globals_size as usize;
        let mut walk = Walk { model, state: &state, at, channels: 0 };
        for init in &model.global_inits {
            if let Init::Channels { count, channel, .. } = init {
                (0..*count).try_for_each(|_| walk.channel(*channel))?;
            }
        }
        (0..state[NR_PROCESSES]).try_for_each(|pid| walk.process(pid))?;
        if walk.channels != usize::from(state[NR_CHANNELS]) {
            return Err(RowError::Channels(state[NR_CHANNELS]));
        }
        zero(&state[walk.at..])
    }
}

fn zero(bytes: &[u8]) -> Result<(), RowError> {
    bytes.iter().all(|&byte| byte == 0).then_some(()).ok_or(RowError::Padding)
}

fn header(model: &Model, state: &[u8]) -> Result<(), RowError> {
    let processes = usize::from(state[NR_PROCESSES]);
    if model.discipline != Discipline::Spin && processes != model.initial_processes.len() {
        return Err(RowError::Processes);
    }
    let last = state[LAST];
    if !model.uses.last && last != 0 {
        return Err(RowError::Last(last));
    }
    let event = state[EVENT];
    let events = model.trace.as_ref().map_or(1, |trace| {
        let graph = model.proctype(trace.proctype);
        graph.locations.len()
    });
    // Copies for runs inside atomic sequences are Promela's.
    let is_copy = model.discipline == Discipline::Spin && usize::from(event) >= MAX_EVENTS;
    match usize::from(event) < events || is_copy {
        true => Ok(()),
        false => Err(RowError::Event(event)),
    }
}

/// Bytes of variables, and 0 between them. Offsets are those from the start of `bytes`.
fn variables(bytes: &[u8], header: u32, variables: &[Variable], size: u32) -> Result<(), RowError> {
    let mut is_known = vec![false; size as usize];
    is_known[..header as usize].fill(true);
    for variable in variables {
        for element in 0..variable.count.unwrap_or(1) {
            let at = (variable.offset + element * variable.scalar.size()) as usize;
            value(bytes, at, variable.scalar)?;
            is_known[at..at + variable.scalar.size() as usize].fill(true);
        }
    }
    let is_clean = is_known.iter().zip(bytes).all(|(&is_known, &byte)| is_known || byte == 0);
    is_clean.then_some(()).ok_or(RowError::Padding)
}

fn value(bytes: &[u8], at: usize, scalar: Scalar) -> Result<(), RowError> {
    let value = scalar.load(bytes, at);
    scalar.fits(value).then_some(()).ok_or(RowError::Value(value))
}

/// Goes over channels and processes, which lie one behind the other.
struct Walk<'a> {
    model: &'a Model,
    state: &'a [u8],
    at: usize,
    channels: usize,
}

impl<'a> Walk<'a> {
    /// The next bytes.
    fn take(&mut self, size: u32) -> Result<&'a [u8], RowError> {
        let end = self.at + size as usize;
        let bytes = self.state.get(self.at..end).ok_or(RowError::Short)?;
        self.at = end;
        Ok(bytes)
    }

    fn process(&mut self, pid: u8) -> Result<(), RowError> {
        let &id = self.state.get(self.at + FRAME_PROCTYPE).ok_or(RowError::Short)?;
        let proctype = self.model.proctypes.get(usize::from(id));
        let proctype = proctype.ok_or(RowError::Proctype(id))?;
        let initial = self.model.initial_processes.get(usize::from(pid));
        let is_given = initial.is_some_and(|process| process.proctype.0 == id);
        match self.model.discipline {
            // Claims and traces are no processes.
            Discipline::Spin
                if !matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init) =>
            {
                return Err(RowError::Proctype(id));
            }
            Discipline::Spin => {}
            _ if !is_given => return Err(RowError::Processes),
            _ => {}
        }
        let frame = self.take(proctype.frame_size)?;
        let priority = frame[FRAME_PRIORITY];
        if self.model.uses.priorities != (priority != 0) {
            return Err(RowError::Priority(priority));
        }
        let at = u16::from_le_bytes([frame[FRAME_LOCATION], frame[FRAME_LOCATION + 1]]);
        let location = proctype.locations.get(usize::from(at)).ok_or(RowError::ControlPoint(at))?;
        variables(frame, FRAME_HEADER, &proctype.variables, proctype.frame_size)?;
        for &(start, end) in &location.dead {
            zero(&frame[start as usize..end as usize])?;
        }
        proctype.channels.iter().try_for_each(|&channel| self.channel(channel))
    }

    fn channel(&mut self, expected: ChannelTypeId) -> Result<(), RowError> {
        self.channels += 1;
        if self.channels > MAX_LIVE {
            return Err(RowError::TooMany);
        }
        let ty = &self.model.channel_types[usize::from(expected.0)];
        let bytes = self.take(ty.size)?;
        if bytes[CHANNEL_TYPE] != expected.0 {
            return Err(RowError::ChannelType(bytes[CHANNEL_TYPE]));
        }
        let len = bytes[CHANNEL_LEN];
        if u32::from(len) > ty.capacity {
            return Err(RowError::ChannelLength(len));
        }
        zero(&bytes[CHANNEL_LEN + 1..CHANNEL_HEADER as usize])?;
        let (messages, free) =
            bytes[CHANNEL_HEADER as usize..].split_at(usize::from(len) * ty.message_size as usize);
        zero(free)?;
        let mut is_known = vec![false; ty.message_size as usize];
        for field in &ty.fields {
            let at = field.offset as usize;
            is_known[at..at + field.scalar.size() as usize].fill(true);
        }
        for message in messages.chunks_exact((ty.message_size as usize).max(1)) {
            ty.fields
                .iter()
                .try_for_each(|field| value(message, field.offset as usize, field.scalar))?;
            let is_clean = is_known.iter().zip(message).all(|(&known, &byte)| known || byte == 0);
            is_clean.then_some(()).ok_or(RowError::Padding)?;
        }
        Ok(())
    }
}
