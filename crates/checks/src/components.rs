//! The strongly connected components of an automaton, by an algorithm of this name.

use lariat_automata::{ExplicitGraph, Tgba};
use lariat_core::Stats;
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::enumerate::{self, Seen};
use lariat_search::emptiness::scc::{Component, Roots};
use lariat_store::Exact;
use lariat_store::live::{InPlace, UnionInPlace};

/// How components are enumerated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enumerator {
    Tarjan,
    Dijkstra,
    Gabow,
    Couvreur,
}

/// A component as it was found: its root and what the enumeration saw of it.
pub struct Found {
    pub root: u32,
    pub component: Component<Seen>,
}

/// The components, in the order in which they are left, and what it took.
pub fn components(tgba: &Tgba, algorithm: Enumerator) -> (Vec<Found>, Stats) {
    let mut graph = ExplicitGraph::new(tgba);
    let options = SearchOptions::default();
    let mut found = Vec::new();
    let visit = |row: &[u32; 1], component| found.push(Found { root: row[0], component });
    let taken = match algorithm {
        Enumerator::Tarjan => {
            enumerate::tarjan(&mut graph, &mut InPlace::new(Vec::new()), options, visit)
        }
        Enumerator::Dijkstra => {
            let store = &mut InPlace::new(Vec::new());
            enumerate::dijkstra(&mut graph, store, options, Roots::Compressed, visit)
        }
        Enumerator::Gabow => {
            let store = &mut UnionInPlace::new(Vec::new());
            enumerate::gabow(&mut graph, store, options, Roots::Compressed, visit)
        }
        Enumerator::Couvreur => {
            enumerate::couvreur(&mut graph, &mut Exact::new(Vec::new()), options, visit)
        }
    };
    (found, taken.stats)
}

impl Enumerator {
    pub const ALL: [Enumerator; 4] =
        [Enumerator::Tarjan, Enumerator::Dijkstra, Enumerator::Gabow, Enumerator::Couvreur];

    pub fn name(self) -> &'static str {
        match self {
            Enumerator::Tarjan => "tarjan",
            Enumerator::Dijkstra => "dijkstra",
            Enumerator::Gabow => "gabow",
            Enumerator::Couvreur => "couvreur",
        }
    }
}
