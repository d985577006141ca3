//! RDKP Algorithm 4 (see [`super::frame`]), Gabow's algorithm by union-find on TGBA.
//!
//! A component on the search path is a class; a component that was left joins the class of
//! an artificial dead state, so that its states need not be enumerated. The printed lines 21
//! and 22 have the same error as those of Algorithm 3: see [`super::dijkstra_tgba`].

use super::frame::{self, Acc, Algorithm, Component, Path, PathStep, Popped};
use super::roots::{Compressed, Plain, Root, RootStack, Roots};
use crate::dfs::SearchOptions;
use lariat_core::{Graph, Marks, Outcome, RowOf, Stats, Status, UnionStore};

/// Whether `graph` has an accepting run by the marks on its edges. Stops at the edge that
/// first closes an accepting cycle.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions, roots: Roots) -> Outcome
where
    G: Graph,
    S: UnionStore<Row = RowOf<G::Batch>>,
{
    match roots {
        Roots::Plain => frame::check(graph, store, Gabow::<Plain<Marks>>::default(), options),
        Roots::Compressed => {
            frame::check(graph, store, Gabow::<Compressed<Marks>>::default(), options)
        }
    }
}

/// Algorithm 4; `uf` is the store.
#[derive(Default)]
pub(super) struct Gabow<R> {
    roots: R,
    peak_roots: usize,
}

/// A state on the search stack.
#[derive(Clone, Copy)]
pub(super) struct Position {
    element: u32,
    /// How many states were live before it.
    older: u32,
}

impl<S: UnionStore, A: Acc, R: RootStack<A>> Algorithm<S, A> for Gabow<R> {
    type Position = Position;

    #[inline]
    fn get_status(&self, store: &mut S, q: S::Id) -> Status {
        // if uf.contains(q): if uf.same_set(q, DeadState) return DEAD, else LIVE; else UNKNOWN
        store.status(q)
    }

    #[inline]
    fn push(&mut self, store: &mut S, q: S::Id, depth: u32) -> (S::Id, Position) {
        // uf.make_set(q); roots.push_trivial(dfs.size())
        let older = store.live_len();
        let (q, element) = store.make_set(q);
        self.roots.push_trivial(depth);
        self.peak_roots = self.peak_roots.max(self.roots.len());
        (q, Position { element, older })
    }

    #[inline]
    fn update(&mut self, store: &mut S, dfs: &impl Path<A, Position>, acc: A, d: u32) -> A {
        // ⟨r, a⟩ ← roots.pop(); a ← a ∪ acc
        let Root { depth: mut r, acc: mut a, .. } = self.roots.pop();
        a.add(acc);
        // while ¬uf.same_set(dfs[r].pos, d)
        loop {
            let step = dfs.at(r);
            if store.same_set(step.pos.element, d) {
                break;
            }
            // uf.unite(dfs[r].pos, d)
            store.unite(step.pos.element, d);
            // a ← a ∪ dfs[r].acc; ⟨r, la⟩ ← roots.pop(); a ← a ∪ la
            a.add(step.acc);
            let next = self.roots.pop();
            a.add(next.acc);
            r = next.depth;
        }
        // roots.push_non_trivial(a, r, dfs.size() − 1)
        self.roots.push_non_trivial(a, r, dfs.size() - 1);
        self.peak_roots = self.peak_roots.max(self.roots.len());
        a
    }

    #[inline]
    fn pop(
        &mut self,
        store: &mut S,
        dfs: &impl Path<A, Position>,
        s: PathStep<A, Position>,
    ) -> Popped<A> {
        // if dfs.size() = roots.top_root()
        if dfs.size() != self.roots.top_root() {
            return Popped::Inside;
        }
        // An SCC has been found: roots.pop()
        let Root { acc, trivial, .. } = self.roots.pop();
        Popped::Root(Component { size: store.live_len() - s.pos.older, acc, trivial })
    }

    #[inline]
    fn kill(&mut self, store: &mut S, root: Position) {
        // uf.unite(s.pos, DeadState)
        store.make_dead(root.element, root.older);
    }

    #[inline]
    fn words(&self, store: &S) -> u64 {
        2 * self.roots.len() as u64 + store.words()
    }

    fn peaks(&self, store: &S, stats: &mut Stats) {
        stats.peaks.roots = self.peak_roots as u64;
        (stats.peaks.union_find, stats.peaks.live, stats.peaks.dead) = store.peaks();
    }
}
