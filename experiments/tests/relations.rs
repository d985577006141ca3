//! The relations that the pages show, on small instances of our own.

use lariat_checks::Algorithm;
use lariat_experiments::gs2009::rows;
use lariat_experiments::lab::cases::Case;
use lariat_experiments::lab::measure::{Found, How, check};
use lariat_experiments::misprints::graphs::Says;
use lariat_experiments::misprints::{MISPRINTS, is_right, smallest};
use lariat_experiments::open_ends::detection::on_random;
use lariat_experiments::open_ends::tarjan::Idea;
use lariat_experiments::open_ends::{try_general_gv, try_tarjan};
use lariat_experiments::rdkp2013::measure;
use lariat_experiments::rdkp2013::variants::{Dead, VARIANTS, Variant};
use lariat_experiments::{beyond, hpy1996, se2005, stored, traversals};

/// Two counters and a switch: components of several sizes.
const MODEL: &str = "
byte a, b;
bool done;
active proctype A() { do :: a == b || a == (b + 1) % 6 -> a = (a + 1) % 6 od }
active proctype B() { do :: b = (b + 1) % 6 :: done -> b = 0 od }
active proctype Last() { do :: a == 4 && !done -> done = true :: done -> break od }
";

const FORMULAS: &[&str] = &[
    "[] (a < 6)",
    "<> done",
    "[]<> (b < 6)",
    "<>[] (a == 0)",
    "[] (done -> [] done)",
    "[] (a == 1 -> <> (a == 2))",
    "[]<> (a == 1) -> []<> (a == 2)",
    "[]<> (a == 1) && []<> (b == 2) -> []<> done",
    "[]<> (a == 1) && []<> (b == 2) && []<> (a == 3) -> <>[] !done",
    "[]<> (a == 6) && []<> (b == 2) -> []<> done",
    "(!done) U (a == 4)",
    "<>[] done || []<> (a == b)",
];

fn cases() -> impl Iterator<Item = Case> {
    FORMULAS.iter().map(|formula| Case::promela(formula, MODEL, formula).expect("a case"))
}

#[test]
fn gaiser_and_schwoon() {
    let (mut with_run, mut empty, mut strong) = (0, 0, 0);
    for case in cases() {
        let measured = rows::measure(&case, &How::papers()).expect("measured");
        let rows::Measured::Row(row) = measured else { panic!("{} is cut", case.name) };
        let transitions = |at: usize| row.found[at].transitions;
        let [ascc, gv, and, se, hpy, c99] = [0, 1, 2, 3, 4, 5].map(transitions);
        assert!(ascc == gv && gv <= and && and <= se && se <= hpy, "{}", row.name);
        assert!(gv <= c99 && c99 <= 2 * gv, "{}", row.name);
        if let Some(simple) = row.simple {
            assert_eq!(simple.transitions, gv, "{}", row.name);
        }
        assert!(row.left_out.iter().all(|found| found.transitions >= se), "{}", row.name);
        assert!(row.sizes[0] <= row.sizes[1], "{}", row.name);
        with_run += u32::from(row.found[1].has_run());
        empty += u32::from(row.found[1].is_empty());
        strong += u32::from(!row.is_weak);
    }
    assert!(with_run >= 3 && empty >= 3 && strong >= 3, "{with_run} {empty} {strong}");
}

#[test]
fn schwoon_and_esparza() {
    for (variant, property, is_weak, has_run) in
        [(1, "B", false, true), (1, "E", true, true), (1, "C", true, false), (2, "H", false, true)]
    {
        let row = se2005::measure(variant, property).expect("a row");
        assert_eq!(row.is_weak, is_weak, "{property}");
        for found in &row.found {
            let [hpy, gmz, new, couv, gv]: [Found; 5] =
                found.clone().try_into().expect("five checks");
            assert_eq!(gv.has_run(), has_run, "{property}");
            assert!(new.transitions <= hpy.transitions && new.transitions <= gmz.transitions);
            assert!(gv.states <= new.states && gv.states == couv.states && gv.depth == couv.depth);
            assert!(couv.roots <= couv.depth && gv.current >= gv.depth);
            if gv.is_empty() {
                assert_eq!(couv.transitions, 2 * gv.transitions);
            }
        }
    }
}

/// Ten variants say the same; words, roots and dead states are related as in Tables 1, 3 and 4.
#[test]
fn renault_and_others() {
    for case in cases() {
        let found: Vec<Found> = VARIANTS
            .iter()
            .map(|(variant, _)| measure(&case, *variant, false).expect("a pair").check)
            .collect();
        assert!(found.iter().all(|one| one.says == found[0].says), "{}", case.name);
        // Dijkstra and Gabow stop at the same transition, Tarjan not before.
        assert!(
            found[2].transitions == found[0].transitions
                && found[4].transitions >= found[0].transitions
        );
        assert!(found[1].roots <= found[0].roots && found[1].words <= found[0].words);
        if found[0].is_empty() {
            assert!(found[0].words <= found[4].words, "Dijkstra before Tarjan: {}", case.name);
            let lazy = Variant { dead: Dead::Lazy, ..VARIANTS[5].0 };
            let lazy = measure(&case, lazy, false).expect("a pair").check;
            assert!(lazy.dead <= found[5].dead);
        }
    }
}

