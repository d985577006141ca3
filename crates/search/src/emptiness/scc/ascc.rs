//! Gaiser and Schwoon, *Comparison of Algorithms for Checking Emptiness on Büchi Automata*,
//! MEMICS 2009, Figure 2: Couvreur's algorithm with Tarjan's stack put back.
//!
//! The text of the figure lost some of it: line 20 is `until u.dfsnum ≤ t.dfsnum`, not `<`;
//! line 22 is `if top(Roots) = (s, ·) then`; line 27 ends with `u = s`. The figure has sets of
//! states; with marks on edges the sets belong to the edges instead (`sets.rs`). The
//! position in the store's live stack, *Active*, is the DFS number.

use super::frame::{Explored, report};
use super::sets::RootSets;
use crate::dfs::{Dfs, DfsEvent, SearchOptions};
use lariat_core::{Acceptance, Graph, LiveStore, Marks, Outcome, RowOf, Stats, Status};

/// Whether `graph` has an accepting run: by one set of states, or by any number of sets of
/// edges. Stops at the edge that first closes an accepting cycle.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions, by: Acceptance) -> Outcome
where
    G: Graph,
    S: LiveStore<Row = RowOf<G::Batch>>,
{
    let all = match by {
        Acceptance::States => Marks::all(1),
        Acceptance::Edges => Marks::all(graph.mark_count()),
    };
    let dfs = Dfs::new(graph.batch(options.room), options);
    let (roots, stats) = (RootSets::new(), Stats::default());
    let mut search = Ascc { graph, store, by, all, dfs, roots, stats };
    let found = search.couv().then(|| search.dfs.path().collect());
    let Ascc { dfs, roots, mut stats, .. } = search;
    stats.transitions = dfs.transitions;
    stats.stack_bytes = dfs.bytes();
    stats.expansions = dfs.expansions;
    stats.depth = dfs.max_depth as u64;
    stats.peaks.roots = roots.peak();
    (stats.peaks.live, stats.peaks.dead) = store.peaks();
    stats.peaks.current = stats.peaks.live;
    let explored = Explored { found, cut: dfs.cut(), stats };
    report(graph, store, explored, by)
}

struct Ascc<'a, G: Graph, S: LiveStore> {
    graph: &'a mut G,
    store: &'a mut S,
    by: Acceptance,
    /// K
    all: Marks,
    /// With the DFS number of each state on the stack.
    dfs: Dfs<S::Id, G::Batch, u32>,
    roots: RootSets<Marks>,
    stats: Stats,
}

impl<G: Graph, S: LiveStore<Row = RowOf<G::Batch>>> Ascc<'_, G, S> {
    /// Whether a cycle was found.
    fn couv(&mut self) -> bool {
        while let Some(s) = self.dfs.next_root(self.graph, self.store) {
            if self.store.status(s) != Status::Unknown {
                self.store.release(s);
                continue;
            }
            let s = self.call(s, Marks::NONE);
            if self.couv_dfs() {
                return true;
            }
            if self.dfs.stopped() {
                return false;
            }
            self.store.release(s);
        }
        false
    }

    #[inline]
    fn call(&mut self, s: S::Id, into: Marks) -> S::Id {
        // s.dfsnum := count; s.current := true; push(Active, s)
        let dfsnum = self.store.live_len();
        let s = self.store.push_live(s);
        // push(Roots, (s, A(s)))
        match self.by {
            Acceptance::States => {
                let accepting = self.graph.accepting(self.store.row(s));
                let set = if accepting { self.all } else { Marks::NONE };
                self.roots.push(dfsnum, set, Marks::NONE);
            }
            Acceptance::Edges => self.roots.push(dfsnum, Marks::NONE, into),
        }
        self.stats.states += 1;
        // One integer a state, Active, and Roots of pairs.
        let words = self.stats.states + u64::from(dfsnum) + 1 + 2 * self.roots.len() as u64;
        self.stats.words = self.stats.words.max(words);
        self.dfs.enter(s, dfsnum);
        s
    }

    fn couv_dfs(&mut self) -> bool {
        while let Some(step) = self.dfs.step(self.graph, self.store) {
            match step {
                DfsEvent::Edge { dst: t, marks, .. } => match self.store.status(t) {
                    // if t.dfsnum = 0 then couv_dfs(t)
                    Status::Unknown => {
                        self.call(t, marks);
                    }
                    // else if t.current then B := ∅, or what is on the edge
                    Status::Live(t) => {
                        let mut b = match self.by {
                            Acceptance::States => Marks::NONE,
                            Acceptance::Edges => marks,
                        };
                        loop {
                            // repeat (u, C) := pop(Roots); B := B ∪ C; if B = K then report cycle
                            let u = self.roots.top();
                            b |= u.set;
                            if b.contains(self.all) {
                                return true;
                            }
                            // until u.dfsnum ≤ t.dfsnum; push(Roots, (u, B))
                            if u.dfsnum <= t {
                                (u.set, u.cycle) = (b, true);
                                break;
                            }
                            b |= u.into;
                            self.roots.pop();
                        }
                    }
                    Status::Dead => {}
                },
                DfsEvent::Retreat(_) => {
                    let s = self.dfs.left();
                    // if top(Roots) = (s, ·) then pop(Roots)
                    if self.roots.pop_if(s).is_some() {
                        self.stats.sccs += 1;
                        // repeat u := pop(Active); u.current := false until u = s
                        self.store.kill_from(s);
                    }
                }
            }
        }
        false
    }
}
