//! The state space of a model by native code, with the interpreter at its side.
//!
//! Compiling takes milliseconds, and so does interpreting a few thousand steps. So the
//! interpreter goes first, and code is made only for a model that turns out to have states
//! enough. It also sees how wide rows must be: processes are mostly created early.

use lariat_core::{
    Batch, Cursor, DONE, Flat, Limit, Marks, Parts, Props, StateSpace, Successors, Word,
};
use lariat_model::interp::{FairMarks, ModelSpace};
use lariat_model::ir::layout::{Divergence, NR_PROCESSES};
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::{Begun, ModelSteps, StepReport};

use crate::Unsupported;
use crate::native::{Expanded, Native, Refusal, bytes_of};
use crate::parts::Processes;

/// A batch with at least so much room takes all successors of a state.
const ALL: usize = 1 << 24;
/// States that are expanded by the interpreter before code is made, and how many more for each
/// command: making it takes some tens of microseconds.
const WARM_UP: u64 = 200;
const WARM_UP_FOR_EACH: u64 = 40;
/// Special code for states with the usual processes is made after so many states were expanded
/// by the code for any.
const FUSE_AFTER: u64 = 1 << 17;
/// Rows that are made room for at first.
const FIRST_ROOM: usize = 64;

pub struct NativeSpace<'m> {
    pub(crate) model: &'m Model,
    width: usize,
    propositions: Vec<ExprId>,
    pub(crate) native: Option<Native<'m>>,
    /// Where processes are in all states, for the steps by parts.
    pub(crate) processes: Processes<'m>,
    /// Why there is no native code, once it was tried.
    refusal: Option<Unsupported>,
    /// States that the interpreter expands before code is made.
    warm_up: u64,
    /// States that code for any processes expands before there is special code.
    fuse_after: u64,
    /// There is code for rows like the typical one, or it was tried.
    is_fused: bool,
    /// The row with the most processes so far: what most states will be like.
    typical: Vec<Word>,
    interpreter: ModelSpace<'m>,
    report: StepReport,
    /// Whether the last report, and the last propositions, are the interpreter's.
    asked: bool,
    asked_props: bool,
    /// How many states were expanded by native code, and how many by the interpreter.
    counts: Counts,
    /// Rows may be copies that stand for a run inside an atomic sequence: there have been some.
    has_divergences: bool,
    /// Marks for fairness.
    pub(crate) fair: Option<FairMarks>,
    /// Rows that the next expansion makes room for.
    pub(crate) room: usize,
    /// For batches with little room: the row whose successors are in `rows`.
    expanded: Vec<Word>,
    rows: Vec<Word>,
    found: usize,
    marks: Vec<Marks>,
}

/// Who has expanded states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub native: u64,
    pub interpreted: u64,
}

impl<'m> NativeSpace<'m> {
    /// Rows of `width` words.
    pub fn new(model: &'m Model, width: usize, propositions: Vec<ExprId>) -> Self {
        NativeSpace {
            model,
            width,
            native: None,
            processes: Processes::new(model, width),
            refusal: None,
            warm_up: WARM_UP + WARM_UP_FOR_EACH * model.commands.len() as u64,
            fuse_after: FUSE_AFTER,
            is_fused: false,
            interpreter: ModelSpace::new(model, width, propositions.clone()),
            propositions,
            typical: Vec::new(),
            report: StepReport::default(),
            asked: true,
            asked_props: true,
            counts: Counts::default(),
            has_divergences: false,
            fair: None,
            room: FIRST_ROOM,
            expanded: Vec::new(),
            rows: Vec::new(),
            found: 0,
            marks: Vec::new(),
        }
    }

    /// Code is made after other numbers of states: any by the interpreter, then special code
    /// after so many by code for any processes. None is as many as pay.
    pub fn with_code_after(mut self, any: Option<u64>, special: Option<u64>) -> Self {
        self.warm_up = any.map_or(self.warm_up, |states| states.max(1));
        self.fuse_after = special.unwrap_or(self.fuse_after);
        self
    }

    /// Makes all code at once.
    pub fn compile(&mut self) -> Result<(), Unsupported> {
        self.warm_up = 0;
        if self.typical.is_empty() {
            let mut initial = self.interpreter.batch(1);
            self.interpreter.initial(&mut initial);
            self.typical.extend((0..initial.len()).flat_map(|at| initial.row(at)));
        }
        self.make_code(true)
    }

