//! The product whose system states are stored once, however many automaton states they
//! meet.
//!
//! A product state is two words, the id of the system state and the automaton state. The
//! propositions of a system state are evaluated once, when it is first left; what its
//! valuation enables in an automaton state is worked out once for each pair. Marks on the
//! model's transitions (fairness) stand above the automaton's.

pub mod components;
mod memo;
pub mod sweep;

use crate::edges::EdgeCache;
use lariat_core::{
    Automaton, Batch, Cursor, DONE, Fixed, Full, Graph, Marks, Props, RowOf, StateSpace,
    Successors, SystemId, SystemStore, Word, makes_mistake,
};
use memo::Memo;
use std::collections::HashMap;
use std::ops::Range;

/// What a system that cannot move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiniteRuns {
    /// It stays where it is for ever: Spin's meaning.
    Stutter,
    /// Its run is finite and satisfies nothing: the textbook's.
    Ignore,
}

/// The tag of a system state: 0 until its propositions are known, then the number of its
/// valuation and one.
pub type Valuation = u32;

pub struct SharedProduct<'a, M: StateSpace, A, S> {
    model: &'a mut M,
    automaton: &'a A,
    system: &'a mut S,
    finite_runs: FiniteRuns,
    valuations: Vec<Props>,
    numbers: HashMap<Props, Valuation>,
    /// The valuation that was met last, and its number: neighbours mostly have the same.
    latest: Option<(Props, Valuation)>,
    memo: Memo,
    /// Every valuation is kept with its state.
    keeps_valuations: bool,
    /// The automaton edges that a valuation enables, by valuation and automaton state.
    enabled: Vec<Vec<Option<Range<usize>>>>,
    /// The lists that `enabled` points into.
    lists: Vec<u32>,
    /// Scratch: the model's successors, their ids, and the marks of the steps to them.
    batch: M::Batch,
    /// The store gives no ids that are wider than a word.
    ids: Vec<SystemId>,
    marks: Vec<Marks>,
    /// Successors that were found before.
    edges: EdgeCache,
    /// The store had no room for a state.
    is_full: bool,
    /// Expansions after which the walk is interrupted.
    patience: u64,
    /// Calls of the model's successor function.
    pub model_expansions: u64,
}

