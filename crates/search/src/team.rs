//! Threads that work on one search over states without numbers (`lariat_store::SharedTree`).
//!
//! What they do is a [`Work`]: breadth first through levels that all of them share. Each thread has its own [`System`], and keeps
//! what it counts for itself.
//!
//! A thread that cannot go on ends its session, and all others come to their end: they give back the states that they had
//! not dealt with. If a field of the packed states was too small, it is made larger, or all states are packed anew, and all go on from there. Else the
//! search is over: a limit, more room for rows, what was looked for, a panic, which is handed on.
//!
//! What the model's steps have learned from new rows (`ModelSteps::lessons`) is told to all threads before any of them can be given one of those rows: at the end of a
//! level, or, where there are no levels, before a state is told to others and before one is expanded.

use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lariat_core::{Limit, Word, stop};
use lariat_model::steps::ModelSteps;
use lariat_store::{Ending, SharedSession, SharedTree, SharedWorker};
use lariat_system::{Remember, Remembered, Sets, Stop, System};

/// Bytes of stack for each thread: as much as the main thread has.
pub(crate) const STACK: usize = 8 << 20;

/// What all threads do.
pub(crate) trait Work<'s>: Sync {
    /// What a thread has counted.
    type Own: Send;

    /// Whether states are kept anywhere but in the set and its levels: then they must stay what they are.
    fn keeps_states(&self) -> bool;

    /// A thread's system, which remembers no steps yet.
    fn system<'a>(
        &self,
        steps: Box<dyn ModelSteps + 's>,
        session: SharedSession<'a>,
    ) -> System<'s, SharedSession<'a>>;

    /// A thread's work, until it or another one ends. The first thread watches.
    fn shift(
        &self,
        desk: &mut Desk<'_, '_, 's>,
        own: &mut Self::Own,
        is_first: bool,
    ) -> Result<Ended, Stop>;
}

/// What a thread has at work.
pub(crate) struct Desk<'d, 'a, 's> {
    pub(crate) system: System<'s, SharedSession<'a>>,
    pub(crate) talk: Talk<'d>,
}

impl<'a> Desk<'_, 'a, '_> {
    pub(crate) fn session(&mut self) -> &mut SharedSession<'a> {
        self.system.session()
    }
}

/// Rows that steps have learned something from.
#[derive(Default)]
struct Lessons {
    rows: Mutex<Vec<Box<[Word]>>>,
    /// How many there are.
    count: AtomicUsize,
}

/// What threads tell each other.
pub(crate) struct Talk<'d> {
    /// How many of its lessons the others were told.
    told: usize,
    /// How many of all lessons it has heard.
    heard: usize,
    lessons: &'d Lessons,
}

impl Talk<'_> {
    /// Tells others what this thread has learned.
    #[inline]
    pub(crate) fn tell(&mut self, system: &System<'_, SharedSession<'_>>) {
        let new = &system.steps().lessons()[self.told..];
        if !new.is_empty() {
            let mut rows = lock(&self.lessons.rows);
            rows.extend_from_slice(new);
            self.told += new.len();
            self.lessons.count.store(rows.len(), Release);
        }
    }

    /// Hears what others have told. Who has seen a state that was told to others after a lesson sees the count of that lesson.
    #[inline]
    pub(crate) fn hear(&mut self, system: &mut System<'_, SharedSession<'_>>) {
        if self.lessons.count.load(Acquire) != self.heard {
            self.tell(system);
            let rows = lock(&self.lessons.rows);
            rows[self.heard..].iter().for_each(|row| system.steps_mut().learn(row));
            (self.heard, self.told) = (rows.len(), system.steps().lessons().len());
        }
    }

    /// Waits for the next level, of which `last` is told how many states it has, by one thread while the others wait. False if there may be
    /// some left of the one at hand.
    pub(crate) fn next_level(
        &mut self,
        system: &mut System<'_, SharedSession<'_>>,
        last: impl FnOnce(usize),
    ) -> Result<bool, Stop> {
        self.tell(system);
        if !system.session().next_level(last)? {
            return Ok(false);
        }
        self.hear(system);
        Ok(true)
    }
}

/// What a thread has while nobody works.
pub(crate) struct Member<'s, O> {
    store: SharedWorker,
    rest: Rest<'s, O>,
}

/// The same without its part of the states.
struct Rest<'s, O> {
    steps: Box<dyn ModelSteps + 's>,
    remembered: Remembered,
    sets: Option<Sets<'s>>,
    told: usize,
    own: O,
}

/// Threads, and what they tell each other.
pub(crate) struct Team<'s, O> {
    members: Vec<Member<'s, O>>,
    lessons: Lessons,
}

/// Why a thread has ended.
pub(crate) enum Ended {
    /// Everything was seen.
    Done,
    /// What was looked for is there.
    Found,
    /// Another thread has ended.
    Others,
    /// A field is too small.
    Bits,
    Stopped(Stop),
}

/// How a search ends.
pub(crate) enum End {
    /// Everything was seen.
    Done,
    /// What was looked for is there; nobody knows the way to it.
    Found,
    /// States do not fit into a root.
    Unfit,
    Stopped(Stop),
}

