//! Why states are expanded fully though steps may be left out, for whoever asks afterwards.

use std::collections::HashMap;
use std::fmt;

use lariat_core::{Batch, SystemId, SystemStore, Word};
use lariat_model::interp::{Interp, row};
use lariat_model::steps::Begun;
use lariat_por::Obstacle;

use super::System;

/// So many states are looked at, spread over all.
const MOST_STATES: usize = 20_000;

/// What became of the states of a search that leaves out steps.
#[derive(Clone, Debug, Default)]
pub struct ReductionReport {
    /// States.
    pub states: u64,
    /// Those that were looked at.
    pub looked_at: u64,
    /// Those of them where something was left out.
    pub reduced: u64,
    /// Why nothing was in the others, the most frequent first.
    pub full: Vec<(Cause, u64)>,
}

/// Why nothing is left out in a state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// There is nothing to choose from.
    OneStep,
    /// It was one of the first states.
    Early,
    /// Reduction was found not to pay before.
    DoesNotPay,
    /// Something would be left out for ever.
    Proviso,
    /// A process that waits for `timeout` moves.
    Timeout,
    /// A process is committed.
    Committed,
    /// A command of the smallest set, here, may change what the property looks at.
    Visible(String),
    /// A command of the smallest set, here, may change whether another process can move.
    Disturbs(String),
    /// All who move are needed: the smallest set is around the process here.
    Conflict(String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::OneStep => f.write_str("there is at most one step"),
            Cause::Early => f.write_str("it is one of the first states"),
            Cause::DoesNotPay => f.write_str("reduction does not pay"),
            Cause::Proviso => f.write_str("a step would be put off for ever"),
            Cause::Timeout => f.write_str("a process moves by `timeout`"),
            Cause::Committed => f.write_str("a process is committed"),
            Cause::Visible(place) => write!(f, "{place} may change the property's propositions"),
            Cause::Disturbs(place) => write!(f, "{place} may change whether others can move"),
            Cause::Conflict(place) => write!(f, "{place} depends on all who can move"),
        }
    }
}

impl<S: SystemStore<Row = [Word]>> System<'_, S> {
    /// Why states were expanded fully; none if nothing may be left out.
    pub fn explain_reduction(&mut self) -> Option<ReductionReport> {
        let reduced = self.reduced.as_mut()?;
        let states = self.store.len();
        let mut report = ReductionReport { states: states as u64, ..Default::default() };
        let mut causes: HashMap<Cause, u64> = HashMap::new();
        let (mut batch, mut begun) = (self.steps.batch(usize::MAX), Vec::<Begun>::new());
        let mut interp = Interp::new(self.model);
        for id in (0..states as SystemId).step_by(states / MOST_STATES + 1) {
            report.looked_at += 1;
            let row = self.store.load(id);
            batch.clear();
            self.steps.expand_by_process(row, &mut batch, &mut begun);
            let obstacle = reduced.chooser.obstacle(row, &begun);
            let mut place = |pid: usize| place(&mut interp, row, pid);
            let cause = match obstacle {
                _ if begun.last().is_none_or(|begun| begun.end <= 1) => Cause::OneStep,
                _ if reduced.is_early(id) => Cause::Early,
                _ if !reduced.looks_at(id) => Cause::DoesNotPay,
                Some(Obstacle::OneStep) => Cause::OneStep,
                Some(Obstacle::NeedsAll(pid)) => match place(pid).1 {
                    true => Cause::Committed,
                    false => Cause::Timeout,
                },
                Some(Obstacle::Visible(pid)) => Cause::Visible(place(pid).0),
                Some(Obstacle::Disturbs(pid)) => Cause::Disturbs(place(pid).0),
                Some(Obstacle::Conflict(pid)) => Cause::Conflict(place(pid).0),
                None if reduced.chooser.is_full(row) => Cause::Proviso,
                None if reduced.left_out.is_reduced(id) => {
                    report.reduced += 1;
                    continue;
                }
                None if reduced.left_out.goes_by_ids() => Cause::Proviso,
                // The search was over before its turn came.
                None => {
                    report.looked_at -= 1;
                    continue;
                }
            };
            *causes.entry(cause).or_default() += 1;
        }
        report.full = causes.into_iter().collect();
        report.full.sort_by_key(|(cause, count)| (u64::MAX - count, cause.to_string()));
        Some(report)
    }
}

/// A process and its line, and whether it is committed.
fn place(interp: &mut Interp<'_>, words: &[Word], pid: usize) -> (String, bool) {
    let model = interp.model();
    let (state, _) = row::unpack(model, words);
    interp.load(&state);
    let Some(process) = interp.processes().nth(pid) else { return (format!("({pid})"), false) };
    let name = &model.proctype(process.proctype).name;
    let command = process.location.edges.first().map(|edge| model.command(edge.command));
    let source = command.and_then(|command| model.sources.location(command.span));
    let line = source.map_or(String::new(), |source| format!(" at {source}"));
    (format!("{name}({pid}){line}"), process.location.is_committed)
}
