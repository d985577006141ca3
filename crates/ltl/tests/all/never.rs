//! Never claims: written, read back, and as other tools print them.

use lariat_automata::classify;
use lariat_ltl::random::{self, Rng, Shape};
use lariat_ltl::syntax::{ParseOptions, Printer, parse};
use lariat_ltl::translate::{Options, Translator};
use lariat_ltl::{Formulas, eval, membership, never};

#[test]
fn a_claim_read_back_is_the_same_automaton() {
    let mut rng = Rng::new(30);
    let mut all = Formulas::new();
    let mut translator = Translator::new(Options::default().buchi(true));
    for _ in 0..1500 {
        let shape = Shape { propositions: 3, size: 2 + rng.below(10), next: true };
        let f = random::formula(&mut all, &mut rng, shape);
        let written = translator.translate(&mut all, f).expect("small").automaton;
        let text = never::write(&written, &Printer::new(&all).text(f)).expect("a Büchi automaton");
        let back = never::read(&text).unwrap_or_else(|e| panic!("{}", e.render(&text, "claim", 1)));
        assert_eq!(back.state_count(), written.state_count(), "{text}");
        assert_eq!(back.edge_count(), written.edge_count(), "{text}");
        let (a, b) = (classify(&written), classify(&back));
        assert_eq!((a.terminal, a.deterministic), (b.terminal, b.deterministic), "{text}");
        for _ in 0..10 {
            let word = random::word(&mut rng, 3, 4, 4);
            let truth = eval::holds(&all, f, &word);
            assert_eq!(membership::accepts(&back, &all, &word), truth, "{text} {word:?}");
        }
    }
}

/// What `spin -f` prints for `[] (a -> <> b)`, `a U b`, `[] a` and `a && !a`; what Spot
/// prints for `a U b`.
#[test]
fn claims_of_other_tools() {
    let claims = [
        (
            "G(a -> F b)",
            "never  {    /* [] (a -> <> b) */\nT0_init:\n\tdo\n\t:: ((! ((a)) || (b))) -> goto accept_S20\n\t:: (1) -> goto T0_S27\n\tod;\naccept_S20:\n\tdo\n\t:: ((! ((a)) || (b))) -> goto T0_init\n\t:: (1) -> goto T0_S27\n\tod;\naccept_S27:\n\tdo\n\t:: ((b)) -> goto T0_init\n\t:: (1) -> goto T0_S27\n\tod;\nT0_S27:\n\tdo\n\t:: ((b)) -> goto accept_S20\n\t:: (1) -> goto T0_S27\n\t:: ((b)) -> goto accept_S27\n\tod;\n}\n",
        ),
        (
            "a U b",
            "never  {    /* a U b */\nT0_init:\n\tdo\n\t:: atomic { ((b)) -> assert(!((b))) }\n\t:: ((a)) -> goto T0_init\n\tod;\naccept_all:\n\tskip\n}\n",
        ),
        (
            "G a",
            "never  {    /* [] a */\naccept_init:\nT0_init:\n\tdo\n\t:: ((a)) -> goto T0_init\n\tod;\n}\n",
        ),
        (
            "a & !a",
            "never  {    /* a && !a */\naccept_init:\nT0_init:\n\tdo\n\t:: atomic { (false) -> assert(!(false)) }\n\tod;\naccept_all:\n\tskip\n}\n",
        ),
        (
            "a U b",
            "never { /* a U b */\nT0_init:\n  if\n  :: (b) -> goto accept_all\n  :: ((a) && (!(b))) -> goto T0_init\n  fi;\naccept_all:\n  skip\n}\n",
        ),
    ];
    let mut rng = Rng::new(31);
    for (formula, claim) in claims {
        let mut all = Formulas::new();
        all.ap("a");
        all.ap("b");
        let f = parse(&mut all, formula, ParseOptions::default()).expect(formula).formula;
        let read = never::read(claim).unwrap_or_else(|e| panic!("{}", e.render(claim, "claim", 1)));
        for _ in 0..200 {
            let word = random::word(&mut rng, 2, 3, 3);
            let truth = eval::holds(&all, f, &word);
            assert_eq!(membership::accepts(&read, &all, &word), truth, "{formula} {word:?}");
        }
    }
}

#[test]
fn bad_claims_are_located() {
    for (text, start, piece) in [
        ("", 0, "`never`"),
        ("never {", 7, "found"),
        ("never { a: if :: (x -> goto a fi }", 17, "condition"),
        ("never { a: if :: (x) -> goto b fi }", 29, "no label `b`"),
        ("never { a: if :: (x) -> goto a fi; a: skip }", 35, "defined twice"),
        ("never { a: if :: (x &&) -> goto a fi }", 22, "expected"),
        ("never { a: if :: ([] x) -> goto a fi }", 17, "other moments"),
        ("never { a: jump }", 11, "`if`, `do`"),
        ("never { a: skip } x", 18, "nothing more"),
        ("never { /* a: skip }", 8, "never closed"),
    ] {
        let error = never::read(text).expect_err(text);
        assert!(error.message.contains(piece), "{text}: {error}");
        assert_eq!(error.span.start, start, "{text}: {error}");
    }
}

/// Found by fuzzing: a keyword's length may end inside a character of another text.
#[test]
fn other_alphabets_are_refused_not_fatal() {
    for text in ["\u{fffd}\u{fffd}\n", "né", "never é {", "never { é }", "never { do :: é od }"]
    {
        assert!(never::read(text).is_err(), "{text}");
    }
}
