//! Every nested check, on every store that it takes, against the oracle on random graphs.
//! `LARIAT_SWEEP_COUNT` and `LARIAT_SEED` set how many and which.

use crate::support::{Explicit, Sweep, chance};
use fastrand::Rng;
use lariat_core::lasso::Acceptance;
use lariat_core::{BitTag, Emptiness, Limit, Outcome};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::nested::{and, cvwy, gmz, hpy, se, tauriainen};
use lariat_search::emptiness::{non_progress, terminal, weak};
use lariat_store::{Bitstate, BitstateOptions, Cache, Exact};

type Rows = Vec<[u32; 1]>;

fn exact<T: Copy + Default>() -> Exact<T, Rows> {
    Exact::new(Vec::new())
}

/// `2^log_bits` bits: with 6 nearly everything collides.
fn bitstate<T: BitTag>(log_bits: u32, seed: u64) -> Bitstate<T, Rows> {
    Bitstate::new(Vec::new(), BitstateOptions { log_bits, functions: 1 + log_bits % 3, seed })
}

/// A table of four: nearly everything is forgotten.
fn cache<T: Copy>(room: usize) -> Cache<T, Rows> {
    Cache::new(Vec::new(), room)
}

/// A random case: the graph, the truth about it, and what a report must satisfy.
struct Case {
    graph: Explicit,
    seed: u64,
    expected: bool,
    by: Acceptance,
}

impl Case {
    fn by_states(graph: Explicit, seed: u64) -> Self {
        let expected = graph.accepting_by_states(&graph.reachable_edges());
        Case { graph, seed, expected, by: Acceptance::States }
    }

    fn by_edges(graph: Explicit, seed: u64) -> Self {
        let expected = graph.accepting_by_edges(&graph.reachable_edges());
        Case { graph, seed, expected, by: Acceptance::Edges }
    }

    /// Runs a check with every room; what it reports must be true, and what it denies too
    /// unless the store is lossy.
    fn judge(
        &self,
        name: &str,
        lossy: bool,
        check: impl Fn(&mut Explicit, SearchOptions) -> Outcome,
    ) {
        for room in [1, 2, usize::MAX] {
            let mut graph = self.graph.clone();
            let outcome = check(&mut graph, SearchOptions { room, ..SearchOptions::default() });
            self.judge_one(&format!("{name}, room {room}"), lossy, outcome);
        }
    }

    fn judge_one(&self, name: &str, lossy: bool, outcome: Outcome) {
        let seed = self.seed;
        match outcome.verdict {
            Emptiness::Found(lasso) => {
                assert!(self.expected, "{name}: false alarm, seed {seed}");
                if let Err(error) = lasso.verify(&mut self.graph.clone(), self.by) {
                    panic!("{name}: {error}, seed {seed}: {lasso:?}");
                }
            }
            Emptiness::Empty { .. } => {
                assert!(!lossy, "{name}: a lossy store proves nothing, seed {seed}");
                assert!(!self.expected, "{name}: missed, seed {seed}");
            }
            Emptiness::Inconclusive(reason) => {
                assert!(lossy && reason == Limit::Lossy, "{name}: {reason:?}, seed {seed}");
            }
        }
    }
}

/// `$name($check)` on the exact store and on bit-state stores, full and roomy.
macro_rules! remembering {
    ($case:expr, $name:literal, $check:path) => {
        let seed = $case.seed;
        $case.judge(concat!($name, ", exact"), false, |graph, options| {
            $check(graph, &mut exact(), options)
        });
        $case.judge(concat!($name, ", full bit-state"), true, |graph, options| {
            $check(graph, &mut bitstate(6, seed), options)
        });
        $case.judge(concat!($name, ", bit-state"), true, |graph, options| {
            $check(graph, &mut bitstate(12, seed), options)
        });
    };
}

/// The same and the cache, small and roomy.
macro_rules! all_stores {
    ($case:expr, $name:literal, $check:path) => {
        remembering!($case, $name, $check);
        $case.judge(concat!($name, ", small cache"), false, |graph, options| {
            $check(graph, &mut cache(1), options)
        });
        $case.judge(concat!($name, ", cache"), false, |graph, options| {
            $check(graph, &mut cache(64), options)
        });
    };
}

#[test]
fn on_buchi_graphs() {
    let (sweep, mut accepting) = (Sweep::from_env(20_000), 0);
    for seed in sweep.seeds() {
        let case = Case::by_states(Explicit::random_buchi(seed), seed);
        remembering!(case, "se", se::check);
        remembering!(case, "and", and::check);
        all_stores!(case, "cvwy", cvwy::check);
        all_stores!(case, "hpy", hpy::check);
        all_stores!(case, "gmz", gmz::check);
        case.judge("tauriainen", false, |graph, options| {
            tauriainen::check(graph, &mut exact(), options)
        });
        accepting += u64::from(case.expected);
    }
    sweep.expect_each(10, &[accepting, sweep.count - accepting]);
}

