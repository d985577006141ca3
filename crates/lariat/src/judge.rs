//! The judge: nothing is shown as a violation unless it is one by definition.
//!
//! It shares nothing with the searches but the model itself. A run is looked at step by step, by
//! [`Model::steps`] alone; formulas are evaluated on the word by `ltl::eval`, without automata; fairness
//! is looked at state by state.

use crate::check::Claim;
use crate::fairness::{Condition, Fairness, Strength};
use crate::formula::Tests;
use crate::model::Model;
use crate::run::Run;
use crate::typed::{self, AllSteps};
use lariat_ltl::eval::{Letter, Word};
use lariat_ltl::{Formulas, Ltl, eval};

/// Whether this is a run of the model. The error says what is wrong, in half a sentence.
pub(crate) fn is_run<M: Model>(model: &M, run: &Run<M>) -> Result<(), String> {
    let first = run.states.first().ok_or("it has no state")?;
    if !typed::initial(model).any(|(state, _)| state == *first) {
        return Err("it does not begin in an initial state".to_owned());
    }
    let back = run.back_to.filter(|_| !run.rests()).map(|at| &run.states[at]);
    let targets = run.states[1..].iter().chain(back);
    if run.actions.len() != targets.clone().count() {
        return Err("it has too many or too few actions".to_owned());
    }
    for (at, ((from, action), to)) in run.states.iter().zip(&run.actions).zip(targets).enumerate() {
        let name = format!("{action:?}");
        let is_it =
            |step: &typed::Step<M>| step.state == *to && format!("{:?}", step.action) == name;
        if !AllSteps::of(model, from).steps.iter().any(is_it) {
            return Err(format!("its step {} is none of the model", at + 1));
        }
    }
    match run.rests() && !AllSteps::of(model, run.last()).is_rest() {
        true => Err("it ends where steps are possible".to_owned()),
        false => Ok(()),
    }
}

/// Whether a run that goes on for ever is fair to all.
pub(crate) fn is_fair<M: Model>(
    model: &M,
    run: &Run<M>,
    fairness: &Fairness<'_, M::Action>,
) -> Result<(), String> {
    if run.rests() {
        return Ok(());
    }
    let start = run.back_to.ok_or("it does not go on for ever")?;
    let steps = || (start..run.states.len()).map(|at| (&run.states[at], &run.actions[at]));
    for condition in &fairness.conditions {
        let is_possible = |state: &M::State| {
            let steps = AllSteps::of(model, state).steps;
            steps.iter().any(|step| step.state != *state && (condition.is_of)(&step.action))
        };
        let asks = match condition.strength {
            Strength::Weak => steps().all(|(state, _)| is_possible(state)),
            Strength::Strong => steps().any(|(state, _)| is_possible(state)),
        };
        if asks && !is_taken(run, start, condition) {
            return Err(format!("it is not fair to {}", condition.name));
        }
    }
    Ok(())
}

fn is_taken<M: Model>(run: &Run<M>, start: usize, condition: &Condition<'_, M::Action>) -> bool {
    let last = run.states.len() - 1;
    (start..=last).any(|at| {
        let to = if at == last { &run.states[start] } else { &run.states[at + 1] };
        *to != run.states[at] && (condition.is_of)(&run.actions[at])
    })
}

/// The letters that a formula sees along a run.
pub(crate) fn word<M: Model>(
    formulas: &Formulas,
    tests: &Tests<'_, M::State>,
    run: &Run<M>,
) -> Word {
    let letter = |state: &M::State| {
        let mut letter = Letter::default();
        for (ap, name) in (0..).zip(formulas.ap_names()) {
            if tests.get(name).is_some_and(|test| test(state)) {
                letter.set(ap);
            }
        }
        letter
    };
    Word { letters: run.states.iter().map(letter).collect(), loop_start: run.loop_start() }
}

/// Whether the run violates the formula.
pub(crate) fn violates<M: Model>(
    formulas: &Formulas,
    formula: Ltl,
    tests: &Tests<'_, M::State>,
    run: &Run<M>,
) -> Result<(), String> {
    match eval::holds(formulas, formula, &word(formulas, tests, run)) {
        true => Err("the formula holds on it".to_owned()),
        false => Ok(()),
    }
}

/// Whether the last state of a run is what a question about states looks for.
pub(crate) fn decides<M: Model>(model: &M, claim: &Claim<'_, M::State>, run: &Run<M>) -> bool {
    // What was tested is the state that stands for this one.
    let mut last = run.last().clone();
    model.canonical(&mut last);
    match claim {
        Claim::Always(test) => !test(&last),
        Claim::Reachable(test) => test(&last),
        Claim::EndsOnlyIn(test) => !test(&last) && AllSteps::of(model, run.last()).is_rest(),
        Claim::Temporal(_) => false,
    }
}
