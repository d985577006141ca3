//! Steps, branches, random walks, loops.

use std::sync::Arc;

use lariat_ltl::random::Rng;

use super::run::Run;
use super::{Answer, Refusal, Session, locked};
use crate::subject::{Enabled, Finish, Step};

/// Steps of one random walk.
const LONGEST_WALK: usize = 1000;

impl Session<'_> {
    /// A new run at an initial state.
    pub fn start(&self, number: usize) -> Answer {
        let id = self.add(Run::played(self.initial(number)?))?;
        Ok((201, self.summary_of(&id)?.1))
    }

    /// Takes an enabled step at a position.
    pub fn step(&self, id: &str, at: usize, choice: usize) -> Answer {
        let run = self.run(id)?;
        let mut enabled = self.enabled(&run, at)?;
        if choice >= enabled.len() {
            let count = enabled.len();
            return Err(Refusal::bad(format!("choice {choice}: position {at} has {count} steps")));
        }
        let chosen = enabled.swap_remove(choice);
        if run.steps.get(at).is_some_and(|taken| **taken == chosen.step) {
            return Ok((200, self.summary(id, &run)));
        }
        self.go_on(id, &run, at, vec![chosen])
    }

    /// Takes random steps from a position.
    pub fn walk(&self, id: &str, at: usize, steps: usize, seed: u64) -> Answer {
        let run = self.run(id)?;
        let mut random = Rng::new(seed);
        let mut enabled = self.enabled(&run, at)?;
        let mut taken = Vec::new();
        while taken.len() < steps.min(LONGEST_WALK) && !enabled.is_empty() {
            let chosen = enabled.swap_remove(random.below(enabled.len()));
            let next = chosen.step.state.clone().filter(|_| chosen.error.is_none());
            taken.push(chosen);
            enabled = next.map_or(Vec::new(), |state| self.subject.enabled(&state));
        }
        match taken.is_empty() {
            true => Ok((200, self.summary(id, &run))),
            false => self.go_on(id, &run, at, taken),
        }
    }

    /// Closes an open run whose last state is an earlier one again.
    pub fn close(&self, id: &str, start: usize) -> Answer {
        let run = self.run(id)?;
        let end = run.steps.len();
        if run.ending != Finish::Open || start >= end || run.state(start) != run.state(end) {
            let message = format!("the last state of {id} is not that of position {start}");
            return Err(Refusal::refused(message));
        }
        let mut closed = run.beginning(id, end);
        closed.title = format!("loop from step {start}");
        closed.ending = Finish::Loop(start);
        let id = self.add(closed)?;
        Ok((201, self.summary_of(&id)?.1))
    }

    /// The steps of a position.
    pub(super) fn enabled(&self, run: &Run, at: usize) -> Result<Vec<Enabled>, Refusal> {
        if at > run.steps.len() {
            let steps = run.steps.len();
            return Err(Refusal::bad(format!(
                "there is no position {at}: the run has {steps} steps"
            )));
        }
        Ok(run.state(at).map_or(Vec::new(), |state| self.subject.enabled(state)))
    }

    /// An open run that is played grows at its end; everything else branches.
    fn go_on(&self, id: &str, run: &Arc<Run>, at: usize, taken: Vec<Enabled>) -> Answer {
        let grows = at == run.steps.len() && run.ending == Finish::Open && run.judged_by.is_empty();
        let mut next = if grows { run.copy() } else { run.beginning(id, at) };
        for Enabled { step, error } in taken {
            let ends = error.is_some() || step.state.is_none();
            next.steps.push(Arc::new(step));
            if ends {
                next.ending = Finish::Error;
                next.error = error;
            }
        }
        if next.ending == Finish::Open
            && next
                .state(next.steps.len())
                .is_some_and(|last| self.subject.enabled(last).is_empty())
        {
            next.ending = Finish::Rest;
        }
        if !grows {
            let id = self.add(next)?;
            return Ok((201, self.summary_of(&id)?.1));
        }
        if next.steps.len() > self.limits.steps {
            let most = self.limits.steps;
            return Err(Refusal::refused(format!("a run has at most {most} steps here")));
        }
        let mut runs = locked(&self.runs);
        // Another tab may have gone on meanwhile.
        if !runs.get(id).is_some_and(|now| Arc::ptr_eq(&now, run)) {
            return Err(Refusal::not_now(format!("{id} has changed meanwhile")));
        }
        let next = runs.replace(id, next).expect("it was just there");
        drop(runs);
        Ok((200, self.summary(id, &next)))
    }
}

/// Whether two steps are the same choice.
pub(super) fn is_same(one: &Step, other: &Step) -> bool {
    one.moves == other.moves && one.state == other.state
}
