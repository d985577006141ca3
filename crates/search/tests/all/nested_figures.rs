//! The papers' small graphs, rebuilt from their prose, with what the text claims of each
//! algorithm. Statistics are pinned, not only verdicts: a check that has lost its early
//! detection still gives the right verdict.

use crate::support::Explicit;
use crate::support::checks::{And, Check, Cvwy, Gmz, Hpy, Reach, Sd, Se, Tauriainen};
use lariat_core::{Cursor, Emptiness, Fixed, Graph, Successors, Word};
use lariat_search::dfs::SearchOptions;

/// Strictly on the fly.
const ON_THE_FLY: SearchOptions = SearchOptions { room: 1, depth_limit: usize::MAX };

/// Whether a run is found, and st, tr, expansions, dp.
type Row = (Check, bool, [u64; 4]);

fn expect(graph: &Explicit, rows: &[Row]) {
    let mut table = Vec::new();
    for &(check, ..) in rows {
        let mut graph = graph.clone();
        let outcome = check.run(&mut graph, ON_THE_FLY);
        // The calls that put a lasso together afterwards are not part of the search.
        if check != Tauriainen {
            assert_eq!(graph.calls, outcome.stats.expansions, "{check:?} counts its calls");
            assert_eq!(graph.log.len() as u64, outcome.stats.transitions, "{check:?}");
        }
        let stats = outcome.stats;
        let numbers = [stats.states, stats.transitions, stats.expansions, stats.depth];
        let found = match outcome.verdict {
            Emptiness::Found(lasso) => {
                lasso.verify(&mut graph, check.acceptance()).unwrap();
                true
            }
            Emptiness::Empty { .. } => false,
            Emptiness::Inconclusive(reason) => panic!("{check:?}: {reason:?}"),
        };
        table.push((check, found, numbers));
    }
    assert_eq!(table, rows);
}

/// "The blue DFS must first reach the accepting state s1, and then the red DFS needs to go
/// from s1 to s0 and back again to s1, even though an accepting run is already completed at
/// s0." HPY stops at s0. GMZ's blue search does not see it, since s0 is not accepting, and its
/// look for black states costs one transition; SE sees it at the blue edge.
#[test]
fn se_figure_2a() {
    expect(
        &Explicit::buchi(&[&[1], &[0]], &[1]),
        &[
            (Cvwy, true, [2, 4, 4, 3]),
            (Hpy, true, [2, 3, 3, 2]),
            (Gmz, true, [2, 4, 4, 2]),
            (Se, true, [2, 2, 2, 2]),
            (And, true, [2, 2, 2, 2]),
        ],
    );
}

/// "In [HPY], both the blue and the red search need to search the whole automaton to find
/// the accepting cycle. With the suggestion in [GMZ], the cycle is found without entering the
/// red search."
#[test]
fn se_figure_2b() {
    expect(
        &Explicit::buchi(&[&[1], &[2], &[3], &[4], &[0]], &[0]),
        &[
            (Cvwy, true, [5, 10, 10, 5]),
            (Hpy, true, [5, 10, 10, 5]),
            (Gmz, true, [5, 5, 5, 5]),
            (Se, true, [5, 5, 5, 5]),
            (And, true, [5, 5, 5, 5]),
        ],
    );
}

/// "Nested-DFS algorithms may find the cycle s0 s1 s0 and stop without examining the right part
/// of the automaton provided that edge (s0, s1) is explored before (s0, s2)."
#[test]
fn se_figure_4() {
    let edges: [&[Word]; 6] = [&[1, 2], &[0], &[3], &[4], &[5], &[2]];
    expect(
        &Explicit::buchi(&edges, &[1]),
        &[
            (Cvwy, true, [2, 4, 4, 3]),
            (Hpy, true, [2, 3, 3, 2]),
            (Gmz, true, [2, 4, 4, 2]),
            (Se, true, [2, 2, 2, 2]),
            (And, true, [2, 2, 2, 2]),
        ],
    );
    // The other way round the right part comes first.
    let edges: [&[Word]; 6] = [&[2, 1], &[0], &[3], &[4], &[5], &[2]];
    expect(&Explicit::buchi(&edges, &[1]), &[(Hpy, true, [6, 8, 7, 5]), (Se, true, [6, 7, 6, 5])]);
}

