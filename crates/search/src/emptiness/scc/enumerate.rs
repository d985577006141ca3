//! The components of a graph by Tarjan's, Dijkstra's, Gabow's and Couvreur's algorithms:
//! the same code as the emptiness checks with the test left out.
//!
//! `A` says what is told about the edges of a component: [`Seen`] collects their marks, `()`
//! nothing. With `()` it is the paper's enumeration without the boxes, to measure the check
//! against.

use super::couvreur99::{self, Number};
use super::dijkstra_tgba::Dijkstra;
use super::frame::{Acc, Algorithm, Component, Explored, explore};
use super::gabow_tgba::Gabow;
use super::roots::{Compressed, Plain, Roots};
use super::tarjan_tgba::Tarjan;
use crate::dfs::SearchOptions;
use lariat_core::{
    Acceptance, Graph, Intern, Limit, LiveStore, Lossless, Marks, RowOf, Stats, UnionStore,
};

/// Marks that are collected and never end a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen(pub Marks);

impl Acc for Seen {
    #[inline]
    fn of(marks: Marks) -> Self {
        Seen(marks)
    }
    #[inline]
    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
    #[inline]
    fn contains(self, _: Marks) -> bool {
        false
    }
}

/// What an enumeration took, and why it is not complete, if so.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// What it took.
    pub stats: Stats,
    /// Why not all of them were seen.
    pub cut: Option<Limit>,
}

fn by<G, S, A, M>(
    graph: &mut G,
    store: &mut S,
    mut algorithm: M,
    options: SearchOptions,
    visit: impl FnMut(&S::Row, Component<A>),
) -> Enumeration
where
    G: Graph,
    S: Intern<Row = RowOf<G::Batch>>,
    A: Acc,
    M: Algorithm<S, A>,
{
    let Explored { cut, stats, .. } = explore(graph, store, &mut algorithm, options, visit);
    let cut = cut.or(store.is_lossy().then_some(Limit::Lossy));
    Enumeration { stats: Stats { bytes: store.bytes() as u64, ..stats }, cut }
}

/// RDKP Algorithm 2. `visit` is shown the root of each component and the component, in the
/// order in which they are left: what is reached from a component comes before it.
pub fn tarjan<G, S, A>(
    graph: &mut G,
    store: &mut S,
    options: SearchOptions,
    visit: impl FnMut(&S::Row, Component<A>),
) -> Enumeration
where
    G: Graph,
    S: LiveStore<Row = RowOf<G::Batch>>,
    A: Acc,
{
    by(graph, store, Tarjan::<A>::default(), options, visit)
}

/// RDKP Algorithm 3.
pub fn dijkstra<G, S, A>(
    graph: &mut G,
    store: &mut S,
    options: SearchOptions,
    roots: Roots,
    visit: impl FnMut(&S::Row, Component<A>),
) -> Enumeration
where
    G: Graph,
    S: LiveStore<Row = RowOf<G::Batch>>,
    A: Acc,
{
    match roots {
        Roots::Plain => by(graph, store, Dijkstra::<Plain<A>>::default(), options, visit),
        Roots::Compressed => by(graph, store, Dijkstra::<Compressed<A>>::default(), options, visit),
    }
}

/// RDKP Algorithm 4.
pub fn gabow<G, S, A>(
    graph: &mut G,
    store: &mut S,
    options: SearchOptions,
    roots: Roots,
    visit: impl FnMut(&S::Row, Component<A>),
) -> Enumeration
where
    G: Graph,
    S: UnionStore<Row = RowOf<G::Batch>>,
    A: Acc,
{
    match roots {
        Roots::Plain => by(graph, store, Gabow::<Plain<A>>::default(), options, visit),
        Roots::Compressed => by(graph, store, Gabow::<Compressed<A>>::default(), options, visit),
    }
}

/// SE Figure 5 without line 18 (SE §4.4).
pub fn couvreur<G, S, A>(
    graph: &mut G,
    store: &mut S,
    options: SearchOptions,
    visit: impl FnMut(&S::Row, Component<A>),
) -> Enumeration
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>, Tag = Number>,
    A: Acc,
{
    let mut search = couvreur99::Couvreur99::new(graph, store, options, Acceptance::Edges);
    search.couv(|_: A| false, visit);
    let (stats, cut, _) = search.finish();
    let cut = cut.or(store.is_lossy().then_some(Limit::Lossy));
    Enumeration { stats: Stats { bytes: store.bytes() as u64, ..stats }, cut }
}
