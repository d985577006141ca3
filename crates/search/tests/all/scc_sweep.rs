//! Every search by component × store × switch × room against the oracle on random graphs.
//!
//! More graphs: `LARIAT_SWEEP_COUNT=100000 LARIAT_SEED=7 cargo test -p lariat-search --test all scc_sweep`.

use crate::scc_variants::{Dead, Variant, variants};
use crate::support::{Explicit, Sweep};
use lariat_core::{Acceptance, Emptiness, Limit, Outcome};
use lariat_search::dfs::SearchOptions;

/// What the oracle says.
struct Truth {
    accepting: bool,
    states: u64,
    edges: u64,
    components: u64,
}

impl Truth {
    fn of(graph: &Explicit, by: Acceptance) -> Self {
        let (reachable, edges) = (graph.reachable(), graph.reachable_edges());
        let is_reached = |c: &&crate::support::oracle::Component| {
            c.states.iter().any(|&s| reachable[s as usize])
        };
        Truth {
            accepting: match by {
                Acceptance::States => graph.accepting_by_states(&edges),
                Acceptance::Edges => graph.accepting_by_edges(&edges),
            },
            states: reachable.iter().filter(|&&reached| reached).count() as u64,
            edges: edges.len() as u64,
            components: graph.components().iter().filter(is_reached).count() as u64,
        }
    }
}

fn compare(variant: &Variant<Explicit>, graph: &mut Explicit, truth: &Truth, outcome: &Outcome) {
    let Outcome { verdict, stats } = outcome;
    match verdict {
        Emptiness::Found(lasso) => {
            assert!(truth.accepting, "false alarm");
            lasso.verify(graph, variant.by).unwrap();
        }
        Emptiness::Empty { .. } => {
            assert!(!truth.accepting, "missed");
            assert_ne!(variant.dead, Dead::Bits, "a lossy store proves nothing");
            if variant.dead != Dead::Cache {
                // Couvreur's removal walks each edge once more.
                let walks = if variant.check.starts_with("c99") { 2 } else { 1 };
                assert_eq!(stats.states, truth.states);
                assert_eq!(stats.transitions, walks * truth.edges);
                assert_eq!(stats.expansions, walks * truth.states);
                assert_eq!(stats.sccs, truth.components);
            }
        }
        Emptiness::Inconclusive(reason) => {
            assert_eq!((*reason, variant.dead), (Limit::Lossy, Dead::Bits));
        }
    }
}

fn sweep(by: Acceptance, random: fn(u64) -> Explicit) {
    let variants: Vec<_> = variants::<Explicit>().into_iter().filter(|v| v.by == by).collect();
    let (mut accepting, mut empty, mut missed_by_bits) = (0, 0, 0);
    for seed in Sweep::from_env(20_000).seeds() {
        let graph = random(seed);
        let truth = Truth::of(&graph, by);
        for variant in &variants {
            for room in [1, 2, usize::MAX] {
                let mut graph = graph.clone();
                let outcome =
                    (variant.run)(&mut graph, SearchOptions { room, ..SearchOptions::default() });
                missed_by_bits += u64::from(
                    truth.accepting && matches!(outcome.verdict, Emptiness::Inconclusive(_)),
                );
                let compared = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    compare(variant, &mut graph, &truth, &outcome);
                }));
                assert!(
                    compared.is_ok(),
                    "{} on {}, room {room}, seed {seed}: {graph:?}",
                    variant.check,
                    variant.store
                );
            }
        }
        if truth.accepting { accepting += 1 } else { empty += 1 }
    }
    println!(
        "{} variants; {accepting} accepting, {empty} empty; bits missed {missed_by_bits}",
        variants.len()
    );
    assert!(accepting * 5 > empty && empty * 5 > accepting, "both answers are common");
    assert!(missed_by_bits > 0, "the bit arrays are small enough to collide");
}

#[test]
fn by_states() {
    sweep(Acceptance::States, Explicit::random_buchi);
}

#[test]
fn by_edges() {
    sweep(Acceptance::Edges, Explicit::random_tgba);
}

/// 64 marks fill the bit set to its last bit.
#[test]
fn many_marks() {
    let variants: Vec<_> =
        variants::<Explicit>().into_iter().filter(|v| v.by == Acceptance::Edges).collect();
    let mut accepting = 0;
    for (seed, marks) in Sweep::from_env(300).seeds().zip([63, 64, 40].into_iter().cycle()) {
        let graph = Explicit::random_tgba_with(seed, marks);
        let truth = Truth::of(&graph, Acceptance::Edges);
        accepting += u64::from(truth.accepting);
        for variant in &variants {
            let mut graph = graph.clone();
            let outcome = (variant.run)(&mut graph, SearchOptions::default());
            compare(variant, &mut graph, &truth, &outcome);
        }
    }
    assert!(accepting > 0);
}

/// A search that was cut never says empty when it is not, and its lassos are runs.
#[test]
fn cut_searches() {
    let mut found = 0;
    for seed in Sweep::from_env(3_000).seeds() {
        for variant in &variants::<Explicit>() {
            let graph = match variant.by {
                Acceptance::States => Explicit::random_buchi(seed),
                Acceptance::Edges => Explicit::random_tgba(seed),
            };
            let truth = Truth::of(&graph, variant.by);
            let limits = [(3, None), (usize::MAX, Some(4))];
            for (depth_limit, patience) in limits {
                let mut graph = graph.clone();
                graph.patience = patience;
                let outcome = (variant.run)(&mut graph, SearchOptions { depth_limit, room: 2 });
                graph.patience = None;
                match outcome.verdict {
                    Emptiness::Found(lasso) => {
                        found += 1;
                        assert!(truth.accepting);
                        lasso.verify(&mut graph, variant.by).unwrap();
                    }
                    Emptiness::Empty { .. } => {
                        assert!(!truth.accepting, "{} {}, {seed}", variant.check, variant.store);
                    }
                    Emptiness::Inconclusive(_) => {}
                }
            }
        }
    }
    assert!(found > 0);
}
