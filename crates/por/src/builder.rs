//! What processes touch at each control point and from there on, from the commands of their type.

use lariat_core::makes_mistake;
use lariat_model::analysis::{Access, Phase, Touch, touch};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{
    Action, BinaryOp, Command, CommandId, Expr, ExprId, Location, LocationId, Model, Proctype,
    ProctypeId,
};

use crate::components::Components;
use crate::instance::{Conjunct, EdgeFacts, Point};
use crate::touched::{Touched, Use};
use crate::world::{Presence, Who, World, started_by_command};

/// A guard may have so many parts that are looked at one by one.
const CONJUNCTS: usize = 16;

/// A set for each control point. Those of one component of the control graph have the same.
pub(crate) struct Sets {
    pub(crate) of: Vec<u32>,
    pub(crate) sets: Vec<Touched>,
}

impl Sets {
    pub(crate) fn at(&self, at: usize) -> &Touched {
        &self.sets[self.of[at] as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.of[..]) + self.sets.iter().map(Touched::bytes).sum::<usize>()
    }
}

pub(crate) fn presence(world: &World<'_>, who: Who<'_>, proctype: &Proctype) -> Vec<Presence> {
    proctype.locations.iter().map(|location| world.presence(who, location)).collect()
}

/// All that processes of a type may touch from their first control point on, whoever they are.
pub(crate) fn of_type(world: &World<'_>, id: ProctypeId) -> Touched {
    let who = world.anybody();
    let proctype = world.model.proctype(id);
    let presence = presence(world, who, proctype);
    let inner = Builder { world, who, proctype, presence: &presence, inner: None }.inner();
    let builder = Builder { world, who, proctype, presence: &presence, inner: Some(&inner) };
    let touched = builder.closed(|_| true, |at, set| builder.add_own(at, set));
    touched.at(proctype.initial.0 as usize).clone()
}

pub(crate) struct Builder<'a, 'm> {
    pub(crate) world: &'a World<'m>,
    pub(crate) who: Who<'a>,
    pub(crate) proctype: &'m Proctype,
    pub(crate) presence: &'a [Presence],
    /// By control point: what a process touches that comes there inside an atomic sequence, up to
    /// where it may stop. None while that is found.
    pub(crate) inner: Option<&'a Sets>,
}

