//! A graph whose type is forgotten. A virtual call for each batch of successors is within
//! noise, and the checks are compiled once, for products and explicit automata alike.

use lariat_core::{Cursor, Fixed, Graph, Limit, Successors, Word};

pub(crate) struct Erased<'a>(pub(crate) &'a mut dyn Graph<Batch = Fixed<2>>);

impl Successors for Erased<'_> {
    type Batch = Fixed<2>;

    fn batch(&self, room: usize) -> Fixed<2> {
        self.0.batch(room)
    }

    fn initial(&mut self, out: &mut Fixed<2>) {
        self.0.initial(out);
    }

    fn more_initial(&mut self, out: &mut Fixed<2>) {
        self.0.more_initial(out);
    }

    #[inline]
    fn expand(&mut self, src: &[Word; 2], at: &mut Cursor, out: &mut Fixed<2>) {
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

impl Graph for Erased<'_> {
    #[inline]
    fn accepting(&self, state: &[Word; 2]) -> bool {
        self.0.accepting(state)
    }

    fn mark_count(&self) -> u32 {
        self.0.mark_count()
    }
}
