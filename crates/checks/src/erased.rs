//! A graph whose type is forgotten. A virtual call for each batch of successors is within
//! noise, and the checks are compiled twice: once for products and explicit automata alike,
//! and once for products of whole rows.

use lariat_core::{Batch, Cursor, Graph, Limit, RowOf, Successors};

pub(crate) struct Erased<'a, B>(pub(crate) &'a mut dyn Graph<Batch = B>);

impl<B: Batch> Successors for Erased<'_, B> {
    type Batch = B;

    fn batch(&self, room: usize) -> B {
        self.0.batch(room)
    }

    fn initial(&mut self, out: &mut B) {
        self.0.initial(out);
    }

    fn more_initial(&mut self, out: &mut B) {
        self.0.more_initial(out);
    }

    #[inline]
    fn expand(&mut self, src: &RowOf<B>, at: &mut Cursor, out: &mut B) {
        self.0.expand(src, at, out);
    }

    #[inline]
    fn stopped(&self) -> Option<Limit> {
        self.0.stopped()
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Limit> {
        self.0.reserve(bytes)
    }
}

impl<B: Batch> Graph for Erased<'_, B> {
    #[inline]
    fn accepting(&self, state: &RowOf<B>) -> bool {
        self.0.accepting(state)
    }

    fn mark_count(&self) -> u32 {
        self.0.mark_count()
    }

    fn candidates(&mut self, src: &RowOf<B>, out: &mut B, sets: &mut Vec<Vec<usize>>) {
        self.0.candidates(src, out, sets);
    }
}
