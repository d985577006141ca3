//! The code of one function under construction: memory accesses, rows, ways out.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::immediates::Imm64;
use cranelift_codegen::ir::{
    Block, BlockArg, FuncRef, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind,
    Type, Value, types,
};
use cranelift_frontend::FunctionBuilder;
use lariat_core::makes_mistake;
use lariat_model::ir::layout::{FRAME_LOCATION, LAST};
use lariat_model::ir::{CommandId, LocationId, ProctypeId, Scalar};

use crate::context::{ASK, FULL, OK, offset};
use crate::facts::ModelFacts;

/// Functions that every generated function may call.
#[derive(Clone, Default)]
pub(crate) struct Callees {
    /// Steps of each proctype.
    pub(crate) steps: Vec<Option<FuncRef>>,
    /// Offers a message to the other processes.
    pub(crate) handshake: Option<FuncRef>,
    /// Whether somebody may be waiting for a message.
    pub(crate) ready: Option<FuncRef>,
    /// Whether somebody of a higher priority is enabled.
    pub(crate) outranked: Option<FuncRef>,
    /// Tells the event trace of a message.
    pub(crate) observe: Option<FuncRef>,
    /// DVE: lets the property process move after the system has.
    pub(crate) property: Option<FuncRef>,
}

pub(crate) struct Code<'a, 'f, 'm> {
    pub(crate) b: FunctionBuilder<'f>,
    pub(crate) facts: &'a ModelFacts<'m>,
    pub(crate) callees: Callees,
    /// Whose code this is, if it is a proctype's.
    pub(crate) proctype: Option<ProctypeId>,
    /// Constant tables that outlive the code.
    pub(crate) tables: &'a mut Vec<Box<[i32]>>,
    pub(crate) context: Value,
    ask: Block,
    full: Block,
    /// Which escape of the control point was taken, if there are escapes.
    pub(crate) escape: Option<StackSlot>,
}

/// A process in whose name something is evaluated, and the row where.
#[derive(Clone, Copy)]
pub(crate) struct Who {
    pub(crate) row: Value,
    pub(crate) frame: Position,
    pub(crate) pid: Value,
    /// Where the frame starts in memory.
    address: Address,
    /// Nothing changes the row while the function runs.
    frozen: bool,
}

/// Where something starts in a row.
#[derive(Clone, Copy)]
pub(crate) enum Position {
    At(u32),
    Offset(Value),
}

#[derive(Clone, Copy)]
pub(crate) struct Address {
    pub(crate) base: Value,
    pub(crate) offset: i32,
}

/// Rows up to this size are copied by unrolled moves.
const UNROLL_LIMIT: u32 = 256;

impl<'a, 'f, 'm> Code<'a, 'f, 'm> {
    /// Starts a function; its parameters are returned, the context first.
    pub(crate) fn new(
        mut b: FunctionBuilder<'f>,
        facts: &'a ModelFacts<'m>,
        callees: Callees,
        tables: &'a mut Vec<Box<[i32]>>,
    ) -> (Self, Vec<Value>) {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let params = b.block_params(entry).to_vec();
        let ask = b.create_block();
        let full = b.create_block();
        b.set_cold_block(ask);
        b.set_cold_block(full);
        let context = params[0];
        (
            Code { b, facts, callees, proctype: None, tables, context, ask, full, escape: None },
            params,
        )
    }

    /// Ends the function: falls through to success.
    pub(crate) fn finish(mut self, config: cranelift_codegen::isa::TargetFrontendConfig) {
        self.return_status(OK);
        for (block, status) in [(self.ask, ASK), (self.full, FULL)] {
            self.b.switch_to_block(block);
            self.return_status(status);
        }
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    pub(crate) fn return_status(&mut self, status: i64) {
        let status = self.b.ins().iconst(types::I32, status);
        self.b.ins().return_(&[status]);
    }

    pub(crate) fn block(&mut self) -> Block {
        self.b.create_block()
    }

    pub(crate) fn switch_to(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    pub(crate) fn jump(&mut self, block: Block) {
        self.b.ins().jump(block, &[]);
    }

    pub(crate) fn jump_with(&mut self, block: Block, value: Value) {
        self.b.ins().jump(block, &[BlockArg::Value(value)]);
    }

    pub(crate) fn branch_on(&mut self, condition: Value, yes: Block, no: Block) {
        self.b.ins().brif(condition, yes, &[], no, &[]);
    }

    /// The interpreter takes over if the condition holds; otherwise code goes on.
    pub(crate) fn ask_if(&mut self, condition: Value) {
        let (ask, go_on) = (self.ask, self.block());
        self.branch_on(condition, ask, go_on);
        self.switch_to(go_on);
    }

    /// The interpreter takes over here; the block ends.
    pub(crate) fn leave(&mut self) {
        let ask = self.ask;
        self.jump(ask);
    }

    /// The interpreter takes over here. What follows is never reached, but must be somewhere.
    pub(crate) fn ask(&mut self) {
        let ask = self.ask;
        self.jump(ask);
        let unreached = self.block();
        self.switch_to(unreached);
    }

    pub(crate) fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, Imm64::new(i64::from(value as u32)))
    }

