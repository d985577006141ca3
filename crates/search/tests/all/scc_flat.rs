//! Rows of a width given at run time: the same answers and counts as with a fixed width.

use crate::support::{Explicit, Sweep};
use lariat_core::{
    Acceptance, Batch, Cursor, DONE, Emptiness, Flat, FlatArena, Graph, Outcome, Stats, Successors,
    Word,
};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::{
    Roots, couvreur99, dijkstra_tgba, gabow_tgba, gv, tarjan_tgba,
};
use lariat_search::shortest::{Budget, shorten};
use lariat_store::live::{
    BitDead, CacheDead, Eager, ExactDead, InPlace, Lazy, UnionInPlace, UnionSplit,
};
use lariat_store::{Bits, Evicting, Exact};

/// Three words for each state of an explicit graph.
#[derive(Clone)]
struct Wide(Explicit);

fn row(state: Word) -> [Word; 3] {
    [state * 7, state, 1]
}

impl Successors for Wide {
    type Batch = Flat;

    fn batch(&self, room: usize) -> Flat {
        Flat::new(3, room)
    }

    fn initial(&mut self, out: &mut Flat) {
        for &state in &self.0.initial {
            out.push_copy(&row(state));
        }
    }

    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        let edges = &self.0.edges[src[1] as usize];
        while (at.0 as usize) < edges.len() && out.room() > 0 {
            let (dst, marks) = edges[at.0 as usize];
            out.push_copy(&row(dst));
            out.set_marks(out.len() - 1, marks);
            at.0 += 1;
        }
        if at.0 as usize == edges.len() {
            *at = DONE;
        }
    }
}

impl Graph for Wide {
    fn accepting(&self, state: &[Word]) -> bool {
        self.0.accepting[state[1] as usize]
    }

    fn mark_count(&self) -> u32 {
        self.0.mark_count
    }
}

fn rows() -> FlatArena {
    FlatArena::new(3)
}

fn counts(stats: &Stats) -> [u64; 5] {
    [stats.states, stats.transitions, stats.depth, stats.sccs, stats.words]
}

#[test]
fn width_does_not_matter() {
    for seed in Sweep::from_env(2_000).seeds() {
        let narrow = Explicit::random_tgba(seed);
        let mut wide = Wide(narrow.clone());
        let accepting = narrow.accepting_by_edges(&narrow.reachable_edges());
        let options = SearchOptions { room: 2, ..SearchOptions::default() };
        let roots = Roots::Compressed;
        let exact = || ExactDead::new(rows());
        let g = &mut wide;
        let mut answers: Vec<Outcome> = vec![
            dijkstra_tgba::check(g, &mut InPlace::new(rows()), options, roots),
            dijkstra_tgba::check(g, &mut Eager::new(rows(), rows(), exact()), options, roots),
            tarjan_tgba::check(g, &mut Lazy::new(rows(), rows(), exact()), options),
            gabow_tgba::check(g, &mut UnionInPlace::new(rows()), options, roots),
            gabow_tgba::check(g, &mut UnionSplit::new(rows(), rows(), exact()), options, roots),
            couvreur99::check(g, &mut Exact::new(rows()), options, Acceptance::Edges),
        ];
        let cache = CacheDead::new(Evicting::new(rows(), 4));
        answers.push(dijkstra_tgba::check(
            g,
            &mut Lazy::new(rows(), rows(), cache),
            options,
            roots,
        ));
        let bits = BitDead::new(Bits::new(6, 1, 1));
        let lossy = tarjan_tgba::check(g, &mut Eager::new(rows(), rows(), bits), options);
        assert!(!matches!(lossy.verdict, Emptiness::Empty { .. }));
        for outcome in &answers {
            match &outcome.verdict {
                Emptiness::Found(lasso) => {
                    assert!(accepting, "seed {seed}");
                    lasso.verify(&mut wide, Acceptance::Edges).unwrap();
                    let mut store = Exact::new(rows());
                    let budget = Budget::default();
                    shorten(&mut wide, &mut store, lasso, Acceptance::Edges, budget).unwrap();
                }
                _ => assert!(!accepting, "seed {seed}"),
            }
        }
        let mut store = InPlace::new(Vec::<[Word; 1]>::new());
        let same = dijkstra_tgba::check(&mut narrow.clone(), &mut store, options, roots);
        assert_eq!(counts(&same.stats), counts(&answers[0].stats));

        let mut wide = Wide(Explicit::random_buchi(seed));
        let accepting = wide.0.accepting_by_states(&wide.0.reachable_edges());
        let outcome = gv::check(&mut wide, &mut InPlace::new(rows()), options);
        assert_eq!(matches!(outcome.verdict, Emptiness::Found(_)), accepting);
    }
}
