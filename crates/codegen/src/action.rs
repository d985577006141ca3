//! What a command tests, in the row where it is tried, and what it does, in the row behind it.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use lariat_core::makes_mistake;
use lariat_model::ir::layout::{FRAME_PRIORITY, MAX_LIVE, NR_CHANNELS, NR_PROCESSES};
use lariat_model::ir::{Action, DStepId, Place, Receive, ReceiveArg, Region, Run, Scalar, Send};

use crate::channel::{Channel, plus};
use crate::code::{Address, Code, Who};
use crate::facts::run_of;
use crate::trace::Event;

/// What is left to do when a command is known to be executable; its values are evaluated.
pub(crate) enum Effect<'m> {
    Nothing,
    Store {
        place: &'m Place,
        offset: Option<Value>,
        value: Value,
    },
    Append {
        channel: Channel<'m>,
        count: Value,
        values: Vec<Value>,
    },
    Take {
        channel: Channel<'m>,
        receive: &'m Receive,
        slot: Option<Value>,
        from: Who,
    },
    /// A rendezvous send: a receiver must be found. The fields are truncated.
    Offer {
        channel: Channel<'m>,
        values: Vec<Value>,
    },
    Run {
        run: &'m Run,
        args: Vec<Value>,
        store: Option<&'m Place>,
    },
    /// The priority of a process, by its pid, or of the one that moves.
    Priority {
        pid: Option<Value>,
        value: Value,
    },
    /// A `d_step`, which tests and does things in turn.
    Program(DStepId),
    End,
}

/// What is built with each effect; it must end its block.
pub(crate) type Then<'t, 'a, 'f, 'm> = &'t mut dyn FnMut(&mut Code<'a, 'f, 'm>, Effect<'m>);

impl<'a, 'f, 'm> Code<'a, 'f, 'm> {
    /// Tests an action; goes to `blocked` if it is not executable, else calls `then` with what
    /// is left to do, perhaps for several kinds of channels. `Else` is the caller's affair.
    pub(crate) fn attempt(
        &mut self,
        action: &'m Action,
        who: Who,
        blocked: Block,
        then: Then<'_, 'a, 'f, 'm>,
    ) {
        let model = self.facts.model;
        if let Some(run) = run_of(model, action) {
            let args = run.args.iter().map(|&arg| self.value(arg, who)).collect();
            let store = match action {
                Action::Assign(assign) => Some(&assign.target),
                _ => None,
            };
            return then(self, Effect::Run { run, args, store });
        }
        match action {
            Action::Skip | Action::Else => then(self, Effect::Nothing),
            Action::Guard(condition) => {
                let yes = self.block();
                self.branch(*condition, who, yes, blocked);
                self.switch_to(yes);
                then(self, Effect::Nothing);
            }
            Action::Assign(assign) => {
                let value = self.value(assign.value, who);
                let offset = self.offset_of(&assign.target, who);
                then(self, Effect::Store { place: &assign.target, offset, value });
            }
            Action::Assert(condition) => {
                let (holds, fails) = (self.block(), self.block());
                self.branch(*condition, who, holds, fails);
                self.switch_to(fails);
                self.leave();
                self.switch_to(holds);
                then(self, Effect::Nothing);
            }
            Action::Print(print) => {
                // The arguments may be faulty.
                for &arg in &print.args {
                    self.value(arg, who);
                }
                then(self, Effect::Nothing);
            }
            Action::Send(send) => self.attempt_send(send, who, blocked, then),
            Action::Receive(receive) => self.attempt_receive(receive, who, blocked, then),
            Action::DStep(id) => then(self, Effect::Program(*id)),
            Action::End => {
                let count = self.process_count(who);
                let next = self.b.ins().iadd_imm_s(who.pid, 1);
                let compared = match makes_mistake("native-dying") {
                    true => IntCC::UnsignedLessThanOrEqual,
                    false => IntCC::Equal,
                };
                let youngest = self.b.ins().icmp(compared, next, count);
                let yes = self.block();
                self.branch_on(youngest, yes, blocked);
                self.switch_to(yes);
                then(self, Effect::End);
            }
            Action::SetPriority { pid, value } => {
                let (pid, value) = (self.value(*pid, who), self.value(*value, who));
                then(self, Effect::Priority { pid: Some(pid), value });
            }
            Action::OwnPriority(value) => {
                let value = self.value(*value, who);
                then(self, Effect::Priority { pid: None, value });
            }
            Action::Transition(_) => unreachable!("see support.rs"),
        }
    }

