//! What an exploration asks of a model: successors as rows, and a report on each expansion.
//!
//! The interpreter ([`ModelSpace`](crate::interp::ModelSpace)) and native code answer alike.

use lariat_core::{Flat, Props, StateSpace, Word};

use crate::interp::{Fault, Move};

/// A model whose steps can be counted as Spin counts them. `dyn ModelSteps` is allowed.
///
/// A row is the hidden variables, padded to whole words, and the state, padded to the width
/// (see [`crate::interp::row`]).
/// Another thread may go on with it.
pub trait ModelSteps: StateSpace<Batch = Flat> + Send {
    /// About the state that was expanded last, if all its successors were taken: one call of
    /// `expand` from the start with room for all.
    fn report(&self) -> &StepReport;

    /// Expands a state as `expand` does, with room for all, and says who begins the steps: of which
    /// process the next successors are, and where they end. A rendezvous is a step of its sender.
    /// Nothing is said (`by` is empty) of a state that moves by a `timeout` only, or not at all.
    fn expand_by_process(&mut self, row: &[Word], out: &mut Flat, by: &mut Vec<Begun>);

    /// By command: whether it was executed so far.
    fn executed(&self) -> &[bool];

    /// By `d_step` and node: whether it was executed so far. Empty if nobody has looked.
    fn executed_in_d_steps(&self) -> &[Vec<bool>] {
        &[]
    }

    /// Propositions of the last call of `props` that could not be evaluated; they count as
    /// false there.
    fn undefined(&self) -> Props;

    /// Words of a row.
    fn width(&self) -> usize;

    /// Words that a row would have needed so far. If more than [`ModelSteps::width`], a
    /// successor was left out and the walk is interrupted.
    fn wanted_width(&self) -> usize;

    /// How many processes must have marks for a new start, where fairness is asked for.
    fn wanted_processes(&self) -> Option<u32> {
        None
    }

    /// Rows that have shown something about all rows so far. Who expands states that were found by this must have
    /// learned them before. There are few, and only more with time.
    fn lessons(&self) -> &[Box<[Word]>] {
        &[]
    }

    /// Learns from a row that another one has found.
    fn learn(&mut self, _row: &[Word]) {}

    /// Many states are to come: what takes time at first is done now.
    fn prepare(&mut self) {}

    /// Words at the start of a row that are not part of the state: states that differ only
    /// there are one.
    fn hidden_words(&self) -> usize;
}

/// Successors, one after the other, that one process begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Begun {
    pub pid: u8,
    /// Behind the last of them.
    pub end: u32,
}

/// What became of one expansion, besides the rows.
#[derive(Clone, Default, Debug)]
pub struct StepReport {
    /// No process can move, not even by a `timeout`.
    pub is_blocked: bool,
    /// Commands executed whose target is inside an atomic sequence.
    pub atomic_steps: u64,
    /// The longest sequence of commands to a state on the way that is no state of the model.
    pub deepest: u64,
    /// How many commands led to each successor. Empty: one command to each.
    pub commands: Vec<u32>,
    /// Faults on the way to successors or instead of them, by [`FaultAfter::after`].
    pub faults: Vec<FaultAfter>,
}

/// A fault, and its place in the order of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultAfter {
    pub fault: Fault,
    /// How many successors come before it.
    pub after: usize,
    /// The commands up to and with the one that is at fault.
    pub moves: Vec<Move>,
}

impl StepReport {
    pub fn clear(&mut self) {
        self.is_blocked = false;
        self.atomic_steps = 0;
        self.deepest = 0;
        self.commands.clear();
        self.faults.clear();
    }

    /// Commands to a successor.
    #[inline]
    pub fn commands_to(&self, successor: usize) -> u32 {
        self.commands.get(successor).copied().unwrap_or(1)
    }
}
