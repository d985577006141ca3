//! Event traces: `trace` and `notrace` take notice of messages. Whatever they object to is the
//! interpreter's affair.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value, types};
use lariat_core::makes_mistake;
use lariat_model::ir::layout::EVENT;
use lariat_model::ir::{Action, Expr, ExprId, Location, ReceiveArg, Scalar};

use crate::code::{Code, Position, Who};
use crate::support;

/// What may happen to a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Send = 0,
    Receive = 1,
}

impl<'m> Code<'_, '_, 'm> {
    /// Lets the trace take notice, in a row that is being built. `message` is where the number of
    /// fields and the fields are.
    pub(crate) fn notice(&mut self, event: Event, row: Value, channel: Value, message: Value) {
        let Some(observe) = self.callees.observe else { return };
        let event = self.int(event as i32);
        self.call(observe, &[self.context, row, event, channel, message]);
    }

    /// The same for a message by its fields.
    pub(crate) fn notice_values(
        &mut self,
        event: Event,
        row: Value,
        channel: Value,
        values: &[Value],
    ) {
        if self.callees.observe.is_some() {
            let message = self.message(values);
            self.notice(event, row, channel, message);
        }
    }

    /// The body of the function that is told of every message:
    /// `(context, row, event, channel, message)`.
    pub(crate) fn observe(&mut self, params: &[Value]) {
        let &[_, row, event, channel, message] = params else { unreachable!("by the signature") };
        let trace = self.facts.model.trace.as_ref().expect("there is one");
        let pid = self.int(i32::from(u8::MAX));
        let nobody = self.who(row, Position::At(0), pid, false);
        self.proctype = Some(trace.proctype);
        let done = self.block();
        for (kind, names) in [(Event::Send, &trace.sends), (Event::Receive, &trace.receives)] {
            let (this, other, named) = (self.block(), self.block(), self.block());
            let is_this = self.equals(event, kind as i32);
            self.branch_on(is_this, this, other);
            self.switch_to(this);
            for &name in names {
                if !support::expr(self.facts.model, name) {
                    self.ask();
                    break;
                }
                let named_channel = self.value(name, nobody);
                let is_it = self.b.ins().icmp(IntCC::Equal, named_channel, channel);
                let next = self.block();
                self.branch_on(is_it, named, next);
                self.switch_to(next);
            }
            self.jump(done);
            self.switch_to(named);
            self.moves_on(kind, nobody, channel, message);
            self.jump(done);
            self.switch_to(other);
        }
        self.jump(done);
        self.switch_to(done);
    }

    /// The trace goes to the control point behind the event.
    fn moves_on(&mut self, kind: Event, nobody: Who, channel: Value, message: Value) {
        let trace = self.facts.model.trace.as_ref().expect("there is one");
        let graph = self.facts.model.proctype(trace.proctype);
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 4, 2);
        let found = self.b.create_sized_stack_slot(slot);
        let none = self.int(-1);
        self.b.ins().stack_store(types::I64, none, found, 0);
        let event = self.global(nobody, EVENT as u32);
        let at = self.load(nobody, event, Scalar::Byte);
        let done = self.block();
        for (number, location) in graph.locations.iter().enumerate() {
            let (here, elsewhere) = (self.block(), self.block());
            let is_here = self.equals(at, number as i32);
            self.branch_on(is_here, here, elsewhere);
            self.switch_to(here);
            self.find_event(location, kind, nobody, channel, message, found);
            self.jump(done);
            self.switch_to(elsewhere);
        }
        self.leave();
        self.switch_to(done);
        let target = self.b.ins().stack_load(types::I64, types::I32, found, 0);
        let is_none = self.equals(target, -1);
        let end = i32::from(graph.end.0);
        let target = if trace.negated {
            // What is forbidden happens; or its order is another one, which is the end of the watch.
            let is_matched = self.equals(target, end);
            self.ask_if(is_matched);
            let end = self.int(end);
            self.b.ins().select(is_none, end, target)
        } else {
            self.ask_if(is_none);
            target
        };
        if !makes_mistake("native-trace") {
            self.store(event, Scalar::Byte, target);
        }
    }

    /// Finds where the one event of a control point that this is leads to.
    fn find_event(
        &mut self,
        location: &'m Location,
        kind: Event,
        nobody: Who,
        channel: Value,
        message: Value,
        found: StackSlot,
    ) {
        let model = self.facts.model;
        for edge in &location.edges {
            let command = model.command(edge.command);
            let (expected, name, wanted): (_, _, Vec<Option<ExprId>>) = match &command.action {
                Action::Send(send) => {
                    // In a send only constants are compared.
                    let is_constant =
                        |arg: &ExprId| matches!(model.exprs.get(*arg), Expr::Const(_));
                    let wanted = send.args.iter().map(|arg| Some(*arg).filter(is_constant));
                    (Event::Send, send.channel, wanted.collect())
                }
                Action::Receive(receive) => {
                    let wanted = receive.args.iter().map(ReceiveArg::pattern).collect();
                    (Event::Receive, receive.channel, wanted)
                }
                _ => continue,
            };
            if expected != kind {
                continue;
            }
            let is_known = |expr: ExprId| support::expr(model, expr);
            if !is_known(name) || !wanted.iter().flatten().all(|&expr| is_known(expr)) {
                self.ask();
                continue;
            }
            let (next, same) = (self.block(), self.block());
            let named = self.value(name, nobody);
            let is_it = self.b.ins().icmp(IntCC::Equal, named, channel);
            self.branch_on(is_it, same, next);
            self.switch_to(same);
            for (at, pattern) in wanted.into_iter().enumerate() {
                let Some(pattern) = pattern else { continue };
                let wanted = self.value(pattern, nobody);
                let field = self.message_field(message, at);
                let equal = self.b.ins().icmp(IntCC::Equal, wanted, field);
                let same = self.block();
                self.branch_on(equal, same, next);
                self.switch_to(same);
            }
            // A choice is an error.
            let before = self.b.ins().stack_load(types::I64, types::I32, found, 0);
            let is_second = self.compare(IntCC::NotEqual, before, -1);
            self.ask_if(is_second);
            let target = self.int(i32::from(command.target.0));
            self.b.ins().stack_store(types::I64, target, found, 0);
            self.jump(next);
            self.switch_to(next);
        }
    }
}
