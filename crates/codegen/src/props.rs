//! The propositions of a property, evaluated on a state.

use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};
use lariat_model::ir::ExprId;

use crate::code::{Code, Position};
use crate::context::offset;
use crate::support;

impl Code<'_, '_, '_> {
    /// The body of the proposition function: `(context, row)`.
    pub(crate) fn propositions(&mut self, propositions: &[ExprId], row: Value) {
        // In the name of nobody.
        let pid = self.int(i32::from(u8::MAX));
        let who = self.who(row, Position::At(0), pid, true);
        let mut bits = self.long(0);
        for (bit, &proposition) in propositions.iter().enumerate() {
            if !support::expr(self.facts.model, proposition) {
                return self.ask();
            }
            let (yes, no, done) = (self.block(), self.block(), self.block());
            let result = self.b.append_block_param(done, types::I64);
            self.branch(proposition, who, yes, no);
            self.switch_to(yes);
            let mask = self.long((1u64 << bit) as i64);
            let with = self.b.ins().bor(bits, mask);
            self.jump_with(done, with);
            self.switch_to(no);
            self.b.ins().jump(done, &[BlockArg::Value(bits)]);
            self.switch_to(done);
            bits = result;
        }
        self.set(offset!(props), bits);
    }
}
