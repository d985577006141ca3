//! Event traces: `trace` says in which order messages may be sent and received, `notrace`
//! which order may not be seen.
//!
//! The control point of the trace is part of the state. An event on a channel that the trace
//! names in that direction must be one that it waits for.

use super::fault::FaultKind;
use super::machine::{Context, Machine};
use crate::ir::layout::EVENT;
use crate::ir::{Action, Expr, ExprId, LocationId, ReceiveArg};
use lariat_syntax::diagnostics::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    Send,
    Receive,
}

impl Machine<'_> {
    /// The control point of the trace.
    pub(super) fn trace_location(&self) -> LocationId {
        LocationId(self.memory[EVENT] as u16)
    }

    /// Lets the trace take notice that the message in `self.message` was sent or received.
    pub(super) fn observe(&mut self, event: Event, channel: i32, span: Span) {
        let model = self.model;
        let Some(trace) = &model.trace else { return };
        let named = match event {
            Event::Send => &trace.sends,
            Event::Receive => &trace.receives,
        };
        let nobody = Context { pid: u8::MAX, base: 0 };
        if !named.iter().any(|&name| self.eval(name, nobody) == channel) {
            return;
        }
        let graph = model.proctype(trace.proctype);
        let at = self.trace_location();
        let edges = &graph.locations[at.0 as usize].edges;
        let mut targets = edges
            .iter()
            .map(|edge| model.command(edge.command))
            .filter(|command| self.is_event(&command.action, event, channel, nobody))
            .map(|command| command.target)
            .collect::<Vec<_>>()
            .into_iter();
        match targets.next() {
            Some(target) => {
                self.memory[EVENT] = target.0 as u8;
                if targets.next().is_some() {
                    self.fault(FaultKind::TraceChoice, span);
                } else if trace.negated && target == graph.end {
                    self.fault(FaultKind::TraceMatched, span);
                }
            }
            // Only the first attempt at a forbidden order counts.
            None if trace.negated => self.memory[EVENT] = graph.end.0 as u8,
            None => self.fault(FaultKind::TraceMismatch, span),
        }
    }

    fn is_event(&mut self, action: &Action, event: Event, channel: i32, who: Context) -> bool {
        let (expected, name) = match action {
            Action::Send(send) => (Event::Send, send.channel),
            Action::Receive(receive) => (Event::Receive, receive.channel),
            _ => return false,
        };
        if expected != event || self.eval(name, who) != channel {
            return false;
        }
        let wanted: Vec<Option<ExprId>> = match action {
            // In a send only constants are compared.
            Action::Send(send) => {
                let is_constant =
                    |arg: &ExprId| matches!(self.model.exprs.get(*arg), Expr::Const(_));
                send.args.iter().map(|arg| Some(*arg).filter(is_constant)).collect()
            }
            Action::Receive(receive) => receive.args.iter().map(ReceiveArg::pattern).collect(),
            _ => Vec::new(),
        };
        wanted.into_iter().enumerate().all(|(at, value)| match value {
            Some(value) => self.eval(value, who) == self.message.get(at).copied().unwrap_or(0),
            None => true,
        })
    }
}
