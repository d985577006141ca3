//! Couvreur, *On-the-Fly Verification of Linear Temporal Logic*, FM 1999, as SE Figure 5
//! translates it; with *Roots* of (state, set) for generalised acceptance (SE §5.2), with
//! marks on edges as in the original.
//!
//! No stack of the current states and no lowlinks: one integer and one bit a state. For that
//! the states of a component that was left must be found again: `remove` is a second search
//! and calls the successor function again. It looks at `current` before it goes down, has a
//! stack of its own, and needs a store whose ids outlive the search stack. The root of t's
//! component is tested too (line 18) before it is pushed back (line 20).
//!
//! Without line 18 it enumerates the components (SE §4.4): [`super::enumerate`].

use super::extract;
use super::frame::{Acc, Component};
use super::sets::RootSets;
use crate::dfs::{Dfs, DfsEvent, SearchOptions};
use crate::emptiness::conclude;
use lariat_core::{
    Acceptance, Graph, Limit, LiveStates, Lossless, Marks, Outcome, RowOf, States, Stats,
};

const CURRENT: u32 = 1 << 31;
/// States that there are numbers for.
pub const MOST_STATES: usize = CURRENT as usize - 1;

/// The DFS number, 0 for a state that was never visited, and the bit `current`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Number(u32);

impl Number {
    #[inline]
    fn current(self) -> bool {
        self.0 & CURRENT != 0
    }

    #[inline]
    fn dfsnum(self) -> u32 {
        self.0 & !CURRENT
    }
}

/// Whether `graph` has an accepting run: by one set of states, or by any number of sets of
/// edges. Stops at the edge that first closes an accepting cycle.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions, by: Acceptance) -> Outcome
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>, Tag = Number>,
{
    let all = match by {
        Acceptance::States => Marks::all(1),
        Acceptance::Edges => Marks::all(graph.mark_count()),
    };
    let mut search = Couvreur99::new(graph, store, options, by);
    let found = search.couv(|b: Marks| b.contains(all), |_, _| {});
    let path = found.then(|| search.dfs.path().collect::<Vec<_>>());
    let (stats, mut cut, count) = search.finish();
    let mut lasso = None;
    if let Some(path) = path {
        match extract::lasso(graph, &Current { store: &*store, count }, &path, by) {
            Ok(found) => lasso = Some(found),
            Err(reason) => cut = Some(reason),
        }
    }
    conclude(store, lasso, cut, stats)
}

/// The states that were not removed, for the extraction of a run.
struct Current<'a, S> {
    store: &'a S,
    count: u32,
}

impl<S: Lossless<Tag = Number>> States for Current<'_, S> {
    type Row = S::Row;
    type Id = S::Id;

    fn row(&self, id: S::Id) -> &S::Row {
        self.store.row(id)
    }
}

impl<S: Lossless<Tag = Number>> LiveStates for Current<'_, S> {
    fn find_live(&self, row: &S::Row) -> Option<(u32, S::Id)> {
        let id = self.store.find(row)?;
        let number = self.store.tag(id);
        number.current().then_some((number.dfsnum(), id))
    }

    fn live_bound(&self) -> u32 {
        self.count + 1
    }
}

pub(super) struct Couvreur99<'a, G: Graph, S: Lossless, A> {
    graph: &'a mut G,
    store: &'a mut S,
    by: Acceptance,
    /// With the DFS number of each state on the stack.
    dfs: Dfs<S::Id, G::Batch, u32>,
    /// The stack of `remove`.
    removal: Dfs<S::Id, G::Batch>,
    roots: RootSets<A>,
    count: u32,
    stats: Stats,
}

