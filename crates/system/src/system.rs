//! The steps of a model over a store of its states.

use lariat_core::{
    Batch, Cursor, Flat, Full, Limit, Props, SystemId, SystemStore, Word, makes_mistake, stop,
};
use lariat_model::interp::{Fault, FaultKind, Interp, row};
use lariat_model::ir::layout::NR_PROCESSES;
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::ModelSteps;

use crate::edge_cache::EdgeCache;
use crate::graph::FaultAt;
use crate::remembered::{Remember, Remembered};
use crate::valuations::Valuations;
use crate::{Edges, NO_VALUATION, Room, Stop, SystemGraph, Valuation};

/// States of a block, and the successors that end it early.
const BLOCK: usize = 64;
const SUCCESSORS: usize = 128;
/// How far ahead of its turn what is known of a state is asked for.
const AHEAD: usize = 6;
/// Clock and memory are looked at after so many expansions.
const LOOK_EVERY: u64 = 128;

/// How far a walk has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States so far.
    pub states: u64,
    /// Expansions so far.
    pub expanded: u64,
    /// See [`SystemGraph::bytes`].
    pub bytes: usize,
}

/// Who computes successors.
type Steps<'m> = Box<dyn ModelSteps + 'm>;
/// Told now and then; false ends the walk.
type Watch<'m> = Box<dyn FnMut(Progress) -> bool + Send + 'm>;
/// Whether propositions that cannot be evaluated matter beside those that are true: `(undefined,
/// true)`.
type Matters<'m> = Box<dyn Fn(Props, Props) -> bool + Send + 'm>;

/// What becomes of run-time errors.
enum Meaning<'m> {
    /// They are told ([`Edges::faults`]); a condition that cannot be evaluated is false.
    States,
    /// A run cannot go on behind some of them.
    Runs {
        propositions: &'m [ExprId],
        matters: Matters<'m>,
        /// The first run-time error that some runs cannot get past.
        dead_end: Option<Fault>,
    },
}

/// The graph of a model's states.
pub struct System<'m, S> {
    model: &'m Model,
    steps: Steps<'m>,
    store: S,
    meaning: Meaning<'m>,
    /// Words of a row of the model, and those of them that are not part of a state.
    width: usize,
    hidden_words: usize,
    mark_count: u32,
    /// The hidden variables that are outside of the state at hand.
    hidden: Vec<Word>,
    /// Scratch: a row with these, the successors of a state, the same without these.
    row: Vec<Word>,
    batch: Flat,
    visible: Flat,
    valuations: Valuations,
    edges: EdgeCache,
    remembered: Remembered,
    counts_commands: bool,
    /// The bytes of all structures, and those of the search among them.
    limit: Option<usize>,
    reserved: usize,
    budget: u64,
    expanded: u64,
    next_look: u64,
    watch: Option<Watch<'m>>,
}

/// Threads may hand it on.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<System<'_, lariat_store::Tree>>();
};

impl<'m, S: SystemStore<Row = [Word]>> System<'m, S> {
    /// States, for what is true of each of them and for what can happen on the way to them. Hidden
    /// variables may be outside of them, as in Spin; then what is seen depends on the order. `store`
    /// is given the width of its rows.
    pub fn of_states(
        model: &'m Model,
        steps: Box<dyn ModelSteps + 'm>,
        hidden_is_state: bool,
        store: impl FnOnce(usize) -> S,
    ) -> Self {
        let hidden_words = if hidden_is_state { 0 } else { steps.hidden_words() };
        Self::new(model, steps, Meaning::States, hidden_words, store)
    }

    /// Runs, for temporal properties. A walk stops at a run-time error behind which nothing has a
    /// meaning (DVE: at all but assertions; Promela: where a step was cut), and where one of the
    /// propositions cannot be evaluated and `matters(undefined, true)`.
    pub fn of_runs(
        model: &'m Model,
        steps: Box<dyn ModelSteps + 'm>,
        propositions: &'m [ExprId],
        matters: impl Fn(Props, Props) -> bool + Send + 'm,
        store: impl FnOnce(usize) -> S,
    ) -> Self {
        let matters = Box::new(matters);
        let meaning = Meaning::Runs { propositions, matters, dead_end: None };
        Self::new(model, steps, meaning, 0, store)
    }

