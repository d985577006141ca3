//! Rendezvous of Promela processes: a send is offered to the other processes, and one that
//! receives it moves in the same step.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, SigRef, Value, types};
use lariat_model::ir::layout::FRAME_PROCTYPE;
use lariat_model::ir::{Action, Location, ProctypeId, ReceiveArg, Scalar};

use crate::channel::Channel;
use crate::code::{Code, Position, Who};
use crate::context::offset;
use crate::may_move::Offered;
use crate::process::Trial;
use crate::support;
use crate::trace::Event;

/// A process that may be waiting for a message.
struct Listener {
    pid: Value,
    frame: Value,
    proctype: Value,
}

impl<'m> Code<'_, '_, 'm> {
    /// The first half of a rendezvous: all other processes are asked for the second.
    pub(crate) fn offer(&mut self, trial: Trial<'m>, channel: Channel<'m>, values: &[Value]) {
        let path = self.b.ins().iadd_imm_s(trial.path, 1);
        self.note_depth(path);
        let (alone, met, done) = (self.block(), self.block(), self.block());
        // A trace takes notice of what nobody hears, too.
        if !self.facts.asks_everybody && self.callees.observe.is_none() {
            self.skip_unless_heard(trial.who, channel, alone);
        }
        let row = self.scratch_row();
        self.copy_row(trial.who.row, row);
        let who = self.on_row(trial.who, row);
        let message = self.message(values);
        self.notice(Event::Send, row, channel.id, message);
        self.arrive(who, Some(trial.command.target));
        let before = self.get(types::I64, offset!(out));
        let moved_before = self.join_step(who.pid);
        self.push_scratch(row);
        let handshake = self.callees.handshake.expect("there are rendezvous channels");
        self.nested(|code| {
            code.call(handshake, &[code.context, row, who.pid, path, channel.id, message]);
        });
        self.pop_scratch(row);
        self.leave_step(moved_before);
        let after = self.get(types::I64, offset!(out));
        let is_alone = self.b.ins().icmp(IntCC::Equal, before, after);
        self.branch_on(is_alone, alone, met);
        self.switch_to(met);
        self.begins_step(trial.who.pid, trial.path);
        self.cover(trial.edge.command);
        self.set_escape(trial.edge.escape);
        self.jump(done);
        self.switch_to(alone);
        self.set_escape(0);
        self.jump(done);
        self.switch_to(done);
    }

    /// Goes to `alone` if nobody may be waiting for a message.
    fn skip_unless_heard(&mut self, sender: Who, channel: Channel<'m>, alone: Block) {
        let (look, somebody) = (self.block(), self.block());
        let listening = self.get(types::I32, offset!(listening));
        let bit = self.b.ins().band_imm_s(channel.id, 31);
        let bits = self.b.ins().ushr(listening, bit);
        let may_listen = self.b.ins().band_imm_s(bits, 1);
        self.branch_on(may_listen, look, alone);
        self.switch_to(look);
        let ready = self.callees.ready.expect("there are rendezvous channels");
        let args = [self.context, sender.row, sender.pid, channel.id];
        let call = self.b.ins().call(ready, &args);
        let is_ready = self.b.inst_results(call)[0];
        self.branch_on(is_ready, somebody, alone);
        self.switch_to(somebody);
    }

    /// The body of a receive function:
    /// `(context, row, frame, pid, path, channel, message)`.
    pub(crate) fn receives(&mut self, id: ProctypeId, params: &[Value]) {
        let &[_, row, frame, pid, path, channel, message] = params else {
            unreachable!("by the signature")
        };
        self.proctype = Some(id);
        let model = self.facts.model;
        let who = self.who(row, Position::Offset(frame), pid, true);
        let end = self.block();
        self.may_move(who, Some(Offered { channel, message }), end);
        let may_receive = |location: &Location| {
            location.edges.iter().any(|edge| {
                matches!(model.command(edge.command).action, Action::Receive(_) | Action::DStep(_))
            })
        };
        self.dispatch(id, who, may_receive, |code, location, done| {
            code.receive_at(location, who, path, channel, message, done);
        });
        self.jump(end);
        self.switch_to(end);
    }

    fn receive_at(
        &mut self,
        location: &'m Location,
        who: Who,
        path: Value,
        channel: Value,
        message: Value,
        done: Block,
    ) {
        let model = self.facts.model;
        let proctype = model.proctype(self.proctype.expect("set before"));
        let before = proctype.deterministic.then(|| self.get(types::I64, offset!(out)));
        self.start_escapes(location);
        for &edge in &location.edges {
            let command = model.command(edge.command);
            let next = self.block();
            self.enter_escape(edge, done);
            let trial = Trial { who, edge, command, path, before, next };
            match &command.action {
                Action::Receive(_) => self.accept(trial, channel, message),
                Action::DStep(id) => {
                    // A program that begins with a receive may be the partner.
                    let guards = &model.d_steps[id.0 as usize].guards;
                    match guards.iter().any(|guard| matches!(guard, Action::Receive(_))) {
                        true => self.leave(),
                        false => self.jump(next),
                    }
                }
                _ => self.jump(next),
            }
            self.switch_to(next);
        }
        self.escape = None;
        self.jump(done);
    }

