//! The successors of a state of a DVE model, as DiVinE 2 has them.
//!
//! Every transition, or pair of transitions that meet in a rendezvous, is one step. A faulty
//! step leads to the error state: all zeros, no processes, no steps. A property process takes
//! one of its own transitions with every step, its guards tested before the step; it moves
//! alone where the system cannot.

use super::expansion::{Expansion, Move};
use super::fault::{Fault, FaultKind};
use super::machine::{Context, Machine};
use crate::ir::layout::CHANNEL_HEADER;
use crate::ir::transition::{Discipline, OfferedValue, Queue, Sync, Transition};
use crate::ir::{Action, Assign, CommandId, ExprId, LocationId, Place};

/// Buffers of the walk, kept from call to call.
#[derive(Default)]
pub(super) struct Divine {
    source: Vec<u8>,
    /// The successor of the system, while the property moves.
    system: Vec<u8>,
    pub(super) path: Vec<Move>,
    /// The property's transitions that are enabled in the source state; no list without a
    /// property.
    property: Option<Vec<Candidate>>,
    /// Some process is at a committed control point: the others wait.
    committed: bool,
    /// How many processes belong to the system.
    pub(super) processes: usize,
    offsets: Vec<u32>,
    values: Vec<i32>,
    /// In a lock-step system: the enabled transitions of each process.
    pub(super) choices: Vec<Vec<Candidate>>,
}

/// A transition whose guard holds, or fails to evaluate.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) command: CommandId,
    pub(super) fault: Option<Fault>,
}

/// Both sides of a rendezvous, or the one process of another step.
#[derive(Clone, Copy)]
pub(super) struct Party<'m> {
    pub(super) who: Context,
    command: CommandId,
    pub(super) target: LocationId,
    pub(super) transition: &'m Transition,
}

impl Divine {
    /// Appends the successors of the state in `machine`.
    pub(super) fn run(&mut self, machine: &mut Machine<'_>, out: &mut Expansion) {
        machine.faults.clear();
        out.is_blocked = true;
        if machine.frames.is_empty() {
            return;
        }
        self.source.clear();
        self.source.extend_from_slice(&machine.memory);
        self.path.clear();
        let model = machine.model;
        self.processes = model.property.as_ref().map_or(machine.frames.len(), |p| p.pid as usize);
        self.committed = (0..machine.frames.len()).any(|pid| is_committed(machine, pid));
        if model.uses.asserts {
            check_asserts(machine, out);
        }
        self.property = model.property.as_ref().map(|property| {
            let mut enabled = Vec::new();
            candidates(machine, property.pid as usize, &mut enabled);
            enabled
        });
        let moved = match model.discipline {
            Discipline::DivineLockStep => self.lock_step(machine, out),
            _ => self.interleave(machine, out),
        };
        if !moved && self.property.is_some() {
            self.finish(machine, out);
        }
    }

    /// One process moves, or two that meet. Whether there was a step.
    fn interleave(&mut self, machine: &mut Machine<'_>, out: &mut Expansion) -> bool {
        let mut moved = false;
        for pid in 0..self.processes {
            if self.committed && !is_committed(machine, pid) {
                continue;
            }
            for edge in edges(machine, pid) {
                let party = party(machine, pid, edge.command);
                moved |= match &party.transition.sync {
                    None => self.alone(machine, party, out),
                    Some(Sync::Put { queue, .. } | Sync::Take { queue, .. }) => {
                        is_ready(machine, party.transition, *queue)
                            && self.alone(machine, party, out)
                    }
                    Some(Sync::Offer { channel, values }) => {
                        self.rendezvous(machine, party, *channel, values, out)
                    }
                    // The sender looks for its receivers.
                    Some(Sync::Accept { .. }) => false,
                };
            }
        }
        moved
    }

    /// A step of one process.
    fn alone(&mut self, machine: &mut Machine<'_>, party: Party<'_>, out: &mut Expansion) -> bool {
        if !passes(machine, party.transition, party.who) {
            return false;
        }
        self.path.push(Move { pid: party.who.pid, command: party.command });
        if machine.faults.is_empty() {
            self.take_step(machine, party);
        }
        self.finish(machine, out);
        true
    }

    /// The effects of the transition, then the message: DiVinE sends what the effects have
    /// left, and stores what is received over them.
    fn take_step(&mut self, machine: &mut Machine<'_>, party: Party<'_>) {
        let Party { who, transition, target, .. } = party;
        machine.set_location(who.base, target);
        if !apply(machine, &transition.effects, who) {
            return;
        }
        match &transition.sync {
            Some(Sync::Put { queue, values }) => {
                self.values.clear();
                for &value in values {
                    let value = machine.eval(value, who);
                    self.values.push(value);
                }
                put(machine, *queue, &self.values);
            }
            Some(Sync::Take { queue, targets }) => {
                let (channel, ty) = machine.channel(queue.id as i32).expect("queues are for ever");
                self.values.clear();
                for at in 0..ty.fields.len() {
                    self.values.push(machine.field(channel, ty, 0, at));
                }
                machine.remove_message(channel, ty, 0);
                for (place, &value) in targets.iter().zip(&self.values) {
                    if let Some(offset) = machine.resolve(place, who, NO_EXPR) {
                        store(machine, place, offset, who, value, party.command);
                    }
                }
            }
            Some(Sync::Offer { .. } | Sync::Accept { .. }) | None => {}
        }
    }

