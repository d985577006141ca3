//! Reading and printing.

use lariat_ltl::random::{self, Rng, Shape};
use lariat_ltl::syntax::{Atoms, Dialect, ParseOptions, Printer, parse};
use lariat_ltl::{Formulas, Ltl, eval};

fn read(all: &mut Formulas, text: &str, dialect: Dialect) -> Ltl {
    let options = ParseOptions { dialect, ..ParseOptions::default() };
    match parse(all, text, options) {
        Ok(parsed) => parsed.formula,
        Err(error) => panic!("{}", error.render(text, "test", 1)),
    }
}

#[test]
fn printed_formulas_are_read_back() {
    let mut rng = Rng::new(20);
    let mut all = Formulas::new();
    all.ap("x < 4");
    all.ap("say \"hi\" \\");
    for _ in 0..5000 {
        let shape = Shape { propositions: 3, size: 1 + rng.below(20), next: true };
        let f = random::formula(&mut all, &mut rng, shape);
        let quoted = all.ap(if rng.coin() { "x < 4" } else { "say \"hi\" \\" });
        let f = all.until(quoted, f);
        for explicit in [false, true] {
            let with = |printer: Printer<'_>| {
                if explicit { printer.explicit().text(f) } else { printer.text(f) }
            };
            let spot = with(Printer::new(&all));
            assert_eq!(read(&mut all, &spot, Dialect::Spot), f, "{spot}");
            let spin = with(Printer::new(&all).dialect(Dialect::Spin));
            let back = read(&mut all, &spin, Dialect::Spin);
            // Spin has no xor and no M: there the meaning is the same.
            if spot.contains("xor") || spot.contains(" M ") {
                for _ in 0..3 {
                    let word = random::word(&mut rng, 5, 3, 3);
                    assert_eq!(eval::holds(&all, f, &word), eval::holds(&all, back, &word));
                }
            } else {
                assert_eq!(back, f, "{spin}");
            }
        }
    }
}

#[test]
fn both_dialects_say_the_same() {
    for (spin, spot) in [
        ("[] (p -> <> q)", "G(p => F q)"),
        ("[]<>p && <>[]q", "GFp & FGq"),
        ("always (p implies eventually q)", "G(p -> Fq)"),
        ("(p until q) || (p weakuntil q)", "(p U q) | (p W q)"),
        ("p V q", "p R q"),
        ("p release q", "p R q"),
        ("X p equivalent !q", "Xp <-> ~q"),
        ("next p", "X[!] p"),
        ("true U false", "1 U 0"),
        ("a /\\ b \\/ c", "a & b | c"),
        ("[] a U b", "(Ga) U b"),
        ("! a U b", "(!a) U b"),
        ("a && b U c || d", "(a & (b U c)) | d"),
        ("□(p → ◇q)", "G(p -> F q)"),
    ] {
        let mut all = Formulas::new();
        let a = read(&mut all, spin, Dialect::Spin);
        let b = read(&mut all, spot, Dialect::Spot);
        assert_eq!(a, b, "{spin} and {spot}");
        assert_eq!(read(&mut all, spin, Dialect::Auto), a);
    }
}

#[test]
fn different_readings_are_told() {
    // As `spin -a` shows for an `ltl` block, and as Spot documents.
    for (text, spin, spot) in [
        ("a U b U c", "(a U b) U c", "a U (b U c)"),
        ("a -> b -> c", "(a -> b) -> c", "a -> (b -> c)"),
        ("a W b W c", "(a W b) W c", "a W (b W c)"),
        ("a -> b <-> c", "(a -> b) <-> c", "a -> (b <-> c)"),
    ] {
        for (dialect, expected) in [(Dialect::Spin, spin), (Dialect::Spot, spot)] {
            let mut all = Formulas::new();
            let options = ParseOptions { dialect, ..ParseOptions::default() };
            let parsed = parse(&mut all, text, options).expect(text);
            assert_eq!(parsed.formula, read(&mut all, expected, dialect), "{text}");
            assert_eq!(parsed.warnings.len(), 1, "{text}");
            let plain = parse(&mut all, expected, options).expect(expected);
            assert!(plain.warnings.is_empty(), "{expected}");
        }
    }
}

#[test]
fn letters_are_split_off_as_spot_does() {
    let mut all = Formulas::new();
    let split = read(&mut all, "GFp1", Dialect::Spot);
    let p1 = all.ap("p1");
    let finally = all.finally(p1);
    assert_eq!(split, all.globally(finally));
    // For Spin it is a name; so is a letter with a digit for Spot.
    assert_eq!(read(&mut all, "GFp1", Dialect::Spin), all.ap("GFp1"));
    assert_eq!(read(&mut all, "X0", Dialect::Spot), all.ap("X0"));
}

/// Found by fuzzing: a line break inside an expression of the model's language.
#[test]
fn expressions_over_several_lines_are_one_name() {
    let mut all = Formulas::new();
    let options = ParseOptions { dialect: Dialect::Spin, atoms: Atoms::Model };
    let f = parse(&mut all, "[] (x\n  < 4)", options).expect("a formula").formula;
    assert_eq!(all.ap_names(), ["x < 4"]);
    let printed = Printer::new(&all).text(f);
    assert_eq!(parse(&mut all, &printed, ParseOptions::default()).expect("it reads").formula, f);
}

/// Found by fuzzing: a backslash does not carry a name over the end of its line.
#[test]
fn quoted_names_end_on_their_line() {
    let error = parse(&mut Formulas::new(), "\"a\\\nb\"", ParseOptions::default());
    assert!(error.is_err_and(|error| error.message.contains("never closed")));
}
