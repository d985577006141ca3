//! A product as HPY Fig. 5 looks at it: what matters of a state is whether a process is at a
//! progress label.

use lariat_core::{Automaton, Cursor, Fixed, Graph, Limit, Successors, Word};
use lariat_search::product::Product;
use lariat_system::SystemGraph;

/// Proposition 0 of the product is `np_`.
pub(super) struct WithoutProgress<'p, 'a, G, A>(pub(super) &'p mut Product<'a, G, A>);

impl<G: SystemGraph, A: Automaton> Successors for WithoutProgress<'_, '_, G, A> {
    type Batch = Fixed<2>;

    fn batch(&self, room: usize) -> Fixed<2> {
        self.0.batch(room)
    }

    fn initial(&mut self, out: &mut Fixed<2>) {
        self.0.initial(out);
    }

    fn expand(&mut self, src: &[Word; 2], at: &mut Cursor, out: &mut Fixed<2>) {
        self.0.expand(src, at, out);
    }

    fn stopped(&self) -> Option<Limit> {
        self.0.stopped()
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Limit> {
        self.0.reserve(bytes)
    }
}

impl<G: SystemGraph, A: Automaton> Graph for WithoutProgress<'_, '_, G, A> {
    /// A state that was never expanded is not gone through; only a search that was cut, or that
    /// forgets, meets one.
    fn accepting(&self, state: &[Word; 2]) -> bool {
        self.0.known_props(state).is_some_and(|props| props & 1 == 1)
    }

    fn mark_count(&self) -> u32 {
        self.0.mark_count()
    }
}
