//! The steps of a DVE process: a transition, or two that meet, is one step.
//!
//! Processes are where they are from the start, so positions are constants. A faulty step is
//! left to the interpreter, which knows the error state.

use std::collections::BTreeMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use lariat_core::makes_mistake;
use lariat_model::analysis::{Access, Cells};
use lariat_model::ir::transition::{OfferedValue, Queue, Sync};
use lariat_model::ir::{
    Action, Assign, Command, CommandId, ExprId, Location, Place, Region, Transition,
};

use crate::channel::Channel;
use crate::code::{Code, Position, Who};
use crate::context::offset;
use crate::support;

/// A command of a process in a row.
#[derive(Clone, Copy)]
struct Party<'m> {
    pid: usize,
    id: CommandId,
    command: &'m Command,
    transition: &'m Transition,
}

impl<'m> Code<'_, '_, 'm> {
    fn process(&mut self, pid: usize, row: Value, frozen: bool) -> Who {
        let base = self.facts.fixed.as_ref().expect("DVE has no run")[pid].base;
        let number = self.int(pid as i32);
        self.who(row, Position::At(base), number, frozen)
    }

    fn party(&self, pid: usize, id: CommandId) -> Party<'m> {
        let command = self.facts.model.command(id);
        let Action::Transition(transition) = &command.action else {
            unreachable!("models of this discipline have transitions only")
        };
        Party { pid, id, command, transition }
    }

    /// What is asked of a state before its steps: is a process committed, do assertions hold.
    pub(crate) fn divine_prelude(&mut self, row: Value) {
        let facts = self.facts;
        let fixed = facts.fixed.as_ref().expect("DVE has no run");
        let no = self.int(0);
        self.set(offset!(committed), no);
        self.set(offset!(moved), no);
        for (pid, process) in fixed.iter().enumerate() {
            let locations = &facts.model.proctype(process.proctype).locations;
            let speaks =
                |location: &Location| location.is_committed || !location.asserts.is_empty();
            if !locations.iter().any(speaks) {
                continue;
            }
            let who = self.process(pid, row, true);
            self.dispatch(process.proctype, who, speaks, |code, location, done| {
                if location.is_committed {
                    let yes = code.int(1);
                    code.set(offset!(committed), yes);
                }
                for &condition in &location.asserts {
                    if !support::expr(code.facts.model, condition) {
                        return code.leave();
                    }
                    let (holds, fails) = (code.block(), code.block());
                    code.branch(condition, who, holds, fails);
                    code.switch_to(fails);
                    code.leave();
                    code.switch_to(holds);
                }
                code.jump(done);
            });
        }
    }

    /// The system is at its end: the property moves alone.
    pub(crate) fn divine_end(&mut self, row: Value) {
        let Some(property) = self.callees.property else { return };
        let moved = self.get(types::I32, offset!(moved));
        let (alone, done) = (self.block(), self.block());
        self.branch_on(moved, done, alone);
        self.switch_to(alone);
        let commands = self.int(0);
        self.step_of(std::iter::empty());
        self.call(property, &[self.context, row, row, commands]);
        self.jump(done);
        self.switch_to(done);
    }

    /// The steps that a process takes alone or as a sender.
    pub(crate) fn divine_steps(&mut self, pid: usize, row: Value) {
        let proctype = self.facts.fixed.as_ref().expect("DVE has no run")[pid].proctype;
        let who = self.process(pid, row, true);
        let has_edges = |location: &Location| !location.edges.is_empty();
        self.dispatch(proctype, who, has_edges, |code, location, done| {
            code.skip_unless_committed(location, done);
            for edge in &location.edges {
                let party = code.party(pid, edge.command);
                let next = code.block();
                match code.supports(party) {
                    true => code.divine_edge(party, row, next),
                    false => code.leave(),
                }
                code.switch_to(next);
            }
            code.jump(done);
        });
    }

    fn supports(&self, party: Party<'m>) -> bool {
        let model = self.facts.model;
        let transition = party.transition;
        let sync = match &transition.sync {
            None => true,
            Some(Sync::Offer { values, .. }) => {
                values.iter().all(|offered| support::expr(model, offered.value))
            }
            Some(Sync::Put { values, .. }) => {
                values.iter().all(|&value| support::expr(model, value))
            }
            Some(Sync::Accept { targets, .. } | Sync::Take { targets, .. }) => {
                targets.iter().all(|target| support::place(model, target))
            }
        };
        let guard = transition.guard.is_none_or(|guard| support::expr(model, guard));
        let effect = |assign: &Assign| {
            support::expr(model, assign.value) && support::place(model, &assign.target)
        };
        sync && guard && transition.effects.iter().all(effect)
    }

    /// While a process is committed, only such processes move.
    fn skip_unless_committed(&mut self, location: &Location, otherwise: Block) {
        let is_free = location.is_committed || !self.facts.has_committed;
        if is_free || makes_mistake("dve-committed") {
            return;
        }
        let committed = self.get(types::I32, offset!(committed));
        let free = self.block();
        self.branch_on(committed, otherwise, free);
        self.switch_to(free);
    }

    fn divine_edge(&mut self, party: Party<'m>, row: Value, next: Block) {
        let who = self.process(party.pid, row, true);
        match &party.transition.sync {
            // The sender looks for its receivers.
            Some(Sync::Accept { .. }) => self.jump(next),
            Some(Sync::Offer { channel, values }) => {
                self.pass(party.transition.guard, who, next);
                self.rendezvous(party, *channel, values, row);
                self.jump(next);
            }
            sync => {
                if let Some(Sync::Put { queue, .. } | Sync::Take { queue, .. }) = sync {
                    let channel = self.queue(*queue);
                    let count = self.message_count(channel, who);
                    let ready = match sync {
                        Some(Sync::Put { .. }) => {
                            let capacity = channel.ty.capacity as i32;
                            self.compare(IntCC::UnsignedLessThan, count, capacity)
                        }
                        _ => self.compare(IntCC::NotEqual, count, 0),
                    };
                    let go_on = self.block();
                    self.branch_on(ready, go_on, next);
                    self.switch_to(go_on);
                }
                self.pass(party.transition.guard, who, next);
                let to = self.divine_row(row);
                let mut writer = Writer::new(row, to);
                self.divine_step(party, &mut writer);
                self.divine_finish(row, to, &[party]);
                self.jump(next);
            }
        }
    }

    fn pass(&mut self, guard: Option<ExprId>, who: Who, otherwise: Block) {
        if let Some(guard) = guard {
            let yes = self.block();
            self.branch(guard, who, yes, otherwise);
            self.switch_to(yes);
        }
    }

    fn queue(&mut self, queue: Queue) -> Channel<'m> {
        let ty = &self.facts.model.channel_types[queue.channel_type.0 as usize];
        let at = Position::At(self.facts.queue_base(queue.id));
        Channel { ty, at, id: self.int(i32::from(queue.id)) }
    }

    /// A copy of the source row: a successor, or what the property still has to join.
    fn divine_row(&mut self, row: Value) -> Value {
        let to = match self.facts.model.property.is_some() {
            true => self.scratch_row(),
            false => self.successor_row(),
        };
        self.copy_row(row, to);
        to
    }

    /// The effects, then the message: what is sent is what the effects have left, what is
    /// received goes over them.
    fn divine_step(&mut self, party: Party<'m>, writer: &mut Writer) {
        let who = self.process(party.pid, writer.to, false);
        self.set_location(who, party.command.target);
        self.divine_effects(party, writer);
        match &party.transition.sync {
            Some(Sync::Put { queue, values }) => {
                let channel = self.queue(*queue);
                let count = self.message_count(channel, who);
                let values: Vec<Value> =
                    values.iter().map(|&value| self.read_late(party.pid, value, writer)).collect();
                self.append(channel, writer.to, count, &values);
            }
            Some(Sync::Take { queue, targets }) => {
                let channel = self.queue(*queue);
                let count = self.message_count(channel, who);
                let message = self.contents(channel, writer.from);
                let fields: Vec<Value> = channel
                    .ty
                    .fields
                    .iter()
                    .map(|field| {
                        let at = crate::channel::plus(message, field.offset);
                        self.load(who, at, field.scalar)
                    })
                    .collect();
                self.remove_first(channel, writer.from, writer.to, count);
                for (place, value) in targets.iter().zip(fields) {
                    let offset = self.offset_of(place, who);
                    self.divine_store(place, offset, who, value, writer);
                }
            }
            Some(Sync::Offer { .. } | Sync::Accept { .. }) | None => {}
        }
    }

    fn divine_effects(&mut self, party: Party<'m>, writer: &mut Writer) {
        for assign in &party.transition.effects {
            let value = self.read_late(party.pid, assign.value, writer);
            let who = self.process(party.pid, writer.to, false);
            let offset = self.offset_of(&assign.target, who);
            self.divine_store(&assign.target, offset, who, value, writer);
        }
    }

    /// The value of an expression in the row that is being written; read from the source row
    /// where that is known to be the same, because it is not on its way to memory.
    fn read_late(&mut self, pid: usize, value: ExprId, writer: &Writer) -> Value {
        let base = self.facts.fixed.as_ref().expect("DVE has no run")[pid].base;
        let reads = self.facts.model.expr_accesses(value).reads;
        let is_old = reads.iter().all(|access| match *access {
            Access::Global { start, end } => !writer.wrote(start, end),
            Access::Local { start, end } => !writer.wrote(base + start, base + end),
            _ => false,
        });
        let who = match is_old {
            true => self.process(pid, writer.from, true),
            false => self.process(pid, writer.to, false),
        };
        self.value(value, who)
    }

    fn divine_store(
        &mut self,
        place: &Place,
        offset: Option<Value>,
        who: Who,
        value: Value,
        writer: &mut Writer,
    ) {
        self.ask_unless_fits(place.scalar, value);
        if place.region == Region::Nothing {
            return;
        }
        let at = self.address(place, offset, who);
        self.store(at, place.scalar, value);
        let (start, end) = Cells::from(place).span();
        let base = match (place.region, who.frame) {
            (Region::Local, Position::At(base)) => base,
            _ => 0,
        };
        writer.written.push((base + start, base + end));
    }

    /// One step for every receiver that is ready, by process and by transition.
    fn rendezvous(
        &mut self,
        sender: Party<'m>,
        number: u16,
        values: &'m [OfferedValue],
        row: Value,
    ) {
        let facts = self.facts;
        let fixed = facts.fixed.as_ref().expect("DVE has no run");
        for pid in (0..facts.system_size()).filter(|&pid| pid != sender.pid) {
            let locations = &facts.model.proctype(fixed[pid].proctype).locations;
            let mut receivers: BTreeMap<usize, Vec<Party<'m>>> = BTreeMap::new();
            for (at, location) in locations.iter().enumerate() {
                for edge in &location.edges {
                    let party = self.party(pid, edge.command);
                    if matches!(&party.transition.sync,
                        Some(Sync::Accept { channel, .. }) if *channel == number)
                    {
                        receivers.entry(at).or_default().push(party);
                    }
                }
            }
            if receivers.is_empty() {
                continue;
            }
            let done = self.block();
            let who = self.process(pid, row, true);
            let found = self.location_at(who);
            for (at, parties) in receivers {
                let (here, elsewhere) = (self.block(), self.block());
                let is_here = self.equals(found, at as i32);
                self.branch_on(is_here, here, elsewhere);
                self.switch_to(here);
                self.skip_unless_committed(&locations[at], done);
                for receiver in parties {
                    let next = self.block();
                    match self.supports(receiver) {
                        true => self.meet(sender, receiver, values, row, next),
                        false => self.leave(),
                    }
                    self.switch_to(next);
                }
                self.jump(done);
                self.switch_to(elsewhere);
            }
            self.jump(done);
            self.switch_to(done);
        }
    }

    /// The values, then the receiver's effects, then the sender's. Subscripts of the receiver's
    /// variables have their old values; a value sees those that were passed before it.
    fn meet(
        &mut self,
        sender: Party<'m>,
        receiver: Party<'m>,
        values: &'m [OfferedValue],
        row: Value,
        next: Block,
    ) {
        let who = self.process(receiver.pid, row, true);
        self.pass(receiver.transition.guard, who, next);
        let writes = &receiver.transition.writes;
        if sender.transition.writes.iter().any(|offset| writes.contains(offset)) {
            return self.leave();
        }
        let Some(Sync::Accept { targets, .. }) = &receiver.transition.sync else {
            unreachable!("receivers accept")
        };
        let offsets: Vec<_> = targets.iter().map(|place| self.offset_of(place, who)).collect();
        let to = self.divine_row(row);
        let mut writer = Writer::new(row, to);
        for ((offered, place), offset) in values.iter().zip(targets).zip(offsets) {
            let mut value = self.read_late(sender.pid, offered.value, &writer);
            if let Some(scalar) = offered.narrowed_to {
                value = self.truncate(scalar, value);
            }
            let who = self.process(receiver.pid, to, false);
            self.divine_store(place, offset, who, value, &mut writer);
        }
        for party in [sender, receiver] {
            let who = self.process(party.pid, to, false);
            self.set_location(who, party.command.target);
        }
        self.divine_effects(receiver, &mut writer);
        self.divine_effects(sender, &mut writer);
        self.divine_finish(row, to, &[sender, receiver]);
        self.jump(next);
    }

    /// The row is a successor, or one for every transition of the property.
    fn divine_finish(&mut self, from: Value, row: Value, parties: &[Party<'m>]) {
        let commands = self.int(parties.len() as i32);
        for party in parties {
            self.divine_bury(party, row);
        }
        self.step_of(parties.iter().map(|party| party.pid));
        let Some(property) = self.callees.property else {
            self.commit(row, commands);
            parties.iter().for_each(|party| self.cover(party.id));
            return;
        };
        let yes = self.int(1);
        self.set(offset!(moved), yes);
        let before = self.get(types::I64, offset!(out));
        self.call(property, &[self.context, from, row, commands]);
        let after = self.get(types::I64, offset!(out));
        let has_moved = self.b.ins().icmp(IntCC::NotEqual, before, after);
        let (moved, done) = (self.block(), self.block());
        self.branch_on(has_moved, moved, done);
        self.switch_to(moved);
        parties.iter().for_each(|party| self.cover(party.id));
        self.jump(done);
        self.switch_to(done);
    }

    /// Only who moves can have new dead variables, and nobody else writes them.
    fn divine_bury(&mut self, party: &Party<'m>, row: Value) {
        let proctype = self.facts.fixed.as_ref().expect("DVE has no run")[party.pid].proctype;
        let who = self.process(party.pid, row, false);
        self.bury(who, proctype, party.command.target);
    }

    /// The property process joins a step of the system, its guards tested before that step:
    /// `(context, source, row, commands)`.
    pub(crate) fn divine_property(&mut self, params: &[Value]) {
        let &[_, source, row, commands] = params else { unreachable!("by the signature") };
        let property = self.facts.model.property.as_ref().expect("asked before");
        let pid = property.pid as usize;
        let proctype = self.facts.fixed.as_ref().expect("DVE has no run")[pid].proctype;
        let who = self.process(pid, source, true);
        let has_edges = |location: &Location| !location.edges.is_empty();
        self.dispatch(proctype, who, has_edges, |code, location, done| {
            for edge in &location.edges {
                let party = code.party(pid, edge.command);
                let next = code.block();
                if !code.supports(party) {
                    code.leave();
                    code.switch_to(next);
                    continue;
                }
                code.pass(party.transition.guard, who, next);
                let to = code.successor_row();
                code.copy_row(row, to);
                let own = code.process(pid, to, false);
                code.set_location(own, party.command.target);
                let mut writer = Writer::everything(row, to);
                code.divine_effects(party, &mut writer);
                code.divine_bury(&party, to);
                let commands = code.b.ins().iadd_imm_s(commands, 1);
                let before = code.join_step(own.pid);
                code.commit(to, commands);
                code.leave_step(before);
                code.cover(party.id);
                code.jump(next);
                code.switch_to(next);
            }
            code.jump(done);
        });
    }
}

/// A row under construction, and which bytes differ from the one it was copied from.
struct Writer {
    from: Value,
    to: Value,
    written: Vec<(u32, u32)>,
}

impl Writer {
    fn new(from: Value, to: Value) -> Writer {
        Writer { from, to, written: Vec::new() }
    }

    /// Nothing is read from the row before.
    fn everything(from: Value, to: Value) -> Writer {
        Writer { from, to, written: vec![(0, u32::MAX)] }
    }

    fn wrote(&self, start: u32, end: u32) -> bool {
        self.written.iter().any(|&(from, to)| from < end && start < to)
    }
}