    pub(crate) fn long(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    pub(crate) fn equals(&mut self, value: Value, constant: i32) -> Value {
        self.compare(IntCC::Equal, value, constant)
    }

    pub(crate) fn compare(&mut self, how: IntCC, value: Value, constant: i32) -> Value {
        self.b.ins().icmp_imm_s(how, value, i64::from(constant))
    }

    // The context.

    pub(crate) fn get(&mut self, ty: Type, field: i32) -> Value {
        self.b.ins().load(ty, MemFlagsData::trusted(), self.context, field)
    }

    pub(crate) fn set(&mut self, field: i32, value: Value) {
        self.b.ins().store(MemFlagsData::trusted(), value, self.context, field);
    }

    /// An element of an array of 32-bit numbers in the context.
    pub(crate) fn get_element(&mut self, field: i32, at: Value) -> Value {
        let at = self.element_address(at, 4);
        self.b.ins().load(types::I32, MemFlagsData::trusted(), at, field)
    }

    pub(crate) fn set_element(&mut self, field: i32, at: Value, value: Value) {
        let at = self.element_address(at, 4);
        self.b.ins().store(MemFlagsData::trusted(), value, at, field);
    }

    pub(crate) fn element_address(&mut self, at: Value, size: i64) -> Value {
        let at = self.b.ins().uextend(types::I64, at);
        let at = self.b.ins().imul_imm_s(at, size);
        self.b.ins().iadd(self.context, at)
    }

    // Processes.

    pub(crate) fn who(&mut self, row: Value, frame: Position, pid: Value, frozen: bool) -> Who {
        let address = self.position(row, frame);
        Who { row, frame, pid, address, frozen }
    }

    /// The same process in another row, which is being changed.
    pub(crate) fn on_row(&mut self, who: Who, row: Value) -> Who {
        self.who(row, who.frame, who.pid, false)
    }

    pub(crate) fn location_at(&mut self, who: Who) -> Value {
        self.load(who, self.local(who, FRAME_LOCATION as u32), Scalar::Bits(16))
    }

    pub(crate) fn set_location(&mut self, who: Who, location: LocationId) {
        let value = self.int(i32::from(location.0));
        self.store(self.local(who, FRAME_LOCATION as u32), Scalar::Bits(16), value);
    }

    /// The control point behind a command, if the process is still there, and who moved last.
    pub(crate) fn arrive(&mut self, who: Who, location: Option<LocationId>) {
        if let Some(location) = location {
            let proctype = self.proctype.expect("processes arrive in their own code");
            self.set_location(who, location);
            self.bury(who, proctype, location);
        }
        if self.facts.model.uses.last {
            self.store(self.global(who, LAST as u32), Scalar::Byte, who.pid);
        }
    }

    /// Variables that are dead at a control point are 0 there.
    pub(crate) fn bury(&mut self, who: Who, proctype: ProctypeId, location: LocationId) {
        let location = &self.facts.model.proctype(proctype).locations[location.0 as usize];
        for &(start, end) in &location.dead {
            self.clear(self.local(who, start), end - start);
        }
    }

    /// Where the frame starts in the row.
    pub(crate) fn frame_offset(&mut self, who: Who) -> Value {
        match who.frame {
            Position::At(offset) => self.long(i64::from(offset)),
            Position::Offset(offset) => offset,
        }
    }

    pub(crate) fn global(&self, who: Who, offset: u32) -> Address {
        Address { base: who.row, offset: offset as i32 }
    }

    /// A variable outside the state, which lies before it.
    pub(crate) fn hidden(&self, who: Who, offset: u32) -> Address {
        Address { base: who.row, offset: offset as i32 - self.facts.hidden as i32 }
    }

    pub(crate) fn local(&self, who: Who, offset: u32) -> Address {
        Address { base: who.address.base, offset: who.address.offset + offset as i32 }
    }

    /// The address of a position in a row.
    pub(crate) fn position(&mut self, row: Value, position: Position) -> Address {
        match position {
            Position::At(offset) => Address { base: row, offset: offset as i32 },
            Position::Offset(offset) => Address { base: self.b.ins().iadd(row, offset), offset: 0 },
        }
    }

    pub(crate) fn moved_by(&mut self, address: Address, bytes: Value) -> Address {
        Address { base: self.b.ins().iadd(address.base, bytes), offset: address.offset }
    }

    pub(crate) fn load(&mut self, who: Who, at: Address, scalar: Scalar) -> Value {
        let mut flags = MemFlagsData::trusted();
        if who.frozen {
            flags = flags.with_readonly();
        }
        let Address { base, offset } = at;
        match scalar {
            Scalar::Bits(0..=8) | Scalar::Byte => {
                self.b.ins().uload8(types::I32, flags, base, offset)
            }
            Scalar::Bits(9..=16) => self.b.ins().uload16(types::I32, flags, base, offset),
            Scalar::Short => self.b.ins().sload16(types::I32, flags, base, offset),
            Scalar::Bits(_) | Scalar::Int => self.b.ins().load(types::I32, flags, base, offset),
        }
    }

    /// Stores what is left of a value.
    pub(crate) fn store(&mut self, at: Address, scalar: Scalar, value: Value) {
        let flags = MemFlagsData::trusted();
        let Address { base, offset } = at;
        let value = match scalar {
            // The store itself truncates to whole bytes.
            Scalar::Bits(8 | 16 | 32..) | Scalar::Byte | Scalar::Short | Scalar::Int => value,
            Scalar::Bits(_) => self.truncate(scalar, value),
        };
        match scalar.size() {
            1 => self.b.ins().istore8(flags, value, base, offset),
            2 => self.b.ins().istore16(flags, value, base, offset),
            _ => self.b.ins().store(flags, value, base, offset),
        };
    }

    pub(crate) fn truncate(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::Bits(bits @ 0..=31) => self.b.ins().band_imm_s(value, (1i64 << bits) - 1),
            Scalar::Byte => self.b.ins().band_imm_s(value, 0xff),
            Scalar::Short => {
                let short = self.b.ins().ireduce(types::I16, value);
                self.b.ins().sextend(types::I32, short)
            }
            Scalar::Bits(_) | Scalar::Int => value,
        }
    }

