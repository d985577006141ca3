//! Automata against the evaluator that knows no automata, on random formulas and words.

use lariat_ltl::random::{self, Rng, Shape};
use lariat_ltl::simplify::SimplifyOptions;
use lariat_ltl::syntax::Printer;
use lariat_ltl::translate::{Level, Options, Translator};
use lariat_ltl::{Formulas, eval, membership};

fn compare(seed: u64, formulas: usize, words: usize, options: Options) {
    let mut rng = Rng::new(seed);
    let mut all = Formulas::new();
    for i in 0..3 {
        all.ap(&format!("p{i}"));
    }
    let mut translator = Translator::new(options);
    for _ in 0..formulas {
        let shape = Shape { propositions: 3, size: 2 + rng.below(14), next: rng.coin() };
        let f = random::formula(&mut all, &mut rng, shape);
        let done = translator.translate(&mut all, f).expect("small formulas");
        for _ in 0..words {
            let word = random::word(&mut rng, 3, 4, 4);
            let expected = eval::holds(&all, f, &word);
            let text = || Printer::new(&all).text(f);
            let simplified = || Printer::new(&all).text(done.simplified);
            assert_eq!(
                eval::holds(&all, done.simplified, &word),
                expected,
                "seed {seed}: {} simplified to {} on {word:?}",
                text(),
                simplified()
            );
            assert_eq!(
                membership::accepts(&done.automaton, &all, &word),
                expected,
                "seed {seed}: automaton of {} ({}) on {word:?}",
                text(),
                simplified()
            );
        }
    }
}

#[test]
fn high() {
    compare(1, 3000, 12, Options::new(Level::High));
    compare(2, 3000, 12, Options::new(Level::High).buchi(true));
}

#[test]
fn medium_and_low() {
    for (seed, level) in [(3, Level::Medium), (4, Level::Low)] {
        compare(seed, 1500, 12, Options::new(level));
        compare(seed, 1500, 12, Options::new(level).buchi(true));
    }
}

#[test]
fn each_step_by_itself() {
    let none = Options {
        simplify: SimplifyOptions::NONE,
        by_letter: false,
        prune: false,
        forward_simulation: false,
        backward_simulation: false,
        minimise_obligations: false,
        ..Options::default()
    };
    compare(10, 800, 12, none);
    compare(11, 800, 12, Options { by_letter: true, ..none });
    compare(12, 800, 12, Options { prune: true, ..none });
    compare(13, 800, 12, Options { forward_simulation: true, ..none });
    compare(14, 800, 12, Options { backward_simulation: true, ..none });
    compare(15, 800, 12, Options { minimise_obligations: true, ..none });
    for buchi in [false, true] {
        let simplify = SimplifyOptions { basic: true, ..SimplifyOptions::NONE };
        compare(16, 800, 12, Options { simplify, buchi, ..none });
        let simplify = SimplifyOptions { eventual_universal: true, ..SimplifyOptions::NONE };
        compare(17, 800, 12, Options { simplify, buchi, ..none });
        let simplify = SimplifyOptions { implication: true, ..SimplifyOptions::NONE };
        compare(18, 800, 12, Options { simplify, buchi, ..none });
    }
}
