//! The successors of a state: Spin's search between two stored states.
//!
//! A step may pass through states that are not states of the model: inside `atomic`, and
//! between the two halves of a rendezvous. They are walked here by a search of their own, with
//! an explicit stack, in Spin's order: processes from the youngest to the oldest, commands in
//! textual order. Nothing inside is merged, because Spin does not: two ways through an atomic
//! sequence are two transitions.
//!
//! That has no end if the sequence has a loop without one, and takes too long if the ways are
//! very many. Then the walk starts again and remembers the states inside (`inner`): each of them
//! is left once by each of its commands, so there are as many transitions as ways to leave, not
//! as ways to come there. Whether that happens depends on the state alone: on whether the walk
//! without a memory would take more than [`FORGETFUL_STEPS`] steps inside.

use super::expansion::{Expansion, Move};
use super::fault::{Fault, FaultKind};
use super::inner::{Inner, Node, Seen};
use super::machine::{Handshake, Machine};
use super::step::Outcome;
use crate::ir::layout::{Divergence, EVENT};
use lariat_core::Poll;
use lariat_syntax::diagnostics::Span;

/// From this depth on, states inside an atomic sequence are compared with earlier ones.
const WATCH_FROM: usize = 64;
/// More steps inside atomic sequences than this, and the states inside are remembered. Native
/// code that has taken as many asks the interpreter instead.
pub const FORGETFUL_STEPS: u64 = 1 << 16;
/// The successors of one state and the ways to them may have so many bytes.
const MAX_SUCCESSOR_BYTES: usize = 1 << 28;
/// The clock is looked at once in so many commands.
const STEPS_BETWEEN_POLLS: u32 = 4096;

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
    /// The states inside, if they are remembered; the one at hand, and how many commands of
    /// `path` lead to it.
    inner: Inner,
    remembers: bool,
    node: Node,
    known: usize,
    /// The walk goes on with a memory, or not at all.
    is_given_up: bool,
    /// Runs that stay inside for ever are successors, too.
    pub(super) shows_divergences: bool,
    poll: Option<Poll>,
}

impl Walk {
    /// Finds the successors of the state in `machine`.
    pub(super) fn run(&mut self, machine: &mut Machine<'_>, out: &mut Expansion) {
        if let Some(kind) = Divergence::of(&machine.memory) {
            return self.stay_inside(machine, kind, out);
        }
        self.remembers = false;
        self.go(machine, VisitKind::Stored, None, out);
        if self.is_given_up && out.faults().iter().all(|at| at.fault.kind != FaultKind::Stopped) {
            self.restore_first(machine);
            out.start_again();
            self.run_remembering(machine, out);
            self.note_divergences(machine, out);
        }
    }

    /// As [`Walk::run`], by way of the graph of the states inside. Leaves `machine` in the state
    /// that was expanded.
    fn run_remembering(&mut self, machine: &mut Machine<'_>, out: &mut Expansion) {
        let start = (machine.memory.clone(), machine.hidden.clone());
        self.inner.clear();
        self.remembers = true;
        self.node = None;
        self.known = 0;
        self.path.clear();
        self.go(machine, VisitKind::Stored, None, out);
        let mut next = 0;
        while next < self.inner.len() && !self.is_given_up {
            let node = next as u32;
            let (state, hidden, exclusive) = self.inner.node(node);
            machine.load(state);
            machine.hidden.copy_from_slice(hidden);
            self.node = Some(node);
            let mut path = std::mem::take(&mut self.path);
            self.inner.path_to(node, &mut path);
            self.known = path.len();
            self.path = path;
            self.go(machine, VisitKind::Atomic, Some(exclusive), out);
            next += 1;
        }
        machine.load(&start.0);
        machine.hidden.copy_from_slice(&start.1);
        self.inner.commands(&mut out.inside);
    }

    /// Runs that stay inside for ever lead to a copy of the state, where nothing else happens.
    fn note_divergences(&mut self, machine: &mut Machine<'_>, out: &mut Expansion) {
        if self.is_given_up {
            return;
        }
        let ways = self.inner.divergences();
        out.diverges = !ways.is_empty();
        for (kind, way) in ways.into_iter().filter(|_| self.shows_divergences) {
            let moves = [&way.stem[..], &way.cycle].concat();
            if machine.model.trace.is_some() {
                // The mark would take the place of the trace's control point.
                let span = moves.last().map(|step| machine.model.command(step.command).span);
                let span = span.unwrap_or(Span::NOWHERE);
                out.push_fault(Fault { kind: FaultKind::EndlessAtomic, span }, &moves);
                continue;
            }
            let mut state = machine.memory.clone();
            kind.mark(&mut state);
            out.push(&state, &machine.hidden, &moves);
        }
    }

