//! Channels: which one is meant, how full it is, what is in it.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use lariat_model::ir::expr::Poll;
use lariat_model::ir::layout::{CHANNEL_HEADER, CHANNEL_LEN, NR_CHANNELS};
use lariat_model::ir::{ChannelType, Expr, ExprId, Place, Probe, ReceiveArg, Scalar};

use crate::code::{Address, Code, Position, Who};
use crate::context::offset;

/// A channel of a row.
#[derive(Clone, Copy)]
pub(crate) struct Channel<'m> {
    pub(crate) ty: &'m ChannelType,
    pub(crate) at: Position,
    pub(crate) id: Value,
}

impl<'m> Code<'_, '_, 'm> {
    /// Calls `then` for each kind of channel that an expression may mean, each time in a block
    /// of its own that `then` must end. An id that names no channel goes to `absent`, or to
    /// the interpreter.
    pub(crate) fn with_channel(
        &mut self,
        expr: ExprId,
        who: Who,
        absent: Option<Block>,
        then: &mut dyn FnMut(&mut Self, Channel<'m>),
    ) {
        if let Some(channel) = self.known_channel(expr, who) {
            return then(self, channel);
        }
        let id = self.value(expr, who);
        let (number, at) = self.channel_position(id, who, absent);
        let model = self.facts.model;
        let classes = &self.facts.classes;
        let ty = (classes.len() > 1).then(|| self.get_element(offset!(channel_types), number));
        for (number, class) in classes.iter().enumerate() {
            let channel = Channel { ty: &model.channel_types[class[0] as usize], at, id };
            let Some(ty) = ty.filter(|_| number + 1 < classes.len()) else {
                return then(self, channel);
            };
            let (yes, no) = (self.block(), self.block());
            for &member in class {
                let (is_it, other) = (self.equals(ty, i32::from(member)), self.block());
                self.branch_on(is_it, yes, other);
                self.switch_to(other);
            }
            self.jump(no);
            self.switch_to(yes);
            then(self, channel);
            self.switch_to(no);
        }
        // A model without channel types: the id cannot be one.
        self.leave();
    }

    /// A channel whose type and position follow from the name.
    fn known_channel(&mut self, expr: ExprId, who: Who) -> Option<Channel<'m>> {
        let facts = self.facts;
        let simple;
        let place = match facts.model.exprs.get(expr) {
            Expr::Var(region, offset, scalar) => {
                simple = Place::simple(*region, *offset, *scalar);
                &simple
            }
            Expr::Load(place) => &**place,
            _ => return None,
        };
        let known = facts.known_channel(place)?;
        let first = (place.offset - known.offset) / known.element;
        let offset = self.offset_of(place, who);
        let (id, base) = (known.first_id + first, known.first_base + first * known.ty.size);
        Some(match offset {
            None => Channel { ty: known.ty, at: Position::At(base), id: self.int(id as i32) },
            Some(offset) => {
                // Subscripts of typedefs may step over more than one element at a time.
                let element = match known.element {
                    1 => offset,
                    size => self.b.ins().udiv_imm_s(offset, i64::from(size)),
                };
                let bytes = self.b.ins().imul_imm_s(element, i64::from(known.ty.size));
                let at = self.b.ins().iadd_imm_s(bytes, i64::from(base));
                let element = self.b.ins().ireduce(types::I32, element);
                let id = self.b.ins().iadd_imm_s(element, i64::from(id));
                Channel { ty: known.ty, at: Position::Offset(at), id }
            }
        })
    }

    pub(crate) fn is_known_channel(&self, expr: ExprId) -> bool {
        match self.facts.model.exprs.get(expr) {
            Expr::Var(region, offset, scalar) => {
                self.facts.known_channel(&Place::simple(*region, *offset, *scalar)).is_some()
            }
            Expr::Load(place) => self.facts.known_channel(place).is_some(),
            _ => false,
        }
    }

