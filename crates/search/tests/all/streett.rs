//! Strong fairness against an oracle that guesses, for each pair, whether its request is
//! avoided or its answer seen.

use crate::support::{Explicit, Sweep, oracle};
use fastrand::Rng;
use lariat_core::{Emptiness, Marks, Word};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::streett::{Condition, check};
use lariat_store::Exact;

/// Marks 0 and 1 are wanted, 2 and 3 answers, 4 and 5 the requests, which belong to states.
fn random(seed: u64) -> (Explicit, Condition) {
    let mut graph = Explicit::random_tgba_with(seed, 6);
    let mut rng = Rng::with_seed(!seed);
    for out in &mut graph.edges {
        let requests = Marks(rng.u64(..4) << 4);
        out.iter_mut().for_each(|(_, marks)| *marks = Marks(marks.0 & 15) | requests);
    }
    let all = Marks(rng.u64(..4));
    (graph, Condition { all, pairs: vec![(4, 2), (5, 3)] })
}

fn has_fair_run(graph: &Explicit, condition: &Condition) -> bool {
    let edges: Vec<(Word, Word, Marks)> = (0..)
        .zip(&graph.edges)
        .flat_map(|(src, out)| out.iter().map(move |&(dst, marks)| (src, dst, marks)))
        .collect();
    let mut reachable: Vec<Word> = graph.initial.clone();
    let mut at = 0;
    while at < reachable.len() {
        for &(dst, _) in &graph.edges[reachable[at] as usize] {
            if !reachable.contains(&dst) {
                reachable.push(dst);
            }
        }
        at += 1;
    }
    (0..1u32 << condition.pairs.len()).any(|guess| {
        let (mut avoided, mut wanted) = (Marks::NONE, condition.all);
        for (i, &(request, answer)) in condition.pairs.iter().enumerate() {
            if guess >> i & 1 == 1 {
                avoided |= Marks::one(request);
            } else {
                wanted |= Marks::one(answer);
            }
        }
        let left: Vec<_> = edges
            .iter()
            .filter(|(_, _, marks)| marks.without(avoided) == *marks)
            .copied()
            .collect();
        oracle::components(graph.len(), &left).iter().any(|component| {
            let seen = component.states.iter().any(|state| reachable.contains(state));
            seen && component.cyclic && component.marks.contains(wanted)
        })
    })
}

#[test]
fn agrees_with_guessing() {
    let sweep = Sweep::from_env(3000);
    let (mut fair, mut none) = (0, 0);
    for seed in sweep.seeds() {
        let (mut graph, condition) = random(seed);
        let expected = has_fair_run(&graph, &condition);
        let store = &mut Exact::new(Vec::<[Word; 1]>::new());
        let outcome = check(&mut graph, store, SearchOptions::default(), &condition);
        match outcome.verdict {
            Emptiness::Found(lasso) => {
                assert!(expected, "seed {seed}: no fair run exists");
                let (marks, _) = lasso.replay(&mut graph).expect("the lasso is a run");
                assert!(condition.holds(marks), "seed {seed}: {marks:?} for {condition:?}");
                fair += 1;
            }
            Emptiness::Empty { .. } => {
                assert!(!expected, "seed {seed}: a fair run was missed");
                none += 1;
            }
            Emptiness::Inconclusive(reason) => panic!("seed {seed}: {reason:?}"),
        }
    }
    sweep.expect_each(10, &[fair, none]);
}
