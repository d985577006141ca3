//! Sends, receives and polls.

use super::fault::FaultKind;
use super::machine::{Context, Handshake, Machine};
use super::step::Outcome;
use super::trace::Event;
use crate::ir::layout::CHANNEL_HEADER;
use crate::ir::{ChannelType, ExprId, Receive, ReceiveArg, Send};
use lariat_syntax::diagnostics::Span;

/// Where a receive finds its message.
#[derive(Clone, Copy, Debug)]
enum Source {
    Slot { channel: usize, slot: usize },
    Handshake,
}

impl<'m> Machine<'m> {
    pub(super) fn send(&mut self, send: &'m Send, who: Context, in_d_step: bool) -> Outcome {
        let span = self.model.exprs.span(send.channel);
        let id = self.eval(send.channel, who);
        if id == 0 {
            self.fault(FaultKind::UninitialisedChannel, span);
            return Outcome::Blocked;
        }
        let Some((channel, ty)) = self.channel(id) else {
            self.fault(FaultKind::DeadChannel, span);
            return Outcome::Failed;
        };
        if ty.is_rendezvous() {
            if in_d_step {
                self.fault(FaultKind::RendezvousInDStep, span);
                return Outcome::Failed;
            }
            self.message.clear();
            for (at, field) in ty.fields.iter().enumerate() {
                let value = send.args.get(at).map_or(0, |&arg| self.eval(arg, who));
                self.message.push(field.scalar.truncate(value));
            }
            self.check_arguments(send, ty, span);
            self.handshake = Some(Handshake { channel: id as u8, sender: who.pid });
            self.observe(Event::Send, id, span);
            return Outcome::Offered;
        }
        let count = self.message_count(channel);
        if count == ty.capacity as usize {
            return match self.model.uses.message_loss {
                true => Outcome::Done,
                false => Outcome::Blocked,
            };
        }
        self.message.clear();
        for at in 0..ty.fields.len() {
            let value = send.args.get(at).map_or(0, |&arg| self.eval(arg, who));
            self.message.push(value);
        }
        let slot = match send.sorted {
            true if lariat_core::makes_mistake("sorted-send") => 0,
            true => self.sorted_slot(channel, ty, count),
            false => count,
        };
        let size = ty.message_size as usize;
        let start = channel + CHANNEL_HEADER as usize;
        self.memory
            .copy_within(start + slot * size..start + count * size, start + (slot + 1) * size);
        for (at, field) in ty.fields.iter().enumerate() {
            let offset = start + slot * size + field.offset as usize;
            field.scalar.store(&mut self.memory, offset, self.message[at]);
        }
        self.set_message_count(channel, count + 1);
        self.check_arguments(send, ty, span);
        self.observe(Event::Send, id, span);
        Outcome::Done
    }

