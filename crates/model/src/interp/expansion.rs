//! What comes out of expanding a state.

use super::fault::Fault;
use crate::ir::CommandId;

/// A command executed by a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    pub pid: u8,
    pub command: CommandId,
}

/// A fault on the way to a successor, or instead of one.
#[derive(Clone, Debug)]
pub struct FaultAt {
    pub fault: Fault,
    /// How many successors come before it in the order of the search.
    pub after: usize,
    moves: std::ops::Range<u32>,
}

/// The successors of a state in flat buffers, to be used again and again.
#[derive(Default, Debug)]
pub struct Expansion {
    bytes: Vec<u8>,
    hidden: Vec<u8>,
    moves: Vec<Move>,
    successors: Vec<Successor>,
    faults: Vec<FaultAt>,
    /// No process can move, not even by a `timeout`.
    pub is_blocked: bool,
    /// Nothing moves but by a `timeout`.
    pub by_timeout: bool,
    /// Commands executed.
    pub steps: u64,
    /// Commands executed whose target is inside an atomic sequence.
    pub atomic_steps: u64,
    /// The longest sequence of commands to a state on the way that is no state of the model.
    pub deepest: usize,
    /// Some way through an atomic sequence has no end.
    pub diverges: bool,
    /// Commands between states inside atomic sequences that were remembered, which need not be on
    /// the way to any successor.
    pub(super) inside: Vec<CommandId>,
}

#[derive(Clone, Copy, Debug)]
struct Successor {
    bytes_end: u32,
    hidden_end: u32,
    moves: (u32, u32),
}

impl Expansion {
    pub fn new() -> Expansion {
        Expansion::default()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.hidden.clear();
        self.moves.clear();
        self.successors.clear();
        self.faults.clear();
        self.is_blocked = false;
        self.by_timeout = false;
        self.steps = 0;
        self.atomic_steps = 0;
        self.deepest = 0;
        self.diverges = false;
        self.inside.clear();
    }

    /// Forgets what was found since the expansion began, but for what it has cost.
    pub(super) fn start_again(&mut self) {
        let steps = self.steps;
        self.clear();
        self.steps = steps;
    }

    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Bytes of all successors and of the ways to them.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + self.hidden.len() + self.moves.len() * size_of::<Move>()
    }

    /// The bytes of a successor.
    pub fn state(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |at| self.successors[at].bytes_end);
        &self.bytes[start as usize..self.successors[at].bytes_end as usize]
    }

    /// The variables outside the state, after the step.
    pub fn hidden(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |at| self.successors[at].hidden_end);
        &self.hidden[start as usize..self.successors[at].hidden_end as usize]
    }

    /// What led to a successor: one command, or the commands of an atomic sequence or of a
    /// rendezvous, in order.
    pub fn moves(&self, at: usize) -> &[Move] {
        let (start, end) = self.successors[at].moves;
        &self.moves[start as usize..end as usize]
    }

    pub fn faults(&self) -> &[FaultAt] {
        &self.faults
    }

    /// The commands up to and with the one that is at fault.
    pub fn fault_moves(&self, fault: &FaultAt) -> &[Move] {
        &self.moves[fault.moves.start as usize..fault.moves.end as usize]
    }

    pub(super) fn push(&mut self, state: &[u8], hidden: &[u8], path: &[Move]) {
        let moves_start = self.moves.len() as u32;
        self.bytes.extend_from_slice(state);
        self.hidden.extend_from_slice(hidden);
        self.moves.extend_from_slice(path);
        self.successors.push(Successor {
            bytes_end: self.bytes.len() as u32,
            hidden_end: self.hidden.len() as u32,
            moves: (moves_start, self.moves.len() as u32),
        });
    }

    pub(super) fn push_fault(&mut self, fault: Fault, path: &[Move]) {
        let start = self.moves.len() as u32;
        self.moves.extend_from_slice(path);
        let after = self.successors.len();
        self.faults.push(FaultAt { fault, after, moves: start..self.moves.len() as u32 });
    }
}
