//! The successors of a state: Spin's search between two stored states.
//!
//! A step may pass through states that are not states of the model: inside `atomic`, and
//! between the two halves of a rendezvous. They are walked here by a search of their own, with
//! an explicit stack, in Spin's order: processes from the youngest to the oldest, commands in
//! textual order. Nothing inside is merged, because Spin does not: two ways through an atomic
//! sequence are two transitions.

use super::expansion::{Expansion, Move};
use super::fault::{Fault, FaultKind};
use super::machine::{Handshake, Machine};
use super::step::Outcome;
use lariat_syntax::diagnostics::Span;

/// From this depth on, states inside an atomic sequence are compared with earlier ones.
const WATCH_FROM: usize = 1024;
/// The steps from one state may hold at most so many bytes, of states on the way and of
/// successors each.
const ARENA_LIMIT: usize = 1 << 30;
/// The ways through the atomic sequences from one state may have so many commands in all.
const COMMAND_LIMIT: u64 = 20_000_000;

/// A state on the way, and how far its processes and commands have been tried.
#[derive(Clone, Copy, Debug)]
struct Visit {
    /// Where the state starts in the arena.
    start: usize,
    hidden_start: usize,
    message_start: usize,
    handshake: Option<Handshake>,
    /// Only this process may move: it is inside an atomic sequence.
    exclusive: Option<u8>,
    kind: VisitKind,
    /// The process to be tried next, plus 1.
    processes_left: usize,
    pid: usize,
    /// The next edge of the process, if it is being tried.
    edge: Option<usize>,
    executed: bool,
    else_allowed: bool,
    escape: u16,
    timeout: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum VisitKind {
    /// The state whose successors are asked for.
    Stored,
    /// Inside an atomic sequence.
    Atomic,
    /// A rendezvous send waits for its receiver.
    Handshake,
}

/// The stack of the walk and its memory, kept from call to call.
#[derive(Default)]
pub(super) struct Walk {
    visits: Vec<Visit>,
    states: Vec<u8>,
    hidden: Vec<u8>,
    messages: Vec<i32>,
    path: Vec<Move>,
    /// A visit with whose state deeper ones are compared (Brent's cycle detection).
    watched: usize,
}

impl Walk {
    /// Appends the successors of the state in `machine`.
    pub(super) fn run(&mut self, machine: &mut Machine<'_>, out: &mut Expansion) {
        self.visits.clear();
        self.states.clear();
        self.hidden.clear();
        self.messages.clear();
        self.path.clear();
        self.watched = 0;
        machine.faults.clear();
        self.enter(machine, VisitKind::Stored, None);
        while let Some(at) = self.visits.len().checked_sub(1) {
            match self.next_edge(machine, at) {
                Some(edge) => self.try_edge(machine, at, edge, out),
                None => self.leave(machine, at, out),
            }
        }
    }

    /// Puts the state of `machine` on the stack.
    fn enter(&mut self, machine: &mut Machine<'_>, kind: VisitKind, exclusive: Option<u8>) {
        machine.timeout = false;
        let visit = Visit {
            start: self.states.len(),
            hidden_start: self.hidden.len(),
            message_start: self.messages.len(),
            handshake: machine.handshake,
            exclusive,
            kind,
            processes_left: exclusive.map_or(machine.frames.len(), |pid| pid as usize + 1),
            pid: 0,
            edge: None,
            executed: false,
            else_allowed: true,
            escape: 0,
            timeout: false,
        };
        self.states.extend_from_slice(&machine.memory);
        self.hidden.extend_from_slice(&machine.hidden);
        if kind == VisitKind::Handshake {
            self.messages.extend_from_slice(&machine.message);
        }
        self.visits.push(visit);
    }

    /// Brings `machine` back to the state on top of the stack.
    fn restore(&self, machine: &mut Machine<'_>) {
        let Some(visit) = self.visits.last() else { return };
        machine.memory.clear();
        machine.memory.extend_from_slice(&self.states[visit.start..]);
        machine.hidden.copy_from_slice(&self.hidden[visit.hidden_start..]);
        machine.handshake = visit.handshake;
        if visit.kind == VisitKind::Handshake {
            machine.message.clear();
            machine.message.extend_from_slice(&self.messages[visit.message_start..]);
        }
        machine.timeout = visit.timeout;
        if machine.reshaped {
            machine.find_shape();
        }
    }

    /// The next edge to try, by its number at the location of process `pid`.
    fn next_edge(&mut self, machine: &mut Machine<'_>, at: usize) -> Option<usize> {
        let model = machine.model;
        let visit = &mut self.visits[at];
        loop {
            let Some(number) = visit.edge else {
                let lowest = visit.exclusive.map_or(0, usize::from);
                if visit.processes_left <= lowest {
                    return None;
                }
                visit.processes_left -= 1;
                visit.pid = visit.processes_left;
                let is_sender =
                    visit.handshake.is_some_and(|offer| offer.sender as usize == visit.pid);
                let free = !model.uses.priorities && !model.uses.provided;
                if !is_sender && (free || machine.may_move(visit.pid)) {
                    visit.edge = Some(0);
                    visit.else_allowed = true;
                    visit.escape = 0;
                }
                continue;
            };
            let base = machine.frames[visit.pid] as usize;
            let proctype = model.proctype(machine.proctype_at(base));
            let edges = &proctype.locations[machine.location_at(base).0 as usize].edges;
            match edges.get(number) {
                // An escape was taken: what follows has no right to move.
                Some(edge) if visit.escape == 0 || visit.escape == edge.escape => {
                    visit.edge = Some(number + 1);
                    return Some(number);
                }
                _ => visit.edge = None,
            }
        }
    }