    fn new(
        model: &'m Model,
        steps: Steps<'m>,
        meaning: Meaning<'m>,
        hidden_words: usize,
        store: impl FnOnce(usize) -> S,
    ) -> Self {
        let width = steps.width();
        System {
            model,
            meaning,
            width,
            hidden_words,
            mark_count: steps.mark_count(),
            hidden: vec![0; hidden_words],
            row: Vec::new(),
            batch: steps.batch(usize::MAX),
            visible: Flat::new(width - hidden_words, usize::MAX),
            valuations: Valuations::default(),
            edges: EdgeCache::new(0),
            remembered: Remembered::new(Remember::Usually),
            counts_commands: false,
            limit: None,
            reserved: 0,
            budget: u64::MAX,
            expanded: 0,
            next_look: LOOK_EVERY,
            watch: None,
            steps,
            store: store(width - hidden_words),
        }
    }

    /// All structures together, with those of the search, take at most so many bytes.
    pub fn with_limit(mut self, bytes: Option<usize>) -> Self {
        self.limit = bytes;
        self.limit_store();
        self
    }

    /// Keeps the successors of states that are expanded one at a time, within so many bytes. Steps
    /// with marks say more than where they lead: nothing is kept of these.
    pub fn with_edge_cache(mut self, bytes: usize) -> Self {
        if self.mark_count == 0 && self.hidden_words == 0 {
            self.edges = EdgeCache::new(bytes);
        }
        self
    }

    /// Keeps every valuation with its state, for [`SystemGraph::known_valuation`].
    pub fn keeping_valuations(mut self) -> Self {
        self.valuations.keeps_all = true;
        self
    }

    /// Whether the steps of processes are remembered.
    pub fn remembering_steps(mut self, remember: Remember) -> Self {
        self.remembered = Remembered::new(remember);
        self.limit_store();
        self
    }

