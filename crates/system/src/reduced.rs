//! What partial-order reduction leaves out, and what the cycle proviso wants to know of it
//! (docs/por.md).
//!
//! The steps that are kept are a function of the state alone, so every search sees one graph. A
//! state is *reduced* if something may have been left out there. Reduced states may be on a cycle on which
//! something is left out for ever; the largest id of such a cycle has a successor with a smaller or equal id,
//! which makes it a *suspect*. `lariat_search::proviso` looks for such cycles, starting there, and has
//! some of their states expanded fully by the next search.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;
use lariat_core::{Parts, SystemId, Word, makes_mistake};
use lariat_model::steps::Begun;
use lariat_por::{Choice, Kind, Obstacle, ProcessSet, Reduction};

use crate::kind_cache::{KindCache, Place};

/// When there are so many states it is judged whether reduction pays: it does not if it has kept fewer than
/// one of so many states away (bench/por.md). Less is asked for as long as little is known. A state that is
/// absent early may come up later, so large searches are judged again.
const TRIALS: [(usize, usize); 5] =
    [(1 << 11, 16), (1 << 13, 4), (1 << 16, 3), (1 << 19, 4), (1 << 21, 4)];
/// A model with so many control points is not analysed at once.
const MANY_POINTS: usize = 1_000;
/// The first states are expanded fully then, so many for each control point.
const FULL_PER_POINT: u64 = 8;
/// By so many of them.
const SAMPLE: usize = 128;

/// Whether all steps of a state are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    Full,
    Reduced,
}

/// Chooses whose steps are taken.
pub(crate) struct Chooser<'m> {
    reduction: Reduction<'m>,
    /// States that are expanded fully for the sake of the proviso.
    full: HashSet<Box<[Word]>>,
    /// By pid: the kinds of the state at hand, and how many steps each process has.
    kinds: Vec<Kind>,
    steps: Vec<u32>,
    /// Kinds of processes in other states.
    known: KindCache,
    chosen: Choice,
    /// It matters to the search which states are full.
    pub(crate) is_leveled: bool,
}

impl<'m> Chooser<'m> {
    pub(crate) fn new(reduction: Reduction<'m>) -> Self {
        Chooser {
            reduction,
            full: HashSet::new(),
            kinds: Vec::new(),
            steps: Vec::new(),
            known: KindCache::default(),
            chosen: Choice::All,
            is_leveled: false,
        }
    }

    /// Whether a process of this kind is chosen whatever the others are: it is the first such one
    /// in the order of the model.
    #[inline]
    pub(crate) fn takes_alone(&self, kind: u32) -> bool {
        self.full.is_empty() && self.reduction.is_alone(Kind::from_raw(kind))
    }

    /// The kind of the process that is a part, in a state in which it has so many steps.
    pub(crate) fn kind(&mut self, parts: &dyn Parts, part: usize, row: &[Word], steps: u32) -> u32 {
        let place = match self.known.find(parts, part, row, steps) {
            Place::Known(kind) => return kind,
            Place::Nobody => return Kind::NONE.raw(),
            Place::Unknown(place) => Some(place),
            Place::Nowhere => None,
        };
        let kind = self.reduction.kind(row, parts.pid(part), steps).raw();
        if let Some(place) = place {
            self.known.keep(place, parts, part, row, steps, kind);
        }
        kind
    }