    fn try_edge(
        &mut self,
        machine: &mut Machine<'_>,
        at: usize,
        number: usize,
        out: &mut Expansion,
    ) {
        let model = machine.model;
        let visit = &mut self.visits[at];
        let who = machine.context(visit.pid);
        let proctype = model.proctype(machine.proctype_at(who.base));
        let location = machine.location_at(who.base);
        let edge = proctype.locations[location.0 as usize].edges[number];
        let command = model.command(edge.command);
        let outcome = machine.execute(&command.action, who, visit.else_allowed, command.span);
        if outcome == Outcome::Blocked && machine.faults.is_empty() {
            if machine.reshaped {
                self.restore(machine);
            }
            return;
        }
        let step = Move { pid: who.pid, command: edge.command };
        let is_choice = !matches!(command.action, crate::ir::Action::Else);
        if proctype.deterministic && is_choice && !visit.else_allowed {
            machine.fault(FaultKind::Nondeterminism, command.span);
        }
        self.path.push(step);
        for fault in machine.faults.drain(..) {
            out.push_fault(fault, &self.path);
        }
        match outcome {
            Outcome::Blocked => {
                self.path.pop();
                self.restore(machine);
            }
            Outcome::Failed => {
                self.path.pop();
                visit.executed = true;
                visit.else_allowed = false;
                self.restore(machine);
            }
            Outcome::Done | Outcome::Offered => {
                visit.escape = edge.escape;
                if (who.pid as usize) < machine.frames.len() {
                    machine.set_location(who.base, command.target);
                    machine.bury(who.base);
                }
                if model.uses.last {
                    machine.set_last(who.pid);
                }
                out.steps += 1;
                if outcome == Outcome::Offered {
                    out.deepest = out.deepest.max(self.path.len());
                    self.enter(machine, VisitKind::Handshake, None);
                    return;
                }
                visit.else_allowed = false;
                if command.atomic {
                    self.enter_atomic(machine, who.pid, command.span, out);
                    return;
                }
                visit.executed = true;
                out.push(&machine.memory, &machine.hidden, &self.path);
                self.path.pop();
                self.restore(machine);
            }
        }
    }

    fn enter_atomic(
        &mut self,
        machine: &mut Machine<'_>,
        pid: u8,
        span: Span,
        out: &mut Expansion,
    ) {
        out.atomic_steps += 1;
        // If a state inside the sequence comes again, what can be reached from it is reached
        // from its first visit. The limits are for sequences that Spin would not end, either.
        let is_too_long = self.states.len() > ARENA_LIMIT
            || out.size() > ARENA_LIMIT
            || out.steps > COMMAND_LIMIT;
        if self.closes_a_loop(machine) || is_too_long {
            let known = out.faults().iter().any(|at| at.fault.kind == FaultKind::EndlessAtomic);
            if !known {
                out.push_fault(Fault { kind: FaultKind::EndlessAtomic, span }, &self.path);
            }
            let at = self.visits.len() - 1;
            self.visits[at].executed = true;
            self.path.pop();
            self.restore(machine);
            return;
        }
        out.deepest = out.deepest.max(self.path.len());
        self.enter(machine, VisitKind::Atomic, Some(pid));
    }

    fn closes_a_loop(&mut self, machine: &Machine<'_>) -> bool {
        let depth = self.visits.len();
        if depth < WATCH_FROM {
            return false;
        }
        if depth.is_power_of_two() || self.watched >= depth {
            self.watched = depth - 1;
        }
        let end = self.visits.get(self.watched + 1).map_or(self.states.len(), |next| next.start);
        self.states[self.visits[self.watched].start..end] == machine.memory[..]
    }

    /// All processes of the top visit were tried.
    fn leave(&mut self, machine: &mut Machine<'_>, at: usize, out: &mut Expansion) {
        let visit = self.visits[at];
        let nobody_left = machine.frames.is_empty();
        if !visit.executed && !nobody_left && visit.kind != VisitKind::Handshake {
            if visit.kind == VisitKind::Atomic {
                // The process is blocked and loses control: this is a state after all.
                out.push(&machine.memory, &machine.hidden, &self.path);
            } else if machine.model.uses.timeout && !visit.timeout {
                let visit = &mut self.visits[at];
                visit.timeout = true;
                visit.processes_left = machine.frames.len();
                machine.timeout = true;
                return;
            }
        }
        if visit.kind == VisitKind::Stored {
            out.is_blocked = !visit.executed;
        }
        self.states.truncate(visit.start);
        self.hidden.truncate(visit.hidden_start);
        self.messages.truncate(visit.message_start);
        self.visits.pop();
        self.path.pop();
        let Some(parent) = self.visits.last_mut() else { return };
        if visit.kind == VisitKind::Handshake {
            if visit.executed {
                parent.executed = true;
                parent.else_allowed = false;
            } else {
                parent.escape = 0;
            }
        } else {
            parent.executed = true;
        }
        machine.reshaped = true;
        self.restore(machine);
    }
}
