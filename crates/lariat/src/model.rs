//! What a user writes: the states to begin with, and the steps out of each.

use crate::State;
use crate::rows::BoxedRows;
use crate::run::Run;
use crate::space::Space;
use lariat_chart::Chart;
use std::cell::Cell;
use std::fmt::Debug;

/// A system that moves in steps.
///
/// All methods must be functions of their arguments alone: no clock, no randomness, no iteration
/// over a `HashMap`. Some states are expanded twice, and a difference is reported.
pub trait Model: Sync {
    /// What a state is.
    type State: State;
    /// What a step is called in runs, and what fairness speaks of.
    type Action: Clone + Debug + Send + Sync;

    /// The states to begin with.
    fn initial(&self) -> Vec<Self::State>;

    /// All steps out of a state. If there is none, the system rests there for ever.
    fn steps(&self, state: &Self::State, to: &mut Steps<'_, Self>);

    /// The boundary: a state for which this is false is not part of the model, and no step leads
    /// there. The report says how many would. A state whose steps all lead beyond is no end: what the
    /// system would do there is not known, so no run goes through it for ever.
    fn within(&self, _state: &Self::State) -> bool {
        true
    }

    /// Symmetry: replaces a state by the one that stands for all that differ from it only in names,
    /// for instance by sorting processes that are all alike. Two states that are replaced by one must
    /// have the same steps up to names, and properties must not tell them apart. Idempotent.
    ///
    /// Runs are shown with states as they are, not as they are replaced. Fairness is refused where
    /// states are replaced: it speaks of single actions, and renaming would mix them up.
    fn canonical(&self, _state: &mut Self::State) {
        NAMES_MATTER.set(true);
    }

    /// Whose step it is, where steps are shown by process. By default, the first number in the
    /// action: `Enter(1)` is a step of 1. No answer depends on it.
    fn process(&self, _action: &Self::Action) -> Option<String> {
        None
    }

    /// How searches see this model, for kinds of models that can do better than by calls of
    /// [`Model::steps`].
    #[doc(hidden)]
    fn rows(&self) -> BoxedRows<'_, Self::State, Self::Action>
    where
        Self: Sized,
    {
        Box::new(Space::new(self))
    }

    /// A run as a chart, if there are messages to show.
    #[doc(hidden)]
    fn drawn(&self, _run: &Run<Self>) -> Option<Chart>
    where
        Self: Sized,
    {
        None
    }
}

thread_local! {
    /// [`Model::canonical`] was called as it is given here.
    static NAMES_MATTER: Cell<bool> = const { Cell::new(false) };
}

/// Whether a model has a [`Model::canonical`] of its own. That it ever changes a state is not said.
pub(crate) fn has_symmetry<M: Model>(model: &M, state: &M::State) -> bool {
    NAMES_MATTER.set(false);
    model.canonical(&mut state.clone());
    !NAMES_MATTER.replace(false)
}

/// Takes the steps out of one state.
pub struct Steps<'a, M: Model + ?Sized> {
    source: &'a M::State,
    /// Equal to `source` between two steps.
    scratch: &'a mut M::State,
    sink: &'a mut dyn Sink<M>,
}

/// Where steps go.
pub(crate) trait Sink<M: Model + ?Sized> {
    /// A step to `next`, which is made equal to `source` again.
    fn take(&mut self, action: M::Action, source: &M::State, next: &mut M::State);
}

impl<'a, M: Model + ?Sized> Steps<'a, M> {
    pub(crate) fn new(
        source: &'a M::State,
        scratch: &'a mut M::State,
        sink: &'a mut dyn Sink<M>,
    ) -> Self {
        Steps { source, scratch, sink }
    }

    /// The state that is left.
    pub fn state(&self) -> &'a M::State {
        self.source
    }

    /// A step: what it is called, and what it changes.
    #[inline]
    pub fn step<R>(&mut self, action: M::Action, change: impl FnOnce(&mut M::State) -> R) {
        change(self.scratch);
        self.sink.take(action, self.source, self.scratch);
    }

    /// A step, unless the change says false.
    #[inline]
    pub fn step_if(&mut self, action: M::Action, change: impl FnOnce(&mut M::State) -> bool) {
        match change(self.scratch) {
            true => self.sink.take(action, self.source, self.scratch),
            false => self.scratch.clone_from(self.source),
        }
    }

    /// A step to a state.
    pub fn push(&mut self, action: M::Action, next: M::State) {
        *self.scratch = next;
        self.sink.take(action, self.source, self.scratch);
    }
}

/// All steps out of a state, in order, those beyond the boundary too: for tests of a model itself.
///
/// ```
/// use lariat::{Model, Steps, successors};
///
/// struct Count;
/// impl Model for Count {
///     type State = u8;
///     type Action = &'static str;
///     fn initial(&self) -> Vec<u8> {
///         vec![0]
///     }
///     fn steps(&self, &n: &u8, to: &mut Steps<'_, Self>) {
///         to.step_if("up", |n| { *n += 1; *n < 3 });
///     }
/// }
///
/// assert_eq!(successors(&Count, &1), [("up", 2)]);
/// assert_eq!(successors(&Count, &2), []);
/// ```
pub fn successors<M: Model>(model: &M, state: &M::State) -> Vec<(M::Action, M::State)> {
    struct All<M: Model>(Vec<(M::Action, M::State)>);
    impl<M: Model> Sink<M> for All<M> {
        fn take(&mut self, action: M::Action, source: &M::State, next: &mut M::State) {
            self.0.push((action, std::mem::replace(next, source.clone())));
        }
    }
    let mut all = All(Vec::new());
    model.steps(state, &mut Steps::new(state, &mut state.clone(), &mut all));
    all.0
}