    /// Nothing is known of the next state yet.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.kinds.clear();
        self.steps.clear();
    }

    /// A process of the state, its kind and its steps.
    #[inline]
    pub(crate) fn add(&mut self, pid: usize, kind: u32, steps: u32) {
        if self.kinds.len() <= pid {
            self.kinds.resize(pid + 1, Kind::NONE);
            self.steps.resize(self.steps.len().max(pid + 1), 0);
        }
        (self.kinds[pid], self.steps[pid]) = (Kind::from_raw(kind), steps);
    }

    /// Less than two processes have steps: nothing can be left out. Whoever knows the kind of a process that is
    /// chosen whatever the others are does not look at these, and calls the state reduced. So if it matters which states are
    /// full, one with such a process alone is not: `is_alone`.
    #[inline]
    pub(crate) fn choose_all(&mut self, is_alone: bool) -> Reach {
        self.chosen = Choice::All;
        if is_alone { Reach::Reduced } else { Reach::Full }
    }

    /// Chooses by what was added. The row is asked for only if some states are expanded fully.
    #[inline]
    pub(crate) fn choose<'r>(&mut self, row: impl FnOnce() -> &'r [Word]) -> Reach {
        self.chosen = self.reduction.choose(&self.kinds);
        if self.chosen != Choice::All && !self.full.is_empty() && self.full.contains(row()) {
            self.chosen = Choice::All;
        }
        match self.chosen {
            Choice::All => Reach::Full,
            Choice::Only(_) => Reach::Reduced,
        }
    }

    /// How many steps each process begins.
    fn count_steps(&mut self, begun: &[Begun]) {
        let mut first = 0;
        for &Begun { pid, end } in begun {
            let pid = usize::from(pid);
            if self.steps.len() <= pid {
                self.steps.resize(pid + 1, 0);
            }
            self.steps[pid] += end - first;
            first = end;
        }
    }

    /// As `choose`, for a state that was expanded as a whole. With the parts of the model, kinds may be
    /// known.
    pub(crate) fn choose_whole(
        &mut self,
        row: &[Word],
        begun: &[Begun],
        parts: Option<&mut dyn Parts>,
    ) -> Reach {
        self.begin();
        self.count_steps(begun);
        // One process alone has nobody to wait for.
        let processes = self.steps.iter().filter(|&&steps| steps > 0).count();
        if processes < 2 {
            let is_alone = self.is_leveled && processes == 1 && self.is_alone(row, parts);
            return self.choose_all(is_alone);
        }
        let mut alone = None;
        match parts {
            None if self.full.is_empty() => {
                alone = self.reduction.alone_or_kinds(row, &self.steps, &mut self.kinds);
            }
            None => self.reduction.kinds(row, &self.steps, &mut self.kinds),
            Some(parts) => {
                for part in 0..parts.len() {
                    let pid = parts.pid(part);
                    let steps = self.steps.get(pid).copied().unwrap_or(0);
                    let kind = self.kind(parts, part, row, steps);
                    self.add(pid, kind, steps);
                    if self.takes_alone(kind) {
                        alone = Some(pid);
                        break;
                    }
                }
            }
        }
        if let Some(pid) = alone {
            self.chosen = Choice::Only(ProcessSet::one(pid));
            return Reach::Reduced;
        }
        self.choose(|| row)
    }

    /// Whether a process that has steps here is chosen whatever the others are.
    fn is_alone(&mut self, row: &[Word], parts: Option<&mut dyn Parts>) -> bool {
        let Some(parts) = parts else {
            self.reduction.kinds(row, &self.steps, &mut self.kinds);
            return self.kinds.iter().any(|&kind| self.reduction.is_alone(kind));
        };
        (0..parts.len()).any(|part| {
            let steps = self.steps.get(parts.pid(part)).copied().unwrap_or(0);
            steps > 0 && {
                let kind = self.kind(parts, part, row, steps);
                self.takes_alone(kind)
            }
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        let rows: usize = self.full.iter().map(|row| size_of_val(&**row)).sum();
        self.reduction.bytes() + self.known.bytes() + rows
    }

    /// Sets that may stand for all, as far as nothing is put off for ever by that.
    pub(crate) fn candidates(&mut self, row: &[Word], begun: &[Begun]) -> Vec<ProcessSet> {
        self.begin();
        self.count_steps(begun);
        if begun.is_empty() {
            return Vec::new();
        }
        self.reduction.kinds(row, &self.steps, &mut self.kinds);
        self.reduction.candidates(&self.kinds)
    }

    /// Why nothing could be left out in a state that was expanded as a whole.
    pub(crate) fn obstacle(&mut self, row: &[Word], begun: &[Begun]) -> Option<Obstacle> {
        self.begin();
        self.count_steps(begun);
        self.reduction.kinds(row, &self.steps, &mut self.kinds);
        self.reduction.obstacle(&self.kinds)
    }

    /// Whether the state is expanded fully for the sake of the proviso.
    pub(crate) fn is_full(&self, row: &[Word]) -> bool {
        self.full.contains(row)
    }

    #[inline]
    pub(crate) fn has_chosen(&self, pid: usize) -> bool {
        match &self.chosen {
            Choice::All => true,
            Choice::Only(processes) => processes.contains(pid),
        }
    }
}

/// A system whose states are not all expanded fully.
pub(crate) struct Reduced<'m> {
    pub(crate) chooser: Chooser<'m>,
    pub(crate) left_out: LeftOut,
    /// States with a smaller id are expanded fully: a small search is over before the model is analysed.
    from: SystemId,
    /// States with this id or a larger one are expanded fully: reduction does not pay.
    until: SystemId,
    /// When it is judged, the next time last.
    trials: Vec<(usize, usize)>,
    /// The search decides for each state whether its reduced successors are enough: nothing is noted of states.
    pub(crate) is_leveled: bool,
    /// Which states of the block that was expanded last are reduced, by bits.
    pub(crate) sources: u64,
}

