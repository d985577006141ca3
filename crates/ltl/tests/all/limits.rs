//! Formulas whose automata explode are given up, in little time and memory.

use lariat_ltl::Formulas;
use lariat_ltl::syntax::{ParseOptions, parse};
use lariat_ltl::translate::{Options, Translator};

fn joined(count: usize, with: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(with)
}

#[test]
fn explosions_are_stopped() {
    let window = "X".repeat(24);
    let nested = (1..16).fold("a0".to_owned(), |f, i| format!("({f}) U a{i}"));
    for text in [
        // Many states.
        format!("G(a <-> {window} b)"),
        nested,
        // Few states, many edges: the parity of letters, promises that are made or not.
        format!("G({})", joined(20, " xor ", |i| format!("{} a", "X ".repeat(i)))),
        format!("!({})", joined(14, " & ", |i| format!("G(a{i} -> F b{i})"))),
    ] {
        let mut all = Formulas::new();
        let f = parse(&mut all, &text, ParseOptions::default()).expect("a formula").formula;
        let options = Options { max_states: 500, ..Options::default() };
        assert!(Translator::new(options).translate(&mut all, f).is_err(), "{text}");
    }
}
