//! Who takes part in steps, where fairness is asked for: what the marks are made from.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use lariat_core::makes_mistake;
use lariat_model::interp::{Fairness, Pids};

use crate::code::Code;
use crate::context::offset;

impl Code<'_, '_, '_> {
    /// A pid as a bit; nothing for those without marks.
    fn bit(&mut self, pid: Value) -> Value {
        let (one, none) = (self.long(1), self.long(0));
        let bit = self.b.ins().ishl(one, pid);
        let has_mark = self.compare(IntCC::UnsignedLessThan, pid, Pids::BITS as i32);
        self.b.ins().select(has_mark, bit, none)
    }

    /// A process takes part in the step that is being built; who did so before, for
    /// [`Code::leave_step`].
    pub(crate) fn join_step(&mut self, pid: Value) -> Option<Value> {
        self.facts.fairness?;
        let before = self.get(types::I64, offset!(together));
        let bit = self.bit(pid);
        let with = self.b.ins().bor(before, bit);
        self.set(offset!(together), with);
        Some(before)
    }

    pub(crate) fn leave_step(&mut self, before: Option<Value>) {
        if let Some(before) = before {
            self.set(offset!(together), before);
        }
    }

    /// These and nobody else take part in the step that is being built.
    pub(crate) fn step_of(&mut self, pids: impl Iterator<Item = usize>) {
        if self.facts.fairness.is_some() {
            let bits =
                pids.fold(0, |bits: Pids, pid| bits | 1_u64.checked_shl(pid as u32).unwrap_or(0));
            let bits = self.long(bits as i64);
            self.set(offset!(together), bits);
        }
    }

    /// The sender of a message, or who moves alone, is able to if this is the first command.
    pub(crate) fn begins_step(&mut self, pid: Value, path: Value) {
        if self.facts.fairness.is_some() {
            self.able_if(pid, path, 0);
        }
    }

    /// So is the receiver, if the first command has offered the message; `pan` does not think so.
    pub(crate) fn receives_first(&mut self, pid: Value, path: Value) {
        let counts = match self.facts.fairness {
            Some(Fairness::Weak | Fairness::Strong) => !makes_mistake("native-fair"),
            Some(Fairness::Spin) | None => false,
        };
        if counts {
            self.able_if(pid, path, 1);
        }
    }

    fn able_if(&mut self, pid: Value, path: Value, wanted: i32) {
        let (bit, none) = (self.bit(pid), self.long(0));
        let is_it = self.equals(path, wanted);
        let bit = self.b.ins().select(is_it, bit, none);
        let able = self.get(types::I64, offset!(able));
        let able = self.b.ins().bor(able, bit);
        self.set(offset!(able), able);
    }

    /// Notes who took part in the step to a successor.
    pub(crate) fn note_movers(&mut self) {
        if self.facts.fairness.is_none() {
            return;
        }
        let movers = self.get(types::I64, offset!(together));
        let at = self.get(types::I64, offset!(movers));
        self.b.ins().store(MemFlagsData::trusted(), movers, at, 0);
        let next = self.b.ins().iadd_imm_s(at, size_of::<Pids>() as i64);
        self.set(offset!(movers), next);
    }
}