/// Which steps are enough, and what a thread has learned of that. Kinds are known by the numbers that it has given them, so it goes
/// together with the steps that are remembered.
pub struct Sets<'m>(Chooser<'m>);

impl<'m> Sets<'m> {
    /// None if nothing can be left out: one process alone has nobody to wait for.
    pub fn new(reduction: Reduction<'m>) -> Option<Self> {
        reduction.has_choices().then(|| Sets(Chooser::new(reduction)))
    }
}

/// What became of a sample of reduced states.
#[derive(Default)]
pub(crate) struct Sample {
    pub(crate) states: usize,
    /// Successors that were left out and are not known by now.
    pub(crate) absent: usize,
}

impl<'m> Reduced<'m> {
    pub(crate) fn new(reduction: Reduction<'m>, trial: Option<u64>) -> Self {
        // Of a large model that takes as long as some thousands of states.
        let points = reduction.control_points();
        let from = if points < MANY_POINTS || trial.is_some() {
            0
        } else {
            points as u64 * FULL_PER_POINT
        };
        Reduced {
            chooser: Chooser::new(reduction),
            from,
            left_out: LeftOut::default(),
            until: SystemId::MAX,
            trials: match trial {
                Some(states) => vec![(states as usize, TRIALS[2].1)],
                None => TRIALS.into_iter().rev().collect(),
            },
            is_leveled: false,
            sources: 0,
        }
    }

    /// For states without numbers: all are reduced, and the search decides.
    pub(crate) fn leveled(Sets(chooser): Sets<'m>) -> Self {
        Reduced {
            chooser: Chooser { is_leveled: true, ..chooser },
            left_out: LeftOut::default(),
            from: 0,
            until: SystemId::MAX,
            trials: Vec::new(),
            is_leveled: true,
            sources: 0,
        }
    }