impl<'s, O: Send> Team<'s, O> {
    /// A member for each of these, of which the first knows all lessons.
    pub(crate) fn new(
        shared: &SharedTree,
        mut steps: Vec<Box<dyn ModelSteps + 's>>,
        remember: Remember,
        own: impl Fn() -> O,
    ) -> Self {
        let (first, others) = steps.split_first_mut().expect("there is a thread");
        for other in others {
            first.lessons().iter().for_each(|row| other.learn(row));
        }
        let member = |steps: Box<dyn ModelSteps + 's>| {
            let (told, remembered) = (steps.lessons().len(), Remembered::new(remember));
            let rest = Rest { steps, remembered, sets: None, told, own: own() };
            Member { store: shared.worker(), rest }
        };
        Team { members: steps.into_iter().map(member).collect(), lessons: Lessons::default() }
    }

    /// Steps are left out by these sets; each thread learns of its own.
    pub(crate) fn choosing_by(mut self, sets: impl Fn() -> Option<Sets<'s>>) -> Self {
        self.members.iter_mut().for_each(|member| member.rest.sets = sets());
        self
    }

    /// What each has counted.
    pub(crate) fn owns(&self) -> impl Iterator<Item = &O> {
        self.members.iter().map(|member| &member.rest.own)
    }

    /// The same, to be changed.
    pub(crate) fn owns_mut(&mut self) -> impl Iterator<Item = &mut O> {
        self.members.iter_mut().map(|member| &mut member.rest.own)
    }

    /// Marks on the system's steps.
    pub(crate) fn mark_count(&self) -> u32 {
        self.steps().next().map_or(0, |steps| steps.mark_count())
    }

    /// Who computes successors.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &(dyn ModelSteps + 's)> {
        self.members.iter().map(|member| &*member.rest.steps)
    }

    /// Works until the end.
    pub(crate) fn work<W: Work<'s, Own = O>>(&mut self, work: &W, shared: &mut SharedTree) -> End {
        loop {
            let ends = self.round(work, shared);
            if let Some(end) = end_of(&ends) {
                return end;
            }
            match shared.make_bits(work.keeps_states()) {
                Ok(true) => {}
                Ok(false) => return End::Unfit,
                Err(full) => return End::Stopped(full.into()),
            }
        }
    }

    /// All threads work until one ends.
    fn round<W: Work<'s, Own = O>>(&mut self, work: &W, shared: &mut SharedTree) -> Vec<Ended> {
        let (stores, all): (Vec<_>, Vec<_>) =
            self.members.drain(..).map(|Member { store, rest }| (store, rest)).unzip();
        let (lessons, deadline) = (&self.lessons, stop::deadline());
        let (members, ends) = std::thread::scope(|scope| {
            let mut sessions = shared.sessions(stores).into_iter().zip(all);
            let (session, rest) = sessions.next().expect("there is a thread");
            let start = |(session, rest)| {
                let thread = std::thread::Builder::new().stack_size(STACK);
                let at_work = move || shift(work, lessons, session, rest, false);
                let at_work = move || stop::within(deadline, at_work);
                thread.spawn_scoped(scope, at_work).expect("a thread can be started")
            };
            let threads: Vec<_> = sessions.map(start).collect();
            let mut done = vec![shift(work, lessons, session, rest, true)];
            for thread in threads {
                done.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            done.into_iter().unzip()
        });
        self.members = members;
        ends
    }
}

/// A thread's work until it or another one ends.
fn shift<'s, W: Work<'s>>(
    work: &W,
    lessons: &Lessons,
    session: SharedSession<'_>,
    rest: Rest<'s, W::Own>,
    is_first: bool,
) -> (Member<'s, W::Own>, Ended) {
    let Rest { mut steps, remembered, sets, told, mut own } = rest;
    // Others have made their code before.
    steps.prepare();
    let system = work.system(steps, session).with_remembered(remembered).choosing_by(sets);
    let mut desk = Desk { system, talk: Talk { told, heard: 0, lessons } };
    let worked = work.shift(&mut desk, &mut own, is_first);
    let ended = match (worked, desk.session().ending()) {
        (Ok(ended), _) => ended,
        (Err(Stop::Limit(Limit::Memory)), Some(Ending::Others)) => Ended::Others,
        (Err(Stop::Limit(Limit::Memory)), Some(Ending::Bits)) => Ended::Bits,
        (Err(stop), _) => Ended::Stopped(stop),
    };
    let Desk { mut system, talk } = desk;
    let sets = system.take_sets();
    let (steps, session, remembered) = system.into_parts();
    let rest = Rest { steps, remembered, sets, told: talk.told, own };
    (Member { store: session.end(), rest }, ended)
}

/// How the search ends; None if it goes on with more bits.
fn end_of(ends: &[Ended]) -> Option<End> {
    let stops = || {
        ends.iter().filter_map(|ended| match ended {
            Ended::Stopped(stop) => Some(*stop),
            _ => None,
        })
    };
    // With more room for rows the search can go on.
    let widens = stops().find(|stop| matches!(stop, Stop::Widen(_)));
    if let Some(stop) = widens.or_else(|| stops().next()) {
        return Some(End::Stopped(stop));
    }
    if ends.iter().any(|ended| matches!(ended, Ended::Found)) {
        return Some(End::Found);
    }
    if ends.iter().any(|ended| matches!(ended, Ended::Bits)) {
        return None;
    }
    let is_done = ends.iter().all(|ended| matches!(ended, Ended::Done));
    assert!(is_done, "a thread has ended because of another one, which has no reason");
    Some(End::Done)
}

/// Lessons are added whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