    /// Behind all messages that are not greater, fields compared from the first on. The
    /// message is compared before it is truncated to the fields, as Spin does.
    fn sorted_slot(&self, channel: usize, ty: &ChannelType, count: usize) -> usize {
        (0..count)
            .find(|&slot| {
                let mut fields = ty
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(at, _)| self.message[at].cmp(&self.field(channel, ty, slot, at)));
                fields.find(|order| order.is_ne()) == Some(std::cmp::Ordering::Less)
            })
            .unwrap_or(count)
    }

    fn check_arguments(&mut self, send: &Send, ty: &ChannelType, span: Span) {
        let (given, expected) = (send.args.len() as u32, ty.fields.len() as u32);
        if given < expected {
            self.fault(FaultKind::TooFewArguments { given, expected }, span);
        } else if given > expected {
            self.fault(FaultKind::TooManyArguments { given, expected }, span);
        }
    }

    pub(super) fn field(&self, channel: usize, ty: &ChannelType, slot: usize, at: usize) -> i32 {
        let field = &ty.fields[at];
        let message = channel + CHANNEL_HEADER as usize + slot * ty.message_size as usize;
        field.scalar.load(&self.memory, message + field.offset as usize)
    }

    /// Whether a receive could be done now. No faults but of expressions.
    pub(super) fn can_receive(&mut self, receive: &Receive, who: Context) -> bool {
        let id = self.eval(receive.channel, who);
        let Some((channel, ty)) = self.channel(id) else { return false };
        if ty.is_rendezvous() {
            return !receive.peek && self.offered_on(id) && self.matches_offer(&receive.args, who);
        }
        self.handshake.is_none()
            && self.find_message(channel, ty, receive.random, &receive.args, who).is_some()
    }

    fn offered_on(&self, id: i32) -> bool {
        self.handshake.is_some_and(|handshake| handshake.channel as i32 == id)
    }

    fn matches_offer(&mut self, args: &[ReceiveArg], who: Context) -> bool {
        args.iter().enumerate().all(|(at, arg)| match arg {
            ReceiveArg::Match(value) => {
                let value = self.eval(*value, who);
                self.message.get(at).copied().unwrap_or(0) == value
            }
            ReceiveArg::Store(_) | ReceiveArg::Ignore => true,
        })
    }

    /// The slot of the message that a receive would take.
    fn find_message(
        &mut self,
        channel: usize,
        ty: &ChannelType,
        random: bool,
        args: &[ReceiveArg],
        who: Context,
    ) -> Option<usize> {
        let count = self.message_count(channel);
        let candidates = if random { count } else { count.min(1) };
        (0..candidates).find(|&slot| {
            args.iter().enumerate().all(|(at, arg)| match arg {
                ReceiveArg::Match(value) if at < ty.fields.len() => {
                    self.eval(*value, who) == self.field(channel, ty, slot, at)
                }
                _ => true,
            })
        })
    }

    pub(super) fn receive(&mut self, receive: &'m Receive, who: Context) -> Outcome {
        let span = self.model.exprs.span(receive.channel);
        let id = self.eval(receive.channel, who);
        let Some((channel, ty)) = self.channel(id) else {
            return self.receive_from_nothing(id, span);
        };
        let source = if ty.is_rendezvous() {
            if receive.peek {
                self.fault(FaultKind::PollRendezvous, span);
                return Outcome::Blocked;
            }
            if !self.offered_on(id) || !self.matches_offer(&receive.args, who) {
                return Outcome::Blocked;
            }
            Source::Handshake
        } else {
            if self.handshake.is_some() {
                return Outcome::Blocked;
            }
            let found = self.find_message(channel, ty, receive.random, &receive.args, who);
            let Some(slot) = found else { return Outcome::Blocked };
            Source::Slot { channel, slot }
        };
        if self.check_fields(receive, ty, span) == Outcome::Failed {
            return Outcome::Failed;
        }
        if self.model.trace.is_some() && !receive.peek {
            if let Source::Slot { channel, slot } = source {
                self.message.clear();
                for at in 0..ty.fields.len() {
                    self.message.push(self.field(channel, ty, slot, at));
                }
            }
            self.observe(Event::Receive, id, span);
        }
        self.take_message(receive, ty, source, who);
        Outcome::Done
    }

    /// What Spin says of a channel variable with value 0, or of a channel that is gone.
    fn receive_from_nothing(&mut self, id: i32, span: Span) -> Outcome {
        if id != 0 || self.rendezvous_only || self.handshake.is_some() {
            return Outcome::Blocked;
        }
        self.fault(FaultKind::UninitialisedChannel, span);
        self.fault(FaultKind::UninitialisedChannel, span);
        self.fault(FaultKind::DeadChannel, span);
        Outcome::Failed
    }

    fn check_fields(&mut self, receive: &Receive, ty: &ChannelType, span: Span) -> Outcome {
        let (given, expected) = (receive.args.len() as u32, ty.fields.len() as u32);
        if given > expected {
            self.fault(FaultKind::TooManyFields { given, expected }, span);
            return Outcome::Failed;
        }
        if given < expected && !receive.peek {
            self.fault(FaultKind::TooFewFields { given, expected }, span);
        }
        Outcome::Done
    }

    /// Stores the fields from the first to the last, so a subscript sees those before it; then
    /// removes the message.
    fn take_message(&mut self, receive: &'m Receive, ty: &ChannelType, from: Source, who: Context) {
        for (at, arg) in receive.args.iter().enumerate() {
            let ReceiveArg::Store(place) = arg else { continue };
            let value = match from {
                Source::Slot { channel, slot } => self.field(channel, ty, slot, at),
                Source::Handshake => self.message[at],
            };
            if let Some(offset) = self.resolve(place, who, receive.channel) {
                self.write(place, offset, who, value);
            }
        }
        match from {
            Source::Handshake => self.handshake = None,
            Source::Slot { .. } if receive.peek => {}
            Source::Slot { channel, slot } => self.remove_message(channel, ty, slot),
        }
    }

    pub(super) fn remove_message(&mut self, channel: usize, ty: &ChannelType, slot: usize) {
        let count = self.message_count(channel);
        let size = ty.message_size as usize;
        let start = channel + CHANNEL_HEADER as usize;
        self.memory
            .copy_within(start + (slot + 1) * size..start + count * size, start + slot * size);
        self.memory[start + (count - 1) * size..start + count * size].fill(0);
        self.set_message_count(channel, count - 1);
    }

    /// `c?[…]`
    pub(super) fn poll(
        &mut self,
        id: i32,
        random: bool,
        args: &[ReceiveArg],
        who: Context,
        at: ExprId,
    ) -> bool {
        if id == 0 {
            self.fault(FaultKind::UninitialisedChannel, self.model.exprs.span(at));
            return false;
        }
        let Some((channel, ty)) = self.channel(id) else { return false };
        if ty.is_rendezvous() {
            self.fault(FaultKind::PollRendezvous, self.model.exprs.span(at));
            return false;
        }
        self.find_message(channel, ty, random, args, who).is_some()
    }
}

impl Machine<'_> {
    /// The contents of a channel, for people.
    pub(super) fn describe_channel(&self, id: u8) -> Option<super::Channel> {
        let (base, ty) = self.channel(id as i32)?;
        let messages = (0..self.message_count(base))
            .map(|slot| (0..ty.fields.len()).map(|at| self.field(base, ty, slot, at)).collect())
            .collect();
        let channel_type =
            crate::ir::ChannelTypeId(self.memory[base + crate::ir::layout::CHANNEL_TYPE]);
        Some(super::Channel { id, channel_type, messages })
    }
}
