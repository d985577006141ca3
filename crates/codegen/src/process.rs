//! The steps of a Promela process: a jump on its control point, then that control point's
//! commands in order.
//!
//! As in the interpreter's walk, a state inside an atomic sequence is no successor: the
//! process moves on at once, by a recursive call of its own function, unless it is blocked.
//! Every executed command leads to at least one successor, so whether something was executed
//! is seen from the number of successors.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    Block, InstBuilder, JumpTableData, StackSlotData, StackSlotKind, Value, types,
};
use lariat_core::makes_mistake;
use lariat_model::analysis::Access;
use lariat_model::ir::{
    Action, Assign, Command, CommandId, Edge, Expr, Location, Proctype, ProctypeId,
};

use crate::action::Effect;
use crate::code::{Code, Position, Who};
use crate::context::offset;
use crate::facts::FixedProcess;
use crate::support;

/// An unconditional sequence inside `atomic` is built in one row up to this length.
const MAX_CHAIN: usize = 64;

/// Where an edge is tried.
#[derive(Clone, Copy)]
pub(crate) struct Trial<'m> {
    pub(crate) who: Who,
    pub(crate) edge: Edge,
    pub(crate) command: &'m Command,
    /// Commands on the way to the row.
    pub(crate) path: Value,
    /// The room for successors before the process was tried, if somebody asks.
    pub(crate) before: Option<Value>,
    pub(crate) next: Block,
}

impl<'a, 'f, 'm> Code<'a, 'f, 'm> {
    /// The body of a step function: `(context, row, frame, pid, path)`.
    pub(crate) fn steps(&mut self, id: ProctypeId, params: &[Value]) {
        let &[_, row, frame, pid, path] = params else { unreachable!("by the signature") };
        self.proctype = Some(id);
        let who = self.who(row, Position::Offset(frame), pid, true);
        let end = self.block();
        self.may_move(who, None, end);
        let has_edges = |location: &Location| !location.edges.is_empty();
        self.dispatch(id, who, has_edges, |code, location, done| {
            code.location(location, who, path, done);
        });
        self.jump(end);
        self.switch_to(end);
    }

    /// The body of the function for states whose processes are these, or the first of these:
    /// `(context, row)`. The youngest first; positions and pids are constants.
    pub(crate) fn fused_steps(&mut self, processes: &[FixedProcess], row: Value) {
        let nobody = self.int(0);
        let anybody = self.who(row, Position::At(0), nobody, true);
        let count = self.process_count(anybody);
        let path = self.int(0);
        for (pid, process) in processes.iter().enumerate().rev() {
            let (lives, next) = (self.block(), self.block());
            let dead = i32::from(makes_mistake("special-dead"));
            let is_there = self.compare(IntCC::UnsignedGreaterThan, count, pid as i32 - dead);
            self.branch_on(is_there, lives, next);
            self.switch_to(lives);
            self.proctype = Some(process.proctype);
            let pid = self.int(pid as i32);
            let who = self.who(row, Position::At(process.base), pid, true);
            self.may_move(who, None, next);
            let has_edges = |location: &Location| !location.edges.is_empty();
            self.dispatch(process.proctype, who, has_edges, |code, location, done| {
                code.location(location, who, path, done);
            });
            self.jump(next);
            self.switch_to(next);
        }
    }