impl<'a, G, S, A> Couvreur99<'a, G, S, A>
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>, Tag = Number>,
    A: Acc,
{
    pub(super) fn new(
        graph: &'a mut G,
        store: &'a mut S,
        options: SearchOptions,
        by: Acceptance,
    ) -> Self {
        let (dfs, removal) = (graph.batch(options.room), graph.batch(options.room));
        Couvreur99 {
            graph,
            store,
            by,
            dfs: Dfs::new(dfs, options),
            // A component that is deep in one order is removed whole in another.
            removal: Dfs::new(removal, SearchOptions { depth_limit: usize::MAX, ..options }),
            roots: RootSets::new(),
            count: 0,
            stats: Stats::default(),
        }
    }

    /// Whether `report` stopped the search. `visit` is shown the root of each component.
    pub(super) fn couv(
        &mut self,
        report: impl Fn(A) -> bool,
        mut visit: impl FnMut(&S::Row, Component<A>),
    ) -> bool {
        while let Some(s) = self.dfs.next_root(self.graph, self.store) {
            if self.store.tag(s) == Number::default() {
                self.call(s, Marks::NONE);
                if self.couv_dfs(&report, &mut visit) {
                    return true;
                }
            }
            if self.cut().is_some_and(Limit::ends_search) {
                return false;
            }
            self.store.release(s);
        }
        false
    }

    #[inline]
    fn call(&mut self, s: S::Id, into: Marks) {
        // count := count + 1; s.dfsnum := count; s.current := true
        self.count += 1;
        assert!(self.count < CURRENT, "fewer than 2^31 states");
        self.store.set_tag(s, Number(self.count | CURRENT));
        // push(Roots, s)
        let (set, into) = match self.by {
            Acceptance::States if self.graph.accepting(self.store.row(s)) => {
                (A::of(Marks::all(1)), A::default())
            }
            Acceptance::States => (A::default(), A::default()),
            Acceptance::Edges => (A::default(), A::of(into)),
        };
        self.roots.push(self.count, set, into);
        // One integer a state, and Roots: states, or pairs.
        let words = u64::from(self.count) + 2 * self.roots.len() as u64;
        self.stats.words = self.stats.words.max(words);
        self.dfs.enter(s, self.count);
    }

    fn couv_dfs(
        &mut self,
        report: impl Fn(A) -> bool,
        mut visit: impl FnMut(&S::Row, Component<A>),
    ) -> bool {
        while let Some(step) = self.dfs.step(self.graph, self.store) {
            match step {
                DfsEvent::Edge { dst, marks, .. } => {
                    let t = self.store.tag(dst);
                    if t == Number::default() {
                        // if t.dfsnum = 0 then couv_dfs(t)
                        self.call(dst, marks);
                    } else if t.current() {
                        // else if t.current then B := ∅, or what is on the edge
                        let mut b = match self.by {
                            Acceptance::States => A::default(),
                            Acceptance::Edges => A::of(marks),
                        };
                        loop {
                            // repeat (u, C) := pop(Roots); B := B ∪ C; if B = K then report cycle
                            let u = self.roots.top();
                            b.add(u.set);
                            if report(b) {
                                return true;
                            }
                            // until u.dfsnum ≤ t.dfsnum; push(Roots, (u, B))
                            if u.dfsnum <= t.dfsnum() {
                                (u.set, u.cycle) = (b, true);
                                break;
                            }
                            b.add(u.into);
                            self.roots.pop();
                        }
                    }
                }
                DfsEvent::Retreat(s) => {
                    // if top(Roots) = s then pop(Roots); remove(s)
                    if let Some((acc, cycle)) = self.roots.pop_if(self.dfs.left()) {
                        let size = self.remove(s);
                        if self.removal.stopped() {
                            return false;
                        }
                        self.stats.sccs += 1;
                        visit(self.store.row(s), Component { size, acc, trivial: !cycle });
                    }
                }
            }
        }
        false
    }

    /// How many states were removed.
    fn remove(&mut self, root: S::Id) -> u32 {
        // s.current := false
        let first = self.set_removed(root);
        self.removal.enter(root, ());
        let mut size = 1;
        // for all t ∈ post(s) do remove(t)
        while let Some(step) = self.removal.step(self.graph, self.store) {
            let DfsEvent::Edge { dst: t, .. } = step else { continue };
            // if ¬t.current then return. An older state is no part of the component; it is
            // met only if the depth limit kept the first search from this edge.
            let number = self.store.tag(t);
            if number.current() && number.dfsnum() >= first {
                self.set_removed(t);
                self.removal.enter(t, ());
                size += 1;
            }
        }
        let depth = self.dfs.depth() + self.removal.max_depth;
        self.stats.depth = self.stats.depth.max(depth as u64);
        self.removal.max_depth = 0;
        size
    }

    /// The DFS number of the state.
    fn set_removed(&mut self, s: S::Id) -> u32 {
        let number = self.store.tag(s).dfsnum();
        self.store.set_tag(s, Number(number));
        number
    }

    fn cut(&self) -> Option<Limit> {
        self.removal.cut().or(self.dfs.cut())
    }

    /// The statistics, why the search was cut, and the last DFS number.
    pub(super) fn finish(self) -> (Stats, Option<Limit>, u32) {
        let cut = self.cut();
        let Couvreur99 { dfs, removal, roots, count, mut stats, .. } = self;
        stats.states = u64::from(count);
        stats.transitions = dfs.transitions + removal.transitions;
        stats.stack_bytes = dfs.bytes() + removal.bytes();
        stats.expansions = dfs.expansions + removal.expansions;
        stats.depth = stats.depth.max(dfs.max_depth as u64);
        stats.peaks.roots = roots.peak();
        (stats, cut, count)
    }
}
