//! Who may move at all: `provided` clauses and priorities.
//!
//! A process moves only while its clause holds and nobody of higher priority is enabled, whose own
//! clause counts, too. Both are asked in every row where a process is tried, as the interpreter
//! does: in a state, inside an atomic sequence, and of those who might receive by a rendezvous.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, SigRef, Value, types};
use lariat_core::makes_mistake;
use lariat_model::ir::layout::{FRAME_PRIORITY, FRAME_PROCTYPE};
use lariat_model::ir::{Action, CommandId, Location, Model, ProctypeId, Receive, Scalar};

use crate::code::{Code, Position, Who};
use crate::context::{YES, offset};
use crate::support;

/// The message of a rendezvous that waits for its receiver.
#[derive(Clone, Copy)]
pub(crate) struct Offered {
    pub(crate) channel: Value,
    pub(crate) message: Value,
}

impl<'m> Code<'_, '_, 'm> {
    /// Goes to `no` unless a process of the type at hand may move.
    pub(crate) fn may_move(&mut self, who: Who, offered: Option<Offered>, no: Block) {
        self.is_provided(who, no);
        let Some(outranked) = self.callees.outranked else { return };
        let own = self.load(who, self.local(who, FRAME_PRIORITY as u32), Scalar::Byte);
        let offered = offered.unwrap_or_else(|| self.nothing_offered());
        let args = [self.context, who.row, own, offered.channel, offered.message];
        let call = self.b.ins().call(outranked, &args);
        let answer = self.b.inst_results(call)[0];
        let (first, other) = (self.block(), self.block());
        self.branch_on(answer, other, first);
        self.switch_to(other);
        let is_outranked = self.equals(answer, YES as i32);
        let give_up = self.block();
        self.b.set_cold_block(give_up);
        self.branch_on(is_outranked, no, give_up);
        self.switch_to(give_up);
        self.b.ins().return_(&[answer]);
        self.switch_to(first);
    }

    fn nothing_offered(&mut self) -> Offered {
        Offered { channel: self.int(0), message: self.long(0) }
    }

    /// Goes to `no` unless the provided clause of the type at hand holds.
    fn is_provided(&mut self, who: Who, no: Block) {
        let model = self.facts.model;
        let proctype = model.proctype(self.proctype.expect("set before"));
        let Some(clause) = proctype.provided else { return };
        if !support::expr(model, clause) {
            return self.ask();
        }
        let yes = self.block();
        self.branch(clause, who, yes, if makes_mistake("native-provided") { yes } else { no });
        self.switch_to(yes);
    }

    /// The body of the function that asks whether somebody keeps processes of a priority from
    /// moving: `(context, row, priority, channel, message)`, the channel 0 without an offer. Returns
    /// [`YES`] or 0.
    pub(crate) fn outranked(&mut self, params: &[Value], enabled: SigRef) {
        let &[context, row, own, channel, message] = params else {
            unreachable!("by the signature")
        };
        let nobody = self.int(0);
        let anybody = self.who(row, Position::At(0), nobody, true);
        let count = self.process_count(anybody);
        let (head, body, higher, next, done) =
            (self.block(), self.block(), self.block(), self.block(), self.block());
        let pid = self.b.append_block_param(head, types::I32);
        self.jump_with(head, nobody);
        self.switch_to(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count);
        self.branch_on(more, body, done);
        self.switch_to(body);
        let frame = self.get_element(offset!(frames), pid);
        let frame = self.b.ins().uextend(types::I64, frame);
        let who = self.who(row, Position::Offset(frame), pid, true);
        let priority = self.load(who, self.local(who, FRAME_PRIORITY as u32), Scalar::Byte);
        let compared = match makes_mistake("native-priority") {
            true => IntCC::UnsignedLessThan,
            false => IntCC::UnsignedGreaterThan,
        };
        let is_higher = self.b.ins().icmp(compared, priority, own);
        self.branch_on(is_higher, higher, next);
        self.switch_to(higher);
        let proctype = self.load(who, self.local(who, FRAME_PROCTYPE as u32), Scalar::Byte);
        let entry = self.element_address(proctype, size_of::<usize>() as i64);
        let flags = MemFlagsData::trusted();
        let callee = self.b.ins().load(types::I64, flags, entry, offset!(enabled));
        let is_none = self.b.ins().icmp_imm_s(IntCC::Equal, callee, 0);
        self.ask_if(is_none);
        let args = [context, row, frame, pid, channel, message];
        let call = self.b.ins().call_indirect(enabled, callee, &args);
        let answer = self.b.inst_results(call)[0];
        // That it is enabled is the answer, and so is that the interpreter must be asked.
        self.give_up_on(answer);
        self.jump(next);
        self.switch_to(next);
        let following = self.b.ins().iadd_imm_s(pid, 1);
        self.jump_with(head, following);
        self.switch_to(done);
    }

