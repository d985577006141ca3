//! The remembering engine: a state is a row of numbers, of each actor's state, of each inbox, of the
//! history. What an actor does is computed once for each of its states and messages, what becomes of
//! an inbox or a history once for each message: most steps touch no typed value. Each actor has numbers
//! of its own for its states and inboxes, so that they stay small.
//!
//! Precondition: actors and `record` are functions of their arguments alone. That is asked of all models,
//! and looked at where states are expanded twice, by the engine that remembers nothing (`sample.rs`).

use super::steps::Effect;
use super::{Action, Actor, Envelope, Event, Id, Inbox, Local, State, System};
use crate::fairness::Fairness;
use crate::panics::caught;
use crate::parts::Table;
use crate::rows::{Rows, Trouble};
use crate::state::Value;
use hashbrown::HashMap;
use lariat_core::{Batch, Flat, Marks, Word, makes_mistake};
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// A number for each pair of numbers.
type Memo = HashMap<(Word, Word), Word, FxBuildHasher>;

type ActionOf<A> = Action<<A as Actor>::Message, <A as Actor>::Timer>;

/// What an actor does, in numbers.
struct Done {
    local: Word,
    /// Receivers and envelopes.
    sends: Vec<(Id, Word)>,
    is_none: bool,
}

/// What is known of an actor's state without looking at it.
struct Facts {
    is_up: bool,
    timers: usize,
}

/// What there is of one actor, by number.
struct OfActor<A: Actor> {
    locals: Table<Arc<Local<A>>>,
    facts: Vec<Facts>,
    /// Numbers of envelopes: sorted if they are a bag.
    inboxes: Table<Vec<Word>>,
    /// Inboxes as users see them, once they were asked for.
    seen: Vec<Option<Arc<Inbox<A::Message>>>>,
}

impl<A: Actor> OfActor<A> {
    fn new() -> Self {
        let (locals, inboxes) = (Table::default(), Table::default());
        OfActor { locals, facts: Vec::new(), inboxes, seen: Vec::new() }
    }

    fn bytes(&self) -> usize {
        self.locals.bytes()
            + self.facts.capacity() * size_of::<Facts>()
            + self.inboxes.bytes()
            + self.seen.capacity() * size_of::<usize>()
    }
}

pub(super) struct ActorRows<'m, A: Actor, H> {
    system: &'m System<A, H>,
    actors: Vec<OfActor<A>>,
    envelopes: Table<Arc<Envelope<A::Message>>>,
    histories: Table<Arc<H>>,
    /// What actors do, by number; with messages, with timers, when they crash or recover.
    done: Vec<Done>,
    /// Of all that they do.
    sends: usize,
    on_message: Memo,
    on_timer: Memo,
    on_crash: Memo,
    added: Memo,
    removed: Memo,
    recorded: Memo,
    row: Vec<Word>,
    /// The row of a step.
    next: Vec<Word>,
    /// The state that the boundary was asked about last, and its row.
    asked: Option<(State<A, H>, Vec<Word>)>,
    state: Option<State<A, H>>,
    fairness: Arc<Fairness<'m, ActionOf<A>>>,
}

impl<'m, A: Actor, H: Value> ActorRows<'m, A, H> {
    pub(super) fn new(system: &'m System<A, H>) -> Self {
        ActorRows {
            system,
            actors: system.actors.iter().map(|_| OfActor::new()).collect(),
            envelopes: Table::default(),
            histories: Table::default(),
            done: Vec::new(),
            sends: 0,
            on_message: Memo::default(),
            on_timer: Memo::default(),
            on_crash: Memo::default(),
            added: Memo::default(),
            removed: Memo::default(),
            recorded: Memo::default(),
            row: Vec::new(),
            next: Vec::new(),
            asked: None,
            state: None,
            fairness: Arc::new(Fairness { conditions: Vec::new() }),
        }
    }

    fn count(&self) -> usize {
        self.system.actors.len()
    }

    fn local(&mut self, me: Id, local: Local<A>) -> Word {
        let own = &mut self.actors[me];
        let facts = Facts { is_up: local.is_up, timers: local.timers.len() };
        let number = own.locals.number(&Arc::new(local));
        if number as usize == own.facts.len() {
            own.facts.push(facts);
        }
        number
    }

    #[inline]
    fn facts(&self, me: Id, local: Word) -> &Facts {
        &self.actors[me].facts[local as usize]
    }

