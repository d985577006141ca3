//! The reference interpreter: what a model means, clear before fast.
//!
//! [`Interp`] gives the initial state, the successors of a state and the value of expressions.
//! Native code is compared with it.
//!
//! - `machine`: one state taken apart, changed in place
//! - `eval`, `channel`, `step`: what expressions, messages and commands do
//! - `divine`: the same for DVE, where a command is a whole transition
//! - `walk`: which commands may be executed, in which order, and what counts as a state
//! - `inner`: the states inside atomic sequences, where these have loops
//! - `property`: a model with its property process, for emptiness checks
//! - `commands`: from the rows of a path to what was executed
//! - `follow`: a known step once more, command by command
//! - `trace`: the order of messages that is demanded or forbidden
//! - `fairness`: who takes part in a step, as acceptance marks
//! - `row`, `space`: the same as rows of words for the searches of other crates

mod channel;
pub mod commands;
mod divine;
mod eval;
mod expansion;
mod fairness;
mod fault;
mod follow;
mod inner;
mod lock_step;
mod machine;
mod print;
mod property;
pub mod row;
mod space;
mod step;
mod trace;
mod validate;
mod walk;

pub use expansion::{Expansion, FaultAt, Move};
pub use fairness::{FairMarks, Fairness, Pids};
pub use fault::{Fault, FaultKind};
pub use follow::Followed;
pub use property::PropertyGraph;
pub use space::ModelSpace;
pub use walk::FORGETFUL_STEPS;

use crate::ir::layout::{FRAME_PROCTYPE, NR_PROCESSES};
use crate::ir::transition::Discipline;
use crate::ir::{
    ChannelType, CommandId, ExprId, Location, LocationId, Model, ProctypeId, Variable,
};
use divine::Divine;
use machine::{Context, Machine};
use walk::Walk;

/// Interprets a model.
pub struct Interp<'m> {
    machine: Machine<'m>,
    walk: Walk,
    divine: Divine,
}

/// A process of a state.
#[derive(Clone, Copy, Debug)]
pub struct Process<'m> {
    pub pid: u8,
    pub proctype: ProctypeId,
    pub at: LocationId,
    pub location: &'m Location,
    /// Where its frame starts in the state.
    pub base: usize,
}

/// A channel of a state.
#[derive(Clone, Debug)]
pub struct Channel {
    pub id: u8,
    pub channel_type: crate::ir::ChannelTypeId,
    /// Field values, the oldest message first.
    pub messages: Vec<Vec<i32>>,
}

impl<'m> Interp<'m> {
    pub fn new(model: &'m Model) -> Self {
        let mut walk = Walk::default();
        walk.shows_divergences = true;
        Interp { machine: Machine::new(model), walk, divine: Divine::default() }
    }

