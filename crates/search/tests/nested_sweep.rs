//! Every nested check against the oracle on random graphs.

mod support;

use lariat_core::Verdict;
use lariat_core::lasso::Acceptance;
use lariat_search::dfs::Options;
use lariat_search::emptiness::nested::se;
use lariat_store::Exact;
use support::{Explicit, Sweep};

#[test]
fn se_agrees_with_the_oracle() {
    let (mut accepting, mut empty) = (0, 0);
    for seed in Sweep::from_env(20_000).seeds() {
        let graph = Explicit::random_buchi(seed);
        let expected = graph.accepting_by_states(&graph.reachable_edges());
        for room in [1, 2, usize::MAX] {
            let mut graph = graph.clone();
            let mut store = Exact::new(Vec::<[u32; 1]>::new());
            let outcome = se::check(&mut graph, &mut store, Options { room, ..Options::default() });
            match outcome.verdict {
                Verdict::Accepting(lasso) => {
                    assert!(expected, "false alarm, seed {seed}");
                    lasso.verify(&mut graph, Acceptance::States).unwrap();
                }
                Verdict::Empty => assert!(!expected, "missed, seed {seed}"),
                Verdict::Inconclusive(reason) => panic!("{reason:?}, seed {seed}"),
            }
        }
        if expected { accepting += 1 } else { empty += 1 }
    }
    println!("{accepting} accepting, {empty} empty");
    assert!(accepting > 1000 && empty > 1000);
}
