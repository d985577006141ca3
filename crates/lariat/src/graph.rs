//! The graph of a model by id, as searches see it: rows over a store.

use crate::kept::{Kept, Kind};
use crate::model::Model;
use crate::panics::caught;
use crate::rows::{BoxedRows, Trouble};
use crate::sample;
use lariat_core::{
    Batch, Flat, Headway, Limit, Marks, Props, SystemId, Word, headway, makes_mistake, memory, stop,
};
use lariat_system::{Edges, Room, Stop, SystemGraph, Valuation, Valuations};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A test of a state.
pub(crate) type Test<'m, S> = Arc<dyn Fn(&S) -> bool + Send + Sync + 'm>;

/// A block ends with so many states, or so many successors.
const BLOCK: usize = 64;
const ROWS: usize = 128;

/// The clock and memory are looked at after so many expansions, what the system says of memory less
/// often.
const LOOK_EVERY: u64 = 1 << 8;
const ASK_EVERY: u64 = 1 << 14;

/// Somebody is told how far a search is about so often.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// How far a search is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// States so far.
    pub states: u64,
    /// States whose steps were computed, with repeats by later searches.
    pub expanded: u64,
    /// Bytes of all tables.
    pub bytes: u64,
    /// The level at hand of a search that goes breadth first, and how many states it has.
    pub level: Option<(u64, u64)>,
    /// How many states are on the stack of a search that goes depth first.
    pub depth: Option<u64>,
    /// Since the beginning.
    pub time: Duration,
}

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) states: u64,
    pub(crate) depth: u64,
    pub(crate) bytes: Option<usize>,
}

/// Somebody who is told, and may say that it is enough.
pub(crate) type Tell<'m> = Box<dyn FnMut(Progress) -> ControlFlow<()> + Send + 'm>;

/// A test of states that are expanded: the first one is noted where it comes out as said.
pub(crate) struct Watch<'m, S> {
    pub(crate) test: Test<'m, S>,
    pub(crate) wanted: bool,
    /// Only states at rest are looked at.
    pub(crate) at_rest: bool,
    pub(crate) found: Option<SystemId>,
}

/// What a walk has met beside states.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Met {
    /// States at rest.
    pub(crate) ends: u64,
    /// Steps that lead beyond the boundary.
    pub(crate) beyond: u64,
}

pub(crate) struct ModelGraph<'m, M: Model> {
    model: &'m M,
    rows: BoxedRows<'m, M::State, M::Action>,
    kind: Kind,
    store: Kept,
    batch: Flat,
    mark_count: u32,
    /// A state at rest is its own successor, by a step that is fair to all.
    stutters: bool,
    propositions: Vec<Test<'m, M::State>>,
    valuations: Valuations,
    pub(crate) watches: Vec<Watch<'m, M::State>>,
    pub(crate) met: Met,
    /// What the model has done wrong, and in which state.
    pub(crate) trouble: Option<(Trouble, Option<SystemId>)>,
    limits: Limits,
    /// Bytes of the search.
    reserved: usize,
    /// What the process had before.
    resident: usize,
    budget: u64,
    expanded: u64,
    next_look: u64,
    next_ask: u64,
    tell: Option<Tell<'m>>,
    is_interrupted: bool,
    /// The store was full when it was to take something in: what it holds is not to be used.
    is_spoilt: bool,
    began: Instant,
    told: Instant,
}

impl<'m, M: Model> ModelGraph<'m, M> {
    pub(crate) fn new(
        model: &'m M,
        rows: BoxedRows<'m, M::State, M::Action>,
        kind: Kind,
        limits: Limits,
        tell: Option<Tell<'m>>,
    ) -> Self {
        let now = Instant::now();
        ModelGraph {
            model,
            rows,
            kind,
            store: Kept::new(kind, 1),
            batch: Flat::new(1, usize::MAX),
            mark_count: 0,
            stutters: false,
            propositions: Vec::new(),
            valuations: Valuations::default(),
            watches: Vec::new(),
            met: Met::default(),
            trouble: None,
            limits,
            reserved: 0,
            resident: memory::resident(),
            budget: u64::MAX,
            expanded: 0,
            next_look: 0,
            next_ask: 0,
            tell,
            is_interrupted: false,
            is_spoilt: false,
            began: now,
            told: now,
        }
    }

