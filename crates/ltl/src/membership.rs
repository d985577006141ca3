//! Whether an automaton accepts a lasso word: the automaton runs over the positions of the
//! word, and an accepting component of that finite graph is looked for.

use crate::eval::Word;
use crate::formula::Formulas;
use lariat_automata::symbolic::{Arc, Func, Sccs, Symbolic};
use lariat_automata::{StateId, Tgba};
use rustc_hash::FxHashMap;

/// Whether `automaton` accepts `word`. The letters of the word speak of the propositions of
/// `all`, the labels of those of the automaton: they are matched by name.
pub fn accepts(automaton: &Tgba, all: &Formulas, word: &Word) -> bool {
    let indices: Vec<Option<u32>> = automaton
        .aps
        .iter()
        .map(|name| all.ap_names().iter().position(|other| other == name).map(|i| i as u32))
        .collect();
    let mut ids: FxHashMap<(StateId, usize), StateId> = FxHashMap::default();
    let mut pairs: Vec<(StateId, usize)> = Vec::new();
    let mut run = Symbolic { mark_count: automaton.mark_count, ..Symbolic::default() };
    let mut number = |pair, pairs: &mut Vec<_>| {
        *ids.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            pairs.len() as StateId - 1
        })
    };
    for &initial in &automaton.initial {
        number((initial, 0), &mut pairs);
    }
    let roots = pairs.len();
    let mut at = 0;
    while at < pairs.len() {
        let (state, position) = pairs[at];
        at += 1;
        let letter = &word.letters[position];
        let later = if position + 1 < word.letters.len() { position + 1 } else { word.loop_start };
        let holds = |ap: u32| indices[ap as usize].is_some_and(|index| letter.holds(index));
        let mut arcs = Vec::new();
        for edge in &automaton.edges[state as usize] {
            if edge.label.eval(&holds) {
                let target = number((edge.target, later), &mut pairs);
                arcs.push(Arc { label: Func::TRUE, marks: edge.marks, target });
            }
        }
        run.arcs.push(arcs);
    }
    let all_marks = run.all_marks();
    (0..roots as StateId).any(|root| {
        run.initial = root;
        Sccs::of(&run).sccs.iter().any(|scc| scc.accepting(all_marks))
    })
}
