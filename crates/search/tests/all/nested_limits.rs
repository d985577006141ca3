//! Searches that are cut short: a run that they report is one, and what they deny is open.

use crate::support::checks::{Check, Reach, Sd};
use crate::support::{Explicit, Sweep};
use lariat_core::lasso::Acceptance;
use lariat_core::{Emptiness, Limit};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::non_progress;
use lariat_store::Exact;

fn graph_for(check: Check, seed: u64) -> Explicit {
    match check {
        Sd | Reach => Explicit::random_weak(seed),
        _ => Explicit::random_buchi(seed),
    }
}

/// Whether a verdict was left open, which may be for this reason only; None if a run was found.
/// What was said is compared with the oracle.
fn is_cut(
    verdict: Emptiness,
    graph: &Explicit,
    expected: bool,
    check: Check,
    allowed: Limit,
    what: &str,
) -> Option<bool> {
    match verdict {
        Emptiness::Found(lasso) => {
            assert!(expected, "{what}: false alarm");
            lasso.verify(&mut graph.clone(), check.acceptance()).expect(what);
            None
        }
        Emptiness::Empty { .. } => {
            assert!(!expected, "{what}: missed");
            Some(false)
        }
        Emptiness::Inconclusive(reason) => {
            assert_eq!(reason, allowed, "{what}");
            Some(true)
        }
    }
}

/// With a depth limit a verdict is a true lasso, or "empty" when nothing was cut off, or
/// inconclusive. A limit that nothing reaches changes nothing.
#[test]
fn depth_limit() {
    let (mut cut, mut uncut) = (0, 0);
    let sweep = Sweep::from_env(5_000);
    for seed in sweep.seeds() {
        for check in Check::ALL {
            let graph = graph_for(check, seed);
            let expected = graph.accepting_by_states(&graph.reachable_edges());
            for (depth_limit, room) in [(0, 1), (1, 2), (2, 1), (3, usize::MAX), (13, 1)] {
                let outcome = check.run(&mut graph.clone(), SearchOptions { room, depth_limit });
                let what = format!("{check:?}, limit {depth_limit}, seed {seed}");
                match is_cut(outcome.verdict, &graph, expected, check, Limit::Depth, &what) {
                    Some(true) => {
                        assert!(depth_limit < 13, "{what}: there are 12 states at most");
                        cut += 1;
                    }
                    Some(false) => uncut += 1,
                    None => {}
                }
            }
        }
    }
    sweep.expect_each(1, &[cut, uncut]);
}

/// After an interruption no search, nested or not, asks for another successor.
#[test]
fn interruption_ends_all_searches_at_once() {
    let mut interrupted = 0;
    let sweep = Sweep::from_env(5_000);
    for seed in sweep.seeds() {
        for check in Check::ALL {
            for patience in [0, 1, 2, 5, 9, 14] {
                for room in [1, usize::MAX] {
                    let mut graph = graph_for(check, seed);
                    graph.patience = Some(patience);
                    let outcome =
                        check.run(&mut graph, SearchOptions { room, ..SearchOptions::default() });
                    let what = format!("{check:?}, patience {patience}, seed {seed}");
                    match outcome.verdict {
                        Emptiness::Inconclusive(reason) => {
                            assert_eq!(reason, Limit::Interrupted, "{what}");
                            assert_eq!(graph.expand_calls, patience + 1, "{what}");
                            interrupted += 1;
                        }
                        Emptiness::Found(lasso) => {
                            graph.patience = None;
                            lasso.verify(&mut graph, check.acceptance()).expect(&what);
                        }
                        Emptiness::Empty { .. } => {
                            assert!(graph.expand_calls <= patience, "{what}");
                            assert!(!graph.accepting_by_states(&graph.reachable_edges()));
                        }
                    }
                }
            }
        }
    }
    sweep.expect_each(1, &[interrupted]);
}

/// A store that is full ends all searches: a verdict is true, or the reason is the memory.
#[test]
fn full_stores_end_all_searches() {
    let (mut full, mut roomy) = (0, 0);
    let sweep = Sweep::from_env(5_000);
    for seed in sweep.seeds() {
        for check in Check::ALL {
            let graph = graph_for(check, seed);
            let expected = graph.accepting_by_states(&graph.reachable_edges());
            for (most, room) in [(1, 1), (2, usize::MAX), (4, 1), (7, usize::MAX), (40, 1)] {
                let options = SearchOptions { room, ..SearchOptions::default() };
                let outcome = check.run_in(most, &mut graph.clone(), options);
                let what = format!("{check:?}, {most} states, seed {seed}");
                match is_cut(outcome.verdict, &graph, expected, check, Limit::Memory, &what) {
                    Some(true) => {
                        assert!(most < 40, "{what}: there are 12 states at most");
                        full += 1;
                    }
                    Some(false) => roomy += 1,
                    None => {}
                }
            }
        }
    }
    sweep.expect_each(1, &[full, roomy]);
}

/// Both at once: an interruption says more, since nothing at all was looked at after it.
#[test]
fn interruption_counts_before_the_depth_limit() {
    let mut graph = Explicit::buchi(&[&[1, 1], &[0]], &[0]);
    graph.patience = Some(2);
    // The first search is cut at state 1; the second one, from 0, is interrupted.
    let options = SearchOptions { room: 1, depth_limit: 1 };
    let verdict = Check::Hpy.run(&mut graph, options).verdict;
    assert!(matches!(verdict, Emptiness::Inconclusive(Limit::Interrupted)), "{verdict:?}");
}

/// The same for non-progress cycles, where every state is idle.
#[test]
fn non_progress_cut_short() {
    let mut inconclusive = 0;
    let sweep = Sweep::from_env(5_000);
    for seed in sweep.seeds() {
        for (depth_limit, patience) in [(0, 99), (1, 99), (2, 99), (99, 0), (99, 1), (99, 7)] {
            let mut graph = Explicit::random_buchi(seed);
            graph.mark_count = 0;
            graph.patience = Some(patience);
            let options = SearchOptions { room: 1, depth_limit };
            let mut store = Exact::new(Vec::<[u32; 1]>::new());
            let outcome = non_progress::check(&mut graph, |_, _| false, &mut store, options);
            graph.patience = None;
            match outcome.verdict {
                Emptiness::Found(lasso) => {
                    lasso.verify(&mut graph, Acceptance::Edges).unwrap();
                }
                Emptiness::Empty { .. } => {
                    assert!(!graph.accepting_by_edges(&graph.reachable_edges()), "seed {seed}");
                }
                Emptiness::Inconclusive(_) => {
                    inconclusive += 1;
                    assert!(graph.expand_calls <= patience + 1, "seed {seed}");
                }
            }
        }
    }
    sweep.expect_each(5, &[inconclusive]);
}