    /// Makes code, with that for rows like the typical one or without.
    fn make_code(&mut self, with_typical: bool) -> Result<(), Unsupported> {
        let typical = Some(&self.typical[..]);
        let typical = typical.filter(|row| with_typical && row.len() == self.width);
        self.is_fused |= with_typical;
        let fairness = self.fair.as_ref().map(|fair| fair.fairness);
        match Native::compile(self.model, self.width, &self.propositions, typical, fairness) {
            Ok(mut native) => {
                native.executed_mut().copy_from_slice(self.executed());
                self.native = Some(native);
                Ok(())
            }
            Err(refusal) => {
                self.refusal = Some(refusal.clone());
                Err(refusal)
            }
        }
    }

    /// See [`ModelSpace::with_divergences`].
    pub fn with_divergences(mut self) -> Self {
        self.interpreter = self.interpreter.with_divergences();
        self
    }

    /// See [`ModelSpace::with_fairness`].
    pub fn with_fairness(mut self, fair: FairMarks) -> Self {
        self.interpreter = self.interpreter.with_fairness(fair.clone());
        self.fair = Some(fair);
        self
    }

    /// The marks of the successors of a row that code has found.
    fn find_marks(&mut self, src: &[Word], rows: usize) {
        self.marks.clear();
        let (Some(fair), Some(native)) = (&mut self.fair, &self.native) else { return };
        fair.meet(bytes_of(src)[4 * self.interpreter.hidden_words() + NR_PROCESSES]);
        let exempt = fair.exempt(native.proctypes());
        let able = native.able(rows) & !exempt;
        self.marks.extend(native.movers(rows).iter().map(|movers| fair.of(movers | exempt, able)));
    }

    /// The same, of successors from `first` on in a batch.
    #[inline]
    fn mark(&mut self, src: &[Word], first: usize, out: &mut Flat) {
        if self.fair.is_some() {
            self.find_marks(src, out.len() - first);
            for (at, &marks) in self.marks.iter().enumerate() {
                out.set_marks(first + at, marks);
            }
        }
    }

