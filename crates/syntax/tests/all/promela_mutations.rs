//! Micro-models with tokens dropped, doubled, swapped and replaced: the parser must
//! neither panic nor hang, each error has a place, and what is accepted prints to a model that
//! is accepted. `LARIAT_MUTATIONS=N` sets how many; the seed is printed with a failure.

use fastrand::Rng;
use lariat_syntax::diagnostics::{SourceMap, render};
use lariat_syntax::promela::ast::Program;
use lariat_syntax::promela::{CppOptions, parse, print};
use lariat_testing::{PROMELA, corpus, facts, files};
use std::path::PathBuf;

/// Words, runs of other characters one by one.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let length = rest.find(|c| !word(c)).filter(|&length| length > 0);
        let length = if word(first) { length.unwrap_or(rest.len()) } else { first.len_utf8() };
        pieces.push(&rest[..length]);
        rest = &rest[length..];
    }
    pieces
}

const SPICE: &[&str] = &[
    "\n",
    ";",
    "->",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "::",
    " if ",
    " fi ",
    " do ",
    " od ",
    " else ",
    " unless ",
    " atomic ",
    " L: ",
    " byte ",
    "eval(",
    " ..",
    " select (i : 1 .. 3)",
    " for (i : 1 .. 2) {",
    "\n#define N ",
    "\n#define f(a) a a\n",
    "\n#if 1\n",
    "\n#endif\n",
    "\n#else\n",
    "N",
    "f(",
    "\\\n",
    "'",
    "\"",
    "/*",
    "*/",
    "//",
    "##",
    "#",
    " inline g(a) { a = 1 } ",
    " g(x) ",
    " return ",
    " typedef T { byte a } ",
    " T t; ",
    " run P() ",
    "@",
    "!",
    "?",
    "!!",
    "??",
    "c_code { x }",
    " ltl { ",
    "é",
    "\0",
    "99999999999",
    "P:x",
];

fn mutate(text: &str, random: &mut Rng) -> String {
    let mut pieces = pieces(text);
    for _ in 0..random.usize(1..=4) {
        if pieces.is_empty() {
            break;
        }
        let at = random.usize(..pieces.len());
        match random.usize(..6) {
            0 | 1 => drop(pieces.remove(at)),
            2 => pieces.insert(at, SPICE[random.usize(..SPICE.len())]),
            3 => pieces[at] = SPICE[random.usize(..SPICE.len())],
            4 => {
                let other = random.usize(..pieces.len());
                pieces.swap(at, other);
            }
            _ => {
                let end = (at + random.usize(..30)).min(pieces.len());
                let copy = pieces[at..end].to_vec();
                let to = random.usize(..pieces.len());
                pieces.splice(to..to, copy);
            }
        }
    }
    pieces.concat()
}

fn read(text: &str) -> (Option<Program>, String) {
    let mut sources = SourceMap::new();
    let root = sources.add("mutant", text);
    let parsed = parse(&mut sources, root, &CppOptions::default());
    let mut messages = String::new();
    for diagnostic in &parsed.diagnostics {
        let message = render(&sources, diagnostic, false);
        assert!(message.contains("--> "), "no place: {message}");
        messages.push_str(&message);
    }
    (parsed.program, messages)
}

#[test]
fn mutants_never_hang_or_panic() {
    mutate_all(&facts("promela", 278));
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn mutants_of_the_corpus_never_hang_or_panic() {
    mutate_all(&files(&corpus(), PROMELA));
}

fn mutate_all(paths: &[PathBuf]) {
    let mut texts = Vec::new();
    for path in paths {
        let bytes = std::fs::read(path).expect("a model");
        if bytes.len() < 8000 {
            texts.push(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    let count = std::env::var("LARIAT_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let mut accepted = 0;
    for seed in 0..count {
        let mut random = Rng::with_seed(seed);
        let mutant = mutate(&texts[random.usize(..texts.len())], &mut random);
        let outcome = std::panic::catch_unwind(|| {
            let (program, _) = read(&mutant);
            let Some(program) = program else { return false };
            let printed = print(&program);
            let (again, messages) = read(&printed);
            let Some(again) = again else { panic!("{messages}\n{printed}") };
            let plain = print(&again);
            assert_eq!(read(&plain).0.map(|last| print(&last)).as_ref(), Some(&plain));
            true
        });
        let Ok(ok) = outcome else { panic!("seed {seed}:\n{mutant}") };
        accepted += usize::from(ok);
    }
    println!("{accepted} of {count} mutants accepted");
    assert!(accepted > count as usize / 20);
}
