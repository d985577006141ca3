//! What the beginning of a word says about a formula, however the word goes on.
//!
//! Kleene's three-valued logic: behind the last letter everything is unknown, and an operator
//! is true (false) if it is so whatever its unknown operands are. By induction over the formula,
//! what is true (false) of some letters is true (false) of every word that begins with them; and
//! more letters never take an answer back. Every violation of a syntactic safety formula is
//! found this way (its prefix is informative: Kupferman and Vardi, "Model checking of safety
//! properties", 2001), and so is any other violation that the operators themselves decide.

use crate::eval::{Letter, Word};
use crate::formula::{Binary, Formulas, Ltl, Node};
use rustc_hash::FxHashMap;

/// Letters beyond the word itself that are looked at, going round its loop.
const MOST_LETTERS: usize = 1 << 20;

/// How many letters of `word` suffice for `f` to be `wanted` on every word that begins with
/// them; `None` if no number does.
pub fn decided_after(all: &Formulas, f: Ltl, word: &Word, wanted: bool) -> Option<usize> {
    let (length, round) = (word.letters.len(), word.letters.len() - word.loop_start);
    // An operator waits for at most one round more than its operands.
    let rounds = all.subformulas(f).len();
    let most = length + rounds.saturating_mul(round).min(MOST_LETTERS);
    let letter = |at: usize| match at < length {
        true => &word.letters[at],
        false => &word.letters[word.loop_start + (at - length) % round],
    };
    let letters: Vec<&Letter> = (0..most).map(letter).collect();
    let is_decided = |count: usize| decided(all, f, &letters[..count]) == Some(wanted);
    if !is_decided(most) {
        return None;
    }
    // More letters never take an answer back.
    let (mut few, mut enough) = (0, most);
    while enough - few > 1 {
        let middle = few + (enough - few) / 2;
        if is_decided(middle) { enough = middle } else { few = middle }
    }
    Some(enough)
}

/// The truth of `f` on all words that begin with `letters`, if they agree for a reason that
/// this logic sees.
pub fn decided(all: &Formulas, f: Ltl, letters: &[&Letter]) -> Option<bool> {
    let count = letters.len();
    let mut truth: FxHashMap<Ltl, Vec<Option<bool>>> = FxHashMap::default();
    for g in all.subformulas(f) {
        let value = |h: &Ltl| &truth[h];
        let at_each = |at: &dyn Fn(usize) -> Option<bool>| (0..count).map(at).collect::<Vec<_>>();
        let row = match all.node(g) {
            Node::False => vec![Some(false); count],
            Node::True => vec![Some(true); count],
            Node::Ap(ap) => at_each(&|i| Some(letters[i].holds(*ap))),
            Node::Not(a) => at_each(&|i| not(value(a)[i])),
            Node::Next(a) => at_each(&|i| value(a).get(i + 1).copied().flatten()),
            Node::Finally(a) => backwards(count, |i, later| or(value(a)[i], later)),
            Node::Globally(a) => backwards(count, |i, later| and(value(a)[i], later)),
            Node::And(parts) => {
                at_each(&|i| parts.iter().map(|part| value(part)[i]).reduce(and).flatten())
            }
            Node::Or(parts) => {
                at_each(&|i| parts.iter().map(|part| value(part)[i]).reduce(or).flatten())
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (value(a), value(b));
                match op {
                    Binary::Implies => at_each(&|i| or(not(a[i]), b[i])),
                    Binary::Equiv => at_each(&|i| Some(a[i]? == b[i]?)),
                    Binary::Xor => at_each(&|i| Some(a[i]? != b[i]?)),
                    Binary::Until | Binary::WeakUntil => {
                        backwards(count, |i, later| or(b[i], and(a[i], later)))
                    }
                    Binary::Release | Binary::StrongRelease => {
                        backwards(count, |i, later| and(b[i], or(a[i], later)))
                    }
                }
            }
        };
        truth.insert(g, row);
    }
    truth[&f].first().copied().flatten()
}

/// `x[i] = step(i, x[i + 1])`, unknown behind the last letter.
fn backwards(
    count: usize,
    step: impl Fn(usize, Option<bool>) -> Option<bool>,
) -> Vec<Option<bool>> {
    let mut row = vec![None; count];
    let mut later = None;
    for i in (0..count).rev() {
        later = step(i, later);
        row[i] = later;
    }
    row
}

fn not(a: Option<bool>) -> Option<bool> {
    a.map(|a| !a)
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    not(and(not(a), not(b)))
}
