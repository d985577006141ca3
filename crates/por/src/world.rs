//! What is known of a model before any state is seen.

use lariat_core::makes_mistake;
use lariat_model::analysis::{Cells, ChannelUse, Constants, Fixed, Phase, Touch, touch};
use lariat_model::interp::Fault;
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{
    Action, ChannelTypeId, CommandId, DStepNode, Expr, ExprId, Init, Location, Model, ProctypeId,
    Region,
};

use crate::set::Ids;
use crate::touched::{Touched, Use};

/// The constants and channels of a model.
pub(crate) struct World<'m> {
    pub(crate) model: &'m Model,
    pub(crate) constants: Constants<'m>,
    /// Channels that are there from the start to the end.
    pub(crate) global_channels: usize,
    /// Channels that may be rendezvous channels, and those that may hold messages.
    rendezvous: Ids,
    buffered: Ids,
    /// The process types that processes of each type may start, and those that these start.
    starts: Vec<Vec<ProctypeId>>,
}

/// In whose name something is touched, as far as that is known.
#[derive(Clone, Copy)]
pub(crate) struct Who<'a> {
    /// Pid, type and constants; none of a process that somebody may start later.
    pub(crate) process: Option<(usize, &'a Fixed)>,
    pub(crate) channels: ChannelKinds,
    /// Channels that a start may make.
    pub(crate) new_channels: Ids,
    /// Channels that go when the process ends.
    pub(crate) own_channels: Ids,
    /// Subscripts and channels whose values are known now, if they are used by a condition and if
    /// by an effect.
    pub(crate) now: &'a dyn Fn(ExprId, Phase) -> Option<i32>,
}

/// Where others may meet a process.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Presence {
    offered: Ids,
    accepted: Ids,
}

impl Presence {
    pub(crate) fn add_to(self, touched: &mut Touched) {
        touched.add_use(Use::Calling, self.offered);
        touched.add_use(Use::Ready, self.accepted);
    }
}

/// Which channels may be of which kind.
#[derive(Clone, Copy)]
pub(crate) struct ChannelKinds {
    pub(crate) rendezvous: Ids,
    pub(crate) buffered: Ids,
}

pub(crate) fn nothing_now(_: ExprId, _: Phase) -> Option<i32> {
    None
}

impl<'m> World<'m> {
    pub(crate) fn new(model: &'m Model) -> Result<Self, Vec<Fault>> {
        let constants = Constants::of(model)?;
        let mut kinds: Vec<ChannelTypeId> = Vec::new();
        for init in &model.global_inits {
            if let Init::Channels { count, channel, .. } = init {
                kinds.extend(std::iter::repeat_n(*channel, *count as usize));
            }
        }
        let global_channels = kinds.len();
        let mut world = World {
            model,
            constants,
            global_channels,
            rendezvous: Ids::default(),
            buffered: Ids::default(),
            starts: Vec::new(),
        };
        for (at, &ty) in kinds.iter().enumerate() {
            world.set_kind(ty, Ids::one(at + 1));
        }
        // Which of the others are what is not known.
        let others = Ids::range(global_channels + 1, Ids::LEN);
        for &ty in model.proctypes.iter().flat_map(|proctype| &proctype.channels) {
            world.set_kind(ty, others);
        }
        world.starts = started(model);
        Ok(world)
    }

    fn set_kind(&mut self, ty: ChannelTypeId, ids: Ids) {
        let kind = match self.is_rendezvous(ty) {
            true => &mut self.rendezvous,
            false => &mut self.buffered,
        };
        *kind = kind.or(ids);
    }

    pub(crate) fn is_rendezvous(&self, ty: ChannelTypeId) -> bool {
        self.model.channel_types[ty.0 as usize].is_rendezvous()
    }

    pub(crate) fn channel_kinds(&self) -> ChannelKinds {
        ChannelKinds { rendezvous: self.rendezvous, buffered: self.buffered }
    }

    pub(crate) fn nothing(&self) -> Touched {
        Touched::nothing(self.model.globals_size)
    }

    /// The process types that may come to be because of a process of this type.
    pub(crate) fn started_by(&self, proctype: ProctypeId) -> &[ProctypeId] {
        &self.starts[proctype.0 as usize]
    }

    /// Whether it matters which channels a process of this type has, or may make by starting others.
    pub(crate) fn has_channels_at_stake(&self, proctype: ProctypeId) -> bool {
        let has_some = |id: &ProctypeId| !self.model.proctype(*id).channels.is_empty();
        has_some(&proctype) || self.started_by(proctype).iter().any(has_some)
    }

    /// Whether some process starts one of this type.
    pub(crate) fn may_be_started(&self, proctype: ProctypeId) -> bool {
        self.starts.iter().any(|started| started.contains(&proctype))
    }

    pub(crate) fn value(&self, who: Who<'_>, expr: ExprId, phase: Phase) -> Option<i32> {
        self.constants.value(who.process, expr).or_else(|| (who.now)(expr, phase))
    }

