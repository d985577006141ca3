//! The steps of a system of actors by calls of the actors: their meaning.

use super::{Action, Actor, Envelope, Event, Id, Inbox, Local, Network, Out, OutOf, State, System};
use crate::model::Steps;
use crate::state::Value;
use std::sync::Arc;

impl Network {
    /// Whether the message at this place can be delivered or lost now. Of equal ones, the first is.
    pub(super) fn is_next<E: PartialEq>(
        self,
        inbox: &[E],
        at: usize,
        sender: impl Fn(&E) -> Id,
    ) -> bool {
        match self {
            Network::Ordered { .. } => at == 0 || sender(&inbox[at - 1]) != sender(&inbox[at]),
            Network::Unordered { .. } => !inbox[..at].contains(&inbox[at]),
        }
    }

    /// Where a new message stands; nowhere if there is an equal one that is delivered again and again.
    pub(super) fn place<E: PartialEq>(
        self,
        inbox: &[E],
        new: &E,
        sender: impl Fn(&E) -> Id,
    ) -> Option<usize> {
        match self {
            Network::Ordered { .. } => {
                Some(inbox.partition_point(|envelope| sender(envelope) <= sender(new)))
            }
            Network::Unordered { duplicates: true, .. } if inbox.contains(new) => None,
            Network::Unordered { .. } => Some(inbox.len()),
        }
    }
}

/// What became of an actor, and what it has sent.
pub(super) struct Effect<A: Actor> {
    pub(super) local: Local<A>,
    pub(super) sends: Vec<(Id, A::Message)>,
}

impl<A: Actor> Effect<A> {
    fn new(mut local: Local<A>, out: OutOf<A>) -> Self {
        for (timer, is_set) in out.timers {
            match (local.timers.binary_search(&timer), is_set) {
                (Err(at), true) => local.timers.insert(at, timer),
                (Ok(at), false) => drop(local.timers.remove(at)),
                _ => {}
            }
        }
        local.saved = out.saved.or(local.saved);
        Effect { local, sends: out.sends }
    }

    /// Nothing has changed, and nothing is sent.
    pub(super) fn is_none(&self, before: &Local<A>) -> bool {
        self.sends.is_empty() && self.local == *before
    }
}

impl<A: Actor, H: Value> System<A, H> {
    pub(super) fn start(&self, me: Id) -> Effect<A> {
        let mut out = Out::new();
        let state = self.actors[me].start(me, &mut out);
        Effect::new(Local { state, timers: Vec::new(), saved: None, is_up: true }, out)
    }

    pub(super) fn receive(&self, before: &Local<A>, envelope: &Envelope<A::Message>) -> Effect<A> {
        let (mut local, mut out) = (before.clone(), Out::new());
        let Envelope { from, to: me, message } = envelope;
        self.actors[*me].receive(*me, &mut local.state, *from, message, &mut out);
        Effect::new(local, out)
    }

    pub(super) fn timeout(&self, me: Id, before: &Local<A>, timer: usize) -> Effect<A> {
        let (mut local, mut out) = (before.clone(), Out::new());
        let timer = local.timers.remove(timer);
        self.actors[me].timeout(me, &mut local.state, &timer, &mut out);
        Effect::new(local, out)
    }

    pub(super) fn crash(&self, me: Id, before: &Local<A>) -> Local<A> {
        let saved = before.saved.clone();
        // What it sends when it begins is not sent now.
        let state = saved.clone().unwrap_or_else(|| self.start(me).local.state);
        Local { state, timers: Vec::new(), saved, is_up: false }
    }

    pub(super) fn recover(&self, me: Id, before: &Local<A>) -> Effect<A> {
        let mut out = Out::new();
        let saved = before.saved.clone();
        let state = self.actors[me].recover(me, saved.as_ref(), &mut out);
        Effect::new(Local { state, timers: Vec::new(), saved, is_up: true }, out)
    }

    pub(super) fn first_state(&self) -> State<A, H> {
        let starts: Vec<Effect<A>> = (0..self.actors.len()).map(|me| self.start(me)).collect();
        let is_ordered = self.network.is_ordered();
        let empty = Arc::new(Inbox { envelopes: Vec::new(), is_ordered });
        let mut state = State {
            actors: starts.iter().map(|effect| Arc::new(effect.local.clone())).collect(),
            inboxes: vec![empty; self.actors.len()],
            history: Arc::new(self.history.clone()),
        };
        for (me, effect) in starts.into_iter().enumerate() {
            self.send(me, effect.sends, &mut state);
        }
        state
    }

    fn send(&self, me: Id, sends: Vec<(Id, A::Message)>, state: &mut State<A, H>) {
        for (to, message) in sends {
            let envelope = Arc::new(Envelope { from: me, to, message });
            (self.record)(Arc::make_mut(&mut state.history), Event::Sent(&envelope));
            let Some(inbox) = state.inboxes.get_mut(to) else { continue };
            let place = self.network.place(&inbox.envelopes, &envelope, |envelope| envelope.from);
            if let Some(place) = place {
                Arc::make_mut(inbox).envelopes.insert(place, envelope);
            }
        }
    }

    fn apply(&self, me: Id, effect: Effect<A>, state: &mut State<A, H>) {
        state.actors[me] = Arc::new(effect.local);
        self.send(me, effect.sends, state);
    }

    pub(super) fn all_steps(&self, state: &State<A, H>, to: &mut Steps<'_, Self>) {
        let down = state.actors.iter().filter(|local| !local.is_up).count();
        for (me, local) in state.actors.iter().enumerate() {
            let inbox = &state.inboxes[me].envelopes;
            for (at, envelope) in inbox.iter().enumerate() {
                if self.network.is_next(inbox, at, |envelope| envelope.from) {
                    self.message_steps(local, at, envelope, to);
                }
            }
            if !local.is_up {
                to.step(Action::Recover(me), |s| self.apply(me, self.recover(me, local), s));
                continue;
            }
            for (at, timer) in local.timers.iter().enumerate() {
                let effect = self.timeout(me, local, at);
                if !effect.is_none(local) {
                    to.step(Action::Timeout(me, timer.clone()), |s| self.apply(me, effect, s));
                }
            }
            if down < self.crashes {
                let crashed = self.crash(me, local);
                to.step(Action::Crash(me), |s| s.actors[me] = Arc::new(crashed));
            }
        }
    }

    fn message_steps(
        &self,
        local: &Local<A>,
        at: usize,
        envelope: &Arc<Envelope<A::Message>>,
        to: &mut Steps<'_, Self>,
    ) {
        let me = envelope.to;
        let remove =
            |s: &mut State<A, H>| drop(Arc::make_mut(&mut s.inboxes[me]).envelopes.remove(at));
        if self.network.loses() {
            to.step(Action::Drop((**envelope).clone()), remove);
        }
        if !local.is_up {
            return;
        }
        let effect = self.receive(local, envelope);
        let is_ignored = effect.is_none(local);
        if is_ignored && !self.network.is_ordered() {
            return;
        }
        to.step(Action::Deliver((**envelope).clone()), |s| {
            if !self.network.duplicates() {
                remove(s);
            }
            if !is_ignored {
                (self.record)(Arc::make_mut(&mut s.history), Event::Received(envelope));
            }
            self.apply(me, effect, s);
        });
    }
}
