//! Whether languages are closed under stuttering, against words and their repetitions.

use crate::common::tgba;
use fastrand::Rng;
use lariat_automata::stutter::twist::twisted;
use lariat_automata::stutter::{Stuttering, of_language};
use lariat_automata::{Label, Tgba, hoa};
use lariat_core::Marks;

const MOST_STATES: usize = 2_000;

/// Letters of a prefix and of a cycle.
type Word = (Vec<u64>, Vec<u64>);

/// Words with short prefixes and cycles over two propositions.
fn words() -> Vec<Word> {
    let of_length = |length: u32| {
        (0..4_u64.pow(length))
            .map(move |number| (0..length).map(|at| number >> (2 * at) & 3).collect::<Vec<u64>>())
    };
    let prefixes: Vec<Vec<u64>> = (0..=2).flat_map(of_length).collect();
    let cycles: Vec<Vec<u64>> = (1..=2).flat_map(of_length).collect();
    let pairs = prefixes.iter().flat_map(|u| cycles.iter().map(|v| (u.clone(), v.clone())));
    pairs.collect()
}

/// The same word with letters repeated.
fn stuttered(rng: &mut Rng, (prefix, cycle): &Word) -> Word {
    let mut repeat = |letters: &[u64]| {
        letters.iter().flat_map(|&letter| vec![letter; 1 + rng.usize(..3)]).collect::<Vec<u64>>()
    };
    // The cycle once as it is, so that repetitions in it need not be regular.
    let start = [&prefix[..], &cycle[..]].concat();
    (repeat(&start), repeat(cycle))
}

fn differs(automaton: &Tgba, rng: &mut Rng, word: &Word) -> bool {
    let accepts = |(prefix, cycle): &Word| automaton.accepts_lasso(prefix, cycle);
    accepts(word) != accepts(&stuttered(rng, word))
}

/// Never "closed" of a language that is not, never "open" of one that is.
#[test]
fn random_automata() {
    let words = words();
    let mut repeats = Rng::with_seed(1);
    let (mut closed, mut open, mut unknown) = (0, 0, 0);
    for seed in 0..1_500 {
        let automaton = tgba(seed, 4, 9, 2);
        if automaton.is_empty() {
            assert_eq!(of_language(&automaton, MOST_STATES), Stuttering::Closed);
            continue;
        }
        let rng = &mut Rng::with_seed(seed);
        let known = of_language(&automaton, MOST_STATES);
        let mut tried = (0..100).map(|_| &words[rng.usize(..words.len())]);
        let witness = tried.find(|word| differs(&automaton, &mut repeats, word));
        match known {
            Stuttering::Closed => {
                assert_eq!(witness, None, "seed {seed}: {}", hoa::to_string(&automaton));
                closed += 1;
            }
            Stuttering::Open => open += 1,
            Stuttering::Unknown => unknown += 1,
        }
        // What is open has a short witness, mostly.
        let is_shown = witness.is_some();
        assert!(
            known != Stuttering::Open || is_shown || seed % 7 > 0 || longer(&automaton, rng),
            "seed {seed} is closed, it seems: {}",
            hoa::to_string(&automaton)
        );
        if seed % 10 == 0 {
            twist_changes_nothing(&automaton, known, seed);
        }
    }
    println!("{closed} closed and not empty, {open} open, {unknown} unknown");
    assert!(closed > 300 && open > 60 && unknown < 150, "{closed} {open} {unknown}");
}

/// A longer look for a witness.
fn longer(automaton: &Tgba, rng: &mut Rng) -> bool {
    (0..20_000).any(|_| {
        let letters = |rng: &mut Rng, length| (0..length).map(|_| rng.u64(..4)).collect();
        let (prefix, cycle) = (rng.usize(..6), 1 + rng.usize(..4));
        let word = (letters(rng, prefix), letters(rng, cycle));
        differs(automaton, rng, &word)
    })
}

/// A twisted automaton has the same language, so what is known of both agrees.
fn twist_changes_nothing(automaton: &Tgba, known: Stuttering, seed: u64) {
    let rng = &mut Rng::with_seed(seed);
    let other = twisted(automaton, 2 + seed as u32 / 10 % 2);
    for _ in 0..50 {
        let letters = |rng: &mut Rng, length| (0..length).map(|_| rng.u64(..4)).collect();
        let (prefix, cycle): (Vec<u64>, Vec<u64>) = (letters(rng, 3), letters(rng, 2));
        assert_eq!(
            automaton.accepts_lasso(&prefix, &cycle),
            other.accepts_lasso(&prefix, &cycle),
            "seed {seed}"
        );
    }
    let found = of_language(&other, MOST_STATES);
    let agrees = found == known || [found, known].contains(&Stuttering::Unknown);
    assert!(agrees, "seed {seed}: {known:?}, twisted {found:?}");
}

fn one_proposition(mark_count: u32, states: u32) -> Tgba {
    let mut automaton = Tgba { mark_count, aps: vec!["p".into()], ..Tgba::default() };
    for _ in 0..states {
        automaton.add_state();
    }
    automaton.initial.push(0);
    automaton
}

/// F G p and G F p as they are usually drawn, the first of which has to guess; "p at even places"; and
/// an automaton with two sets that is neither deterministic nor weak.
#[test]
fn known_languages() {
    let p = || Label::literal(0, true);
    let not_p = || Label::literal(0, false);
    let mark = Marks::one(0);
    let mut fg = one_proposition(1, 2);
    fg.add_edge(0, Label::True, Marks::NONE, 0);
    fg.add_edge(0, p(), Marks::NONE, 1);
    fg.add_edge(1, p(), mark, 1);
    let mut gf = one_proposition(1, 1);
    gf.add_edge(0, p(), mark, 0);
    gf.add_edge(0, not_p(), Marks::NONE, 0);
    let mut even = one_proposition(1, 2);
    even.add_edge(0, p(), mark, 1);
    even.add_edge(1, Label::True, mark, 0);
    // G F p and G F !p, where it may wait before it asks for the next one.
    let mut both = one_proposition(1, 2);
    both.add_edge(0, Label::True, Marks::NONE, 0);
    both.add_edge(0, p(), Marks::NONE, 1);
    both.add_edge(1, Label::True, Marks::NONE, 1);
    both.add_edge(1, not_p(), mark, 0);
    // The same, where p and !p must be neighbours: it has to guess which p is the last.
    let mut neighbours = both.clone();
    neighbours.edges[1].remove(0);
    // Where they must be neighbours, and p is alone.
    let mut alone = neighbours.clone();
    alone.edges[0][0].label = not_p();
    for (automaton, expected) in [
        (&fg, Stuttering::Closed),
        (&gf, Stuttering::Closed),
        (&even, Stuttering::Open),
        (&both, Stuttering::Closed),
        (&neighbours, Stuttering::Unknown),
        (&alone, Stuttering::Open),
    ] {
        assert_eq!(of_language(automaton, MOST_STATES), expected, "{}", hoa::to_string(automaton));
    }
    // Nothing is said of what is too large.
    assert_eq!(of_language(&both, 1), Stuttering::Unknown);
    assert_eq!(of_language(&twisted(&fg, 3), MOST_STATES), Stuttering::Closed);
}
