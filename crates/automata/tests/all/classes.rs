//! Classification, degeneralisation and graph views of random automata against brute force.

use crate::common::{is_terminal_by_states, is_weak_by_states, tgba};
use lariat_automata::classify::{classify, to_weak_buchi};
use lariat_automata::{ExplicitGraph, Sccs, StateId, Tgba, compile, degeneralise};
use lariat_core::{Automaton, Batch, Cursor, DONE, Graph, Marks, Successors};

fn satisfiable(tgba: &Tgba) -> Vec<(StateId, Marks, StateId)> {
    let letters = |label: &lariat_automata::Label| (0..4).any(|letter| label.holds_in(letter));
    let mut all = Vec::new();
    for (source, edges) in tgba.edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| letters(&edge.label)) {
            all.push((source as StateId, edge.marks, edge.target));
        }
    }
    all
}

/// `reach[s][t]`: t is reachable from s in at least one step (Warshall).
fn reachability(states: usize, edges: &[(StateId, Marks, StateId)]) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; states]; states];
    for edge in edges {
        reach[edge.0 as usize][edge.2 as usize] = true;
    }
    for via in 0..states {
        for s in 0..states {
            for t in 0..states {
                reach[s][t] |= reach[s][via] && reach[via][t];
            }
        }
    }
    reach
}

struct Brute {
    reachable: Vec<bool>,
    reach: Vec<Vec<bool>>,
    edges: Vec<(StateId, Marks, StateId)>,
}

impl Brute {
    fn new(tgba: &Tgba) -> Self {
        let edges = satisfiable(tgba);
        let reach = reachability(tgba.state_count(), &edges);
        let from_initial =
            |s: usize| tgba.initial.iter().any(|&i| i as usize == s || reach[i as usize][s]);
        let reachable = (0..tgba.state_count()).map(from_initial).collect();
        Brute { reachable, reach, edges }
    }

    fn together(&self, s: StateId, t: StateId) -> bool {
        s == t || self.reach[s as usize][t as usize] && self.reach[t as usize][s as usize]
    }

    /// Which kinds of cycles the component of `state` has: all sets of edges that one closed
    /// walk can use, tried one by one.
    fn cycles(&self, tgba: &Tgba, state: StateId) -> (bool, bool) {
        let inner: Vec<_> = self
            .edges
            .iter()
            .filter(|edge| self.together(state, edge.0) && self.together(state, edge.2))
            .copied()
            .collect();
        let (mut accepting, mut rejecting) = (false, false);
        for subset in 1u32..1 << inner.len() {
            let chosen: Vec<_> =
                (0..inner.len()).filter(|i| subset >> i & 1 == 1).map(|i| inner[i]).collect();
            let reach = reachability(tgba.state_count(), &chosen);
            let first = chosen[0].0 as usize;
            let closed = chosen
                .iter()
                .all(|&(s, _, t)| reach[first][s as usize] && reach[t as usize][first]);
            if closed {
                let marks = chosen.iter().fold(Marks::NONE, |marks, edge| marks | edge.1);
                let all = marks.contains(Marks::all(tgba.mark_count));
                accepting |= all;
                rejecting |= !all;
            }
        }
        (accepting, rejecting)
    }
}

