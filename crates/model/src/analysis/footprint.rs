//! Everything that the steps of one process depend on or change, by its control point.
//!
//! A *step* leads from one stored state to the next. It may be more than a command: an atomic
//! sequence goes on, and a rendezvous takes the partner with it. The argument why a footprint is
//! complete is in the documentation of [`super`].

use lariat_core::makes_mistake;

use super::constants::{Constants, Fixed};
use super::objects::{Channels, Footprint, Objects, Pids};
use super::touch::{self, Cells, ChannelUse, Phase, Touch};
use crate::ir::expr::Instance;
use crate::ir::transition::{Discipline, Queue};
use crate::ir::{
    Action, ChannelTypeId, Command, Expr, ExprId, Location, Model, Receive, ReceiveArg, Region,
};

/// The processes and channels that there are, as far as all states agree on them: a state has the
/// first so many of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Population {
    /// By pid.
    pub processes: Vec<Fixed>,
    /// By id - 1.
    pub channels: Vec<ChannelTypeId>,
}

/// By pid and control point: what steps that the process begins depend on or change. A
/// rendezvous is begun by the sender. A property process begins none.
pub fn footprints(constants: &Constants<'_>, population: &Population) -> Vec<Vec<Footprint>> {
    let finder = Finder { constants, population, model: constants.model };
    let begins = match &constants.model.property {
        Some(property) => property.pid as usize,
        None => population.processes.len(),
    };
    match constants.model.discipline {
        Discipline::Spin => finder.spin(),
        Discipline::Divine => (0..begins).map(|pid| finder.divine(pid)).collect(),
        // Processes have no steps of their own.
        Discipline::DivineLockStep => {
            let everything = |pid| finder.at_all(pid, |_| Footprint::Everything);
            (0..begins).map(everything).collect()
        }
    }
}

/// What the values of propositions depend on.
pub fn observed(
    constants: &Constants<'_>,
    population: &Population,
    propositions: &[ExprId],
) -> Footprint {
    let finder = Finder { constants, population, model: constants.model };
    let mut objects = Objects::default();
    let is_known = propositions.iter().all(|&root| finder.expr(None, root, &mut objects));
    if is_known { Footprint::Only(objects) } else { Footprint::Everything }
}

pub(super) struct Finder<'a, 'm> {
    pub(super) constants: &'a Constants<'m>,
    pub(super) population: &'a Population,
    pub(super) model: &'m Model,
}

/// What the commands of one control point of a Promela process touch by themselves.
pub(super) struct Own {
    pub(super) footprint: Footprint,
    /// Commands by which the process keeps control, by target.
    atomic: Vec<usize>,
    /// The rendezvous channels that are sent to.
    offers: Channels,
}

