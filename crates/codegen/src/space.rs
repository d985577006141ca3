//! The state space of a model by native code, with the interpreter at its side.

use lariat_core::{Batch, Cursor, DONE, Flat, Props, StateSpace, Successors, Word};
use lariat_model::interp::{Fault, ModelSpace};
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::{ModelSteps, StepReport};

use crate::Unsupported;
use crate::native::{Expanded, Native, Refusal};

/// A batch with at least so much room takes all successors of a state.
const ALL: usize = 1 << 24;
/// Rows that are made room for at first.
const FIRST_ROOM: usize = 64;

pub struct NativeSpace<'m> {
    native: Native<'m>,
    interpreter: ModelSpace<'m>,
    report: StepReport,
    /// Whether the last report, and the last propositions, are the interpreter's.
    asked: bool,
    asked_props: bool,
    /// How many states were expanded by native code, and how many by the interpreter.
    counts: Counts,
    stutter: bool,
    /// Rows that the next expansion makes room for.
    room: usize,
    /// For batches with little room: the row whose successors are in `rows`.
    expanded: Vec<Word>,
    rows: Vec<Word>,
    found: usize,
}

/// Who has expanded states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub native: u64,
    pub interpreted: u64,
}

impl<'m> NativeSpace<'m> {
    /// Compiles a model for rows of `width` words.
    pub fn new(
        model: &'m Model,
        width: usize,
        propositions: Vec<ExprId>,
    ) -> Result<Self, Unsupported> {
        Ok(NativeSpace {
            native: Native::compile(model, width, &propositions)?,
            interpreter: ModelSpace::new(model, width, propositions),
            report: StepReport::default(),
            asked: false,
            asked_props: false,
            counts: Counts::default(),
            stutter: false,
            room: FIRST_ROOM,
            expanded: Vec::new(),
            rows: Vec::new(),
            found: 0,
        })
    }

    /// See [`ModelSpace::stop_at_fault`].
    pub fn stop_at_fault(mut self) -> Self {
        self.interpreter = self.interpreter.stop_at_fault();
        self
    }

    /// See [`ModelSpace::stutter`].
    pub fn stutter(mut self) -> Self {
        self.interpreter = self.interpreter.stutter();
        self.stutter = true;
        self
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Different faults met so far.
    pub fn faults(&self) -> &[Fault] {
        self.interpreter.faults()
    }

    /// The first fault that is no violated assertion.
    pub fn stopping_fault(&self) -> Option<&Fault> {
        self.interpreter.stopping_fault()
    }

    /// The interpreter's answer.
    fn ask(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        self.counts.interpreted += u64::from(at.0 == 0);
        self.asked = true;
        self.interpreter.expand(src, at, out);
        let executed = self.native.executed_mut().iter_mut();
        for (native, &interpreted) in executed.zip(self.interpreter.executed()) {
            *native |= interpreted;
        }
    }

    fn note(&mut self, found: Expanded) {
        self.counts.native += 1;
        self.asked = false;
        let report = &mut self.report;
        report.is_blocked = found.is_blocked;
        report.atomic_steps = found.atomic_steps;
        report.deepest = u64::from(found.deepest);
        report.commands.clear();
        report.commands.extend_from_slice(self.native.commands(found.rows));
    }

    /// All successors at once, written where they are wanted.
    #[inline]
    fn expand_all(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        let width = self.native.width();
        loop {
            let spare = out.spare(self.room);
            match self.native.expand(src, &mut spare[..self.room * width]) {
                Ok(found) => {
                    out.commit(found.rows);
                    self.note(found);
                    if self.stutter && found.is_blocked {
                        out.push_copy(src);
                    }
                    *at = DONE;
                    return;
                }
                Err(Refusal::Full) => self.room *= 2,
                Err(Refusal::Ask) => return self.ask(src, at, out),
            }
        }
    }

    /// Finds the successors of a row unless they are there; false if the interpreter has them.
    fn find(&mut self, src: &[Word]) -> bool {
        if self.expanded == src {
            return true;
        }
        let width = self.native.width();
        loop {
            self.rows.resize(self.room * width, 0);
            match self.native.expand(src, &mut self.rows) {
                Ok(found) => {
                    self.note(found);
                    self.found = found.rows;
                    self.expanded.clear();
                    self.expanded.extend_from_slice(src);
                    return true;
                }
                Err(Refusal::Full) => self.room *= 2,
                Err(Refusal::Ask) => return false,
            }
        }
    }
}

impl Successors for NativeSpace<'_> {
    type Batch = Flat;

    fn batch(&self, room: usize) -> Flat {
        self.interpreter.batch(room)
    }

    fn initial(&mut self, out: &mut Flat) {
        self.interpreter.initial(out);
    }

    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        if at.0 == 0 && out.room() >= ALL {
            return self.expand_all(src, at, out);
        }
        if !self.find(src) {
            return self.ask(src, at, out);
        }
        if self.stutter && self.report.is_blocked {
            out.push_copy(src);
        }
        let first = at.0 as usize;
        let end = self.found.min(first.saturating_add(out.room().max(1)));
        let width = self.native.width();
        for row in self.rows[first * width..end * width].chunks_exact(width) {
            out.push_copy(row);
        }
        *at = if end == self.found { DONE } else { Cursor(end as u32) };
    }

    fn interrupted(&self) -> bool {
        self.interpreter.interrupted()
    }
}

impl StateSpace for NativeSpace<'_> {
    fn props(&mut self, state: &[Word]) -> Props {
        let found = self.native.props(state);
        self.asked_props = found.is_none();
        found.unwrap_or_else(|| self.interpreter.props(state))
    }
}

impl ModelSteps for NativeSpace<'_> {
    fn report(&self) -> &StepReport {
        match self.asked {
            true => self.interpreter.report(),
            false => &self.report,
        }
    }

    fn executed(&self) -> &[bool] {
        self.native.executed()
    }

    fn undefined(&self) -> Props {
        match self.asked_props {
            true => self.interpreter.undefined(),
            false => 0,
        }
    }

    fn width(&self) -> usize {
        self.native.width()
    }

    fn wanted_width(&self) -> usize {
        self.interpreter.wanted_width()
    }

    fn hidden_words(&self) -> usize {
        0
    }
}