/// "The nested search, however, needs to explore the large subgraph before the second DFS can
/// start at s1 and detect the cycle." s1 is accepting, s1 → s3 → s0 closes the cycle at the
/// third transition, s2 starts the large subgraph, here a path of six.
#[test]
fn se_figure_6() {
    let edges: [&[Word]; 9] = [&[1], &[3, 2], &[4], &[0], &[5], &[6], &[7], &[8], &[]];
    let graph = Explicit::buchi(&edges, &[1]);
    let closed = [(0, 1), (1, 3), (3, 0)].map(|(src, dst)| (src, dst, lariat_core::Marks::NONE));
    assert!(graph.accepting_by_states(&closed), "three transitions suffice");
    expect(
        &graph,
        &[
            (Hpy, true, [9, 11, 11, 8]),
            (Gmz, true, [9, 19, 19, 8]),
            (Se, true, [9, 11, 11, 8]),
            (And, true, [9, 11, 11, 8]),
        ],
    );
}

/// HPY Figure 3 without reduction: s1 = 0, s2 = 1 (accepting), s3 = 2; e1 = (0,1), e2 = (1,2),
/// e3 = (2,0), e4 = (0,2).
#[test]
fn hpy_figure_3() {
    expect(
        &Explicit::buchi(&[&[1, 2], &[2], &[0]], &[1]),
        &[
            (Cvwy, true, [3, 6, 6, 4]),
            (Hpy, true, [3, 5, 5, 3]),
            (Gmz, true, [3, 7, 7, 3]),
            (Se, true, [3, 5, 5, 3]),
            (And, true, [3, 5, 5, 3]),
            (Tauriainen, true, [3, 4, 4, 3]),
        ],
    );
}

/// HPY Figure 3 with a reduction that depends on the stack: when s1 is expanded for the second
/// time, e4 would close a cycle on the second search's stack, so e5 = (0,3) is selected
/// instead. CVWY walks through s1 and loses the cycle; a search that stops at the first
/// one's stack (HPY §5.1) does not.
#[test]
fn hpy_figure_3_reduced() {
    struct Reduced(Explicit);

    impl Successors for Reduced {
        type Batch = Fixed<1>;
        fn batch(&self, room: usize) -> Fixed<1> {
            self.0.batch(room)
        }
        fn initial(&mut self, out: &mut Fixed<1>) {
            self.0.initial(out);
        }
        fn expand(&mut self, src: &[Word; 1], at: &mut Cursor, out: &mut Fixed<1>) {
            self.0.expand(src, at, out);
            if *src == [0] && *at == lariat_core::DONE {
                self.0.edges[0] = vec![(3, lariat_core::Marks::NONE)];
            }
        }
    }
    impl Graph for Reduced {
        fn accepting(&self, state: &[Word; 1]) -> bool {
            self.0.accepting(state)
        }
        fn mark_count(&self) -> u32 {
            1
        }
    }

    let edges: [&[Word]; 4] = [&[1, 2], &[2], &[0], &[]];
    let graph = || Reduced(Explicit::buchi(&edges, &[1]));
    // All successors at once: s1 is expanded for good before the search goes on.
    let found = |check: Check| {
        matches!(check.run(&mut graph(), SearchOptions::default()).verdict, Emptiness::Found(_))
    };
    assert!(!found(Cvwy), "the failure that the figure shows");
    assert!(found(Hpy) && found(Se) && found(And) && found(Gmz));
}

/// GS §5: trivial accepting components are explored twice by HPY and SE, once by AND and SD;
/// GMZ's look for black states costs as much as the red search (SE §3.1).
#[test]
fn trivial_accepting_components() {
    expect(
        &Explicit::buchi(&[&[1, 2], &[3], &[3], &[4], &[]], &[0, 1, 2, 3, 4]),
        &[
            (Cvwy, false, [5, 10, 10, 4]),
            (Hpy, false, [5, 10, 10, 4]),
            (Gmz, false, [5, 10, 10, 4]),
            (Se, false, [5, 10, 10, 4]),
            (And, false, [5, 5, 5, 4]),
            (Sd, false, [5, 5, 5, 4]),
            (Reach, false, [5, 10, 10, 4]),
            (Tauriainen, false, [5, 8, 9, 4]),
        ],
    );
}