    fn accept(&mut self, trial: Trial<'m>, offered: Value, message: Value) {
        let Trial { who, command, next, .. } = trial;
        let Action::Receive(receive) = &command.action else { unreachable!("asked before") };
        if !support::action(self.facts.model, &command.action) {
            return self.leave();
        }
        let mut matched = None;
        self.with_channel(receive.channel, who, Some(next), &mut |code, channel| {
            if !channel.ty.is_rendezvous() {
                return code.jump(next);
            }
            if receive.peek {
                return code.leave();
            }
            let block = *matched.get_or_insert_with(|| code.block());
            let is_it = code.b.ins().icmp(IntCC::Equal, channel.id, offered);
            code.branch_on(is_it, block, next);
        });
        // Otherwise no channel of this model wakes it.
        let Some(matched) = matched else { return };
        self.switch_to(matched);
        let flags = MemFlagsData::trusted();
        let count = self.b.ins().load(types::I32, flags, message, 0);
        let differs = self.compare(IntCC::NotEqual, count, receive.args.len() as i32);
        self.ask_if(differs);
        let field = |code: &mut Self, at: usize| {
            code.b.ins().load(types::I32, flags, message, 4 * (at as i32 + 1))
        };
        for (at, arg) in receive.args.iter().enumerate() {
            let Some(pattern) = arg.pattern() else { continue };
            let wanted = self.value(pattern, who);
            let found = field(self, at);
            let (equal, same) = (self.b.ins().icmp(IntCC::Equal, wanted, found), self.block());
            self.branch_on(equal, same, next);
            self.switch_to(same);
        }
        if let Some(before) = trial.before {
            // D_proctype: a second choice is an error.
            let out = self.get(types::I64, offset!(out));
            let second = self.b.ins().icmp(IntCC::NotEqual, out, before);
            self.ask_if(second);
        }
        self.receives_first(who.pid, trial.path);
        self.take_step(trial, |code, who| {
            code.notice(Event::Receive, who.row, offered, message);
            for (at, arg) in receive.args.iter().enumerate() {
                if let ReceiveArg::Store(place) = arg {
                    let value = field(code, at);
                    code.store_received(place, who, value);
                }
            }
        });
        self.jump(next);
    }

    /// The body of the handshake function: `(context, row, sender, path, channel, message)`.
    /// All processes but the sender are asked.
    pub(crate) fn handshake(&mut self, params: &[Value], receive: SigRef) {
        let &[context, row, sender, path, channel, message] = params else {
            unreachable!("by the signature")
        };
        self.for_each_listener(row, sender, channel, |code, listener| {
            let entry = code.element_address(listener.proctype, size_of::<usize>() as i64);
            let flags = MemFlagsData::trusted();
            let callee = code.b.ins().load(types::I64, flags, entry, offset!(receivers));
            let args = [context, row, listener.frame, listener.pid, path, channel, message];
            // There is one for who may listen, unless the control point is none of the process.
            let no_receiver = code.b.ins().icmp_imm_s(IntCC::Equal, callee, 0);
            code.ask_if(no_receiver);
            let call = code.b.ins().call_indirect(receive, callee, &args);
            let status = code.b.inst_results(call)[0];
            code.give_up_on(status);
        });
    }

    /// The body of the function that asks whether somebody may be waiting for a message, before
    /// a row is built for it: `(context, row, sender, channel)`. Returns 1 or 0.
    pub(crate) fn ready(&mut self, params: &[Value]) {
        let &[_, row, sender, channel] = params else { unreachable!("by the signature") };
        self.for_each_listener(row, sender, channel, |code, _| {
            let yes = code.int(1);
            code.b.ins().return_(&[yes]);
            let unreached = code.block();
            code.switch_to(unreached);
        });
    }

    /// Calls `then` for each process that may be waiting for a message on a channel, the
    /// youngest first.
    fn for_each_listener(
        &mut self,
        row: Value,
        sender: Value,
        channel: Value,
        then: impl FnOnce(&mut Self, Listener),
    ) {
        let facts = self.facts;
        let (starts, masks) = (self.table(&facts.starts), self.table(&facts.receive_masks));
        let bit = self.b.ins().band_imm_s(channel, 31);
        let nobody = self.who(row, Position::At(0), sender, true);
        let count = self.process_count(nobody);
        let (head, body, other, listens, next, done) =
            (self.block(), self.block(), self.block(), self.block(), self.block(), self.block());
        let left = self.b.append_block_param(head, types::I32);
        self.jump_with(head, count);
        self.switch_to(head);
        self.branch_on(left, body, done);
        self.switch_to(body);
        let pid = self.b.ins().iadd_imm_s(left, -1);
        let is_sender = self.b.ins().icmp(IntCC::Equal, pid, sender);
        self.branch_on(is_sender, next, other);
        self.switch_to(other);
        let frame = self.get_element(offset!(frames), pid);
        let frame = self.b.ins().uextend(types::I64, frame);
        let who = self.who(row, Position::Offset(frame), pid, true);
        let proctype = self.load(who, self.local(who, FRAME_PROCTYPE as u32), Scalar::Byte);
        let location = self.location_at(who);
        let start = self.clamped_element(starts, proctype, facts.starts.len());
        let at = self.b.ins().iadd(start, location);
        let mask = self.clamped_element(masks, at, facts.receive_masks.len());
        let mask = self.b.ins().ushr(mask, bit);
        let may_listen = self.b.ins().band_imm_s(mask, 1);
        match facts.asks_everybody {
            true => self.jump(listens),
            false => self.branch_on(may_listen, listens, next),
        }
        self.switch_to(listens);
        then(self, Listener { pid, frame, proctype });
        self.jump(next);
        self.switch_to(next);
        self.jump_with(head, pid);
        self.switch_to(done);
    }
}
