//! Where things lie in a state.
//!
//! A state is a string of bytes, a multiple of 4 long, numbers little-endian:
//!
//! ```text
//! header      nr of processes, nr of channels, _last, control point of the event trace
//! globals
//! channels of the globals
//! process 0:  frame, its channels
//! process 1:  …
//!
//! frame       proctype, priority, location (2 bytes), parameters and locals
//! channel     channel type, nr of messages, 0, 0, then the messages, oldest first
//! ```
//!
//! Processes are created and end in stack order, and so do their channels: the position of a
//! frame follows from the processes below it. Free message slots are 0, and a rendezvous
//! channel has none, so equal states have equal bytes.

use super::ExprId;

/// Bytes before the globals.
pub const HEADER_SIZE: u32 = 4;
pub const NR_PROCESSES: usize = 0;
pub const NR_CHANNELS: usize = 1;
pub const LAST: usize = 2;
/// The control point of the event trace, or one of the numbers from [`MAX_EVENTS`] on: the
/// system stays inside an atomic sequence for ever ([`Divergence`]).
pub const EVENT: usize = 3;

/// A trace has fewer control points than this.
pub const MAX_EVENTS: usize = 252;

/// A run that stays inside an atomic sequence for ever. Nobody outside sees more of it than the
/// state before: so it is a copy of that state, of which no other step leads on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// A progress label is passed again and again.
    pub progress: bool,
    /// An `accept` label is.
    pub accept: bool,
}

impl Divergence {
    /// What a state is a copy for, if it is one.
    #[inline]
    pub fn of(state: &[u8]) -> Option<Divergence> {
        let kind = state[EVENT].checked_sub(MAX_EVENTS as u8)?;
        Some(Divergence { progress: kind & 1 != 0, accept: kind & 2 != 0 })
    }

    /// Makes a state the copy.
    pub fn mark(self, state: &mut [u8]) {
        state[EVENT] = MAX_EVENTS as u8 | self.progress as u8 | (self.accept as u8) << 1;
    }
}

/// Bytes of a frame before its variables.
pub const FRAME_HEADER: u32 = 4;
pub const FRAME_PROCTYPE: usize = 0;
pub const FRAME_PRIORITY: usize = 1;
pub const FRAME_LOCATION: usize = 2;

/// Bytes of a channel before its messages.
pub const CHANNEL_HEADER: u32 = 4;
pub const CHANNEL_TYPE: usize = 0;
pub const CHANNEL_LEN: usize = 1;

/// At most so many processes and so many channels at a time, as in Spin.
pub const MAX_LIVE: usize = 255;

/// How a number is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// Unsigned, so many bits (1 to 32).
    Bits(u8),
    Byte,
    /// Signed, 16 bits.
    Short,
    Int,
}

impl Scalar {
    /// Bytes in the state vector, also the alignment.
    pub fn size(self) -> u32 {
        match self {
            Scalar::Bits(0..=8) | Scalar::Byte => 1,
            Scalar::Bits(9..=16) | Scalar::Short => 2,
            Scalar::Bits(_) | Scalar::Int => 4,
        }
    }

    /// What is left of `value` when it is stored.
    #[inline]
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Scalar::Bits(bits @ 0..=31) => value & ((1 << bits) - 1),
            Scalar::Byte => value & 0xff,
            Scalar::Short => value as i16 as i32,
            Scalar::Bits(_) | Scalar::Int => value,
        }
    }

    /// Nothing is lost when `value` is stored.
    #[inline]
    pub fn fits(self, value: i32) -> bool {
        self.truncate(value) == value
    }

    #[inline]
    pub fn load(self, bytes: &[u8], at: usize) -> i32 {
        match self {
            Scalar::Bits(0..=8) | Scalar::Byte => bytes[at] as i32,
            Scalar::Bits(9..=16) => u16::from_le_bytes([bytes[at], bytes[at + 1]]) as i32,
            Scalar::Short => i16::from_le_bytes([bytes[at], bytes[at + 1]]) as i32,
            Scalar::Bits(_) | Scalar::Int => {
                let word = &bytes[at..at + 4];
                i32::from_le_bytes([word[0], word[1], word[2], word[3]])
            }
        }
    }

    /// Stores the truncated value.
    #[inline]
    pub fn store(self, bytes: &mut [u8], at: usize, value: i32) {
        let value = self.truncate(value);
        match self.size() {
            1 => bytes[at] = value as u8,
            2 => bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => bytes[at..at + 4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

/// What a place is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Region {
    /// The start of the state.
    Global,
    /// The frame of the process that evaluates.
    Local,
    /// The variables outside the state.
    Hidden,
    /// The write-only variable `_`: a store is lost.
    Nothing,
}

/// A scalar variable, or an element of an array, perhaps inside typedefs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub region: Region,
    pub offset: u32,
    pub scalar: Scalar,
    pub indices: Vec<Index>,
}

impl Place {
    pub fn simple(region: Region, offset: u32, scalar: Scalar) -> Place {
        Place { region, offset, scalar, indices: Vec::new() }
    }
}

/// One subscript of a place: adds `value * stride`, if `value < count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Index {
    pub value: ExprId,
    pub count: u32,
    pub stride: u32,
}

