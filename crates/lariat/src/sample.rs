//! Mistakes of a model that searches would not notice: some states are looked at twice.
//!
//! The first thousand states and every thousandth after are expanded once more, by calls of the model
//! alone. That finds steps that are no function of the state (a clock, randomness), values whose `Eq`
//! and `Hash` disagree, and symmetry that is none. It finds mistakes of the rows as well.

use crate::graph::Test;
use crate::model::Model;
use crate::typed::{AllSteps, Step};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Whether a state is looked at that is expanded as the one of this number.
#[inline]
pub(crate) fn is_due(number: u64) -> bool {
    number < 1_000 || number.is_multiple_of(1_000)
}

/// Looks at a state with so many steps beyond the boundary, whose successors are these.
pub(crate) fn look<M: Model>(
    model: &M,
    state: &M::State,
    beyond: u64,
    mut successor: impl FnMut(usize) -> Option<M::State>,
    tests: &[Test<'_, M::State>],
) -> Result<(), String> {
    let again = state.clone();
    if again != *state || hash(&again) != hash(state) {
        return Err(format!(
            "a clone of this state is not equal to it, or has another hash: {state:?}"
        ));
    }
    let AllSteps { steps, beyond: beyond_again } = AllSteps::of(model, state);
    let mut left: Vec<Option<&Step<M>>> = steps.iter().map(Some).collect();
    for at in 0.. {
        let Some(next) = successor(at) else { break };
        // Mostly the order is the same.
        let is_it = |step: &Option<&Step<M>>| step.is_some_and(|step| step.canonical == next);
        let found = match left.get(at).is_some_and(is_it) {
            true => Some(at),
            false => left.iter().position(is_it),
        };
        match found {
            Some(found) => left[found] = None,
            None => return Err(differs(state, &format!("a step to {next:?} was there once only"))),
        }
    }
    if let Some(step) = left.into_iter().flatten().next() {
        let which = format!("{:?} was there once only", step.action);
        return Err(differs(state, &which));
    }
    if beyond != beyond_again {
        return Err(differs(state, "steps beyond the boundary were there once only"));
    }
    steps.iter().try_for_each(|step| is_symmetric(model, step, tests))
}

fn differs(state: impl std::fmt::Debug, what: &str) -> String {
    format!(
        "the steps are no function of the state: {what}, out of {state:?}. Do they depend on a \
         clock, on randomness, on the order of a HashMap, or do `Eq` and `Hash` disagree?"
    )
}

fn is_symmetric<M: Model>(
    model: &M,
    step: &Step<M>,
    tests: &[Test<'_, M::State>],
) -> Result<(), String> {
    let Step { state, canonical, .. } = step;
    if state == canonical {
        return Ok(());
    }
    let mut twice = canonical.clone();
    model.canonical(&mut twice);
    if twice != *canonical {
        return Err(format!("`canonical` is not idempotent: {canonical:?} becomes {twice:?}"));
    }
    match tests.iter().all(|test| test(state) == test(canonical)) {
        true => Ok(()),
        false => Err(format!(
            "a property tells states apart that `canonical` takes for one: {state:?} and {canonical:?}"
        )),
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
