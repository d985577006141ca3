//! What searches with one or two stacks share: the loop over the initial states, the counts,
//! and the run that is read from the stacks (SE §3.2).

use super::conclude;
use crate::dfs::{Dfs, SearchOptions};
use lariat_core::{Graph, Lasso, Outcome, Pending, RowOf, Run, Stats, Store, Word};

/// The first search (blue) and the second one (red), which some checks leave unused. The procedures
/// of a paper are methods on the search with its own tag, `T`. `P` is what the first search keeps in
/// each frame.
pub(super) struct NestedDfs<'a, G: Graph, S: Store<Tag = T>, T, P = ()> {
    pub(super) graph: &'a mut G,
    pub(super) store: &'a mut S,
    pub(super) blue: Dfs<S::Id, G::Batch, P>,
    pub(super) red: Dfs<S::Id, G::Batch>,
    /// `st`: what a check counts when it first sees a state.
    pub(super) states: u64,
    /// The longest blue and red stack together.
    depth: usize,
}

impl<'a, G, S, T, P> NestedDfs<'a, G, S, T, P>
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = T>,
    P: Copy,
{
    /// Calls `from_root` with each initial state, until it finds a run or must stop, and puts
    /// the answer together. The root may have been visited from an earlier one.
    /// `bits_per_state` is what the check's paper says, for the statistics.
    pub(super) fn run(
        graph: &'a mut G,
        store: &'a mut S,
        options: SearchOptions,
        bits_per_state: u32,
        mut from_root: impl FnMut(&mut Self, S::Id) -> Option<Lasso>,
    ) -> Outcome {
        let (blue, red) = (graph.batch(options.room), graph.batch(options.room));
        let mut search = NestedDfs {
            graph,
            store,
            blue: Dfs::new(blue, options),
            red: Dfs::new(red, options),
            states: 0,
            depth: 0,
        };
        let mut found = None;
        while let Some(root) = search.blue.next_root(search.graph, search.store) {
            found = from_root(&mut search, root);
            if found.is_some() || search.stopped() {
                break;
            }
            search.store.release(root);
        }
        let NestedDfs { store, blue, red, states, depth, .. } = search;
        let cut = match (blue.cut(), red.cut()) {
            (Some(limit), _) if limit.ends_search() => blue.cut(),
            (_, None) => blue.cut(),
            _ => red.cut(),
        };
        let stats = Stats {
            states,
            transitions: blue.transitions + red.transitions,
            stack_bytes: blue.bytes() + red.bytes(),
            expansions: blue.expansions + red.expansions,
            depth: depth.max(blue.max_depth) as u64,
            words: (states * u64::from(bits_per_state)).div_ceil(u64::from(Word::BITS)),
            ..Stats::default()
        };
        conclude(store, found, cut, stats)
    }

    /// Whether the search must end at once.
    pub(super) fn stopped(&self) -> bool {
        self.blue.stopped() || self.red.stopped()
    }

    #[inline]
    pub(super) fn accepting(&self, s: S::Id) -> bool {
        self.graph.accepting(self.store.row(s))
    }

    /// Goes down in the second search.
    #[inline]
    pub(super) fn enter_red(&mut self, t: S::Id) {
        self.red.enter(t, ());
        self.depth = self.depth.max(self.blue.depth() + self.red.depth());
    }

    /// The same, with these successors.
    pub(super) fn enter_red_with(&mut self, t: S::Id, successors: &[Pending<S::Id>]) {
        self.red.enter_with(t, (), successors);
        self.depth = self.depth.max(self.blue.depth() + self.red.depth());
    }

    /// The run along the blue stack and then the red one, closed at the last state on them
    /// that equals `knot`. The red stack's root is the blue stack's top or the state that
    /// blue has just left.
    #[cold]
    pub(super) fn lasso(&self, knot: S::Id) -> Lasso {
        let knot: &[u32] = self.store.row(knot).as_ref();
        let path = || self.blue.path().chain(self.red.path());
        let start = path()
            .enumerate()
            .fold(0, |last, (i, id)| if self.store.row(id).as_ref() == knot { i } else { last });
        let (mut prefix, mut cycle) = (Run::new(knot.len()), Run::new(knot.len()));
        for (i, id) in path().enumerate() {
            let part = if i < start { &mut prefix } else { &mut cycle };
            part.push(self.store.row(id).as_ref());
        }
        Lasso { prefix, cycle }
    }
}
