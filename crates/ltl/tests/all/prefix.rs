//! Beginnings of words that decide about a formula, against the evaluator on whole words.

use lariat_ltl::eval::{self, Word};
use lariat_ltl::prefix::decided_after;
use lariat_ltl::random::{self, Rng, Shape};
use lariat_ltl::syntax::{ParseOptions, Printer, parse};
use lariat_ltl::{Formulas, Ltl};

fn propositions() -> Formulas {
    let mut all = Formulas::new();
    for i in 0..3 {
        all.ap(&format!("p{i}"));
    }
    all
}

/// The first letters of a word.
fn first(word: &Word, count: usize) -> Vec<eval::Letter> {
    let round = word.letters.len() - word.loop_start;
    let at = |i: usize| match i < word.letters.len() {
        true => i,
        false => word.loop_start + (i - word.letters.len()) % round,
    };
    (0..count).map(|i| word.letters[at(i)].clone()).collect()
}

/// However the word goes on.
#[test]
fn every_continuation_agrees() {
    let seed = 21;
    let mut rng = Rng::new(seed);
    let mut all = propositions();
    let mut decided = 0;
    for _ in 0..20_000 {
        let shape = Shape { propositions: 3, size: 2 + rng.below(10), next: rng.coin() };
        let f = random::formula(&mut all, &mut rng, shape);
        let word = random::word(&mut rng, 3, 4, 4);
        let holds = eval::holds(&all, f, &word);
        assert_eq!(decided_after(&all, f, &word, !holds), None, "seed {seed}");
        let Some(count) = decided_after(&all, f, &word, holds) else { continue };
        decided += 1;
        for _ in 0..20 {
            let mut letters = first(&word, count);
            let rest = random::word(&mut rng, 3, 4, 4);
            let loop_start = count + rest.loop_start;
            letters.extend(rest.letters);
            let other = Word { letters, loop_start };
            let text = || Printer::new(&all).text(f);
            assert_eq!(eval::holds(&all, f, &other), holds, "seed {seed}: {} on {other:?}", text());
        }
    }
    assert!(decided > 5_000, "{decided}");
}

/// Every violation of a safety formula is seen, and every word of a guarantee formula.
#[test]
fn safety_is_decided_by_a_beginning() {
    let seed = 22;
    let mut rng = Rng::new(seed);
    let mut all = propositions();
    let mut seen = 0;
    for _ in 0..20_000 {
        let shape = Shape { propositions: 3, size: 2 + rng.below(10), next: rng.coin() };
        let f = random::formula(&mut all, &mut rng, shape);
        let word = random::word(&mut rng, 3, 4, 4);
        let (classes, holds) = (all.classes(f), eval::holds(&all, f, &word));
        if classes.safety() && !holds || classes.guarantee() && holds {
            seen += 1;
            let text = || Printer::new(&all).text(f);
            let count = decided_after(&all, f, &word, holds);
            assert!(count.is_some(), "seed {seed}: {} on {word:?}", text());
        }
    }
    assert!(seen > 2_000, "{seen}");
}

#[test]
fn as_few_letters_as_possible() {
    let mut all = propositions();
    let mut count = |text: &str, truth: &[&str], loop_start: usize| {
        let parsed = parse(&mut all, text, ParseOptions::default()).expect("a formula");
        let letter = |set: &&str| {
            let mut letter = eval::Letter::default();
            set.chars().for_each(|ap| letter.set(ap.to_digit(10).expect("a digit")));
            letter
        };
        let word = Word { letters: truth.iter().map(letter).collect(), loop_start };
        let f: Ltl = parsed.formula;
        decided_after(&all, f, &word, false)
    };
    assert_eq!(count("[] p0", &["0", "0", "", "0"], 3), Some(3));
    assert_eq!(count("[] p0", &[""], 0), Some(1));
    // The loop is gone round more than once.
    assert_eq!(count("[] (p0 -> X X X p1)", &["0"], 0), Some(4));
    assert_eq!(count("[] (p0 -> X (!p1 W p2))", &["1", "0"], 0), Some(3));
    // Not by safety alone, but the part that is safety is broken.
    assert_eq!(count("[] p0 && <> p1", &["0", ""], 1), Some(2));
    assert_eq!(count("[] <> p0", &[""], 0), None);
    assert_eq!(count("<> p0", &[""], 0), None);
}
