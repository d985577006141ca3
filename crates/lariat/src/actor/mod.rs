//! Actors that send each other messages over a network that is as bad as said.
//!
//! A [`System`] of [`Actor`]s is a model like any other: its steps are deliveries, losses, timers that run
//! out, crashes and recoveries. Questions are asked by [`Check`](crate::Check), fairness speaks of
//! [`Action`]s.
//!
//! ```
//! use lariat::Check;
//! use lariat::actor::{Actor, Id, Network, OutOf, System};
//!
//! /// Throws a number back and forth until it is 5.
//! struct Player;
//!
//! impl Actor for Player {
//!     type State = u32;
//!     type Message = u32;
//!     type Timer = ();
//!     fn start(&self, me: Id, out: &mut OutOf<Self>) -> u32 {
//!         if me == 0 {
//!             out.send(1, 0);
//!         }
//!         0
//!     }
//!     fn receive(&self, _: Id, state: &mut u32, from: Id, &ball: &u32, out: &mut OutOf<Self>) {
//!         *state = ball;
//!         if ball < 5 {
//!             out.send(from, ball + 1);
//!         }
//!     }
//! }
//!
//! let system = System::new([Player, Player], Network::Unordered { loses: false, duplicates: false });
//! let report = Check::of(&system).eventually("done", |s| s.messages().count() == 0).run();
//! report.assert_ok();
//! ```
//!
//! What an actor does with a message is a function of its state and the message, so it is computed once
//! for each such pair (`rows.rs`): most steps are a few look-ups of numbers. The same steps are computed by
//! calls of the actors, one by one, where runs are replayed and judged, and where states are looked at twice.

mod chart;
mod rows;
mod state;
mod steps;

pub use state::{Envelope, Inbox, Local, State};

use crate::model::{Model, Steps};
use crate::rows::BoxedRows;
use crate::run::Run;
use crate::state::Value;
use lariat_chart::Chart;

/// The number of an actor in its system.
pub type Id = usize;

/// What a single machine does.
pub trait Actor: Send + Sync + Sized + 'static {
    /// What it knows.
    type State: Value;
    /// What it is told.
    type Message: Value;
    /// What it may set. Runs out at any time.
    type Timer: Value + Ord;

    /// What it is called in charts.
    fn name(&self, me: Id) -> String {
        format!("actor {me}")
    }

    /// How it begins.
    fn start(&self, me: Id, out: &mut OutOf<Self>) -> Self::State;

    /// A message arrives. What changes nothing and sends nothing is no step: the message stays where it
    /// is, unless the network is ordered.
    fn receive(
        &self,
        me: Id,
        state: &mut Self::State,
        from: Id,
        message: &Self::Message,
        out: &mut OutOf<Self>,
    );

    /// A timer has run out, and is set no longer.
    fn timeout(
        &self,
        _me: Id,
        _state: &mut Self::State,
        _timer: &Self::Timer,
        _out: &mut OutOf<Self>,
    ) {
    }

    /// It comes back after a crash. `saved` is what it has [saved](Out::save) last.
    fn recover(&self, me: Id, _saved: Option<&Self::State>, out: &mut OutOf<Self>) -> Self::State {
        self.start(me, out)
    }
}

/// What an actor wants done.
pub struct Out<S, M, T> {
    sends: Vec<(Id, M)>,
    timers: Vec<(T, bool)>,
    saved: Option<S>,
}

/// What actors of a type want done.
pub type OutOf<A> = Out<<A as Actor>::State, <A as Actor>::Message, <A as Actor>::Timer>;

impl<S, M, T> Out<S, M, T> {
    fn new() -> Self {
        Out { sends: Vec::new(), timers: Vec::new(), saved: None }
    }

    /// Sends a message. One to nobody is lost.
    pub fn send(&mut self, to: Id, message: M) {
        self.sends.push((to, message));
    }

    /// Sends a message to each of these.
    pub fn broadcast(&mut self, to: impl IntoIterator<Item = Id>, message: &M)
    where
        M: Clone,
    {
        to.into_iter().for_each(|to| self.send(to, message.clone()));
    }

    /// Sets a timer, which runs out once, at any time.
    pub fn set_timer(&mut self, timer: T) {
        self.timers.push((timer, true));
    }

    /// A timer is set no longer.
    pub fn cancel_timer(&mut self, timer: T) {
        self.timers.push((timer, false));
    }