#[test]
fn classes_agree_with_brute_force() {
    let mut counts = [0; 5];
    for seed in 0..3000 {
        let tgba = tgba(seed, 5, 9, 3);
        let brute = Brute::new(&tgba);
        let classes = classify(&tgba);
        let (mut inherently_weak, mut weak, mut very_weak, mut terminal) = (true, true, true, true);
        for s in 0..tgba.state_count() as StateId {
            assert_eq!(classes.sccs.of(s).is_some(), brute.reachable[s as usize], "seed {seed}");
            if !brute.reachable[s as usize] {
                continue;
            }
            for t in 0..tgba.state_count() as StateId {
                let same = classes.sccs.of(t) == classes.sccs.of(s);
                assert_eq!(same, brute.together(s, t), "seed {seed}");
            }
            let class = classes.per_scc[classes.sccs.of(s).unwrap() as usize];
            let (accepting, rejecting) = brute.cycles(&tgba, s);
            assert_eq!(class.accepting, accepting, "seed {seed}");
            assert_eq!(class.trivial, !accepting && !rejecting, "seed {seed}");
            assert_eq!(class.inherently_weak, !(accepting && rejecting), "seed {seed}");
            inherently_weak &= class.inherently_weak;
            let inner: Vec<_> = brute
                .edges
                .iter()
                .filter(|edge| brute.together(s, edge.0) && brute.together(s, edge.2))
                .collect();
            weak &= inner.windows(2).all(|pair| pair[0].1 == pair[1].1);
            very_weak &= inner.iter().all(|edge| edge.0 == edge.2);
            let all_letters = (0..4).all(|letter| {
                tgba.edges[s as usize].iter().any(|edge| edge.label.holds_in(letter))
            });
            let stays =
                brute.edges.iter().filter(|edge| edge.0 == s).all(|e| brute.together(s, e.2));
            terminal &= !accepting || all_letters && stays;
        }
        assert_eq!(classes.inherently_weak, inherently_weak, "seed {seed}");
        assert_eq!(classes.weak, weak, "seed {seed}");
        assert_eq!(classes.very_weak, weak && very_weak, "seed {seed}");
        assert_eq!(classes.terminal, weak && terminal, "seed {seed}");
        let taken = |edges: &[lariat_automata::Edge], letter| {
            edges.iter().filter(|edge| edge.label.holds_in(letter)).count()
        };
        let every = |allowed: fn(usize) -> bool| {
            tgba.edges.iter().all(|edges| (0..4).all(|letter| allowed(taken(edges, letter))))
        };
        assert_eq!(
            classes.deterministic,
            tgba.initial.len() == 1 && every(|n| n <= 1),
            "seed {seed}"
        );
        assert_eq!(classes.complete, every(|n| n >= 1), "seed {seed}");
        let flags =
            [inherently_weak, weak, classes.terminal, classes.deterministic, classes.complete];
        flags.iter().zip(&mut counts).for_each(|(flag, count)| *count += usize::from(*flag));
    }
    // The sample must not be one-sided.
    assert!(counts.iter().all(|&count| count > 10 && count < 2990), "{counts:?}");
}

/// Whether both accept the same of many short words.
fn compare(seed: u64, one: &Tgba, other: &Tgba) {
    let mut random = fastrand::Rng::with_seed(seed ^ 0xabcdef);
    for _ in 0..60 {
        let (stem, round) = (random.u64(..4), 1 + random.u64(..4));
        let prefix: Vec<u64> = (0..stem).map(|_| random.u64(..4)).collect();
        let cycle: Vec<u64> = (0..round).map(|_| random.u64(..4)).collect();
        assert_eq!(
            one.accepts_lasso(&prefix, &cycle),
            other.accepts_lasso(&prefix, &cycle),
            "seed {seed}, {prefix:?} {cycle:?}\n{one:?}\n{other:?}"
        );
    }
    assert_eq!(one.is_empty(), other.is_empty(), "seed {seed}");
}

#[test]
fn degeneralisation_keeps_the_language() {
    let mut accepted = 0;
    for seed in 0..2000 {
        let tgba = tgba(seed, 6, 16, 4);
        accepted += usize::from(!tgba.is_empty());
        let (result, origins) = degeneralise(&tgba);
        assert_eq!(result.mark_count, 1);
        assert!(result.is_state_based(), "seed {seed}");
        compare(seed, &tgba, &result);
        let most = tgba.state_count() * (tgba.mark_count as usize + 1);
        assert!(result.state_count() <= most, "seed {seed}");
        for (copy, edges) in result.edges.iter().enumerate() {
            let of = &tgba.edges[origins[copy] as usize];
            let is_copy = |edge: &lariat_automata::Edge| {
                let target = origins[edge.target as usize];
                of.iter().any(|of| (of.target, &of.label) == (target, &edge.label))
            };
            assert!(edges.iter().all(is_copy), "seed {seed}");
        }
    }
    assert!(accepted > 250 && accepted < 1900, "{accepted}");
}

