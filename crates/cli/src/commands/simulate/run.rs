//! A run in the making.

use lariat_model::interp::{Expansion, Fault, Interp, Move};
use lariat_model::ir::Model;
use lariat_model::ir::transition::Discipline;
use lariat_report::replay::{Before, Line, describe, standings};
use lariat_report::trace_table;
use lariat_report::values::values_of;

/// A step that can be taken.
enum Choice {
    /// To this successor, perhaps with an error on the way.
    Step { successor: usize, error: Option<Fault> },
    /// A step that leads nowhere.
    Failure { moves: Vec<Move>, error: Fault },
}

/// What a step led to.
pub(super) enum Next {
    State,
    Error(String),
}

pub(super) struct Run<'m> {
    interp: Interp<'m>,
    /// The states so far with their hidden variables; never empty.
    states: Vec<(Vec<u8>, Vec<u8>)>,
    /// The steps from the last state.
    expansion: Expansion,
    choices: Vec<Choice>,
}

impl<'m> Run<'m> {
    pub(super) fn start(model: &'m Model) -> Result<Run<'m>, Fault> {
        let mut interp = Interp::new(model);
        let first = interp.initial().map_err(|faults| faults[0])?;
        let expansion = Expansion::new();
        let mut run = Run { interp, states: vec![first], expansion, choices: Vec::new() };
        run.expand();
        Ok(run)
    }

    fn last(&self) -> &(Vec<u8>, Vec<u8>) {
        self.states.last().expect("there is an initial state")
    }

    fn expand(&mut self) {
        let (state, hidden) = self.states.last().expect("there is an initial state");
        self.expansion.clear();
        self.interp.successors(state, hidden, &mut self.expansion);
        self.choices.clear();
        let expansion = &self.expansion;
        for successor in 0..expansion.len() {
            let moves = expansion.moves(successor);
            let on_the_way = |fault: &&lariat_model::interp::FaultAt| {
                let faulty = expansion.fault_moves(fault);
                !faulty.is_empty() && moves.starts_with(faulty)
            };
            let error = expansion.faults().iter().find(on_the_way).map(|located| located.fault);
            self.choices.push(Choice::Step { successor, error });
        }
        for located in expansion.faults().iter().filter(|located| located.fault.kind.is_fatal()) {
            let moves = expansion.fault_moves(located).to_vec();
            // In DVE a faulty step has a successor, the error state.
            let is_there = (0..expansion.len()).any(|at| expansion.moves(at) == moves);
            if !is_there {
                self.choices.push(Choice::Failure { moves, error: located.fault });
            }
        }
    }

    /// How many steps can be taken.
    pub(super) fn choices(&self) -> usize {
        self.choices.len()
    }

    /// A step as the user sees it before it is taken.
    pub(super) fn describe_choice(&mut self, choice: usize) -> String {
        let lines = self.lines(choice);
        let texts: Vec<String> = lines.iter().map(statement).collect();
        let process = lines.first().map_or("", |line| &line.process);
        format!("{process}  {}", texts.join("; "))
    }

    fn lines(&mut self, choice: usize) -> Vec<Line> {
        let (moves, next) = match &self.choices[choice] {
            Choice::Step { successor, .. } => {
                let state = self.expansion.state(*successor).to_vec();
                let hidden = self.expansion.hidden(*successor).to_vec();
                (self.expansion.moves(*successor).to_vec(), Some((state, hidden)))
            }
            Choice::Failure { moves, .. } => (moves.clone(), None),
        };
        let (state, hidden) = self.last().clone();
        let before = Before { step: self.states.len(), state: &state, hidden: &hidden };
        let mut lines = Vec::new();
        describe(&mut self.interp, before, &moves, next.as_ref(), &mut lines);
        lines
    }

    /// Takes a step and shows it.
    pub(super) fn take(&mut self, choice: usize) -> Next {
        for (at, line) in self.lines(choice).iter().enumerate() {
            let step = if at == 0 { line.step.to_string() } else { String::new() };
            let changes = trace_table::values(&line.changes);
            let text =
                format!("{step:>5}  {:<12}  {:<32}  {changes}", line.process, statement(line));
            outln!("{}", text.trim_end());
            for output in line.output.lines() {
                outln!("       | {output}");
            }
        }
        let (next, error) = match &self.choices[choice] {
            Choice::Failure { error, .. } => return Next::Error(self.explain(*error)),
            Choice::Step { successor, error } => {
                let state = self.expansion.state(*successor).to_vec();
                ((state, self.expansion.hidden(*successor).to_vec()), *error)
            }
        };
        self.states.push(next);
        self.expand();
        match error {
            Some(error) => Next::Error(self.explain(error)),
            None => Next::State,
        }
    }

    /// Goes back one step; false at the start.
    pub(super) fn undo(&mut self) -> bool {
        if self.states.len() == 1 {
            return false;
        }
        self.states.pop();
        self.expand();
        true
    }

    pub(super) fn steps(&self) -> usize {
        self.states.len() - 1
    }

    /// Nobody can move, and everybody is where he may stay. Nothing says so in DVE.
    pub(super) fn ends_well(&mut self) -> bool {
        let (state, _) = self.last().clone();
        self.interp.model().discipline != Discipline::Spin || self.interp.is_valid_end(&state)
    }

    /// All values of the last state.
    pub(super) fn values(&mut self) -> String {
        let (state, hidden) = self.last().clone();
        trace_table::values(&values_of(&mut self.interp, &state, &hidden))
    }

    /// Where the processes stand.
    pub(super) fn standings(&mut self) -> String {
        let (state, _) = self.last().clone();
        trace_table::standings(&standings(&mut self.interp, &state))
    }

    fn explain(&self, error: Fault) -> String {
        let sources = &self.interp.model().sources;
        let place = sources.location(sources.outside_macros(error.span));
        match place.filter(|_| !error.span.is_nowhere()) {
            Some(place) => format!("{} at {place}", error.kind),
            None => error.kind.to_string(),
        }
    }
}

fn statement(line: &Line) -> String {
    match line.line {
        0 => line.text.clone(),
        number => format!("{number}: {}", line.text),
    }
}