    fn attempt_send(
        &mut self,
        send: &'m Send,
        who: Who,
        blocked: Block,
        then: Then<'_, 'a, 'f, 'm>,
    ) {
        self.with_channel(send.channel, who, None, &mut |code, channel| {
            if send.args.len() != channel.ty.fields.len() {
                return code.leave();
            }
            if channel.ty.is_rendezvous() {
                let fields = channel.ty.fields.iter().zip(&send.args);
                let values = fields.map(|(field, &arg)| {
                    let value = code.value(arg, who);
                    code.truncate(field.scalar, value)
                });
                let values = values.collect();
                return then(code, Effect::Offer { channel, values });
            }
            let count = code.message_count(channel, who);
            let capacity = channel.ty.capacity as i32 - i32::from(makes_mistake("native-full"));
            // No state has more, but a row may come from anywhere.
            let is_full = code.compare(IntCC::UnsignedGreaterThanOrEqual, count, capacity);
            let has_room = code.block();
            if code.facts.model.uses.message_loss {
                let lost = code.block();
                code.branch_on(is_full, lost, has_room);
                code.switch_to(lost);
                then(code, Effect::Nothing);
            } else {
                code.branch_on(is_full, blocked, has_room);
            }
            code.switch_to(has_room);
            let values = send.args.iter().map(|&arg| code.value(arg, who)).collect();
            then(code, Effect::Append { channel, count, values });
        });
    }

    fn attempt_receive(
        &mut self,
        receive: &'m Receive,
        who: Who,
        blocked: Block,
        then: Then<'_, 'a, 'f, 'm>,
    ) {
        if !self.facts.rendezvous_only {
            self.ask_if_uninitialised(receive, who);
        }
        self.with_channel(receive.channel, who, Some(blocked), &mut |code, channel| {
            if channel.ty.is_rendezvous() {
                // Only an offer wakes it; looking at one is an error.
                return match receive.peek {
                    true => code.leave(),
                    false => code.jump(blocked),
                };
            }
            let slot = code.find_message(channel, receive.random, &receive.args, who, blocked);
            let (given, expected) = (receive.args.len(), channel.ty.fields.len());
            if given > expected || (given < expected && !receive.peek) {
                return code.leave();
            }
            then(code, Effect::Take { channel, receive, slot, from: who });
        });
    }

    /// Channel 0 is an error of its own kind; constants are never 0.
    fn ask_if_uninitialised(&mut self, receive: &'m Receive, who: Who) {
        if !self.is_known_channel(receive.channel) {
            let id = self.value(receive.channel, who);
            let is_zero = self.equals(id, 0);
            self.ask_if(is_zero);
        }
    }

    /// Whether an action could be executed, as a `d_step` asks before it begins, and priorities do. A
    /// rendezvous send counts as executable whether or not a receiver is there.
    pub(crate) fn can_execute(&mut self, action: &'m Action, who: Who, yes: Block, no: Block) {
        if matches!(action, Action::Guard(_)) && run_of(self.facts.model, action).is_some() {
            let count = self.process_count(who);
            let has_room = self.compare(IntCC::UnsignedLessThan, count, MAX_LIVE as i32);
            return self.branch_on(has_room, yes, no);
        }
        match action {
            Action::Guard(condition) => self.branch(*condition, who, yes, no),
            Action::Send(send) => {
                let message_loss = self.facts.model.uses.message_loss;
                self.with_channel(send.channel, who, Some(no), &mut |code, channel| {
                    if channel.ty.is_rendezvous() || message_loss {
                        return code.jump(yes);
                    }
                    let count = code.message_count(channel, who);
                    let capacity = channel.ty.capacity as i32;
                    let has_room = code.compare(IntCC::UnsignedLessThan, count, capacity);
                    code.branch_on(has_room, yes, no);
                });
            }
            Action::Receive(receive) => {
                self.with_channel(receive.channel, who, Some(no), &mut |code, channel| {
                    if channel.ty.is_rendezvous() {
                        return code.jump(no);
                    }
                    code.find_message(channel, receive.random, &receive.args, who, no);
                    code.jump(yes);
                });
            }
            Action::DStep(id) => {
                let otherwise = |code: &mut Self, yes, _| code.jump(yes);
                self.d_step_guard(*id, who, otherwise, yes, no);
            }
            Action::End => {
                let count = self.process_count(who);
                let next = self.b.ins().iadd_imm_s(who.pid, 1);
                let is_youngest = self.b.ins().icmp(IntCC::Equal, next, count);
                self.branch_on(is_youngest, yes, no);
            }
            _ => self.jump(yes),
        }
    }