    pub(crate) fn into_sets(self) -> Sets<'m> {
        Sets(self.chooser)
    }

    /// From which id on states are expanded fully; until now another one.
    pub(crate) fn full_from(&mut self, id: SystemId) -> SystemId {
        std::mem::replace(&mut self.until, id)
    }

    /// Whether the steps of a state are chosen at all. A rule on ids: the same at each visit.
    #[inline]
    pub(crate) fn looks_at(&self, id: SystemId) -> bool {
        self.from <= id && id < self.until
    }

    /// Whether it does not pay.
    pub(crate) fn is_given_up(&self) -> bool {
        self.until < SystemId::MAX
    }

    /// Whether the state came before reduction began.
    pub(crate) fn is_early(&self, id: SystemId) -> bool {
        id < self.from
    }

    /// Whether it is judged now whether reduction pays: there are so many states.
    #[inline]
    pub(crate) fn is_judged(&self, states: usize) -> bool {
        self.trials.last().is_some_and(|&(trial, _)| states >= trial + 4 * self.from as usize)
    }

    /// Of the first so many states, some that are reduced.
    pub(crate) fn sample(&self, states: usize) -> Vec<SystemId> {
        let reduced: Vec<usize> =
            self.left_out.reduced.ones().take_while(|&id| id < states).collect();
        let every = reduced.len() / SAMPLE + 1;
        reduced.iter().step_by(every).map(|&id| id as SystemId).collect()
    }

    /// By what was found of a sample of the first so many states: there are so many by now, all of
    /// which have ids.
    pub(crate) fn judge(&mut self, sample: &Sample, first: usize, states: usize) {
        let Some((_, least)) = self.trials.pop() else { return };
        let reduced = self.left_out.reduced.ones().take_while(|&id| id < first).count();
        // Absent ones of all states among the first, if the sample is like the others.
        let absent = sample.absent * reduced / sample.states.max(1);
        if absent * least < first.saturating_sub(self.from as usize) {
            self.until = states as SystemId;
            self.trials.clear();
        }
    }

    /// Ids begin anew.
    pub(crate) fn forget_states(&mut self) {
        self.left_out.reduced.clear();
        self.left_out.suspects.clear();
        self.left_out.stuck.clear();
        if self.until != SystemId::MAX {
            self.until = 0;
        }
    }

    /// This state is expanded fully from now on.
    pub(crate) fn make_full(&mut self, id: SystemId, row: &[Word]) {
        self.chooser.full.insert(row.into());
        let LeftOut { reduced, suspects, stuck, .. } = &mut self.left_out;
        for marks in [reduced, suspects, stuck] {
            if marks.contains(id as usize) {
                marks.set(id as usize, false);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let LeftOut { reduced, suspects, stuck, .. } = &self.left_out;
        self.chooser.bytes() + (reduced.len() + suspects.len() + stuck.len()) / 8
    }
}

/// Where something may have been left out.
#[derive(Debug, Default)]
pub struct LeftOut {
    reduced: FixedBitSet,
    /// Those with a successor whose id is not larger than their own, and those without any other.
    suspects: FixedBitSet,
    stuck: FixedBitSet,
    /// A state is reduced only if all its successors have larger ids: then no cycle has reduced
    /// states only.
    by_ids: bool,
}

impl LeftOut {
    /// Whether the state was expanded, and something may have been left out.
    #[inline]
    pub fn is_reduced(&self, id: SystemId) -> bool {
        self.reduced.contains(id as usize)
    }

    /// The next reduced state with this id or a larger one that has a successor whose id is not
    /// larger than its own.
    pub fn next_suspect(&self, from: SystemId) -> Option<SystemId> {
        next(&self.suspects, from)
    }

    /// The next reduced state with this id or a larger one all of whose successors have ids that are not
    /// larger than its own.
    pub fn next_stuck(&self, from: SystemId) -> Option<SystemId> {
        next(&self.stuck, from)
    }

    /// Whether ids decide from now on.
    pub fn goes_by_ids(&self) -> bool {
        self.by_ids
    }

    /// From now on ids decide, so that nothing has to be looked at afterwards.
    pub fn go_by_ids(&mut self) {
        self.by_ids = true;
    }

    /// Whether one of the successors makes the state a suspect.
    #[inline]
    pub(crate) fn is_suspect(id: SystemId, successors: &[SystemId]) -> bool {
        successors.iter().any(|&next| next <= id) && !makes_mistake("por-suspects")
    }

    /// A state was expanded in part.
    #[inline]
    pub(crate) fn note(&mut self, id: SystemId, successors: &[SystemId]) {
        let at = id as usize;
        if at >= self.reduced.len() {
            let room =
                (at + 1).max(self.reduced.len() + self.reduced.len() / 4).next_multiple_of(512);
            self.reduced.grow(room);
            self.suspects.grow(room);
            self.stuck.grow(room);
        }
        self.reduced.insert(at);
        if Self::is_suspect(id, successors) {
            self.suspects.insert(at);
            if successors.iter().all(|&next| next <= id) {
                self.stuck.insert(at);
            }
        }
    }
}

/// The next member that is not smaller.
fn next(ids: &FixedBitSet, from: SystemId) -> Option<SystemId> {
    let bits = usize::BITS as usize;
    let (mut at, mut outside) = (from as usize / bits, (1_usize << (from as usize % bits)) - 1);
    while let Some(word) = ids.as_slice().get(at) {
        let left = word & !outside;
        if left != 0 {
            return Some((at * bits + left.trailing_zeros() as usize) as SystemId);
        }
        (at, outside) = (at + 1, 0);
    }
    None
}
