//! Renault, Duret-Lutz, Kordon, Poitrenaud, *Three SCC-based Emptiness Checks for
//! Generalized Büchi Automata*, LPAR 2013, Algorithm 1.
//!
//! The generic search. What to do with a state or an edge is up to an [`Algorithm`]:
//! Tarjan's, Dijkstra's, Gabow's. The same code enumerates components and checks for
//! emptiness: the boxes of the paper's algorithms are operations on an [`Acc`], and the one
//! for enumeration, `()`, does nothing at no cost.
//!
//! The paper calls an SCC accepting if its edges carry all marks. With no marks at all that
//! would include trivial ones. Here only an edge that closes a cycle leads to a test.

use super::extract;
use crate::dfs::{Dfs, DfsEvent, SearchOptions};
use crate::emptiness::conclude;
use lariat_core::{
    Acceptance, Batch, Graph, Intern, Lasso, Limit, LiveStates, Marks, Outcome, RowOf, Stats,
    Status,
};

/// What is collected about the edges of a component: their marks, or nothing.
pub trait Acc: Copy + Default + std::fmt::Debug {
    /// What an edge carries.
    fn of(marks: Marks) -> Self;
    /// The union of both.
    fn add(&mut self, other: Self);
    /// Whether a component with a cycle and this is accepting.
    fn contains(self, all: Marks) -> bool;
}

impl Acc for Marks {
    #[inline]
    fn of(marks: Marks) -> Self {
        marks
    }
    #[inline]
    fn add(&mut self, other: Self) {
        *self |= other;
    }
    #[inline]
    fn contains(self, all: Marks) -> bool {
        Marks::contains(self, all)
    }
}

/// Enumeration without the boxes.
impl Acc for () {
    #[inline]
    fn of(_: Marks) -> Self {}
    #[inline]
    fn add(&mut self, (): Self) {}
    #[inline]
    fn contains(self, _: Marks) -> bool {
        false
    }
}

/// struct Step {acc, pos, succ}; `succ` is the search stack's.
#[derive(Clone, Copy, Debug)]
pub struct PathStep<A, P> {
    /// The marks of the edge that leads to the state.
    pub acc: A,
    /// What the algorithm knows of the state.
    pub pos: P,
}

/// The variable `dfs` of the paper, as far as the algorithms look at it.
pub trait Path<A, P> {
    /// States on it.
    fn size(&self) -> u32;
    /// The one at this depth.
    fn at(&self, depth: u32) -> PathStep<A, P>;
}

impl<I: Copy, B: Batch, A: Acc, P: Copy> Path<A, P> for Dfs<I, B, PathStep<A, P>> {
    #[inline]
    fn size(&self) -> u32 {
        self.depth() as u32
    }
    #[inline]
    fn at(&self, depth: u32) -> PathStep<A, P> {
        *self.own(depth as usize)
    }
}

/// A component all of whose states were left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component<A> {
    /// States.
    pub size: u32,
    /// What is on the edges inside.
    pub acc: A,
    /// Whether it is one state without an edge to itself.
    pub trivial: bool,
}

/// What [`Algorithm::pop`] found.
#[derive(Debug)]
pub enum Popped<A> {
    /// The state is not the root of its component.
    Inside,
    /// The same, and the state below now knows of this much on a cycle.
    Gathered(A),
    /// The state is the root of this component, which is to be killed.
    Root(Component<A>),
}

/// GET_STATUS, PUSH, UPDATE and POP of the paper.
pub trait Algorithm<S: Intern, A: Acc> {
    /// What is kept of a state on the search stack.
    type Position: Copy;

    /// UNKNOWN, LIVE or DEAD.
    fn get_status(&self, store: &mut S, q: S::Id) -> Status;

    /// A new state is live. `depth` is the size of the search stack before it is put there.
    fn push(&mut self, store: &mut S, q: S::Id, depth: u32) -> (S::Id, Self::Position);

    /// An edge with `acc` leads from the top of the search stack to the live state `d`.
    /// Returns what the top's component (for Tarjan's: the part below the top) carries.
    fn update(&mut self, store: &mut S, dfs: &impl Path<A, Self::Position>, acc: A, d: u32) -> A;

    /// The search has left a state; `dfs` is without it.
    fn pop(
        &mut self,
        store: &mut S,
        dfs: &impl Path<A, Self::Position>,
        s: PathStep<A, Self::Position>,
    ) -> Popped<A>;

    /// All states of the component with this root become dead.
    fn kill(&mut self, store: &mut S, root: Self::Position);

    /// Words in use now, by the formula of RDKP Table 1.
    fn words(&self, store: &S) -> u64;

