//! The synchronous product of a model and a property automaton, built in the model's own
//! buffer. It measures the checks alone, without the store of system states that
//! `search::product` has between the model and them.
//!
//! The model's rows have one word more than it needs, the last: it belongs to the automaton.
//! An edge of the automaton reads the propositions of the state that is left.

use lariat_core::{
    Automaton, Batch, Cursor, DONE, Graph, Limit, Props, Row, RowOf, StateSpace, Successors, Word,
};

pub(crate) struct Product<'a, M: ?Sized, A> {
    pub(crate) model: &'a mut M,
    pub(crate) automaton: &'a A,
}

impl<M: StateSpace + ?Sized, A: Automaton> Successors for Product<'_, M, A> {
    type Batch = M::Batch;

    fn batch(&self, room: usize) -> M::Batch {
        self.model.batch(room)
    }

    fn initial(&mut self, out: &mut M::Batch) {
        if self.automaton.initial().is_empty() {
            return;
        }
        let first = out.len();
        self.model.initial(out);
        self.fan_out(out, first, self.automaton.initial().iter().map(|&q| (q, None)));
    }

    #[inline]
    fn expand(&mut self, src: &RowOf<M::Batch>, at: &mut Cursor, out: &mut M::Batch) {
        let props: Props = self.model.props(src);
        let edges = self.automaton.edges(automaton_state(src));
        let mut enabled = edges.iter().filter(|edge| edge.allows(props)).peekable();
        if enabled.peek().is_none() {
            *at = DONE;
            return;
        }
        let first = out.len();
        self.model.expand(src, at, out);
        self.fan_out(out, first, enabled.map(|edge| (edge.dst, Some(edge.marks))));
    }

    #[inline]
    fn stopped(&self) -> Option<Limit> {
        self.model.stopped()
    }
}

impl<M: StateSpace + ?Sized, A: Automaton> Product<'_, M, A> {
    /// Pairs the rows from `first` on with each automaton state: the first in place, each
    /// further one on copies.
    #[inline]
    fn fan_out(
        &self,
        out: &mut M::Batch,
        first: usize,
        targets: impl Iterator<Item = (Word, Option<lariat_core::Marks>)>,
    ) {
        let last = out.len();
        for (nth, (state, marks)) in targets.enumerate() {
            for i in first..last {
                let at = if nth == 0 {
                    i
                } else {
                    out.duplicate(i);
                    out.len() - 1
                };
                set_automaton_state(out.row_mut(at), state);
                if let Some(marks) = marks {
                    out.set_marks(at, marks);
                }
            }
        }
    }
}

impl<M: StateSpace + ?Sized, A: Automaton> Graph for Product<'_, M, A> {
    #[inline]
    fn accepting(&self, state: &RowOf<M::Batch>) -> bool {
        self.automaton.accepting(automaton_state(state))
    }

    fn mark_count(&self) -> u32 {
        self.automaton.mark_count()
    }
}

#[inline]
fn automaton_state<R: Row + ?Sized>(row: &R) -> Word {
    row.as_ref().last().copied().unwrap_or_default()
}

#[inline]
fn set_automaton_state<R: Row + ?Sized>(row: &mut R, state: Word) {
    if let Some(word) = row.as_mut().last_mut() {
        *word = state;
    }
}