    /// Does it, in the row of `who`.
    pub(crate) fn apply(&mut self, effect: &Effect<'m>, who: Who) {
        match effect {
            Effect::Nothing => {}
            Effect::Store { place, offset, value } => {
                if place.region != Region::Nothing {
                    let at = self.address(place, *offset, who);
                    self.store(at, place.scalar, *value);
                }
            }
            Effect::Append { channel, count, values } => {
                self.append(*channel, who.row, *count, values);
                self.notice_values(Event::Send, who.row, channel.id, values);
            }
            Effect::Take { channel, receive, slot, from } => {
                self.take(*channel, receive, *slot, *from, who);
            }
            Effect::Run { run, args, store } => self.start(run, args, *store, who),
            Effect::Priority { pid, value } => self.set_priority(*pid, *value, who),
            Effect::Program(id) => self.run_program(*id, who),
            Effect::End => self.end(who),
            Effect::Offer { .. } => unreachable!("an offer is made by the caller"),
        }
    }

    /// Stores the fields from the first to the last, so a subscript sees those before it; then
    /// removes the message. `from` is the row where the message was found.
    fn take(
        &mut self,
        channel: Channel<'m>,
        receive: &'m Receive,
        slot: Option<Value>,
        from: Who,
        who: Who,
    ) {
        let count = self.message_count(channel, from);
        let message = match slot {
            Some(slot) => self.slot(channel, from.row, slot),
            None => self.contents(channel, from.row),
        };
        if self.callees.observe.is_some() && !receive.peek {
            let values = channel
                .ty
                .fields
                .iter()
                .map(|field| self.load(from, plus(message, field.offset), field.scalar));
            let values: Vec<Value> = values.collect();
            self.notice_values(Event::Receive, who.row, channel.id, &values);
        }
        for (field, arg) in channel.ty.fields.iter().zip(&receive.args) {
            let ReceiveArg::Store(place) = arg else { continue };
            let value = self.load(from, plus(message, field.offset), field.scalar);
            self.store_received(place, who, value);
        }
        if receive.peek {
            return;
        }
        match slot.filter(|_| !makes_mistake("native-random-receive")) {
            Some(slot) => self.remove_slot(channel, who.row, slot, count),
            None => self.remove_first(channel, from.row, who.row, count),
        }
    }

    pub(crate) fn store_received(&mut self, place: &'m Place, who: Who, value: Value) {
        let at = self.resolve(place, who);
        if place.region != Region::Nothing {
            self.store(at, place.scalar, value);
        }
    }

    /// A pid that is nobody's changes nothing; its own priority a process may set to anything.
    fn set_priority(&mut self, pid: Option<Value>, value: Value, who: Who) {
        let Some(pid) = pid else {
            return self.store(self.local(who, FRAME_PRIORITY as u32), Scalar::Byte, value);
        };
        let frame = self.frame_of(pid, who);
        let (lives, done) = (self.block(), self.block());
        self.branch_on(frame, lives, done);
        self.switch_to(lives);
        let before = self.b.ins().iadd_imm_s(value, -1);
        let is_wrong = self.compare(IntCC::UnsignedGreaterThanOrEqual, before, u8::MAX.into());
        self.ask_if(is_wrong);
        let at = Address { base: frame, offset: FRAME_PRIORITY as i32 };
        self.store(at, Scalar::Byte, value);
        self.jump(done);
        self.switch_to(done);
    }

    /// The process is gone, and its channels; what follows the last frame is 0.
    fn end(&mut self, who: Who) {
        let id = self.proctype.expect("processes end in their own code");
        let proctype = self.facts.model.proctype(id);
        self.clear(self.local(who, 0), self.facts.block_size(id));
        let gone = proctype.channels.len() as i64;
        for (count, gone) in [(NR_PROCESSES, 1), (NR_CHANNELS, gone)] {
            if gone > 0 {
                let at = self.global(who, count as u32);
                let value = self.load(who, at, Scalar::Byte);
                let value = self.b.ins().iadd_imm_s(value, -gone);
                self.store(at, Scalar::Byte, value);
            }
        }
    }
}
