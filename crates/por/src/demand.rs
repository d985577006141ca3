//! What it takes to have a process in the set: who else must be in it.

use lariat_core::makes_mistake;
use lariat_model::analysis::{Access, Phase};
use lariat_model::interp::Interp;
use lariat_model::ir::transition::Sync;
use lariat_model::ir::{Action, BinaryOp, CommandId, Expr, ExprId, Model, Receive};

use crate::instance::{EdgeFacts, Instance, Point, is_else};
use crate::set::Ids;
use crate::touched::{Enablers, Touched, Use};
use crate::visible::Visible;
use crate::world::{Who, World};

/// What a process in the set asks of the others.
pub(crate) struct Demand {
    /// What its commands touch that can be executed, or perhaps can by a rendezvous.
    pub(crate) moves: Touched,
    /// For each command that cannot: several sets of processes, one of which must come along.
    pub(crate) waits: Vec<Vec<Enablers>>,
    /// It can end after the next younger process only.
    pub(crate) behind_younger: bool,
    /// One of the commands that it may execute is visible.
    pub(crate) is_visible: bool,
}

impl Demand {
    pub(crate) fn bytes(&self) -> usize {
        let waits = self.waits.iter().flatten().map(Enablers::bytes);
        self.moves.bytes() + waits.sum::<usize>()
    }
}

/// Why a command cannot be executed, as words of a key.
const ENABLED: u32 = 0;
const DISABLED: u32 = 1;
const EMPTY: u32 = 2;
const NO_CHANNEL: u32 = 3;
/// With the false conjuncts of the guard as bits beside it.
const GUARD: u32 = 4;
const QUEUE: u32 = 5;
const NOT_PROVIDED: u32 = 6;
/// A condition may have so many conjuncts that are looked at one by one.
const CONJUNCTS: usize = 16;

/// A process of a state, while its kind is found.
pub(crate) struct Asker<'a, 'm> {
    pub(crate) world: &'a World<'m>,
    pub(crate) instance: &'a Instance,
    pub(crate) interp: &'a mut Interp<'m>,
    pub(crate) point: &'a Point,
}

