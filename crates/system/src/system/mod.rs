//! The steps of a model over a store of its states.
//!
//! - `expand`: the successors of states; `reduce`: some of them only
//! - `evaluate`: the propositions of states; `limits`: when to stop; `explain`: why states are expanded fully
//! - `one_state`: for searches that keep states themselves; `shared`: for threads that share states

mod evaluate;
mod expand;
pub(crate) mod explain;
mod limits;
mod one_state;
mod reduce;
mod shared;

use lariat_core::{Batch, Flat, Full, Props, SystemId, SystemStore, Word};
use lariat_model::interp::{Fault, Interp};
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::{Begun, ModelSteps};
use lariat_por::Reduction;
use std::ops::Range;

use crate::edge_cache::EdgeCache;
use crate::reduced::{Chooser, LeftOut, Reduced};
use crate::remembered::{Remember, Remembered};
use crate::valuations::Valuations;
use crate::{Edges, Stop, SystemGraph, Valuation};

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
    /// Scratch: those successors that are taken, and who begins which.
    kept: Vec<Range<usize>>,
    begun: Vec<Begun>,
    valuations: Valuations,
    edges: EdgeCache,
    remembered: Remembered,
    reduced: Option<Reduced<'m>>,
    candidates: Option<Chooser<'m>>,
    counts_commands: bool,
    /// The bytes of all structures, and those of the search among them.
    limit: Option<usize>,
    reserved: usize,
    budget: u64,
    expanded: u64,
    /// The same since ids began.
    expanded_now: u64,
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
            kept: Vec::new(),
            begun: Vec::new(),
            valuations: Valuations::default(),
            edges: EdgeCache::new(0),
            remembered: Remembered::new(Remember::Usually).with_marks(steps.mark_count() > 0),
            reduced: None,
            candidates: None,
            counts_commands: false,
            limit: None,
            reserved: 0,
            budget: u64::MAX,
            expanded: 0,
            expanded_now: 0,
            next_look: limits::LOOK_EVERY,
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

    /// Keeps the successors of states that are expanded one at a time, and the marks of the steps,
    /// within so many bytes.
    pub fn with_edge_cache(mut self, bytes: usize) -> Self {
        if self.hidden_words == 0 {
            self.edges = EdgeCache::new(bytes);
        }
        self
    }

    /// Keeps every valuation with its state, for [`SystemGraph::known_valuation`].
    pub fn keeping_valuations(mut self) -> Self {
        self.valuations.keeps_all = true;
        self
    }

    /// Leaves out steps whose order does not matter (docs/por.md). Whether that pays is judged after
    /// so many states. Whoever concludes that there is nothing must have asked for the proviso
    /// before.
    pub fn reduced_by(mut self, reduction: Option<Reduction<'m>>, trial: Option<u64>) -> Self {
        // One process alone has nobody to wait for.
        let reduction = reduction.filter(Reduction::has_choices);
        self.reduced = reduction.map(|reduction| Reduced::new(reduction, trial));
        self.keeping_kinds()
    }

    /// Whether it was judged that leaving steps out does not pay.
    pub fn has_given_up_reduction(&self) -> bool {
        self.reduced.as_ref().is_none_or(Reduced::is_given_up)
    }

    /// Leaves nothing out, but says what could be ([`SystemGraph::candidates`]).
    pub fn with_candidates(mut self, reduction: Option<Reduction<'m>>) -> Self {
        self.candidates = reduction.map(Chooser::new);
        self
    }

    /// Whether the steps of processes are remembered.
    pub fn remembering_steps(self, remember: Remember) -> Self {
        self.with_remembered(Remembered::new(remember))
    }

    /// With steps that are remembered already, of the same model and states.
    pub fn with_remembered(mut self, remembered: Remembered) -> Self {
        self.remembered = remembered.with_marks(self.mark_count > 0);
        self.limit_store();
        self.keeping_kinds()
    }

    /// Has what is remembered keep what reduction knows, if there is one.
    fn keeping_kinds(mut self) -> Self {
        self.remembered = self.remembered.keeping_kinds(self.reduced.is_some());
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
        if !self.store.has_numbers() {
            return self.evaluate(id);
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

    fn reduces(&self) -> bool {
        !self.has_given_up_reduction()
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
        self.expanded_now = 0;
        self.store.forget_states();
        self.edges.clear();
        self.valuations.forget_states();
        if let Some(reduced) = &mut self.reduced {
            reduced.forget_states();
        }
    }

    fn allow_wide_ids(&mut self) {
        self.store.allow_wide_ids();
    }

    fn count_commands(&mut self) {
        self.counts_commands = true;
    }

    fn left_out(&mut self) -> Option<&mut LeftOut> {
        self.reduced.as_mut().map(|reduced| &mut reduced.left_out)
    }

    fn candidates(
        &mut self,
        id: SystemId,
        out: &mut Edges,
        sets: &mut Vec<Vec<usize>>,
    ) -> Result<(), Stop> {
        self.look()?;
        self.expand_with_candidates(id, out, sets)
    }

    fn make_full(&mut self, id: SystemId) {
        if let Some(reduced) = &mut self.reduced {
            reduced.make_full(id, self.store.load(id));
            self.edges.clear();
        }
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
