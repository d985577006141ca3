//! Stutter invariance: known cases, and random formulas against stuttered words.

use lariat_ltl::random::{self, Rng, Shape};
use lariat_ltl::syntax::{ParseOptions, Printer, parse};
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