    /// Only the interpreter knows what such a row means. Code has never seen one, as nothing but
    /// an expansion of the interpreter's leads to one.
    fn stands_for_divergence(&self, row: &[Word]) -> bool {
        self.has_divergences && Divergence::of(bytes_of(&row[self.hidden_words()..])).is_some()
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The interpreter's answer.
    fn ask(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        self.counts.interpreted += u64::from(at.0 == 0);
        self.asked = true;
        let first = out.len();
        self.interpreter.expand(src, at, out);
        self.seen_by_interpreter(src, first, out);
    }

    /// What the interpreter has seen in the successors of a row, which are those from `first` on.
    fn seen_by_interpreter(&mut self, src: &[Word], first: usize, out: &Flat) {
        self.has_divergences |= self.interpreter.diverges();
        self.processes.observe_successors(src, (first..out.len()).map(|at| out.row(at)));
        let Some(native) = &mut self.native else { return self.warm_up(src) };
        for (native, &interpreted) in
            native.executed_mut().iter_mut().zip(self.interpreter.executed())
        {
            *native |= interpreted;
        }
    }

    /// Most states will be like this row, if it has more processes than those before.
    fn see(&mut self, row: &[Word]) {
        // The number of processes is the first byte of the state.
        let header = self.hidden_words();
        if self.typical.get(header).is_none_or(|first| first & 0xff < row[header] & 0xff) {
            self.typical.clear();
            self.typical.extend_from_slice(row);
        }
    }

    /// One more state that was not worth compiling for.
    fn warm_up(&mut self, src: &[Word]) {
        if self.warm_up > 0 && self.refusal.is_none() {
            self.see(src);
            self.warm_up -= 1;
            if self.warm_up == 0 {
                // What was refused is kept there.
                let _ = self.make_code(false);
            }
        }
    }

    fn note(&mut self, found: Expanded) {
        self.counts.native += 1;
        self.asked = false;
        let NativeSpace { report, native, .. } = self;
        report.is_blocked = found.is_blocked;
        report.atomic_steps = found.atomic_steps;
        report.deepest = u64::from(found.deepest);
        report.commands.clear();
        let commands = native.as_ref().map_or(&[][..], |native| native.commands(found.rows));
        report.commands.extend_from_slice(commands);
    }

    /// Code for rows like the typical one is worth making now.
    #[cold]
    fn fuse(&mut self) {
        // The code that there is stays if this is refused.
        let _ = self.make_code(true);
        self.refusal = None;
    }

    /// All successors at once, written where they are wanted.
    #[inline]
    fn expand_all(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        if self.counts.native >= self.fuse_after && !self.is_fused {
            self.fuse();
        }
        loop {
            let Some(native) = &mut self.native else { return self.ask(src, at, out) };
            let spare = out.spare(self.room);
            match native.expand(src, spare, self.room) {
                Ok(found) => {
                    let rows = spare.chunks_exact(src.len()).take(found.rows);
                    self.processes.observe_successors(src, rows);
                    let first = out.len();
                    out.commit(found.rows);
                    self.note(found);
                    self.mark(src, first, out);
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
        loop {
            let Some(native) = &mut self.native else { return false };
            self.rows.resize(self.room * self.width, 0);
            match native.expand(src, &mut self.rows, self.room) {
                Ok(found) => {
                    let rows = self.rows.chunks_exact(src.len()).take(found.rows);
                    self.processes.observe_successors(src, rows);
                    self.note(found);
                    self.find_marks(src, found.rows);
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
        if self.stands_for_divergence(src) {
            return self.ask(src, at, out);
        }
        if at.0 == 0 && out.room() >= ALL {
            return self.expand_all(src, at, out);
        }
        if !self.find(src) {
            return self.ask(src, at, out);
        }
        let first = at.0 as usize;
        let end = self.found.min(first.saturating_add(out.room().max(1)));
        let width = self.width;
        for (row, at) in self.rows[first * width..end * width].chunks_exact(width).zip(first..) {
            out.push_copy(row);
            if let Some(&marks) = self.marks.get(at) {
                out.set_marks(out.len() - 1, marks);
            }
        }
        *at = if end == self.found { DONE } else { Cursor(end as u32) };
    }

    fn parts(&mut self) -> Option<&mut dyn Parts> {
        // Steps of a process do not depend on its words alone, once there are such copies.
        let is_ready = self.native.is_some()
            && !self.has_divergences
            && self.processes.make_ready(&self.propositions);
        is_ready.then_some(self)
    }

    fn stopped(&self) -> Option<Limit> {
        let wants_marks = self.fair.as_ref().and_then(FairMarks::wanted).is_some();
        wants_marks.then_some(Limit::Memory).or_else(|| self.interpreter.stopped())
    }
}

impl StateSpace for NativeSpace<'_> {
    fn mark_count(&self) -> u32 {
        self.interpreter.mark_count()
    }

    fn props(&mut self, state: &[Word]) -> Props {
        let is_plain = !self.stands_for_divergence(state);
        let native = self.native.as_mut().filter(|_| is_plain);
        let found = native.and_then(|native| native.props(state));
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

    fn expand_by_process(&mut self, row: &[Word], out: &mut Flat, by: &mut Vec<Begun>) {
        by.clear();
        loop {
            let is_plain = !self.stands_for_divergence(row);
            let Some(native) = self.native.as_mut().filter(|_| is_plain) else { break };
            let spare = out.spare(self.room);
            match native.expand_each(row, spare, self.room, by) {
                // A state that moves by a `timeout` only, or not at all.
                Ok(found) if found.rows == 0 => break,
                Ok(found) => {
                    let rows = spare.chunks_exact(row.len()).take(found.rows);
                    self.processes.observe_successors(row, rows);
                    let first = out.len();
                    out.commit(found.rows);
                    self.mark(row, first, out);
                    return self.note(found);
                }
                Err(Refusal::Full) => self.room *= 2,
                Err(Refusal::Ask) => break,
            }
        }
        let first = out.len();
        self.counts.interpreted += 1;
        self.asked = true;
        self.interpreter.expand_by_process(row, out, by);
        self.seen_by_interpreter(row, first, out);
    }

    fn executed(&self) -> &[bool] {
        match &self.native {
            Some(native) => native.executed(),
            None => self.interpreter.executed(),
        }
    }

    fn lessons(&self) -> &[Box<[Word]>] {
        self.processes.lessons()
    }

    fn learn(&mut self, row: &[Word]) {
        self.processes.observe(row);
        self.see(row);
    }

    fn prepare(&mut self) {
        if self.native.is_none() && self.refusal.is_none() {
            // What was refused is kept there.
            let _ = self.compile();
        }
    }

    fn undefined(&self) -> Props {
        match self.asked_props {
            true => self.interpreter.undefined(),
            false => 0,
        }
    }

    fn width(&self) -> usize {
        self.width
    }

    fn wanted_width(&self) -> usize {
        self.interpreter.wanted_width()
    }

    fn wanted_processes(&self) -> Option<u32> {
        self.fair.as_ref().and_then(FairMarks::wanted).max(self.interpreter.wanted_processes())
    }

    fn hidden_words(&self) -> usize {
        self.interpreter.hidden_words()
    }
}
