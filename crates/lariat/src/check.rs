//! What is asked about a model, and under which limits.

use crate::answer;
use crate::fairness::{Condition, Fairness, IsOf, Strength};
use crate::formula::{self, Ltl};
use crate::graph::{Limits, Progress, Tell, Test};
use crate::model::Model;
use crate::report::Report;
use crate::simulate;
use lariat_core::{memory, stop};
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A question.
#[derive(Clone)]
pub(crate) enum Claim<'m, S> {
    Always(Test<'m, S>),
    Reachable(Test<'m, S>),
    EndsOnlyIn(Test<'m, S>),
    Temporal(Ltl<'m, S>),
}

/// Where states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Store {
    /// Packed into 64 or 128 bits, as they are: little memory, and the fastest. States that need more go
    /// into one of the other stores, whichever suits the kind of model.
    #[default]
    Fitting,
    /// Parts that states share are kept once: the least memory.
    Tree,
    /// Each state is a row of numbers: faster where parts change together.
    Flat,
}

/// Questions about a model, and what is assumed of its runs.
///
/// All questions are answered in one go. Whatever is violated comes with a run that was found once more
/// by calls of the model alone, and judged by definition, before it is shown.
///
/// ```
/// use lariat::{Check, Model, Steps};
///
/// /// Counts to a number and back.
/// struct Pendulum(u32);
///
/// impl Model for Pendulum {
///     type State = (u32, bool);
///     type Action = &'static str;
///     fn initial(&self) -> Vec<(u32, bool)> {
///         vec![(0, true)]
///     }
///     fn steps(&self, &(at, up): &(u32, bool), to: &mut Steps<'_, Self>) {
///         if up && at < self.0 {
///             to.step("up", |s| s.0 += 1);
///         } else if !up && at > 0 {
///             to.step("down", |s| s.0 -= 1);
///         } else {
///             to.step("turn", |s| s.1 = !s.1);
///         }
///     }
/// }
///
/// let report = Check::of(&Pendulum(3))
///     .always("not too far", |s| s.0 <= 3)
///     .reachable("as far as it goes", |s| s.0 == 3)
///     .ends_only_in("no end", |_| false)
///     .run();
/// report.assert_ok();
/// assert_eq!(report.stats.states, 8);
/// ```
#[must_use = "nothing is checked before `run`"]
pub struct Check<'m, M: Model> {
    pub(crate) model: &'m M,
    pub(crate) claims: Vec<(String, Claim<'m, M::State>)>,
    pub(crate) conditions: Vec<Condition<'m, M::Action>>,
    pub(crate) limits: Limits,
    pub(crate) stops_at_first: bool,
    pub(crate) store: Store,
    pub(crate) tell: Option<Tell<'m>>,
    time_limit: Option<Duration>,
}

impl<'m, M: Model> Check<'m, M> {
    /// No question yet. A check without any counts the states.
    pub fn of(model: &'m M) -> Self {
        let bytes = memory::available().map(|bytes| bytes / 2);
        Check {
            model,
            claims: Vec::new(),
            conditions: Vec::new(),
            limits: Limits { states: u64::MAX, depth: u64::MAX, bytes },
            stops_at_first: false,
            store: Store::default(),
            tell: None,
            time_limit: None,
        }
    }

    fn claim(mut self, name: impl Into<String>, claim: Claim<'m, M::State>) -> Self {
        self.claims.push((name.into(), claim));
        self
    }

    /// In every state that can be reached.
    pub fn always(
        self,
        name: impl Into<String>,
        test: impl Fn(&M::State) -> bool + Send + Sync + 'm,
    ) -> Self {
        self.claim(name, Claim::Always(Arc::new(test)))
    }

    /// In some state that can be reached. To ask for what the model must be able to do finds models
    /// that do nothing.
    pub fn reachable(
        self,
        name: impl Into<String>,
        test: impl Fn(&M::State) -> bool + Send + Sync + 'm,
    ) -> Self {
        self.claim(name, Claim::Reachable(Arc::new(test)))
    }

    /// Wherever no step leads on. `|_| false`: there is always a step.
    pub fn ends_only_in(
        self,
        name: impl Into<String>,
        test: impl Fn(&M::State) -> bool + Send + Sync + 'm,
    ) -> Self {
        self.claim(name, Claim::EndsOnlyIn(Arc::new(test)))
    }

    /// On every fair run, such a state comes. Runs that go round for ever count, as do runs that end.
    pub fn eventually(
        self,
        name: impl Into<String>,
        test: impl Fn(&M::State) -> bool + Send + Sync + 'm,
    ) -> Self {
        let name = name.into();
        let formula = formula::eventually(formula::prop(name.clone(), test));
        self.holds(name, formula)
    }

    /// On every fair run. A system at rest stays where it is.
    pub fn holds(self, name: impl Into<String>, formula: Ltl<'m, M::State>) -> Self {
        self.claim(name, Claim::Temporal(formula))
    }

    fn fair(mut self, name: String, strength: Strength, is_of: IsOf<'m, M::Action>) -> Self {
        self.conditions.push(Condition { name, strength, is_of });
        self
    }

    /// Only runs count on which these steps, if they are possible from some point on for ever, are
    /// taken again and again.
    pub fn weakly_fair(
        self,
        name: impl Into<String>,
        steps: impl Fn(&M::Action) -> bool + Send + Sync + 'm,
    ) -> Self {
        self.fair(name.into(), Strength::Weak, Arc::new(steps))
    }

    /// Only runs count on which these steps, if they are possible again and again, are taken again and
    /// again.
    pub fn strongly_fair(
        self,
        name: impl Into<String>,
        steps: impl Fn(&M::Action) -> bool + Send + Sync + 'm,
    ) -> Self {
        self.fair(name.into(), Strength::Strong, Arc::new(steps))
    }

    /// [`Check::weakly_fair`] to each of these, such as processes: the conditions are apart.
    pub fn weakly_fair_each<K: Debug + Send + Sync + 'm>(
        self,
        keys: impl IntoIterator<Item = K>,
        is_of: impl Fn(&M::Action, &K) -> bool + Send + Sync + 'm,
    ) -> Self {
        self.fair_each(Strength::Weak, keys, is_of)
    }

    /// [`Check::strongly_fair`] to each of these.
    pub fn strongly_fair_each<K: Debug + Send + Sync + 'm>(
        self,
        keys: impl IntoIterator<Item = K>,
        is_of: impl Fn(&M::Action, &K) -> bool + Send + Sync + 'm,
    ) -> Self {
        self.fair_each(Strength::Strong, keys, is_of)
    }

    fn fair_each<K: Debug + Send + Sync + 'm>(
        mut self,
        strength: Strength,
        keys: impl IntoIterator<Item = K>,
        is_of: impl Fn(&M::Action, &K) -> bool + Send + Sync + 'm,
    ) -> Self {
        let is_of = Arc::new(is_of);
        for key in keys {
            let is_of = Arc::clone(&is_of);
            let name = format!("{key:?}");
            self = self.fair(name, strength, Arc::new(move |action| is_of(action, &key)));
        }
        self
    }

    /// Gives up beyond so many states.
    pub fn max_states(mut self, states: u64) -> Self {
        self.limits.states = states;
        self
    }

    /// States more than so many steps away from all initial ones are not looked at. Temporal searches
    /// go depth first, and give up on a path of that length.
    pub fn max_depth(mut self, depth: u64) -> Self {
        self.limits.depth = depth;
        self
    }

    /// Gives up where so many bytes are taken. By default, half of what the machine has to give. What
    /// states have on the heap counts where the system tells how much the process has (on Linux).
    pub fn max_memory(mut self, bytes: usize) -> Self {
        self.limits.bytes = Some(bytes);
        self
    }

    /// Gives up after this time.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Ends with the first violation. By default, all questions are answered.
    pub fn stop_at_first(mut self) -> Self {
        self.stops_at_first = true;
        self
    }

    /// Where states are kept. No answer depends on it.
    pub fn store(mut self, store: Store) -> Self {
        self.store = store;
        self
    }

    /// Is told how far a search is, some times a second, and may end it.
    pub fn on_progress(
        mut self,
        tell: impl FnMut(Progress) -> ControlFlow<()> + Send + 'm,
    ) -> Self {
        self.tell = Some(Box::new(tell));
        self
    }

    fn deadline(&self) -> Option<Instant> {
        self.time_limit.and_then(|limit| Instant::now().checked_add(limit))
    }

    pub(crate) fn fairness(&mut self) -> Fairness<'m, M::Action> {
        Fairness { conditions: std::mem::take(&mut self.conditions) }
    }

    /// Looks at everything that can be reached, and answers all questions.
    pub fn run(self) -> Report<M> {
        stop::within(self.deadline(), || answer::answer(self))
    }

    /// Looks at so many random runs, each of at most so many steps, and never says that something
    /// holds. The same seed gives the same runs.
    pub fn simulate(self, runs: u64, length: u64, seed: u64) -> Report<M> {
        stop::within(self.deadline(), || simulate::simulate(self, runs, length, seed))
    }
}
