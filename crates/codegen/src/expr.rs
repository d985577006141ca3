//! Expressions. What the interpreter would report as a fault makes it take over.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, Value, types};
use lariat_model::ir::expr::Instance;
use lariat_model::ir::layout::{
    FRAME_LOCATION, FRAME_PRIORITY, FRAME_PROCTYPE, LAST, NR_PROCESSES,
};
use lariat_model::ir::{BinaryOp, Expr, ExprId, Location, Place, Region, Scalar, UnaryOp};

use crate::code::{Address, Code, Who};
use crate::context::offset;

impl Code<'_, '_, '_> {
    /// The value of an expression, 32 bits. Recursion is as deep as the expression, which the
    /// parsers limit.
    pub(crate) fn value(&mut self, id: ExprId, who: Who) -> Value {
        let model = self.facts.model;
        match model.exprs.get(id) {
            Expr::Const(value) => self.int(*value),
            Expr::Var(region, offset, scalar) => self.variable(*region, *offset, *scalar, who),
            Expr::Load(place) => {
                let at = self.resolve(place, who);
                self.load(who, at, place.scalar)
            }
            Expr::Table(values, index) => {
                let at = self.value(*index, who);
                self.ask_if_beyond(at, values.len() as u32);
                let table = self.table(values);
                self.table_element(table, at)
            }
            Expr::Unary(op, operand) => self.unary(*op, *operand, who),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.truth(id, who),
            Expr::Binary(op, left, right) => self.binary(*op, *left, *right, who),
            Expr::Conditional(condition, then, otherwise) => {
                let (yes, no, done) = (self.block(), self.block(), self.block());
                let result = self.b.append_block_param(done, types::I32);
                self.branch(*condition, who, yes, no);
                for (block, branch) in [(yes, *then), (no, *otherwise)] {
                    self.switch_to(block);
                    let value = self.value(branch, who);
                    self.jump_with(done, value);
                }
                self.switch_to(done);
                result
            }
            Expr::Pid => who.pid,
            Expr::NrProcesses => self.process_count(who),
            Expr::Last => self.load(who, self.global(who, LAST as u32), Scalar::Byte),
            Expr::Timeout => self.get(types::I32, offset!(timeout)),
            Expr::Len(channel) => self.channel_length(*channel, who),
            Expr::Probe(probe, channel) => self.probe(*probe, *channel, who),
            Expr::Poll(_) => self.truth(id, who),
            Expr::PcValue(pid) => {
                let pid = self.value(*pid, who);
                let frame = self.frame_of(pid, who);
                self.if_frame(frame, |code, frame| {
                    let at = Address { base: frame, offset: FRAME_LOCATION as i32 };
                    code.load(who, at, Scalar::Bits(16))
                })
            }
            Expr::At(remote) => {
                let frame = self.find_instance(&remote.instance, who);
                let location = i32::from(remote.location.0);
                self.if_frame(frame, |code, frame| {
                    let at = Address { base: frame, offset: FRAME_LOCATION as i32 };
                    let found = code.load(who, at, Scalar::Bits(16));
                    let is_there = code.equals(found, location);
                    code.b.ins().uextend(types::I32, is_there)
                })
            }
            Expr::Remote(remote) => {
                let frame = self.find_instance(&remote.instance, who);
                let offset = self.offset_of(&remote.place, who);
                let start = remote.place.offset;
                let scalar = remote.place.scalar;
                let reach = remote.place.indices.iter();
                let reach: u32 = reach.map(|index| (index.count - 1) * index.stride).sum();
                self.if_frame(frame, |code, frame| {
                    // A wrong pid names a frame of another type: do not read past the row.
                    let end = code.b.ins().iadd_imm_s(who.row, i64::from(code.facts.state()));
                    let needed = i64::from(start + reach + scalar.size());
                    let last = code.b.ins().iadd_imm_s(frame, needed);
                    let beyond = code.b.ins().icmp(IntCC::UnsignedGreaterThan, last, end);
                    code.ask_if(beyond);
                    let mut at = Address { base: frame, offset: start as i32 };
                    if let Some(offset) = offset {
                        at = code.moved_by(at, offset);
                    }
                    code.load(who, at, scalar)
                })
            }
            Expr::NonProgress => {
                let progress = self.somebody_is_at(|location| location.is_progress, who);
                self.b.ins().bxor_imm_s(progress, 1)
            }
            Expr::AtAccept => self.somebody_is_at(|location| location.is_accept, who),
            Expr::Priority => self.load(who, self.local(who, FRAME_PRIORITY as u32), Scalar::Byte),
            Expr::GetPriority(pid) => {
                let pid = self.value(*pid, who);
                let frame = self.frame_of(pid, who);
                self.if_frame(frame, |code, frame| {
                    let at = Address { base: frame, offset: FRAME_PRIORITY as i32 };
                    code.load(who, at, Scalar::Byte)
                })
            }
            Expr::Run(_) | Expr::Enabled(_) => unreachable!("see support.rs"),
        }
    }

    fn variable(&mut self, region: Region, offset: u32, scalar: Scalar, who: Who) -> Value {
        if let Some(value) = self.facts.constant(region, offset, scalar) {
            return self.int(value);
        }
        let at = match region {
            Region::Global => self.global(who, offset),
            Region::Local => self.local(who, offset),
            Region::Hidden => self.hidden(who, offset),
            Region::Nothing => unreachable!("see support.rs"),
        };
        self.load(who, at, scalar)
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, who: Who) -> Value {
        let value = self.value(operand, who);
        match op {
            UnaryOp::Negate => self.b.ins().ineg(value),
            UnaryOp::Complement => self.b.ins().bnot(value),
            UnaryOp::Not => {
                let is_zero = self.equals(value, 0);
                self.b.ins().uextend(types::I32, is_zero)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, who: Who) -> Value {
        let x = self.value(left, who);
        let y = self.value(right, who);
        if let Some(how) = comparison(op) {
            let holds = self.b.ins().icmp(how, x, y);
            return self.b.ins().uextend(types::I32, holds);
        }
        match op {
            BinaryOp::BitOr => self.b.ins().bor(x, y),
            BinaryOp::BitXor => self.b.ins().bxor(x, y),
            BinaryOp::BitAnd => self.b.ins().band(x, y),
            // Cranelift takes the amount modulo 32, as the interpreter does.
            BinaryOp::ShiftLeft => self.b.ins().ishl(x, y),
            BinaryOp::ShiftRight => self.b.ins().sshr(x, y),
            BinaryOp::Add => self.b.ins().iadd(x, y),
            BinaryOp::Subtract => self.b.ins().isub(x, y),
            BinaryOp::Multiply => self.b.ins().imul(x, y),
            BinaryOp::Divide => {
                self.ask_unless_divisible(x, y, right);
                self.b.ins().sdiv(x, y)
            }
            BinaryOp::Remainder => {
                self.ask_unless_divisible(x, y, right);
                self.b.ins().srem(x, y)
            }
            _ => unreachable!("comparisons and connectives are handled before"),
        }
    }

    /// Division by 0 and the one quotient that does not fit are faults.
    fn ask_unless_divisible(&mut self, x: Value, y: Value, divisor: ExprId) {
        if matches!(self.facts.model.exprs.get(divisor), Expr::Const(c) if ![0, -1].contains(c)) {
            return;
        }
        let by_zero = self.equals(y, 0);
        self.ask_if(by_zero);
        let by_minus_one = self.equals(y, -1);
        let lowest = self.equals(x, i32::MIN);
        let overflows = self.b.ins().band(by_minus_one, lowest);
        self.ask_if(overflows);
    }

    /// Branches on an expression, evaluated from left to right as far as needed.
    pub(crate) fn branch(&mut self, id: ExprId, who: Who, yes: Block, no: Block) {
        let model = self.facts.model;
        match model.exprs.get(id) {
            Expr::Binary(BinaryOp::And, left, right) => {
                let then = self.block();
                self.branch(*left, who, then, no);
                self.switch_to(then);
                self.branch(*right, who, yes, no);
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                let otherwise = self.block();
                self.branch(*left, who, yes, otherwise);
                self.switch_to(otherwise);
                self.branch(*right, who, yes, no);
            }
            Expr::Unary(UnaryOp::Not, operand) => self.branch(*operand, who, no, yes),
            Expr::Binary(op, left, right) if comparison(*op).is_some() => {
                let x = self.value(*left, who);
                let y = self.value(*right, who);
                let how = comparison(*op).expect("just asked");
                let holds = self.b.ins().icmp(how, x, y);
                self.branch_on(holds, yes, no);
            }
            Expr::Const(value) => self.jump(if *value != 0 { yes } else { no }),
            Expr::Poll(poll) => self.poll(poll, who, yes, no),
            _ => {
                let value = self.value(id, who);
                self.branch_on(value, yes, no);
            }
        }
    }

    /// 0 or 1, for expressions that are branches.
    fn truth(&mut self, id: ExprId, who: Who) -> Value {
        let (yes, no, done) = (self.block(), self.block(), self.block());
        let result = self.b.append_block_param(done, types::I32);
        self.branch(id, who, yes, no);
        for (block, truth) in [(yes, 1), (no, 0)] {
            self.switch_to(block);
            let truth = self.int(truth);
            self.jump_with(done, truth);
        }
        self.switch_to(done);
        result
    }

    fn ask_if_beyond(&mut self, value: Value, count: u32) {
        // Negative values are large ones without sign.
        let beyond = self.compare(IntCC::UnsignedGreaterThanOrEqual, value, count as i32);
        self.ask_if(beyond);
    }

    /// What the subscripts of a place add to its offset; None if nothing.
    pub(crate) fn offset_of(&mut self, place: &Place, who: Who) -> Option<Value> {
        let mut sum: Option<Value> = None;
        for index in &place.indices {
            let value = self.value(index.value, who);
            self.ask_if_beyond(value, index.count);
            let value = self.b.ins().uextend(types::I64, value);
            let bytes = self.b.ins().imul_imm_s(value, i64::from(index.stride));
            sum = Some(match sum {
                Some(sum) => self.b.ins().iadd(sum, bytes),
                None => bytes,
            });
        }
        sum
    }

    /// The address of a place in the state.
    pub(crate) fn resolve(&mut self, place: &Place, who: Who) -> Address {
        let offset = self.offset_of(place, who);
        self.address(place, offset, who)
    }

    pub(crate) fn address(&mut self, place: &Place, offset: Option<Value>, who: Who) -> Address {
        let at = match place.region {
            Region::Local => self.local(who, place.offset),
            Region::Hidden => self.hidden(who, place.offset),
            Region::Global | Region::Nothing => self.global(who, place.offset),
        };
        match offset {
            Some(offset) => self.moved_by(at, offset),
            None => at,
        }
    }

    pub(crate) fn process_count(&mut self, who: Who) -> Value {
        self.load(who, self.global(who, NR_PROCESSES as u32), Scalar::Byte)
    }

    /// The address of a process's frame, 0 if there is no such process.
    pub(crate) fn frame_of(&mut self, pid: Value, who: Who) -> Value {
        let count = self.process_count(who);
        let lives = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count);
        let (yes, done) = (self.block(), self.block());
        let result = self.b.append_block_param(done, types::I64);
        let nothing = self.long(0);
        self.b.ins().brif(lives, yes, &[], done, &[BlockArg::Value(nothing)]);
        self.switch_to(yes);
        let base = self.get_element(offset!(frames), pid);
        let base = self.b.ins().uextend(types::I64, base);
        let frame = self.b.ins().iadd(who.row, base);
        self.jump_with(done, frame);
        self.switch_to(done);
        result
    }

    /// The frame that a remote reference means, 0 if there is none.
    fn find_instance(&mut self, instance: &Instance, who: Who) -> Value {
        let model = self.facts.model;
        if let Some(fixed) = &self.facts.fixed {
            let pid = match instance.pid.map(|pid| model.exprs.get(pid)) {
                Some(Expr::Const(pid)) => Some(usize::try_from(*pid).ok()),
                Some(_) => None,
                None => {
                    Some(fixed.iter().position(|process| process.proctype == instance.proctype))
                }
            };
            if let Some(pid) = pid {
                let process = pid.and_then(|pid| fixed.get(pid).map(|process| (pid, process)));
                let Some((pid, process)) = process else { return self.long(0) };
                let base = i64::from(process.base);
                let count = self.process_count(who);
                let lives = self.compare(IntCC::UnsignedGreaterThan, count, pid as i32);
                let frame = self.b.ins().iadd_imm_s(who.row, base);
                let nothing = self.long(0);
                return self.b.ins().select(lives, frame, nothing);
            }
        }
        if let Some(pid) = instance.pid {
            let pid = self.value(pid, who);
            return self.frame_of(pid, who);
        }
        // The first process of that type.
        let (head, body, next, done) = (self.block(), self.block(), self.block(), self.block());
        let pid = self.b.append_block_param(head, types::I32);
        let result = self.b.append_block_param(done, types::I64);
        let count = self.process_count(who);
        let nothing = self.long(0);
        let first = self.int(0);
        self.jump_with(head, first);
        self.switch_to(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count);
        self.b.ins().brif(more, body, &[], done, &[BlockArg::Value(nothing)]);
        self.switch_to(body);
        let base = self.get_element(offset!(frames), pid);
        let base = self.b.ins().uextend(types::I64, base);
        let frame = self.b.ins().iadd(who.row, base);
        let at = Address { base: frame, offset: FRAME_PROCTYPE as i32 };
        let proctype = self.load(who, at, Scalar::Byte);
        let is_it = self.equals(proctype, i32::from(instance.proctype.0));
        self.b.ins().brif(is_it, done, &[BlockArg::Value(frame)], next, &[]);
        self.switch_to(next);
        let following = self.b.ins().iadd_imm_s(pid, 1);
        self.jump_with(head, following);
        self.switch_to(done);
        result
    }

    /// 1 if a process is at a control point of this kind, else 0.
    fn somebody_is_at(&mut self, kind: impl Fn(&Location) -> bool, who: Who) -> Value {
        // One table for all proctypes, and where each of them starts in it.
        let (mut starts, mut flags) = (Vec::new(), Vec::new());
        for proctype in &self.facts.model.proctypes {
            starts.push(flags.len() as i32);
            flags.extend(proctype.locations.iter().map(|location| i32::from(kind(location))));
        }
        let (proctypes, locations) = (starts.len(), flags.len());
        let (starts, flags) = (self.table(&starts), self.table(&flags));
        let (head, body, done) = (self.block(), self.block(), self.block());
        let pid = self.b.append_block_param(head, types::I32);
        let result = self.b.append_block_param(done, types::I32);
        let count = self.process_count(who);
        let (no, yes) = (self.int(0), self.int(1));
        self.jump_with(head, no);
        self.switch_to(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count);
        self.b.ins().brif(more, body, &[], done, &[BlockArg::Value(no)]);
        self.switch_to(body);
        let base = self.get_element(offset!(frames), pid);
        let base = self.b.ins().uextend(types::I64, base);
        let frame = self.b.ins().iadd(who.row, base);
        let [proctype, location] = [(FRAME_PROCTYPE, 8), (FRAME_LOCATION, 16)].map(|(at, bits)| {
            let at = Address { base: frame, offset: at as i32 };
            self.load(who, at, Scalar::Bits(bits))
        });
        let start = self.clamped_element(starts, proctype, proctypes);
        let at = self.b.ins().iadd(start, location);
        let flag = self.clamped_element(flags, at, locations);
        let following = self.b.ins().iadd_imm_s(pid, 1);
        let (found, go_on) = (BlockArg::Value(yes), BlockArg::Value(following));
        self.b.ins().brif(flag, done, &[found], head, &[go_on]);
        self.switch_to(done);
        result
    }

    /// An element of a constant table of this length, the last one for whatever lies behind it: a
    /// row may come from anywhere.
    pub(crate) fn clamped_element(&mut self, table: Value, at: Value, len: usize) -> Value {
        let last = self.int(len as i32 - 1);
        let at = self.b.ins().umin(at, last);
        self.table_element(table, at)
    }

    /// An element of a constant table.
    fn table_element(&mut self, table: Value, at: Value) -> Value {
        let at = self.b.ins().uextend(types::I64, at);
        let at = self.b.ins().ishl_imm_s(at, 2);
        let at = self.b.ins().iadd(table, at);
        self.b.ins().load(types::I32, MemFlagsData::trusted().with_readonly(), at, 0)
    }

    /// What `read` finds in a frame; 0 without one.
    fn if_frame(&mut self, frame: Value, read: impl FnOnce(&mut Self, Value) -> Value) -> Value {
        let (yes, done) = (self.block(), self.block());
        let result = self.b.append_block_param(done, types::I32);
        let zero = self.int(0);
        self.b.ins().brif(frame, yes, &[], done, &[BlockArg::Value(zero)]);
        self.switch_to(yes);
        let value = read(self, frame);
        self.jump_with(done, value);
        self.switch_to(done);
        result
    }
}

fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Equal => IntCC::Equal,
        BinaryOp::NotEqual => IntCC::NotEqual,
        BinaryOp::Less => IntCC::SignedLessThan,
        BinaryOp::Greater => IntCC::SignedGreaterThan,
        BinaryOp::LessEqual => IntCC::SignedLessThanOrEqual,
        BinaryOp::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        _ => return None,
    })
}
