//! The memory of the interpreter: one state, taken apart, that steps change in place.

use super::fault::{Fault, FaultKind};
use crate::ir::layout::{
    CHANNEL_LEN, CHANNEL_TYPE, EVENT, FRAME_LOCATION, FRAME_PRIORITY, FRAME_PROCTYPE, LAST,
    MAX_LIVE, NR_CHANNELS, NR_PROCESSES,
};
use crate::ir::{
    ChannelType, ChannelTypeId, Init, LocationId, Model, Place, ProctypeId, Region, Scalar,
};
use lariat_syntax::diagnostics::Span;

/// The process in whose name something is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) pid: u8,
    /// Where its frame starts.
    pub(super) base: usize,
}

/// A rendezvous send that waits for its receiver, within one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Handshake {
    pub(super) channel: u8,
    pub(super) sender: u8,
}

pub(super) struct Machine<'m> {
    pub(super) model: &'m Model,
    /// The state.
    pub(super) memory: Vec<u8>,
    /// The variables outside the state.
    pub(super) hidden: Vec<u8>,
    /// Where the frames start, by pid.
    pub(super) frames: Vec<u32>,
    /// Where the channels start, by id - 1.
    pub(super) channels: Vec<u32>,
    pub(super) handshake: Option<Handshake>,
    /// The message of the handshake.
    pub(super) message: Vec<i32>,
    /// Whether `timeout` is true.
    pub(super) timeout: bool,
    /// Only asking whether something could be done: `run` creates nothing.
    pub(super) testing: bool,
    pub(super) faults: Vec<Fault>,
    /// Text of `printf` statements since it was last taken; only if `print` is set.
    pub(super) output: String,
    pub(super) print: bool,
    /// All channels are rendezvous channels.
    pub(super) rendezvous_only: bool,
    /// Processes have come or gone since `frames` and `channels` were in step with a saved
    /// state.
    pub(super) reshaped: bool,
    /// By `d_step` and node: whether it was executed.
    pub(super) d_step_nodes: Vec<Vec<bool>>,
    global_channels: Vec<ChannelTypeId>,
    /// Control points have dead variables.
    has_dead: bool,
}