impl<'m> Builder<'_, 'm> {
    fn model(&self) -> &'m Model {
        self.world.model
    }

    fn commands(&self, location: &'m Location) -> impl Iterator<Item = CommandId> + use<'m> {
        location.edges.iter().map(|edge| edge.command)
    }

    pub(crate) fn point(
        &self,
        at: LocationId,
        atomic_seen: &[bool],
        seen: impl Fn(LocationId, CommandId) -> bool,
    ) -> Point {
        let location = &self.proctype.locations[at.0 as usize];
        let mut edges = Vec::new();
        for (number, edge) in location.edges.iter().enumerate() {
            let command = self.model().command(edge.command);
            let leads_on = command.atomic && atomic_seen[command.target.0 as usize];
            let waits = self.world.only_waits(self.who, &command.action);
            let mut rest = self.world.nothing();
            self.add_rest(at.0 as usize, edge.command, &mut rest);
            edges.push(EdgeFacts {
                command: edge.command,
                waits,
                may_accept: self.may_accept(edge.command),
                conjuncts: conjuncts(self.model(), edge.command),
                looks_at: self.looks_at(location, number),
                rest,
                evaluated: if waits { Vec::new() } else { self.evaluated(edge.command) },
                is_visible: seen(at, edge.command) || leads_on,
            });
        }
        Point { edges, asks_timeout: self.asks_timeout(location) }
    }

    /// See [`Builder::inner`].
    pub(crate) fn inner(&self) -> Sets {
        let entered = self.entered_atomically();
        let add = |at: usize, set: &mut Touched| {
            if !entered[at] {
                return;
            }
            for command in self.commands(&self.proctype.locations[at]) {
                self.world.add_command(self.who, command, true, set);
                self.add_moving(at, command, set);
            }
            self.add_provided(set);
        };
        self.closed(|command| command.atomic, add)
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

    /// By control point: what is added there, and what belongs to those behind some of its commands.
    fn closed(
        &self,
        follows: impl Fn(&Command) -> bool,
        add: impl Fn(usize, &mut Touched),
    ) -> Sets {
        let locations = &self.proctype.locations;
        let targets = |at: usize| {
            let commands = self.commands(&locations[at]).map(|id| self.model().command(id));
            let followed = commands
                .filter(|command| !matches!(command.action, Action::End) && follows(command));
            followed.map(|command| command.target.0 as usize).collect::<Vec<usize>>()
        };
        let Components { of, count } = Components::of(locations.len(), targets);
        let mut members = vec![Vec::new(); count];
        of.iter().enumerate().for_each(|(at, &component)| members[component as usize].push(at));
        let mut sets: Vec<Touched> = Vec::with_capacity(count);
        // What is behind a component has a smaller number.
        for (number, members) in members.iter().enumerate() {
            let mut set = self.world.nothing();
            let mut joined = Vec::new();
            for &at in members {
                add(at, &mut set);
                joined.extend(targets(at).into_iter().map(|target| of[target] as usize));
            }
            joined.sort_unstable();
            joined.dedup();
            for behind in joined.into_iter().filter(|&behind| behind != number) {
                set.join(&sets[behind]);
            }
            sets.push(set);
        }
        Sets { of, sets }
    }

    /// By control point: whether an atomic sequence that comes there may do something visible.
    pub(crate) fn atomic_seen(&self, seen: impl Fn(LocationId, CommandId) -> bool) -> Vec<bool> {
        let locations = &self.proctype.locations;
        let mut visible: Vec<bool> = (0..locations.len())
            .map(|at| self.commands(&locations[at]).any(|id| seen(LocationId(at as u16), id)))
            .collect();
        loop {
            let mut is_new = false;
            for at in (0..locations.len()).rev() {
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

    /// Adds what the commands of a control point touch, as first ones and, if it is entered
    /// atomically, as inner ones.
    fn add_own(&self, at: usize, own: &mut Touched) {
        let location = &self.proctype.locations[at];
        if let Some(inner) = self.inner {
            own.join(inner.at(at));
        }
        for (number, edge) in location.edges.iter().enumerate() {
            self.world.add_command(self.who, edge.command, false, own);
            self.add_rest(at, edge.command, own);
            for other in self.looks_at(location, number) {
                let mut first = self.world.nothing();
                let command = location.edges[other].command;
                self.world.add_command(self.who, command, false, &mut first);
                own.join(&first.tested(self.model().globals_size));
            }
        }
        // Assertions of DVE are asked in every state.
        for &assert in &location.asserts {
            self.world.add_expr(self.who, assert, own);
        }
    }

    pub(crate) fn futures(&self, types: &[Touched]) -> Sets {
        let add = |at: usize, future: &mut Touched| {
            self.add_own(at, future);
            let mut started = Vec::new();
            for command in self.commands(&self.proctype.locations[at]) {
                started_by_command(self.model(), command, &mut started);
            }
            let further = started.iter().flat_map(|&id| self.world.started_by(id));
            let all: Vec<ProctypeId> = started.iter().chain(further).copied().collect();
            for id in all.iter().filter(|_| !makes_mistake("por-started")) {
                future.join(&types[id.0 as usize]);
            }
        };
        self.closed(|_| !makes_mistake("por-future"), add)
    }

    /// Adds what is meant by [`EdgeFacts::rest`].
    fn add_rest(&self, at: usize, id: CommandId, rest: &mut Touched) {
        let command = self.model().command(id);
        if command.atomic
            && let Some(inner) = self.inner
        {
            rest.join(inner.at(command.target.0 as usize));
        }
        self.add_moving(at, id, rest);
        self.add_provided(rest);
    }

    fn add_provided(&self, touched: &mut Touched) {
        if let Some(provided) = self.proctype.provided
            && !makes_mistake("por-provided")
        {
            self.world.add_expr(self.who, provided, touched);
        }
    }

    /// Adds what it means to others that the process goes from one control point to another.
    fn add_moving(&self, from: usize, id: CommandId, touched: &mut Touched) {
        let command = self.model().command(id);
        self.presence[from].add_to(touched);
        if !matches!(command.action, Action::End) {
            self.presence[command.target.0 as usize].add_to(touched);
            let target = &self.proctype.locations[command.target.0 as usize];
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
