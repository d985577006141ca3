//! What it takes to have a process in the set: who else must be in it.

use lariat_core::makes_mistake;
use lariat_model::analysis::Phase;
use lariat_model::interp::Interp;
use lariat_model::ir::transition::Sync;
use lariat_model::ir::{Action, BinaryOp, CommandId, Expr, ExprId, LocationId, Model, Receive};

use crate::builder::{is_else, is_own};
use crate::instance::{Conjunct, EdgeFacts, Instance, Point};
use crate::set::Ids;
use crate::touched::{Enablers, Touched, Use};
use crate::visible::Visible;
use crate::world::{Who, World, nothing_now};

/// What a process in the set asks of the others.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Demand {
    /// What its commands touch that can be executed.
    pub(crate) moves: Touched,
    /// Its commands that can be executed if somebody is at the other end.
    pub(crate) meetings: Vec<Meeting>,
    /// For each command that cannot: several sets of processes, one of which must come along.
    pub(crate) waits: Vec<Vec<Enablers>>,
    /// It can end after the next younger process only.
    pub(crate) behind_younger: bool,
    /// One of the commands that it can execute is visible.
    pub(crate) is_visible: bool,
}

/// One side of a rendezvous.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Meeting {
    /// What the other side does, and on which channels.
    pub(crate) with: Use,
    pub(crate) on: Ids,
    /// Who may change which channels these are.
    others: Enablers,
    pub(crate) touched: Touched,
    pub(crate) is_visible: bool,
}

impl Meeting {
    /// What the other side of a command may be, if it is nothing but a rendezvous.
    fn other_side(model: &Model, id: CommandId, touched: &Touched) -> Option<(Use, Ids)> {
        let plain = [Use::Send, Use::SortedSend, Use::Receive, Use::Peek, Use::Any];
        if plain.into_iter().any(|how| !touched.uses(how).is_empty()) {
            return None;
        }
        let (offered, accepted) = (touched.uses(Use::Offer), touched.uses(Use::Accept));
        match &model.command(id).action {
            Action::Send(_) | Action::Receive(_) | Action::Transition(_) => {}
            _ => return None,
        }
        match (offered.is_empty(), accepted.is_empty()) {
            (false, true) => Some((Use::Accept, offered)),
            (true, false) => Some((Use::Offer, accepted)),
            _ => None,
        }
    }

    /// Whether a process may still come to the other end.
    pub(crate) fn may_find(&self, future: &Touched) -> bool {
        let there = future.uses(self.with).or(future.uses(Use::Any));
        let comes = there.meets(self.on) && !makes_mistake("por-rendezvous");
        comes || self.others.are_in(future)
    }
}

impl Demand {
    pub(crate) fn bytes(&self) -> usize {
        let waits = self.waits.iter().flatten().map(Enablers::bytes);
        let meetings = self.meetings.iter().map(|meeting| meeting.touched.bytes());
        self.moves.bytes() + waits.sum::<usize>() + meetings.sum::<usize>()
    }

    /// Makes do with so many meetings and sets of enablers: some are taken together with others.
    pub(crate) fn make_fit(&mut self, most: usize) {
        let count = |demand: &Demand| {
            2 * demand.meetings.len() + demand.waits.iter().map(Vec::len).sum::<usize>()
        };
        if count(self) > most {
            self.waits.iter_mut().for_each(|sets| sets.truncate(1));
        }
        if count(self) > most {
            self.moves.everything = true;
            self.waits.clear();
            for meeting in self.meetings.drain(..) {
                self.moves.join(&meeting.touched);
                self.is_visible |= meeting.is_visible;
            }
        }
    }