impl<'m> Finder<'_, 'm> {
    pub(super) fn at_all<T>(&self, pid: usize, of: impl FnMut(&'m Location) -> T) -> Vec<T> {
        let proctype = self.population.processes[pid].proctype;
        self.model.proctype(proctype).locations.iter().map(of).collect()
    }

    /// The processes but one.
    fn others(&self, pid: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.population.processes.len()).filter(move |&other| other != pid)
    }

    /// Promela: own commands first, then what follows in atomic sequences and by rendezvous,
    /// until nothing is new.
    fn spin(&self) -> Vec<Vec<Footprint>> {
        let pids = 0..self.population.processes.len();
        let own = |pid| self.at_all(pid, |location| self.own(pid, location, &|_| true));
        let own: Vec<Vec<Own>> = pids.map(own).collect();
        let first = |own: &Own| own.footprint.clone();
        let mut at: Vec<Vec<Footprint>> =
            own.iter().map(|process| process.iter().map(first).collect()).collect();
        loop {
            let mut is_new = false;
            for (pid, process) in own.iter().enumerate() {
                for (location, own) in process.iter().enumerate() {
                    let Footprint::Only(before) = &at[pid][location] else { continue };
                    let mut objects = before.clone();
                    let is_known = self.follow(pid, own, &at, &mut objects);
                    if !is_known || objects != *before {
                        at[pid][location] = match is_known {
                            true => Footprint::Only(objects),
                            false => Footprint::Everything,
                        };
                        is_new = true;
                    }
                }
            }
            if !is_new {
                return at;
            }
        }
    }

    /// Those that count. What decides who moves and which steps there are at all is in it in any case.
    pub(super) fn own(
        &self,
        pid: usize,
        location: &'m Location,
        counts: &dyn Fn(&Command) -> bool,
    ) -> Own {
        let mut own =
            Own { footprint: Footprint::Nothing, atomic: Vec::new(), offers: Channels::default() };
        let commands = || location.edges.iter().map(|edge| self.model.command(edge.command));
        let fails = self.model.uses.priorities || self.constants.provided_may_fail();
        if !fails && commands().all(|command| self.only_waits(pid, &command.action)) {
            // There are no steps here but those of senders.
            return own;
        }
        let mut objects = Objects::default();
        objects.add_process(pid);
        let mut is_known = self.provided(pid, &mut objects);
        is_known &= self.knows_trace() && self.outranking(pid, &mut objects);
        for command in commands().filter(|command| counts(command)) {
            is_known &= self.command(pid, command, &mut objects, &mut own.offers);
            if command.atomic {
                own.atomic.push(command.target.0 as usize);
            }
        }
        own.footprint = if is_known { Footprint::Only(objects) } else { Footprint::Everything };
        own
    }

    /// Whether the control point of the event trace is all that its steps depend on.
    fn knows_trace(&self) -> bool {
        let Some(trace) = &self.model.trace else { return true };
        let graph = self.model.proctype(trace.proctype);
        let edges = graph.locations.iter().flat_map(|location| &location.edges);
        let mut looked_at: Vec<ExprId> =
            trace.sends.iter().chain(&trace.receives).copied().collect();
        for edge in edges {
            match &self.model.command(edge.command).action {
                Action::Send(send) => looked_at.extend(
                    send.args
                        .iter()
                        .filter(|&&arg| is_constant(self.model, arg))
                        .chain([&send.channel]),
                ),
                Action::Receive(receive) => {
                    looked_at.extend(receive.args.iter().filter_map(ReceiveArg::pattern));
                    looked_at.push(receive.channel);
                }
                _ => {}
            }
        }
        looked_at.into_iter().all(|expr| self.value(None, expr).is_some())
    }

    /// Adds what decides whether processes of higher priority are enabled; false if that is not known.
    fn outranking(&self, pid: usize, objects: &mut Objects) -> bool {
        if !self.model.uses.priorities {
            return true;
        }
        if !self.constants.keeps_priorities {
            return false;
        }
        let processes = &self.population.processes;
        let is_higher = |other: &usize| processes[*other].priority > processes[pid].priority;
        let mut is_known = true;
        for other in (0..processes.len()).filter(is_higher) {
            if makes_mistake("footprint-priority") {
                continue;
            }
            objects.add_process(other);
            let proctype = self.model.proctype(processes[other].proctype);
            is_known &= self.provided(other, objects);
            for edge in proctype.locations.iter().flat_map(|location| &location.edges) {
                let action = &self.model.command(edge.command).action;
                touch::of_action(self.model, action, &mut |phase, touch| {
                    let mut offers = Channels::default();
                    is_known &= phase != Phase::Condition
                        || self.touch(Some(other), touch, objects, &mut offers);
                });
            }
        }
        is_known
    }

    /// Whether an action is a plain receive from rendezvous channels: it has no steps by itself.
    fn only_waits(&self, pid: usize, action: &Action) -> bool {
        let Action::Receive(receive) = action else { return false };
        let Some((first, last)) = self.ids(Some(pid), receive.channel) else { return false };
        !receive.peek && (first..=last).all(|id| self.is_rendezvous(id) == Some(true))
    }

    /// None if there is no such channel.
    fn is_rendezvous(&self, id: u32) -> Option<bool> {
        let ty = self.population.channels.get((id as usize).checked_sub(1)?)?;
        Some(self.model.channel_types[ty.0 as usize].is_rendezvous())
    }

    /// Adds what happens behind the commands of a control point; false if that is not known.
    pub(super) fn follow(
        &self,
        pid: usize,
        own: &Own,
        at: &[Vec<Footprint>],
        objects: &mut Objects,
    ) -> bool {
        if !own.atomic.iter().all(|&target| objects.join(&at[pid][target])) {
            return false;
        }
        if own.offers.is_empty() {
            return true;
        }
        // Whether the sender could receive its own message counts among priorities.
        let has_priorities = self.model.uses.priorities;
        let mut asked =
            (0..self.population.processes.len()).filter(|&other| other != pid || has_priorities);
        !self.constants.offers_may_fail()
            && asked.all(|other| self.accept(other, own.offers, at, objects))
    }

    /// Adds what a Promela process does that receives by a rendezvous.
    fn accept(
        &self,
        pid: usize,
        offers: Channels,
        at: &[Vec<Footprint>],
        objects: &mut Objects,
    ) -> bool {
        let proctype = self.model.proctype(self.population.processes[pid].proctype);
        for location in &proctype.locations {
            let commands = || location.edges.iter().map(|edge| self.model.command(edge.command));
            if !commands().any(|command| self.may_accept(pid, &command.action, offers)) {
                continue;
            }
            objects.add_process(pid);
            for command in commands() {
                let mut nothing = Channels::default();
                let is_known = self.command(pid, command, objects, &mut nothing)
                    && (!command.atomic || objects.join(&at[pid][command.target.0 as usize]));
                if !is_known {
                    return false;
                }
            }
        }
        true
    }

    /// Whether an action may receive one of these offers.
    fn may_accept(&self, pid: usize, action: &Action, offers: Channels) -> bool {
        let receives = |receive: &Receive| match self.ids(Some(pid), receive.channel) {
            // Looking at a message without taking it is an error, whoever sends.
            Some((first, last)) if receive.peek => {
                (first..=last).any(|id| self.is_rendezvous(id) != Some(false))
            }
            Some((first, last)) => (first..=last).any(|id| offers.contains(id)),
            None => true,
        };
        match action {
            Action::Receive(receive) => receives(receive),
            Action::DStep(id) => {
                let mut guards = self.model.d_steps[id.0 as usize].guards.iter();
                guards.any(|guard| matches!(guard, Action::Receive(receive) if receives(receive)))
            }
            _ => false,
        }
    }

    /// DVE: a step is a transition, or two that meet. The property, if there is one, joins it.
    fn divine(&self, pid: usize) -> Vec<Footprint> {
        let others = (self.committed(), self.property());
        self.at_all(pid, |location| self.divine_at(pid, location, &others, &|_| true))
    }

    /// The same at one control point, by the commands that count. `others`: who may be committed, and what the property does.
    pub(super) fn divine_at(
        &self,
        pid: usize,
        location: &'m Location,
        (committed, property): &(Pids, Footprint),
        counts: &dyn Fn(&Command) -> bool,
    ) -> Footprint {
        let commands = || location.edges.iter().map(|edge| self.model.command(edge.command));
        let begun = || commands().filter(|command| accepted(command).is_none());
        // Whether assertions hold is asked with the steps.
        let begins_none = begun().next().is_none() && location.asserts.is_empty();
        if begins_none && !commands().any(has_guard) {
            return Footprint::Nothing;
        }
        let mut objects = Objects::default();
        objects.add_process(pid);
        if begins_none {
            // No steps, but a reduction asks whether it waits for a message in earnest.
            return Footprint::Only(objects);
        }
        if !location.is_committed && !makes_mistake("footprint-committed") {
            objects.controls.join(*committed);
        }
        let asserts = location.asserts.iter();
        let mut is_known = asserts
            .fold(true, |is_known, &assert| is_known & self.expr(Some(pid), assert, &mut objects));
        for command in begun().filter(|command| counts(command)) {
            let mut none = Channels::default();
            is_known &= self.command(pid, command, &mut objects, &mut none);
            if let Some(channel) = offered(command) {
                is_known &= self.partners(pid, channel, &mut objects);
            }
        }
        is_known &= objects.join(property);
        if is_known { Footprint::Only(objects) } else { Footprint::Everything }
    }

    /// The processes that are somewhere committed; the property's counts.
    pub(super) fn committed(&self) -> Pids {
        let mut pids = Pids::default();
        for (pid, process) in self.population.processes.iter().enumerate() {
            let locations = &self.model.proctype(process.proctype).locations;
            if locations.iter().any(|location| location.is_committed) {
                pids.add(pid);
            }
        }
        pids
    }

    /// Adds what the receivers of a rendezvous of DVE look at and do.
    fn partners(&self, sender: usize, channel: u16, objects: &mut Objects) -> bool {
        let mut is_known = true;
        for pid in self.others(sender) {
            let proctype = self.model.proctype(self.population.processes[pid].proctype);
            for edge in proctype.locations.iter().flat_map(|location| &location.edges) {
                let command = self.model.command(edge.command);
                if accepted(command) == Some(channel) {
                    // Where it is, and whether it is committed there.
                    objects.add_process(pid);
                    let mut none = Channels::default();
                    is_known &= self.command(pid, command, objects, &mut none);
                }
            }
        }
        is_known
    }

    /// What the property process of DVE looks at and does, wherever it is.
    pub(super) fn property(&self) -> Footprint {
        let Some(property) = &self.model.property else { return Footprint::Nothing };
        let pid = property.pid as usize;
        let mut objects = Objects::default();
        objects.add_process(pid);
        let proctype = self.model.proctype(self.population.processes[pid].proctype);
        let is_known = proctype.locations.iter().all(|location| {
            // Its assertions are asked in every state, not with a step.
            location.asserts.is_empty()
                && location.edges.iter().all(|edge| {
                    let mut none = Channels::default();
                    self.command(pid, self.model.command(edge.command), &mut objects, &mut none)
                })
        });
        if is_known { Footprint::Only(objects) } else { Footprint::Everything }
    }

    /// What a command touches by itself; false if that is not known.
    fn command(
        &self,
        pid: usize,
        command: &'m Command,
        objects: &mut Objects,
        offers: &mut Channels,
    ) -> bool {
        let mut is_known = true;
        let mut touched = |_, touch: Touch<'m>| {
            is_known &= self.touch(Some(pid), touch, objects, offers);
        };
        touch::of_action(self.model, &command.action, &mut touched);
        is_known & self.provided(pid, objects)
    }

    /// What the `provided` clause of a process touches; false if that is not known.
    fn provided(&self, pid: usize, objects: &mut Objects) -> bool {
        let clause = self.model.proctype(self.population.processes[pid].proctype).provided;
        let clause = clause.filter(|_| !makes_mistake("footprint-provided"));
        clause.is_none_or(|clause| self.expr(Some(pid), clause, objects))
    }

    /// What an expression touches; false if that is not known.
    fn expr(&self, who: Option<usize>, root: ExprId, objects: &mut Objects) -> bool {
        let (mut is_known, mut none) = (true, Channels::default());
        touch::of_expr(self.model, root, Phase::Condition, &mut |_, touch| {
            is_known &= self.touch(who, touch, objects, &mut none);
        });
        is_known
    }

    /// Adds what is touched by a process, or by nobody in a proposition; false if that is not
    /// known.
    pub(super) fn touch(
        &self,
        who: Option<usize>,
        touch: Touch<'m>,
        objects: &mut Objects,
        offers: &mut Channels,
    ) -> bool {
        let is_command = who.is_some();
        match touch {
            Touch::Read(cells) | Touch::Write(cells) => match cells.region {
                Region::Global => {
                    let (start, end) = self.span(who, cells);
                    objects.add_globals(start, end);
                    true
                }
                // The own frame is there already.
                Region::Local => is_command,
                Region::Nothing => true,
                Region::Hidden => {
                    let (start, end) = self.span(who, cells);
                    if !makes_mistake("footprint-hidden") {
                        objects.add_hidden(start, end);
                    }
                    true
                }
            },
            Touch::Channel(expr, how) => {
                let sends = matches!(how, ChannelUse::Send | ChannelUse::SortedSend);
                let mut unsent = Channels::default();
                self.channel(who, expr, objects, if sends { offers } else { &mut unsent })
            }
            Touch::Queue(Queue { id, .. }, _) => {
                objects.channels.add(u32::from(id));
                true
            }
            // The partners are added by those who know the channel.
            Touch::Offer(_) | Touch::Accept(_) => true,
            Touch::RemoteVariable(instance, _) => self.instance(who, instance, |pid| {
                objects.add_process(pid);
            }),
            Touch::RemoteControl(instance) => self.instance(who, instance, |pid| {
                objects.controls.add(pid);
            }),
            // The header says how many there are and who was last.
            Touch::ProcessCount | Touch::Last => true,
            // Only the commands of this control point decide about `else`; states without other
            // steps, where `timeout` is true, are not looked at process by process; who is
            // started or ends is seen from the number of processes.
            Touch::Else | Touch::Timeout | Touch::Start(_) | Touch::End => is_command,
            Touch::OwnPriority => is_command,
            Touch::PriorityOf(_) => {
                (0..self.population.processes.len()).for_each(|pid| objects.controls.add(pid));
                true
            }
            Touch::ControlOf(_) | Touch::AllControls | Touch::Enabled(_) => {
                is_command && makes_mistake("footprint-remote")
            }
            Touch::SetOwnPriority | Touch::SetPriorityOf(_) => false,
        }
    }

    /// The processes that a remote reference may mean; false if that may be any. A pid is not
    /// asked for its type: behind a frame of another one lie other processes.
    fn instance(
        &self,
        who: Option<usize>,
        instance: &Instance,
        mut add: impl FnMut(usize),
    ) -> bool {
        if who.is_some() && self.model.discipline == Discipline::Spin {
            return makes_mistake("footprint-remote");
        }
        let wanted = match instance.pid.map(|pid| self.model.exprs.get(pid)) {
            None => None,
            Some(&Expr::Const(pid)) => Some(pid),
            Some(_) => return false,
        };
        for (pid, process) in self.population.processes.iter().enumerate() {
            let is_of_type = process.proctype == instance.proctype;
            match wanted {
                Some(wanted) if wanted != pid as i32 => continue,
                Some(_) if !is_of_type => return makes_mistake("observed-other-type"),
                None if !is_of_type => continue,
                _ => add(pid),
            }
        }
        true
    }

    fn value(&self, who: Option<usize>, expr: ExprId) -> Option<i32> {
        let who = who.map(|pid| (pid, &self.population.processes[pid]));
        self.constants.value(who, expr)
    }

    /// The bytes from and to that a variable may mean: all of an array if the subscript is not a
    /// constant of the process.
    pub(super) fn span(&self, who: Option<usize>, cells: Cells<'_>) -> (u32, u32) {
        let (mut start, mut reach) = (cells.offset, cells.scalar.size());
        for index in cells.indices {
            let value = self.value(who, index.value).and_then(|value| u32::try_from(value).ok());
            match value.filter(|&value| value < index.count) {
                Some(value) => start += value * index.stride,
                None if makes_mistake("footprint-array") => {}
                None => reach += (index.count - 1) * index.stride,
            }
        }
        (start, start + reach)
    }

    /// Adds the channels that an expression may mean, rendezvous channels to `offers`: these hold
    /// nothing, so whoever looks at one otherwise sees no change. False if it is not known.
    pub(super) fn channel(
        &self,
        who: Option<usize>,
        expr: ExprId,
        objects: &mut Objects,
        offers: &mut Channels,
    ) -> bool {
        let all = (1, self.population.channels.len() as u32);
        let (first, last) = self.ids(who, expr).unwrap_or(all);
        (first..=last).all(|id| {
            match self.is_rendezvous(id) {
                Some(true) => offers.add(id),
                Some(false) => objects.channels.add(id),
                None => return false,
            }
            true
        })
    }

    /// The first and the last channel that an expression may mean.
    fn ids(&self, who: Option<usize>, expr: ExprId) -> Option<(u32, u32)> {
        if let Some(id) = self.value(who, expr) {
            let id = u32::try_from(id).ok().filter(|&id| id > 0)?;
            return Some((id, id));
        }
        let Expr::Load(place) = self.model.exprs.get(expr) else { return None };
        let cells = Cells::from(&**place);
        let array = self.constants.channel_array(cells)?;
        let (start, end) = self.span(who, cells);
        let id = |byte: u32| array.first_id + (byte - array.offset) / array.element;
        Some((id(start), id(end - 1)))
    }
}

fn is_constant(model: &Model, expr: ExprId) -> bool {
    matches!(model.exprs.get(expr), Expr::Const(_))
}

fn has_guard(command: &Command) -> bool {
    matches!(&command.action, Action::Transition(transition) if transition.guard.is_some())
}

fn offered(command: &Command) -> Option<u16> {
    let Action::Transition(transition) = &command.action else { return None };
    transition.offered()
}

fn accepted(command: &Command) -> Option<u16> {
    let Action::Transition(transition) = &command.action else { return None };
    transition.accepted()
}