    /// Jumps to the code of the control point where the process is.
    pub(crate) fn dispatch(
        &mut self,
        id: ProctypeId,
        who: Who,
        matters: impl Fn(&Location) -> bool,
        mut emit: impl FnMut(&mut Self, &'m Location, Block),
    ) {
        let proctype = self.facts.model.proctype(id);
        let at = self.location_at(who);
        let done = self.block();
        let mut targets = Vec::new();
        let mut bodies = Vec::new();
        for location in &proctype.locations {
            targets.push(match matters(location) {
                false => done,
                true => {
                    let block = self.block();
                    bodies.push((block, location));
                    block
                }
            });
        }
        let calls: Vec<_> =
            targets.iter().map(|&block| self.b.func.dfg.block_call(block, &[])).collect();
        let otherwise = self.b.func.dfg.block_call(done, &[]);
        let table = self.b.create_jump_table(JumpTableData::new(otherwise, &calls));
        self.b.ins().br_table(at, table);
        for (block, location) in bodies {
            self.switch_to(block);
            emit(self, location, done);
        }
        self.switch_to(done);
    }

    /// The commands of a control point, in order.
    fn location(&mut self, location: &'m Location, who: Who, path: Value, done: Block) {
        let model = self.facts.model;
        let proctype = model.proctype(self.proctype.expect("set before"));
        let asks_else = proctype.deterministic
            || location.edges.iter().any(|edge| match &model.command(edge.command).action {
                Action::Else => true,
                Action::DStep(id) => model.d_steps[id.0 as usize].guards.contains(&Action::Else),
                _ => false,
            });
        let before = asks_else.then(|| self.get(types::I64, offset!(out)));
        self.start_escapes(location);
        for &edge in &location.edges {
            let command = model.command(edge.command);
            let next = self.block();
            self.enter_escape(edge, done);
            let trial = Trial { who, edge, command, path, before, next };
            self.edge(trial, proctype.deterministic);
            self.switch_to(next);
        }
        self.escape = None;
        self.jump(done);
    }

    fn edge(&mut self, trial: Trial<'m>, deterministic: bool) {
        let Trial { who, command, next, .. } = trial;
        if !support::action(self.facts.model, &command.action)
            || (command.atomic && command.action == Action::End)
        {
            return self.leave();
        }
        match &command.action {
            Action::Else => {
                let allowed = self.block();
                self.else_allowed(trial.before, allowed, next);
                self.switch_to(allowed);
            }
            Action::DStep(id) => {
                let allowed = self.block();
                let before = trial.before;
                let otherwise = |code: &mut Self, yes, no| code.else_allowed(before, yes, no);
                self.d_step_guard(*id, who, otherwise, allowed, next);
                self.switch_to(allowed);
            }
            _ => {}
        }
        self.attempt(&command.action, who, next, &mut |code, effect| {
            if deterministic && command.action != Action::Else {
                // A second choice is an error.
                let (alone, second) = (code.block(), code.block());
                code.else_allowed(trial.before, alone, second);
                code.switch_to(second);
                code.leave();
                code.switch_to(alone);
            }
            match effect {
                Effect::Offer { channel, values } => code.offer(trial, channel, &values),
                effect => code.take_step(trial, |code, who| code.apply(&effect, who)),
            }
            code.jump(next);
        });
    }

    /// Nothing was executed at this control point so far.
    fn else_allowed(&mut self, before: Option<Value>, yes: Block, no: Block) {
        let before = before.expect("whoever asks is known");
        let out = self.get(types::I64, offset!(out));
        let same = self.b.ins().icmp(IntCC::Equal, out, before);
        self.branch_on(same, yes, if makes_mistake("native-else") { yes } else { no });
    }

    /// Builds the row behind a command and what follows from it.
    pub(crate) fn take_step(&mut self, trial: Trial<'m>, effect: impl FnOnce(&mut Self, Who)) {
        let chain = self.chain(trial.edge.command);
        let last = self.facts.model.command(*chain.last().expect("never empty"));
        let row = match last.atomic {
            true => self.scratch_row(),
            false => self.successor_row(),
        };
        self.copy_row(trial.who.row, row);
        let who = self.on_row(trial.who, row);
        self.begins_step(who.pid, trial.path);
        let before = self.join_step(who.pid);
        effect(self, who);
        self.cover(trial.edge.command);
        let is_end = trial.command.action == Action::End;
        self.arrive(who, (!is_end).then_some(trial.command.target));
        for &id in &chain[1..] {
            let command = self.facts.model.command(id);
            let done = self.block();
            // Commands of a chain never block.
            self.attempt(&command.action, who, done, &mut |code, effect| {
                code.apply(&effect, who);
                code.jump(done);
            });
            self.switch_to(done);
            self.cover(id);
            self.arrive(who, Some(command.target));
        }
        let atomic_steps = chain.len() as i64 - i64::from(!last.atomic);
        self.note_atomic(trial.path, atomic_steps);
        let path = self.b.ins().iadd_imm_s(trial.path, chain.len() as i64);
        match last.atomic {
            true => self.go_on(who, path),
            false => self.commit(row, path),
        }
        self.leave_step(before);
        if !makes_mistake("native-unless") {
            self.set_escape(trial.edge.escape);
        }
    }

    /// So many commands of the way lead to states inside atomic sequences.
    fn note_atomic(&mut self, path: Value, steps: i64) {
        if steps == 0 {
            return;
        }
        let total = self.get(types::I64, offset!(atomic_steps));
        let total = self.b.ins().iadd_imm_s(total, steps);
        self.set(offset!(atomic_steps), total);
        let depth = self.b.ins().iadd_imm_s(path, steps);
        self.note_depth(depth);
    }

    pub(crate) fn note_depth(&mut self, depth: Value) {
        let deepest = self.get(types::I32, offset!(deepest));
        let deepest = self.b.ins().umax(deepest, depth);
        self.set(offset!(deepest), deepest);
    }

    /// The process goes on inside an atomic sequence; if it cannot, this is a state after all.
    fn go_on(&mut self, who: Who, path: Value) {
        let before = self.get(types::I64, offset!(out));
        self.push_scratch(who.row);
        let frame = self.frame_offset(who);
        let proctype = self.proctype.expect("set before");
        let step = self.callees.steps[proctype.0 as usize].expect("a process has steps");
        self.nested(|code| {
            code.call(step, &[code.context, who.row, frame, who.pid, path]);
        });
        self.pop_scratch(who.row);
        let after = self.get(types::I64, offset!(out));
        let is_blocked = self.b.ins().icmp(IntCC::Equal, before, after);
        let (blocked, done) = (self.block(), self.block());
        self.branch_on(is_blocked, blocked, done);
        self.switch_to(blocked);
        let row = self.successor_row();
        self.copy_row(who.row, row);
        self.commit(row, path);
        self.jump(done);
        self.switch_to(done);
    }

    /// Goes on from a row that is not stored: `timeout` is about stored states only, and who
    /// listens there is not known.
    pub(crate) fn nested(&mut self, body: impl FnOnce(&mut Self)) {
        let mut saved = Vec::new();
        if self.facts.model.uses.timeout && !makes_mistake("native-timeout") {
            saved.push((offset!(timeout), 0));
        }
        if self.facts.has_rendezvous {
            saved.push((offset!(listening), -1));
        }
        let saved: Vec<(i32, Value)> = saved
            .into_iter()
            .map(|(field, within)| {
                let before = self.get(types::I32, field);
                let within = self.int(within);
                self.set(field, within);
                (field, before)
            })
            .collect();
        body(self);
        for (field, before) in saved {
            self.set(field, before);
        }
    }

    /// A command, and the unconditional ones that follow it inside its atomic sequence.
    fn chain(&self, first: CommandId) -> Vec<CommandId> {
        let model = self.facts.model;
        let proctype = model.proctype(self.proctype.expect("set before"));
        let mut chain = vec![first];
        loop {
            let command = model.command(chain[chain.len() - 1]);
            if !command.atomic || chain.len() == MAX_CHAIN || proctype.deterministic {
                return chain;
            }
            let [edge] = proctype.locations[command.target.0 as usize].edges[..] else {
                return chain;
            };
            let action = &model.command(edge.command).action;
            let is_certain = match action {
                Action::Skip | Action::Assert(_) | Action::Print(_) => true,
                Action::Assign(_) => crate::facts::run_of(model, action).is_none(),
                _ => false,
            };
            let asks_timeout = match action {
                Action::Assign(Assign { value, .. }) | Action::Assert(value) => {
                    model.exprs.any(*value, |node| matches!(node, Expr::Timeout))
                }
                _ => false,
            };
            let is_known = support::action(model, action)
                && !asks_timeout
                && !chain.contains(&edge.command)
                && self.leaves_alone(proctype, chain[chain.len() - 1]);
            if !is_certain || !is_known || edge.escape != 0 {
                return chain;
            }
            chain.push(edge.command);
        }
    }

    /// Whether a process that may move still may behind a command of its own.
    fn leaves_alone(&self, proctype: &Proctype, command: CommandId) -> bool {
        let model = self.facts.model;
        if model.uses.priorities {
            return false;
        }
        let Some(provided) = proctype.provided else { return true };
        let reads = model.expr_accesses(provided).reads;
        let is_global = |read: &Access| matches!(read, Access::Global { .. });
        reads.iter().all(is_global) && !model.accesses(command).may_change(&reads)
    }

    // Escapes of `unless`.

    pub(crate) fn start_escapes(&mut self, location: &Location) {
        if location.edges.iter().all(|edge| edge.escape == 0) {
            self.escape = None;
            return;
        }
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 4, 2);
        self.escape = Some(self.b.create_sized_stack_slot(slot));
        self.set_escape(0);
    }

    pub(crate) fn set_escape(&mut self, group: u16) {
        if let Some(slot) = self.escape {
            let group = self.int(i32::from(group));
            self.b.ins().stack_store(types::I64, group, slot, 0);
        }
    }

    /// An escape was taken: what follows has no right to move.
    pub(crate) fn enter_escape(&mut self, edge: Edge, done: Block) {
        let Some(slot) = self.escape else { return };
        let (go_on, taken) = (self.block(), self.block());
        let group = self.b.ins().stack_load(types::I64, types::I32, slot, 0);
        self.branch_on(group, taken, go_on);
        self.switch_to(taken);
        let same = self.equals(group, i32::from(edge.escape));
        self.branch_on(same, go_on, done);
        self.switch_to(go_on);
    }
}
