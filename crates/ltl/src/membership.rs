//! Whether an automaton accepts a lasso word: the automaton runs over the positions of the
//! word, and an accepting component of that finite graph is looked for.

use crate::eval::{Letter, Word};
use crate::formula::Formulas;
use lariat_automata::symbolic::{Arc, Bdd, Func, Sccs, Symbolic};
use lariat_automata::{StateId, Tgba};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// Whether `automaton` accepts `word`. The letters of the word speak of the propositions of
/// `all`, the labels of those of the automaton: they are matched by name.
pub fn accepts(automaton: &Tgba, all: &Formulas, word: &Word) -> bool {
    let indices = indices(&automaton.aps, all);
    let moves = |state: StateId, letter: &Letter, out: &mut Vec<(Marks, StateId)>| {
        for edge in &automaton.edges[state as usize] {
            if edge.label.eval(&|ap| holds(&indices, letter, ap)) {
                out.push((edge.marks, edge.target));
            }
        }
    };
    accepts_by(&automaton.initial, automaton.mark_count, word, moves)
}

/// The same for an automaton with decision diagrams.
pub fn accepts_symbolic(automaton: &Symbolic, bdd: &Bdd, all: &Formulas, word: &Word) -> bool {
    let indices = indices(&automaton.aps, all);
    let moves = |state: StateId, letter: &Letter, out: &mut Vec<(Marks, StateId)>| {
        for arc in &automaton.arcs[state as usize] {
            if bdd.eval(arc.label, &|ap| holds(&indices, letter, ap)) {
                out.push((arc.marks, arc.target));
            }
        }
    };
    accepts_by(&[automaton.initial], automaton.mark_count, word, moves)
}

fn indices(aps: &[String], all: &Formulas) -> Vec<Option<u32>> {
    aps.iter()
        .map(|name| all.ap_names().iter().position(|other| other == name).map(|i| i as u32))
        .collect()
}

fn holds(indices: &[Option<u32>], letter: &Letter, ap: u32) -> bool {
    indices[ap as usize].is_some_and(|index| letter.holds(index))
}

fn accepts_by(
    initial: &[StateId],
    mark_count: u32,
    word: &Word,
    moves: impl Fn(StateId, &Letter, &mut Vec<(Marks, StateId)>),
) -> bool {
    let mut ids: FxHashMap<(StateId, usize), StateId> = FxHashMap::default();
    let mut pairs: Vec<(StateId, usize)> = Vec::new();
    let mut run = Symbolic { mark_count, ..Symbolic::default() };
    let mut number = |pair, pairs: &mut Vec<_>| {
        *ids.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            pairs.len() as StateId - 1
        })
    };
    for &initial in initial {
        number((initial, 0), &mut pairs);
    }
    let roots = pairs.len();
    let mut at = 0;
    let mut found = Vec::new();
    while at < pairs.len() {
        let (state, position) = pairs[at];
        at += 1;
        let later = if position + 1 < word.letters.len() { position + 1 } else { word.loop_start };
        found.clear();
        moves(state, &word.letters[position], &mut found);
        let mut arcs = Vec::with_capacity(found.len());
        for &(marks, target) in &found {
            let target = number((target, later), &mut pairs);
            arcs.push(Arc { label: Func::TRUE, marks, target });
        }
        run.arcs.push(arcs);
    }
    let all_marks = run.all_marks();
    (0..roots as StateId).any(|root| {
        run.initial = root;
        Sccs::of(&run).sccs.iter().any(|scc| scc.accepting(all_marks))
    })
}