    /// The number of a channel from 0 on, and where it is.
    fn channel_position(
        &mut self,
        id: Value,
        who: Who,
        absent: Option<Block>,
    ) -> (Value, Position) {
        let number = self.b.ins().iadd_imm_s(id, -1);
        let count = self.load(who, self.global(who, NR_CHANNELS as u32), Scalar::Byte);
        let is_none = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, number, count);
        match absent {
            None => self.ask_if(is_none),
            Some(absent) => {
                let lives = self.block();
                self.branch_on(is_none, absent, lives);
                self.switch_to(lives);
            }
        }
        let base = self.get_element(offset!(channels), number);
        (number, Position::Offset(self.b.ins().uextend(types::I64, base)))
    }

    pub(crate) fn message_count(&mut self, channel: Channel<'m>, who: Who) -> Value {
        let address = self.position(who.row, channel.at);
        self.load(who, plus(address, CHANNEL_LEN as u32), Scalar::Byte)
    }

    pub(crate) fn set_message_count(&mut self, channel: Channel<'m>, row: Value, count: Value) {
        let address = self.position(row, channel.at);
        self.store(plus(address, CHANNEL_LEN as u32), Scalar::Byte, count);
    }

    /// `len(c)`
    pub(crate) fn channel_length(&mut self, expr: ExprId, who: Who) -> Value {
        let at = match self.known_channel(expr, who) {
            Some(channel) => channel.at,
            None => {
                let id = self.value(expr, who);
                self.channel_position(id, who, None).1
            }
        };
        let address = self.position(who.row, at);
        self.load(who, plus(address, CHANNEL_LEN as u32), Scalar::Byte)
    }

    /// `full(c)` and the like, 0 or 1.
    pub(crate) fn probe(&mut self, probe: Probe, expr: ExprId, who: Who) -> Value {
        let done = self.block();
        let result = self.b.append_block_param(done, types::I32);
        self.with_channel(expr, who, None, &mut |code, channel| {
            let count = code.message_count(channel, who);
            let capacity = channel.ty.capacity as i32;
            let full = match capacity {
                // A rendezvous channel is never full.
                0 => code.b.ins().iconst(types::I8, 0),
                _ => code.equals(count, capacity),
            };
            let holds = match probe {
                Probe::Empty => code.equals(count, 0),
                Probe::NotEmpty => code.compare(IntCC::NotEqual, count, 0),
                Probe::Full => full,
                Probe::NotFull => code.equals(full, 0),
            };
            let holds = code.b.ins().uextend(types::I32, holds);
            code.jump_with(done, holds);
        });
        self.switch_to(done);
        result
    }

    /// Where the messages of a channel start.
    pub(crate) fn contents(&mut self, channel: Channel<'m>, row: Value) -> Address {
        let address = self.position(row, channel.at);
        plus(address, CHANNEL_HEADER)
    }

    /// The address of a message.
    pub(crate) fn slot(&mut self, channel: Channel<'m>, row: Value, slot: Value) -> Address {
        let contents = self.contents(channel, row);
        let slot = self.b.ins().uextend(types::I64, slot);
        let bytes = self.b.ins().imul_imm_s(slot, i64::from(channel.ty.message_size));
        self.moved_by(contents, bytes)
    }

    /// `c?[…]`
    pub(crate) fn poll(&mut self, poll: &Poll, who: Who, yes: Block, no: Block) {
        self.with_channel(poll.channel, who, None, &mut |code, channel| {
            if channel.ty.is_rendezvous() {
                return code.leave();
            }
            code.find_message(channel, poll.random, &poll.args, who, no);
            code.jump(yes);
        });
    }

    /// The slot of the message that a receive would take, None for the first one. Goes to
    /// `none` if there is no such message.
    pub(crate) fn find_message(
        &mut self,
        channel: Channel<'m>,
        random: bool,
        args: &[ReceiveArg],
        who: Who,
        none: Block,
    ) -> Option<Value> {
        let count = self.message_count(channel, who);
        let has_patterns = args.iter().any(|arg| arg.pattern().is_some());
        if !random || !has_patterns {
            let some = self.block();
            self.branch_on(count, some, none);
            self.switch_to(some);
            let message = self.contents(channel, who.row);
            self.match_message(channel.ty, message, args, who, none);
            return None;
        }
        // No state has more, but a row may come from anywhere.
        let capacity = channel.ty.capacity as i32;
        let too_many = self.compare(IntCC::UnsignedGreaterThan, count, capacity);
        self.ask_if(too_many);
        let (head, body, next) = (self.block(), self.block(), self.block());
        let slot = self.b.append_block_param(head, types::I32);
        let first = self.int(0);
        self.jump_with(head, first);
        self.switch_to(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, slot, count);
        self.branch_on(more, body, none);
        self.switch_to(body);
        let message = self.slot(channel, who.row, slot);
        self.match_message(channel.ty, message, args, who, next);
        let found = self.block();
        self.jump(found);
        self.switch_to(next);
        let following = self.b.ins().iadd_imm_s(slot, 1);
        self.b.ins().jump(head, &[BlockArg::Value(following)]);
        self.switch_to(found);
        Some(slot)
    }

    fn match_message(
        &mut self,
        ty: &ChannelType,
        message: Address,
        args: &[ReceiveArg],
        who: Who,
        differs: Block,
    ) {
        for (field, arg) in ty.fields.iter().zip(args) {
            let Some(pattern) = arg.pattern() else { continue };
            let wanted = self.value(pattern, who);
            let found = self.load(who, plus(message, field.offset), field.scalar);
            let (equal, same) = (self.b.ins().icmp(IntCC::Equal, wanted, found), self.block());
            self.branch_on(equal, same, differs);
            self.switch_to(same);
        }
    }

    /// Appends a message whose values were evaluated before.
    pub(crate) fn append(
        &mut self,
        channel: Channel<'m>,
        row: Value,
        count: Value,
        values: &[Value],
    ) {
        let slot = self.slot(channel, row, count);
        for (field, &value) in channel.ty.fields.iter().zip(values) {
            self.store(plus(slot, field.offset), field.scalar, value);
        }
        let count = self.b.ins().iadd_imm_s(count, 1);
        self.set_message_count(channel, row, count);
    }

    /// Removes the first message of a channel in `to`; its contents are still those of `from`,
    /// which may be the same row. Free slots are 0, so all of them move.
    pub(crate) fn remove_first(
        &mut self,
        channel: Channel<'m>,
        from: Value,
        to: Value,
        count: Value,
    ) {
        let size = channel.ty.message_size;
        let kept = (channel.ty.capacity - 1) * size;
        let source = self.contents(channel, from);
        let target = self.contents(channel, to);
        self.copy(plus(source, size), target, kept);
        self.clear(plus(target, kept), size);
        let count = self.b.ins().iadd_imm_s(count, -1);
        self.set_message_count(channel, to, count);
    }

    /// Removes the message in a slot, byte by byte.
    pub(crate) fn remove_slot(
        &mut self,
        channel: Channel<'m>,
        row: Value,
        slot: Value,
        count: Value,
    ) {
        let size = channel.ty.message_size;
        let contents = self.contents(channel, row);
        let last = self.b.ins().iadd_imm_s(count, -1);
        let [start, end] = [slot, last].map(|slot| {
            let slot = self.b.ins().uextend(types::I64, slot);
            self.b.ins().imul_imm_s(slot, i64::from(size))
        });
        let (head, body, done) = (self.block(), self.block(), self.block());
        let at = self.b.append_block_param(head, types::I64);
        self.jump_with(head, start);
        self.switch_to(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, at, end);
        self.branch_on(more, body, done);
        self.switch_to(body);
        let target = self.moved_by(contents, at);
        self.copy(plus(target, size), target, 1);
        let next = self.b.ins().iadd_imm_s(at, 1);
        self.jump_with(head, next);
        self.switch_to(done);
        let free = self.moved_by(contents, end);
        self.clear(free, size);
        self.set_message_count(channel, row, last);
    }
}

/// An address so many bytes further.
pub(crate) fn plus(address: Address, bytes: u32) -> Address {
    Address { base: address.base, offset: address.offset + bytes as i32 }
}