#[test]
fn weak_automata_become_weak_by_states() {
    let (mut weak, mut terminal) = (0, 0);
    for seed in 0..3000 {
        let tgba = tgba(seed, 5, 9, 2);
        let classes = classify(&tgba);
        let result = to_weak_buchi(&tgba);
        assert_eq!(result.is_some(), classes.inherently_weak, "seed {seed}");
        let Some(result) = result else { continue };
        weak += 1;
        compare(seed, &tgba, &result);
        assert!(is_weak_by_states(&result), "seed {seed}");
        if classes.terminal {
            terminal += usize::from(!tgba.is_empty());
            assert!(is_terminal_by_states(&result), "seed {seed}");
        }
    }
    assert!(weak > 500 && terminal > 10, "{weak} {terminal}");
}

/// What simple DFS and reachability take for granted, spelled out.
#[test]
fn classes_by_states_mean_what_the_checks_need() {
    let (mut weak, mut terminal) = (0, 0);
    for seed in 0..10000 {
        let tgba = tgba(seed, 4, 8, 1);
        let graph = ExplicitGraph::new(&tgba);
        let sccs = Sccs::new(&tgba);
        let accepting = |state: StateId| graph.accepting(&[state]);
        if is_weak_by_states(&tgba) {
            weak += 1;
            let cycle_with_accepting = (0..sccs.len() as u32).any(|scc| {
                !sccs.is_trivial(&tgba, scc)
                    && sccs.members[scc as usize].iter().any(|&state| accepting(state))
            });
            assert_eq!(cycle_with_accepting, !tgba.is_empty(), "seed {seed}");
        }
        if is_terminal_by_states(&tgba) {
            let reached = sccs.members.iter().flatten().find(|state| accepting(**state));
            terminal += usize::from(reached.is_some());
            assert_eq!(reached.is_some(), !tgba.is_empty(), "seed {seed}");
            if let Some(&state) = reached {
                let from_there = Tgba { initial: vec![state], ..tgba.clone() };
                let all = Tgba { mark_count: 0, ..everything() };
                compare(seed, &all, &from_there);
            }
        }
    }
    assert!(weak > 500 && terminal > 25, "{weak} {terminal}");
}

fn everything() -> Tgba {
    let mut tgba = Tgba { initial: vec![0], ..Tgba::default() };
    tgba.add_state();
    tgba.add_edge(0, lariat_automata::Label::True, Marks::NONE, 0);
    tgba
}

#[test]
fn graph_and_compiled_views_have_the_same_edges() {
    for seed in 0..1000 {
        let tgba = tgba(seed, 5, 12, 3);
        let mut graph = ExplicitGraph::new(&tgba);
        let compiled = compile(&tgba).unwrap();
        let expected = satisfiable(&tgba);
        for room in [1, 2, usize::MAX] {
            let mut found = Vec::new();
            for state in 0..tgba.state_count() as StateId {
                let mut at = Cursor::default();
                while at != DONE {
                    let mut batch = graph.batch(room);
                    graph.expand(&[state], &mut at, &mut batch);
                    assert!(batch.len() <= room);
                    for i in 0..batch.len() {
                        found.push((state, batch.marks(i), batch.row(i)[0]));
                    }
                }
            }
            assert_eq!(found, expected, "seed {seed}");
        }
        let sccs = Sccs::new(&tgba);
        for state in 0..tgba.state_count() as StateId {
            assert_eq!(compiled.accepting(state), graph.accepting(&[state]));
            assert!(compiled.edges(state).is_sorted_by_key(|edge| sccs.of(edge.dst)));
            for letter in 0..4 {
                let of = |edges: &[lariat_core::Edge]| -> Vec<_> {
                    let taken = edges.iter().filter(|edge| edge.allows(letter));
                    let mut taken: Vec<_> = taken.map(|edge| (edge.marks, edge.dst)).collect();
                    taken.sort_unstable();
                    taken
                };
                let mut expected: Vec<_> = tgba.edges[state as usize]
                    .iter()
                    .filter(|edge| edge.label.holds_in(letter))
                    .map(|edge| (edge.marks, edge.target))
                    .collect();
                expected.sort_unstable();
                assert_eq!(of(compiled.edges(state)), expected, "seed {seed}");
            }
        }
    }
}
