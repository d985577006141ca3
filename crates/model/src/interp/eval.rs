//! Evaluation of expressions in a state.

use super::fault::FaultKind;
use super::machine::{Context, Machine};
use crate::ir::expr::Instance;
use crate::ir::layout::{Divergence, MAX_LIVE};
use crate::ir::{BinaryOp, Expr, ExprId, Place, Probe, Run};

impl<'m> Machine<'m> {
    /// The value of an expression in the name of a process. A fault gives 0.
    ///
    /// Recursion is as deep as the expression, which the parser limits.
    pub(super) fn eval(&mut self, id: ExprId, who: Context) -> i32 {
        let model = self.model;
        match model.exprs.get(id) {
            Expr::Const(value) => *value,
            Expr::Var(region, offset, scalar) => self.read(*region, *offset, *scalar, who),
            Expr::Load(place) => match self.resolve(place, who, id) {
                Some(offset) => self.read(place.region, offset, place.scalar, who),
                None => 0,
            },
            Expr::Table(values, index) => {
                let at = self.eval(*index, who);
                let value = usize::try_from(at).ok().and_then(|at| values.get(at));
                value.copied().unwrap_or_else(|| {
                    let count = values.len() as u32;
                    let kind = FaultKind::IndexOutOfRange { index: at, count };
                    self.fault(kind, model.exprs.span(*index));
                    0
                })
            }
            Expr::Unary(op, operand) => op.apply(self.eval(*operand, who)),
            Expr::Binary(BinaryOp::And, left, right) => {
                (self.eval(*left, who) != 0 && self.eval(*right, who) != 0) as i32
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                (self.eval(*left, who) != 0 || self.eval(*right, who) != 0) as i32
            }
            Expr::Binary(op, left, right) => {
                let left = self.eval(*left, who);
                let right = self.eval(*right, who);
                op.apply(left, right).unwrap_or_else(|| {
                    let kind = match right {
                        0 => FaultKind::DivisionByZero,
                        _ => FaultKind::DivisionOverflow,
                    };
                    self.fault(kind, model.exprs.span(id));
                    0
                })
            }
            Expr::Conditional(condition, then, otherwise) => {
                let branch = if self.eval(*condition, who) != 0 { then } else { otherwise };
                self.eval(*branch, who)
            }
            Expr::Pid => who.pid as i32,
            Expr::NrProcesses => self.frames.len() as i32,
            Expr::Last => self.last() as i32,
            Expr::Priority => self.priority_at(who.base) as i32,
            Expr::NonProgress => !self.at_progress() as i32,
            Expr::AtAccept => self.at_accept() as i32,
            Expr::Timeout => self.timeout as i32,
            Expr::Len(channel) => {
                let channel = self.eval(*channel, who);
                self.len_of(channel, id) as i32
            }
            Expr::Probe(probe, channel) => {
                let channel = self.eval(*channel, who);
                self.probe(*probe, channel, id) as i32
            }
            Expr::Poll(poll) => {
                let channel = self.eval(poll.channel, who);
                self.poll(channel, poll.random, &poll.args, who, id) as i32
            }
            Expr::Run(run) => self.run(run, who, id),
            Expr::Enabled(pid) => {
                let pid = self.eval(*pid, who);
                if pid == who.pid as i32 {
                    self.fault(FaultKind::EnabledOfItself, model.exprs.span(id));
                    return 0;
                }
                usize::try_from(pid).is_ok_and(|pid| self.is_enabled(pid)) as i32
            }
            Expr::PcValue(pid) => {
                let pid = self.eval(*pid, who);
                self.frame_of(pid).map_or(0, |base| self.location_at(base).0 as i32)
            }
            Expr::GetPriority(pid) => {
                let pid = self.eval(*pid, who);
                self.frame_of(pid).map_or(0, |base| self.priority_at(base) as i32)
            }
            Expr::At(remote) => {
                let frame = self.find_instance(&remote.instance, who);
                frame.is_some_and(|base| self.location_at(base) == remote.location) as i32
            }
            Expr::Remote(remote) => {
                let frame = self.find_instance(&remote.instance, who);
                let Some(offset) = self.resolve(&remote.place, who, id) else { return 0 };
                let place = &remote.place;
                frame
                    .filter(|base| base + (offset as usize) < self.memory.len())
                    .map_or(0, |base| place.scalar.load(&self.memory, base + offset as usize))
            }
        }
    }

