//! The steps of a model process by process, each with the words that it touches, so
//! that a store can tell states apart in which a process has the same steps.
//!
//! All this holds as long as processes are where one layout says. So everybody who creates a
//! row with other processes than its predecessor shows it to [`Processes::observe`] before it is
//! stored; when a row does not agree with those before, the parts are given up for good.

use lariat_core::{Batch, Factor, Flat, Marks, Narrowing, PartSteps, Parts, Word};
use lariat_model::analysis::Own;
use lariat_model::interp::row::hidden_words;
use lariat_model::ir::layout::{FRAME_LOCATION, NR_PROCESSES};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{ExprId, Model};

use crate::facts::ModelFacts;
use crate::footprint::{Footprints, own_bytes};
use crate::layout::{Layout, counts};
use crate::native::{PartEnd, Refusal, bytes_of};
use crate::space::NativeSpace;

/// More processes than this are not looked at one by one.
const MAX_PARTS: usize = 64;

/// What the rows so far have in common.
pub(crate) struct Processes<'m> {
    /// Positions only; no code is needed to watch rows.
    facts: Option<ModelFacts<'m>>,
    /// Words of a row before its state.
    hidden: usize,
    /// The layout of the row with the most processes.
    longest: Layout,
    /// Rows disagree, or are not known.
    is_given_up: bool,
    /// Counts the layouts.
    version: u64,
    /// Of the layout with the version beside.
    footprints: Option<(u64, Footprints)>,
    /// The rows that have changed any of that.
    lessons: Vec<Box<[Word]>>,
    /// Scratch: what became of the steps of processes.
    ends: Vec<PartEnd>,
}

impl<'m> Processes<'m> {
    pub(crate) fn new(model: &'m Model, width: usize) -> Self {
        let facts = ModelFacts::new(model, width).ok();
        let initial = facts.as_ref().map(ModelFacts::initial_row);
        let mut processes = Processes {
            is_given_up: facts.is_none(),
            facts,
            hidden: hidden_words(model),
            longest: Layout::default(),
            version: 0,
            footprints: None,
            lessons: Vec::new(),
            ends: Vec::new(),
        };
        initial.iter().for_each(|row| processes.observe(row));
        processes
    }

    /// A row that will be stored has other processes than the one that it comes from, or none
    /// such.
    #[cold]
    pub(crate) fn observe(&mut self, row: &[Word]) {
        let Some(facts) = &self.facts else { return };
        if self.is_given_up || is_error_state(facts.model, row) {
            return;
        }
        match Layout::of(facts, row) {
            Some(layout) if layout.agrees_with(&self.longest) => {
                if layout.len() > self.longest.len() {
                    self.is_given_up = layout.len() > MAX_PARTS;
                    self.longest = layout;
                    self.version += 1;
                    self.lessons.push(row.into());
                }
            }
            _ => {
                self.is_given_up = true;
                self.lessons.push(row.into());
            }
        }
    }

    /// What another one must have observed to come to the same.
    pub(crate) fn lessons(&self) -> &[Box<[Word]>] {
        &self.lessons
    }

    /// Looks for new rows among the successors of one.
    #[inline]
    pub(crate) fn observe_successors<'r>(
        &mut self,
        src: &[Word],
        rows: impl Iterator<Item = &'r [Word]>,
    ) {
        if self.is_given_up {
            return;
        }
        let before = counts(src, self.hidden);
        for row in rows {
            if counts(row, self.hidden) != before {
                self.observe(row);
            }
        }
    }

    /// Makes the footprints of the layout, if there is one.
    pub(crate) fn make_ready(&mut self, propositions: &[ExprId]) -> bool {
        let Some(facts) = &self.facts else { return false };
        if self.is_given_up || self.longest.len() == 0 {
            return false;
        }
        let is_known = matches!(&self.footprints, Some((version, _)) if *version == self.version);
        if !is_known {
            let footprints = Footprints::of(facts, &self.longest, propositions);
            self.footprints = Some((self.version, footprints));
        }
        true
    }

    fn footprints(&self) -> &Footprints {
        let (_, footprints) = self.footprints.as_ref().expect("made ready before");
        footprints
    }
}

/// Where a faulty step of DVE leads: nobody has steps there, and its header differs from that of
/// all other rows.
fn is_error_state(model: &Model, row: &[Word]) -> bool {
    model.discipline != Discipline::Spin && counts(row, 0) == 0
}

/// The process that is one of so many parts. Spin tries the youngest first, DiVinE the first one.
pub(crate) fn pid_of(discipline: Discipline, parts: usize, part: usize) -> usize {
    match discipline {
        Discipline::Spin => parts - 1 - part,
        Discipline::Divine | Discipline::DivineLockStep => part,
    }
}

