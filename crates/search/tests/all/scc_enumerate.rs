//! The components that each algorithm enumerates are petgraph's.

use crate::support::{Explicit, Sweep};
use lariat_core::Word;
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::enumerate::{self, Enumeration, Seen};
use lariat_search::emptiness::scc::{Component, Roots};
use lariat_store::Exact;
use lariat_store::live::{Eager, ExactDead, InPlace, Lazy, UnionInPlace, UnionSplit};

type Rows = Vec<[Word; 1]>;
type Found = Vec<(Word, Component<Seen>)>;

fn all(graph: &mut Explicit, options: SearchOptions) -> Vec<(&'static str, Found, Enumeration)> {
    let dead = || ExactDead::new(Rows::new());
    let mut results = Vec::new();
    macro_rules! enumerate {
        ($name:literal, $run:ident($store:expr $(, $roots:expr)?)) => {{
            let mut found = Found::new();
            let took = enumerate::$run(graph, &mut $store, options, $($roots,)? |root, component| {
                found.push((root[0], component));
            });
            results.push(($name, found, took));
        }};
    }
    enumerate!("tarjan", tarjan(InPlace::new(Rows::new())));
    enumerate!("tarjan eager", tarjan(Eager::new(Rows::new(), Rows::new(), dead())));
    enumerate!("tarjan lazy", tarjan(Lazy::new(Rows::new(), Rows::new(), dead())));
    enumerate!("dijkstra", dijkstra(InPlace::new(Rows::new()), Roots::Plain));
    enumerate!("dijkstra +cs", dijkstra(InPlace::new(Rows::new()), Roots::Compressed));
    enumerate!(
        "dijkstra eager",
        dijkstra(Eager::new(Rows::new(), Rows::new(), dead()), Roots::Compressed)
    );
    enumerate!(
        "dijkstra lazy",
        dijkstra(Lazy::new(Rows::new(), Rows::new(), dead()), Roots::Plain)
    );
    enumerate!("gabow", gabow(UnionInPlace::new(Rows::new()), Roots::Plain));
    enumerate!("gabow +cs", gabow(UnionInPlace::new(Rows::new()), Roots::Compressed));
    enumerate!(
        "gabow split",
        gabow(UnionSplit::new(Rows::new(), Rows::new(), dead()), Roots::Compressed)
    );
    enumerate!("couvreur", couvreur(Exact::new(Rows::new())));
    results
}

#[test]
fn components_are_those_of_petgraph() {
    for seed in Sweep::from_env(20_000).seeds() {
        let graph = Explicit::random_tgba(seed);
        let reachable = graph.reachable();
        let components = graph.components();
        let home = |state: Word| {
            components.iter().position(|c| c.states.contains(&state)).expect("every state has one")
        };
        let expected = components.iter().filter(|c| reachable[c.states[0] as usize]).count();
        for room in [1, usize::MAX] {
            let options = SearchOptions { room, ..SearchOptions::default() };
            let mut orders = Vec::new();
            for (name, found, took) in all(&mut graph.clone(), options) {
                let context = format!("{name}, seed {seed}");
                assert!(took.cut.is_none());
                assert_eq!(found.len(), expected, "{context}");
                assert_eq!(took.stats.sccs as usize, expected, "{context}");
                let mut left = vec![false; components.len()];
                for &(root, component) in &found {
                    let truth = &components[home(root)];
                    assert!(!left[home(root)], "reported once: {context}");
                    left[home(root)] = true;
                    assert_eq!(component.size as usize, truth.states.len(), "{context}");
                    assert_eq!(component.acc, Seen(truth.marks), "{context}");
                    assert_eq!(component.trivial, !truth.cyclic, "{context}");
                    // What can be reached from a component comes before it.
                    for &state in &truth.states {
                        for &(dst, _) in &graph.edges[state as usize] {
                            assert!(left[home(dst)], "{context}");
                        }
                    }
                }
                orders.push(found.iter().map(|&(root, _)| root).collect::<Vec<_>>());
            }
            assert!(orders.windows(2).all(|pair| pair[0] == pair[1]), "the same roots, {seed}");
        }
    }
}

/// Without marks the same components are found.
#[test]
fn bare_enumeration_finds_as_many() {
    for seed in Sweep::from_env(2_000).seeds() {
        let mut graph = Explicit::random_tgba(seed);
        let mut store = InPlace::new(Rows::new());
        let (mut sizes, mut trivial) = (0, 0);
        enumerate::dijkstra(
            &mut graph,
            &mut store,
            SearchOptions::default(),
            Roots::Plain,
            |_, c| {
                let Component::<()> { size, trivial: is_trivial, .. } = c;
                sizes += size;
                trivial += u32::from(is_trivial);
            },
        );
        let reachable = graph.reachable();
        let reached = graph.components();
        let reached: Vec<_> = reached.iter().filter(|c| reachable[c.states[0] as usize]).collect();
        assert_eq!(sizes as usize, reached.iter().map(|c| c.states.len()).sum::<usize>());
        assert_eq!(trivial as usize, reached.iter().filter(|c| !c.cyclic).count());
    }
}
