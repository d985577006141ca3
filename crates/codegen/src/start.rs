//! `run`: a new process behind the last one.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use lariat_model::ir::layout::{
    CHANNEL_TYPE, FRAME_PRIORITY, FRAME_PROCTYPE, MAX_LIVE, NR_CHANNELS, NR_PROCESSES,
};
use lariat_model::ir::{Expr, Init, Place, Run, Scalar};

use crate::channel::plus;
use crate::code::{Address, Code, Position, Who};
use crate::context::offset;

impl<'m> Code<'_, '_, 'm> {
    /// Starts a process in the row of `who`, and perhaps stores its pid.
    pub(crate) fn start(&mut self, run: &'m Run, args: &[Value], store: Option<&Place>, who: Who) {
        let id = run.proctype;
        let proctype = self.facts.model.proctype(id);
        let pid = self.process_count(who);
        let too_many = self.compare(IntCC::UnsignedGreaterThanOrEqual, pid, MAX_LIVE as i32);
        self.ask_if(too_many);
        let base = self.length(pid, who);
        let size = i64::from(self.facts.block_size(id));
        let end = self.b.ins().iadd_imm_s(base, size);
        let row = i64::from(self.facts.state());
        let too_wide = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, end, row);
        self.ask_if(too_wide);

        let base_word = self.b.ins().ireduce(types::I32, base);
        self.set_element(offset!(frames), pid, base_word);
        let next = self.b.ins().iadd_imm_s(pid, 1);
        self.store(self.global(who, NR_PROCESSES as u32), Scalar::Byte, next);
        let new = self.who(who.row, Position::Offset(base), pid, false);
        let number = self.int(i32::from(id.0));
        self.store(self.local(new, FRAME_PROCTYPE as u32), Scalar::Byte, number);
        if self.facts.model.uses.priorities {
            let priority = self.int(i32::from(run.priority));
            self.store(self.local(new, FRAME_PRIORITY as u32), Scalar::Byte, priority);
        }
        self.set_location(new, proctype.initial);
        for (variable, &value) in proctype.variables[..proctype.params].iter().zip(args) {
            self.store(self.local(new, variable.offset), variable.scalar, value);
        }
        let mut channel_at = proctype.frame_size;
        for init in &proctype.inits {
            self.initialise(init, new, base, &mut channel_at);
        }
        self.bury(new, id, proctype.initial);
        if let Some(place) = store {
            let at = self.resolve(place, who);
            if place.region != lariat_model::ir::Region::Nothing {
                self.store(at, place.scalar, pid);
            }
        }
    }

    /// Bytes of the row that are in use, with so many processes.
    fn length(&mut self, count: Value, who: Who) -> Value {
        // The process that runs another one is there, so there is a last one.
        let last = self.b.ins().iadd_imm_s(count, -1);
        let base = self.get_element(offset!(frames), last);
        let base = self.b.ins().uextend(types::I64, base);
        let frame = Address { base: self.b.ins().iadd(who.row, base), offset: 0 };
        let proctype = self.load(who, plus(frame, FRAME_PROCTYPE as u32), Scalar::Byte);
        let size = self.get_element(offset!(block_sizes), proctype);
        let size = self.b.ins().uextend(types::I64, size);
        self.b.ins().iadd(base, size)
    }

    /// The frame is 0 so far.
    fn initialise(&mut self, init: &'m Init, new: Who, base: Value, channel_at: &mut u32) {
        match init {
            Init::Fill { value, .. }
                if matches!(self.facts.model.exprs.get(*value), Expr::Const(0)) => {}
            Init::Fill { place, count, value } => {
                let value = self.value(*value, new);
                for element in 0..*count {
                    let offset = place.offset + element * place.scalar.size();
                    self.store(self.local(new, offset), place.scalar, value);
                }
            }
            Init::Channels { place, count, channel } => {
                let size = self.facts.model.channel_types[channel.0 as usize].size;
                for element in 0..*count {
                    let at = self.global(new, NR_CHANNELS as u32);
                    let number = self.load(new, at, Scalar::Byte);
                    let too_many =
                        self.compare(IntCC::UnsignedGreaterThanOrEqual, number, MAX_LIVE as i32);
                    self.ask_if(too_many);
                    let id = self.b.ins().iadd_imm_s(number, 1);
                    self.store(at, Scalar::Byte, id);
                    let position = self.b.ins().iadd_imm_s(base, i64::from(*channel_at));
                    let position = self.b.ins().ireduce(types::I32, position);
                    self.set_element(offset!(channels), number, position);
                    let ty = self.int(i32::from(channel.0));
                    self.set_element(offset!(channel_types), number, ty);
                    let header = self.local(new, *channel_at + CHANNEL_TYPE as u32);
                    self.store(header, Scalar::Byte, ty);
                    let offset = place.offset + element * place.scalar.size();
                    self.store(self.local(new, offset), place.scalar, id);
                    *channel_at += size;
                }
            }
        }
    }
}
