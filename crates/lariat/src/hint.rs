//! What may help to understand a violation.

use crate::model::Model;
use crate::panics::caught;
use crate::run::Run;
use crate::typed::AllSteps;
use crate::verdict::Verdict;

/// So many actions are named.
const MOST: usize = 5;

/// A run that goes on for ever and puts something off that was possible all along: mostly that is
/// not what was meant.
pub(crate) fn hint<M: Model>(model: &M, verdict: &Verdict<M>, is_unfair: bool) -> Option<String> {
    let Verdict::Violated(run) = verdict else { return None };
    let start = run.back_to.filter(|_| is_unfair && !run.rests())?;
    let actions = caught(|| put_off(model, run, start)).ok()?;
    if actions.is_empty() {
        return None;
    }
    let more = if actions.len() > MOST { ", …" } else { "" };
    let named = actions.into_iter().take(MOST).collect::<Vec<_>>().join(", ");
    Some(format!(
        "no fairness was asked for: all along the loop, this was possible and never done: {named}{more}"
    ))
}

/// The actions that are possible in every state of the loop, change something, and are never taken.
fn put_off<M: Model>(model: &M, run: &Run<M>, start: usize) -> Vec<String> {
    let possible = |state: &M::State| -> Vec<String> {
        let steps = AllSteps::of(model, state).steps;
        let changing = steps.iter().filter(|step| step.state != *state);
        changing.map(|step| format!("{:?}", step.action)).collect()
    };
    let mut left = possible(&run.states[start]);
    left.dedup();
    for state in &run.states[start + 1..] {
        let here = possible(state);
        left.retain(|action| here.contains(action));
    }
    let taken: Vec<String> =
        run.actions[start..].iter().map(|action| format!("{action:?}")).collect();
    left.retain(|action| !taken.contains(action));
    left
}