    fn note(&mut self, me: Id, before: Option<Word>, effect: Effect<A>) -> Word {
        let is_none =
            before.is_some_and(|before| effect.is_none(self.actors[me].locals.get(before)));
        let local = self.local(me, effect.local);
        let number = |(to, message)| {
            let envelope = Arc::new(Envelope { from: me, to, message });
            (to, self.envelopes.number(&envelope))
        };
        let sends: Vec<_> = effect.sends.into_iter().map(number).collect();
        self.sends += sends.len();
        self.done.push(Done { local, sends, is_none });
        self.done.len() as Word - 1
    }

    #[inline]
    fn receive(&mut self, me: Id, local: Word, envelope: Word) -> Word {
        // An envelope knows its receiver.
        if let Some(&known) = self.on_message.get(&(local, envelope)) {
            return known;
        }
        let effect =
            self.system.receive(self.actors[me].locals.get(local), self.envelopes.get(envelope));
        let done = self.note(me, Some(local), effect);
        self.on_message.insert((local, envelope), done);
        done
    }

    fn timeout(&mut self, me: Id, local: Word, timer: usize) -> Word {
        let number = if makes_mistake("rust-one-timer") { 0 } else { timer };
        let key = (local, (number * self.count() + me) as Word);
        if let Some(&known) = self.on_timer.get(&key) {
            return known;
        }
        let effect = self.system.timeout(me, self.actors[me].locals.get(local), timer);
        let done = self.note(me, Some(local), effect);
        self.on_timer.insert(key, done);
        done
    }

    /// Up becomes down, and the other way round.
    fn crash_or_recover(&mut self, me: Id, local: Word) -> Word {
        if let Some(&known) = self.on_crash.get(&(local, me as Word)) {
            return known;
        }
        let before = self.actors[me].locals.get(local);
        let effect = match before.is_up {
            true => Effect { local: self.system.crash(me, before), sends: Vec::new() },
            false => self.system.recover(me, before),
        };
        let done = self.note(me, None, effect);
        self.on_crash.insert((local, me as Word), done);
        done
    }

    #[inline]
    fn add(&mut self, to: Id, inbox: Word, envelope: Word) -> Word {
        // An envelope knows its receiver.
        if let Some(&known) = self.added.get(&(inbox, envelope)) {
            return known;
        }
        let envelopes = &self.envelopes;
        let mut numbers = self.actors[to].inboxes.get(inbox).clone();
        let sender = |&number: &Word| envelopes.get(number).from;
        if let Some(place) = self.system.network.place(&numbers, &envelope, sender) {
            numbers.insert(place, envelope);
            if !self.system.network.is_ordered() && !makes_mistake("rust-bag-order") {
                numbers.sort_unstable();
            }
        }
        let new = self.actors[to].inboxes.number(&numbers);
        self.added.insert((inbox, envelope), new);
        new
    }

    #[inline]
    fn remove(&mut self, me: Id, inbox: Word, envelope: Word) -> Word {
        if let Some(&known) = self.removed.get(&(inbox, envelope)) {
            return known;
        }
        let mut numbers = self.actors[me].inboxes.get(inbox).clone();
        // Of equal ones, the first is delivered first.
        let at = numbers.iter().position(|&number| number == envelope);
        at.map(|at| numbers.remove(at));
        let new = self.actors[me].inboxes.number(&numbers);
        self.removed.insert((inbox, envelope), new);
        new
    }

    #[inline]
    fn record(&mut self, history: Word, envelope: Word, is_sent: bool) -> Word {
        let key = (history, envelope * 2 + Word::from(is_sent));
        if let Some(&known) = self.recorded.get(&key) {
            return known;
        }
        let mut value = H::clone(self.histories.get(history));
        let about = self.envelopes.get(envelope);
        let event = if is_sent { Event::Sent(about) } else { Event::Received(about) };
        (self.system.record)(&mut value, event);
        let new = self.histories.number(&Arc::new(value));
        self.recorded.insert(key, new);
        new
    }

    /// Changes a row by what an actor has done.
    #[inline]
    fn apply(&mut self, me: Id, done: Word, row: &mut [Word]) {
        let count = self.count();
        row[me] = self.done[done as usize].local;
        for at in 0..self.done[done as usize].sends.len() {
            let (to, envelope) = self.done[done as usize].sends[at];
            row[2 * count] = self.record(row[2 * count], envelope, true);
            if to < count {
                row[count + to] = self.add(to, row[count + to], envelope);
            }
        }
    }

