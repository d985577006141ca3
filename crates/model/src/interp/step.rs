//! What a command does.

use super::fault::FaultKind;
use super::machine::{Context, Machine};
use crate::ir::{Action, DStep, DStepId, DStepNode, ExprId, NodeId, Print};
use lariat_core::Poll;
use lariat_syntax::diagnostics::Span;

/// A `d_step` that takes more statements than this is taken for endless.
const D_STEP_LIMIT: u64 = 50_000_000;

/// What became of an attempt to execute an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Not executable; nothing has changed but perhaps by a `run` inside a false guard.
    Blocked,
    Done,
    /// A rendezvous send: it needs a receiver within the same step.
    Offered,
    /// A fatal fault: there is no state behind this step.
    Failed,
}

impl<'m> Machine<'m> {
    /// Executes an action if it is executable. `else_allowed` says whether nothing else was
    /// executable at this control point.
    pub(super) fn execute(
        &mut self,
        action: &'m Action,
        who: Context,
        else_allowed: bool,
        span: Span,
    ) -> Outcome {
        let outcome = match action {
            Action::Receive(receive) => self.receive(receive, who),
            Action::DStep(id) => {
                let program = &self.model.d_steps[id.0 as usize];
                match self.d_step_is_executable(program, who, else_allowed) {
                    true => self.d_step(*id, who),
                    false => Outcome::Blocked,
                }
            }
            // Everything else waits until a handshake has found its receiver.
            _ if self.handshake.is_some() => Outcome::Blocked,
            Action::Else if !else_allowed => Outcome::Blocked,
            Action::End if who.pid as usize + 1 != self.frames.len() => Outcome::Blocked,
            Action::End => {
                self.end_youngest();
                Outcome::Done
            }
            Action::Send(send) => self.send(send, who, false),
            _ => self.simple(action, who, span),
        };
        match self.faults.iter().any(|fault| fault.kind.is_fatal()) {
            true => Outcome::Failed,
            false => outcome,
        }
    }

    /// An action without communication.
    fn simple(&mut self, action: &'m Action, who: Context, span: Span) -> Outcome {
        match action {
            Action::Skip | Action::Else => Outcome::Done,
            Action::Guard(condition) => match self.eval(*condition, who) {
                0 => Outcome::Blocked,
                _ => Outcome::Done,
            },
            Action::Assign(assign) => {
                // C leaves the order open; gcc evaluates the value first.
                let value = self.eval(assign.value, who);
                if let Some(offset) = self.resolve(&assign.target, who, assign.value) {
                    self.write(&assign.target, offset, who, value);
                }
                Outcome::Done
            }
            Action::Assert(condition) => {
                if self.eval(*condition, who) == 0 {
                    self.fault(FaultKind::Assertion, span);
                }
                Outcome::Done
            }
            Action::Print(print) => {
                self.print(print, who);
                Outcome::Done
            }
            Action::SetPriority { pid, value } => self.change_priority(*pid, *value, who, span),
            Action::OwnPriority(value) => {
                let value = self.eval(*value, who);
                self.set_priority(who.base, value as u8);
                Outcome::Done
            }
            Action::Send(_)
            | Action::Receive(_)
            | Action::DStep(_)
            | Action::Transition(_)
            | Action::End => {
                unreachable!("handled by the callers")
            }
        }
    }

    fn change_priority(&mut self, pid: ExprId, value: ExprId, who: Context, at: Span) -> Outcome {
        let pid = self.eval(pid, who);
        let value = self.eval(value, who);
        let Some(&base) = usize::try_from(pid).ok().and_then(|pid| self.frames.get(pid)) else {
            return Outcome::Done;
        };
        match u8::try_from(value) {
            Ok(priority @ 1..) => self.set_priority(base as usize, priority),
            _ => self.fault(FaultKind::PriorityOutOfRange { value }, at),
        }
        Outcome::Done
    }

    /// Whether an action could be executed, as `enabled()` and the choice by priority ask.
    /// A rendezvous send counts as executable whether or not a receiver is there.
    pub(super) fn can_execute(&mut self, action: &'m Action, who: Context) -> bool {
        match action {
            Action::Receive(receive) => self.can_receive(receive, who),
            Action::DStep(id) => {
                let program = &self.model.d_steps[id.0 as usize];
                self.d_step_is_executable(program, who, true)
            }
            _ if self.handshake.is_some() => false,
            Action::Guard(condition) => {
                let testing = std::mem::replace(&mut self.testing, true);
                let value = self.eval(*condition, who);
                self.testing = testing;
                value != 0
            }
            Action::Send(send) => {
                let id = self.eval(send.channel, who);
                self.channel(id).is_some_and(|(channel, ty)| {
                    ty.is_rendezvous()
                        || self.model.uses.message_loss
                        || self.message_count(channel) < ty.capacity as usize
                })
            }
            Action::End => who.pid as usize + 1 == self.frames.len(),
            _ => true,
        }
    }

