//! Which marks occur together in a component of the automaton, on edges of the product.

use super::components::Components;
use lariat_core::{Edge, Marks, Word};
use lariat_store::frontier;

pub(super) struct MarkSearch<'c> {
    components: &'c Components,
    /// Those that were seen inside a component, by its name.
    seen: [Marks; frontier::MOST],
    all: Marks,
    /// A component has all.
    pub(super) has_all: bool,
}

impl<'c> MarkSearch<'c> {
    pub(super) fn new(components: &'c Components, mark_count: u32) -> Self {
        let seen = [Marks::NONE; frontier::MOST];
        MarkSearch { components, seen, all: Marks::all(mark_count), has_all: false }
    }

    /// Notes the marks of edges that leave a state.
    #[inline]
    pub(super) fn look<'e>(&mut self, state: Word, edges: impl Iterator<Item = &'e Edge>) {
        for edge in edges {
            let is_new = !self.seen[state as usize].contains(edge.marks) || self.all == Marks::NONE;
            if is_new && self.components.together(state, edge.dst) {
                self.seen[state as usize] |= edge.marks;
                let name = self.components.name(state);
                self.seen[name] |= edge.marks;
                self.has_all |= self.seen[name].contains(self.all);
            }
        }
    }
}