    /// The offset of a place in its region; a fault if a subscript is out of range.
    #[inline]
    pub(super) fn resolve(&mut self, place: &Place, who: Context, at: ExprId) -> Option<u32> {
        let mut offset = place.offset;
        for index in &place.indices {
            let value = self.eval(index.value, who);
            if value < 0 || value as u32 >= index.count {
                let kind = FaultKind::IndexOutOfRange { index: value, count: index.count };
                let span = self.model.exprs.span(index.value);
                let span = if span.is_nowhere() { self.model.exprs.span(at) } else { span };
                self.fault(kind, span);
                return None;
            }
            offset += value as u32 * index.stride;
        }
        Some(offset)
    }

    fn frame_of(&self, pid: i32) -> Option<usize> {
        self.frames.get(usize::try_from(pid).ok()?).map(|&base| base as usize)
    }

    /// The frame that a remote reference means, if there is one. The type of a process named
    /// by its pid is not looked at, as in Spin.
    fn find_instance(&mut self, instance: &Instance, who: Context) -> Option<usize> {
        match instance.pid {
            Some(pid) => {
                let pid = self.eval(pid, who);
                self.frame_of(pid)
            }
            None => {
                let mut frames = self.frames.iter().map(|&base| base as usize);
                frames.find(|&base| self.proctype_at(base) == instance.proctype)
            }
        }
    }

    pub(super) fn at_progress(&self) -> bool {
        if let Some(inside) = Divergence::of(&self.memory) {
            return inside.progress;
        }
        self.frames.iter().any(|&base| {
            let proctype = self.model.proctype(self.proctype_at(base as usize));
            proctype.locations[self.location_at(base as usize).0 as usize].is_progress
        })
    }

    pub(super) fn at_accept(&self) -> bool {
        if let Some(inside) = Divergence::of(&self.memory) {
            return inside.accept;
        }
        self.frames.iter().any(|&base| {
            let proctype = self.model.proctype(self.proctype_at(base as usize));
            proctype.locations[self.location_at(base as usize).0 as usize].is_accept
        })
    }

    fn len_of(&mut self, channel: i32, at: ExprId) -> usize {
        if channel == 0 {
            self.fault(FaultKind::UninitialisedChannel, self.model.exprs.span(at));
            return 0;
        }
        self.channel(channel).map_or(0, |(base, _)| self.message_count(base))
    }

    fn probe(&mut self, probe: Probe, channel: i32, at: ExprId) -> bool {
        if channel == 0 {
            self.fault(FaultKind::UninitialisedChannel, self.model.exprs.span(at));
            return matches!(probe, Probe::Empty | Probe::NotFull);
        }
        let Some((base, ty)) = self.channel(channel) else {
            if matches!(probe, Probe::Full | Probe::NotFull) {
                self.fault(FaultKind::DeadChannel, self.model.exprs.span(at));
            }
            return matches!(probe, Probe::Empty);
        };
        let count = self.message_count(base);
        let full = !ty.is_rendezvous() && count == ty.capacity as usize;
        match probe {
            Probe::Full => full,
            Probe::NotFull => !full,
            Probe::Empty => count == 0,
            Probe::NotEmpty => count > 0,
        }
    }

    fn run(&mut self, run: &Run, who: Context, at: ExprId) -> i32 {
        if self.testing {
            return (self.frames.len() < MAX_LIVE) as i32;
        }
        // Parameters are few; a fixed buffer saves the allocation.
        let mut args = [0; 16];
        let span = self.model.exprs.span(at);
        let pid = if run.args.len() <= args.len() {
            for (value, &arg) in args.iter_mut().zip(&run.args) {
                *value = self.eval(arg, who);
            }
            self.create(run.proctype, run.priority, &args[..run.args.len()], span)
        } else {
            let args: Vec<i32> = run.args.iter().map(|&arg| self.eval(arg, who)).collect();
            self.create(run.proctype, run.priority, &args, span)
        };
        pid.map_or(0, i32::from)
    }
}
