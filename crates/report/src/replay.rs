//! A run once more on the interpreter: what did each statement do?

use std::ops::Range;
use std::sync::Arc;

use lariat_model::interp::{Followed, Interp, Move, Process};
use lariat_model::ir::Model;

use crate::execution::{Ending, Execution};
use crate::values::{Named, Snapshot, changes, process_name, values_of};

/// One statement of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The step, from 1; the statements of an atomic sequence or a rendezvous share one.
    pub step: usize,
    pub pid: u8,
    /// The process, as `P(1)`.
    pub process: String,
    pub file: String,
    /// 0 if the statement has no text of its own.
    pub line: u32,
    pub column: u32,
    pub text: String,
    pub changes: Vec<Named>,
    /// All of the state behind it; empty where there is none.
    pub values: Arc<[Named]>,
    /// What `printf` said.
    pub output: String,
    /// This statement is at fault, or breaks the property for good.
    pub at_fault: bool,
}

/// Where a process stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    pub process: String,
    pub place: String,
    /// The statements that it could execute there, if they were executable.
    pub statements: Vec<String>,
    /// The process may rest there for ever.
    pub is_end: bool,
}

/// Steps of a run, for people.
#[derive(Clone, Debug)]
pub struct Replayed {
    pub steps: usize,
    /// Statements of the steps that were asked for.
    pub lines: Vec<Line>,
    /// The variables before the first step.
    pub initial: Arc<[Named]>,
    /// Where the processes stand at the end.
    pub standings: Vec<Standing>,
    /// All of the last state.
    pub last: Arc<[Named]>,
}

/// Which steps to describe; all are replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    All,
    /// So many at the start and at the end.
    Ends {
        first: usize,
        last: usize,
    },
}

impl Shown {
    fn has(self, step: usize, steps: usize) -> bool {
        match self {
            Shown::All => true,
            Shown::Ends { first, last } => step < first || step + last >= steps,
        }
    }
}

/// Some steps of a run, with what their statements did.
pub fn part(model: &Model, execution: &Execution, range: Range<usize>, shown: Shown) -> Replayed {
    let mut interp = Interp::new(model);
    let (mut lines, mut known) = (Vec::new(), None);
    for at in range.clone() {
        if !shown.has(at - range.start, range.len()) {
            continue;
        }
        let (state, hidden) = execution.before(at);
        let step = &execution.steps[at];
        let before = Before { step: at + 1, state, hidden };
        let from = lines.len();
        let next = step.state.as_ref();
        describe_next(&mut interp, before, &step.moves, next, &mut known, &mut lines);
        let decides = execution.ending == (Ending::Decided { holds: false })
            && at + 1 == execution.steps.len();
        if (step.state.is_none() || decides) && lines.len() > from {
            lines.last_mut().expect("there is a new line").at_fault = true;
        }
    }
    if execution.initial.0.is_empty() {
        // The initialisers failed: there is no state to look at.
        let (initial, standings, last) = (Arc::default(), Vec::new(), Arc::default());
        return Replayed { steps: 0, lines, initial, standings, last };
    }
    let (first, last) = (execution.before(range.start), execution.before(range.end));
    Replayed {
        steps: range.len(),
        lines,
        initial: values_of(&mut interp, &first.0, &first.1),
        standings: standings(&mut interp, &last.0),
        last: values_of(&mut interp, &last.0, &last.1),
    }
}

/// The state before a step.
#[derive(Clone, Copy)]
pub struct Before<'s> {
    pub step: usize,
    pub state: &'s [u8],
    pub hidden: &'s [u8],
}

/// Appends a line for every command of a step; `next` is the state behind it, if there is one.
pub fn describe(
    interp: &mut Interp<'_>,
    before: Before<'_>,
    moves: &[Move],
    next: Option<&(Vec<u8>, Vec<u8>)>,
    lines: &mut Vec<Line>,
) {
    describe_next(interp, before, moves, next, &mut None, lines);
}

/// The step described last, and the values behind it.
type Known = Option<(usize, Snapshot)>;

/// As [`describe`]; the state before the step may be the one behind the last.
fn describe_next(
    interp: &mut Interp<'_>,
    before: Before<'_>,
    moves: &[Move],
    next: Option<&(Vec<u8>, Vec<u8>)>,
    known: &mut Known,
    lines: &mut Vec<Line>,
) {
    let mut old = match known.take() {
        Some((step, snapshot)) if step + 1 == before.step => {
            interp.load_with_hidden(before.state, before.hidden);
            snapshot
        }
        _ => Snapshot::of(interp, before.state, before.hidden),
    };
    let mut names = process_names(interp);
    let followed = interp.follow(before.state, before.hidden, moves);
    // Where the commands of a step cannot be told apart, the last line has all changes.
    let whole = next.filter(|next| followed.last().is_none_or(|last| last.state != next.0));
    for (at, step) in moves.iter().enumerate() {
        let seen = match whole {
            Some((state, hidden)) if at + 1 == moves.len() => Some(Followed {
                state: state.clone(),
                hidden: hidden.clone(),
                output: String::new(),
            }),
            Some(_) => None,
            None => followed.get(at).cloned(),
        };
        let process = names.get(step.pid as usize).cloned().unwrap_or_default();
        let mut line = line(interp.model(), before.step, step, process);
        if let Some(Followed { state, hidden, output }) = seen {
            let new = old.next(interp, &state, &hidden);
            line.changes = changes(&old.named, &new.named);
            line.values = new.named.clone();
            line.output = output;
            names = process_names(interp);
            old = new;
        }
        lines.push(line);
    }
    // Where the last command was not followed, the state behind the step is not known here.
    if next.is_some() && lines.last().is_some_and(|line| !line.values.is_empty()) {
        *known = Some((before.step, old));
    }
}

fn line(model: &Model, step: usize, done: &Move, process: String) -> Line {
    let command = model.command(done.command);
    let span = model.sources.outside_macros(command.span);
    let place = model.sources.location(span).filter(|_| !span.is_nowhere());
    Line {
        step,
        pid: done.pid,
        process,
        file: place.as_ref().map_or(String::new(), |place| place.file.to_string()),
        line: place.as_ref().map_or(0, |place| place.line),
        column: place.as_ref().map_or(0, |place| place.column),
        text: command.text.clone(),
        changes: Vec::new(),
        values: Arc::default(),
        output: String::new(),
        at_fault: false,
    }
}

fn process_names(interp: &Interp<'_>) -> Vec<String> {
    let model = interp.model();
    interp.processes().map(|process| process_name(model, &process)).collect()
}

/// Where each process stands in a state.
pub fn standings(interp: &mut Interp<'_>, state: &[u8]) -> Vec<Standing> {
    interp.load(state);
    let model = interp.model();
    let standing = |process: Process<'_>| {
        let location = process.location;
        let mut statements: Vec<String> = Vec::new();
        for edge in &location.edges {
            let text = &model.command(edge.command).text;
            if !statements.contains(text) {
                statements.push(text.clone());
            }
        }
        let first = location.edges.first().map(|edge| model.command(edge.command).span);
        let place = first
            .filter(|span| !span.is_nowhere())
            .and_then(|span| model.sources.location(model.sources.outside_macros(span)));
        Standing {
            process: process_name(model, &process),
            place: place.map_or(String::new(), |place| place.to_string()),
            statements,
            is_end: location.is_end,
        }
    };
    interp.processes().map(standing).collect()
}
