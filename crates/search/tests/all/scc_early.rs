//! Early detection (SE §4.3): all but Tarjan's stop at exactly the edge that first closes an
//! accepting cycle in the explored part. Asked of the oracle before and after the last edge.

use crate::scc_variants::variants;
use crate::support::{Explicit, Sweep};
use lariat_core::{Acceptance, Emptiness};
use lariat_search::dfs::SearchOptions;

#[test]
fn stops_at_the_first_edge_that_closes_an_accepting_cycle() {
    let variants = variants::<Explicit>();
    let (mut found, mut late) = (0, 0);
    for seed in Sweep::from_env(5_000).seeds() {
        let (buchi, tgba) = (Explicit::random_buchi(seed), Explicit::random_tgba(seed));
        for variant in &variants {
            let graph = match variant.by {
                Acceptance::States => &buchi,
                Acceptance::Edges => &tgba,
            };
            let mut walked = graph.clone();
            let outcome =
                (variant.run)(&mut walked, SearchOptions { room: 1, ..SearchOptions::default() });
            let Emptiness::Found(_) = outcome.verdict else { continue };
            found += 1;
            // With room 1 an edge is generated when it is looked at.
            let last = outcome.stats.transitions as usize;
            let accepting = |edges: usize| match variant.by {
                Acceptance::States => graph.accepting_by_states(&walked.log[..edges]),
                Acceptance::Edges => graph.accepting_by_edges(&walked.log[..edges]),
            };
            let name = format!("{} on {}, seed {seed}", variant.check, variant.store);
            assert!(accepting(last), "what is reported was seen: {name}");
            if variant.early {
                assert!(!accepting(last - 1), "reported at once: {name}");
            } else {
                late += u64::from(accepting(last - 1));
            }
        }
    }
    println!("{found} found; Tarjan's late {late}");
    assert!(found > 10_000 && late > 1_000);
}

/// The same states and edges in the same order: the searches that stop early agree on all
/// that they count, whatever the store (RDKP Table 2).
#[test]
fn early_checks_agree_on_what_they_explored() {
    let variants = variants::<Explicit>();
    for seed in Sweep::from_env(2_000).seeds() {
        for by in [Acceptance::States, Acceptance::Edges] {
            let graph = match by {
                Acceptance::States => Explicit::random_buchi(seed),
                Acceptance::Edges => Explicit::random_tgba(seed),
            };
            let mut first = None;
            let alike = variants.iter().filter(|variant| {
                use crate::scc_variants::Dead::{Bits, Cache};
                variant.by == by && variant.early && ![Bits, Cache].contains(&variant.dead)
            });
            for variant in alike {
                let stats = (variant.run)(&mut graph.clone(), SearchOptions::default()).stats;
                let mut counts = [stats.states, stats.transitions, stats.sccs];
                if variant.check.starts_with("c99") {
                    // It walks the edges of removed components twice.
                    counts[1] = first.map_or(0, |[_, transitions, _]: [u64; 3]| transitions);
                }
                assert_eq!(*first.get_or_insert(counts), counts, "{}", variant.check);
            }
        }
    }
}