    /// The channels on which the process is one side of a rendezvous that may happen now.
    pub(crate) fn is_there(&self, as_side: Use) -> Ids {
        let other = if as_side == Use::Offer { Use::Accept } else { Use::Offer };
        let meetings = self.meetings.iter().filter(|meeting| meeting.with == other);
        let plain = self.moves.uses(as_side).or(self.moves.uses(Use::Any));
        meetings.fold(plain, |ids, meeting| ids.or(meeting.on))
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

/// A process of a state, while its kind is found.
pub(crate) struct Asker<'a, 'm> {
    pub(crate) world: &'a World<'m>,
    pub(crate) instance: &'a Instance,
    pub(crate) pid: u8,
    pub(crate) interp: &'a mut Interp<'m>,
    pub(crate) point: &'a Point,
}

impl<'m> Asker<'_, 'm> {
    fn model(&self) -> &'m Model {
        self.world.model
    }

    fn eval(&mut self, expr: ExprId) -> Option<i32> {
        self.interp.eval_loaded(expr, Some(self.pid)).ok()
    }

    /// Appends all that the demand depends on besides the control point. True if some command
    /// can be executed, whoever else is there.
    pub(crate) fn sign(&mut self, key: &mut Vec<u32>) -> bool {
        let point = self.point;
        let only_waits = point.edges.iter().all(|edge| edge.waits);
        if !only_waits && !self.is_provided() {
            key.push(NOT_PROVIDED);
            return false;
        }
        let mut moves = false;
        for edge in &point.edges {
            if edge.waits {
                key.push(self.is_held(edge) as u32);
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
            let (status, detail, is_certain) = self.status(edge);
            key.push(status | detail << 8);
            moves |= status == ENABLED && is_certain;
        }
        moves
    }

    fn is_else(&self, edge: &EdgeFacts) -> bool {
        matches!(self.model().command(edge.command).action, Action::Else)
    }

    /// Whether the process cannot take part in a rendezvous that it waits for until it has moved:
    /// its guard is false for its own variables. Its footprint has no more than these.
    fn is_held(&mut self, edge: &EdgeFacts) -> bool {
        for conjunct in &edge.conjuncts {
            if conjunct.is_own {
                match self.eval(conjunct.expr) {
                    Some(0) => return true,
                    Some(_) => {}
                    None => return false,
                }
            } else if self.may_go_wrong(self.instance.who(&nothing_now), conjunct.expr) {
                return false;
            }
        }
        false
    }

    fn is_provided(&mut self) -> bool {
        let proctype = self.model().proctype(self.instance.identity.fixed.proctype);
        proctype.provided.is_none_or(|provided| self.eval(provided) != Some(0))
    }

    /// Whether a command can be executed, why not, and whether that is certain: a rendezvous needs
    /// another process, and what goes wrong is no step.
    fn status(&mut self, edge: &EdgeFacts) -> (u32, u32, bool) {
        let (model, pid, id) = (self.model(), self.pid, edge.command);
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
                        (GUARD, self.false_conjuncts(edge), true)
                    }
                    _ => (ENABLED, 0, transition.offered().is_none()),
                }
            }
            Action::Guard(_) => match self.interp.can_begin(pid, id) {
                Ok(false) => (GUARD, self.false_conjuncts(edge), true),
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
            // Whether its first statement is `else` or something else; it may wait for an offer.
            Action::DStep(_) if is_else(model, id) || edge.may_accept => (ENABLED, 0, false),
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
            Some(_) => match self.interp.can_begin(self.pid, id) {
                Ok(true) => (ENABLED, detail, true),
                Ok(false) => (DISABLED, detail, true),
                Err(_) => (ENABLED, detail, false),
            },
        }
    }

    /// The conjuncts of a guard that are false, as bits.
    fn false_conjuncts(&mut self, edge: &EdgeFacts) -> u32 {
        edge.conjuncts.iter().enumerate().fold(0, |found, (at, conjunct)| {
            found | ((self.eval(conjunct.expr) == Some(0)) as u32) << at
        })
    }

    /// The demand that belongs to the key; it looks at the state only where the key does.
    pub(crate) fn demand(&mut self, at: LocationId, visible: &Visible) -> Demand {
        let world = self.world;
        let globals = self.model().globals_size;
        let point = self.point;
        let mut demand = Demand {
            moves: world.nothing(),
            meetings: Vec::new(),
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
                if provided && self.is_held(edge) {
                    continue;
                }
                (ENABLED, 0)
            } else if !provided {
                (NOT_PROVIDED, 0)
            } else if self.is_else(edge) {
                (if moves { DISABLED } else { ENABLED }, 0)
            } else {
                let (status, detail, is_certain) = self.status(edge);
                moves |= status == ENABLED && is_certain;
                (status, detail)
            };
            if status == ENABLED {
                let mut touched = firsts[at].clone();
                touched.join(&edge.rest);
                for &other in &edge.looks_at {
                    touched.join(&firsts[other].tested(globals));
                }
                let is_visible = edge.is_visible || visible.is_changed_by(&touched);
                match Meeting::other_side(self.model(), edge.command, &firsts[at]) {
                    Some((with, on)) => {
                        let others = self.choosers(edge.command);
                        demand.meetings.push(Meeting { with, on, others, touched, is_visible });
                    }
                    None => {
                        demand.is_visible |= is_visible;
                        demand.moves.join(&touched);
                    }
                }
            } else if !makes_mistake("por-disabled") {
                self.add_waiting(edge, status, detail, &firsts[at], &values[at], &mut demand);
            }
        }
        self.add_asserts(at, &mut demand);
        demand
    }

    /// Assertions of DVE are tested in every state: as commands that can be executed where they fail.
    fn add_asserts(&mut self, at: LocationId, demand: &mut Demand) {
        let proctype = self.model().proctype(self.instance.identity.fixed.proctype);
        for &assert in &proctype.locations[at.0 as usize].asserts {
            let mut touched = self.world.nothing();
            self.world.add_expr(self.instance.who(&nothing_now), assert, &mut touched);
            let nobody = Enablers::nobody(self.model().globals_size);
            if !makes_mistake("por-assert") {
                demand.waits.push(vec![nobody.of_reads(&touched)]);
            }
        }
    }

    /// By command: what its subscripts and channels are now. Nobody asks if the process may not
    /// move.
    fn values(&mut self, provided: bool) -> Vec<Vec<(ExprId, bool, i32)>> {
        let pid = self.pid;
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

    /// Who may change which channel a command means.
    fn choosers(&self, id: CommandId) -> Enablers {
        let mut touched = self.world.nothing();
        let channel = match &self.model().command(id).action {
            Action::Send(send) => Some(send.channel),
            Action::Receive(receive) => Some(receive.channel),
            _ => None,
        };
        if let Some(channel) = channel {
            self.world.add_expr(self.instance.who(&nothing_now), channel, &mut touched);
        }
        Enablers::nobody(self.model().globals_size).of_reads(&touched)
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
            (_, GUARD) => demand.waits.push(self.falsehoods(who, &edge.conjuncts, detail)),
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
    fn falsehoods(&self, who: Who<'_>, parts: &[Conjunct], false_ones: u32) -> Vec<Enablers> {
        let model = self.model();
        let nobody = || Enablers::nobody(model.globals_size);
        let touched_by = |exprs: &[ExprId]| {
            let mut touched = self.world.nothing();
            exprs.iter().for_each(|&expr| self.world.add_expr(who, expr, &mut touched));
            touched
        };
        let mut risky: Vec<ExprId> = Vec::new();
        let mut sets = Vec::new();
        for (at, part) in parts.iter().map(|part| part.expr).enumerate() {
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
            let all: Vec<ExprId> = parts.iter().map(|part| part.expr).collect();
            sets.push(nobody().of_reads(&touched_by(&all)));
        }
        sets
    }

    /// Whether the evaluation of an expression may be an error in another state, as long as its
    /// subscripts are what they are now.
    fn may_go_wrong(&self, who: Who<'_>, root: ExprId) -> bool {
        let model = self.model();
        let in_range = |expr: ExprId, count: u32| {
            // Its own variables stay what they are until the process moves.
            let value = match is_own(model, expr) {
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
