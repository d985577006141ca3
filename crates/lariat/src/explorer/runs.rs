//! Runs that were found or saved. A run is the numbers of its choices: it is found once more by calls of the model,
//! and judged, before anybody sees it.

use super::Explorer;
use crate::check::Claim;
use crate::fairness::Fairness;
use crate::formula::Tests;
use crate::judge;
use crate::model::Model;
use crate::panics::caught;
use crate::run::Run;
use crate::typed;
use lariat_explore::subject::{Fault, Finish, Judged, Question, State, Step};
use lariat_ltl::Formulas;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// A run as it is saved.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    /// The number of the initial state, then of each step among those of its state.
    pub(super) initial: usize,
    pub(super) choices: Vec<usize>,
    /// For people, and to notice another model.
    pub(super) actions: Vec<String>,
    /// The state that comes after the last step is this one's again; if it is the last, the system rests.
    pub(super) back_to: Option<usize>,
    /// What it shows; none if nothing is said about it.
    pub(super) question: Option<Question>,
    /// The question was asked at this position.
    #[serde(default)]
    pub(super) from: usize,
    /// It is fair, too.
    #[serde(default)]
    pub(super) fair: bool,
    /// The model panics in its last state.
    #[serde(default)]
    pub(super) panics: bool,
}

/// A run, and its choices.
pub(super) struct Found<M: Model> {
    pub(super) run: Run<M>,
    pub(super) rests: bool,
}

impl<'m, M: Model> Explorer<'m, M> {
    /// The numbers of a run's choices. Without one, the run is none.
    pub(super) fn choices(&self, run: &Run<M>) -> Result<(usize, Vec<usize>), String> {
        let lost = || "the model does not take these steps".to_owned();
        let found =
            caught(|| typed::initial(self.model).position(|(state, _)| state == run.states[0]));
        let initial = found?.ok_or_else(lost)?;
        let back = run.back_to.filter(|_| !run.rests()).map(|at| &run.states[at]);
        let targets = run.states[1..].iter().chain(back);
        let mut choices = Vec::with_capacity(run.actions.len());
        for ((from, action), to) in run.states.iter().zip(&run.actions).zip(targets) {
            let name = format!("{action:?}");
            let mut steps = self.successors(from)?.into_iter();
            let is_it = |s: typed::Step<M>| s.state == *to && format!("{:?}", s.action) == name;
            choices.push(steps.position(is_it).ok_or_else(lost)?);
        }
        Ok((initial, choices))
    }

    /// The run of some choices; its last state is there even if it is one of before.
    fn replay(&self, saved: &Saved) -> Result<Found<M>, String> {
        let lost = |at: usize| format!("the model has no such step {at}");
        let mut states =
            caught(|| typed::initial(self.model).map(|(state, _)| state).collect::<Vec<_>>())?;
        if saved.initial >= states.len() {
            return Err("the model has no such initial state".to_owned());
        }
        let mut run = Run {
            states: vec![states.swap_remove(saved.initial)],
            actions: Vec::new(),
            back_to: None,
        };
        for (at, &choice) in saved.choices.iter().enumerate() {
            let step = self.successors(run.last())?.into_iter().nth(choice);
            let step = step.ok_or_else(|| lost(at))?;
            if saved.actions.get(at) != Some(&format!("{:?}", step.action)) {
                return Err(format!("step {at} has another name: the model has changed since"));
            }
            run.actions.push(step.action);
            run.states.push(step.state);
        }
        let rests = saved.back_to == Some(saved.choices.len());
        match saved.back_to {
            Some(back) if rests => run.back_to = Some(back),
            Some(back) => {
                let last = run.states.pop();
                if run.states.get(back) != last.as_ref() {
                    return Err("its loop is not closed".to_owned());
                }
                run.back_to = Some(back);
            }
            None => {}
        }
        Ok(Found { run, rests })
    }

    /// Executes and judges a run.
    pub(super) fn judge(&self, saved: &Value) -> Result<Judged, String> {
        let saved: Saved =
            serde_json::from_value(saved.clone()).map_err(|error| error.to_string())?;
        let Found { run, rests } = self.replay(&saved)?;
        caught(|| judge::is_run(self.model, &run))??;
        let mut by = vec!["steps".to_owned()];
        let error = match (&saved.question, saved.panics) {
            (_, true) => {
                let Err(message) = self.successors(run.last()) else {
                    return Err("the model does not panic there".to_owned());
                };
                by.push("panic".to_owned());
                Some(Fault { kind: "panic".to_owned(), message, place: None })
            }
            (Some(question), false) => self.decided(&saved, question, &run, &mut by)?,
            (None, false) => None,
        };
        let finish = match (run.back_to, &error) {
            (Some(back), _) if !rests => Finish::Loop(back),
            (Some(_), _) => Finish::Rest,
            (None, Some(_)) => Finish::Error,
            (None, None) => Finish::Open,
        };
        let title = match (&saved.question, saved.panics) {
            (_, true) => "counterexample: panic".to_owned(),
            (None, false) => "a run of the model".to_owned(),
            (Some(question), false) => {
                let what = question.text.as_ref().or(question.name.as_ref());
                let is_wanted = self.is_wanted(question);
                let kind = if is_wanted { "example" } else { "counterexample" };
                format!("{kind}: {}", what.map_or("", String::as_str))
            }
        };
        let is_claimed = saved.question.is_some() || saved.panics;
        let back = run.back_to.filter(|_| !rests).map(|back| run.states[back].clone());
        let targets = run.states[1..].iter().cloned().chain(back);
        let steps = run.actions.iter().zip(targets).map(|(action, state)| Step {
            moves: vec![self.named(action)],
            state: Some(self.shown(state)),
        });
        Ok(Judged {
            title,
            steps: steps.collect(),
            initial: self.shown(run.states[0].clone()),
            question: saved.question.filter(|_| !saved.panics),
            finish,
            from: saved.from,
            by,
            is_claimed,
            error,
        })
    }