impl<'m> Asker<'_, 'm> {
    fn model(&self) -> &'m Model {
        self.world.model
    }

    fn pid(&self) -> u8 {
        self.instance.identity.pid as u8
    }

    fn eval(&mut self, expr: ExprId) -> Option<i32> {
        self.interp.eval_loaded(expr, Some(self.pid())).ok()
    }

    /// Appends all that the demand depends on besides the control point. True if some command
    /// can be executed, whoever else is there.
    pub(crate) fn sign(&mut self, key: &mut Vec<u32>) -> bool {
        let point = self.point;
        if point.edges.iter().all(|edge| edge.waits) {
            return false;
        }
        if !self.is_provided() {
            key.push(NOT_PROVIDED);
            return false;
        }
        let mut moves = false;
        for edge in &point.edges {
            if edge.waits {
                continue;
            }
            for &(expr, _) in &edge.evaluated {
                let value = self.eval(expr);
                key.push(value.is_some() as u32);
                key.push(value.unwrap_or(0) as u32);
            }
            if self.is_else(edge) {
                key.push(if moves { DISABLED } else { ENABLED });
                continue;
            }
            let (status, detail, is_certain) = self.status(edge.command);
            key.push(status | detail << 8);
            moves |= status == ENABLED && is_certain;
        }
        moves
    }

    fn is_else(&self, edge: &EdgeFacts) -> bool {
        matches!(self.model().command(edge.command).action, Action::Else)
    }

    fn is_provided(&mut self) -> bool {
        let proctype = self.model().proctype(self.instance.identity.fixed.proctype);
        proctype.provided.is_none_or(|provided| self.eval(provided) != Some(0))
    }

    /// Whether a command can be executed, why not, and whether that is certain: a rendezvous needs
    /// another process, and what goes wrong is no step.
    fn status(&mut self, id: CommandId) -> (u32, u32, bool) {
        let (model, pid) = (self.model(), self.pid());
        match &model.command(id).action {
            Action::Transition(transition) => {
                if let Some(Sync::Put { queue, .. } | Sync::Take { queue, .. }) = transition.sync {
                    let (count, ty) = self.interp.fill(i32::from(queue.id)).expect("a queue");
                    let is_put = matches!(transition.sync, Some(Sync::Put { .. }));
                    if if is_put { count == ty.capacity as usize } else { count == 0 } {
                        return (QUEUE, 0, true);
                    }
                }
                match transition.guard {
                    Some(guard) if self.eval(guard) == Some(0) => {
                        (GUARD, self.false_conjuncts(guard), true)
                    }
                    _ => (ENABLED, 0, transition.offered().is_none()),
                }
            }
            &Action::Guard(guard) => match self.interp.can_begin(pid, id) {
                Ok(false) => (GUARD, self.false_conjuncts(guard), true),
                Ok(true) => (ENABLED, 0, true),
                Err(_) => (ENABLED, 0, false),
            },
            Action::Send(send) => {
                let channel = self.eval(send.channel).unwrap_or(0);
                match self.interp.fill(channel) {
                    Some((_, ty)) if ty.is_rendezvous() => (ENABLED, channel as u32, false),
                    Some((count, ty))
                        if count == ty.capacity as usize && !model.uses.message_loss =>
                    {
                        (DISABLED, channel as u32, true)
                    }
                    Some(_) => (ENABLED, channel as u32, true),
                    // It goes wrong.
                    None => (ENABLED, 0, false),
                }
            }
            Action::Receive(receive) => self.receive_status(id, receive),
            // Whether its first statement is `else` or something else, or a rendezvous.
            Action::DStep(d_step)
                if is_else(model, id)
                    || model.d_steps[d_step.0 as usize]
                        .guards
                        .iter()
                        .any(|guard| matches!(guard, Action::Receive(_) | Action::Send(_))) =>
            {
                (ENABLED, 0, false)
            }
            _ => match self.interp.can_begin(pid, id) {
                Ok(true) => (ENABLED, 0, true),
                Ok(false) => (DISABLED, 0, true),
                Err(_) => (ENABLED, 0, false),
            },
        }
    }

    fn receive_status(&mut self, id: CommandId, receive: &Receive) -> (u32, u32, bool) {
        let Some(channel) = self.eval(receive.channel).filter(|&id| id != 0) else {
            return (ENABLED, 0, false);
        };
        let detail = channel as u32 & 0xff;
        match self.interp.fill(channel) {
            None => (NO_CHANNEL, detail, true),
            Some((_, ty)) if ty.is_rendezvous() => (ENABLED, detail, false),
            Some((0, _)) => (EMPTY, detail, true),
            Some(_) => match self.interp.can_begin(self.pid(), id) {
                Ok(true) => (ENABLED, detail, true),
                Ok(false) => (DISABLED, detail, true),
                Err(_) => (ENABLED, detail, false),
            },
        }
    }

    /// The conjuncts of a guard that are false, as bits.
    fn false_conjuncts(&mut self, guard: ExprId) -> u32 {
        let mut found = 0;
        for (at, conjunct) in conjuncts(self.model(), guard).into_iter().enumerate() {
            found |= ((self.eval(conjunct) == Some(0)) as u32) << at;
        }
        found
    }

    /// The demand that belongs to the key; it looks at the state only where the key does.
    pub(crate) fn demand(&mut self, visible: &Visible) -> Demand {
        let world = self.world;
        let globals = self.model().globals_size;
        let point = self.point;
        let mut demand = Demand {
            moves: world.nothing(),
            waits: Vec::new(),
            behind_younger: false,
            is_visible: false,
        };
        let provided = point.edges.iter().all(|edge| edge.waits) || self.is_provided();
        let values = self.values(provided);
        let firsts: Vec<Touched> = (point.edges.iter().enumerate())
            .map(|(at, edge)| self.first(edge, &values[at]))
            .collect();
        let mut moves = false;
        for (at, edge) in point.edges.iter().enumerate() {
            let (status, detail) = if edge.waits {
                (ENABLED, 0)
            } else if !provided {
                (NOT_PROVIDED, 0)
            } else if self.is_else(edge) {
                (if moves { DISABLED } else { ENABLED }, 0)
            } else {
                let (status, detail, is_certain) = self.status(edge.command);
                moves |= status == ENABLED && is_certain;
                (status, detail)
            };
            if status == ENABLED {
                let mut touched = firsts[at].clone();
                touched.join(&edge.rest);
                for &other in &edge.looks_at {
                    touched.join(&firsts[other].tested(globals));
                }
                demand.is_visible |= edge.is_visible || visible.is_changed_by(&touched);
                demand.moves.join(&touched);
            } else if !makes_mistake("por-disabled") {
                self.add_waiting(edge, status, detail, &firsts[at], &values[at], &mut demand);
            }
        }
        self.add_asserts(&mut demand);
        demand
    }

    /// Assertions of DVE are tested in every state: as commands that can be executed where they fail.
    fn add_asserts(&mut self, demand: &mut Demand) {
        let identity = &self.instance.identity;
        let proctype = self.model().proctype(identity.fixed.proctype);
        let at = self.interp.processes().nth(identity.pid).map_or(0, |process| process.at.0);
        for &assert in &proctype.locations[at as usize].asserts {
            let mut touched = self.world.nothing();
            self.world.add_expr(
                self.instance.who(&crate::world::nothing_now),
                assert,
                &mut touched,
            );
            let nobody = Enablers::nobody(self.model().globals_size);
            if !makes_mistake("por-assert") {
                demand.waits.push(vec![nobody.of_reads(&touched)]);
            }
        }
    }

    /// By command: what its subscripts and channels are now. Nobody asks if the process may not
    /// move.
    fn values(&mut self, provided: bool) -> Vec<Vec<(ExprId, bool, i32)>> {
        let pid = self.pid();
        let mut value = |&(expr, settled): &(ExprId, bool)| {
            let value = self.interp.eval_loaded(expr, Some(pid)).ok()?;
            provided.then_some((expr, settled, value))
        };
        let edges = self.point.edges.iter();
        edges.map(|edge| edge.evaluated.iter().filter_map(&mut value).collect()).collect()
    }

    /// What a command touches by itself in this state. Its subscripts stay what they are: whoever could
    /// change one conflicts with it.
    fn first(&self, edge: &EdgeFacts, values: &[(ExprId, bool, i32)]) -> Touched {
        let mut touched = self.world.nothing();
        let now = |expr, phase| look_up(values, expr, phase);
        self.world.add_command(self.instance.who(&now), edge.command, false, &mut touched);
        touched
    }

    /// Adds sets of processes one of which must move before a command can be executed.
    fn add_waiting(
        &mut self,
        edge: &EdgeFacts,
        status: u32,
        detail: u32,
        first: &Touched,
        values: &[(ExprId, bool, i32)],
        demand: &mut Demand,
    ) {
        let model = self.model();
        let nobody = || Enablers::nobody(model.globals_size);
        let of_condition = || nobody().of_conditions(first);
        let channel = Ids::one(detail as usize & 0xff);
        let now = |expr, phase| look_up(values, expr, phase);
        let who = self.instance.who(&now);
        match (&model.command(edge.command).action, status) {
            (_, NOT_PROVIDED) => {
                let proctype = model.proctype(self.instance.identity.fixed.proctype);
                let mut touched = self.world.nothing();
                if let Some(provided) = proctype.provided {
                    self.world.add_expr(who, provided, &mut touched);
                }
                demand.waits.push(vec![nobody().of_reads(&touched)]);
            }
            // A neighbour can be executed, and nobody outside the set changes that.
            (Action::Else, _) => {}
            (Action::End, _) => demand.behind_younger = !makes_mistake("por-end-order"),
            (Action::Guard(guard), GUARD) => {
                let guard = *guard;
                demand.waits.push(self.falsehoods(who, guard, detail));
            }
            (Action::Transition(transition), GUARD) => {
                let guard = transition.guard.expect("it is false");
                demand.waits.push(self.falsehoods(who, guard, detail));
            }
            (Action::Transition(transition), QUEUE) => {
                let (how, queue) = match transition.sync {
                    Some(Sync::Put { queue, .. }) => (Use::Receive, queue),
                    Some(Sync::Take { queue, .. }) => (Use::Send, queue),
                    _ => unreachable!("no queue"),
                };
                let ids = Ids::one(queue.id as usize);
                demand.waits.push(vec![nobody().by(&[how], ids)]);
            }
            (Action::Send(_), _) => {
                let takers = [Use::Receive, Use::Any, Use::Free, Use::Create];
                demand.waits.push(vec![of_condition().by(&takers, channel)]);
            }
            (Action::Receive(_), EMPTY | NO_CHANNEL) => {
                demand.waits.push(vec![of_condition().by(&SENDERS, channel)]);
            }
            // No message matches, or the oldest does not.
            (Action::Receive(receive), _) if receive.random => {
                demand.waits.push(vec![of_condition().by(&SENDERS, channel)]);
            }
            (Action::Receive(_), _) => {
                let changing = [Use::Receive, Use::SortedSend, Use::Any, Use::Free, Use::Create];
                demand.waits.push(vec![of_condition().by(&changing, channel)]);
            }
            // A d_step: by whatever its condition looks at.
            _ => {
                let mut enablers = of_condition();
                let channels = first.channels();
                if !channels.is_empty() {
                    enablers = enablers.by(&SENDERS, channels);
                    enablers = enablers.by(&[Use::Receive, Use::Accept], channels);
                }
                demand.waits.push(vec![enablers]);
            }
        }
    }

    /// One set for each conjunct that is false: it stays so, and what is evaluated before it does not
    /// go wrong, until somebody of the set has moved.
    fn falsehoods(&self, who: Who<'_>, guard: ExprId, false_ones: u32) -> Vec<Enablers> {
        let model = self.model();
        let nobody = || Enablers::nobody(model.globals_size);
        let touched_by = |exprs: &[ExprId]| {
            let mut touched = self.world.nothing();
            exprs.iter().for_each(|&expr| self.world.add_expr(who, expr, &mut touched));
            touched
        };
        let parts = conjuncts(model, guard);
        let mut risky: Vec<ExprId> = Vec::new();
        let mut sets = Vec::new();
        for (at, &part) in parts.iter().enumerate() {
            if false_ones >> at & 1 == 1 {
                let mut all = risky.clone();
                all.push(part);
                sets.push(nobody().of_reads(&touched_by(&all)));
            }
            if self.may_go_wrong(who, part) {
                risky.push(part);
            }
        }
        if sets.is_empty() {
            sets.push(nobody().of_reads(&touched_by(&[guard])));
        }
        sets
    }

    /// Whether the evaluation of an expression may be an error in another state, as long as its
    /// subscripts are what they are now.
    fn may_go_wrong(&self, who: Who<'_>, root: ExprId) -> bool {
        let model = self.model();
        let in_range = |expr: ExprId, count: u32| {
            // Its own variables stay what they are until the process moves.
            let is_own = |access: &Access| matches!(access, Access::Local { .. });
            let value = match model.expr_accesses(expr).reads.iter().all(is_own) {
                true => self.world.value(who, expr, Phase::Condition),
                false => self.world.constants.value(who.process, expr),
            };
            value.is_some_and(|value| (0..i64::from(count)).contains(&i64::from(value)))
        };
        model.exprs.any(root, |node| match node {
            Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, divisor) => {
                !matches!(model.exprs.get(*divisor), Expr::Const(value) if *value > 0)
            }
            Expr::Load(place) => {
                !place.indices.iter().all(|index| in_range(index.value, index.count))
            }
            Expr::Table(values, index) => !in_range(*index, values.len() as u32),
            Expr::Len(_) | Expr::Probe(..) | Expr::Poll(_) | Expr::Run(_) | Expr::Enabled(_) => {
                true
            }
            _ => false,
        })
    }
}

/// Whoever may put a message into a channel, or make a channel.
const SENDERS: [Use; 6] =
    [Use::Send, Use::SortedSend, Use::Any, Use::Offer, Use::Create, Use::Free];

fn look_up(values: &[(ExprId, bool, i32)], expr: ExprId, phase: Phase) -> Option<i32> {
    let found = values.iter().find(|known| known.0 == expr)?;
    (phase == Phase::Condition || found.1).then_some(found.2)
}

/// The parts of a condition that must all hold, in the order in which they are evaluated; only itself if they
/// are too many.
fn conjuncts(model: &Model, root: ExprId) -> Vec<ExprId> {
    let (mut parts, mut todo) = (Vec::new(), vec![root]);
    while let Some(expr) = todo.pop() {
        match *model.exprs.get(expr) {
            Expr::Binary(BinaryOp::And, left, right) => todo.extend([right, left]),
            _ => parts.push(expr),
        }
    }
    if parts.len() > CONJUNCTS { vec![root] } else { parts }
}