    /// Fills in the peaks of the algorithm's own structures and the store's.
    fn peaks(&self, store: &S, stats: &mut Stats);
}

/// The states on the search stack at the end, if an accepting component was found, and what
/// it took.
pub(super) struct Explored<I> {
    pub(super) found: Option<Vec<I>>,
    pub(super) cut: Option<Limit>,
    pub(super) stats: Stats,
}

/// Algorithm 1. `visit` is shown the root of each component when it is left.
pub(super) fn explore<G, S, A, M>(
    graph: &mut G,
    store: &mut S,
    algorithm: &mut M,
    options: SearchOptions,
    mut visit: impl FnMut(&S::Row, Component<A>),
) -> Explored<S::Id>
where
    G: Graph,
    S: Intern<Row = RowOf<G::Batch>>,
    A: Acc,
    M: Algorithm<S, A>,
{
    let all = Marks::all(graph.mark_count());
    let mut stats = Stats::default();
    let mut dfs = Dfs::new(graph.batch(options.room), options);
    let mut found = None;
    'search: while let Some(q) = dfs.next_root(graph, store) {
        if algorithm.get_status(store, q) != Status::Unknown {
            store.release(q);
            continue;
        }
        // Position pos ← PUSH(q0); dfs.push(⟨∅, pos, successors(q0)⟩)
        let (q, pos) = algorithm.push(store, q, 0);
        stats.states += 1;
        stats.words = stats.words.max(algorithm.words(store));
        dfs.enter(q, PathStep { acc: A::default(), pos });
        // while ¬dfs.isEmpty()
        while let Some(step) = dfs.step(graph, store) {
            match step {
                // Transition t ← pick one from step.succ; switch GET_STATUS(t.dst)
                DfsEvent::Edge { dst, marks, .. } => match algorithm.get_status(store, dst) {
                    Status::Dead => {}
                    // UPDATE(f(t), t.dst), with the test for F
                    Status::Live(d) => {
                        if algorithm.update(store, &dfs, A::of(marks), d).contains(all) {
                            found = Some(dfs.path().collect());
                            break 'search;
                        }
                    }
                    // pos ← PUSH(t.dst); dfs.push(⟨f(t), pos, successors(t.dst)⟩)
                    Status::Unknown => {
                        let (q, pos) = algorithm.push(store, dst, dfs.size());
                        stats.states += 1;
                        stats.words = stats.words.max(algorithm.words(store));
                        dfs.enter(q, PathStep { acc: A::of(marks), pos });
                    }
                },
                // dfs.pop(); POP(step)
                DfsEvent::Retreat(q) => {
                    let step = dfs.left();
                    match algorithm.pop(store, &dfs, step) {
                        Popped::Inside => {}
                        Popped::Gathered(acc) => {
                            if acc.contains(all) {
                                found = Some(dfs.path().collect());
                                break 'search;
                            }
                        }
                        Popped::Root(component) => {
                            stats.sccs += 1;
                            visit(store.row(q), component);
                            algorithm.kill(store, step.pos);
                        }
                    }
                }
            }
        }
        if dfs.stopped() {
            break;
        }
        store.release(q);
    }
    stats.transitions = dfs.transitions;
    stats.stack_bytes = dfs.bytes();
    stats.expansions = dfs.expansions;
    stats.depth = dfs.max_depth as u64;
    algorithm.peaks(store, &mut stats);
    Explored { found, cut: dfs.cut(), stats }
}

/// The emptiness check by `algorithm`.
pub fn check<G, S, M>(
    graph: &mut G,
    store: &mut S,
    mut algorithm: M,
    options: SearchOptions,
) -> Outcome
where
    G: Graph,
    S: Intern<Row = RowOf<G::Batch>> + LiveStates,
    M: Algorithm<S, Marks>,
{
    let explored = explore(graph, store, &mut algorithm, options, |_, _| {});
    report(graph, store, explored, Acceptance::Edges)
}

/// Completes the search stack of a search that found an accepting component to a lasso.
pub(super) fn report<G, S>(
    graph: &mut G,
    store: &mut S,
    explored: Explored<S::Id>,
    by: Acceptance,
) -> Outcome
where
    G: Graph,
    S: Intern<Row = RowOf<G::Batch>> + LiveStates,
{
    let Explored { found, mut cut, stats } = explored;
    let lasso: Option<Lasso> = match found.map(|path| extract::lasso(graph, store, &path, by)) {
        Some(Ok(lasso)) => Some(lasso),
        Some(Err(reason)) => {
            cut = Some(reason);
            None
        }
        None => None,
    };
    conclude(store, lasso, cut, stats)
}