    /// One step for every receiver that is ready.
    fn rendezvous(
        &mut self,
        machine: &mut Machine<'_>,
        sender: Party<'_>,
        number: u16,
        values: &[OfferedValue],
        out: &mut Expansion,
    ) -> bool {
        if !passes(machine, sender.transition, sender.who) {
            return false;
        }
        let sender_fault = machine.faults.pop();
        let mut moved = false;
        for pid in (0..self.processes).filter(|&pid| pid != sender.who.pid as usize) {
            if self.committed && !is_committed(machine, pid) {
                continue;
            }
            for edge in edges(machine, pid) {
                let receiver = party(machine, pid, edge.command);
                let Some(Sync::Accept { channel, targets }) = &receiver.transition.sync else {
                    continue;
                };
                if *channel != number || !passes(machine, receiver.transition, receiver.who) {
                    continue;
                }
                moved = true;
                machine.faults.extend(sender_fault);
                self.path.push(Move { pid: sender.who.pid, command: sender.command });
                self.path.push(Move { pid: receiver.who.pid, command: receiver.command });
                if machine.faults.is_empty() {
                    self.meet(machine, sender, receiver, values, targets);
                }
                self.finish(machine, out);
            }
        }
        moved
    }

    /// The values, then the receiver's effects, then the sender's. Subscripts of the receiver's
    /// variables have their old values; a value sees those that were passed before it.
    fn meet(
        &mut self,
        machine: &mut Machine<'_>,
        sender: Party<'_>,
        receiver: Party<'_>,
        values: &[OfferedValue],
        targets: &[Place],
    ) {
        if clash(sender.transition, receiver.transition) {
            let span = machine.model.command(sender.command).span;
            machine.fault(FaultKind::DoubleAssignment, span);
            return;
        }
        self.offsets.clear();
        for place in targets {
            let Some(offset) = machine.resolve(place, receiver.who, NO_EXPR) else { return };
            self.offsets.push(offset);
        }
        for ((offered, place), &offset) in values.iter().zip(targets).zip(&self.offsets) {
            let value = machine.eval(offered.value, sender.who);
            let value = offered.narrowed_to.map_or(value, |scalar| scalar.truncate(value));
            store(machine, place, offset, receiver.who, value, receiver.command);
        }
        machine.set_location(sender.who.base, sender.target);
        machine.set_location(receiver.who.base, receiver.target);
        if machine.faults.is_empty() && apply(machine, &receiver.transition.effects, receiver.who) {
            apply(machine, &sender.transition.effects, sender.who);
        }
    }

    /// Adds the step that `path` tells and `machine` has done, once for every transition of the
    /// property, and goes back to the source state.
    pub(super) fn finish(&mut self, machine: &mut Machine<'_>, out: &mut Expansion) {
        match self.property.take() {
            None => self.emit(machine, out),
            Some(enabled) => {
                let faults = std::mem::take(&mut machine.faults);
                self.system.clear();
                self.system.extend_from_slice(&machine.memory);
                for candidate in &enabled {
                    machine.memory.copy_from_slice(&self.system);
                    machine.faults.extend(faults.iter().copied().chain(candidate.fault));
                    self.move_property(machine, candidate.command);
                    self.emit(machine, out);
                    self.path.pop();
                }
                self.property = Some(enabled);
            }
        }
        machine.faults.clear();
        machine.memory.copy_from_slice(&self.source);
        self.path.clear();
    }

    fn move_property(&mut self, machine: &mut Machine<'_>, command: CommandId) {
        let own = party(machine, self.processes, command);
        self.path.push(Move { pid: own.who.pid, command });
        if machine.faults.is_empty() {
            machine.set_location(own.who.base, own.target);
            apply(machine, &own.transition.effects, own.who);
        }
    }

    fn emit(&mut self, machine: &mut Machine<'_>, out: &mut Expansion) {
        out.is_blocked = false;
        out.steps += 1;
        if machine.faults.is_empty() {
            machine.bury_all();
            out.push(&machine.memory, &machine.hidden, &self.path);
            return;
        }
        for fault in machine.faults.drain(..) {
            out.push_fault(fault, &self.path);
        }
        machine.memory.fill(0);
        let processes = machine.frames.first().map_or(0, |&base| base as usize);
        out.push(&machine.memory[..processes], &machine.hidden, &self.path);
    }
}