    /// Before a search that begins anew: no states, and rows as wide as is known to be needed.
    pub(crate) fn prepare(&mut self) -> Result<(), Stop> {
        self.trouble = None;
        let prepared = self.rows.prepare();
        prepared.map_err(|trouble| self.trouble(trouble, None))?;
        let width = self.rows.width();
        self.store = Kept::new(self.kind, width);
        self.batch = Flat::new(width, usize::MAX);
        self.valuations = Valuations::default();
        (self.met, self.reserved, self.is_spoilt) = (Met::default(), 0, false);
        Ok(())
    }

    /// From now on these are the propositions, runs are looked for and not states, and steps carry so
    /// many marks.
    pub(crate) fn watch_runs(
        &mut self,
        propositions: Vec<Test<'m, M::State>>,
        mark_count: u32,
    ) -> Result<(), Stop> {
        if self.is_spoilt {
            self.prepare()?;
        }
        (self.propositions, self.mark_count) = (propositions, mark_count);
        self.valuations = Valuations::default();
        (self.stutters, self.trouble, self.reserved) = (true, None, 0);
        (self.budget, self.next_look) = (u64::MAX, 0);
        self.watches.clear();
        Ok(())
    }

    /// From now on states are looked for.
    pub(crate) fn watch_states(&mut self) {
        (self.propositions, self.mark_count, self.stutters) = (Vec::new(), 0, false);
    }

