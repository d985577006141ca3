//! Any text: no panic and no hang; what is read is printed and read back as the same; the
//! automaton of a small formula agrees with the evaluator on a few words.
#![no_main]

use lariat_ltl::random::{self, Rng};
use lariat_ltl::syntax::{Atoms, Dialect, ParseOptions, Printer, parse};
use lariat_ltl::translate::{Options, Translator};
use lariat_ltl::{Formulas, eval, membership, never};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = never::read(&text) {
        assert!(error.render(&text, "fuzz", 1).contains("--> fuzz:"));
    }
    for dialect in [Dialect::Auto, Dialect::Spin, Dialect::Spot] {
        for atoms in [Atoms::Names, Atoms::Model] {
            let mut all = Formulas::new();
            match parse(&mut all, &text, ParseOptions { dialect, atoms }) {
                Err(error) => assert!(error.render(&text, "fuzz", 1).contains("--> fuzz:")),
                Ok(parsed) => check(&mut all, parsed.formula),
            }
        }
    }
});

fn check(all: &mut Formulas, f: lariat_ltl::Ltl) {
    let printed = Printer::new(all).text(f);
    let options = ParseOptions { dialect: Dialect::Spot, ..ParseOptions::default() };
    let back = parse(all, &printed, options).expect("what is printed can be read");
    assert_eq!(back.formula, f, "{printed}");
    if all.subformulas(f).len() > 16 || all.ap_names().len() > 5 {
        return;
    }
    let options = Options { max_states: 300, ..Options::default() };
    let Ok(done) = Translator::new(options).translate(all, f) else { return };
    let mut rng = Rng::new(1);
    for _ in 0..4 {
        let word = random::word(&mut rng, all.ap_names().len(), 3, 3);
        let truth = eval::holds(all, f, &word);
        assert_eq!(membership::accepts(&done.automaton, all, &word), truth, "{printed}");
    }
}