    /// A run of this question is what was looked for.
    pub(super) fn is_wanted(&self, question: &Question) -> bool {
        let name = question.name.as_deref().unwrap_or("");
        matches!(question.kind.as_str(), "reach" | "exists")
            || matches!(self.claim(name), Some(Claim::Reachable(_)))
    }

    /// Whether the run shows what was asked; what is wrong at its end.
    fn decided(
        &self,
        saved: &Saved,
        question: &Question,
        run: &Run<M>,
        by: &mut Vec<String>,
    ) -> Result<Option<Fault>, String> {
        let claim = self.asked(question).map_err(|wrong| wrong.message())?;
        let claim = claim.ok_or("the run shows nothing")?;
        let Claim::Temporal(formula) = &claim else {
            if !caught(|| judge::decides(self.model, &claim, run))? {
                return Err("the last state is not what was looked for".to_owned());
            }
            by.push("condition".to_owned());
            let what = question.text.as_ref().or(question.name.as_ref());
            let what = what.map_or("", String::as_str);
            let (kind, message) = match self.is_wanted(question) {
                true => ("reached", format!("reached: {what}")),
                false => ("condition", format!("not so: {what}")),
            };
            return Ok(Some(Fault { kind: kind.to_owned(), message, place: None }));
        };
        let (mut formulas, mut tests) = (Formulas::new(), Tests(Vec::new()));
        let lowered = formula.lower(&mut formulas, &mut tests)?;
        let back_to = run.back_to.ok_or("it does not go on for ever")?;
        if saved.from >= run.states.len() {
            return Err("the question was asked behind its end".to_owned());
        }
        let later = later(run, back_to, saved.from);
        caught(|| judge::violates(&formulas, lowered, &tests, &later))??;
        by.push("formula".to_owned());
        if saved.fair {
            let fairness = Fairness { conditions: self.conditions.clone() };
            caught(|| judge::is_fair(self.model, run, &fairness))??;
            by.push("fairness".to_owned());
        }
        Ok(None)
    }

    /// A run that was played: nothing is claimed about it.
    pub(super) fn save(&self, initial: &State, steps: &[Arc<Step>], finish: Finish) -> Value {
        let mut run: Run<M> = Run {
            states: vec![initial.of::<M::State>().clone()],
            actions: Vec::new(),
            back_to: None,
        };
        let mut choices = Vec::new();
        for step in steps {
            let Some(state) = &step.state else { break };
            let (state, name) = (state.of::<M::State>(), self.named_text(step));
            let found = self.successors(run.last()).unwrap_or_default();
            let is_it = |s: &typed::Step<M>| s.state == *state && format!("{:?}", s.action) == name;
            let Some(at) = found.iter().position(is_it) else { break };
            choices.push(at);
            run.actions.push(found[at].action.clone());
            run.states.push(state.clone());
        }
        let first =
            caught(|| typed::initial(self.model).position(|(state, _)| state == run.states[0]));
        let saved = Saved {
            initial: first.ok().flatten().unwrap_or(0),
            actions: run.actions.iter().map(|action| format!("{action:?}")).collect(),
            back_to: match finish {
                Finish::Loop(start) => Some(start),
                Finish::Rest => Some(choices.len()),
                Finish::Open | Finish::Error | Finish::Decided { .. } => None,
            },
            choices,
            ..Saved::default()
        };
        json!(saved)
    }

    fn named_text(&self, step: &Step) -> String {
        let texts = self.known();
        let number = step.moves.first().map(|&(_, number)| number as usize);
        number.and_then(|number| texts.actions.get(number)).cloned().unwrap_or_default()
    }
}

/// The run from a position on. One inside the loop is gone round once more.
fn later<M: Model>(run: &Run<M>, back_to: usize, from: usize) -> Run<M> {
    let mut states = run.states[from..].to_vec();
    let mut start = back_to.saturating_sub(from);
    if from > back_to {
        // From there to the end, then the whole loop.
        start = states.len();
        states.extend_from_slice(&run.states[back_to..]);
    }
    // Formulas look at states alone.
    Run { actions: Vec::new(), back_to: Some(start), states }
}
