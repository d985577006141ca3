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
    let [all_along, again] = caught(|| put_off(model, run, start)).ok()?;
    let (when, actions) = match all_along.is_empty() {
        false => ("all along the loop", all_along),
        true => ("again and again", again),
    };
    if actions.is_empty() {
        return None;
    }
    let more = if actions.len() > MOST { ", …" } else { "" };
    let named = actions.into_iter().take(MOST).collect::<Vec<_>>().join(", ");
    Some(format!(
        "no fairness was asked for: {when}, this was possible and never done: {named}{more}"
    ))
}

/// The actions that change something and are never taken: those that are possible in every state of the
/// loop, and those that are possible in some.
fn put_off<M: Model>(model: &M, run: &Run<M>, start: usize) -> [Vec<String>; 2] {
    let possible = |state: &M::State| -> Vec<String> {
        let steps = AllSteps::of(model, state).steps;
        let changing = steps.iter().filter(|step| step.state != *state);
        changing.map(|step| format!("{:?}", step.action)).collect()
    };
    let taken: Vec<String> =
        run.actions[start..].iter().map(|action| format!("{action:?}")).collect();
    let mut all_along = possible(&run.states[start]);
    let mut again: Vec<String> = Vec::new();
    for state in &run.states[start..] {
        let here = possible(state);
        all_along.retain(|action| here.contains(action));
        again.extend(here);
    }
    let mut left = [all_along, again];
    for actions in &mut left {
        let mut seen = Vec::new();
        actions.retain(|action| {
            let is_new = !taken.contains(action) && !seen.contains(action);
            seen.push(action.clone());
            is_new
        });
    }
    left
}
