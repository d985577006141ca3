//! A claim beside a run, executed by its own control graph: before every step of the system it
//! takes one of its own, whose test is evaluated in that state of the given model.
//!
//! It matches the run if it can get to its closing brace or to an assertion that fails, or can be
//! at an accept label again and again.

use std::collections::{BTreeMap, BTreeSet};

use lariat_model::interp::Interp;
use lariat_model::ir::{Action, Edge, Model, ProctypeId};
use lariat_report::execution::Execution;

/// A control point of the claim, or `None` behind its end.
type At = Option<u16>;

/// Where the claim can be, and whether it can have been at an accept label on the way there.
type Reached = BTreeMap<At, bool>;

pub(super) fn matches(model: &Model, claim: ProctypeId, execution: &Execution) -> bool {
    let mut walk = Walk { model, claim, interp: Interp::new(model) };
    let loop_start = execution.prefix().end;
    let start = Reached::from([(walk.place(model.proctype(claim).initial.0), false)]);
    let at_loop = walk.along(start, execution, 0..loop_start);
    // Once round the loop, from wherever the claim can be at its start.
    let mut rounds: BTreeMap<At, Reached> = BTreeMap::new();
    let mut todo: Vec<At> = at_loop.into_keys().collect();
    while let Some(at) = todo.pop() {
        if rounds.contains_key(&at) {
            continue;
        }
        let around = Reached::from([(at, walk.is_accept(at))]);
        let around = walk.along(around, execution, loop_start..execution.state_count());
        todo.extend(around.keys());
        rounds.insert(at, around);
    }
    // A round by an accept label, after which rounds lead back to its start.
    rounds.iter().any(|(&from, around)| {
        let accepted = around.iter().filter(|&(_, &accepts)| accepts);
        accepted.map(|(&to, _)| to).any(|to| leads(&rounds, to, from))
    })
}

fn leads(rounds: &BTreeMap<At, Reached>, from: At, to: At) -> bool {
    let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
    while let Some(at) = todo.pop() {
        if at == to {
            return true;
        }
        if seen.insert(at) {
            todo.extend(rounds[&at].keys());
        }
    }
    false
}

struct Walk<'m> {
    model: &'m Model,
    claim: ProctypeId,
    interp: Interp<'m>,
}

impl Walk<'_> {
    /// The closing brace is the end: the claim has matched.
    fn place(&self, location: u16) -> At {
        (location != self.model.proctype(self.claim).end.0).then_some(location)
    }

    fn is_accept(&self, at: At) -> bool {
        let locations = &self.model.proctype(self.claim).locations;
        at.is_none_or(|at| locations[at as usize].is_accept)
    }

    /// Where the claim can be after a step in each of these states.
    fn along(
        &mut self,
        mut reached: Reached,
        execution: &Execution,
        states: std::ops::Range<usize>,
    ) -> Reached {
        for state in states {
            let (bytes, hidden) = execution.before(state);
            self.interp.load_with_hidden(bytes, hidden);
            let mut next = Reached::new();
            for (at, accepted) in reached {
                for to in self.steps(at) {
                    *next.entry(to).or_default() |= accepted || self.is_accept(to);
                }
            }
            reached = next;
        }
        reached
    }

    /// The steps of the claim in the loaded state.
    fn steps(&mut self, at: At) -> Vec<At> {
        let Some(at) = at else { return vec![None] };
        let model = self.model;
        let edges = &model.proctype(self.claim).locations[at as usize].edges;
        let mut taken: Vec<(u16, At)> = Vec::new();
        for &Edge { command, escape } in edges {
            let command = model.command(command);
            let to = self.place(command.target.0);
            let to = match &command.action {
                Action::Skip | Action::Print(_) => Some(to),
                Action::Guard(test) => self.holds(*test).then_some(to),
                Action::Assert(test) => Some(if self.holds(*test) { to } else { None }),
                Action::Transition(transition) => {
                    transition.guard.is_none_or(|test| self.holds(test)).then_some(to)
                }
                _ => None,
            };
            taken.extend(to.map(|to| (escape, to)));
        }
        let Some(&(first, _)) = taken.first() else {
            let others = edges.iter().map(|edge| model.command(edge.command));
            let others = others.filter(|command| command.action == Action::Else);
            return others.map(|command| self.place(command.target.0)).collect();
        };
        // An escape of `unless` goes before what it is an escape from.
        taken.into_iter().filter(|&(escape, _)| escape == first).map(|(_, to)| to).collect()
    }

    fn holds(&mut self, test: lariat_model::ir::ExprId) -> bool {
        self.interp.eval_loaded(test, None).is_ok_and(|value| value != 0)
    }
}
