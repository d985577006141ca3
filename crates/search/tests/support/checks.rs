//! The nested checks by name, on the exact store, for tests that go through all of them.

use lariat_core::lasso::Acceptance;
use lariat_core::{Batch, Fixed, Graph, Outcome, Word};
use lariat_search::dfs::Options;
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

    pub fn run<G: Graph<Batch = Fixed<1>>>(self, graph: &mut G, options: Options) -> Outcome {
        type Rows = Vec<<Fixed<1> as Batch>::Row>;
        fn store<T: Copy + Default>() -> Exact<T, Rows> {
            Exact::new(Vec::<[Word; 1]>::new())
        }
        match self {
            Cvwy => cvwy::check(graph, &mut store(), options),
            Hpy => hpy::check(graph, &mut store(), options),
            Gmz => gmz::check(graph, &mut store(), options),
            Se => se::check(graph, &mut store(), options),
            And => and::check(graph, &mut store(), options),
            Tauriainen => tauriainen::check(graph, &mut store(), options),
            Sd => weak::check(graph, &mut store(), options),
            Reach => terminal::check(graph, &mut store(), options),
        }
    }

    pub fn acceptance(self) -> Acceptance {
        match self {
            Tauriainen => Acceptance::Edges,
            _ => Acceptance::States,
        }
    }
}