    /// The interpreter takes over if a value does not fit.
    pub(crate) fn ask_unless_fits(&mut self, scalar: Scalar, value: Value) {
        if matches!(scalar, Scalar::Bits(32..) | Scalar::Int) {
            return;
        }
        let kept = self.truncate(scalar, value);
        let differs = self.b.ins().icmp(IntCC::NotEqual, kept, value);
        self.ask_if(differs);
    }

    // Rows.

    /// Room for a successor; it is one after [`Code::commit`].
    pub(crate) fn successor_row(&mut self) -> Value {
        let row = self.get(types::I64, offset!(out));
        let last = self.get(types::I64, offset!(out_last));
        let is_full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, row, last);
        let (full, go_on) = (self.full, self.block());
        self.branch_on(is_full, full, go_on);
        self.switch_to(go_on);
        row
    }

    /// Room for a state on the way; it is taken by [`Code::push_scratch`].
    pub(crate) fn scratch_row(&mut self) -> Value {
        let row = self.get(types::I64, offset!(scratch));
        let last = self.get(types::I64, offset!(scratch_last));
        let too_deep = self.b.ins().icmp(IntCC::UnsignedGreaterThan, row, last);
        self.ask_if(too_deep);
        row
    }

    pub(crate) fn push_scratch(&mut self, row: Value) {
        let next = self.b.ins().iadd_imm_s(row, i64::from(self.facts.row));
        self.set(offset!(scratch), next);
    }

    pub(crate) fn pop_scratch(&mut self, row: Value) {
        self.set(offset!(scratch), row);
    }

    /// The row that was built in the room for a successor is one. `commands` led to it.
    pub(crate) fn commit(&mut self, row: Value, commands: Value) {
        let next = self.b.ins().iadd_imm_s(row, i64::from(self.facts.row));
        self.set(offset!(out), next);
        self.note_movers();
        if self.facts.counts_commands {
            let at = self.get(types::I64, offset!(commands));
            self.b.ins().store(MemFlagsData::trusted(), commands, at, 0);
            let next = self.b.ins().iadd_imm_s(at, 4);
            self.set(offset!(commands), next);
        }
    }

    pub(crate) fn cover(&mut self, command: CommandId) {
        let executed = self.get(types::I64, offset!(executed));
        let one = self.b.ins().iconst(types::I8, 1);
        self.b.ins().store(MemFlagsData::trusted(), one, executed, command.0 as i32);
    }

    pub(crate) fn copy_row(&mut self, from: Value, to: Value) {
        // A row is known by where its state starts.
        let hidden = if makes_mistake("native-hidden") { 0 } else { self.facts.hidden };
        let whole = |base: Value| Address { base, offset: -(hidden as i32) };
        self.copy(whole(from), whole(to), self.facts.state() + hidden);
    }

    /// Copies bytes from the lowest on, so that moving down is fine.
    pub(crate) fn copy(&mut self, from: Address, to: Address, size: u32) {
        let flags = MemFlagsData::new().with_notrap();
        let mut at = 0;
        let unrolled = size <= UNROLL_LIMIT;
        if !unrolled {
            at = self.copy_loop(from, to, size) as i32;
        }
        while at < size as i32 {
            let left = size as i32 - at;
            let ty = match left {
                16.. => types::I8X16,
                8.. => types::I64,
                4.. => types::I32,
                2.. => types::I16,
                _ => types::I8,
            };
            let part = self.b.ins().load(ty, flags, from.base, from.offset + at);
            self.b.ins().store(flags, part, to.base, to.offset + at);
            at += ty.bytes() as i32;
        }
    }

    /// Copies all blocks of 64 bytes in a loop; how many bytes that is.
    fn copy_loop(&mut self, from: Address, to: Address, size: u32) -> u32 {
        let flags = MemFlagsData::new().with_notrap();
        let end = size / 64 * 64;
        let start = self.long(0);
        let body = self.b.create_block();
        let done = self.block();
        let at = self.b.append_block_param(body, types::I64);
        self.jump_with(body, start);
        self.switch_to(body);
        let source = self.b.ins().iadd(from.base, at);
        let target = self.b.ins().iadd(to.base, at);
        for part in 0..4 {
            let bytes = self.b.ins().load(types::I8X16, flags, source, from.offset + part * 16);
            self.b.ins().store(flags, bytes, target, to.offset + part * 16);
        }
        let next = self.b.ins().iadd_imm_s(at, 64);
        let again = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, next, i64::from(end));
        self.b.ins().brif(again, body, &[BlockArg::Value(next)], done, &[]);
        self.switch_to(done);
        end
    }

    /// Zeros.
    pub(crate) fn clear(&mut self, to: Address, size: u32) {
        let flags = MemFlagsData::new().with_notrap();
        let mut at = 0;
        while at < size as i32 {
            let ty = match size as i32 - at {
                8.. => types::I64,
                4.. => types::I32,
                2.. => types::I16,
                _ => types::I8,
            };
            let zero = self.b.ins().iconst(ty, 0);
            self.b.ins().store(flags, zero, to.base, to.offset + at);
            at += ty.bytes() as i32;
        }
    }

    // Calls.

    /// Calls a function that returns a status, and gives up with it if it is not 0.
    pub(crate) fn call(&mut self, callee: FuncRef, args: &[Value]) {
        let call = self.b.ins().call(callee, args);
        let status = self.b.inst_results(call)[0];
        self.give_up_on(status);
    }

    pub(crate) fn give_up_on(&mut self, status: Value) {
        let (give_up, go_on) = (self.block(), self.block());
        self.b.set_cold_block(give_up);
        self.branch_on(status, give_up, go_on);
        self.switch_to(give_up);
        self.b.ins().return_(&[status]);
        self.switch_to(go_on);
    }

    /// A message in memory: how many fields there are, and the fields.
    pub(crate) fn message(&mut self, values: &[Value]) -> Value {
        let size = 4 * (values.len() as u32 + 1);
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 2);
        let message = self.b.create_sized_stack_slot(slot);
        let count = self.int(values.len() as i32);
        self.b.ins().stack_store(types::I64, count, message, 0);
        for (at, &value) in values.iter().enumerate() {
            self.b.ins().stack_store(types::I64, value, message, 4 * (at as i32 + 1));
        }
        self.b.ins().stack_addr(types::I64, message, 0)
    }

    /// A field of a message in memory. One that is not there is the interpreter's affair.
    pub(crate) fn message_field(&mut self, message: Value, at: usize) -> Value {
        let flags = MemFlagsData::trusted();
        let count = self.b.ins().load(types::I32, flags, message, 0);
        let is_missing = self.compare(IntCC::UnsignedLessThanOrEqual, count, at as i32);
        self.ask_if(is_missing);
        self.b.ins().load(types::I32, flags, message, 4 * (at as i32 + 1))
    }

    /// The address of a constant table.
    pub(crate) fn table(&mut self, values: &[i32]) -> Value {
        let table: Box<[i32]> = values.into();
        let address = table.as_ptr() as i64;
        self.tables.push(table);
        self.long(address)
    }
}
