//! RDKP Algorithm 3 (see [`super::frame`]), Dijkstra's algorithm on TGBA.
//!
//! The printed lines 21 and 22 are wrong: they pop the next root into r and then add
//! dfs\[r\].acc, the marks of the edge into the lower root, possibly from outside the
//! component, and lose those of the edge into the upper one. Here the edge into the upper
//! root is added before the next root is popped. Line 28 is about `dfs` after its pop.

use super::frame::{self, Acc, Algorithm, Component, Path, PathStep, Popped};
use super::roots::{Compressed, Plain, Root, RootStack, Roots};
use crate::dfs::SearchOptions;
use lariat_core::{Graph, LiveStore, Marks, Outcome, RowOf, Stats, Status};

/// Whether `graph` has an accepting run by the marks on its edges. Stops at the edge that
/// first closes an accepting cycle.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions, roots: Roots) -> Outcome
where
    G: Graph,
    S: LiveStore<Row = RowOf<G::Batch>>,
{
    match roots {
        Roots::Plain => frame::check(graph, store, Dijkstra::<Plain<Marks>>::default(), options),
        Roots::Compressed => {
            frame::check(graph, store, Dijkstra::<Compressed<Marks>>::default(), options)
        }
    }
}

/// Algorithm 3; `live` and `dead` are in the store.
#[derive(Default)]
pub(super) struct Dijkstra<R> {
    roots: R,
    peak_roots: usize,
}

impl<S: LiveStore, A: Acc, R: RootStack<A>> Algorithm<S, A> for Dijkstra<R> {
    type Position = u32;

    #[inline]
    fn get_status(&self, store: &mut S, q: S::Id) -> Status {
        store.status(q)
    }

    #[inline]
    fn push(&mut self, store: &mut S, q: S::Id, depth: u32) -> (S::Id, u32) {
        // p ← live.size(); live.push(q)
        let p = store.live_len();
        let q = store.push_live(q);
        // roots.push_trivial(dfs.size())
        self.roots.push_trivial(depth);
        self.peak_roots = self.peak_roots.max(self.roots.len());
        (q, p)
    }

    #[inline]
    fn update(&mut self, _: &mut S, dfs: &impl Path<A, u32>, acc: A, dpos: u32) -> A {
        // ⟨r, a⟩ ← roots.pop(); a ← a ∪ acc
        let Root { depth: mut r, acc: mut a, .. } = self.roots.pop();
        a.add(acc);
        // while dpos < dfs[r].pos
        loop {
            let step = dfs.at(r);
            if dpos >= step.pos {
                break;
            }
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
    fn pop(&mut self, store: &mut S, dfs: &impl Path<A, u32>, s: PathStep<A, u32>) -> Popped<A> {
        // if dfs.size() = roots.top_root()
        if dfs.size() != self.roots.top_root() {
            return Popped::Inside;
        }
        // An SCC has been found: roots.pop()
        let Root { acc, trivial, .. } = self.roots.pop();
        Popped::Root(Component { size: store.live_len() - s.pos, acc, trivial })
    }

    #[inline]
    fn kill(&mut self, store: &mut S, root: u32) {
        // while live.size() > s.pos: q ← live.pop(); dead.add(q)
        store.kill_from(root);
    }

    #[inline]
    fn words(&self, store: &S) -> u64 {
        2 * self.roots.len() as u64 + store.words()
    }

    fn peaks(&self, store: &S, stats: &mut Stats) {
        stats.peaks.roots = self.peak_roots as u64;
        (stats.peaks.live, stats.peaks.dead) = store.peaks();
    }
}
