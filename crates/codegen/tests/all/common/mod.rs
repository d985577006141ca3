//! Native code and the interpreter side by side, state by state.

pub(crate) mod bytes;
pub(crate) mod generate;
pub(crate) mod generate_dve;
mod parts;

use std::collections::{HashSet, VecDeque};

use lariat_codegen::{Counts, NativeSpace, Unsupported};
use lariat_core::{Batch, Cursor, Flat, Marks, StateSpace, Successors, Word};
use lariat_model::interp::{FairMarks, Fairness, ModelSpace};
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::ModelSteps;

/// What a comparison saw.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) states: u64,
    pub(crate) edges: u64,
    pub(crate) counts: Counts,
    /// Steps of parts that were foretold from another state.
    pub(crate) foretold: u64,
    /// And those that were not by the control point, but by the part's own bytes.
    pub(crate) foretold_by_own: u64,
    /// Those that were foretold by the factors of a command, and not by all that the part touches.
    pub(crate) foretold_by_factors: u64,
    /// Valuations that were.
    pub(crate) valued: u64,
}

/// Expands up to `limit` states, breadth first, by both, and compares everything that a search
/// can see.
pub(crate) fn compare(
    model: &Model,
    propositions: &[ExprId],
    limit: usize,
    warm_up: u64,
    fair: Option<Fair>,
) -> Result<Seen, String> {
    let (mut width, mut processes) = (ModelSpace::minimal_width(model), 16);
    loop {
        let fair = fair.filter(|fair| fair.fairness.mark_count(processes) <= Marks::MAX);
        let marks = fair.map(|fair| fair.marks(model, processes));
        match compare_with(model, propositions, limit, warm_up, width, marks)? {
            Ok(seen) => return Ok(seen),
            Err(wanted) => {
                (width, processes) = (
                    wanted.0.max(width),
                    wanted.1.map_or(processes, |wanted| wanted.max(2 * processes)),
                )
            }
        }
    }
}

/// Fairness that is asked for: to all, or to processes of the first type only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fair {
    pub(crate) fairness: Fairness,
    to_all: bool,
}

impl Fair {
    /// Each kind in turn, and none.
    pub(crate) fn by(number: u64) -> Option<Fair> {
        let kinds = [Fairness::Weak, Fairness::Strong, Fairness::Spin];
        let fairness = *kinds.get(number as usize % 4)?;
        Some(Fair { fairness, to_all: !(number / 4).is_multiple_of(2) })
    }

    pub(crate) fn marks(self, model: &Model, processes: u32) -> FairMarks {
        let first = model.initial_processes.first().map(|process| vec![process.proctype]);
        FairMarks::new(self.fairness, first.filter(|_| !self.to_all), processes)
    }
}

/// The inner error is the width that is wanted, and for how many processes there must be marks.
fn compare_with(
    model: &Model,
    propositions: &[ExprId],
    limit: usize,
    warm_up: u64,
    width: usize,
    marks: Option<FairMarks>,
) -> Result<Result<Seen, (usize, Option<u32>)>, String> {
    let mut oracle = ModelSpace::new(model, width, propositions.to_vec());
    let mut native = NativeSpace::new(model, width, propositions.to_vec());
    if let Some(marks) = marks {
        oracle = oracle.with_fairness(marks.clone());
        native = native.with_fairness(marks);
    }
    let (mut seen, mut before) = (Seen::default(), Counts::default());
    let mut known: HashSet<Vec<Word>> = HashSet::new();
    let mut queue: VecDeque<Vec<Word>> = VecDeque::new();
    let mut start = oracle.batch(usize::MAX);
    oracle.initial(&mut start);
    for at in 0..start.len() {
        known.insert(start.row(at).to_vec());
        queue.push_back(start.row(at).to_vec());
    }
    let mut parts = parts::Oracle::default();
    let (mut right, mut left) = (oracle.batch(usize::MAX), native.batch(usize::MAX));
    while let Some(row) = queue.pop_front() {
        if seen.states == warm_up {
            match native.compile() {
                Ok(()) => before = native.counts(),
                Err(Unsupported::Compiler(words)) => return Err(words),
                Err(_) => return Ok(Ok(Seen::default())),
            }
        }
        seen.states += 1;
        right.clear();
        left.clear();
        oracle.expand(&row, &mut Cursor(0), &mut right);
        native.expand(&row, &mut Cursor(0), &mut left);
        if oracle.stopped().is_some() {
            return Ok(Err((oracle.wanted_width(), oracle.wanted_processes())));
        }
        differ(&left, &right).map_err(|error| format!("state {row:x?}: {error}"))?;
        let (one, other) = (native.report(), oracle.report());
        let tell = |report: &lariat_model::steps::StepReport| {
            let commands: Vec<u32> = (0..right.len()).map(|at| report.commands_to(at)).collect();
            let faults = report.faults.clone();
            (report.is_blocked, report.atomic_steps, report.deepest, commands, faults)
        };
        if tell(one) != tell(other) {
            return Err(format!("state {row:x?}: native reports {one:?}\ninterpreter {other:?}"));
        }
        parts.compare(&mut native, &row, &right).map_err(|error| format!("{row:x?}: {error}"))?;
        if !propositions.is_empty() {
            let (one, other) = (native.props(&row), oracle.props(&row));
            if (one, native.undefined()) != (other, oracle.undefined()) {
                return Err(format!("state {row:x?}: propositions {one:b}, should be {other:b}"));
            }
            let same = parts.compare_truth(&mut native, &row, one);
            same.map_err(|error| format!("{row:x?}: {error}"))?;
        }
        seen.edges += right.len() as u64;
        for at in 0..right.len() {
            if known.len() < limit && !known.contains(right.row(at)) {
                known.insert(right.row(at).to_vec());
                queue.push_back(right.row(at).to_vec());
            }
        }
    }
    if native.executed() != oracle.executed() {
        return Err("different commands were executed".into());
    }
    seen.foretold = parts.foretold;
    seen.foretold_by_own = parts.foretold_by_own;
    seen.foretold_by_factors = parts.foretold_by_factors;
    seen.valued = parts.valued;
    seen.counts = native.counts();
    seen.counts.interpreted -= before.interpreted;
    Ok(Ok(seen))
}

fn differ(left: &Flat, right: &Flat) -> Result<(), String> {
    if left.len() != right.len() {
        return Err(format!("{} successors, should be {}", left.len(), right.len()));
    }
    for at in 0..left.len() {
        if left.row(at) != right.row(at) {
            let (left, right) = (left.row(at), right.row(at));
            return Err(format!("successor {at} is {left:x?}, should be {right:x?}"));
        }
        if left.marks(at) != right.marks(at) {
            let (left, right) = (left.marks(at), right.marks(at));
            return Err(format!("step {at} has marks {left:?}, should have {right:?}"));
        }
    }
    Ok(())
}
