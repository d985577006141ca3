//! Whether repeating letters can change the truth of a formula: Th. Michaud, A. Duret-Lutz,
//! "Practical stutter-invariance checks for ω-regular languages", SPIN 2015.
//!
//! Without X it cannot. With X: let sl(A) accept the words of A with letters repeated. The
//! language is closed under stuttering exactly if sl(A_f) and sl(A_!f) share no word: such a
//! word is a repetition of one that satisfies f and of one that does not.

use crate::formula::{Formulas, Ltl};
use crate::translate::{Level, Options, TooLarge, Translator};
use lariat_automata::StateId;
use lariat_automata::reduce::product::product;
use lariat_automata::reduce::prune::is_empty;
use lariat_automata::symbolic::{Arc, Bdd, Func, Symbolic};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

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
    let letters = letters(&[&positive, &negative], &mut bdd);
    let left = repeat_letters(&positive, &letters, max_states, &mut bdd)?;
    let right = repeat_letters(&negative, &letters, max_states, &mut bdd)?;
    let both = product(&left, &right, max_states, &mut bdd).ok_or(TooLarge::States(max_states))?;
    if bdd.exhausted() {
        return Err(TooLarge::exhausted(&bdd));
    }
    Ok(is_empty(&both))
}

/// The classes of letters that no label tells apart: they behave like single letters.
fn letters(automata: &[&Symbolic], bdd: &mut Bdd) -> Vec<Func> {
    let mut classes = vec![Func::TRUE];
    for arc in automata.iter().flat_map(|automaton| automaton.arcs.iter().flatten()) {
        let mut finer = Vec::with_capacity(classes.len());
        for class in classes {
            for part in [bdd.and(class, arc.label), bdd.minus(class, arc.label)] {
                if !part.is_false() {
                    finer.push(part);
                }
            }
        }
        classes = finer;
    }
    classes
}

/// sl(A): each state remembers the letter that led to it, and may read it again.
fn repeat_letters(
    automaton: &Symbolic,
    letters: &[Func],
    max_states: usize,
    bdd: &mut Bdd,
) -> Result<Symbolic, TooLarge> {
    // Reading the letter again for ever accepts nothing: that needs a mark to miss.
    let spare = (automaton.mark_count == 0) as u32;
    let mark_count = automaton.mark_count + spare;
    let mut out = Symbolic { mark_count, ..automaton.like() };
    let start = (automaton.initial, usize::MAX);
    let mut states: Vec<(StateId, usize)> = vec![start];
    let mut ids: FxHashMap<(StateId, usize), StateId> = FxHashMap::default();
    ids.insert(start, 0);
    let mut at = 0;
    while at < states.len() {
        let own = at as StateId;
        let (state, last) = states[at];
        at += 1;
        let mut arcs = Vec::new();
        if last != usize::MAX {
            arcs.push(Arc { label: letters[last], marks: Marks::NONE, target: own });
        }
        for arc in &automaton.arcs[state as usize] {
            let marks = arc.marks | Marks(Marks::all(mark_count).0 & !automaton.all_marks().0);
            for (number, &letter) in letters.iter().enumerate() {
                if !bdd.implies(letter, arc.label) {
                    continue;
                }
                let target = *ids.entry((arc.target, number)).or_insert_with(|| {
                    states.push((arc.target, number));
                    (states.len() - 1) as StateId
                });
                arcs.push(Arc { label: letter, marks, target });
            }
        }
        out.arcs.push(arcs);
        if states.len() > max_states {
            return Err(TooLarge::States(max_states));
        }
    }
    Ok(out)
}
