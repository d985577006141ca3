//! What a process may do, at each control point and from there on.

use lariat_model::analysis::{Fixed, Phase};
use lariat_model::ir::{CommandId, ExprId, LocationId};

use crate::builder::{Builder, Sets, presence};
use crate::set::Ids;
use crate::touched::Touched;
use crate::visible::Visible;
use crate::world::{ChannelKinds, Presence, Who, World, nothing_now};

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
    /// By control point: where others may meet it.
    presence: Vec<Presence>,
    inner: Sets,
    /// All that the process may touch from a control point on, with those that it may start.
    futures: Sets,
    /// By control point: whether an atomic sequence that comes there may be seen in the property. Found when
    /// it is asked for first.
    atomic_seen: Option<Vec<bool>>,
    /// By control point, where it was needed so far.
    points: Vec<Option<Box<Point>>>,
}

/// A control point of a process.
pub(crate) struct Point {
    pub(crate) edges: Vec<EdgeFacts>,
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

impl Instance {
    /// `types`: what processes of each type may touch.
    pub(crate) fn new(world: &World<'_>, types: &[Touched], identity: Identity) -> Instance {
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
        let nothing = || Sets { of: Vec::new(), sets: Vec::new() };
        let mut instance = Instance {
            identity,
            own_channels,
            new_channels: Ids::range(after, Ids::LEN),
            channels,
            presence: Vec::new(),
            inner: nothing(),
            futures: nothing(),
            atomic_seen: None,
            points: proctype.locations.iter().map(|_| None).collect(),
        };
        let who = instance.who(&nothing_now);
        let presence = presence(world, who, proctype);
        let inner = Builder { world, who, proctype, presence: &presence, inner: None }.inner();
        let builder = Builder { world, who, proctype, presence: &presence, inner: Some(&inner) };
        let futures = builder.futures(types);
        (instance.presence, instance.inner, instance.futures) = (presence, inner, futures);
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

    /// Makes a control point ready; how many bytes that takes.
    pub(crate) fn make_point(
        &mut self,
        world: &World<'_>,
        visible: &Visible,
        at: LocationId,
    ) -> usize {
        if self.points[at.0 as usize].is_some() {
            return 0;
        }
        let model = world.model;
        let proctype = model.proctype(self.identity.fixed.proctype);
        let seen = |location, command| visible.is_seen(model, &self.identity, location, command);
        let builder = Builder {
            world,
            who: self.who(&nothing_now),
            proctype,
            presence: &self.presence,
            inner: Some(&self.inner),
        };
        let atomic_seen = match &self.atomic_seen {
            Some(known) => known,
            None => &builder.atomic_seen(seen),
        };
        let point = builder.point(at, atomic_seen, seen);
        if self.atomic_seen.is_none() {
            self.atomic_seen = Some(atomic_seen.clone());
        }
        let of_edge = |edge: &EdgeFacts| {
            size_of::<EdgeFacts>() + edge.rest.bytes() + size_of_val(&edge.evaluated[..])
        };
        let bytes = size_of::<Point>() + point.edges.iter().map(of_edge).sum::<usize>();
        self.points[at.0 as usize] = Some(Box::new(point));
        bytes
    }

    /// A control point that was made ready.
    pub(crate) fn point(&self, at: LocationId) -> &Point {
        self.points[at.0 as usize].as_ref().expect("it was made ready")
    }

    pub(crate) fn future(&self, at: LocationId) -> &Touched {
        self.futures.at(at.0 as usize)
    }

    pub(crate) fn bytes(&self) -> usize {
        let presence = size_of_val(&self.presence[..]);
        presence + self.inner.bytes() + self.futures.bytes() + size_of_val(&self.points[..])
    }
}
