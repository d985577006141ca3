//! How early a run is found, in transitions, on the same order of successors.

use crate::support::checks::{And, Check, Cvwy, Gmz, Hpy, Sd, Se};
use crate::support::{Explicit, Sweep};
use lariat_core::Emptiness;
use lariat_search::dfs::SearchOptions;

/// One successor at a time, so that what is generated is what has been looked at.
const ON_THE_FLY: SearchOptions = SearchOptions { room: 1, depth_limit: usize::MAX };

fn found(verdict: &Emptiness) -> bool {
    matches!(verdict, Emptiness::Found(_))
}

/// SE §5.1: on weak automata an accepting run is reported as soon as all its transitions have
/// been explored. The oracle looks at what was explored after every single transition.
#[test]
fn minimal_exploration_on_weak_graphs() {
    let mut runs = 0;
    let sweep = Sweep::from_env(20_000);
    for seed in sweep.seeds() {
        for check in [Sd, Se, And] {
            let mut graph = Explicit::random_weak(seed);
            let outcome = check.run(&mut graph, ON_THE_FLY);
            let mut explored = graph.log.as_slice();
            if found(&outcome.verdict) {
                runs += 1;
                assert!(graph.accepting_by_states(explored), "{check:?}, seed {seed}");
                explored = &explored[..explored.len() - 1];
            }
            for end in 0..=explored.len() {
                let closed = graph.accepting_by_states(&explored[..end]);
                assert!(!closed, "{check:?}: late after {end} transitions, seed {seed}");
            }
        }
    }
    sweep.expect_each(5, &[runs]);
}

/// One expansion a state is all that simple DFS asks for (GS §3).
#[test]
fn simple_dfs_expands_each_state_once() {
    let sweep = Sweep::from_env(20_000);
    for seed in sweep.seeds() {
        let mut graph = Explicit::random_weak(seed);
        let stats = Sd.run(&mut graph, ON_THE_FLY).stats;
        assert!(stats.expansions <= stats.states, "seed {seed}");
        assert_eq!(stats.expansions, graph.calls, "seed {seed}");
    }
}

/// AND is never later than SE, SE never later than HPY or GMZ, HPY never later than CVWY: in
/// transitions, in expansions, and in states.
#[test]
fn the_order_of_the_nested_checks() {
    let pairs = [(And, Se), (Se, Hpy), (Se, Gmz), (Hpy, Cvwy)];
    let mut earlier = [0; 4];
    let sweep = Sweep::from_env(20_000);
    for seed in sweep.seeds() {
        let run = |check: Check| check.run(&mut Explicit::random_buchi(seed), ON_THE_FLY).stats;
        for (i, &(fast, slow)) in pairs.iter().enumerate() {
            let (a, b) = (run(fast), run(slow));
            assert!(
                a.transitions <= b.transitions && a.expansions <= b.expansions,
                "{fast:?} after {slow:?}, seed {seed}"
            );
            assert!(a.states <= b.states, "{fast:?} sees more than {slow:?}, seed {seed}");
            // No state and no edge is considered more than twice. GMZ looks once more whether all
            // successors are black.
            let edges = Explicit::random_buchi(seed).reachable_edges().len() as u64;
            let is_twice = b.transitions <= 2 * edges && b.expansions <= 2 * b.states;
            assert!(slow == Gmz || is_twice, "{slow:?}, seed {seed}");
            earlier[i] += u64::from(a.transitions < b.transitions);
        }
    }
    // Strictly earlier.
    sweep.expect_each(50, &earlier);
}

/// SE, Table 1: where no cycle goes through the second search, GMZ looks at every transition
/// exactly twice. Here: on graphs without any cycle.
#[test]
fn gmz_looks_twice_at_every_transition() {
    let mut acyclic = 0;
    let sweep = Sweep::from_env(20_000);
    for seed in sweep.seeds() {
        let mut graph = Explicit::random_buchi(seed);
        let edges = graph.reachable_edges().len() as u64;
        if graph.components().iter().all(|component| !component.cyclic) {
            acyclic += 1;
            assert_eq!(Gmz.run(&mut graph, ON_THE_FLY).stats.transitions, 2 * edges);
        }
    }
    sweep.expect_each(20, &[acyclic]);
}
