//! Tarjan's algorithm with the accepting test when a root is left (SE §4): the baseline.
//!
//! It needs no second search, but it reports an accepting component only when that component
//! and all that can be reached from it were explored (SE Figure 4). The position in the
//! store's live stack, *Current*, is the DFS number; whether a component has an accepting
//! state is passed up with the lowlink instead of asking each state that leaves *Current*.

use super::frame::{Explored, report};
use crate::dfs::{Dfs, DfsEvent, SearchOptions};
use lariat_core::{Acceptance, Graph, LiveStore, Outcome, RowOf, Stats, Status};

/// What SE's Tarjan keeps for a state on the call stack.
#[derive(Clone, Copy)]
struct Local {
    dfsnum: u32,
    lowlink: u32,
    /// Whether an edge inside the component was seen.
    cycle: bool,
    /// Whether the part of the component below this state has an accepting state.
    accepting: bool,
}

/// Whether `graph` has an accepting run by its states.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: LiveStore<Row = RowOf<G::Batch>>,
{
    let explored = explore(graph, store, options);
    report(graph, store, explored, Acceptance::States)
}

fn explore<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Explored<S::Id>
where
    G: Graph,
    S: LiveStore<Row = RowOf<G::Batch>>,
{
    let mut dfs = Dfs::new(graph.batch(options.room), options);
    let mut stats = Stats::default();
    let mut found = None;
    // s.dfsnum := s.lowlink := count; push(Current, s)
    let push = |graph: &G, store: &mut S, s: S::Id, stats: &mut Stats| {
        let dfsnum = store.live_len();
        let s = store.push_live(s);
        stats.states += 1;
        // Two integers a state, and Current.
        stats.words = stats.words.max(2 * stats.states + u64::from(store.live_len()));
        let accepting = graph.accepting(store.row(s));
        (s, Local { dfsnum, lowlink: dfsnum, cycle: false, accepting })
    };
    'search: while let Some(s) = dfs.next_root(graph, store) {
        if store.status(s) != Status::Unknown {
            store.release(s);
            continue;
        }
        let (root, local) = push(graph, store, s, &mut stats);
        dfs.enter(root, local);
        while let Some(step) = dfs.step(graph, store) {
            match step {
                DfsEvent::Edge { dst: t, .. } => match store.status(t) {
                    Status::Unknown => {
                        let (t, local) = push(graph, store, t, &mut stats);
                        dfs.enter(t, local);
                    }
                    // if t ∈ Current then s.lowlink := min{s.lowlink, t.dfsnum}
                    Status::Live(t) => {
                        let s = dfs.top_mut().expect("the edge's source");
                        s.lowlink = s.lowlink.min(t);
                        s.cycle = true;
                    }
                    Status::Dead => {}
                },
                DfsEvent::Retreat(s) => {
                    let local = dfs.left();
                    // if s.lowlink = s.dfsnum, s is a root: test its component, remove it
                    if local.lowlink == local.dfsnum {
                        stats.sccs += 1;
                        if local.cycle && local.accepting {
                            found = Some(dfs.path().chain([s]).collect());
                            break 'search;
                        }
                        store.kill_from(local.dfsnum);
                    } else {
                        let below = dfs.top_mut().expect("only a root is last");
                        below.lowlink = below.lowlink.min(local.lowlink);
                        below.cycle = true;
                        below.accepting |= local.accepting;
                    }
                }
            }
        }
        if dfs.stopped() {
            break;
        }
        store.release(root);
    }
    stats.transitions = dfs.transitions;
    stats.stack_bytes = dfs.bytes();
    stats.expansions = dfs.expansions;
    stats.depth = dfs.max_depth as u64;
    (stats.peaks.live, stats.peaks.dead) = store.peaks();
    stats.peaks.current = stats.peaks.live;
    Explored { found, cut: dfs.cut(), stats }
}