    /// Tells how far the walk has come, now and then; `false` interrupts it.
    pub fn watched_by(mut self, watch: impl FnMut(Progress) -> bool + Send + 'm) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// The first run-time error that some runs cannot get past: that no run was found proves
    /// nothing then.
    pub fn dead_end(&self) -> Option<Fault> {
        match &self.meaning {
            Meaning::States => None,
            Meaning::Runs { dead_end, .. } => *dead_end,
        }
    }

    /// Who computes successors, and knows what was executed.
    pub fn steps(&self) -> &dyn ModelSteps {
        &*self.steps
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Bytes of all but the store.
    fn beside_store(&self) -> usize {
        let own = self.edges.bytes() + self.valuations.bytes() + self.remembered.bytes();
        self.reserved + own
    }

    /// The store may have what is left.
    fn limit_store(&mut self) {
        if let Some(limit) = self.limit {
            let others = self.reserved + self.edges.bytes() + self.valuations.bytes();
            self.remembered.set_limit(limit.saturating_sub(others));
            self.store.limit_bytes(limit.saturating_sub(self.beside_store()));
        }
    }

    /// Whether there may be so many more bytes.
    fn allow(&mut self, more: usize) -> Result<(), Stop> {
        let Some(limit) = self.limit else { return Ok(()) };
        self.limit_store();
        match self.store.bytes() + self.beside_store() + more <= limit {
            true => Ok(()),
            false => Err(Limit::Memory.into()),
        }
    }

    /// Looks at the limits, now and then at those that take time.
    #[inline]
    fn look(&mut self) -> Result<(), Stop> {
        if self.budget == 0 {
            return Err(Limit::Budget.into());
        }
        match self.expanded < self.next_look {
            true => Ok(()),
            false => self.look_around(),
        }
    }

    #[cold]
    fn look_around(&mut self) -> Result<(), Stop> {
        self.next_look = self.expanded + LOOK_EVERY;
        self.allow(0)?;
        if let Some(why) = stop::asked() {
            return Err(why.into());
        }
        let (states, bytes) = (self.store.len() as u64, self.bytes());
        let progress = Progress { states, expanded: self.expanded, bytes };
        let goes_on = self.watch.as_mut().is_none_or(|watch| watch(progress));
        // A run that was found is replayed whatever the watcher says.
        match goes_on || stop::is_undisturbed() {
            true => Ok(()),
            false => Err(Limit::Interrupted.into()),
        }
    }

    /// A state did not fit.
    fn widen(&self) -> Option<Stop> {
        let processes = match self.mark_count {
            0 => None,
            _ => self.steps.wanted_processes(),
        };
        let width = self.steps.wanted_width();
        let is_wanted = width > self.width || processes.is_some();
        is_wanted.then(|| Stop::Widen(Room { width, processes: processes.unwrap_or(1) }))
    }

    /// Has the store look for the successors of states until there is enough to do for it.
    #[inline]
    fn expand_block(&mut self, ids: &[SystemId], out: &mut Edges) -> Result<usize, Stop> {
        let most = if self.hidden_words > 0 { 1 } else { BLOCK };
        let most = most.min(ids.len()).min(usize::try_from(self.budget).unwrap_or(usize::MAX));
        let start = out.ids.len();
        let mut end = start;
        let mut done = 0;
        while done < most && end - start < SUCCESSORS {
            if let Some(&ahead) = ids.get(done + AHEAD) {
                self.remembered.prefetch(ahead, &self.store);
            }
            end += match self.take_in_by_parts(ids[done], out)? {
                Some(successors) => successors,
                None => self.take_in_whole(ids[done], out)?,
            };
            out.ends.push(end);
            done += 1;
        }
        self.store.finish(&mut out.ids)?;
        debug_assert_eq!(out.ids.len(), end, "an id for each successor");
        self.expanded += done as u64;
        self.budget -= done as u64;
        Ok(done)
    }

    /// The successors of a state by the parts of the model, as far as they are known without its
    /// row; how many there are. None if the state must be expanded as a whole, as one must that
    /// nothing leads out of.
    #[inline]
    fn take_in_by_parts(&mut self, id: SystemId, out: &mut Edges) -> Result<Option<usize>, Stop> {
        let is_plain = self.hidden_words == 0 && self.mark_count == 0;
        if !is_plain || self.remembered.is_given_up() {
            return Ok(None);
        }
        let Some(parts) = self.steps.parts() else { return Ok(None) };
        // How many commands led to a successor is not remembered.
        if self.counts_commands && !parts.have_single_commands() {
            self.remembered.give_up();
            return Ok(None);
        }
        let taken = self.remembered.take_in(id, parts, &mut self.store, &mut out.ids)?;
        let Some(taken) = taken.filter(|taken| taken.successors > 0) else { return Ok(None) };
        out.atomic_steps += taken.atomic_steps;
        Ok(Some(taken.successors))
    }

    /// The successors of a state by the model; how many there are.
    fn take_in_whole(&mut self, id: SystemId, out: &mut Edges) -> Result<usize, Stop> {
        self.batch.clear();
        let visible = self.store.load(id);
        let row = whole(&self.hidden, visible, &mut self.row);
        self.steps.expand(row, &mut Cursor::default(), &mut self.batch);
        if let Some(widen) = self.widen() {
            return Err(widen);
        }
        self.report(out)?;
        let count = self.batch.len();
        if self.mark_count > 0 {
            out.marks.extend((0..count).map(|at| self.batch.marks(at)));
        }
        if self.hidden_words == 0 {
            self.store.take_in(&self.batch, &mut out.ids)?;
            return Ok(count);
        }
        self.visible.clear();
        for at in 0..count {
            let (hidden, visible) = self.batch.row(at).split_at(self.hidden_words);
            out.hidden.extend_from_slice(hidden);
            self.visible.push_copy(visible);
        }
        self.store.take_in(&self.visible, &mut out.ids)?;
        Ok(count)
    }

    /// What the model says of the state that it has expanded.
    #[inline]
    fn report(&mut self, out: &mut Edges) -> Result<(), Stop> {
        let report = self.steps.report();
        let source = out.ends.len();
        out.atomic_steps += report.atomic_steps;
        out.deepest = out.deepest.max(report.deepest);
        if report.is_blocked {
            out.blocked.push(source);
        }
        let is_one_each = report.commands.is_empty() && out.commands.is_empty();
        if self.counts_commands && !is_one_each {
            out.commands.resize(out.ends.last().copied().unwrap_or(0), 1);
            out.commands.extend((0..self.batch.len()).map(|at| report.commands_to(at)));
        }
        if report.faults.is_empty() {
            return Ok(());
        }
        let faults = report.faults.iter();
        if faults.clone().any(|found| found.fault.kind == FaultKind::Stopped) {
            return Err(Stop::Limit(stop::asked().unwrap_or(Limit::Interrupted)));
        }
        match &mut self.meaning {
            Meaning::States => {
                out.faults.extend(faults.map(|fault| FaultAt { source, fault: fault.clone() }));
            }
            Meaning::Runs { dead_end, .. } => {
                let mut faults = faults.map(|found| found.fault);
                let known = dead_end.filter(|_| !makes_mistake("fatal-forgotten"));
                *dead_end = known.or(faults.clone().find(|fault| fault.kind.is_fatal()));
                // A process of Promela goes on behind some faults, and others are steps that are
                // not there: see `dead_end`. What was cut off proves nothing.
                let stops = |fault: &Fault| match self.model.discipline {
                    Discipline::Spin => fault.kind.is_cut(),
                    _ => fault.kind != FaultKind::Assertion,
                };
                if let Some(fault) = faults.find(stops) {
                    return Err(Stop::Fault(fault));
                }
            }
        }
        Ok(())
    }

    /// Has the propositions of a state evaluated.
    fn evaluate(&mut self, id: SystemId) -> Result<Valuation, Stop> {
        let visible = self.store.load(id);
        let is_dve = self.model.discipline != Discipline::Spin;
        let is_of_states = matches!(self.meaning, Meaning::States);
        if is_of_states && is_dve && visible[0].to_le_bytes()[NR_PROCESSES] == 0 {
            return Ok(NO_VALUATION);
        }
        let row = whole(&self.hidden, visible, &mut self.row);
        let props = self.steps.props(row);
        let undefined = self.steps.undefined();
        let truth = props & !undefined;
        if undefined != 0
            && let Meaning::Runs { propositions, matters, .. } = &self.meaning
            // Neither true nor false. That does not matter where another one decides, as `i < N`
            // does in `i < N -> a[i] == 0`.
            && matters(undefined, truth)
        {
            let (bytes, hidden) = row::unpack(self.model, row);
            let mut interp = Interp::new(self.model);
            interp.load_with_hidden(&bytes, &hidden);
            let proposition = propositions[undefined.trailing_zeros() as usize];
            if let Err(fault) = interp.eval_loaded(proposition, None) {
                return Err(Stop::Fault(fault));
            }
        }
        Ok(self.valuations.number(truth))
    }

    /// Expands one state, whose successors may be known already.
    fn expand_cached(&mut self, id: SystemId, out: &mut Edges) -> Result<(), Stop> {
        if let Some(known) = self.edges.get(id) {
            out.ids.extend(known);
            out.ends.push(out.ids.len());
            self.expanded += 1;
            self.budget -= 1;
            return Ok(());
        }
        let (start, told) = (out.ids.len(), (out.faults.len(), out.blocked.len()));
        self.expand_block(&[id], out)?;
        // What is told besides the successors would be lost.
        if told == (out.faults.len(), out.blocked.len()) {
            let System { edges, valuations, remembered, store, limit, reserved, .. } = self;
            let grows = edges.put(id, &out.ids[start..], |edges| match *limit {
                None => usize::MAX,
                Some(limit) => {
                    let own = edges.bytes() + valuations.bytes() + remembered.bytes();
                    limit.saturating_sub(*reserved + own + store.bytes())
                }
            });
            if grows {
                self.limit_store();
            }
        }
        Ok(())
    }
}

/// A row of the model: the variables outside of a state, and the state.
#[inline(always)]
fn whole<'r>(hidden: &[Word], visible: &'r [Word], scratch: &'r mut Vec<Word>) -> &'r [Word] {
    if hidden.is_empty() {
        return visible;
    }
    scratch.clear();
    scratch.extend_from_slice(hidden);
    scratch.extend_from_slice(visible);
    scratch
}

impl<S: SystemStore<Row = [Word]>> SystemGraph for System<'_, S> {
    fn initial(&mut self, out: &mut Vec<SystemId>) -> Result<(), Stop> {
        self.allow(0)?;
        self.batch.clear();
        self.steps.initial(&mut self.batch);
        if let Some(widen) = self.widen() {
            return Err(widen);
        }
        if self.batch.len() == 0
            && let Err(faults) = Interp::new(self.model).initial()
            && let Some(&fault) = faults.first()
        {
            return Err(Stop::Fault(fault));
        }
        for at in 0..self.batch.len() {
            let (hidden, visible) = self.batch.row(at).split_at(self.hidden_words);
            self.hidden.copy_from_slice(hidden);
            out.push(self.store.intern(visible)?);
        }
        Ok(())
    }

    #[inline]
    fn expand(&mut self, ids: &[SystemId], out: &mut Edges) -> Result<usize, Stop> {
        self.look()?;
        let sources = out.sources();
        let done = match *ids {
            [id] if self.edges.is_used() => self.expand_cached(id, out).map(|()| 1),
            _ => self.expand_block(ids, out),
        };
        if done.is_err() {
            // What was taken in is forgotten here and there.
            let _: Result<(), Full> = self.store.finish(&mut out.ids);
            out.truncate(sources, self.hidden_words);
        }
        done
    }

    #[inline]
    fn valuation(&mut self, id: SystemId) -> Result<Valuation, Stop> {
        if self.hidden_words > 0 {
            return self.evaluate(id);
        }
        if !self.valuations.keeps_all
            && let Some(parts) = self.steps.parts()
            && let Some(place) = self.valuations.memo.place(id, parts, &self.store)
        {
            if let Some(known) = self.valuations.memo.get(place) {
                return Ok(known);
            }
            let valuation = self.evaluate(id)?;
            self.valuations.memo.put(place, valuation);
            return Ok(valuation);
        }
        if let Some(known) = self.valuations.kept(id) {
            return Ok(known);
        }
        let valuation = self.evaluate(id)?;
        let growth = self.valuations.growth(id, valuation);
        if growth > 0 {
            self.allow(growth)?;
        }
        self.valuations.keep(id, valuation);
        if growth > 0 {
            self.limit_store();
        }
        Ok(valuation)
    }

    fn known_valuation(&self, id: SystemId) -> Option<Valuation> {
        self.valuations.kept(id)
    }

    fn truth(&self, valuation: Valuation) -> Props {
        self.valuations.truth(valuation)
    }

    #[inline]
    fn load(&mut self, id: SystemId) -> &[Word] {
        self.store.load(id)
    }

    #[inline]
    fn prefetch(&self, id: SystemId) {
        self.store.prefetch(id);
    }

    fn mark_count(&self) -> u32 {
        self.mark_count
    }

    #[inline]
    fn len(&self) -> usize {
        self.store.len()
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.beside_store() - self.reserved
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Stop> {
        let before = std::mem::replace(&mut self.reserved, bytes);
        let allowed = self.allow(0);
        if allowed.is_err() {
            self.reserved = before;
        }
        allowed
    }

    fn set_budget(&mut self, expansions: u64) {
        self.budget = expansions;
    }

    fn budget(&self) -> u64 {
        self.budget
    }

    fn forget_states(&mut self) {
        self.store.forget_states();
        self.edges.clear();
        self.valuations.forget_states();
    }

    fn allow_wide_ids(&mut self) {
        self.store.allow_wide_ids();
    }

    fn count_commands(&mut self) {
        self.counts_commands = true;
    }

    fn hidden_words(&self) -> usize {
        self.hidden_words
    }

    fn set_hidden(&mut self, hidden: &[Word]) {
        self.hidden.copy_from_slice(hidden);
    }

    fn hidden(&self) -> &[Word] {
        &self.hidden
    }
}