/// A variable as the user knows it, typedefs flattened: `t.a`, `v.a[1].b`.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub region: Region,
    pub offset: u32,
    pub scalar: Scalar,
    /// Elements, each of the scalar's size; `None` if it is no array.
    pub count: Option<u32>,
    pub kind: VariableKind,
}

/// What the numbers of a variable mean, for printing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableKind {
    Number,
    Bool,
    Channel,
    Pid,
    /// The set, if it has a name.
    Mtype(Option<String>),
}

/// Names a channel type of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChannelTypeId(pub u8);

/// What all channels made by one declaration have in common.
#[derive(Clone, Debug)]
pub struct ChannelType {
    /// The declared name, for traces.
    pub name: String,
    /// 0 for a rendezvous channel.
    pub capacity: u32,
    pub fields: Vec<MessageField>,
    /// Bytes of one message, padded to the alignment of its fields.
    pub message_size: u32,
    /// Bytes of the channel, header included; a multiple of 4.
    pub size: u32,
}

#[derive(Clone, Debug)]
pub struct MessageField {
    pub scalar: Scalar,
    /// Offset in the message.
    pub offset: u32,
    pub kind: VariableKind,
}

impl ChannelType {
    pub fn new(name: String, capacity: u32, fields: Vec<(Scalar, VariableKind)>) -> ChannelType {
        let mut packer = Packer::new(0);
        let mut placed = Vec::with_capacity(fields.len());
        for (scalar, kind) in fields {
            placed.push(MessageField { scalar, offset: packer.place(scalar, 1), kind });
        }
        let message_size = packer.finish();
        let contents = capacity.saturating_mul(message_size).min(MAX_OFFSET);
        let size = (CHANNEL_HEADER + contents).next_multiple_of(4);
        ChannelType { name, capacity, fields: placed, message_size, size }
    }

    pub fn is_rendezvous(&self) -> bool {
        self.capacity == 0
    }
}

/// Offsets stop here; users of [`Packer`] refuse far smaller sizes.
const MAX_OFFSET: u32 = 1 << 30;

/// Hands out aligned offsets; small things fill the gaps before large ones.
#[derive(Clone, Debug)]
pub struct Packer {
    next: u32,
    align: u32,
    /// Gaps left by alignment: start and end.
    gaps: Vec<(u32, u32)>,
}

impl Packer {
    pub fn new(start: u32) -> Packer {
        Packer { next: start, align: 1, gaps: Vec::new() }
    }

    pub fn place(&mut self, scalar: Scalar, count: u32) -> u32 {
        self.place_block(scalar.size().saturating_mul(count), scalar.size())
    }

    pub fn place_block(&mut self, size: u32, align: u32) -> u32 {
        let size = size.min(MAX_OFFSET);
        self.align = self.align.max(align);
        for gap in &mut self.gaps {
            let at = gap.0.next_multiple_of(align);
            if at == gap.0 && at + size <= gap.1 {
                gap.0 += size;
                return at;
            }
        }
        let at = self.next.next_multiple_of(align);
        if at > self.next {
            self.gaps.push((self.next, at));
        }
        self.next = (at + size).min(MAX_OFFSET);
        at
    }

    pub fn align(&self) -> u32 {
        self.align
    }

    /// The size of it all, padded so that blocks can follow each other.
    pub fn finish(&self) -> u32 {
        self.next.next_multiple_of(self.align)
    }
}