impl<'a, M, A, S> SharedProduct<'a, M, A, S>
where
    M: StateSpace,
    A: Automaton,
    S: SystemStore<Row = RowOf<M::Batch>>,
{
    pub fn new(
        model: &'a mut M,
        automaton: &'a A,
        system: &'a mut S,
        finite_runs: FiniteRuns,
    ) -> Self {
        let batch = model.batch(usize::MAX);
        SharedProduct {
            model,
            automaton,
            system,
            finite_runs,
            valuations: Vec::new(),
            numbers: HashMap::new(),
            latest: None,
            memo: Memo::default(),
            keeps_valuations: false,
            enabled: Vec::new(),
            lists: Vec::new(),
            batch,
            ids: Vec::new(),
            marks: Vec::new(),
            edges: EdgeCache::new(0),
            is_full: false,
            patience: u64::MAX,
            model_expansions: 0,
        }
    }

    /// Keeps the successors of system states within so many bytes. A model with marks has more
    /// to say of a step than where it leads: nothing is kept.
    pub fn with_edge_cache(mut self, bytes: usize) -> Self {
        if self.model.mark_count() == 0 {
            self.edges = EdgeCache::new(bytes);
        }
        self
    }

    /// Keeps every valuation, for [`SharedProduct::known_props`].
    pub fn keeping_valuations(mut self) -> Self {
        self.keeps_valuations = true;
        self
    }

    /// Interrupts the walk after so many expansions.
    pub fn set_patience(&mut self, expansions: u64) {
        self.patience = expansions;
    }

    /// Starts anew, with other ids. Product states from before mean nothing any more.
    pub fn forget_states(&mut self) {
        self.system.forget_states();
        self.edges.clear();
    }

    /// The expansions that are left of these.
    pub fn patience(&self) -> u64 {
        self.patience
    }

    /// Whether the walk was interrupted for that.
    pub fn is_out_of_patience(&self) -> bool {
        self.patience == 0
    }

    /// The system part of a product state.
    pub fn system_row(&mut self, state: &[Word; 2]) -> &S::Row {
        self.system.load(state[0].into())
    }

    /// Whether the walk was interrupted because the store of system states is full.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The truth of the propositions in a state that was expanded before, if valuations are
    /// kept.
    pub fn known_props(&self, state: &[Word; 2]) -> Option<Props> {
        let number = self.system.tag(state[0].into()).checked_sub(1)?;
        Some(self.valuations[number as usize])
    }

    /// A state is expanded.
    #[inline]
    fn spend(&mut self) {
        self.patience = self.patience.saturating_sub(1);
    }

    #[inline]
    fn valuation(&mut self, id: SystemId) -> Valuation {
        let place = match self.keeps_valuations {
            true => None,
            false => self.model.parts().and_then(|parts| self.memo.place(id, parts, self.system)),
        };
        match place {
            Some(place) => self.memo.get(place).unwrap_or_else(|| {
                let valuation = self.evaluate(id);
                self.memo.put(place, valuation);
                valuation
            }),
            None => match self.system.tag(id) {
                0 => {
                    let valuation = self.evaluate(id);
                    self.system.set_tag(id, valuation);
                    valuation
                }
                known => known,
            },
        }
    }

    /// Has the propositions of a state evaluated.
    fn evaluate(&mut self, id: SystemId) -> Valuation {
        let props = self.model.props(self.system.load(id));
        let number = match self.latest {
            Some((latest, number)) if latest == props => number,
            _ => self.number(props),
        };
        self.latest = Some((props, number));
        number
    }

    fn number(&mut self, props: Props) -> Valuation {
        let next = self.valuations.len() as Valuation + 1;
        let number = *self.numbers.entry(props).or_insert(next);
        if number == next {
            self.valuations.push(props);
            self.enabled.push(Vec::new());
        }
        number
    }

    /// Where the edges of `state` that the valuation enables stand in `lists`.
    fn enabled(&mut self, valuation: Valuation, state: Word) -> Range<usize> {
        let number = valuation as usize - 1;
        if let Some(Some(list)) = self.enabled[number].get(state as usize) {
            return list.clone();
        }
        let props = self.valuations[number];
        let start = self.lists.len();
        let edges = self.automaton.edges(state).iter().enumerate();
        self.lists.extend(edges.filter(|(_, edge)| edge.allows(props)).map(|(i, _)| i as u32));
        let list = start..self.lists.len();
        let lists = &mut self.enabled[number];
        if lists.len() <= state as usize {
            lists.resize(state as usize + 1, None);
        }
        lists[state as usize] = Some(list.clone());
        list
    }

    /// Has the store look for the system's successors of a state, by the parts of the system as
    /// far as it knows them. How many there are; with [`SharedProduct::finish`] their ids are in
    /// `ids`. `batch` holds them if the state was expanded as a whole.
    fn take_in(&mut self, id: SystemId) -> usize {
        self.model_expansions += 1;
        self.batch.clear();
        if self.model.mark_count() == 0
            && let Some(parts) = self.model.parts()
        {
            match self.system.take_in_steps(id, parts, &mut self.ids) {
                // A state that nothing leads out of is expanded as a whole.
                Ok(Some(taken)) if taken.successors > 0 => return taken.successors,
                Ok(_) => {}
                Err(Full) => self.is_full = true,
            }
        }
        let mut at = Cursor::default();
        let row = self.system.load(id);
        while at != DONE && !self.model.interrupted() {
            self.model.expand(row, &mut at, &mut self.batch);
        }
        if let Err(Full) = self.system.take_in(&self.batch, &mut self.ids) {
            self.is_full = true;
        }
        self.batch.len()
    }

    fn finish(&mut self) {
        if let Err(Full) = self.system.finish(&mut self.ids) {
            self.is_full = true;
        }
    }

    /// Whether a state without successors is its own.
    fn stutters(&self) -> bool {
        self.finite_runs == FiniteRuns::Stutter
    }

    /// Fills `ids` and `marks` with the system's successors of `id`.
    fn expand_system(&mut self, id: SystemId) {
        self.ids.clear();
        self.marks.clear();
        if let Some(known) = self.edges.get(id) {
            self.ids.extend(known);
            self.marks.resize(self.ids.len(), Marks::NONE);
            return;
        }
        let successors = self.take_in(id);
        self.finish();
        self.marks.extend((0..self.batch.len()).map(|i| self.batch.marks(i)));
        self.marks.resize(self.ids.len(), Marks::NONE);
        if successors == 0 && self.stutters() && !makes_mistake("product-stutter") {
            // A system at rest starves nobody: the stuttering step is fair to all.
            self.ids.push(id);
            self.marks.push(Marks::all(self.model.mark_count()));
        }
        if !self.interrupted() {
            self.edges.put(id, &self.ids);
        }
    }
}

impl<M, A, S> Successors for SharedProduct<'_, M, A, S>
where
    M: StateSpace,
    A: Automaton,
    S: SystemStore<Row = RowOf<M::Batch>>,
{
    type Batch = Fixed<2>;

    fn batch(&self, room: usize) -> Fixed<2> {
        Fixed::new(room)
    }

    fn initial(&mut self, out: &mut Fixed<2>) {
        self.batch.clear();
        self.model.initial(&mut self.batch);
        for i in 0..self.batch.len() {
            let Ok(id) = self.system.intern(self.batch.row(i)) else {
                self.is_full = true;
                return;
            };
            for &state in self.automaton.initial() {
                out.push_copy(&[id as Word, state]);
            }
        }
    }

    /// All successors at once, whatever the room: the system's are computed once.
    fn expand(&mut self, src: &[Word; 2], at: &mut Cursor, out: &mut Fixed<2>) {
        *at = DONE;
        self.spend();
        let [id, state] = *src;
        let valuation = self.valuation(id.into());
        let edges = self.automaton.edges(state);
        let enabled = self.enabled(valuation, state);
        if enabled.is_empty() {
            return;
        }
        self.expand_system(id.into());
        let shift = self.automaton.mark_count();
        for &edge in &self.lists[enabled] {
            let edge = &edges[edge as usize];
            for (&successor, marks) in self.ids.iter().zip(&self.marks) {
                out.push_copy(&[successor as Word, edge.dst]);
                let of_model = marks.0.checked_shl(shift).unwrap_or(0);
                out.set_marks(out.len() - 1, edge.marks | Marks(of_model));
            }
        }
    }

    fn interrupted(&self) -> bool {
        self.is_full || self.patience == 0 || self.model.interrupted()
    }
}

impl<M, A, S> Graph for SharedProduct<'_, M, A, S>
where
    M: StateSpace,
    A: Automaton,
    S: SystemStore<Row = RowOf<M::Batch>>,
{
    /// Meaningful only for a model without marks.
    fn accepting(&self, state: &[Word; 2]) -> bool {
        self.automaton.accepting(state[1])
    }

    fn mark_count(&self) -> u32 {
        self.automaton.mark_count() + self.model.mark_count()
    }
}
