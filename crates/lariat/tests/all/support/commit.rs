//! Two-phase commit after Gray and Lamport, *Consensus on transaction commit*, 2006, with the types of
//! Stateright's example; its states are kept in any of four ways.

use lariat::{Model, State, Steps};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::hash::Hash;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Message {
    Prepared(usize),
    Commit,
    Abort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Manager {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Coordinator {
    Init,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    Decide(Coordinator),
    Hear(usize),
    Prepare(usize),
    GiveUp(usize),
    Obey(usize),
}

/// A state in one of the ways to keep it.
pub(crate) trait Commit: State {
    fn new(managers: usize) -> Self;
    fn parts(&self) -> (&[Manager], Coordinator, &[bool], &BTreeSet<Message>);
    fn parts_mut(
        &mut self,
    ) -> (&mut [Manager], &mut Coordinator, &mut [bool], &mut BTreeSet<Message>);
}

macro_rules! kept {
    ($(#[$derive:meta])* $name:ident { $(#[$managers:meta])* managers, $(#[$prepared:meta])* prepared }
     $($whole:item)?) => {
        $(#[$derive])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub(crate) struct $name {
            $(#[$managers])*
            managers: Vec<Manager>,
            coordinator: Coordinator,
            $(#[$prepared])*
            prepared: Vec<bool>,
            messages: BTreeSet<Message>,
        }
        $($whole)?
        impl Commit for $name {
            fn new(managers: usize) -> Self {
                $name {
                    managers: vec![Manager::Working; managers],
                    coordinator: Coordinator::Init,
                    prepared: vec![false; managers],
                    messages: BTreeSet::new(),
                }
            }
            fn parts(&self) -> (&[Manager], Coordinator, &[bool], &BTreeSet<Message>) {
                (&self.managers, self.coordinator, &self.prepared, &self.messages)
            }
            fn parts_mut(
                &mut self,
            ) -> (&mut [Manager], &mut Coordinator, &mut [bool], &mut BTreeSet<Message>) {
                let $name { managers, coordinator, prepared, messages } = self;
                (managers, coordinator, prepared, messages)
            }
        }
    };
}
kept!(
    #[derive(State)]
    ByField { managers, prepared }
);
kept!(
    #[derive(State)]
    ByElement {
        #[state(each)]
        managers,
        #[state(each)]
        prepared
    }
);
kept!(Whole { managers, prepared } impl State for Whole {});

/// The fields of another struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub(crate) struct Inside {
    #[state(nested)]
    inner: ByElement,
}

impl Commit for Inside {
    fn new(managers: usize) -> Self {
        Inside { inner: ByElement::new(managers) }
    }
    fn parts(&self) -> (&[Manager], Coordinator, &[bool], &BTreeSet<Message>) {
        Commit::parts(&self.inner)
    }
    fn parts_mut(
        &mut self,
    ) -> (&mut [Manager], &mut Coordinator, &mut [bool], &mut BTreeSet<Message>) {
        self.inner.parts_mut()
    }
}

pub(crate) struct TwoPhaseCommit<S> {
    pub(crate) managers: usize,
    kept: std::marker::PhantomData<fn() -> S>,
}

impl<S> TwoPhaseCommit<S> {
    pub(crate) fn of(managers: usize) -> Self {
        TwoPhaseCommit { managers, kept: std::marker::PhantomData }
    }
}

impl<S: Commit> Model for TwoPhaseCommit<S> {
    type State = S;
    type Action = Action;

    fn initial(&self) -> Vec<S> {
        vec![S::new(self.managers)]
    }

    fn steps(&self, state: &S, to: &mut Steps<'_, Self>) {
        let (managers, coordinator, prepared, messages) = Commit::parts(state);
        let is_undecided = coordinator == Coordinator::Init;
        let decide = |s: &mut S, decision, message| {
            let (_, coordinator, _, messages) = s.parts_mut();
            *coordinator = decision;
            messages.insert(message);
        };
        if is_undecided && prepared.iter().all(|&prepared| prepared) {
            let decision = Coordinator::Committed;
            to.step(Action::Decide(decision), |s| decide(s, decision, Message::Commit));
        }
        if is_undecided {
            let decision = Coordinator::Aborted;
            to.step(Action::Decide(decision), |s| decide(s, decision, Message::Abort));
        }
        for i in 0..self.managers {
            if is_undecided && messages.contains(&Message::Prepared(i)) {
                to.step(Action::Hear(i), |s| s.parts_mut().2[i] = true);
            }
            if managers[i] == Manager::Working {
                to.step(Action::Prepare(i), |s| {
                    let (managers, _, _, messages) = s.parts_mut();
                    managers[i] = Manager::Prepared;
                    messages.insert(Message::Prepared(i));
                });
                to.step(Action::GiveUp(i), |s| s.parts_mut().0[i] = Manager::Aborted);
            }
            if messages.contains(&Message::Commit) {
                to.step(Action::Obey(i), |s| s.parts_mut().0[i] = Manager::Committed);
            }
            if messages.contains(&Message::Abort) {
                to.step(Action::Obey(i), |s| s.parts_mut().0[i] = Manager::Aborted);
            }
        }
    }
}