    fn first(&mut self) -> Vec<Word> {
        let count = self.count();
        let mut row = vec![0; 2 * count + 1];
        for me in 0..count {
            row[count + me] = self.actors[me].inboxes.number(&Vec::new());
        }
        row[2 * count] = self.histories.number(&Arc::new(self.system.history.clone()));
        for me in 0..count {
            let effect = self.system.start(me);
            let done = self.note(me, None, effect);
            self.apply(me, done, &mut row);
        }
        row
    }

    fn inbox(&mut self, me: Id, number: Word) -> Arc<Inbox<A::Message>> {
        let (own, at) = (&mut self.actors[me], number as usize);
        if own.seen.len() <= at {
            own.seen.resize(at + 1, None);
        }
        if let Some(seen) = &own.seen[at] {
            return Arc::clone(seen);
        }
        let numbers = own.inboxes.get(number).iter();
        let envelopes = numbers.map(|&envelope| Arc::clone(self.envelopes.get(envelope))).collect();
        let seen = Arc::new(Inbox { envelopes, is_ordered: self.system.network.is_ordered() });
        own.seen[at] = Some(Arc::clone(&seen));
        seen
    }

    /// The state of a row; what the one before has is taken from there.
    fn state_of(&mut self, row: &[Word], before: Option<(State<A, H>, &[Word])>) -> State<A, H> {
        let count = self.count();
        let Some((mut state, now)) = before else {
            return State {
                actors: (0..count)
                    .map(|me| Arc::clone(self.actors[me].locals.get(row[me])))
                    .collect(),
                inboxes: (0..count).map(|me| self.inbox(me, row[count + me])).collect(),
                history: Arc::clone(self.histories.get(row[2 * count])),
            };
        };
        for me in 0..count {
            if now[me] != row[me] {
                state.actors[me] = Arc::clone(self.actors[me].locals.get(row[me]));
            }
            if now[count + me] != row[count + me] {
                state.inboxes[me] = self.inbox(me, row[count + me]);
            }
        }
        if now[2 * count] != row[2 * count] {
            state.history = Arc::clone(self.histories.get(row[2 * count]));
        }
        state
    }

    /// All steps from `row`, into `out`.
    fn all_steps(&mut self, row: &[Word], out: &mut Sink<'_>) {
        let (count, network) = (self.count(), self.system.network);
        let down = (0..count).filter(|&me| !self.facts(me, row[me]).is_up).count();
        let mut next = std::mem::take(&mut self.next);
        next.resize(row.len(), 0);
        for me in 0..count {
            let (local, inbox) = (row[me], row[count + me]);
            let is_up = self.facts(me, local).is_up;
            for at in 0..self.actors[me].inboxes.get(inbox).len() {
                let numbers = self.actors[me].inboxes.get(inbox);
                let envelope = numbers[at];
                let envelopes = &self.envelopes;
                if !network.is_next(numbers, at, |&number| envelopes.get(number).from) {
                    continue;
                }
                if network.loses() {
                    next.copy_from_slice(row);
                    next[count + me] = self.remove(me, inbox, envelope);
                    self.take(out, row, &next, |this| {
                        Action::Drop((**this.envelopes.get(envelope)).clone())
                    });
                }
                if !is_up {
                    continue;
                }
                let done = self.receive(me, local, envelope);
                let is_ignored = self.done[done as usize].is_none;
                if is_ignored && !network.is_ordered() {
                    continue;
                }
                next.copy_from_slice(row);
                if !network.duplicates() {
                    next[count + me] = self.remove(me, inbox, envelope);
                }
                if !is_ignored {
                    next[2 * count] = self.record(row[2 * count], envelope, false);
                }
                self.apply(me, done, &mut next);
                self.take(out, row, &next, |this| {
                    Action::Deliver((**this.envelopes.get(envelope)).clone())
                });
            }
            if !is_up {
                next.copy_from_slice(row);
                let done = self.crash_or_recover(me, local);
                self.apply(me, done, &mut next);
                self.take(out, row, &next, |_| Action::Recover(me));
                continue;
            }
            for timer in 0..self.facts(me, local).timers {
                let done = self.timeout(me, local, timer);
                if !self.done[done as usize].is_none {
                    next.copy_from_slice(row);
                    self.apply(me, done, &mut next);
                    self.take(out, row, &next, |this| {
                        Action::Timeout(me, this.actors[me].locals.get(local).timers[timer].clone())
                    });
                }
            }
            if down < self.system.crashes {
                next.copy_from_slice(row);
                let done = self.crash_or_recover(me, local);
                self.apply(me, done, &mut next);
                self.take(out, row, &next, |_| Action::Crash(me));
            }
        }
        self.next = next;
    }

