//! What a process may do, at each control point and from there on.

use lariat_core::makes_mistake;
use lariat_model::analysis::{Access, Fixed, Phase, Touch, touch};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{
    Action, BinaryOp, CommandId, Expr, ExprId, Location, LocationId, Model, Proctype, ProctypeId,
};

use crate::set::Ids;
use crate::touched::{Touched, Use};
use crate::visible::Visible;
use crate::world::{ChannelKinds, Who, World, nothing_now, started_by_command};

/// A process as far as it stays what it is while it lives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Identity {
    pub(crate) pid: usize,
    pub(crate) fixed: Fixed,
    /// The id of its first channel.
    pub(crate) first_channel: usize,
}

pub(crate) struct Instance {
    pub(crate) identity: Identity,
    own_channels: Ids,
    new_channels: Ids,
    channels: ChannelKinds,
    /// By control point.
    pub(crate) points: Vec<Point>,
}

/// A control point of a process.
pub(crate) struct Point {
    pub(crate) edges: Vec<EdgeFacts>,
    /// All that the process may touch from here on, with those that it may start.
    pub(crate) future: Touched,
    /// A command here is about `timeout`.
    pub(crate) asks_timeout: bool,
}

/// A command at a control point.
pub(crate) struct EdgeFacts {
    pub(crate) command: CommandId,
    /// It waits for the other side of a rendezvous, which begins the step.
    pub(crate) waits: bool,
    /// It is a `d_step` that may begin with a rendezvous.
    pub(crate) may_accept: bool,
    /// Its guard as parts that must all hold, in the order in which they are evaluated.
    pub(crate) conjuncts: Vec<Conjunct>,
    /// It looks at whether its neighbours at the control point can be executed.
    pub(crate) looks_at: Vec<usize>,
    /// What is touched besides by the command itself and by looking at its neighbours: what comes
    /// behind it in an atomic sequence, and what holds for every command of the process.
    pub(crate) rest: Touched,
    /// Subscripts and channels that the command evaluates, and whether it does so before its effects
    /// could have changed them.
    pub(crate) evaluated: Vec<(ExprId, bool)>,
    /// It is seen in a property, apart from the globals and channels that it changes.
    pub(crate) is_visible: bool,
}

/// A part of a guard.
#[derive(Clone, Copy)]
pub(crate) struct Conjunct {
    pub(crate) expr: ExprId,
    /// It depends on variables of the process alone.
    pub(crate) is_own: bool,
}

/// A guard may have so many parts that are looked at one by one.
const CONJUNCTS: usize = 16;

impl Instance {
    /// `types`: what processes of each type may touch.
    pub(crate) fn new(
        world: &World<'_>,
        types: &[Touched],
        visible: &Visible,
        identity: Identity,
    ) -> Instance {
        let model = world.model;
        let proctype = model.proctype(identity.fixed.proctype);
        let after = identity.first_channel + proctype.channels.len();
        let own_channels = Ids::range(identity.first_channel, after);
        let mut channels = world.channel_kinds();
        for (at, &ty) in proctype.channels.iter().enumerate() {
            let id = Ids::one((identity.first_channel + at).min(Ids::LEN - 1));
            let other = match world.is_rendezvous(ty) {
                true => &mut channels.buffered,
                false => &mut channels.rendezvous,
            };
            *other = other.without(id);
        }
        let new_channels = Ids::range(after, Ids::LEN);
        let mut instance =
            Instance { identity, own_channels, new_channels, channels, points: Vec::new() };
        let who = instance.who(&nothing_now);
        let seen =
            |location, command| visible.is_seen(model, &instance.identity, location, command);
        let points = Builder { world, who, proctype }.points(types, seen);
        instance.points = points;
        instance
    }

