//! A check, in a process of its own.

use super::Explorer;
use super::runs::Saved;
use crate::check::{Check, Claim};
use crate::model::{Model, Steps};
use crate::panics::caught;
use crate::report::{Finding, Report};
use crate::run::Run;
use crate::typed;
use crate::verdict::Verdict;
use lariat_core::headway;
use lariat_explore::lines::{self, Lines};
use lariat_explore::subject::{Ask, Question};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::time::Duration;

/// What is asked is called so.
const ASKED: &str = "asked";

/// What a worker is to do.
#[derive(Serialize, Deserialize)]
pub(super) struct Task {
    fingerprint: String,
    question: Question,
    /// Where the search begins: the number of an initial state, and of each step.
    from: Option<(usize, Vec<usize>)>,
    fair: bool,
    seconds: u64,
    memory: Option<usize>,
}

/// The model as it goes on behind some steps.
struct Begun<'m, M: Model> {
    model: &'m M,
    start: M::State,
}

impl<M: Model> Model for Begun<'_, M> {
    type State = M::State;
    type Action = M::Action;

    fn initial(&self) -> Vec<M::State> {
        vec![self.start.clone()]
    }

    fn steps(&self, state: &M::State, to: &mut Steps<'_, Self>) {
        // Those of the model, handed on one by one.
        for (action, next) in crate::model::successors(self.model, state) {
            to.push(action, next);
        }
    }

    fn within(&self, state: &M::State) -> bool {
        self.model.within(state)
    }

    fn canonical(&self, state: &mut M::State) {
        self.model.canonical(state);
    }
}

impl<'m, M: Model> Explorer<'m, M> {
    pub(super) fn task_of(&self, asked: &Ask) -> Result<Value, String> {
        let fair = match asked.fair.as_deref() {
            // What the program asks is asked as the program does.
            None => asked.question.kind == "named",
            Some("given") => true,
            Some(other) => return Err(format!("`{other}` says nothing about this model")),
        };
        if asked.shortest {
            return Err("a shortest run is looked for where states are asked for anyway".to_owned());
        }
        let from = match &asked.from {
            None => None,
            Some(from) => {
                let saved =
                    self.save(&from.initial, &from.steps, lariat_explore::subject::Finish::Open);
                let saved: Saved =
                    serde_json::from_value(saved).map_err(|error| error.to_string())?;
                if saved.choices.len() != from.steps.len() {
                    return Err("the model does not take these steps".to_owned());
                }
                Some((saved.initial, saved.choices))
            }
        };
        let (question, seconds, memory) = (asked.question.clone(), asked.seconds, asked.memory);
        let fingerprint = self.fingerprint.clone();
        let task = Task { fingerprint, question, from, fair, seconds, memory };
        serde_json::to_value(task).map_err(|error| error.to_string())
    }

    /// Does the task on standard input.
    pub(super) fn work(&self) {
        lines::work(|task: Task, out| self.answer(&task, out));
    }

    pub(super) fn answer(&self, task: &Task, out: &Lines) -> Result<Value, String> {
        if task.fingerprint != self.fingerprint {
            return Err("the model has changed since the page was opened; start again".to_owned());
        }
        let claim = self.asked(&task.question).map_err(|wrong| wrong.message())?;
        match &task.from {
            None => {
                let report = self.check(Check::of(self.model), claim, task, out).run();
                self.told(task, &report, None)
            }
            Some((initial, choices)) => {
                let before = self.walk(*initial, choices)?;
                let begun = Begun { model: self.model, start: before.last().clone() };
                let report = self.check(Check::of(&begun), claim, task, out).run();
                self.told(task, &report, Some(&before))
            }
        }
    }

    /// The states and actions of some choices.
    fn walk(&self, initial: usize, choices: &[usize]) -> Result<Run<M>, String> {
        let lost = || "the model does not take these steps".to_owned();
        let first = caught(|| typed::initial(self.model).nth(initial))?.ok_or_else(lost)?.0;
        let mut run = Run { states: vec![first], actions: Vec::new(), back_to: None };
        for &choice in choices {
            let step = self.successors(run.last())?.into_iter().nth(choice).ok_or_else(lost)?;
            run.actions.push(step.action);
            run.states.push(step.state);
        }
        Ok(run)
    }