    #[inline]
    fn is_within(&mut self, row: &[Word]) -> bool {
        let Some(within) = &self.system.within else { return true };
        let (state, row) = match self.asked.take() {
            None => (self.state_of(row, None), row.to_vec()),
            Some((state, mut now)) => {
                let state = self.state_of(row, Some((state, &now)));
                now.copy_from_slice(row);
                (state, now)
            }
        };
        let is_within = within(&state);
        self.asked = Some((state, row));
        is_within
    }

    /// A step to `next`. What it is called is asked for only if fairness wants to know.
    #[inline]
    fn take(
        &mut self,
        out: &mut Sink<'_>,
        row: &[Word],
        next: &[Word],
        action: impl FnOnce(&Self) -> ActionOf<A>,
    ) {
        if !self.is_within(next) {
            out.beyond += 1;
            return;
        }
        out.rows.push_copy(next);
        if !self.fairness.is_empty() && next != row {
            let answered = self.fairness.answers(&action(self));
            out.possible |= answered;
            out.rows.set_marks(out.rows.len() - 1, answered);
        }
    }
}

struct Sink<'a> {
    rows: &'a mut Flat,
    beyond: u64,
    possible: Marks,
}

impl<'m, A: Actor, H: Value> Rows<'m> for ActorRows<'m, A, H> {
    type State = State<A, H>;
    type Action = ActionOf<A>;

    fn prepare(&mut self) -> Result<(), Trouble> {
        self.state = None;
        Ok(())
    }

    fn width(&self) -> usize {
        2 * self.count() + 1
    }

    fn initial(&mut self, out: &mut Flat) -> Result<u64, Trouble> {
        caught(|| {
            let row = self.first();
            if !self.is_within(&row) {
                return 1;
            }
            out.push_copy(&row);
            0
        })
        .map_err(Trouble::Panic)
    }

    fn load(&mut self, row: &[Word]) -> &State<A, H> {
        let mut now = std::mem::take(&mut self.row);
        let before = self.state.take().map(|state| (state, &now[..]));
        let state = self.state_of(row, before);
        now.clear();
        now.extend_from_slice(row);
        self.row = now;
        self.state.insert(state)
    }

    fn expand(&mut self, out: &mut Flat) -> Result<u64, Trouble> {
        let first = out.len();
        let row = std::mem::take(&mut self.row);
        let mut sink = Sink { rows: &mut *out, beyond: 0, possible: Marks::NONE };
        let done = caught(|| self.all_steps(&row, &mut sink));
        let Sink { beyond, possible, .. } = sink;
        self.row = row;
        done.map_err(Trouble::Panic)?;
        if !self.fairness.is_empty() {
            let common = self.fairness.common(possible);
            for at in first..out.len() {
                out.set_marks(at, out.marks(at) | common);
            }
        }
        Ok(beyond)
    }

    fn set_fairness(&mut self, fairness: Arc<Fairness<'m, ActionOf<A>>>) {
        self.fairness = fairness;
    }

    fn prefers_flat(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        let memos = [
            &self.on_message,
            &self.on_timer,
            &self.on_crash,
            &self.added,
            &self.removed,
            &self.recorded,
        ];
        let memos: usize = memos.iter().map(|memo| memo.capacity() * 13).sum();
        memos
            + self.sends * size_of::<(Id, Word)>()
            + self.done.capacity() * size_of::<Done>()
            + self.actors.iter().map(OfActor::bytes).sum::<usize>()
            + self.envelopes.bytes()
            + self.histories.bytes()
    }

    fn counts(&self) -> Vec<(String, usize)> {
        let named = |name: &str, count| (name.to_owned(), count);
        vec![
            named("actors", self.actors.iter().map(|own| own.locals.len()).sum()),
            named("messages", self.envelopes.len()),
            named("inboxes", self.actors.iter().map(|own| own.inboxes.len()).sum()),
            named("history", self.histories.len()),
        ]
    }
}
