//! RDKP Algorithm 2 (see [`super::frame`]), Tarjan's algorithm on TGBA.
//!
//! Positions in `live` take the place of DFS numbers; lowlinks are kept for the states on
//! the search stack only. The marks of the edge into a state that is left go to the state
//! below if both are in one component, else they are dropped. An accepting cycle may be
//! noticed only when one of its states is left.

use super::frame::{self, Acc, Algorithm, Component, Path, PathStep, Popped};
use crate::dfs::SearchOptions;
use lariat_core::{Graph, LiveStore, Marks, Outcome, RowOf, Stats, Status};

/// Whether `graph` has an accepting run by the marks on its edges.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: LiveStore<Row = RowOf<G::Batch>>,
{
    frame::check(graph, store, Tarjan::<Marks>::default(), options)
}

/// struct P {lowlink, acc}
#[derive(Clone, Copy)]
struct P<A> {
    lowlink: u32,
    /// Whether a cycle through the state was seen: its component is not trivial.
    cycle: bool,
    acc: A,
}

/// Algorithm 2; `live` and `dead` are in the store.
pub(super) struct Tarjan<A> {
    dstack: Vec<P<A>>,
    peak_dstack: usize,
}

impl<A> Default for Tarjan<A> {
    fn default() -> Self {
        Tarjan { dstack: Vec::new(), peak_dstack: 0 }
    }
}

impl<A> Tarjan<A> {
    #[inline]
    fn top(&mut self) -> &mut P<A> {
        self.dstack.last_mut().expect("each state on the search stack has an entry")
    }
}

impl<S: LiveStore, A: Acc> Algorithm<S, A> for Tarjan<A> {
    type Position = u32;

    #[inline]
    fn get_status(&self, store: &mut S, q: S::Id) -> Status {
        store.status(q)
    }

    #[inline]
    fn push(&mut self, store: &mut S, q: S::Id, _depth: u32) -> (S::Id, u32) {
        // p ← live.size(); live.push(q); dstack.push(⟨p, ∅⟩)
        let p = store.live_len();
        let q = store.push_live(q);
        self.dstack.push(P { lowlink: p, cycle: false, acc: A::default() });
        self.peak_dstack = self.peak_dstack.max(self.dstack.len());
        (q, p)
    }

    #[inline]
    fn update(&mut self, _: &mut S, _: &impl Path<A, u32>, acc: A, d: u32) -> A {
        // dstack.top().lowlink ← min(dstack.top().lowlink, live.get(d))
        let top = self.top();
        top.lowlink = top.lowlink.min(d);
        top.cycle = true;
        // dstack.top().acc ← acc ∪ dstack.top().acc
        top.acc.add(acc);
        top.acc
    }

    #[inline]
    fn pop(&mut self, store: &mut S, _: &impl Path<A, u32>, s: PathStep<A, u32>) -> Popped<A> {
        // ⟨ll, acc⟩ ← dstack.pop()
        let P { lowlink: ll, cycle, acc } =
            self.dstack.pop().expect("each state on the search stack has an entry");
        if ll == s.pos {
            // An SCC has been found.
            let size = store.live_len() - s.pos;
            return Popped::Root(Component { size, acc, trivial: size == 1 && !cycle });
        }
        // dstack.top().lowlink ← min(dstack.top().lowlink, ll)
        let top = self.top();
        top.lowlink = top.lowlink.min(ll);
        top.cycle = true;
        // dstack.top().acc ← s.acc ∪ dstack.top().acc ∪ acc
        top.acc.add(s.acc);
        top.acc.add(acc);
        Popped::Gathered(top.acc)
    }

    #[inline]
    fn kill(&mut self, store: &mut S, root: u32) {
        // while live.size() > s.pos: q ← live.pop(); dead.add(q)
        store.kill_from(root);
    }

    #[inline]
    fn words(&self, store: &S) -> u64 {
        2 * self.dstack.len() as u64 + store.words()
    }

    fn peaks(&self, store: &S, stats: &mut Stats) {
        stats.peaks.dstack = self.peak_dstack as u64;
        (stats.peaks.live, stats.peaks.dead) = store.peaks();
    }
}
