//! Geldenhuys and Valmari, *Tarjan's Algorithm Makes On-the-Fly LTL Verification More
//! Efficient*, TACAS 2004, as SE Figure 7 gives it.
//!
//! Tarjan's algorithm with a goal passed down: the latest accepting state on the search path.
//! A lowlink that reaches down to the goal closes a cycle through it. For one set of
//! accepting states only. The position in the store's live stack, *Current*, is the DFS
//! number; lowlinks are kept for all current states, since line 16 reads those of states that
//! are not on the search path any more. After the return from a child the test of line 17 is
//! never the first to succeed (the child had the same goal or was one itself, and made the
//! same test); it is kept as in the figure, for one comparison a state.

use super::frame::{Explored, report};
use crate::dfs::{Dfs, DfsEvent, SearchOptions};
use lariat_core::{Acceptance, Graph, LiveStore, Outcome, RowOf, Stats, Status};

/// Whether `graph` has an accepting run by its states. Stops at the edge that first closes an
/// accepting cycle.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: LiveStore<Row = RowOf<G::Batch>>,
{
    let dfs = Dfs::new(graph.batch(options.room), options);
    let mut search = Gv { graph, store, dfs, lowlinks: Vec::new(), stats: Stats::default() };
    let found = search.run().then(|| search.dfs.path().collect());
    let Gv { dfs, mut stats, .. } = search;
    stats.transitions = dfs.transitions;
    stats.stack_bytes = dfs.bytes();
    stats.expansions = dfs.expansions;
    stats.depth = dfs.max_depth as u64;
    (stats.peaks.live, stats.peaks.dead) = store.peaks();
    stats.peaks.current = stats.peaks.live;
    let explored = Explored { found, cut: dfs.cut(), stats };
    report(graph, store, explored, Acceptance::States)
}

/// The parameters of gv_dfs.
#[derive(Clone, Copy)]
struct Call {
    dfsnum: u32,
    /// The DFS number of the goal; `None` is ⊥.
    goal: Option<u32>,
}

struct Gv<'a, G: Graph, S: LiveStore> {
    graph: &'a mut G,
    store: &'a mut S,
    dfs: Dfs<S::Id, G::Batch, Call>,
    /// By position in Current.
    lowlinks: Vec<u32>,
    stats: Stats,
}

impl<G: Graph, S: LiveStore<Row = RowOf<G::Batch>>> Gv<'_, G, S> {
    /// Whether a cycle was found.
    fn run(&mut self) -> bool {
        while let Some(s) = self.dfs.next_root(self.graph, self.store) {
            if self.store.status(s) != Status::Unknown {
                self.store.release(s);
                continue;
            }
            let s = self.call(s, None);
            if self.gv_dfs() {
                return true;
            }
            if self.dfs.stopped() {
                return false;
            }
            self.store.release(s);
        }
        false
    }

    /// gv_dfs(t, t) if t ∈ A, else gv_dfs(t, goal)
    #[inline]
    fn call(&mut self, t: S::Id, goal: Option<u32>) -> S::Id {
        // s.dfsnum := count; s.lowlink := count; push(Current, s); s.current := true
        let dfsnum = self.store.live_len();
        let t = self.store.push_live(t);
        self.lowlinks.push(dfsnum);
        self.stats.states += 1;
        // Two integers a state, and Current.
        let words = 2 * self.stats.states + self.lowlinks.len() as u64;
        self.stats.words = self.stats.words.max(words);
        let goal = if self.graph.accepting(self.store.row(t)) { Some(dfsnum) } else { goal };
        self.dfs.enter(t, Call { dfsnum, goal });
        t
    }

    fn gv_dfs(&mut self) -> bool {
        while let Some(step) = self.dfs.step(self.graph, self.store) {
            match step {
                DfsEvent::Edge { dst: t, .. } => match self.store.status(t) {
                    // if t.dfsnum = 0 then gv_dfs(t, …)
                    Status::Unknown => {
                        let goal = self.dfs.top_mut().expect("the edge's source").goal;
                        self.call(t, goal);
                    }
                    Status::Live(t) => {
                        if self.current(t) {
                            return true;
                        }
                    }
                    Status::Dead => {}
                },
                DfsEvent::Retreat(_) => {
                    let s = self.dfs.left().dfsnum;
                    // if s.lowlink = s.dfsnum then pop Current down to s
                    if self.lowlinks[s as usize] == s {
                        self.stats.sccs += 1;
                        self.store.kill_from(s);
                        self.lowlinks.truncate(s as usize);
                    } else if self.current(s) {
                        // The state that was left is the caller's t, and still current.
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Lines 15 to 18 for the top of the search stack and a current state: whether to report.
    #[inline]
    fn current(&mut self, t: u32) -> bool {
        let Call { dfsnum: s, goal } = *self.dfs.top_mut().expect("a root is last to be left");
        // s.lowlink := min{s.lowlink, t.lowlink}
        let lowlink = self.lowlinks[s as usize].min(self.lowlinks[t as usize]);
        self.lowlinks[s as usize] = lowlink;
        // if goal ≠ ⊥ ∧ s.lowlink ≤ goal.dfsnum then report cycle
        goal.is_some_and(|goal| lowlink <= goal)
    }
}
