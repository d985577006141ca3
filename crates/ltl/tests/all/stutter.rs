//! Stutter invariance: known cases, and random formulas against stuttered words.

use lariat_automata::stutter::twist::twisted;
use lariat_automata::stutter::{Stuttering, of_language};
use lariat_ltl::random::{self, Rng, Shape};
use lariat_ltl::syntax::{ParseOptions, Printer, parse};
use lariat_ltl::translate::{Level, Options, Translator};
use lariat_ltl::{Formulas, eval, stutter};

#[test]
fn known_formulas() {
    for (text, expected) in [
        ("G(p -> Fq)", true),
        ("Xp", false),
        ("p & Xp", false),
        ("p U X q", false),
        ("GFXp", true),
        ("G(p -> XFq)", true),
        ("F(p & X(!p & F q))", true),
        ("F(p & X(!p U q))", false),
        ("(p & X!p) | (!p & Xp) | Gp | G!p", false),
        ("F(p & X!p)", true),
        ("X(p | !p)", true),
        ("G(p -> X(p | q))", true),
    ] {
        let mut all = Formulas::new();
        let f = parse(&mut all, text, ParseOptions::default()).expect(text).formula;
        assert_eq!(stutter::is_invariant(&mut all, f, 100_000), Ok(expected), "{text}");
    }
}

#[test]
fn repeating_letters_changes_nothing_in_invariant_formulas() {
    let mut rng = Rng::new(40);
    let mut all = Formulas::new();
    let (mut invariant, mut sensitive) = (0, 0);
    for _ in 0..600 {
        let shape = Shape { propositions: 2, size: 2 + rng.below(8), next: true };
        let f = random::formula(&mut all, &mut rng, shape);
        let claimed = stutter::is_invariant(&mut all, f, 100_000).expect("small");
        let mut changed = false;
        for _ in 0..60 {
            let word = random::word(&mut rng, 2, 3, 3);
            let mut stuttered = word.clone();
            let at = rng.below(word.letters.len());
            stuttered.letters.insert(at, word.letters[at].clone());
            if at < word.loop_start {
                stuttered.loop_start += 1;
            }
            changed |= eval::holds(&all, f, &word) != eval::holds(&all, f, &stuttered);
        }
        assert!(!(claimed && changed), "{}", Printer::new(&all).text(f));
        if claimed {
            invariant += 1;
        } else {
            sensitive += changed as usize;
        }
    }
    assert!(invariant > 100 && sensitive > 100, "{invariant} {sensitive}");
}

/// The language of an automaton, as far as it is known, is what the formula says: for automata as they are
/// made, with one set of accepting states, and twisted ones.
#[test]
fn languages_of_automata() {
    let mut rng = Rng::new(41);
    let mut all = Formulas::new();
    // Of automata that are closed: how many there are, and how many are known to be.
    let (mut plain, mut buchi, mut twist) = ([0; 2], [0; 2], [0; 2]);
    for number in 0..400 {
        let next = number % 4 == 0;
        let shape = Shape { propositions: 2, size: 2 + rng.below(9), next };
        let f = random::formula(&mut all, &mut rng, shape);
        let expected = match stutter::is_invariant(&mut all, f, 100_000).expect("small") {
            true => Stuttering::Closed,
            false => Stuttering::Open,
        };
        let level = [Level::Low, Level::High][number % 2];
        let mut automaton = |buchi| {
            let options = Options::new(level).buchi(buchi);
            Translator::new(options).translate(&mut all, f).expect("small").automaton
        };
        let of_marks = automaton(false);
        for (counts, automaton) in [
            (&mut twist, twisted(&of_marks, 2 + number as u32 % 2)),
            (&mut plain, of_marks),
            (&mut buchi, automaton(true)),
        ] {
            let known = of_language(&automaton, 2_000);
            assert!(
                known == expected || known == Stuttering::Unknown,
                "{}: {known:?}, not {expected:?}",
                Printer::new(&all).text(f)
            );
            if expected == Stuttering::Closed {
                counts[0] += 1;
                counts[1] += usize::from(known == Stuttering::Closed);
            }
        }
    }
    println!("closed and known: {plain:?}, with accepting states {buchi:?}, twisted {twist:?}");
    assert!(plain[1] * 10 > plain[0] * 9 && buchi[1] * 10 > buchi[0] * 9);
    assert!(twist[1] * 2 > twist[0]);
}