    pub(crate) fn who<'a>(&'a self, now: &'a dyn Fn(ExprId, Phase) -> Option<i32>) -> Who<'a> {
        Who {
            process: Some((self.identity.pid, &self.identity.fixed)),
            channels: self.channels,
            new_channels: self.new_channels,
            own_channels: self.own_channels,
            now,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let of_edge = |edge: &EdgeFacts| {
            size_of::<EdgeFacts>() + edge.rest.bytes() + size_of_val(&edge.evaluated[..])
        };
        let of_point =
            |point: &Point| point.future.bytes() + point.edges.iter().map(of_edge).sum::<usize>();
        self.points.iter().map(of_point).sum()
    }
}

/// All that processes of a type may touch from their first control point on, whoever they are.
pub(crate) fn of_type(world: &World<'_>, id: ProctypeId) -> Touched {
    let who = world.anybody();
    let proctype = world.model.proctype(id);
    let builder = Builder { world, who, proctype };
    let mut touched = builder.own(&builder.inner());
    builder.close(&mut touched, |_| true);
    touched.swap_remove(proctype.initial.0 as usize)
}

struct Builder<'a, 'm> {
    world: &'a World<'m>,
    who: Who<'a>,
    proctype: &'m Proctype,
}

impl<'m> Builder<'_, 'm> {
    fn model(&self) -> &'m Model {
        self.world.model
    }

    fn commands(&self, location: &'m Location) -> impl Iterator<Item = CommandId> + use<'m> {
        location.edges.iter().map(|edge| edge.command)
    }

    fn points(
        &self,
        types: &[Touched],
        seen: impl Fn(LocationId, CommandId) -> bool,
    ) -> Vec<Point> {
        let inner = self.inner();
        let futures = self.futures(&inner, types);
        let atomic_seen = self.atomic_seen(&seen);
        let mut points = Vec::new();
        for (at, (location, future)) in self.proctype.locations.iter().zip(futures).enumerate() {
            let mut edges = Vec::new();
            for (number, edge) in location.edges.iter().enumerate() {
                let command = self.model().command(edge.command);
                let leads_on = command.atomic && atomic_seen[command.target.0 as usize];
                let waits = self.world.only_waits(self.who, &command.action);
                edges.push(EdgeFacts {
                    command: edge.command,
                    waits,
                    may_accept: self.may_accept(edge.command),
                    conjuncts: conjuncts(self.model(), edge.command),
                    looks_at: self.looks_at(location, number),
                    rest: self.rest(location, edge.command, &inner),
                    evaluated: if waits { Vec::new() } else { self.evaluated(edge.command) },
                    is_visible: seen(LocationId(at as u16), edge.command) || leads_on,
                });
            }
            let asks_timeout = self.asks_timeout(location);
            points.push(Point { edges, future, asks_timeout });
        }
        points
    }

    /// By control point: what a process touches that comes there inside an atomic sequence, up to
    /// where it may stop.
    fn inner(&self) -> Vec<Touched> {
        let locations = &self.proctype.locations;
        let mut inner: Vec<Touched> = locations.iter().map(|_| self.world.nothing()).collect();
        let entered = self.entered_atomically();
        for (at, location) in locations.iter().enumerate().filter(|&(at, _)| entered[at]) {
            for command in self.commands(location) {
                self.world.add_command(self.who, command, true, &mut inner[at]);
                self.add_moving(location, command, &mut inner[at]);
            }
            self.add_provided(&mut inner[at]);
        }
        self.close(&mut inner, |command| command.atomic);
        inner
    }

    fn entered_atomically(&self) -> Vec<bool> {
        let locations = &self.proctype.locations;
        let mut entered = vec![false; locations.len()];
        for command in locations.iter().flat_map(|location| self.commands(location)) {
            let command = self.model().command(command);
            if command.atomic && !makes_mistake("por-atomic-chain") {
                entered[command.target.0 as usize] = true;
            }
        }
        entered
    }

    /// Adds to each control point what belongs to those behind some of its commands.
    fn close(&self, sets: &mut [Touched], follows: impl Fn(&lariat_model::ir::Command) -> bool) {
        let locations = &self.proctype.locations;
        let mut is_new = true;
        while is_new {
            is_new = false;
            for at in (0..locations.len()).rev() {
                for command in self.commands(&locations[at]) {
                    let command = self.model().command(command);
                    let target = command.target.0 as usize;
                    if matches!(command.action, Action::End) || !follows(command) || target == at {
                        continue;
                    }
                    if sets[at].has_all_of(&sets[target]) {
                        continue;
                    }
                    is_new = true;
                    let behind = sets[target].clone();
                    sets[at].join(&behind);
                }
            }
        }
    }

    /// By control point: whether an atomic sequence that comes there may do something visible.
    fn atomic_seen(&self, seen: impl Fn(LocationId, CommandId) -> bool) -> Vec<bool> {
        let locations = &self.proctype.locations;
        let mut visible: Vec<bool> = (0..locations.len())
            .map(|at| self.commands(&locations[at]).any(|id| seen(LocationId(at as u16), id)))
            .collect();
        loop {
            let mut is_new = false;
            for at in 0..locations.len() {
                let leads_on = self.commands(&locations[at]).any(|id| {
                    let command = self.model().command(id);
                    command.atomic && visible[command.target.0 as usize]
                });
                is_new |= leads_on && !visible[at];
                visible[at] |= leads_on;
            }
            if !is_new {
                return visible;
            }
        }
    }

    /// By control point: what the commands there touch, as first ones and, if it is entered
    /// atomically, as inner ones.
    fn own(&self, inner: &[Touched]) -> Vec<Touched> {
        let of_location = |(location, entered): (&'m Location, &Touched)| {
            let mut own = entered.clone();
            for (number, edge) in location.edges.iter().enumerate() {
                self.world.add_command(self.who, edge.command, false, &mut own);
                own.join(&self.rest(location, edge.command, inner));
                for other in self.looks_at(location, number) {
                    let mut first = self.world.nothing();
                    let command = location.edges[other].command;
                    self.world.add_command(self.who, command, false, &mut first);
                    own.join(&first.tested(self.model().globals_size));
                }
            }
            // Assertions of DVE are asked in every state.
            for &assert in &location.asserts {
                self.world.add_expr(self.who, assert, &mut own);
            }
            own
        };
        self.proctype.locations.iter().zip(inner).map(of_location).collect()
    }

    fn futures(&self, inner: &[Touched], types: &[Touched]) -> Vec<Touched> {
        let mut futures = self.own(inner);
        for (location, future) in self.proctype.locations.iter().zip(&mut futures) {
            let mut started = Vec::new();
            for command in self.commands(location) {
                started_by_command(self.model(), command, &mut started);
            }
            let further = started.iter().flat_map(|&id| self.world.started_by(id));
            let all: Vec<ProctypeId> = started.iter().chain(further).copied().collect();
            for id in all.iter().filter(|_| !makes_mistake("por-started")) {
                future.join(&types[id.0 as usize]);
            }
        }
        if !makes_mistake("por-future") {
            self.close(&mut futures, |_| true);
        }
        futures
    }

    /// See [`EdgeFacts::rest`].
    fn rest(&self, location: &'m Location, id: CommandId, inner: &[Touched]) -> Touched {
        let command = self.model().command(id);
        let mut rest = self.world.nothing();
        if command.atomic {
            rest.join(&inner[command.target.0 as usize]);
        }
        self.add_moving(location, id, &mut rest);
        self.add_provided(&mut rest);
        rest
    }

    fn add_provided(&self, touched: &mut Touched) {
        if let Some(provided) = self.proctype.provided
            && !makes_mistake("por-provided")
        {
            self.world.add_expr(self.who, provided, touched);
        }
    }

    /// Adds what it means to others that the process goes from one control point to another.
    fn add_moving(&self, from: &'m Location, id: CommandId, touched: &mut Touched) {
        let command = self.model().command(id);
        self.world.add_presence(self.who, from, touched);
        if !matches!(command.action, Action::End) {
            let target = &self.proctype.locations[command.target.0 as usize];
            self.world.add_presence(self.who, target, touched);
            let divine = self.model().discipline != Discipline::Spin;
            // Then only committed processes may move.
            touched.everything |= divine && target.is_committed && !makes_mistake("por-committed");
        }
    }

    /// Whose conditions a command looks at: `else` at all others, commands beside an escape at the
    /// escape's, those of a `D_proctype` at all, as a choice is an error there.
    fn looks_at(&self, location: &Location, number: usize) -> Vec<usize> {
        let Some(own) = location.edges.get(number) else { return Vec::new() };
        let at_all = (is_else(self.model(), own.command) && !makes_mistake("por-else"))
            || self.proctype.deterministic;
        let looks = |&(other, edge): &(usize, &lariat_model::ir::Edge)| {
            let is_escape = edge.escape != 0 && edge.escape != own.escape;
            let escapes = is_escape && !makes_mistake("por-unless");
            other != number && (at_all || escapes)
        };
        location.edges.iter().enumerate().filter(looks).map(|(other, _)| other).collect()
    }

    fn may_accept(&self, id: CommandId) -> bool {
        let mut touched = self.world.nothing();
        self.world.add_command(self.who, id, false, &mut touched);
        let is_d_step = matches!(self.model().command(id).action, Action::DStep(_));
        is_d_step && !touched.uses(Use::Accept).is_empty()
    }

    /// See [`EdgeFacts::evaluated`].
    fn evaluated(&self, id: CommandId) -> Vec<(ExprId, bool)> {
        let mut found: Vec<(ExprId, bool)> = Vec::new();
        let mut add = |expr: ExprId| {
            let is_known = self.world.value(self.who, expr, Phase::Condition).is_some();
            if !is_known && !found.iter().any(|&(known, _)| known == expr) {
                found.push((expr, is_settled(self.model(), id, expr)));
            }
        };
        touch::of_action(
            self.model(),
            &self.model().command(id).action,
            &mut |_, touch| match touch {
                Touch::Read(cells) | Touch::Write(cells) => {
                    cells.indices.iter().for_each(|index| add(index.value));
                }
                Touch::Channel(expr, _) => add(expr),
                _ => {}
            },
        );
        found
    }

    fn asks_timeout(&self, location: &'m Location) -> bool {
        let mut asks = false;
        let mut visit = |_, touch: Touch<'m>| asks |= matches!(touch, Touch::Timeout);
        for command in self.commands(location) {
            touch::of_action(self.model(), &self.model().command(command).action, &mut visit);
        }
        if let Some(provided) = self.proctype.provided {
            touch::of_expr(self.model(), provided, Phase::Condition, &mut visit);
        }
        asks
    }
}

