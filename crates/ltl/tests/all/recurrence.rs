//! Constructions of their own: infinitely often within a window of letters, and complements of
//! deterministic automata.

use lariat_automata::reduce::complement::complement;
use lariat_automata::symbolic::{Bdd, Symbolic};
use lariat_ltl::cross::{CrossOptions, check};
use lariat_ltl::random::{self, Rng, Shape};
use lariat_ltl::syntax::{ParseOptions, Printer, parse};
use lariat_ltl::translate::{Level, Options, Translator};
use lariat_ltl::{Formulas, Ltl, eval, membership};

/// A Boolean combination of propositions up to some steps ahead.
fn window(all: &mut Formulas, rng: &mut Rng, size: usize) -> Ltl {
    if size <= 1 {
        let names = ["a", "b"];
        let mut f = all.ap(names[rng.below(2)]);
        for _ in 0..rng.below(4) {
            f = all.next(f);
        }
        return f;
    }
    let left = 1 + rng.below(size - 1);
    let (a, b) = (window(all, rng, left), window(all, rng, size - left));
    match rng.below(4) {
        0 => all.and2(a, b),
        1 => all.or2(a, b),
        2 => all.binary(lariat_ltl::formula::Binary::Equiv, a, b),
        _ => {
            let b = all.not(b);
            all.and2(a, b)
        }
    }
}

#[test]
fn infinitely_often_within_a_window() {
    let mut rng = Rng::new(5);
    let options = CrossOptions { words: 30, max_states: 100_000, external: Vec::new() };
    for _ in 0..150 {
        let mut all = Formulas::new();
        let size = 1 + rng.below(4);
        let g = window(&mut all, &mut rng, size);
        let finally = all.finally(g);
        let f = all.globally(finally);
        let report = check(&mut all, f, &options, &mut rng);
        let text = Printer::new(&all).text(f);
        assert!(report.skipped.is_empty(), "{text}: {:?}", report.skipped);
        assert!(report.inconsistencies.is_empty(), "{text}: {:?}", report.inconsistencies);
    }
}

#[test]
fn a_window_of_two_steps_has_four_states() {
    for (formula, states, edges) in [("GF(a <-> Xa)", 2, 4), ("GF(a <-> XXa)", 4, 8)] {
        let mut all = Formulas::new();
        let f = parse(&mut all, formula, ParseOptions::default()).expect("a formula").formula;
        let done = Translator::new(Options::default()).translate(&mut all, f).expect("small");
        assert_eq!((done.automaton.state_count(), done.automaton.edge_count()), (states, edges));
    }
}

#[test]
fn complements_accept_the_other_words() {
    let mut rng = Rng::new(6);
    let mut deterministic = 0;
    for _ in 0..600 {
        let mut all = Formulas::new();
        for name in ["p0", "p1"] {
            all.ap(name);
        }
        let shape = Shape { propositions: 2, size: 2 + rng.below(8), next: rng.coin() };
        let f = random::formula(&mut all, &mut rng, shape);
        let mut translator = Translator::new(Options::new(Level::Medium));
        let done = translator.translate(&mut all, f).expect("small");
        let mut bdd = Bdd::with_limit(1 << 24);
        let automaton = Symbolic::from_tgba(&done.automaton, &mut bdd);
        if !automaton.is_deterministic(&mut bdd) {
            continue;
        }
        deterministic += 1;
        let outside = complement(&automaton, &mut bdd);
        for _ in 0..20 {
            let word = random::word(&mut rng, 2, 3, 4);
            let accepted = membership::accepts_symbolic(&outside, &bdd, &all, &word);
            let text = Printer::new(&all).text(f);
            assert_eq!(accepted, !eval::holds(&all, f, &word), "{text} on {word:?}");
        }
    }
    assert!(deterministic > 200, "{deterministic}");
}
