//! The graphs that the papers draw or describe, with what they claim about them, by numbers.

use crate::scc_variants::{Dead, Variant, variants};
use crate::support::Explicit;
use lariat_core::{Emptiness, Marks, Outcome};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::nested::se;
use lariat_store::Exact;

const STRICT: SearchOptions = SearchOptions { room: 1, depth_limit: usize::MAX };

fn run(check: &str, store: &str, graph: &Explicit) -> Outcome {
    let variants = variants::<Explicit>();
    let of = |v: &&Variant<Explicit>| v.check == check && v.store == store;
    let variant = variants.iter().find(of).unwrap_or_else(|| panic!("{check} on {store}"));
    (variant.run)(&mut graph.clone(), STRICT)
}

/// Adds a tail of `len` states, from the next free number on.
fn with_tail(mut edges: Vec<Vec<u32>>, len: u32) -> Vec<Vec<u32>> {
    for i in 0..len {
        let next = edges.len() as u32 + 1;
        edges.push(if i + 1 < len { vec![next] } else { vec![] });
    }
    edges
}

fn buchi(edges: &[Vec<u32>], accepting: &[u32]) -> Explicit {
    let edges: Vec<&[u32]> = edges.iter().map(Vec::as_slice).collect();
    Explicit::buchi(&edges, accepting)
}

/// SE Figure 4: the cycle s0 s1 s0 is on the left, the rest of the automaton on the right.
/// Tarjan's algorithm explores all of it; the others stop when the cycle is closed.
#[test]
fn se_figure_4() {
    let graph = buchi(&with_tail(vec![vec![1, 2], vec![0]], 100), &[1]);
    for variant in variants::<Explicit>() {
        let Outcome { verdict, stats } = (variant.run)(&mut graph.clone(), STRICT);
        assert!(matches!(verdict, Emptiness::Found(_)), "{}", variant.check);
        let explored = (stats.states, stats.transitions, stats.depth);
        match variant.check {
            // Not before the root s0 is left. A state of the tail that a bit array takes for
            // a dead one ends the tail early.
            "tarjan" if variant.dead == Dead::Bits => assert!(stats.states > 2),
            "tarjan" => assert_eq!(explored, (102, 102, 101), "{}", variant.store),
            // The mark is on the edge from s1 to s0, which is looked at last of the two.
            _ => assert_eq!(explored, (2, 2, 2), "{} on {}", variant.check, variant.store),
        }
    }
    let mut store = Exact::new(Vec::<[u32; 1]>::new());
    let stats = se::check(&mut graph.clone(), &mut store, STRICT).stats;
    assert_eq!((stats.states, stats.transitions), (2, 2), "nested search");
}

/// SE Figure 6: the way from s1 back to s0 is explored before the large part behind s2. The
/// searches by component stop as soon as the cycle is closed, a nested one must first come
/// back to s1.
#[test]
fn se_figure_6() {
    // s0 → s1 → x → s0, s1 → s2; only s1 is accepting.
    let graph = buchi(&with_tail(vec![vec![1], vec![2, 3], vec![0]], 100), &[1]);
    for variant in variants::<Explicit>().iter().filter(|v| v.early) {
        let Outcome { verdict, stats } = (variant.run)(&mut graph.clone(), STRICT);
        assert!(matches!(verdict, Emptiness::Found(_)));
        assert_eq!((stats.states, stats.transitions, stats.depth), (3, 3, 3));
    }
    let tgba = run("tarjan-tgba", "in place", &graph).stats;
    // The mark is on the edge into x: noticed when x is left, before s2 is looked at.
    assert_eq!((tgba.states, tgba.transitions), (3, 3));
    let baseline = run("tarjan", "in place", &graph).stats;
    assert_eq!((baseline.states, baseline.transitions), (103, 103));
    let mut store = Exact::new(Vec::<[u32; 1]>::new());
    let nested = se::check(&mut graph.clone(), &mut store, STRICT).stats;
    assert_eq!(nested.states, 103);
    assert!(nested.transitions > 103);
}

/// RDKP §3.2: Tarjan's may report later than the edge that closes the cycle.
#[test]
fn tarjan_tgba_is_late() {
    // 0 → 1 → 2 → 0; the mark is on 0 → 1; 2 has a tail behind it.
    let (none, mark) = (Marks::NONE, Marks::one(0));
    let mut edges = vec![vec![(1, mark)], vec![(2, none)], vec![(0, none), (3, none)]];
    edges.extend((0..50).map(|i| vec![(4 + i, none)]));
    edges.push(vec![]);
    let graph = Explicit::tgba(1, edges);
    let dijkstra = run("dijkstra", "in place", &graph).stats;
    assert_eq!((dijkstra.states, dijkstra.transitions), (3, 3));
    let tarjan = run("tarjan-tgba", "in place", &graph).stats;
    assert_eq!((tarjan.states, tarjan.transitions), (54, 54));
    assert_eq!((dijkstra.sccs, tarjan.sccs), (0, 51));
}

