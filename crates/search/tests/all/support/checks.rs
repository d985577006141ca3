//! The nested checks by name, on the exact store, for tests that go through all of them.

use lariat_core::lasso::Acceptance;
use lariat_core::{Batch, Fixed, Graph, Outcome, Word};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::nested::{and, cvwy, gmz, hpy, se, tauriainen};
use lariat_search::emptiness::{terminal, weak};
use lariat_store::Exact;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    Cvwy,
    Hpy,
    Gmz,
    Se,
    And,
    Tauriainen,
    /// Right on weak graphs only, like `Reach`.
    Sd,
    Reach,
}

pub use Check::*;

impl Check {
    /// Those that are right on every Büchi graph.
    pub const GENERAL: [Check; 6] = [Cvwy, Hpy, Gmz, Se, And, Tauriainen];
    pub const ALL: [Check; 8] = [Cvwy, Hpy, Gmz, Se, And, Tauriainen, Sd, Reach];

    pub fn run<G: Graph<Batch = Fixed<1>>>(self, graph: &mut G, options: SearchOptions) -> Outcome {
        self.run_in(usize::MAX, graph, options)
    }

    /// With a store that takes so many states.
    pub fn run_in<G: Graph<Batch = Fixed<1>>>(
        self,
        most: usize,
        graph: &mut G,
        options: SearchOptions,
    ) -> Outcome {
        type Rows = Vec<<Fixed<1> as Batch>::Row>;
        fn limited<T: Copy + Default>(most: usize) -> Exact<T, Rows> {
            Exact::new(Vec::<[Word; 1]>::new()).at_most(most)
        }
        match self {
            Cvwy => cvwy::check(graph, &mut limited(most), options),
            Hpy => hpy::check(graph, &mut limited(most), options),
            Gmz => gmz::check(graph, &mut limited(most), options),
            Se => se::check(graph, &mut limited(most), options),
            And => and::check(graph, &mut limited(most), options),
            Tauriainen => tauriainen::check(graph, &mut limited(most), options),
            Sd => weak::check(graph, &mut limited(most), options),
            Reach => terminal::check(graph, &mut limited(most), options),
        }
    }

    pub fn acceptance(self) -> Acceptance {
        match self {
            Tauriainen => Acceptance::Edges,
            _ => Acceptance::States,
        }
    }
}