    /// What outlives a crash.
    pub fn save(&mut self, state: S) {
        self.saved = Some(state);
    }
}

/// What may happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action<M, T> {
    /// A message arrives.
    Deliver(Envelope<M>),
    /// A message gets lost.
    Drop(Envelope<M>),
    /// A timer runs out.
    Timeout(Id, T),
    /// An actor forgets all that it has not saved, and its timers, and receives nothing until it
    /// recovers.
    Crash(Id),
    /// It comes back.
    Recover(Id),
}

/// How messages travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Network {
    /// Messages overtake each other.
    Unordered {
        /// Messages may get lost.
        loses: bool,
        /// A message may come again and again. Two equal ones are one then.
        duplicates: bool,
    },
    /// From each sender to each receiver, messages arrive in the order in which they were sent. One
    /// that the receiver ignores is gone.
    Ordered {
        /// Messages may get lost: the next one to arrive from a sender.
        loses: bool,
    },
}

impl Network {
    fn loses(self) -> bool {
        match self {
            Network::Unordered { loses, .. } | Network::Ordered { loses } => loses,
        }
    }

    fn duplicates(self) -> bool {
        matches!(self, Network::Unordered { duplicates: true, .. })
    }

    fn is_ordered(self) -> bool {
        matches!(self, Network::Ordered { .. })
    }
}

/// Something that is seen from outside. Deliveries that are ignored are not seen.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a, M> {
    /// A message was sent.
    Sent(&'a Envelope<M>),
    /// A message has arrived.
    Received(&'a Envelope<M>),
}

/// Notes what is seen.
pub type Record<A, H> = fn(&mut H, Event<'_, <A as Actor>::Message>);

/// A boundary.
type Within<A, H> = Box<dyn Fn(&State<A, H>) -> bool + Send + Sync>;

/// Actors, a network, and what was seen so far: a model.
pub struct System<A: Actor, H = ()> {
    actors: Vec<A>,
    network: Network,
    crashes: usize,
    history: H,
    record: Record<A, H>,
    within: Option<Within<A, H>>,
}

impl<A: Actor> System<A, ()> {
    /// Nobody crashes, and nothing is noted.
    pub fn new(actors: impl IntoIterator<Item = A>, network: Network) -> Self {
        let actors = actors.into_iter().collect();
        System { actors, network, crashes: 0, history: (), record: |_, _| (), within: None }
    }

    /// What is noted of events, beginning with this. Comes before [`System::within`].
    pub fn recording<H: Value>(self, history: H, record: Record<A, H>) -> System<A, H> {
        let System { actors, network, crashes, .. } = self;
        System { actors, network, crashes, history, record, within: None }
    }
}

impl<A: Actor, H: Value> System<A, H> {
    /// So many actors at most are down at a time. None by default.
    pub fn crashes(mut self, crashes: usize) -> Self {
        self.crashes = crashes;
        self
    }

    /// The boundary: see [`Model::within`].
    pub fn within(mut self, within: impl Fn(&State<A, H>) -> bool + Send + Sync + 'static) -> Self {
        self.within = Some(Box::new(within));
        self
    }

    /// The actors.
    pub fn actors(&self) -> &[A] {
        &self.actors
    }
}

impl<A: Actor, H: Value> Model for System<A, H> {
    type State = State<A, H>;
    type Action = Action<A::Message, A::Timer>;

    fn initial(&self) -> Vec<Self::State> {
        vec![self.first_state()]
    }

    fn steps(&self, state: &Self::State, to: &mut Steps<'_, Self>) {
        self.all_steps(state, to);
    }

    fn within(&self, state: &Self::State) -> bool {
        self.within.as_ref().is_none_or(|within| within(state))
    }

    fn process(&self, action: &Self::Action) -> Option<String> {
        let me = match action {
            Action::Deliver(envelope) | Action::Drop(envelope) => envelope.to,
            Action::Timeout(me, _) | Action::Crash(me) | Action::Recover(me) => *me,
        };
        Some(self.actors[me].name(me))
    }

    fn rows(&self) -> BoxedRows<'_, Self::State, Self::Action> {
        Box::new(rows::ActorRows::new(self))
    }

    fn drawn(&self, run: &Run<Self>) -> Option<Chart> {
        Some(self.chart_of(run))
    }
}
