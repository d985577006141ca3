//! `--shortest`: the shortest lasso into the component of a given one, by another method.

use crate::support::{Explicit, Sweep};
use lariat_core::{Acceptance, Emptiness, Lasso, Marks, Word};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::{Roots, dijkstra_tgba, gv};
use lariat_search::shortest::{Budget, shorten};
use lariat_store::Exact;
use lariat_store::live::InPlace;
use std::collections::BTreeSet;

type Rows = Vec<[Word; 1]>;

fn length(lasso: &Lasso) -> usize {
    lasso.prefix.len() + lasso.cycle.len()
}

/// The least number of states of a lasso into the component of `inside`: walks of each length
/// in turn, as sets.
fn least(graph: &Explicit, inside: Word, by: Acceptance) -> usize {
    let components = graph.components();
    let component = components.iter().find(|c| c.states.contains(&inside)).expect("it is in one");
    let all = match by {
        Acceptance::Edges => Marks::all(graph.mark_count),
        Acceptance::States => Marks::all(1),
    };
    let marks_of = |src: Word, dst: Word| {
        let parallel = graph.edges[src as usize].iter().filter(|edge| edge.0 == dst);
        match by {
            Acceptance::Edges => parallel.fold(Marks::NONE, |marks, edge| marks | edge.1),
            Acceptance::States if graph.accepting[src as usize] => Marks::all(1),
            Acceptance::States => Marks::NONE,
        }
    };
    let step = |walks: &BTreeSet<(Word, Marks)>, within: bool| -> BTreeSet<(Word, Marks)> {
        walks
            .iter()
            .flat_map(|&(src, marks)| {
                graph.edges[src as usize].iter().map(move |&(dst, _)| (src, dst, marks))
            })
            .filter(|(_, dst, _)| !within || component.states.contains(dst))
            .map(|(src, dst, marks)| (dst, marks | marks_of(src, dst)))
            .collect()
    };
    let mut best = usize::MAX;
    for &entry in &component.states {
        let mut walks: BTreeSet<_> = graph.initial.iter().map(|&q| (q, Marks::NONE)).collect();
        let mut distance = 0;
        while !walks.iter().any(|&(q, _)| q == entry) {
            walks = step(&walks, false);
            distance += 1;
        }
        let mut round = BTreeSet::from([(entry, Marks::NONE)]);
        for len in 1..=12 * 12 {
            round = step(&round, true);
            if round.iter().any(|&(q, marks)| q == entry && marks.contains(all)) {
                best = best.min(distance + len);
                break;
            }
        }
    }
    best
}

#[test]
fn the_result_is_a_shortest_lasso() {
    let (mut shorter, mut total) = (0, 0);
    for seed in Sweep::from_env(4_000).seeds() {
        for by in [Acceptance::Edges, Acceptance::States] {
            let mut graph = match by {
                Acceptance::States => Explicit::random_buchi(seed),
                Acceptance::Edges => Explicit::random_tgba(seed),
            };
            let mut store = InPlace::new(Rows::new());
            let outcome = match by {
                Acceptance::States => gv::check(&mut graph, &mut store, SearchOptions::default()),
                Acceptance::Edges => dijkstra_tgba::check(
                    &mut graph,
                    &mut store,
                    SearchOptions::default(),
                    Roots::Plain,
                ),
            };
            let Emptiness::Found(lasso) = outcome.verdict else { continue };
            let mut store = Exact::new(Rows::new());
            let short = shorten(&mut graph, &mut store, &lasso, by, Budget::default()).unwrap();
            short.verify(&mut graph, by).unwrap();
            assert_eq!(length(&short), least(&graph, lasso.cycle.state(0)[0], by), "seed {seed}");
            total += 1;
            shorter += u64::from(length(&short) < length(&lasso));

            // Any budget gives a lasso that is no longer.
            for budget in [(0, 0), (1, 5), (3, 20), (1000, 0)] {
                let budget = Budget { states: budget.0, steps: budget.1 };
                let mut store = Exact::new(Rows::new());
                let short = shorten(&mut graph, &mut store, &lasso, by, budget).unwrap();
                short.verify(&mut graph, by).unwrap();
                assert!(length(&short) <= length(&lasso));
            }
        }
    }
    println!("{shorter} of {total} became shorter");
    assert!(shorter > 100);
}

/// With many marks the cycle is greedy: a run all the same, and no longer.
#[test]
fn many_marks() {
    let mut seen = 0;
    for seed in Sweep::from_env(2_000).seeds() {
        let mut graph = Explicit::random_tgba_with(seed, 40);
        let mut store = InPlace::new(Rows::new());
        let outcome =
            dijkstra_tgba::check(&mut graph, &mut store, SearchOptions::default(), Roots::Plain);
        let Emptiness::Found(lasso) = outcome.verdict else { continue };
        let mut store = Exact::new(Rows::new());
        let budget = Budget::default();
        let short = shorten(&mut graph, &mut store, &lasso, Acceptance::Edges, budget).unwrap();
        short.verify(&mut graph, Acceptance::Edges).unwrap();
        assert!(length(&short) <= length(&lasso));
        seen += 1;
    }
    assert!(seen > 100);
}

/// A run that is none is told so.
#[test]
fn a_wrong_lasso_is_refused() {
    let mut graph = Explicit::buchi(&[&[1], &[0]], &[]);
    let mut run = lariat_core::Run::new(1);
    run.push(&[0]);
    run.push(&[1]);
    let lasso = Lasso { prefix: lariat_core::Run::new(1), cycle: run };
    let mut store = Exact::new(Rows::new());
    let result = shorten(&mut graph, &mut store, &lasso, Acceptance::States, Budget::default());
    assert!(result.is_err());
}
