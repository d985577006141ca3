//! A hundred texts that are no formulas: each message names the place.

use lariat_ltl::Formulas;
use lariat_ltl::syntax::{Atoms, Dialect, ParseOptions, parse};

/// The text, the byte where the complaint begins, and a piece of the message.
const TABLE: &[(&str, usize, &str)] = &[
    ("", 0, "nothing at all"),
    ("   ", 3, "nothing at all"),
    ("(", 1, "end of the formula"),
    (")", 0, "expected a proposition"),
    ("()", 2, "end of the formula"),
    ("(a", 0, "never closed"),
    ("a)", 1, "closes nothing"),
    ("((a)", 0, "never closed"),
    ("(a))", 3, "closes nothing"),
    ("(a b)", 3, "expected an operator or `)`"),
    ("a b", 2, "expected an operator or the end"),
    ("a !b", 2, "expected an operator or the end"),
    ("!", 1, "end of the formula"),
    ("!!", 2, "end of the formula"),
    ("a &", 3, "end of the formula"),
    ("& a", 0, "found `&`"),
    ("a & & b", 4, "found `&`"),
    ("a | | b", 4, "found `|`"),
    ("a && || b", 5, "found `||`"),
    ("|| a", 0, "found `||`"),
    ("a ||", 4, "end of the formula"),
    ("a ->", 4, "end of the formula"),
    ("-> a", 0, "found `->`"),
    ("a -> -> b", 5, "found `->`"),
    ("a <-> ", 6, "end of the formula"),
    ("<-> a", 0, "found `<->`"),
    ("a => ", 5, "end of the formula"),
    ("a xor", 5, "end of the formula"),
    ("xor a", 0, "found `xor`"),
    ("a ^", 3, "end of the formula"),
    ("a U", 3, "end of the formula"),
    ("U a", 0, "found `U`"),
    ("a U U b", 4, "found `U`"),
    ("a W", 3, "end of the formula"),
    ("a R", 3, "end of the formula"),
    ("a M", 3, "end of the formula"),
    ("a V", 3, "end of the formula"),
    ("W b", 0, "found `W`"),
    ("R b", 0, "found `R`"),
    ("M b", 0, "found `M`"),
    ("V b", 0, "found `V`"),
    ("X", 1, "end of the formula"),
    ("G", 1, "end of the formula"),
    ("F", 1, "end of the formula"),
    ("XX", 2, "end of the formula"),
    ("[]", 2, "end of the formula"),
    ("<>", 2, "end of the formula"),
    ("[] <>", 5, "end of the formula"),
    ("[] & a", 3, "found `&`"),
    ("a [] b", 2, "expected an operator or the end"),
    ("a <> b", 2, "expected an operator or the end"),
    ("G[2] a", 0, "bounded operators"),
    ("F[1:3] a", 0, "bounded operators"),
    ("X[3] a", 0, "bounded operators"),
    ("G[2:] a", 0, "bounded operators"),
    ("F[", 0, "bounded operators"),
    ("a U[2] b", 3, "an expression of a model"),
    ("G[!] a", 0, "only X has a strong form"),
    ("F[!] a", 0, "only X has a strong form"),
    ("{a;b}", 0, "braces"),
    ("a & {b}", 4, "braces"),
    ("a }", 2, "braces"),
    ("2", 0, "no truth value"),
    ("a & 42", 4, "no truth value"),
    ("1a", 0, "no truth value"),
    ("\"", 0, "never closed"),
    ("\"a", 0, "never closed"),
    ("a & \"b", 4, "never closed"),
    ("\"\"", 0, "needs a name"),
    ("\"  \"", 0, "needs a name"),
    ("\"a\\\"", 0, "never closed"),
    ("a b U c", 2, "expected an operator or the end"),
    ("a < 4", 2, "an expression of a model"),
    ("a == b", 2, "an expression of a model"),
    ("x + 1", 2, "an expression of a model"),
    ("P[0]@L", 1, "an expression of a model"),
    ("a, b", 1, "no meaning here"),
    ("a; b", 1, "no meaning here"),
    ("a $ b", 2, "no meaning here"),
    ("a ? b : c", 2, "no meaning here"),
    ("`a`", 0, "no meaning here"),
    ("'a'", 0, "no meaning here"),
    ("a \\ b", 2, "no meaning here"),
    ("a # b", 2, "no meaning here"),
    ("é", 0, "no meaning here"),
    ("a ∧", 5, "end of the formula"),
    ("∨ a", 0, "found `∨`"),
    ("¬", 2, "end of the formula"),
    ("a\u{7}", 1, "no meaning here"),
    ("always", 6, "end of the formula"),
    ("eventually", 10, "end of the formula"),
    ("a until", 7, "end of the formula"),
    ("until a", 0, "found `until`"),
    ("a weakuntil", 11, "end of the formula"),
    ("a release", 9, "end of the formula"),
    ("a implies", 9, "end of the formula"),
    ("a equivalent", 12, "end of the formula"),
    ("implies", 0, "found `implies`"),
    ("next", 4, "end of the formula"),
    ("a & (b | (c U d)", 4, "never closed"),
    ("G(a -> F(b)", 1, "never closed"),
    ("true false", 5, "expected an operator or the end"),
    ("a true", 2, "expected an operator or the end"),
    ("0 1", 2, "expected an operator or the end"),
];