/// On random automata, too, all say the same; nothing reports before Dijkstra's algorithm, and sets only help.
#[test]
fn open_ends_on_random_automata() {
    for [tarjan, early, general, dijkstra] in on_random(7, 300) {
        assert!(dijkstra <= early && early <= tarjan && dijkstra <= general);
    }
}

/// What was tried says what the checks say.
#[test]
fn open_ends() {
    let how = How { by_states: false, ..How::papers() };
    for case in cases() {
        let dijkstra = check(&case, Algorithm::Dijkstra, &how).expect("a result");
        let tarjan = check(&case, Algorithm::TarjanTgba, &how).expect("a result");
        let tried = |idea| try_tarjan(&case, idea).expect("a result");
        let (sparse, early) = (tried(Idea::Sparse), tried(Idea::Early));
        let general = try_general_gv(&case).expect("a result");
        for found in [sparse, early, general, tried(Idea::Compacted)] {
            assert_eq!(found.says, dijkstra.says, "{}", case.name);
        }
        assert_eq!(sparse.transitions, tarjan.transitions);
        assert!(sparse.dstack <= tarjan.dstack);
        assert!((dijkstra.transitions..=tarjan.transitions).contains(&early.transitions));
        assert!(general.transitions >= dijkstra.transitions);
    }
}

#[test]
fn non_progress() {
    for model in ["ring", "pool", "pipeline"] {
        for is_faulty in [false, true] {
            let case = hpy1996::own_case(model, 2, is_faulty).expect("a model");
            let row = hpy1996::measure(&case).expect("a row");
            assert_eq!(row.direct.has_run(), is_faulty, "{model}");
            assert!(row.automaton.transitions <= row.without_stack.transitions, "{model}");
            if !is_faulty {
                assert!(row.automaton.states <= 2 * row.direct.states, "{model}");
                assert!(row.reduced.states <= row.automaton.states, "{model}");
            }
        }
    }
}

/// The stored product is the one that is walked on the fly: each check computes as many successors.
#[test]
fn stored_graphs() {
    let measured = cases().map(|case| stored::measure(&case, 0).expect("a row"));
    let rows: Vec<stored::Row> = measured.flatten().collect();
    assert!(rows.len() >= 3, "{}", rows.len());
    for row in rows {
        assert_eq!((row.seconds.len(), row.transitions.len()), (4, 6));
        assert!(row.seconds.iter().all(|way| way.len() == 6));
    }
}

/// What lariat adds around a check changes no answer; remembering changes no count, and reduction adds no states.
#[test]
fn beyond_the_papers() {
    for case in cases() {
        let row = beyond::measure(&case).expect("the same answer everywhere");
        for check in 0..6 {
            let of = |setting: usize| row.found[setting][check];
            assert_eq!(of(1).transitions, of(0).transitions, "{}", case.name);
            assert_eq!(of(2).transitions, of(0).transitions, "{}", case.name);
            if of(0).is_empty() {
                assert!(of(3).states <= of(0).states, "{}", case.name);
            }
        }
    }
}

#[test]
fn several_acceptance_sets() {
    for n in 1..=6 {
        let tgba = traversals::worst(n);
        let visits = |check| traversals::visits(&tgba, check).expect("visits");
        assert!(visits(Algorithm::Cvwy) <= f64::from(2 * n) + traversals::COPY);
        assert!(visits(Algorithm::Tauriainen) <= f64::from(n + 1));
        assert!(visits(Algorithm::C99) <= 2.0);
        assert!(visits(Algorithm::Ascc) <= 1.0);
        if n > 2 {
            assert!(visits(Algorithm::Cvwy) > visits(Algorithm::Tauriainen));
            assert!(visits(Algorithm::Tauriainen) > visits(Algorithm::C99));
        }
    }
}

/// The printed lines are wrong on these graphs, and the right ones are right on all small graphs.
#[test]
fn misprints() {
    for misprint in &MISPRINTS {
        assert!(is_right(misprint, 2), "{}", misprint.id);
        let wrong =
            [Says::Cycle, Says::Empty, Says::Underflow].map(|says| smallest(misprint, says));
        for graph in wrong.iter().flatten() {
            assert_ne!((misprint.search)(graph, true), graph.truth(misprint.by));
            assert_eq!((misprint.search)(graph, false), graph.truth(misprint.by));
        }
        assert!(wrong.iter().any(Option::is_some), "{}", misprint.id);
    }
}
