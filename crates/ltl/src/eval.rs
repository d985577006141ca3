//! The truth of a formula on a word, by its definition and without automata: this is what
//! automata and counterexamples are judged by.
//!
//! A lasso word has finitely many different suffixes. Each subformula gets a truth value at
//! each of them. Along the word `a U b` is the least solution of `x = b | (a & x')`, and
//! `a R b` the greatest of `x = b & (a | x')`, where x' is x one step later. Going backwards
//! twice over the loop is enough for either: the first round starts from false (true) at the
//! loop's end, the second from what the first found at the loop's start.

use crate::formula::{Binary, Formulas, Ltl, Node};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// An ultimately periodic word: `letters`, where after the last comes `letters[loop_start]`
/// again. In a letter, bit i says whether proposition i (of the arena) holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The prefix, then the loop once.
    pub letters: Vec<Letter>,
    /// Where the loop begins in `letters`.
    pub loop_start: usize,
}

/// The propositions that hold, by index.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Letter(FixedBitSet);

impl Letter {
    /// Whether the proposition of this number holds.
    pub fn holds(&self, ap: u32) -> bool {
        self.0.contains(ap as usize)
    }

    /// Makes the proposition of this number hold.
    pub fn set(&mut self, ap: u32) {
        self.0.grow_and_insert(ap as usize);
    }
}

/// Whether `word` satisfies `f`.
///
/// # Panics
/// If the loop is empty.
pub fn holds(all: &Formulas, f: Ltl, word: &Word) -> bool {
    let length = word.letters.len();
    assert!(word.loop_start < length, "a lasso word needs a loop");
    let mut truth: FxHashMap<Ltl, Vec<bool>> = FxHashMap::default();
    for g in all.subformulas(f) {
        let value = |h: &Ltl| &truth[h];
        let row: Vec<bool> = match all.node(g) {
            Node::False => vec![false; length],
            Node::True => vec![true; length],
            Node::Ap(ap) => word.letters.iter().map(|letter| letter.holds(*ap)).collect(),
            Node::Not(a) => value(a).iter().map(|&x| !x).collect(),
            Node::Next(a) => (0..length).map(|i| value(a)[following(i, word)]).collect(),
            Node::Finally(a) => fixpoint(word, false, |i, later| value(a)[i] || later),
            Node::Globally(a) => fixpoint(word, true, |i, later| value(a)[i] && later),
            Node::And(parts) => (0..length).map(|i| parts.iter().all(|p| value(p)[i])).collect(),
            Node::Or(parts) => (0..length).map(|i| parts.iter().any(|p| value(p)[i])).collect(),
            Node::Binary(op, a, b) => {
                let (a, b) = (value(a), value(b));
                match op {
                    Binary::Implies => (0..length).map(|i| !a[i] || b[i]).collect(),
                    Binary::Equiv => (0..length).map(|i| a[i] == b[i]).collect(),
                    Binary::Xor => (0..length).map(|i| a[i] != b[i]).collect(),
                    Binary::Until => fixpoint(word, false, |i, later| b[i] || a[i] && later),
                    Binary::WeakUntil => fixpoint(word, true, |i, later| b[i] || a[i] && later),
                    Binary::Release => fixpoint(word, true, |i, later| b[i] && (a[i] || later)),
                    Binary::StrongRelease => {
                        fixpoint(word, false, |i, later| b[i] && (a[i] || later))
                    }
                }
            }
        };
        truth.insert(g, row);
    }
    truth[&f][0]
}

fn following(i: usize, word: &Word) -> usize {
    if i + 1 < word.letters.len() { i + 1 } else { word.loop_start }
}

/// The least (`start` false) or greatest solution of `x[i] = step(i, x[i + 1])`.
fn fixpoint(word: &Word, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
    let length = word.letters.len();
    let mut x = vec![start; length];
    let mut later = start;
    for _ in 0..2 {
        for i in (word.loop_start..length).rev() {
            later = step(i, later);
            x[i] = later;
        }
    }
    for i in (0..word.loop_start).rev() {
        later = step(i, later);
        x[i] = later;
    }
    x
}