    /// Adds what an expression looks at.
    pub(crate) fn add_expr(&self, who: Who<'_>, root: ExprId, touched: &mut Touched) {
        let visit = &mut |phase, touch: Touch<'_>| self.add(who, phase, touch, false, touched);
        touch::of_expr(self.model, root, Phase::Condition, visit);
    }

    /// Adds what a command touches by itself. `inner`: inside an atomic sequence, where more
    /// depends on its channels than whether it can be executed.
    pub(crate) fn add_command(
        &self,
        who: Who<'_>,
        id: CommandId,
        inner: bool,
        touched: &mut Touched,
    ) {
        let action = &self.model.command(id).action;
        let forgets = makes_mistake("por-match-reads") && matches!(action, Action::Receive(_));
        let visit = &mut |phase, touch: Touch<'_>| match touch {
            Touch::Read(_) if forgets => {}
            touch => self.add(who, phase, touch, inner, touched),
        };
        touch::of_action(self.model, action, visit);
        touched.everything |= starts_within_expression(self.model, action);
    }

    fn add(
        &self,
        who: Who<'_>,
        phase: Phase,
        touch: Touch<'_>,
        inner: bool,
        touched: &mut Touched,
    ) {
        // The statements of a d_step behind its first are inside, too.
        let inner = (inner || phase == Phase::Effect) && !makes_mistake("por-inner-any");
        match touch {
            Touch::Read(cells) if cells.region == Region::Global => {
                let (start, end) = self.span(who, cells, phase);
                touched.reads.add(start, end);
                if phase == Phase::Condition {
                    touched.conditions.add(start, end);
                }
            }
            Touch::Write(cells) if cells.region == Region::Global => {
                let (start, end) = self.span(who, cells, phase);
                touched.writes.add(start, end);
            }
            // Nobody else reads or writes locals; who reads hidden variables is not reduced.
            Touch::Read(_) | Touch::Write(_) => {}
            Touch::Channel(expr, ChannelUse::Test) => {
                let ids = self.ids(who, expr, phase);
                touched.add_use(Use::Test, ids);
            }
            Touch::Channel(expr, how) => {
                let ids = self.ids(who, expr, phase);
                let (buffered, met) = match how {
                    ChannelUse::SortedSend if makes_mistake("por-sorted-send") => {
                        (Use::Send, Use::Offer)
                    }
                    ChannelUse::Send => (Use::Send, Use::Offer),
                    ChannelUse::SortedSend => (Use::SortedSend, Use::Offer),
                    ChannelUse::Receive => (Use::Receive, Use::Accept),
                    ChannelUse::Peek | ChannelUse::Test => (Use::Peek, Use::Accept),
                };
                // A send to a full channel that loses its message has another effect then.
                let inner = inner || (buffered == Use::Send && self.model.uses.message_loss);
                let buffered = if inner { Use::Any } else { buffered };
                touched.add_use(buffered, ids.and(who.channels.buffered));
                let offers = ids.and(who.channels.rendezvous);
                touched.add_use(met, offers);
                if inner {
                    touched.add_use(Use::Any, offers);
                }
            }
            Touch::Queue(queue, how) => {
                let how = if how == ChannelUse::Send { Use::Send } else { Use::Receive };
                touched.add_use(how, Ids::one(queue.id as usize));
            }
            Touch::Offer(channel) => touched.add_use(Use::Offer, Ids::one(channel as usize)),
            Touch::Accept(channel) => touched.add_use(Use::Accept, Ids::one(channel as usize)),
            Touch::ProcessCount => touched.counts = true,
            Touch::Start(run) => {
                touched.starts = true;
                let proctype = self.model.proctype(run.proctype);
                if !proctype.channels.is_empty() {
                    touched.add_use(Use::Create, who.new_channels);
                }
                if !makes_mistake("por-run-ready") {
                    let first = &proctype.locations[proctype.initial.0 as usize];
                    self.presence(self.anybody(), first).add_to(touched);
                }
            }
            Touch::End => {
                touched.ends = true;
                touched.counts |= inner;
                touched.add_use(Use::Free, who.own_channels);
            }
            // Its neighbours are added by who knows them. No set is chosen where `timeout` holds.
            Touch::Else | Touch::Timeout => {}
            Touch::RemoteVariable(..)
            | Touch::RemoteControl(_)
            | Touch::ControlOf(_)
            | Touch::AllControls
            | Touch::Last
            | Touch::OwnPriority
            | Touch::PriorityOf(_)
            | Touch::SetOwnPriority
            | Touch::SetPriorityOf(_)
            | Touch::Enabled(_) => touched.everything |= !makes_mistake("por-remote"),
        }
    }

    /// The rendezvous channels that are offered and accepted at a control point: to come there, or to leave
    /// it, means something to others.
    pub(crate) fn presence(&self, who: Who<'_>, location: &Location) -> Presence {
        let mut presence = Presence::default();
        let Presence { offered, accepted } = &mut presence;
        let met = |channel| self.ids(who, channel, Phase::Condition).and(who.channels.rendezvous);
        for edge in &location.edges {
            touch::of_action(
                self.model,
                &self.model.command(edge.command).action,
                &mut |_, touch| match touch {
                    Touch::Channel(channel, ChannelUse::Send | ChannelUse::SortedSend) => {
                        *offered = offered.or(met(channel));
                    }
                    Touch::Channel(channel, ChannelUse::Receive | ChannelUse::Peek) => {
                        *accepted = accepted.or(met(channel));
                    }
                    Touch::Offer(channel) => offered.add(channel as usize),
                    Touch::Accept(channel) => accepted.add(channel as usize),
                    _ => {}
                },
            );
        }
        presence
    }

    /// Somebody of whom nothing is known.
    pub(crate) fn anybody(&self) -> Who<'static> {
        Who {
            process: None,
            channels: self.channel_kinds(),
            new_channels: Ids::range(self.global_channels + 1, Ids::LEN),
            // Those that it will have are not there yet.
            own_channels: Ids::default(),
            now: &nothing_now,
        }
    }

    /// The bytes that a variable may mean.
    fn span(&self, who: Who<'_>, cells: Cells<'_>, phase: Phase) -> (u32, u32) {
        let (mut start, mut reach) = (cells.offset, cells.scalar.size());
        for index in cells.indices {
            let value = self.value(who, index.value, phase);
            match value.and_then(|value| u32::try_from(value).ok()).filter(|&v| v < index.count) {
                Some(value) => start += value * index.stride,
                None if makes_mistake("por-subscript") => {}
                None => reach += (index.count - 1) * index.stride,
            }
        }
        (start, start + reach)
    }

    /// The channels that an expression may mean.
    pub(crate) fn ids(&self, who: Who<'_>, expr: ExprId, phase: Phase) -> Ids {
        if let Some(id) = self.value(who, expr, phase) {
            let id = usize::try_from(id).ok().filter(|&id| 0 < id && id < Ids::LEN);
            return id.map(Ids::one).unwrap_or_default();
        }
        if let Expr::Load(place) = self.model.exprs.get(expr) {
            let cells = Cells::from(&**place);
            if let Some(array) = self.constants.channel_array(cells) {
                let (start, end) = self.span(who, cells, phase);
                let id =
                    |byte: u32| (array.first_id + (byte - array.offset) / array.element) as usize;
                return Ids::range(id(start), id(end - 1) + 1);
            }
        }
        self.rendezvous.or(self.buffered)
    }

    /// Whether an action waits for somebody to begin a rendezvous with it, whatever the state is: it
    /// begins no step itself, and its condition is not looked at.
    pub(crate) fn only_waits(&self, who: Who<'_>, action: &Action) -> bool {
        match action {
            Action::Receive(receive) => {
                let ids = self.ids(who, receive.channel, Phase::Condition);
                !ids.is_empty() && !ids.meets(who.channels.buffered)
            }
            Action::Transition(transition) => transition.accepted().is_some(),
            _ => false,
        }
    }

    /// Whether processes are the same ones in all states.
    pub(crate) fn has_fixed_processes(&self) -> bool {
        self.model.discipline != Discipline::Spin || self.starts.iter().all(Vec::is_empty)
    }
}