/// Whether an expression has the value before a command also where the command's effects
/// evaluate it.
fn is_settled(model: &Model, id: CommandId, expr: ExprId) -> bool {
    let action = &model.command(id).action;
    let starts = model.exprs.any(expr, |node| matches!(node, Expr::Run(_)));
    if let Action::Assign(assign) = action {
        let value_starts = model.exprs.any(assign.value, |node| matches!(node, Expr::Run(_)));
        return !starts && !value_starts;
    }
    // What the other side of a rendezvous does comes before it.
    let meets = matches!(action, Action::Transition(transition) if transition.offered().is_some());
    let writes = model.accesses(id).writes;
    let overlap = |one: (u32, u32), other: (u32, u32)| one.0 < other.1 && other.0 < one.1;
    let is_kept = |read: &Access| {
        match *read {
        Access::Local { start, end } => !writes.iter().any(|write| {
            matches!(*write, Access::Local { start: from, end: to } if overlap((start, end), (from, to)))
        }),
        Access::Global { start, end } if !meets => !writes.iter().any(|write| {
            matches!(*write, Access::Global { start: from, end: to } if overlap((start, end), (from, to)))
        }),
        _ => false,
    }
    };
    !starts && model.expr_accesses(expr).reads.iter().all(is_kept)
}