/// A cyclic component without accepting states below an accepting state: its states cannot
/// be blackened one by one, so the red search walks them, after GMZ has looked at them twice.
#[test]
fn rejecting_component_below_an_accepting_state() {
    expect(
        &Explicit::buchi(&[&[1], &[2], &[3], &[1]], &[0]),
        &[
            (Cvwy, false, [4, 8, 8, 4]),
            (Hpy, false, [4, 8, 8, 4]),
            (Gmz, false, [4, 12, 12, 4]),
            (Se, false, [4, 8, 8, 4]),
            (And, false, [4, 8, 8, 4]),
            (Sd, false, [4, 4, 4, 4]),
            (Reach, false, [4, 5, 5, 4]),
        ],
    );
}

/// What is black for GMZ: state 1 is, since its red search failed, so state 0 needs none. A
/// state that a red search walked over is red and not black; with an edge to it state 0 has
/// to start a search, which ends at once.
#[test]
fn black_states_of_gmz() {
    expect(
        &Explicit::buchi(&[&[1], &[2], &[3], &[2]], &[0, 1]),
        &[(Gmz, false, [4, 11, 11, 4]), (Se, false, [4, 8, 8, 4]), (And, false, [4, 7, 7, 4])],
    );
    expect(
        &Explicit::buchi(&[&[1, 2], &[2], &[3], &[2]], &[0, 1]),
        &[(Gmz, false, [4, 15, 12, 4]), (Se, false, [4, 10, 8, 4]), (And, false, [4, 8, 7, 4])],
    );
}

/// A rejecting component above everything accepting: no red search goes there.
#[test]
fn rejecting_component_above_an_accepting_state() {
    expect(
        &Explicit::buchi(&[&[1], &[0, 2], &[3], &[]], &[2]),
        &[
            (Cvwy, false, [4, 5, 6, 4]),
            (Hpy, false, [4, 5, 6, 4]),
            (Gmz, false, [4, 8, 8, 4]),
            (Se, false, [4, 5, 6, 4]),
            (And, false, [4, 4, 4, 4]),
            (Sd, false, [4, 4, 4, 4]),
        ],
    );
}

/// HPY Figure 5: the second search starts from every state that none has been at. Without the
/// guard that the figure lacks it would start from 3 and 0 again in the last case: 9
/// transitions.
#[test]
fn non_progress_statistics() {
    use lariat_search::emptiness::non_progress;
    let run = |progress: &[Word]| {
        let mut graph = Explicit::buchi(&[&[1, 3], &[2], &[0], &[]], &[]);
        let mut store = lariat_store::Exact::new(Vec::<[Word; 1]>::new());
        let by_progress = |_: &Explicit, &[state]: &[Word; 1]| progress.contains(&state);
        let outcome = non_progress::check(&mut graph, by_progress, &mut store, ON_THE_FLY);
        let stats = outcome.stats;
        let found = matches!(outcome.verdict, Emptiness::Found(_));
        (found, [stats.states, stats.transitions, stats.expansions, stats.depth], stats.words)
    };
    // 2 is left first; its second search goes 2 → 0 → 1 → 2.
    assert_eq!(run(&[]), (true, [3, 6, 6, 5], 1));
    // 0 does not let it through: 2 → 0, then 1 → 2, then 3 alone.
    assert_eq!(run(&[0]), (false, [4, 6, 7, 3], 1));
    // 1 does not: 2 → 0 → {1, 3}; nothing is left to start from.
    assert_eq!(run(&[1]), (false, [4, 7, 7, 5], 1));
}

/// A terminal automaton: the accepting loop decides, and the states beside it are not seen.
#[test]
fn terminal_automaton() {
    let edges: [&[Word]; 5] = [&[1, 4], &[2], &[3], &[2], &[4]];
    expect(
        &Explicit::buchi(&edges, &[2, 3]),
        &[
            (Reach, true, [4, 4, 4, 4]),
            (Sd, true, [4, 4, 4, 4]),
            (Se, true, [4, 4, 4, 4]),
            (Hpy, true, [4, 5, 5, 4]),
        ],
    );
}