#[test]
fn on_weak_graphs() {
    let (sweep, mut accepting) = (Sweep::from_env(20_000), 0);
    for seed in sweep.seeds() {
        let case = Case::by_states(Explicit::random_weak(seed), seed);
        all_stores!(case, "sd", weak::check);
        // Dead ends and ways out of the accepting part must not mislead it.
        all_stores!(case, "reach", terminal::check);
        remembering!(case, "se", se::check);
        remembering!(case, "and", and::check);
        all_stores!(case, "hpy", hpy::check);
        accepting += u64::from(case.expected);
    }
    sweep.expect_each(10, &[accepting, sweep.count - accepting]);
}

#[test]
fn on_terminal_graphs() {
    let (sweep, mut accepting) = (Sweep::from_env(20_000), 0);
    for seed in sweep.seeds() {
        let case = Case::by_states(Explicit::random_terminal(seed), seed);
        all_stores!(case, "reach", terminal::check);
        all_stores!(case, "sd", weak::check);
        accepting += u64::from(case.expected);
    }
    sweep.expect_each(10, &[accepting, sweep.count - accepting]);
}

#[test]
fn on_marks() {
    let (sweep, mut accepting) = (Sweep::from_env(40_000), 0);
    for seed in sweep.seeds() {
        let case = Case::by_edges(Explicit::random_tgba(seed), seed);
        case.judge("tauriainen", false, |graph, options| {
            tauriainen::check(graph, &mut exact(), options)
        });
        accepting += u64::from(case.expected);
    }
    sweep.expect_each(10, &[accepting, sweep.count - accepting]);
}

/// Up to 64 marks, on strongly marked graphs so that some are accepting.
#[test]
fn on_many_marks() {
    for seed in Sweep::from_env(5_000).seeds() {
        for mark_count in [0, 1, 7, 31, 32, 63, 64] {
            let case = Case::by_edges(Explicit::random_tgba_with(seed, mark_count), seed);
            case.judge("tauriainen", false, |graph, options| {
                let edges = graph.edge_count() as u64;
                let outcome = tauriainen::check(graph, &mut exact(), options);
                // SE §5.2: at most n + 1 traversals.
                let traversals = u64::from(mark_count.max(1)) + 1;
                assert!(outcome.stats.transitions <= edges * traversals, "seed {seed}");
                outcome
            });
        }
    }
}

/// Lassos of non-progress cycles: runs of the graph, with no progress state on the cycle.
#[test]
fn non_progress_cycles() {
    let (sweep, mut found) = (Sweep::from_env(20_000), 0);
    for seed in sweep.seeds() {
        let graph = Explicit::random_buchi(seed);
        let mut rng = Rng::with_seed(seed);
        let progress: Vec<_> = graph.edges.iter().map(|_| chance(&mut rng, 40)).collect();
        let expected = graph.non_progress(&graph.reachable_edges(), &progress);
        found += u64::from(expected);
        let by_progress = |_: &Explicit, &[state]: &[u32; 1]| progress[state as usize];
        for room in [1, 2, usize::MAX] {
            let options = SearchOptions { room, ..SearchOptions::default() };
            let judge = |name: &str, lossy: bool, outcome: Outcome| match outcome.verdict {
                Emptiness::Found(lasso) => {
                    assert!(expected, "{name}: false alarm, seed {seed}");
                    // Without marks every cycle is accepting: only the steps are replayed.
                    let mut plain = Explicit { mark_count: 0, ..graph.clone() };
                    lasso.verify(&mut plain, Acceptance::Edges).unwrap();
                    let idle = lasso.cycle.iter().all(|state| !progress[state[0] as usize]);
                    assert!(idle, "{name}: progress on the cycle, seed {seed}");
                }
                Emptiness::Empty { .. } => {
                    assert!(!expected && !lossy, "{name}: missed, seed {seed}")
                }
                Emptiness::Inconclusive(reason) => {
                    assert!(lossy && reason == Limit::Lossy, "{name}: {reason:?}, seed {seed}");
                }
            };
            macro_rules! on {
                ($name:literal, $lossy:literal, $store:expr) => {
                    let mut graph = graph.clone();
                    let store = &mut $store;
                    let outcome = non_progress::check(&mut graph, by_progress, store, options);
                    judge($name, $lossy, outcome);
                };
            }
            on!("exact", false, exact());
            on!("full bit-state", true, bitstate(6, seed));
            on!("bit-state", true, bitstate(12, seed));
            on!("small cache", false, cache(1));
            on!("cache", false, cache(64));
        }
    }
    sweep.expect_each(10, &[found, sweep.count - found]);
}