    /// The system is inside an atomic sequence for ever: round the loop once more.
    fn stay_inside(&mut self, machine: &mut Machine<'_>, kind: Divergence, out: &mut Expansion) {
        let copy = machine.memory.clone();
        machine.memory[EVENT] = 0;
        self.run_remembering(machine, out);
        let faults = self.is_given_up.then(|| out.faults().first().map(|at| at.fault)).flatten();
        out.start_again();
        if let Some(fault) = faults {
            return out.push_fault(fault, &[]);
        }
        let ways = self.inner.divergences();
        if let Some((_, way)) = ways.iter().find(|(found, _)| *found == kind) {
            out.push(&copy, &machine.hidden, &way.cycle);
            out.diverges = true;
        }
    }

    /// Tries all commands from the state in `machine`, and from those behind it if they are not
    /// remembered.
    fn go(
        &mut self,
        machine: &mut Machine<'_>,
        kind: VisitKind,
        exclusive: Option<u8>,
        out: &mut Expansion,
    ) {
        self.visits.clear();
        self.states.clear();
        self.hidden.clear();
        self.messages.clear();
        if !self.remembers {
            self.path.clear();
        }
        self.watched = 0;
        self.is_given_up = false;
        machine.faults.clear();
        self.enter(machine, kind, exclusive);
        while let Some(at) = self.visits.len().checked_sub(1).filter(|_| !self.is_given_up) {
            match self.next_edge(machine, at) {
                Some(edge) => self.try_edge(machine, at, edge, out),
                None => self.leave(machine, at, out),
            }
        }
    }

    /// Brings `machine` back to the state at the bottom of the stack.
    fn restore_first(&self, machine: &mut Machine<'_>) {
        let end = self.visits.get(1).map_or(self.states.len(), |second| second.start);
        machine.load(&self.states[..end]);
        let hidden = &self.hidden[..machine.hidden.len()];
        machine.hidden.copy_from_slice(hidden);
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
        let stop = self.poll.get_or_insert(Poll::every(STEPS_BETWEEN_POLLS)).step();
        let is_too_large = self.inner.is_too_large() || out.size() > MAX_SUCCESSOR_BYTES;
        if stop.is_some() || (self.remembers && is_too_large) {
            let kind = match stop {
                Some(_) => FaultKind::Stopped,
                None => FaultKind::EndlessAtomic,
            };
            out.push_fault(Fault { kind, span }, &self.path);
            self.is_given_up = true;
            return;
        }
        if self.remembers {
            let seen = Seen {
                state: &machine.memory,
                hidden: &machine.hidden,
                exclusive: pid,
                path: &self.path,
                is_progress: machine.at_progress(),
                is_accept: machine.at_accept(),
            };
            self.inner.add(self.node, self.known, &seen);
            out.deepest = out.deepest.max(self.path.len());
            let at = self.visits.len() - 1;
            self.visits[at].executed = true;
            self.path.pop();
            self.restore(machine);
            return;
        }
        if out.atomic_steps > FORGETFUL_STEPS || self.closes_a_loop(machine, pid) {
            self.is_given_up = true;
            return;
        }
        out.deepest = out.deepest.max(self.path.len());
        self.enter(machine, VisitKind::Atomic, Some(pid));
    }

    fn closes_a_loop(&mut self, machine: &Machine<'_>, pid: u8) -> bool {
        let depth = self.visits.len();
        if depth < WATCH_FROM {
            return false;
        }
        if depth.is_power_of_two() || self.watched >= depth {
            self.watched = depth - 1;
        }
        let watched = &self.visits[self.watched];
        let next = self.visits.get(self.watched + 1);
        let end = next.map_or(self.states.len(), |next| next.start);
        let hidden_end = next.map_or(self.hidden.len(), |next| next.hidden_start);
        watched.kind == VisitKind::Atomic
            && watched.exclusive == Some(pid)
            && self.states[watched.start..end] == machine.memory[..]
            && self.hidden[watched.hidden_start..hidden_end] == machine.hidden[..]
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
                out.by_timeout = true;
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