/// The parts of a command's guard; only itself if they are too many.
fn conjuncts(model: &Model, id: CommandId) -> Vec<Conjunct> {
    let guard = match &model.command(id).action {
        Action::Guard(guard) => *guard,
        Action::Transition(transition) => match transition.guard {
            Some(guard) => guard,
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let (mut parts, mut todo) = (Vec::new(), vec![guard]);
    while let Some(expr) = todo.pop() {
        match *model.exprs.get(expr) {
            Expr::Binary(BinaryOp::And, left, right) => todo.extend([right, left]),
            _ => parts.push(expr),
        }
    }
    if parts.len() > CONJUNCTS {
        parts = vec![guard];
    }
    parts.into_iter().map(|expr| Conjunct { expr, is_own: is_own(model, expr) }).collect()
}

/// Whether an expression depends on variables of the process alone.
pub(crate) fn is_own(model: &Model, expr: ExprId) -> bool {
    let reads = model.expr_accesses(expr).reads;
    reads.iter().all(|access| matches!(access, Access::Local { .. }))
}

/// Whether a command can be executed only if its neighbours cannot.
pub(crate) fn is_else(model: &Model, id: CommandId) -> bool {
    match &model.command(id).action {
        Action::Else => true,
        Action::DStep(id) => model.d_steps[id.0 as usize].guards.contains(&Action::Else),
        _ => false,
    }
}
