//! Whether the language of an automaton is closed under stuttering: repeating letters of a word, or
//! leaving out repetitions, does not change whether it is accepted. Partial-order reduction asks for
//! that (docs/por.md).
//!
//! A word is stutter-equivalent to another if both are made of the same blocks of equal letters, finite
//! ones of any length. One comes from the other by leaving out all repetitions in finite blocks, and
//! repeating letters again. So the language is closed if it contains
//!
//! - that of sl(A), [`repeat_letters`]: the words of A with letters repeated, each finitely often;
//! - that of cl(A), `drop_letters`: the words of A with repetitions left out. Where A reads a block
//!   letter by letter, cl(A) may read one letter, with the marks of all.
//!
//! (A. Duret-Lutz and Th. Michaud, "Practical stutter-invariance checks for ω-regular languages",
//! SPIN 2015.) That is looked at in one of two ways:
//!
//! - If A is deterministic or weak, its complement C is made. The language is closed exactly if sl(A) and
//!   sl(C) share no word: such a word is a repetition of one that is accepted and of one that is not. That
//!   decides.
//! - Else by a game (`simulation`): if A can answer sl(A) and cl(A) letter by letter, the language is
//!   closed. If not, nothing is known: A may have to guess what comes.

mod simulation;
pub mod twist;

use crate::reduce::breakpoint::complement_of_weak;
use crate::reduce::complement::complement;
use crate::reduce::product::product;
use crate::reduce::prune::{Between, Numbers, is_empty, prune};
use crate::symbolic::{Arc, Bdd, Func, Sccs, Symbolic};
use crate::{StateId, Tgba, classify};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// What is known of a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuttering {
    /// It is closed under stuttering.
    Closed,
    /// It is not.
    Open,
    /// It may be either.
    Unknown,
}

/// Classes of letters, beyond which nothing is tried.
const MOST_LETTERS: usize = 256;
/// Nodes and steps of decision diagrams.
const NODES: usize = 1 << 20;
const STEPS: u64 = 10_000_000;

/// Whether the language is closed under stuttering. No automaton that is made has more than
/// `max_states` states.
pub fn of_language(tgba: &Tgba, max_states: usize) -> Stuttering {
    let mut bdd = Bdd::with_limits(NODES, STEPS).interruptible();
    let known = decide(tgba, max_states, &mut bdd);
    match known.filter(|_| !bdd.exhausted()) {
        Some(known) => known,
        None => Stuttering::Unknown,
    }
}

/// None if that is not known, or takes too much.
fn decide(tgba: &Tgba, max_states: usize, bdd: &mut Bdd) -> Option<Stuttering> {
    let is_weak = classify(tgba).inherently_weak;
    let automaton = Symbolic::from_tgba(tgba, bdd);
    let mut automaton = prune(&automaton, Between::None, Numbers::Packed, bdd);
    let letters = letters(&[&automaton], bdd).filter(|_| !bdd.exhausted())?;
    let outside = match automaton.is_deterministic(bdd) {
        true => Some(complement(&automaton, bdd)),
        false if is_weak => complement_of_weak(&automaton, &letters, max_states, bdd),
        false => None,
    };
    if let Some(outside) = outside {
        let inside = repeat_letters(&automaton, &letters, max_states, bdd)?;
        let outside = repeat_letters(&outside, &letters, max_states, bdd)?;
        let both = product(&inside, &outside, max_states.saturating_mul(10), bdd)?;
        return Some(if is_empty(&both) { Stuttering::Closed } else { Stuttering::Open });
    }
    if automaton.mark_count == 0 {
        // Repetitions must not be accepted for want of marks.
        automaton.mark_count = 1;
        automaton.arcs.iter_mut().flatten().for_each(|arc| arc.marks = Marks::one(0));
    }
    let longer = repeat_letters(&automaton, &letters, max_states, bdd)?;
    let shorter = drop_letters(&automaton, &letters, max_states, bdd)?;
    for words in [longer, shorter] {
        if !simulation::answers(&automaton, &words, &letters, max_states, bdd)? {
            return None;
        }
    }
    Some(Stuttering::Closed)
}

/// The classes of letters that no label tells apart: they behave like single letters. None if there are
/// too many.
pub fn letters(automata: &[&Symbolic], bdd: &mut Bdd) -> Option<Vec<Func>> {
    let mut classes = vec![Func::TRUE];
    let mut labels: Vec<Func> =
        automata.iter().flat_map(|a| a.arcs.iter().flatten()).map(|arc| arc.label).collect();
    labels.sort_unstable();
    labels.dedup();
    for label in labels {
        let mut finer = Vec::with_capacity(classes.len());
        for class in classes {
            for part in [bdd.and(class, label), bdd.minus(class, label)] {
                if !part.is_false() {
                    finer.push(part);
                }
            }
        }
        classes = finer;
        if classes.len() > MOST_LETTERS || bdd.exhausted() {
            return None;
        }
    }
    Some(classes)
}

/// sl(A): each state remembers the letter that led to it, and may read it again. None if it has too
/// many states.
pub fn repeat_letters(
    automaton: &Symbolic,
    letters: &[Func],
    max_states: usize,
    bdd: &mut Bdd,
) -> Option<Symbolic> {
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
        if states.len() > max_states || bdd.exhausted() {
            return None;
        }
    }
    Some(out)
}

/// cl(A): where a block of one letter leads from one state to another, one such letter does, with the
/// marks of the whole block.
fn drop_letters(
    automaton: &Symbolic,
    letters: &[Func],
    max_states: usize,
    bdd: &mut Bdd,
) -> Option<Symbolic> {
    let mut out = Symbolic { initial: automaton.initial, ..automaton.like() };
    for state in 0..automaton.state_count() as StateId {
        let mut arcs = Vec::new();
        for &letter in letters {
            // Ends of blocks, each with the marks on the way; fewer marks to the same end are worse.
            let mut ends: Vec<(StateId, Marks)> = Vec::new();
            let mut todo = vec![(state, Marks::NONE)];
            while let Some((from, seen)) = todo.pop() {
                for arc in &automaton.arcs[from as usize] {
                    if !bdd.implies(letter, arc.label) {
                        continue;
                    }
                    let end = (arc.target, seen | arc.marks);
                    let is_known = |&(target, marks): &(StateId, Marks)| {
                        target == end.0 && marks.contains(end.1)
                    };
                    if !ends.iter().any(is_known) {
                        ends.retain(|&(target, marks)| target != end.0 || !end.1.contains(marks));
                        ends.push(end);
                        todo.push(end);
                    }
                }
                if ends.len() > max_states || bdd.exhausted() {
                    return None;
                }
            }
            arcs.extend(ends.into_iter().map(|(target, marks)| Arc {
                label: letter,
                marks,
                target,
            }));
        }
        out.arcs.push(arcs);
    }
    Some(out)
}

/// Whether a state is in a component that accepts.
pub(crate) fn in_accepting_component(automaton: &Symbolic) -> Vec<bool> {
    let sccs = Sccs::of(automaton);
    let is_accepting = |state: StateId| {
        sccs.of[state as usize] != u32::MAX && sccs.scc(state).accepting(automaton.all_marks())
    };
    (0..automaton.state_count() as StateId).map(is_accepting).collect()
}