#[test]
fn each_message_names_the_place() {
    assert!(TABLE.len() >= 100, "{}", TABLE.len());
    for &(text, start, piece) in TABLE {
        let error = parse(&mut Formulas::new(), text, ParseOptions::default())
            .expect_err(&format!("`{text}` is no formula"));
        assert_eq!(error.span.start, start, "`{text}`: {error}");
        assert!(error.message.contains(piece), "`{text}`: {error}");
        let shown = error.render(text, "file", 7);
        assert!(shown.contains("--> file:7:") && shown.contains('^'), "{shown}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for text in [
        "(".repeat(100_000),
        format!("{}a", "!".repeat(100_000)),
        format!("{}a", "X ".repeat(100_000)),
        format!("{}a{}", "(".repeat(5_000), ")".repeat(5_000)),
        format!("a{}", " U a W b".repeat(5_000)),
        format!("{}a", "a -> ".repeat(5_000)),
    ] {
        for dialect in [Dialect::Spin, Dialect::Spot] {
            let options = ParseOptions { dialect, ..ParseOptions::default() };
            // Double negations vanish, so not each of them is too deep.
            if let Err(error) = parse(&mut Formulas::new(), &text, options) {
                assert!(error.message.contains("deep") || error.message.contains("end"), "{error}");
            }
        }
    }
}

#[test]
fn model_expressions() {
    let options = ParseOptions { dialect: Dialect::Spin, atoms: Atoms::Model };
    for (text, atoms) in [
        ("[] (x < 4 -> <> P[0]@L)", &["x < 4", "P[0]@L"][..]),
        (
            "[] ( !P@L || P:l <= 1) && ([]<> (P[0]@L)) && (len(c) == 0)",
            &["P@L", "P:l <= 1", "P[0]@L", "len(c) == 0"],
        ),
        ("((x + 1) < 5) U (b[0] == 0)", &["(x + 1) < 5", "b[0] == 0"]),
        ("[] (q -> <> !q)", &["q", "q"]),
        ("x == -1 U y", &["x == -1", "y"]),
        ("always (x == 0 implies (x == 0 weakuntil x == 1))", &["x == 0", "x == 0", "x == 1"]),
        ("[] empty(c) && x & 3 == 1", &["empty(c)", "x & 3 == 1"]),
        ("[] (a[i + (j)] != !b)", &["a[i + (j)] != !b"]),
        ("[] true", &[]),
        ("<> (1 && G)", &["G"]),
    ] {
        let mut all = Formulas::new();
        let parsed = parse(&mut all, text, options).expect(text);
        let found: Vec<&str> = parsed.atoms.iter().map(|atom| &text[atom.span.clone()]).collect();
        assert_eq!(found, atoms, "{text}");
        for atom in &parsed.atoms {
            assert_eq!(all.ap_names()[atom.ap as usize], text[atom.span.clone()].trim());
        }
    }
    for text in ["x <", "[] (x + )", "(x", "x + U y", "a[1", "f(1"] {
        assert!(parse(&mut Formulas::new(), text, options).is_err(), "{text}");
    }
}