    /// The body of the function that asks whether a process is provided and could execute a command:
    /// `(context, row, frame, pid, channel, message)`. Returns [`YES`] or 0.
    pub(crate) fn enabled(&mut self, id: ProctypeId, params: &[Value]) {
        let &[_, row, frame, pid, channel, message] = params else {
            unreachable!("by the signature")
        };
        self.proctype = Some(id);
        let who = self.who(row, Position::Offset(frame), pid, true);
        let (yes, no) = (self.block(), self.block());
        self.is_provided(who, no);
        if self.facts.has_rendezvous {
            let (waiting, free) = (self.block(), self.block());
            self.branch_on(channel, waiting, free);
            self.switch_to(waiting);
            self.could_receive(id, who, Offered { channel, message }, yes);
            self.jump(no);
            self.switch_to(free);
        }
        let has_edges = |location: &Location| !location.edges.is_empty();
        self.dispatch(id, who, has_edges, |code, location, done| {
            for edge in &location.edges {
                let action = &code.facts.model.command(edge.command).action;
                let next = code.block();
                match support::condition(code.facts.model, action) {
                    true => code.can_execute(action, who, yes, next),
                    false => code.leave(),
                }
                code.switch_to(next);
            }
            code.jump(done);
        });
        self.jump(no);
        self.switch_to(yes);
        self.return_status(YES);
        self.switch_to(no);
    }

    /// Goes to `yes` if the process could receive what is offered.
    fn could_receive(&mut self, id: ProctypeId, who: Who, offered: Offered, yes: Block) {
        let model = self.facts.model;
        let receives = |location: &'m Location| {
            location.edges.iter().flat_map(|edge| receives_of(model, edge.command)).collect()
        };
        let may_receive = |location: &Location| {
            location.edges.iter().any(|edge| !receives_of(model, edge.command).is_empty())
        };
        self.dispatch(id, who, may_receive, |code, location, done| {
            let receives: Vec<&'m Receive> = receives(location);
            for receive in receives {
                let next = code.block();
                match support::receives(model, receive) {
                    true => code.matches_offer(receive, who, offered, yes, next),
                    false => code.leave(),
                }
                code.switch_to(next);
            }
            code.jump(done);
        });
    }

    fn matches_offer(
        &mut self,
        receive: &'m Receive,
        who: Who,
        offered: Offered,
        yes: Block,
        no: Block,
    ) {
        let mut met = None;
        self.with_channel(receive.channel, who, Some(no), &mut |code, channel| {
            if !channel.ty.is_rendezvous() || receive.peek {
                return code.jump(no);
            }
            let block = *met.get_or_insert_with(|| code.block());
            let is_it = code.b.ins().icmp(IntCC::Equal, channel.id, offered.channel);
            code.branch_on(is_it, block, no);
        });
        let Some(met) = met else { return };
        self.switch_to(met);
        for (at, arg) in receive.args.iter().enumerate() {
            let Some(pattern) = arg.pattern() else { continue };
            let wanted = self.value(pattern, who);
            let found = self.message_field(offered.message, at);
            let (equal, same) = (self.b.ins().icmp(IntCC::Equal, wanted, found), self.block());
            self.branch_on(equal, same, no);
            self.switch_to(same);
        }
        self.jump(yes);
    }
}

/// The receives that a command may begin with.
fn receives_of(model: &Model, command: CommandId) -> Vec<&Receive> {
    match &model.command(command).action {
        Action::DStep(id) => {
            let guards = &model.d_steps[id.0 as usize].guards;
            guards.iter().filter_map(receive_of).collect()
        }
        action => receive_of(action).into_iter().collect(),
    }
}

fn receive_of(action: &Action) -> Option<&Receive> {
    match action {
        Action::Receive(receive) => Some(receive),
        _ => None,
    }
}
