//! A transition of a process that communicates by handshakes: guard, communication and
//! assignments as one step. This is DVE's kind of command.

use super::{Assign, ChannelTypeId, ExprId, Place, Scalar};

/// Executable if the guard holds and the communication is possible.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Transition {
    /// Tested in the state before the step, as is that of the partner.
    pub guard: Option<ExprId>,
    pub sync: Option<Sync>,
    /// In order, each sees those before it. A value that does not fit is a fault.
    pub effects: Vec<Assign>,
    /// The offsets of the global variables that the effects assign to, arrays as a whole: two
    /// partners must not assign to the same one.
    pub writes: Vec<u32>,
}

impl Transition {
    /// The rendezvous channel that it sends to.
    pub fn offered(&self) -> Option<u16> {
        match self.sync {
            Some(Sync::Offer { channel, .. }) => Some(channel),
            _ => None,
        }
    }

    /// The rendezvous channel that it receives from.
    pub fn accepted(&self) -> Option<u16> {
        match self.sync {
            Some(Sync::Accept { channel, .. }) => Some(channel),
            _ => None,
        }
    }
}

/// Communication of a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sync {
    /// The sender of a rendezvous on the channel with this number. It moves with one receiver.
    Offer { channel: u16, values: Vec<OfferedValue> },
    /// The receiver of a rendezvous.
    Accept { channel: u16, targets: Vec<Place> },
    /// Appends a message to a queue that is not full.
    Put { queue: Queue, values: Vec<ExprId> },
    /// Takes the oldest message of a queue that is not empty.
    Take { queue: Queue, targets: Vec<Place> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfferedValue {
    pub value: ExprId,
    /// What a typed channel makes of the value.
    pub narrowed_to: Option<Scalar>,
}

/// A queue that is there from the start to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queue {
    /// Its number among the channels of the model, from 1.
    pub id: u8,
    pub channel_type: ChannelTypeId,
}

/// A process of the state vector that watches the others and does not belong to the system: a
/// Büchi automaton whose guards are tested on states. It moves whenever the system moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Which process it is; the last one.
    pub pid: u8,
    /// The acceptance sets of each control point, as bits, by number.
    pub marks: Vec<u64>,
    pub mark_count: u32,
}

/// Which steps a state has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Discipline {
    /// Promela: interleaving with `atomic`, handshakes by [`super::Send`] and
    /// [`super::Receive`], processes that come and go.
    #[default]
    Spin,
    /// DVE `system async`: interleaving of [`Transition`]s, committed control points first; a
    /// faulty step leads to one state of its own, the error state.
    Divine,
    /// DVE `system sync`: all processes move at once.
    DivineLockStep,
}