/// For subscripts, which have spans of their own.
const NO_EXPR: ExprId = ExprId(0);

fn is_committed(machine: &Machine<'_>, pid: usize) -> bool {
    let base = machine.frames[pid] as usize;
    let proctype = machine.model.proctype(machine.proctype_at(base));
    proctype.locations[machine.location_at(base).0 as usize].is_committed
}

fn edges<'m>(machine: &Machine<'m>, pid: usize) -> &'m [crate::ir::Edge] {
    let base = machine.frames[pid] as usize;
    let proctype = machine.model.proctype(machine.proctype_at(base));
    &proctype.locations[machine.location_at(base).0 as usize].edges
}

pub(super) fn party<'m>(machine: &Machine<'m>, pid: usize, id: CommandId) -> Party<'m> {
    let command = machine.model.command(id);
    let Action::Transition(transition) = &command.action else {
        unreachable!("models of this discipline have transitions only")
    };
    Party { who: machine.context(pid), command: id, target: command.target, transition }
}

/// Whether the guard lets a transition pass; one that fails to evaluate does, into the error
/// state, and leaves its fault.
fn passes(machine: &mut Machine<'_>, transition: &Transition, who: Context) -> bool {
    match transition.guard {
        None => true,
        Some(guard) => machine.eval(guard, who) != 0 || !machine.faults.is_empty(),
    }
}

/// The transitions of a process that pass.
pub(super) fn candidates(machine: &mut Machine<'_>, pid: usize, enabled: &mut Vec<Candidate>) {
    for edge in edges(machine, pid) {
        let party = party(machine, pid, edge.command);
        if passes(machine, party.transition, party.who) {
            let fault = machine.faults.first().copied();
            machine.faults.clear();
            enabled.push(Candidate { command: edge.command, fault });
        }
    }
}

/// A queue has room, or a message.
fn is_ready(machine: &Machine<'_>, transition: &Transition, queue: Queue) -> bool {
    let (channel, ty) = machine.channel(queue.id as i32).expect("queues are for ever");
    let count = machine.message_count(channel);
    match transition.sync {
        Some(Sync::Put { .. }) => count < ty.capacity as usize,
        _ => count > 0,
    }
}

/// Appends a message; values are narrowed to the slots, missing ones are 0.
fn put(machine: &mut Machine<'_>, queue: Queue, values: &[i32]) {
    let (channel, ty) = machine.channel(queue.id as i32).expect("queues are for ever");
    let count = machine.message_count(channel);
    let slot = channel + CHANNEL_HEADER as usize + count * ty.message_size as usize;
    for (field, &value) in ty.fields.iter().zip(values) {
        field.scalar.store(&mut machine.memory, slot + field.offset as usize, value);
    }
    machine.set_message_count(channel, count + 1);
}

/// The effects in order; false at the first fault.
pub(super) fn apply(machine: &mut Machine<'_>, effects: &[Assign], who: Context) -> bool {
    for assign in effects {
        let value = machine.eval(assign.value, who);
        let Some(offset) = machine.resolve(&assign.target, who, assign.value) else {
            return false;
        };
        if !assign.target.scalar.fits(value) {
            let span = machine.model.exprs.span(assign.value);
            machine.fault(FaultKind::ValueOutOfRange { value }, span);
        }
        if !machine.faults.is_empty() {
            return false;
        }
        machine.write(&assign.target, offset, who, value);
    }
    true
}

/// Stores a received value.
fn store(
    machine: &mut Machine<'_>,
    place: &Place,
    offset: u32,
    who: Context,
    value: i32,
    command: CommandId,
) {
    if place.scalar.fits(value) {
        machine.write(place, offset, who, value);
    } else {
        let span = machine.model.command(command).span;
        machine.fault(FaultKind::ValueOutOfRange { value }, span);
    }
}

/// Both assign to the same global variable, or to elements of the same array.
pub(super) fn clash(one: &Transition, other: &Transition) -> bool {
    one.writes.iter().any(|offset| other.writes.contains(offset))
}

/// Assertions are about states: all processes' in the source state.
fn check_asserts(machine: &mut Machine<'_>, out: &mut Expansion) {
    let model = machine.model;
    for pid in 0..machine.frames.len() {
        let who = machine.context(pid);
        let proctype = model.proctype(machine.proctype_at(who.base));
        let location = &proctype.locations[machine.location_at(who.base).0 as usize];
        for &condition in &location.asserts {
            if machine.eval(condition, who) == 0 && machine.faults.is_empty() {
                machine.fault(FaultKind::Assertion, model.exprs.span(condition));
            }
            for fault in machine.faults.drain(..) {
                out.push_fault(fault, &[]);
            }
        }
    }
}
