//! States of systems of actors. All parts are shared.

use super::{Actor, Id};
use crate::state::Value;
use std::fmt::{self, Debug};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A message on its way.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Envelope<M> {
    /// The sender.
    pub from: Id,
    /// The receiver.
    pub to: Id,
    /// What it says.
    pub message: M,
}

impl<M: Debug> Debug for Envelope<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}→{} {:?}", self.from, self.to, self.message)
    }
}

/// What an actor knows, and what it has set and saved. Behaves as the actor's own state.
pub struct Local<A: Actor> {
    /// The actor's own state. While it is down: what it has saved, or how it begins.
    pub state: A::State,
    /// The timers that are set, sorted.
    pub timers: Vec<A::Timer>,
    /// What it has saved last.
    pub saved: Option<A::State>,
    /// It has not crashed.
    pub is_up: bool,
}

impl<A: Actor> Deref for Local<A> {
    type Target = A::State;
    fn deref(&self) -> &A::State {
        &self.state
    }
}

// By hand: derives would ask of the actor what only its states need.
impl<A: Actor> Clone for Local<A> {
    fn clone(&self) -> Self {
        let Local { state, timers, saved, is_up } = self;
        Local { state: state.clone(), timers: timers.clone(), saved: saved.clone(), is_up: *is_up }
    }
}

impl<A: Actor> PartialEq for Local<A> {
    fn eq(&self, other: &Self) -> bool {
        self.is_up == other.is_up
            && self.state == other.state
            && self.timers == other.timers
            && self.saved == other.saved
    }
}

impl<A: Actor> Eq for Local<A> {}

impl<A: Actor> Hash for Local<A> {
    fn hash<T: Hasher>(&self, to: &mut T) {
        (&self.state, &self.timers, &self.saved, self.is_up).hash(to);
    }
}

impl<A: Actor> Debug for Local<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_up && self.timers.is_empty() && self.saved.is_none() {
            return self.state.fmt(f);
        }
        let mut shown = f.debug_struct("Local");
        shown.field("state", &self.state);
        shown.field("timers", &self.timers).field("saved", &self.saved).field("is_up", &self.is_up);
        shown.finish()
    }
}

/// The messages that are on their way to an actor.
pub struct Inbox<M> {
    pub(super) envelopes: Vec<Arc<Envelope<M>>>,
    /// Sorted by sender, and then in the order in which they were sent. If not, a bag.
    pub(super) is_ordered: bool,
}

impl<M> Clone for Inbox<M> {
    fn clone(&self) -> Self {
        Inbox { envelopes: self.envelopes.clone(), is_ordered: self.is_ordered }
    }
}

impl<M> Inbox<M> {
    /// The messages.
    pub fn iter(&self) -> impl Iterator<Item = &Envelope<M>> {
        self.envelopes.iter().map(|envelope| &**envelope)
    }
}

impl<M: Eq> PartialEq for Inbox<M> {
    fn eq(&self, other: &Self) -> bool {
        if self.is_ordered || self.envelopes.len() != other.envelopes.len() {
            return self.envelopes == other.envelopes;
        }
        let mut left: Vec<&Arc<Envelope<M>>> = other.envelopes.iter().collect();
        self.envelopes.iter().all(|envelope| {
            let found = left.iter().position(|other| *other == envelope);
            found.map(|at| left.swap_remove(at)).is_some()
        })
    }
}

impl<M: Eq> Eq for Inbox<M> {}

impl<M: Hash> Hash for Inbox<M> {
    fn hash<T: Hasher>(&self, to: &mut T) {
        if self.is_ordered {
            return self.envelopes.hash(to);
        }
        // The order must not matter.
        let one = |envelope: &Arc<Envelope<M>>| {
            let mut hasher = DefaultHasher::new();
            envelope.hash(&mut hasher);
            hasher.finish()
        };
        self.envelopes.len().hash(to);
        self.envelopes.iter().map(one).fold(0, u64::wrapping_add).hash(to);
    }
}

impl<M: Debug> Debug for Inbox<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_ordered {
            true => f.debug_list().entries(&self.envelopes).finish(),
            false => f.debug_set().entries(&self.envelopes).finish(),
        }
    }
}

/// A state of a system of actors.
pub struct State<A: Actor, H = ()> {
    /// The actors, by number.
    pub actors: Vec<Arc<Local<A>>>,
    /// The messages to each actor.
    pub inboxes: Vec<Arc<Inbox<A::Message>>>,
    /// What was seen so far.
    pub history: Arc<H>,
}

impl<A: Actor, H> State<A, H> {
    /// All messages that are on their way.
    pub fn messages(&self) -> impl Iterator<Item = &Envelope<A::Message>> {
        self.inboxes.iter().flat_map(|inbox| inbox.iter())
    }
}

impl<A: Actor, H> Clone for State<A, H> {
    fn clone(&self) -> Self {
        let State { actors, inboxes, history } = self;
        State { actors: actors.clone(), inboxes: inboxes.clone(), history: Arc::clone(history) }
    }
}

impl<A: Actor, H: PartialEq> PartialEq for State<A, H> {
    fn eq(&self, other: &Self) -> bool {
        self.actors == other.actors
            && self.inboxes == other.inboxes
            && self.history == other.history
    }
}

impl<A: Actor, H: Eq> Eq for State<A, H> {}

impl<A: Actor, H: Hash> Hash for State<A, H> {
    fn hash<T: Hasher>(&self, to: &mut T) {
        (&self.actors, &self.inboxes, &self.history).hash(to);
    }
}

impl<A: Actor, H: Debug> Debug for State<A, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("State");
        shown.field("actors", &self.actors).field("inboxes", &self.inboxes);
        if size_of::<H>() > 0 {
            shown.field("history", &self.history);
        }
        shown.finish()
    }
}

impl<A: Actor, H: Value> crate::State for State<A, H> {}