/// Table 1: words by the formulas, at the peak. A path of four states.
#[test]
fn rdkp_table_1() {
    let graph = buchi(&[vec![1], vec![2], vec![3], vec![]], &[]);
    let words = |check, store| run(check, store, &graph).stats.words;
    // 2 |roots| + |live_stack| + 2 |live_hash|
    assert_eq!(words("dijkstra", "in place"), 8 + 4 + 8);
    assert_eq!(words("dijkstra +cs", "in place"), 2 + 4 + 8);
    // 2 |dstack| + |live_stack| + 2 |live_hash|
    assert_eq!(words("tarjan-tgba", "in place"), 8 + 4 + 8);
    // 2 |roots| + 3 |uf|, with the artificial state
    assert_eq!(words("gabow", "in place"), 8 + 3 * 5);
    assert_eq!(words("gabow +cs", "in place"), 2 + 3 * 5);
    // With a store of the dead: nothing has died when the path is longest.
    assert_eq!(words("dijkstra", "eager exact"), 8 + 4 + 8);
    assert_eq!(words("tarjan-tgba", "eager exact"), 8 + 4 + 8);
    assert_eq!(words("gabow", "split exact"), 8 + 4 * 4);
    // One integer a state and Roots of pairs; two integers and Current; both.
    assert_eq!(words("c99 by states", "exact"), 4 + 8);
    assert_eq!(words("gv", "in place"), 8 + 4);
    assert_eq!(words("tarjan", "in place"), 8 + 4);
    assert_eq!(words("ascc by states", "in place"), 4 + 4 + 8);
}

/// Tables 3 and 4: a state with three leaves. The slot of a leaf is used again; only then
/// does a lazy store move it. And a path is one entry of the compressed roots.
#[test]
fn rdkp_tables_3_and_4() {
    let star = buchi(&[vec![1, 2, 3], vec![], vec![], vec![]], &[]);
    for (store, dead, words) in [("eager exact", 4, 12), ("lazy exact", 2, 12)] {
        for check in ["tarjan-tgba", "dijkstra", "gv", "ascc"] {
            let stats = run(check, store, &star).stats;
            assert_eq!((stats.peaks.dead, stats.peaks.live), (dead, 2), "{check} on {store}");
        }
        assert_eq!(run("dijkstra", store, &star).stats.words, words);
    }
    let gabow = run("gabow", "split exact", &star).stats;
    assert_eq!((gabow.peaks.dead, gabow.peaks.union_find, gabow.peaks.live), (2, 2, 2));
    // 2 |roots| + 4 |uf| + |dead|
    assert_eq!(gabow.words, 4 + 8 + 2);
    assert_eq!(run("gabow", "in place", &star).stats.peaks.union_find, 5);

    let path = buchi(&[vec![1], vec![2], vec![3], vec![]], &[]);
    for check in ["dijkstra", "gabow"] {
        assert_eq!(run(check, "in place", &path).stats.peaks.roots, 4);
        assert_eq!(run(&format!("{check} +cs"), "in place", &path).stats.peaks.roots, 1);
    }
    assert_eq!(run("tarjan-tgba", "in place", &path).stats.peaks.dstack, 4);
}

/// With no marks a cycle is accepting, a trivial component is not (ALGORITHMS A6).
#[test]
fn no_marks() {
    let path = Explicit::tgba(0, vec![vec![(1, Marks::NONE)], vec![]]);
    let cycle = Explicit::tgba(0, vec![vec![(1, Marks::NONE)], vec![(1, Marks::NONE)]]);
    for variant in variants::<Explicit>() {
        let empty = (variant.run)(&mut path.clone(), STRICT).verdict;
        match variant.dead {
            Dead::Bits => assert!(matches!(empty, Emptiness::Inconclusive(_))),
            _ => assert!(matches!(empty, Emptiness::Empty { .. })),
        }
        match (variant.run)(&mut cycle.clone(), STRICT).verdict {
            Emptiness::Found(lasso) => lasso.verify(&mut cycle.clone(), variant.by).unwrap(),
            verdict => panic!("{}: {verdict:?}", variant.check),
        }
    }
    // No initial state: the empty language.
    let mut none = cycle;
    none.initial.clear();
    for variant in variants::<Explicit>().iter().filter(|v| v.dead != Dead::Bits) {
        assert!(matches!(
            (variant.run)(&mut none.clone(), STRICT).verdict,
            Emptiness::Empty { .. }
        ));
    }
}

/// An accepting loop at the far end of the search stack: the cycle is one state.
#[test]
fn lassos_start_where_the_stack_meets_the_cycle() {
    let graph = buchi(&[vec![1], vec![2], vec![2]], &[2]);
    for variant in variants::<Explicit>() {
        let Emptiness::Found(lasso) = (variant.run)(&mut graph.clone(), STRICT).verdict else {
            panic!("{} found nothing", variant.check);
        };
        assert_eq!((lasso.prefix.len(), lasso.cycle.len()), (2, 1), "{}", variant.check);
        assert_eq!(lasso.cycle.state(0), [2]);
    }
}