    fn check<'c, N: Model<State = M::State, Action = M::Action>>(
        &self,
        mut check: Check<'c, N>,
        claim: Option<Claim<'m, M::State>>,
        task: &Task,
        out: &'c Lines,
    ) -> Check<'c, N>
    where
        'm: 'c,
    {
        check.claims.extend(claim.map(|claim| (ASKED.to_owned(), claim)));
        if task.fair {
            check.conditions = self.conditions.clone();
        }
        (check.limits, check.store) = (self.limits, self.store);
        check.limits.bytes = task.memory.or(check.limits.bytes);
        let check = check.stop_at_first().time_limit(Duration::from_secs(task.seconds));
        check.on_progress(|now| {
            let headway = headway::now();
            out.so_far(now.states, headway.depth.or(headway.level), now.bytes, &headway);
            ControlFlow::Continue(())
        })
    }

    /// `before`: the run to where the search began.
    fn told<N: Model<State = M::State, Action = M::Action>>(
        &self,
        task: &Task,
        report: &Report<N>,
        before: Option<&Run<M>>,
    ) -> Result<Value, String> {
        // A panic is told where nothing else was found.
        let is_decided = |found: &&Finding<N>| !matches!(found.verdict, Verdict::Inconclusive(_));
        let asked = report.findings.iter().filter(|found| found.name == ASKED);
        let finding = asked.clone().find(is_decided).or(report.findings.first());
        let is_wanted = self.is_wanted(&task.question);
        let (verdict, why) = match finding.map(|finding| &finding.verdict) {
            // The search has seen everything, and nobody panicked.
            None => ("holds", None),
            Some(Verdict::Holds) if is_wanted => ("refuted", None),
            Some(Verdict::Holds) => ("holds", None),
            Some(Verdict::Unreachable) => ("refuted", None),
            Some(Verdict::Reached(_)) => ("found", None),
            Some(Verdict::Violated(_)) if is_wanted => ("found", None),
            Some(Verdict::Violated(_) | Verdict::Panicked(..)) => ("violated", None),
            Some(Verdict::Inconclusive(reason)) => ("inconclusive", Some(reason.to_string())),
        };
        let panics = matches!(finding.map(|f| &f.verdict), Some(Verdict::Panicked(..)));
        let run = finding.and_then(|finding| finding.verdict.run());
        let saved = run.map(|run| self.saved(task, run, before, panics)).transpose()?;
        let stats = &report.stats;
        Ok(json!({
            "verdict": verdict,
            "why": why,
            "check": "rust",
            "error": finding.and_then(|found| match &found.verdict {
                Verdict::Panicked(text, _) => Some(format!("the model panics: {text}")),
                _ => None,
            }),
            "saved": saved,
            "statistics": {
                "states": stats.states,
                "system_states": stats.states,
                "transitions": stats.transitions,
                "depth": stats.depth,
                "memory": stats.bytes,
                "seconds": stats.time.as_secs_f64(),
                "automaton_states": Value::Null,
            },
            "warnings": finding.and_then(|finding| finding.hint.clone()).into_iter().collect::<Vec<_>>(),
            "coverage": Value::Null,
        }))
    }

    /// The run that was found, from an initial state on.
    fn saved<N: Model<State = M::State, Action = M::Action>>(
        &self,
        task: &Task,
        found: &Run<N>,
        before: Option<&Run<M>>,
        panics: bool,
    ) -> Result<Saved, String> {
        let from = before.map_or(0, |before| before.actions.len());
        let mut states = before.map_or(Vec::new(), |before| before.states[..from].to_vec());
        let mut actions = before.map_or(Vec::new(), |before| before.actions.clone());
        states.extend(found.states.iter().cloned());
        actions.extend(found.actions.iter().cloned());
        let back_to = found.back_to.map(|back| back + from);
        let run: Run<M> = Run { states, actions, back_to };
        let (initial, choices) = self.choices(&run)?;
        Ok(Saved {
            initial,
            choices,
            actions: run.actions.iter().map(|action| format!("{action:?}")).collect(),
            back_to,
            question: (!panics).then(|| task.question.clone()),
            from,
            fair: task.fair && back_to.is_some(),
            panics,
        })
    }
}