    pub(crate) fn rows(&mut self) -> &mut BoxedRows<'m, M::State, M::Action> {
        &mut self.rows
    }

    /// The state of an id.
    pub(crate) fn state(&mut self, id: SystemId) -> &M::State {
        self.rows.load(self.store.load(id))
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    fn trouble(&mut self, trouble: Trouble, id: Option<SystemId>) -> Stop {
        match trouble {
            // Whoever called starts again.
            Trouble::TooWide => {
                self.trouble = Some((trouble, None));
                Stop::Widen(Room { width: self.rows.width() + 1, processes: 0 })
            }
            _ => {
                self.trouble = Some((trouble, id));
                Stop::Limit(Limit::Fault)
            }
        }
    }

    /// Bytes of all but the store.
    fn beside_store(&self) -> usize {
        self.rows.bytes() + self.valuations.bytes() + self.reserved
    }

    fn allow(&mut self, more: usize) -> Result<(), Stop> {
        let Some(limit) = self.limits.bytes else { return Ok(()) };
        let beside = self.beside_store() + more;
        self.store.limit_bytes(limit.saturating_sub(beside));
        match self.store.bytes() + beside <= limit {
            true => Ok(()),
            false => Err(Limit::Memory.into()),
        }
    }

    #[inline]
    fn look(&mut self) -> Result<(), Stop> {
        if self.budget == 0 {
            return Err(Limit::Budget.into());
        }
        match self.expanded < self.next_look {
            true => Ok(()),
            false => {
                let looked = self.look_around();
                // What ends a search is met again by whoever asks again.
                self.next_look = if looked.is_ok() { self.expanded + LOOK_EVERY } else { 0 };
                looked
            }
        }
    }

    #[cold]
    fn look_around(&mut self) -> Result<(), Stop> {
        if stop::is_undisturbed() {
            // A run that was found is replayed whatever the limits say.
            return Ok(());
        }
        self.allow(0)?;
        if let Some(why) = stop::asked() {
            return Err(why.into());
        }
        // Values have more on the heap than the tables know of.
        if self.expanded >= self.next_ask
            && let Some(limit) = self.limits.bytes
        {
            if memory::resident() > self.resident.saturating_add(limit) {
                return Err(Limit::Memory.into());
            }
            self.next_ask = self.expanded + ASK_EVERY;
        }
        if !self.is_interrupted
            && let Some(tell) = &mut self.tell
            && self.told.elapsed() >= TELL_EVERY
        {
            self.told = Instant::now();
            let bytes = self.store.bytes() + self.rows.bytes() + self.reserved;
            let Headway { level, frontier, depth, .. } = headway::now();
            let progress = Progress {
                level: level.zip(frontier),
                depth,
                states: self.store.len() as u64,
                expanded: self.expanded,
                bytes: bytes as u64,
                time: self.began.elapsed(),
            };
            self.is_interrupted = tell(progress).is_break();
        }
        match self.is_interrupted {
            true => Err(Limit::Interrupted.into()),
            false => Ok(()),
        }
    }

    fn expand_block(&mut self, ids: &[SystemId], out: &mut Edges) -> Result<usize, Stop> {
        let mut end = out.ids.len();
        let (first_end, mut sources) = (end, 0);
        for &id in &ids[..ids.len().min(BLOCK)] {
            if sources > 0 && end - first_end >= ROWS {
                break;
            }
            match self.look() {
                // The next call meets it again.
                Err(_) if sources > 0 => break,
                looked => looked?,
            }
            if self.expand_one(id)? {
                out.blocked.push(out.ends.len());
            }
            self.store.take_in(&self.batch, &mut out.ids)?;
            if self.mark_count > 0 {
                out.marks.extend((0..self.batch.len()).map(|at| self.batch.marks(at)));
            }
            end += self.batch.len();
            out.ends.push(end);
            sources += 1;
        }
        self.store.finish(&mut out.ids)?;
        if self.store.len() as u64 > self.limits.states && !stop::is_undisturbed() {
            return Err(Limit::States.into());
        }
        Ok(sources)
    }

    /// Expands one state: its successors are in the batch. Whether it is at rest.
    #[inline]
    fn expand_one(&mut self, id: SystemId) -> Result<bool, Stop> {
        self.budget -= 1;
        let state = self.rows.load(self.store.load(id));
        if !self.watches.is_empty() {
            let watches = &mut self.watches;
            let tested = caught(|| {
                for watch in watches.iter_mut().filter(|watch| !watch.at_rest) {
                    if watch.found.is_none() && (watch.test)(state) == watch.wanted {
                        watch.found = Some(id);
                    }
                }
            });
            tested.map_err(|text| self.trouble(Trouble::Panic(text), Some(id)))?;
        }
        self.batch.clear();
        let expanded = self.rows.expand(&mut self.batch);
        let beyond = expanded.map_err(|trouble| self.trouble(trouble, Some(id)))?;
        self.met.beyond += beyond;
        let is_at_rest =
            self.batch.len() == 0 && (beyond == 0 || makes_mistake("rust-rest-beyond"));
        if is_at_rest {
            self.met.ends += 1;
            self.note_end(id)?;
        }
        if sample::is_due(self.expanded) {
            self.sample(id, beyond)?;
        }
        self.expanded += 1;
        if is_at_rest && self.stutters && !makes_mistake("rust-no-stutter") {
            self.batch.push_copy(self.store.load(id));
            self.batch.set_marks(0, Marks::all(self.mark_count));
        }
        Ok(is_at_rest)
    }

    /// The state that was loaded last is one where no step leads on.
    fn note_end(&mut self, id: SystemId) -> Result<(), Stop> {
        if !self.watches.iter().any(|watch| watch.at_rest && watch.found.is_none()) {
            return Ok(());
        }
        let state = self.rows.load(self.store.load(id));
        let watches = &mut self.watches;
        let tested = caught(|| {
            for watch in watches.iter_mut().filter(|watch| watch.at_rest) {
                if watch.found.is_none() && (watch.test)(state) == watch.wanted {
                    watch.found = Some(id);
                }
            }
        });
        tested.map_err(|text| self.trouble(Trouble::Panic(text), Some(id)))
    }

    /// Has the state expanded once more, by the model alone.
    #[cold]
    fn sample(&mut self, id: SystemId, beyond: u64) -> Result<(), Stop> {
        let state = self.rows.load(self.store.load(id)).clone();
        let tests = self.watches.iter().map(|watch| &watch.test).chain(&self.propositions);
        let tests: Vec<Test<'m, M::State>> = tests.cloned().collect();
        let rows = &mut self.rows;
        let batch = &self.batch;
        let successors = |at: usize| (at < batch.len()).then(|| rows.load(batch.row(at)).clone());
        let looked = caught(|| sample::look(self.model, &state, beyond, successors, &tests));
        let found = match looked {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(what)) => Trouble::Broken(what),
            Err(text) => Trouble::Panic(text),
        };
        Err(self.trouble(found, Some(id)))
    }
}

