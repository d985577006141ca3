//! Searches by component whose store is full: a verdict is true, or the reason is the memory.

use crate::support::{Explicit, Sweep};
use lariat_core::{Acceptance, Emptiness, Graph, Limit, Marks, Outcome};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::{Roots, couvreur99, dijkstra_tgba, gabow_tgba, tarjan_tgba};
use lariat_search::emptiness::streett;
use lariat_store::Exact;
use lariat_store::live::{InPlaceOver, UnionInPlace};

/// A check on a store that takes so many states.
type Check = fn(usize, &mut Explicit, SearchOptions) -> Outcome;

fn table<T: Copy + Default>(most: usize) -> Exact<T, Vec<[u32; 1]>> {
    Exact::new(Vec::new()).at_most(most)
}

const CHECKS: [(&str, Check); 5] = [
    ("tarjan-tgba", |most, graph, options| {
        tarjan_tgba::check(graph, &mut InPlaceOver::over(table(most)), options)
    }),
    ("dijkstra", |most, graph, options| {
        let store = &mut InPlaceOver::over(table(most));
        dijkstra_tgba::check(graph, store, options, Roots::Compressed)
    }),
    ("gabow", |most, graph, options| {
        let store = &mut UnionInPlace::over(table(most));
        gabow_tgba::check(graph, store, options, Roots::Plain)
    }),
    ("c99", |most, graph, options| {
        couvreur99::check(graph, &mut table(most), options, Acceptance::Edges)
    }),
    ("streett", |most, graph, options| {
        let all = Marks::all(graph.mark_count());
        let condition = streett::Condition { all, pairs: Vec::new() };
        streett::check(graph, &mut table(most), options, &condition)
    }),
];

#[test]
fn full_stores_end_all_searches() {
    let sweep = Sweep::from_env(5_000);
    for (name, check) in CHECKS {
        let (mut full, mut roomy, mut found) = (0, 0, 0);
        for seed in sweep.seeds() {
            let graph = Explicit::random_tgba(seed);
            let expected = graph.accepting_by_edges(&graph.reachable_edges());
            for (most, room) in [(1, 1), (2, usize::MAX), (4, 1), (7, usize::MAX), (100, 1)] {
                let options = SearchOptions { room, ..SearchOptions::default() };
                let outcome = check(most, &mut graph.clone(), options);
                let what = format!("{name}, {most} states, seed {seed}");
                match outcome.verdict {
                    Emptiness::Found(lasso) => {
                        assert!(expected, "{what}: false alarm");
                        lasso.verify(&mut graph.clone(), Acceptance::Edges).expect(&what);
                        found += 1;
                    }
                    Emptiness::Empty { .. } => {
                        assert!(!expected, "{what}: missed");
                        roomy += 1;
                    }
                    Emptiness::Inconclusive(reason) => {
                        assert_eq!(reason, Limit::Memory, "{what}");
                        assert!(most < 100, "{what}: the graphs are smaller");
                        full += 1;
                    }
                }
            }
        }
        sweep.expect_each(2, &[full, roomy, found]);
    }
}
