//! Whether repeating letters can change the truth of a formula: Th. Michaud, A. Duret-Lutz,
//! "Practical stutter-invariance checks for ω-regular languages", SPIN 2015.
//!
//! Without X it cannot. With X: let sl(A) accept the words of A with letters repeated. The
//! language is closed under stuttering exactly if sl(A_f) and sl(A_!f) share no word: such a
//! word is a repetition of one that satisfies f and of one that does not. Automata without a formula:
//! [`lariat_automata::stutter`].

use crate::formula::{Formulas, Ltl};
use crate::translate::{Level, Options, TooLarge, Translator};
use lariat_automata::reduce::product::product;
use lariat_automata::reduce::prune::is_empty;
use lariat_automata::stutter::{letters, repeat_letters};
use lariat_automata::symbolic::{Bdd, Symbolic};

/// Whether `f` is stutter-invariant.
pub fn is_invariant(all: &mut Formulas, f: Ltl, max_states: usize) -> Result<bool, TooLarge> {
    if all.classes(f).next_free() {
        return Ok(true);
    }
    let options = Options { max_states, ..Options::new(Level::Medium) };
    let mut translator = Translator::new(options);
    let mut bdd = options.bdd();
    let simplified = translator.simplify(all, f);
    if all.classes(simplified).next_free() {
        return Ok(true);
    }
    let negated = all.not(simplified);
    let aps = all.aps_of(simplified);
    let positive = translator.symbolic(all, simplified, &aps, &mut bdd)?;
    let negated = translator.simplify(all, negated);
    let negative = translator.symbolic(all, negated, &aps, &mut bdd)?;
    let both = repeated(&positive, &negative, max_states, &mut bdd);
    if bdd.exhausted() {
        return Err(TooLarge::exhausted(&bdd));
    }
    both.map(|both| is_empty(&both)).ok_or(TooLarge::States(max_states))
}

/// The words that both accept with letters repeated. None if that is too large.
fn repeated(a: &Symbolic, b: &Symbolic, max_states: usize, bdd: &mut Bdd) -> Option<Symbolic> {
    let letters = letters(&[a, b], bdd)?;
    let left = repeat_letters(a, &letters, max_states, bdd)?;
    let right = repeat_letters(b, &letters, max_states, bdd)?;
    product(&left, &right, max_states, bdd)
}
