//! The state space of a model as rows of words, for the searches of other crates.
//!
//! States differ in length when processes come and go, rows do not: a row is a state padded
//! with zeros. If a state does not fit, the walk is interrupted and
//! [`ModelSpace::wanted_width`] says how wide rows must be for a new start.

use lariat_core::{Batch, Cursor, DONE, Flat, Props, StateSpace, Successors, Word};

use super::{Expansion, Fault, FaultKind, Interp};
use crate::ir::{ExprId, Model};

pub struct ModelSpace<'m> {
    interp: Interp<'m>,
    expansion: Expansion,
    /// The row whose successors are in `expansion`.
    expanded: Vec<Word>,
    /// Bytes of a row.
    row: Vec<u8>,
    width: usize,
    wanted: usize,
    propositions: Vec<ExprId>,
    faults: Vec<Fault>,
    stop_at_fault: bool,
    stutter: bool,
    /// A row on its way to a batch.
    words: Vec<Word>,
}

impl<'m> ModelSpace<'m> {
    /// Rows of `width` words; see [`ModelSpace::suggested_width`].
    pub fn new(model: &'m Model, width: usize, propositions: Vec<ExprId>) -> Self {
        ModelSpace {
            interp: Interp::new(model),
            expansion: Expansion::new(),
            expanded: Vec::new(),
            row: Vec::new(),
            width,
            wanted: width,
            propositions,
            faults: Vec::new(),
            stop_at_fault: false,
            stutter: false,
            words: Vec::new(),
        }
    }

    /// Words that hold every state, if a bound is known; else those that hold the initial one.
    pub fn suggested_width(model: &'m Model) -> usize {
        match model.max_state_size() {
            Some(bytes) => (bytes + model.hidden_size as usize).div_ceil(size_of::<Word>()).max(1),
            None => ModelSpace::minimal_width(model),
        }
    }

    /// Words that hold the initial state.
    pub fn minimal_width(model: &'m Model) -> usize {
        let initial = Interp::new(model).initial();
        let bytes = initial.map_or(0, |(state, hidden)| state.len() + hidden.len());
        bytes.div_ceil(size_of::<Word>()).max(1)
    }

    /// Interrupts the walk at the first fault that is no violated assertion: behind it nothing
    /// has a meaning.
    pub fn stop_at_fault(mut self) -> Self {
        self.stop_at_fault = true;
        self
    }

    /// A state without steps has itself as successor: finite runs count as infinite ones.
    pub fn stutter(mut self) -> Self {
        self.stutter = true;
        self
    }

    pub fn wanted_width(&self) -> usize {
        self.wanted
    }

    /// Different faults met so far.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The first fault that is no violated assertion.
    pub fn stopping_fault(&self) -> Option<&Fault> {
        self.faults.iter().find(|fault| fault.kind != FaultKind::Assertion)
    }

    fn hidden_size(&self) -> usize {
        self.interp.model().hidden_size as usize
    }

    /// Splits a row into hidden variables and state.
    fn unpack(&mut self, row: &[Word]) {
        self.row.clear();
        self.row.extend(row.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn pack(&mut self, state: &[u8], hidden: &[u8], out: &mut Flat) {
        let bytes = state.len() + hidden.len();
        if bytes > self.width * size_of::<Word>() {
            self.wanted = self.wanted.max(bytes.div_ceil(size_of::<Word>()));
            return;
        }
        self.row.clear();
        self.row.extend_from_slice(hidden);
        self.row.extend_from_slice(state);
        self.row.resize(self.width * size_of::<Word>(), 0);
        let words = self.row.chunks_exact(size_of::<Word>());
        let words = words.map(|word| Word::from_le_bytes([word[0], word[1], word[2], word[3]]));
        self.words.clear();
        self.words.extend(words);
        out.push_copy(&self.words);
    }

    /// Finds the successors of a row, unless they are the ones found last.
    fn find_successors(&mut self, row: &[Word]) {
        if self.expanded == row {
            return;
        }
        self.unpack(row);
        let hidden = self.hidden_size();
        self.expansion.clear();
        self.interp.successors(&self.row[hidden..], &self.row[..hidden], &mut self.expansion);
        for located in self.expansion.faults() {
            if !self.faults.contains(&located.fault) {
                self.faults.push(located.fault);
            }
        }
        self.expanded.clear();
        self.expanded.extend_from_slice(row);
    }
}

impl Successors for ModelSpace<'_> {
    type Batch = Flat;

    fn batch(&self, room: usize) -> Flat {
        Flat::new(self.width, room)
    }

    fn initial(&mut self, out: &mut Flat) {
        match self.interp.initial() {
            Ok((state, hidden)) => self.pack(&state, &hidden, out),
            Err(faults) => self.faults.extend(faults),
        }
    }

    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        self.find_successors(src);
        let expansion = std::mem::take(&mut self.expansion);
        if self.stutter && expansion.is_blocked {
            out.push_copy(src);
        }
        let first = at.0 as usize;
        let room = out.room().max(1);
        let end = expansion.len().min(first.saturating_add(room));
        for successor in first..end {
            self.pack(expansion.state(successor), expansion.hidden(successor), out);
        }
        *at = if end == expansion.len() { DONE } else { Cursor(end as u32) };
        self.expansion = expansion;
    }

    fn interrupted(&self) -> bool {
        self.wanted > self.width || (self.stop_at_fault && self.stopping_fault().is_some())
    }
}

impl StateSpace for ModelSpace<'_> {
    fn props(&mut self, state: &[Word]) -> Props {
        self.unpack(state);
        let hidden = self.hidden_size();
        let row = std::mem::take(&mut self.row);
        self.interp.load(&row[hidden..]);
        self.row = row;
        let mut props = 0;
        for (bit, &proposition) in self.propositions.iter().enumerate() {
            match self.interp.eval_loaded(proposition, None) {
                Ok(value) => props |= ((value != 0) as Props) << bit,
                Err(fault) if self.faults.contains(&fault) => {}
                Err(fault) => self.faults.push(fault),
            }
        }
        props
    }
}
