//! A model as rows: its states taken apart, its steps by calls of [`Model::steps`].

use crate::fairness::Fairness;
use crate::model::{Model, Sink, Steps, has_symmetry};
use crate::panics::caught;
use crate::parts::Parts;
use crate::rows::{Rows, Trouble};
use crate::state::State;
use lariat_core::{Batch, Flat, Marks, Word, makes_mistake};
use std::sync::Arc;

/// Fairness speaks of single actions. In a state whose processes have changed names, an action is
/// another one's: a run that is fair there need not be fair at all, nor the other way round.
const FAIRNESS_AND_SYMMETRY: &str = "fairness does not go with `canonical`, which changes names: \
     check fair runs without it";

pub(crate) struct Space<'m, M: Model> {
    model: &'m M,
    parts: Box<dyn Parts<M::State>>,
    /// Those of the last [`Rows::prepare`], until they are asked for.
    initial: Option<Vec<M::State>>,
    width: usize,
    loaded: Option<Loaded<M::State>>,
    fairness: Arc<Fairness<'m, M::Action>>,
    /// The model has a `canonical` of its own.
    has_symmetry: bool,
}

/// A state and its words, and a copy of it for the model to change.
struct Loaded<S> {
    state: S,
    scratch: S,
    row: Vec<Word>,
}

impl<'m, M: Model> Space<'m, M> {
    pub(crate) fn new(model: &'m M) -> Self {
        let fairness = Arc::new(Fairness { conditions: Vec::new() });
        let (parts, initial) = (M::State::parts(), None);
        Space { model, parts, initial, width: 0, loaded: None, fairness, has_symmetry: true }
    }

    fn ask_for_initial(&self) -> Result<Vec<M::State>, Trouble> {
        let ask = || {
            let mut states = self.model.initial();
            states.iter_mut().for_each(|state| self.model.canonical(state));
            states
        };
        caught(ask).map_err(Trouble::Panic)
    }
}

impl<'m, M: Model> Rows<'m> for Space<'m, M> {
    type State = M::State;
    type Action = M::Action;

    fn prepare(&mut self) -> Result<(), Trouble> {
        let states = self.ask_for_initial()?;
        if let Some(first) = states.first() {
            let model = self.model;
            self.has_symmetry = caught(|| has_symmetry(model, first)).map_err(Trouble::Panic)?;
        }
        states.iter().for_each(|state| self.parts.fit(state));
        self.parts.settle();
        // A state without parts is a row, too.
        self.width = self.parts.width().max(1);
        self.loaded = None;
        self.initial = Some(states);
        Ok(())
    }

    fn width(&self) -> usize {
        self.width
    }

    fn initial(&mut self, out: &mut Flat) -> Result<u64, Trouble> {
        let states = match self.initial.take() {
            Some(states) => states,
            None => self.ask_for_initial()?,
        };
        let mut beyond = 0;
        for state in states {
            if !caught(|| self.model.within(&state)).map_err(Trouble::Panic)? {
                beyond += 1;
                continue;
            }
            let row = &mut out.spare(1)[..self.width];
            row.fill(0);
            let parts = &mut self.parts;
            match caught(|| parts.split(&state, row)).map_err(Trouble::Panic)? {
                true => out.commit(1),
                false => return Err(Trouble::TooWide),
            }
        }
        Ok(beyond)
    }

    #[inline]
    fn load(&mut self, row: &[Word]) -> &M::State {
        match &mut self.loaded {
            Some(loaded) => {
                let both = [&mut loaded.state, &mut loaded.scratch];
                self.parts.load(both, &loaded.row, row);
                loaded.row.copy_from_slice(row);
            }
            none => {
                let state = self.parts.make(row);
                *none = Some(Loaded { scratch: state.clone(), state, row: row.to_vec() });
            }
        }
        &self.loaded.as_ref().expect("just loaded").state
    }

    #[inline]
    fn expand(&mut self, out: &mut Flat) -> Result<u64, Trouble> {
        let Loaded { state, scratch, row } = self.loaded.as_mut().expect("a state was loaded");
        let first = out.len();
        let mut sink = RowSink {
            model: self.model,
            parts: &mut *self.parts,
            row,
            out: &mut *out,
            fairness: &self.fairness,
            possible: Marks::NONE,
            beyond: 0,
            is_too_wide: false,
            has_symmetry: self.has_symmetry,
            is_renamed: false,
        };
        let model = self.model;
        let done = caught(|| model.steps(state, &mut Steps::new(state, scratch, &mut sink)));
        let RowSink { possible, beyond, is_too_wide, is_renamed, .. } = sink;
        if let Err(text) = done {
            scratch.clone_from(state);
            return Err(Trouble::Panic(text));
        }
        if is_renamed {
            return Err(Trouble::Broken(FAIRNESS_AND_SYMMETRY.to_owned()));
        }
        if is_too_wide {
            return Err(Trouble::TooWide);
        }
        if !self.fairness.is_empty() {
            let common = self.fairness.common(possible);
            for at in first..out.len() {
                out.set_marks(at, out.marks(at) | common);
            }
        }
        Ok(beyond)
    }

    fn set_fairness(&mut self, fairness: Arc<Fairness<'m, M::Action>>) {
        self.fairness = fairness;
    }

    fn bytes(&self) -> usize {
        self.parts.bytes()
    }

    fn counts(&self) -> Vec<(String, usize)> {
        let mut counts = Vec::new();
        self.parts.counts("", &mut counts);
        counts
    }
}

/// Writes steps as rows.
struct RowSink<'a, 'm, M: Model> {
    model: &'a M,
    parts: &'a mut dyn Parts<M::State>,
    /// The words of the source.
    row: &'a [Word],
    out: &'a mut Flat,
    fairness: &'a Fairness<'m, M::Action>,
    /// Conditions that some step answers.
    possible: Marks,
    beyond: u64,
    is_too_wide: bool,
    has_symmetry: bool,
    /// A state was replaced though runs must be fair.
    is_renamed: bool,
}

impl<M: Model> Sink<M> for RowSink<'_, '_, M> {
    #[inline]
    fn take(&mut self, action: M::Action, source: &M::State, next: &mut M::State) {
        if self.has_symmetry {
            let before = (!self.fairness.is_empty()).then(|| next.clone());
            self.model.canonical(next);
            self.is_renamed |= before.is_some_and(|before| before != *next);
        }
        if self.is_too_wide || !self.model.within(next) {
            self.beyond += 1;
            next.clone_from(source);
            return;
        }
        let row = &mut self.out.spare(1)[..self.row.len()];
        row.copy_from_slice(self.row);
        if !self.parts.split_changes(next, source, row) {
            // All is done again with wider rows.
            self.parts.fit(next);
            self.is_too_wide = true;
            next.clone_from(source);
            return;
        }
        debug_assert!(next == source, "a step leaves nothing behind");
        let changes = || *row != *self.row || makes_mistake("rust-idle-steps");
        let is_asked = !self.fairness.is_empty() && changes();
        self.out.commit(1);
        if is_asked {
            let answered = self.fairness.answers(&action);
            self.possible |= answered;
            self.out.set_marks(self.out.len() - 1, answered);
        }
    }
}
