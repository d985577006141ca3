//! The state space of a model as rows of words, for the searches of other crates.
//!
//! States differ in length when processes come and go, rows do not: a row is a state padded
//! with zeros. If a state does not fit, the walk is interrupted and
//! [`ModelSpace::wanted_width`] says how wide rows must be for a new start.

use lariat_core::{Batch, Cursor, DONE, Flat, Limit, Props, StateSpace, Successors, Word};

use super::fairness::FairMarks;
use super::row::{self, hidden_words, words_for};
use super::{Expansion, Interp, Pids};
use crate::ir::layout::NR_PROCESSES;
use crate::ir::{ExprId, Model};
use crate::steps::{Begun, FaultAfter, ModelSteps, StepReport};

pub struct ModelSpace<'m> {
    interp: Interp<'m>,
    expansion: Expansion,
    /// The row whose successors are in `expansion`.
    expanded: Vec<Word>,
    /// The state and the hidden variables of a row.
    state: Vec<u8>,
    hidden: Vec<u8>,
    report: StepReport,
    executed: Vec<bool>,
    undefined: Props,
    width: usize,
    wanted: usize,
    propositions: Vec<ExprId>,
    fair: Option<FairMarks>,
    /// Who could move in the expanded state, and to whom fairness is not asked for.
    able: Pids,
    exempt: Pids,
    /// A row on its way to a batch.
    words: Vec<Word>,
}

impl<'m> ModelSpace<'m> {
    /// Rows of `width` words, at first [`ModelSpace::minimal_width`].
    pub fn new(model: &'m Model, width: usize, propositions: Vec<ExprId>) -> Self {
        ModelSpace {
            interp: Interp::new(model).without_divergences(),
            expansion: Expansion::new(),
            expanded: Vec::new(),
            state: Vec::new(),
            hidden: Vec::new(),
            report: StepReport::default(),
            executed: vec![false; model.commands.len()],
            undefined: 0,
            width,
            wanted: width,
            propositions,
            fair: None,
            able: 0,
            exempt: 0,
            words: Vec::new(),
        }
    }

    /// Words that hold the initial state.
    pub fn minimal_width(model: &'m Model) -> usize {
        let initial = Interp::new(model).initial();
        initial.map_or(1, |(state, hidden)| words_for(&state, &hidden))
    }

    /// Runs that stay inside an atomic sequence for ever are runs, too: they lead to a copy of
    /// the state in which they began, and stay there.
    pub fn with_divergences(mut self) -> Self {
        self.interp = Interp::new(self.interp.model());
        self
    }

    /// Marks on the steps ask for fairness to the first so many pids. If a state has more processes, the walk is interrupted and [`ModelSpace::wanted_processes`] says how many.
    pub fn with_fairness(mut self, fair: FairMarks) -> Self {
        self.fair = Some(fair);
        self
    }

    /// How many processes must have marks for a new start.
    pub fn wanted_processes(&self) -> Option<u32> {
        self.fair.as_ref().and_then(FairMarks::wanted)
    }

    pub fn wanted_width(&self) -> usize {
        self.wanted
    }

    /// The state that was expanded last has runs that stay inside an atomic sequence, or is the
    /// copy for such a run.
    pub fn diverges(&self) -> bool {
        self.expansion.diverges
    }

    fn unpack(&mut self, row: &[Word]) {
        row::unpack_into(self.interp.model(), row, &mut self.state, &mut self.hidden);
    }

    fn pack(&mut self, state: &[u8], hidden: &[u8], out: &mut Flat) {
        let needed = words_for(state, hidden);
        if needed > self.width {
            self.wanted = self.wanted.max(needed);
            return;
        }
        self.words.resize(self.width, 0);
        row::pack(state, hidden, &mut self.words);
        out.push_copy(&self.words);
    }

    /// Finds the successors of a row, unless they are the ones found last.
    fn find_successors(&mut self, row: &[Word]) {
        if self.expanded == row {
            return;
        }
        self.unpack(row);
        self.expansion.clear();
        self.interp.successors(&self.state, &self.hidden, &mut self.expansion);
        self.expanded.clear();
        self.expanded.extend_from_slice(row);
        self.write_report();
        self.find_able();
    }