impl<'m> Machine<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let mut global_channels = Vec::new();
        for init in &model.global_inits {
            if let Init::Channels { count, channel, .. } = init {
                global_channels.extend(std::iter::repeat_n(*channel, *count as usize));
            }
        }
        let types = &model.channel_types;
        Machine {
            model,
            memory: Vec::new(),
            hidden: vec![0; model.hidden_size as usize],
            frames: Vec::new(),
            channels: Vec::new(),
            handshake: None,
            message: Vec::new(),
            timeout: false,
            testing: false,
            faults: Vec::new(),
            output: String::new(),
            print: false,
            rendezvous_only: !types.is_empty() && types.iter().all(ChannelType::is_rendezvous),
            reshaped: false,
            d_step_nodes: model.d_steps.iter().map(|d| vec![false; d.nodes.len()]).collect(),
            global_channels,
            has_dead: model
                .proctypes
                .iter()
                .flat_map(|proctype| &proctype.locations)
                .any(|location| !location.dead.is_empty()),
        }
    }

    /// Makes the initial state.
    pub(super) fn reset(&mut self) {
        self.memory.clear();
        self.memory.resize(self.model.globals_size as usize, 0);
        self.hidden.fill(0);
        self.frames.clear();
        self.channels.clear();
        self.handshake = None;
        let nobody = Context { pid: 0, base: 0 };
        for init in &self.model.global_inits {
            self.initialise(init, nobody);
        }
        if let Some(trace) = &self.model.trace {
            self.memory[EVENT] = self.model.proctype(trace.proctype).initial.0 as u8;
        }
        for process in &self.model.initial_processes {
            self.create(process.proctype, process.priority, &[], Span::NOWHERE);
        }
    }

    /// Takes a state; what follows the live part is ignored.
    pub(super) fn load(&mut self, state: &[u8]) {
        self.memory.clear();
        self.memory.extend_from_slice(state);
        let length = self.find_shape();
        self.memory.truncate(length);
        self.handshake = None;
        self.timeout = false;
    }

    /// Finds where frames and channels start.
    pub(super) fn find_shape(&mut self) -> usize {
        let model = self.model;
        self.frames.clear();
        self.channels.clear();
        let mut at = model.globals_size;
        for &channel in &self.global_channels {
            self.channels.push(at);
            at += model.channel_types[channel.0 as usize].size;
        }
        for _ in 0..self.memory[NR_PROCESSES] {
            self.frames.push(at);
            let proctype = &model.proctypes[self.memory[at as usize + FRAME_PROCTYPE] as usize];
            at += proctype.frame_size;
            for &channel in &proctype.channels {
                self.channels.push(at);
                at += model.channel_types[channel.0 as usize].size;
            }
        }
        self.reshaped = false;
        at as usize
    }

    #[inline]
    pub(super) fn context(&self, pid: usize) -> Context {
        Context { pid: pid as u8, base: self.frames[pid] as usize }
    }

    #[inline]
    pub(super) fn proctype_at(&self, base: usize) -> ProctypeId {
        ProctypeId(self.memory[base + FRAME_PROCTYPE])
    }

    #[inline]
    pub(super) fn location_at(&self, base: usize) -> LocationId {
        let at = base + FRAME_LOCATION;
        LocationId(u16::from_le_bytes([self.memory[at], self.memory[at + 1]]))
    }

    #[inline]
    pub(super) fn set_location(&mut self, base: usize, location: LocationId) {
        let at = base + FRAME_LOCATION;
        self.memory[at..at + 2].copy_from_slice(&location.0.to_le_bytes());
    }

    /// Puts 0 into the variables of a process that are dead at its control point.
    #[inline]
    pub(super) fn bury(&mut self, base: usize) {
        if self.has_dead {
            let proctype = self.model.proctype(self.proctype_at(base));
            let location = &proctype.locations[self.location_at(base).0 as usize];
            for &(start, end) in &location.dead {
                self.memory[base + start as usize..base + end as usize].fill(0);
            }
        }
    }

    /// The same for all processes.
    pub(super) fn bury_all(&mut self) {
        for pid in 0..if self.has_dead { self.frames.len() } else { 0 } {
            self.bury(self.frames[pid] as usize);
        }
    }

    pub(super) fn priority_at(&self, base: usize) -> u8 {
        self.memory[base + FRAME_PRIORITY]
    }

    pub(super) fn set_priority(&mut self, base: usize, priority: u8) {
        self.memory[base + FRAME_PRIORITY] = priority;
    }

    pub(super) fn set_last(&mut self, pid: u8) {
        self.memory[LAST] = pid;
    }

    pub(super) fn last(&self) -> u8 {
        self.memory[LAST]
    }

    pub(super) fn fault(&mut self, kind: FaultKind, span: Span) {
        self.faults.push(Fault { kind, span });
    }

    #[inline]
    pub(super) fn read(&self, region: Region, offset: u32, scalar: Scalar, who: Context) -> i32 {
        match region {
            Region::Global => scalar.load(&self.memory, offset as usize),
            Region::Local => scalar.load(&self.memory, who.base + offset as usize),
            Region::Hidden => scalar.load(&self.hidden, offset as usize),
            Region::Nothing => 0,
        }
    }

    #[inline]
    pub(super) fn write(&mut self, place: &Place, offset: u32, who: Context, value: i32) {
        let scalar = place.scalar;
        match place.region {
            Region::Global => scalar.store(&mut self.memory, offset as usize, value),
            Region::Local => scalar.store(&mut self.memory, who.base + offset as usize, value),
            Region::Hidden => scalar.store(&mut self.hidden, offset as usize, value),
            Region::Nothing => {}
        }
    }

    /// Makes a process with these arguments; its pid.
    pub(super) fn create(
        &mut self,
        id: ProctypeId,
        priority: u8,
        args: &[i32],
        span: Span,
    ) -> Option<u8> {
        if self.frames.len() >= MAX_LIVE {
            self.fault(FaultKind::TooManyProcesses, span);
            return None;
        }
        let proctype = self.model.proctype(id);
        let base = self.memory.len();
        let pid = self.frames.len() as u8;
        self.reshaped = true;
        self.memory.resize(base + proctype.frame_size as usize, 0);
        self.frames.push(base as u32);
        self.memory[NR_PROCESSES] += 1;
        self.memory[base + FRAME_PROCTYPE] = id.0;
        if self.model.uses.priorities {
            self.set_priority(base, priority);
        }
        self.set_location(base, proctype.initial);
        for (variable, &value) in proctype.variables[..proctype.params].iter().zip(args) {
            variable.scalar.store(&mut self.memory, base + variable.offset as usize, value);
        }
        let who = Context { pid, base };
        for init in &proctype.inits {
            self.initialise(init, who);
        }
        self.bury(base);
        Some(pid)
    }

    fn initialise(&mut self, init: &'m Init, who: Context) {
        match init {
            Init::Fill { place, count, value } => {
                let value = self.eval(*value, who);
                for element in 0..*count {
                    let offset = place.offset + element * place.scalar.size();
                    self.write(place, offset, who, value);
                }
            }
            Init::Channels { place, count, channel } => {
                for element in 0..*count {
                    let Some(id) = self.add_channel(*channel) else { return };
                    let offset = place.offset + element * place.scalar.size();
                    self.write(place, offset, who, id as i32);
                }
            }
        }
    }

    fn add_channel(&mut self, channel: ChannelTypeId) -> Option<u8> {
        if self.channels.len() >= MAX_LIVE {
            self.fault(FaultKind::TooManyChannels, Span::NOWHERE);
            return None;
        }
        let base = self.memory.len();
        let size = self.model.channel_types[channel.0 as usize].size;
        self.memory.resize(base + size as usize, 0);
        self.memory[base + CHANNEL_TYPE] = channel.0;
        self.channels.push(base as u32);
        self.memory[NR_CHANNELS] += 1;
        Some(self.channels.len() as u8)
    }

    /// Ends the youngest process, and its channels.
    pub(super) fn end_youngest(&mut self) {
        let Some(base) = self.frames.pop() else { return };
        while self.channels.last().is_some_and(|&channel| channel > base) {
            self.channels.pop();
            self.memory[NR_CHANNELS] -= 1;
        }
        self.memory.truncate(base as usize);
        self.memory[NR_PROCESSES] -= 1;
        self.reshaped = true;
    }

    /// Start and type of a channel that lives.
    #[inline]
    pub(super) fn channel(&self, id: i32) -> Option<(usize, &'m ChannelType)> {
        let at = *self.channels.get(usize::try_from(id).ok()?.checked_sub(1)?)? as usize;
        Some((at, &self.model.channel_types[self.memory[at + CHANNEL_TYPE] as usize]))
    }

    #[inline]
    pub(super) fn message_count(&self, channel: usize) -> usize {
        self.memory[channel + CHANNEL_LEN] as usize
    }

    pub(super) fn set_message_count(&mut self, channel: usize, count: usize) {
        self.memory[channel + CHANNEL_LEN] = count as u8;
    }
}
