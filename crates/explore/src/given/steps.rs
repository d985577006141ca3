//! The steps of a state, and what they did.

use std::collections::VecDeque;
use std::sync::Arc;

use lariat_chart::Event;
use lariat_model::interp::{self, Expansion, FaultAt, Interp};
use lariat_model::ir::CommandId;
use lariat_report::execution::{Ending, Execution, Step as Executed};
use lariat_report::replay::{Line, Shown, part};
use lariat_report::values::{Named, process_name};

use super::{Bytes, Given, shown};
use crate::subject::{Change, Enabled, Fault, Message, Move, Part, State, Statement, Step, Told};

pub(super) fn moves(of: &[interp::Move]) -> Vec<Move> {
    of.iter().map(|one| (one.pid, one.command.0)).collect()
}

fn commands(of: &[Move]) -> Vec<interp::Move> {
    of.iter().map(|&(pid, command)| interp::Move { pid, command: CommandId(command) }).collect()
}

pub(super) fn bytes(step: &Step) -> Option<Bytes> {
    step.state.as_ref().map(|state| state.of::<Bytes>().clone())
}

/// Some steps as the reports take them.
pub(super) fn execution(part: &Part<'_>) -> Execution {
    let step = |step: &Arc<Step>| Executed { moves: commands(&step.moves), state: bytes(step) };
    Execution {
        initial: part.before.of::<Bytes>().clone(),
        steps: part.steps.iter().map(step).collect(),
        ending: if part.decides { Ending::Decided { holds: false } } else { Ending::Rest },
        propositions: Vec::new(),
    }
}

pub(super) fn fault(given: &Given, fault: interp::Fault) -> Fault {
    Fault {
        kind: fault.kind.name().to_owned(),
        message: fault.kind.to_string(),
        place: given.files.place(&given.model().sources, fault.span),
    }
}

/// The successors, then the steps that lead nowhere: as `lariat simulate` numbers them.
pub(super) fn enabled(given: &Given, state: &State) -> Vec<Enabled> {
    let (state, hidden) = state.of::<Bytes>();
    let mut expansion = Expansion::new();
    Interp::new(given.model()).successors(state, hidden, &mut expansion);
    let mut all = Vec::new();
    for at in 0..expansion.len() {
        let taken = expansion.moves(at);
        let on_the_way = |found: &&FaultAt| {
            let faulty = expansion.fault_moves(found);
            !faulty.is_empty() && taken.starts_with(faulty)
        };
        let error = expansion.faults().iter().find(on_the_way);
        let next = (expansion.state(at).to_vec(), expansion.hidden(at).to_vec());
        all.push(Enabled {
            step: Step { moves: moves(taken), state: Some(shown(next)) },
            error: error.map(|found| fault(given, found.fault)),
        });
    }
    for found in expansion.faults().iter().filter(|found| found.fault.kind.is_fatal()) {
        let taken = expansion.fault_moves(found);
        // In DVE a faulty step has a successor, the error state.
        if !(0..expansion.len()).any(|at| expansion.moves(at) == taken) {
            let step = Step { moves: moves(taken), state: None };
            all.push(Enabled { step, error: Some(fault(given, found.fault)) });
        }
    }
    all
}

/// What changed from one list of values to the next, with what was before.
fn changes(before: &[Named], after: &[Named]) -> Vec<Change> {
    let old = |at: usize, name: &Arc<str>| match before.get(at) {
        Some(old) if old.name == *name => Some(old.value.clone()),
        _ => before.iter().find(|old| old.name == *name).map(|old| old.value.clone()),
    };
    let change = |(at, named): (usize, &Named)| {
        let before = old(at, &named.name);
        let differs = before.as_ref() != Some(&named.value);
        differs.then(|| Change {
            name: named.name.to_string(),
            value: named.value.to_string(),
            before: before.map(|value| value.to_string()),
        })
    };
    after.iter().enumerate().filter_map(change).collect()
}

/// Steps in words.
pub(super) fn tell(given: &Given, asked: &Part<'_>) -> Vec<Told> {
    let model = given.model();
    let run = execution(asked);
    let replayed = part(model, &run, 0..run.steps.len(), Shown::All);
    let mut sent: VecDeque<Option<Message>> = messages(given, &run);
    let mut lines = replayed.lines.into_iter().peekable();
    let mut before: Arc<[Named]> = replayed.initial.clone();
    let mut told = Vec::with_capacity(run.steps.len());
    for (at, step) in run.steps.iter().enumerate() {
        let start = before.clone();
        let mut statements = Vec::with_capacity(step.moves.len());
        let mut moves = step.moves.iter();
        while let Some(line) = lines.next_if(|line| line.step == at + 1) {
            let place = moves.next().and_then(|taken| {
                given.files.place(&model.sources, model.command(taken.command).span)
            });
            let changes = match line.values.is_empty() {
                true => Vec::new(),
                false => {
                    let found = changes(&before, &line.values);
                    before = line.values.clone();
                    found
                }
            };
            let message = sent.pop_front().flatten();
            statements.push(statement(line, place, changes, message));
        }
        told.push(Told { statements, changed: changes(&start, &before) });
    }
    told
}

fn statement(
    line: Line,
    place: Option<crate::subject::Place>,
    changes: Vec<Change>,
    message: Option<Message>,
) -> Statement {
    Statement {
        pid: line.pid,
        process: line.process,
        text: line.text,
        place,
        changes,
        output: line.output,
        fault: line.at_fault,
        message,
    }
}

/// What each statement sent or took, as the chart sees it.
fn messages(given: &Given, run: &Execution) -> VecDeque<Option<Message>> {
    let mut all = VecDeque::new();
    for row in lariat_report::chart::chart(given.model(), run).rows {
        let kind = match &row.event {
            Event::Local(_) => None,
            Event::Send(_) => Some("send"),
            Event::Receive { .. } => Some("receive"),
            Event::Rendezvous { .. } => Some("rendezvous"),
            Event::Gap { .. } => continue,
        };
        for act in row.event.acts() {
            all.push_back(kind.map(|kind| Message { kind, text: act.text.clone() }));
        }
    }
    all
}

/// Who moves in each step.
pub(super) fn processes(given: &Given, part: &Part<'_>, see: &mut dyn FnMut(usize, u8, &str)) {
    let model = given.model();
    let mut interp = Interp::new(model);
    let mut before = part.before;
    for (at, step) in part.steps.iter().enumerate() {
        interp.load(&before.of::<Bytes>().0);
        for &(pid, command) in &step.moves {
            let process = interp.processes().find(|process| process.pid == pid);
            let name = match process {
                Some(process) => process_name(model, &process),
                // Created inside the step: its type is that of the command.
                None => created(given, pid, CommandId(command)),
            };
            see(part.first + at, pid, &name);
        }
        before = step.state.as_ref().unwrap_or(before);
    }
}

/// A process that was not there before the step.
fn created(given: &Given, pid: u8, command: CommandId) -> String {
    let model = given.model();
    let has = |proctype: &&lariat_model::ir::Proctype| {
        let edges = proctype.locations.iter().flat_map(|location| &location.edges);
        edges.into_iter().any(|edge| edge.command == command)
    };
    let home = model.proctypes.iter().find(has);
    home.map_or_else(|| format!("({pid})"), |proctype| format!("{}({pid})", proctype.name))
}