/// The control point that the first word of a frame tells.
fn location_of(selector: Word) -> usize {
    let header = selector.to_le_bytes();
    u16::from_le_bytes([header[FRAME_LOCATION], header[FRAME_LOCATION + 1]]).into()
}

impl Parts for NativeSpace<'_> {
    fn len(&self) -> usize {
        self.processes.footprints().len()
    }

    fn pid(&self, part: usize) -> usize {
        pid_of(self.model.discipline, self.len(), part)
    }

    fn version(&self) -> u64 {
        self.processes.version
    }

    fn selector(&self, part: usize) -> usize {
        let pid = self.pid(part);
        self.processes.hidden + self.processes.longest.frames[pid] as usize / size_of::<Word>()
    }

    fn touched(&self, part: usize, selector: Word) -> Option<&[u64]> {
        self.processes.footprints().at(self.pid(part), location_of(selector))
    }

    fn narrowing(&self, part: usize, selector: Word) -> Option<Narrowing> {
        let Processes { facts, longest, .. } = &self.processes;
        let (facts, at) = (facts.as_ref()?, (self.pid(part), location_of(selector)));
        let least = self.processes.footprints().by_frame(facts, longest, at, Own::Least)?;
        Some(Narrowing { own: own_bytes(facts, longest, at.0), least })
    }

    fn touched_by_own(&self, part: usize, row: &[Word]) -> Option<Box<[u64]>> {
        let Processes { facts, longest, .. } = &self.processes;
        let facts = facts.as_ref()?;
        let at = (self.pid(part), location_of(row[self.selector(part)]));
        let frame = bytes_of(facts.visible(row)).get(longest.frames[at.0] as usize..)?;
        self.processes.footprints().by_frame(facts, longest, at, Own::Frame(frame))
    }

    fn factors(&self, part: usize, selector: Word) -> Option<Vec<Factor>> {
        let Processes { facts, longest, .. } = &self.processes;
        let at = (self.pid(part), location_of(selector));
        self.processes.footprints().factors(facts.as_ref()?, longest, at)
    }

    fn conditions(&self, part: usize, selector: Word) -> Option<&[u32]> {
        self.processes.footprints().conditions(self.pid(part), location_of(selector))
    }

    fn observed(&self) -> Option<&[u64]> {
        self.processes.footprints().observed()
    }

    fn classes(&self) -> &[u32] {
        self.processes.footprints().classes()
    }

    fn have_single_commands(&self) -> bool {
        self.native.as_ref().is_some_and(|native| !native.counts_commands())
    }

    fn expand_parts(
        &mut self,
        parts: &[u32],
        row: &[Word],
        out: &mut Flat,
        found: &mut Vec<PartSteps>,
    ) -> bool {
        let (discipline, count) = (self.model.discipline, self.len());
        let NativeSpace { native, room, processes, fair, .. } = self;
        let Some(native) = native else { return false };
        let ends = &mut processes.ends;
        loop {
            ends.clear();
            let spare = out.spare(*room);
            let pids = parts.iter().map(|&part| pid_of(discipline, count, part as usize));
            match native.expand_processes(pids, row, spare, *room, ends) {
                Ok(()) => break,
                Err(Refusal::Full) => *room *= 2,
                Err(Refusal::Ask) => return false,
            }
        }
        let spare = out.spare(*room);
        let hidden = processes.hidden;
        let header = row[hidden];
        let before = counts(row, hidden);
        let (mut first, mut atomic) = (0, 0);
        let exempt = fair.as_ref().map_or(0, |fair| fair.exempt(native.proctypes()));
        for &PartEnd { rows: end, atomic_steps, able } in &*ends {
            let mut rows = spare[first * row.len()..end * row.len()].chunks_exact(row.len());
            found.push(PartSteps {
                successors: (end - first) as u32,
                atomic_steps: (atomic_steps - atomic) as u32,
                able: able & !exempt,
                // A row with other processes must be seen whenever it is made.
                may_keep: rows.all(|row| counts(row, hidden) == before),
            });
            (first, atomic) = (end, atomic_steps);
        }
        if found.iter().any(|found| !found.may_keep) {
            let rows = spare.chunks_exact(row.len()).take(first);
            processes.observe_successors(row, rows);
        }
        let before = out.len();
        out.commit(first);
        if let Some(fair) = fair {
            fair.meet(header.to_le_bytes()[NR_PROCESSES]);
            for (at, movers) in native.movers(first).iter().enumerate() {
                out.set_marks(before + at, Marks(movers | exempt));
            }
        }
        true
    }

    fn marks(&self, moved: Marks, able: u64) -> Marks {
        self.fair.as_ref().map_or(Marks::NONE, |fair| fair.of(moved.0, able))
    }
}
