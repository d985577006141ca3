//! What runs must be fair to: actions, by closure.
//!
//! As in TLA+, a step that changes nothing is no step of an action, and an action is possible where it
//! has a step that changes something. *Weak*: an action that is possible from some point on for ever
//! is taken again and again. *Strong*: an action that is possible again and again is taken again and
//! again. A system at rest is fair to all: nothing is possible.
//!
//! Searches see marks on steps. A weak condition is a mark that a fair run carries infinitely often: on
//! steps that are of the action, and on those from states where it is not possible. A strong one is a
//! pair: where the action is possible, all steps carry a request, and its own steps the answer.

use lariat_core::{Marks, makes_mistake};
use lariat_search::emptiness::streett;
use std::sync::Arc;

/// How much is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// What is possible for ever comes.
    Weak,
    /// What is possible again and again comes.
    Strong,
}

/// A test of an action.
pub(crate) type IsOf<'m, A> = Arc<dyn Fn(&A) -> bool + Send + Sync + 'm>;

/// Steps that a run may not put off for ever.
#[derive(Clone)]
pub(crate) struct Condition<'m, A> {
    pub(crate) name: String,
    pub(crate) strength: Strength,
    pub(crate) is_of: IsOf<'m, A>,
}

/// All that runs must be fair to. Mark `i` answers condition `i`; the requests of strong conditions
/// stand behind the answers of all.
pub struct Fairness<'m, A> {
    pub(crate) conditions: Vec<Condition<'m, A>>,
}

impl<A> Fairness<'_, A> {
    pub(crate) fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    pub(crate) fn is_strong(&self) -> bool {
        self.conditions.iter().any(|condition| condition.strength == Strength::Strong)
    }

    /// How many marks there are.
    pub(crate) fn marks(&self) -> u32 {
        (self.conditions.len() + self.strong().count()) as u32
    }

    /// The strong ones, with the mark of their requests.
    fn strong(&self) -> impl Iterator<Item = (u32, u32)> {
        let strong = self.conditions.iter().zip(0..);
        let strong = strong.filter(|(condition, _)| condition.strength == Strength::Strong);
        strong.zip(self.conditions.len() as u32..).map(|((_, answer), request)| (answer, request))
    }

    /// The conditions that a step of this action answers, if it changes something.
    pub fn answers(&self, action: &A) -> Marks {
        let answered = self.conditions.iter().zip(0..).filter(|(one, _)| (one.is_of)(action));
        answered.fold(Marks::NONE, |marks, (_, answer)| marks | Marks::one(answer))
    }

    /// What all steps from a state carry where these conditions can be answered.
    pub fn common(&self, possible: Marks) -> Marks {
        let mut marks = Marks::NONE;
        for (condition, answer) in self.conditions.iter().zip(0..) {
            let is_blocked = !possible.has(answer) && !makes_mistake("rust-blocked");
            if condition.strength == Strength::Weak && is_blocked {
                marks |= Marks::one(answer);
            }
        }
        let asks = |answer| possible.has(answer) && !makes_mistake("rust-no-request");
        let requests = self.strong().filter(|&(answer, _)| asks(answer));
        requests.fold(marks, |marks, (_, request)| marks | Marks::one(request))
    }

    /// What a fair run that an automaton accepts carries, where the automaton has so many marks.
    pub(crate) fn condition(&self, of_automaton: u32) -> streett::Condition {
        let mut all = Marks::all(of_automaton);
        for (condition, answer) in self.conditions.iter().zip(of_automaton..) {
            if condition.strength == Strength::Weak {
                all |= Marks::one(answer);
            }
        }
        let pair = |(answer, request)| (of_automaton + request, of_automaton + answer);
        streett::Condition { all, pairs: self.strong().map(pair).collect() }
    }
}