    /// Whether some command of a process could be executed.
    pub(super) fn is_enabled(&mut self, pid: usize) -> bool {
        let Some(&base) = self.frames.get(pid) else { return false };
        let who = Context { pid: pid as u8, base: base as usize };
        let model = self.model;
        let proctype = model.proctype(self.proctype_at(who.base));
        let location = &proctype.locations[self.location_at(who.base).0 as usize];
        location.edges.iter().any(|edge| self.can_execute(&model.command(edge.command).action, who))
    }

    /// The provided clause and the priorities let a process move.
    pub(super) fn may_move(&mut self, pid: usize) -> bool {
        if !self.is_provided(pid) {
            return false;
        }
        if !self.model.uses.priorities {
            return true;
        }
        let own = self.priority_at(self.frames[pid] as usize);
        (0..self.frames.len()).all(|other| {
            self.priority_at(self.frames[other] as usize) <= own
                || !self.is_provided(other)
                || !self.is_enabled(other)
        })
    }

    fn is_provided(&mut self, pid: usize) -> bool {
        let who = self.context(pid);
        match self.model.proctype(self.proctype_at(who.base)).provided {
            Some(condition) => self.eval(condition, who) != 0,
            None => true,
        }
    }

    fn d_step_is_executable(&mut self, program: &'m DStep, who: Context, else_ok: bool) -> bool {
        if program.guards.is_empty() {
            return self.handshake.is_none();
        }
        program.guards.iter().any(|guard| match guard {
            Action::Else => self.handshake.is_none() && else_ok,
            guard => self.can_execute(guard, who),
        })
    }

    /// Runs the program of a `d_step` to its end.
    fn d_step(&mut self, id: DStepId, who: Context) -> Outcome {
        let program = &self.model.d_steps[id.0 as usize];
        let mut at = program.entry;
        let mut poll = Poll::every(1 << 16);
        for _ in 0..D_STEP_LIMIT {
            if poll.step().is_some() {
                self.fault(FaultKind::Stopped, Span::NOWHERE);
                return Outcome::Failed;
            }
            at = match &program.nodes[at.0 as usize] {
                DStepNode::Exit => return Outcome::Done,
                DStepNode::Do { action, next, span, .. } => {
                    match self.d_step_action(action, who, *span) {
                        Outcome::Done => {
                            self.d_step_nodes[id.0 as usize][at.0 as usize] = true;
                            *next
                        }
                        Outcome::Failed => return Outcome::Failed,
                        Outcome::Blocked | Outcome::Offered => {
                            self.fault(FaultKind::BlockedInDStep, *span);
                            return Outcome::Failed;
                        }
                    }
                }
                DStepNode::Select { options, span } => {
                    let Some(next) = self.d_step_select(id, options, who) else {
                        self.fault(FaultKind::BlockedInDStep, *span);
                        return Outcome::Failed;
                    };
                    next
                }
            };
            if self.faults.iter().any(|fault| fault.kind.is_fatal()) {
                return Outcome::Failed;
            }
        }
        let span = match &program.nodes[at.0 as usize] {
            DStepNode::Do { span, .. } | DStepNode::Select { span, .. } => *span,
            DStepNode::Exit => Span::NOWHERE,
        };
        self.fault(FaultKind::EndlessDStep, span);
        Outcome::Failed
    }

    /// Executes the first statement of the first option that can; where to go on.
    fn d_step_select(&mut self, id: DStepId, options: &[NodeId], who: Context) -> Option<NodeId> {
        let program = &self.model.d_steps[id.0 as usize];
        for &option in options {
            match &program.nodes[option.0 as usize] {
                DStepNode::Do { action, next, span, .. } => {
                    match self.d_step_action(action, who, *span) {
                        Outcome::Blocked => {}
                        Outcome::Done => {
                            self.d_step_nodes[id.0 as usize][option.0 as usize] = true;
                            return Some(*next);
                        }
                        Outcome::Offered | Outcome::Failed => return Some(option),
                    }
                }
                // A choice or the end of the d_step: taken as it is.
                DStepNode::Select { .. } | DStepNode::Exit => return Some(option),
            }
        }
        None
    }

    fn d_step_action(&mut self, action: &'m Action, who: Context, span: Span) -> Outcome {
        match action {
            Action::Send(send) => self.send(send, who, true),
            Action::Receive(receive) => self.receive(receive, who),
            action => self.simple(action, who, span),
        }
    }

    fn print(&mut self, print: &'m Print, who: Context) {
        if !self.print {
            // The arguments are evaluated all the same: they may be faulty.
            for &arg in &print.args {
                self.eval(arg, who);
            }
            return;
        }
        let values: Vec<i32> = print.args.iter().map(|&arg| self.eval(arg, who)).collect();
        super::print::format(self.model, print, &values, &mut self.output);
    }
}