/// By process type: the types that it may start, also by way of others.
fn started(model: &Model) -> Vec<Vec<ProctypeId>> {
    let mut starts: Vec<Vec<ProctypeId>> = Vec::new();
    for proctype in &model.proctypes {
        let mut found = Vec::new();
        for edge in proctype.locations.iter().flat_map(|location| &location.edges) {
            started_by_command(model, edge.command, &mut found);
        }
        starts.push(found);
    }
    loop {
        let before: usize = starts.iter().map(Vec::len).sum();
        for at in 0..starts.len() {
            let further: Vec<ProctypeId> =
                starts[at].iter().flat_map(|next| starts[next.0 as usize].clone()).collect();
            starts[at].extend(further);
            starts[at].sort_unstable();
            starts[at].dedup();
        }
        if starts.iter().map(Vec::len).sum::<usize>() == before {
            return starts;
        }
    }
}

pub(crate) fn started_by_command(model: &Model, id: CommandId, found: &mut Vec<ProctypeId>) {
    touch::of_action(model, &model.command(id).action, &mut |_, touch| {
        if let Touch::Start(run) = touch
            && !found.contains(&run.proctype)
        {
            found.push(run.proctype);
        }
    });
}

/// Whether a process is started by a part of an expression: then it may exist for a moment only.
fn starts_within_expression(model: &Model, action: &Action) -> bool {
    let is_start = |expr: ExprId| matches!(model.exprs.get(expr), Expr::Run(_));
    let starts = |action: &Action| {
        let mut count = 0;
        touch::of_action(model, action, &mut |_, touch| {
            count += matches!(touch, Touch::Start(_)) as usize;
        });
        count
    };
    match action {
        Action::DStep(id) => model.d_steps[id.0 as usize].nodes.iter().any(|node| match node {
            DStepNode::Do { action, .. } => starts_within_expression(model, action),
            DStepNode::Select { .. } | DStepNode::Exit => false,
        }),
        Action::Guard(expr) if is_start(*expr) => starts(action) > 1,
        Action::Assign(assign) if is_start(assign.value) => starts(action) > 1,
        action => starts(action) > 0,
    }
}
