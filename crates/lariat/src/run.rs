//! Runs, and how the ids of a search become one: every run is found once more by the model's own steps.

use crate::fairness::{Fairness, Strength};
use crate::model::Model;
use crate::typed::{self, AllSteps};
use lariat_core::Marks;

/// A run of a model.
pub struct Run<M: Model + ?Sized> {
    /// The states in order.
    pub states: Vec<M::State>,
    /// The step between each two of them. If the run goes round, one more: from the last state back.
    pub actions: Vec<M::Action>,
    /// The run goes on for ever: after the last state comes this one again. If there is one action
    /// less than states, the system rests in the last state.
    pub back_to: Option<usize>,
}

impl<M: Model> Clone for Run<M> {
    fn clone(&self) -> Self {
        let Run { states, actions, back_to } = self;
        Run { states: states.clone(), actions: actions.clone(), back_to: *back_to }
    }
}

impl<M: Model + ?Sized> Run<M> {
    /// Whether the system rests in the last state for ever.
    pub fn rests(&self) -> bool {
        self.back_to.is_some() && self.actions.len() < self.states.len()
    }

    /// The last state.
    pub fn last(&self) -> &M::State {
        self.states.last().expect("a run has a first state")
    }

    /// What is repeated for ever: the states from here on.
    pub(crate) fn loop_start(&self) -> usize {
        self.back_to.unwrap_or(self.states.len() - 1)
    }
}

/// How often a loop of representatives is gone round until it closes.
const MOST_ROUNDS: usize = 10_000;

/// The run along these states, each of which stands for all that differ from it in names only. If
/// `back_to` is given, the last one leads back there.
pub(crate) fn along<M: Model>(
    model: &M,
    path: &[M::State],
    back_to: Option<usize>,
    fairness: &Fairness<'_, M::Action>,
) -> Result<Run<M>, String> {
    let lost = |at: usize| format!("no step leads to state {at} of the run that was found");
    let first = path.first().ok_or("the run that was found has no state")?;
    let start = typed::initial(model).find(|(_, canonical)| canonical == first);
    let mut run =
        Run { states: vec![start.ok_or_else(|| lost(0))?.0], actions: Vec::new(), back_to };
    let mut at = 0;
    // The states with which the loop was begun, and where they stand.
    let mut beginnings: Vec<usize> = Vec::new();
    loop {
        if back_to == Some(at) {
            let here = run.states.len() - 1;
            let state = &run.states[here];
            if let Some(&before) = beginnings.iter().find(|&&before| run.states[before] == *state) {
                // It closes. The state is there already.
                run.states.pop();
                run.back_to = Some(before);
                break;
            }
            if beginnings.len() >= MOST_ROUNDS {
                return Err("the loop that was found does not close".to_owned());
            }
            beginnings.push(here);
        }
        let next = match (at + 1 < path.len(), back_to) {
            (true, _) => at + 1,
            (false, Some(back_to)) => back_to,
            (false, None) => return Ok(run),
        };
        let all = AllSteps::of(model, run.last());
        if all.is_rest() && back_to.is_some() {
            // All that comes is this state.
            let here = &path[at];
            let rest = path[at..].iter().all(|state| state == here);
            if !rest || path[next] != *here {
                return Err(lost(next));
            }
            run.back_to = Some(run.states.len() - 1);
            return Ok(run);
        }
        let step = all.steps.into_iter().find(|step| step.canonical == path[next]);
        let step = step.ok_or_else(|| lost(next))?;
        run.actions.push(step.action);
        run.states.push(step.state);
        at = next;
    }
    if !fairness.is_empty() {
        go_round(model, &mut run, fairness);
    }
    begin_early(&mut run);
    Ok(run)
}

/// Steps side by side lead from one state to another: the loop is gone round as often as it takes to
/// be fair to all. The judge says whether it is.
fn go_round<M: Model>(model: &M, run: &mut Run<M>, fairness: &Fairness<'_, M::Action>) {
    let start = run.loop_start();
    let states: Vec<M::State> = run.states[start..].to_vec();
    // By state of the loop: the steps to the next one, and what is possible.
    let mut choices: Vec<Vec<(M::Action, Marks)>> = Vec::new();
    let (mut ever, mut for_ever) = (Marks::NONE, Marks::all(64));
    for (at, state) in states.iter().enumerate() {
        let next = &states[(at + 1) % states.len()];
        let answers = |step: &typed::Step<M>| match step.state == *state {
            true => Marks::NONE,
            false => fairness.answers(&step.action),
        };
        let steps = AllSteps::of(model, state).steps;
        let possible = steps.iter().map(answers).fold(Marks::NONE, |all, one| all | one);
        (ever, for_ever) = (ever | possible, Marks(for_ever.0 & possible.0));
        let fitting = steps.into_iter().filter(|step| step.state == *next);
        choices
            .push(fitting.map(|step| (answers(&step), step)).map(|(m, s)| (s.action, m)).collect());
    }
    let wanted = fairness.conditions.iter().zip(0..).filter(|(condition, answer)| {
        let possible = if condition.strength == Strength::Weak { for_ever } else { ever };
        possible.has(*answer)
    });
    let mut missing = wanted.fold(Marks::NONE, |marks, (_, answer)| marks | Marks::one(answer));
    run.states.truncate(start);
    run.actions.truncate(start);
    loop {
        let before = missing;
        for (state, choices) in states.iter().zip(&choices) {
            // The first among the best, so that a loop without need for more is the plain one.
            let served = |marks: Marks| (marks.0 & missing.0).count_ones();
            let best = choices.iter().map(|(_, marks)| served(*marks)).max();
            let chosen = choices.iter().find(|(_, marks)| Some(served(*marks)) == best);
            let Some((action, marks)) = chosen else { return };
            missing = missing.without(*marks);
            run.states.push(state.clone());
            run.actions.push(action.clone());
        }
        if missing.is_empty() || missing == before {
            return;
        }
    }
}

/// The automaton may have waited a step: a loop begins as early as it can.
fn begin_early<M: Model>(run: &mut Run<M>) {
    let same = |a: &M::Action, b: &M::Action| format!("{a:?}") == format!("{b:?}");
    while let Some(start) = run.back_to.filter(|&start| start > 0 && start + 1 < run.states.len())
        && run.last() == &run.states[start - 1]
        && same(&run.actions[run.actions.len() - 1], &run.actions[start - 1])
    {
        run.states.pop();
        run.actions.pop();
        run.back_to = Some(start - 1);
    }
}