    pub fn model(&self) -> &'m Model {
        self.machine.model
    }

    /// By `d_step` and node: whether it was executed so far.
    pub fn executed_in_d_steps(&self) -> &[Vec<bool>] {
        &self.machine.d_step_nodes
    }

    /// The initial state, and the variables outside of it. Faults of initialisers are errors
    /// of the model.
    pub fn initial(&mut self) -> Result<(Vec<u8>, Vec<u8>), Vec<Fault>> {
        if let Some(start) = &self.machine.model.start {
            return Ok(start.clone());
        }
        self.machine.faults.clear();
        self.machine.reset();
        if self.machine.faults.is_empty() {
            Ok((self.machine.memory.clone(), self.machine.hidden.clone()))
        } else {
            Err(std::mem::take(&mut self.machine.faults))
        }
    }

    /// Runs that stay inside an atomic sequence for ever are no successors. Without this, each
    /// leads to a copy of the state in which it began ([`Divergence`]).
    ///
    /// [`Divergence`]: crate::ir::layout::Divergence
    pub fn without_divergences(mut self) -> Self {
        self.walk.shows_divergences = false;
        self
    }

    /// Finds the successors of a state, in Spin's order. `out` is empty before.
    pub fn successors(&mut self, state: &[u8], hidden: &[u8], out: &mut Expansion) {
        self.machine.load(state);
        self.machine.hidden.copy_from_slice(hidden);
        match self.machine.model.discipline {
            Discipline::Spin => self.walk.run(&mut self.machine, out),
            Discipline::Divine | Discipline::DivineLockStep => {
                self.divine.run(&mut self.machine, out);
            }
        }
    }

    /// Where a faulty step of a DVE model leads: its variables have no meaning.
    pub fn is_error_state(&self, state: &[u8]) -> bool {
        self.model().discipline != Discipline::Spin && state[NR_PROCESSES] == 0
    }

    /// All processes are at an end: finished, or at a label that starts with `end`. So is a
    /// `trace`, unless all processes are gone.
    pub fn is_valid_end(&mut self, state: &[u8]) -> bool {
        self.load(state);
        let traced = self.machine.model.trace.as_ref().is_none_or(|trace| {
            let at = self.machine.trace_location().0 as usize;
            trace.negated
                || self.machine.frames.is_empty()
                || self.machine.model.proctype(trace.proctype).locations[at].is_end
        });
        traced && self.processes().all(|process| process.location.is_end)
    }

    /// The value of an expression over globals, or in the name of a process, in the state that
    /// was loaded last.
    pub fn eval_loaded(&mut self, expr: ExprId, pid: Option<u8>) -> Result<i32, Fault> {
        self.machine.faults.clear();
        let who = match pid.filter(|&pid| (pid as usize) < self.machine.frames.len()) {
            Some(pid) => self.machine.context(pid as usize),
            None => Context { pid: u8::MAX, base: 0 },
        };
        self.machine.testing = true;
        let value = self.machine.eval(expr, who);
        self.machine.testing = false;
        match self.machine.faults.first() {
            Some(&fault) => Err(fault),
            None => Ok(value),
        }
    }

    /// Makes a state the one that the questions below are about.
    pub fn load(&mut self, state: &[u8]) {
        self.machine.load(state);
    }

    /// As [`Interp::load`], with the variables outside the state.
    pub fn load_with_hidden(&mut self, state: &[u8], hidden: &[u8]) {
        self.machine.load(state);
        self.machine.hidden.copy_from_slice(hidden);
    }

    /// Whether the own condition of a command holds for a process of the loaded state: not that of
    /// `provided`, of escapes, of `else` beside it, or of DVE's transitions. A rendezvous send
    /// counts as possible, a rendezvous receive does not, whoever is there.
    pub fn can_begin(&mut self, pid: u8, command: CommandId) -> Result<bool, Fault> {
        let who = self.machine.context(pid as usize);
        self.machine.faults.clear();
        self.machine.testing = true;
        let can = self.machine.can_execute(&self.machine.model.command(command).action, who);
        self.machine.testing = false;
        match self.machine.faults.first() {
            Some(&fault) => Err(fault),
            None => Ok(can),
        }
    }

    /// How many messages are in a channel of the loaded state, and its type; none if there is no
    /// such channel.
    pub fn fill(&self, id: i32) -> Option<(usize, &'m ChannelType)> {
        let (base, ty) = self.machine.channel(id)?;
        Some((self.machine.message_count(base), ty))
    }

    /// The bytes of the loaded state.
    pub fn loaded(&self) -> &[u8] {
        &self.machine.memory
    }

    /// The processes of the loaded state, oldest first.
    pub fn processes(&self) -> impl Iterator<Item = Process<'m>> + '_ {
        let model = self.machine.model;
        self.machine.frames.iter().enumerate().map(move |(pid, &base)| {
            let base = base as usize;
            let proctype = ProctypeId(self.machine.memory[base + FRAME_PROCTYPE]);
            let at = self.machine.location_at(base);
            let location = &model.proctype(proctype).locations[at.0 as usize];
            Process { pid: pid as u8, proctype, at, location, base }
        })
    }

    /// The channels of the loaded state, by id.
    pub fn channels(&self) -> Vec<Channel> {
        (1..=self.machine.channels.len() as u8)
            .filter_map(|id| self.machine.describe_channel(id))
            .collect()
    }

    /// The values of a variable in the loaded state; of a process, if it is a local one.
    pub fn values(&self, variable: &Variable, process: Option<&Process<'_>>) -> Vec<i32> {
        let who = Context {
            pid: process.map_or(0, |process| process.pid),
            base: process.map_or(0, |process| process.base),
        };
        (0..variable.count.unwrap_or(1))
            .map(|element| {
                let offset = variable.offset + element * variable.scalar.size();
                self.machine.read(variable.region, offset, variable.scalar, who)
            })
            .collect()
    }
}