    /// Who could move in the expanded state.
    fn find_able(&mut self) {
        let discipline = self.interp.model().discipline;
        let Some(fair) = &mut self.fair else { return };
        fair.meet(self.state[NR_PROCESSES]);
        self.interp.load(&self.state);
        self.exempt = fair.exempt(self.interp.processes().map(|process| process.proctype));
        self.able = fair.fairness.able(discipline, &self.expansion) & !self.exempt;
    }

    fn write_report(&mut self) {
        let ModelSpace { expansion, report, executed, .. } = self;
        report.clear();
        report.is_blocked = expansion.is_blocked;
        report.atomic_steps = expansion.atomic_steps;
        report.deepest = expansion.deepest as u64;
        for command in &expansion.inside {
            executed[command.0 as usize] = true;
        }
        for at in 0..expansion.len() {
            let moves = expansion.moves(at);
            report.commands.push(moves.len() as u32);
            for step in moves {
                executed[step.command.0 as usize] = true;
            }
        }
        for located in expansion.faults() {
            let moves = expansion.fault_moves(located).to_vec();
            for step in &moves {
                executed[step.command.0 as usize] = true;
            }
            report.faults.push(FaultAfter { fault: located.fault, after: located.after, moves });
        }
    }
}

impl ModelSteps for ModelSpace<'_> {
    fn report(&self) -> &StepReport {
        &self.report
    }

    fn expand_by_process(&mut self, row: &[Word], out: &mut Flat, by: &mut Vec<Begun>) {
        let first = out.len();
        self.expand(row, &mut Cursor::default(), out);
        by.clear();
        // If a row is missing, the walk is over.
        if self.expansion.by_timeout || out.len() - first != self.expansion.len() {
            return;
        }
        for successor in 0..self.expansion.len() {
            let (pid, end) = (self.expansion.moves(successor)[0].pid, successor as u32 + 1);
            match by.last_mut().filter(|last| last.pid == pid) {
                Some(last) => last.end = end,
                None => by.push(Begun { pid, end }),
            }
        }
    }

    fn executed(&self) -> &[bool] {
        &self.executed
    }

    fn undefined(&self) -> Props {
        self.undefined
    }

    fn width(&self) -> usize {
        self.width
    }

    fn wanted_width(&self) -> usize {
        self.wanted
    }

    fn wanted_processes(&self) -> Option<u32> {
        self.wanted_processes()
    }

    fn executed_in_d_steps(&self) -> &[Vec<bool>] {
        self.interp.executed_in_d_steps()
    }

    fn hidden_words(&self) -> usize {
        hidden_words(self.interp.model())
    }
}

impl Successors for ModelSpace<'_> {
    type Batch = Flat;

    fn batch(&self, room: usize) -> Flat {
        Flat::new(self.width, room)
    }

    fn initial(&mut self, out: &mut Flat) {
        // Whoever makes a verdict has asked [`Interp::initial`] for faults before.
        if let Ok((state, hidden)) = self.interp.initial() {
            self.pack(&state, &hidden, out);
        }
    }

    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        self.find_successors(src);
        let expansion = std::mem::take(&mut self.expansion);
        let first = at.0 as usize;
        let room = out.room().max(1);
        let end = expansion.len().min(first.saturating_add(room));
        for successor in first..end {
            let before = out.len();
            self.pack(expansion.state(successor), expansion.hidden(successor), out);
            if let Some(fair) = self.fair.as_ref().filter(|_| out.len() > before) {
                let moved = fair.fairness.taking_part(expansion.moves(successor));
                out.set_marks(before, fair.of(moved | self.exempt, self.able));
            }
        }
        *at = if end == expansion.len() { DONE } else { Cursor(end as u32) };
        self.expansion = expansion;
    }

    /// There is no room for a state, or for its marks.
    fn stopped(&self) -> Option<Limit> {
        let wants_more = self.wanted > self.width || self.wanted_processes().is_some();
        wants_more.then_some(Limit::Memory)
    }
}

impl StateSpace for ModelSpace<'_> {
    fn mark_count(&self) -> u32 {
        self.fair.as_ref().map_or(0, FairMarks::mark_count)
    }

    fn props(&mut self, state: &[Word]) -> Props {
        self.unpack(state);
        self.interp.load_with_hidden(&self.state, &self.hidden);
        self.undefined = 0;
        let mut props = 0;
        for (bit, &proposition) in self.propositions.iter().enumerate() {
            match self.interp.eval_loaded(proposition, None) {
                Ok(value) => props |= ((value != 0) as Props) << bit,
                Err(_) => self.undefined |= 1 << bit,
            }
        }
        props
    }
}