impl<M: Model> SystemGraph for ModelGraph<'_, M> {
    fn initial(&mut self, out: &mut Vec<SystemId>) -> Result<(), Stop> {
        self.allow(0)?;
        self.batch.clear();
        let beyond = self.rows.initial(&mut self.batch);
        let beyond = beyond.map_err(|trouble| self.trouble(trouble, None))?;
        self.met.beyond += beyond;
        self.store.intern_all(&self.batch, out)?;
        Ok(())
    }

    fn expand(&mut self, ids: &[SystemId], out: &mut Edges) -> Result<usize, Stop> {
        let before = (out.ids.len(), out.ends.len(), out.marks.len(), out.blocked.len());
        let expanded = self.expand_block(ids, out);
        if expanded.is_err() {
            // Nothing that was taken in may wait for the next search.
            self.is_spoilt |= self.store.finish(&mut out.ids).is_err();
            out.ids.truncate(before.0);
            out.ends.truncate(before.1);
            out.marks.truncate(before.2);
            out.blocked.truncate(before.3);
        }
        expanded
    }

    fn valuation(&mut self, id: SystemId) -> Result<Valuation, Stop> {
        if let Some(known) = self.valuations.kept(id) {
            return Ok(known);
        }
        let state = self.rows.load(self.store.load(id));
        let tests = &self.propositions;
        let truth = caught(|| {
            let each = tests.iter().zip(0..);
            each.fold(0, |props: Props, (test, bit)| props | Props::from(test(state)) << bit)
        });
        let truth = truth.map_err(|text| self.trouble(Trouble::Panic(text), Some(id)))?;
        let valuation = self.valuations.number(truth);
        let growth = self.valuations.growth(id, valuation);
        if growth > 0 {
            self.allow(growth)?;
        }
        self.valuations.keep(id, valuation);
        Ok(valuation)
    }

    fn known_valuation(&self, id: SystemId) -> Option<Valuation> {
        self.valuations.kept(id)
    }

    fn truth(&self, valuation: Valuation) -> Props {
        self.valuations.truth(valuation)
    }

    fn load(&mut self, id: SystemId) -> &[Word] {
        self.store.load(id)
    }

    fn prefetch(&self, id: SystemId) {
        self.store.prefetch(id);
    }

    fn mark_count(&self) -> u32 {
        self.mark_count
    }

    fn len(&self) -> usize {
        self.store.len()
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.rows.bytes() + self.valuations.bytes()
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Stop> {
        self.reserved = bytes;
        self.allow(0)
    }

    fn set_budget(&mut self, expansions: u64) {
        self.budget = expansions;
    }

    fn budget(&self) -> u64 {
        self.budget
    }

    fn forget_states(&mut self) {
        self.store.forget_states();
        self.valuations.forget_states();
    }

    fn allow_wide_ids(&mut self) {
        self.store.allow_wide_ids();
    }

    fn count_commands(&mut self) {}

    fn hidden_words(&self) -> usize {
        0
    }

    fn set_hidden(&mut self, _: &[Word]) {}

    fn hidden(&self) -> &[Word] {
        &[]
    }
}
