//! Membership of ultimately periodic words, for tests and for the last check of a
//! counterexample.

use crate::scc::Sccs;
use crate::{Label, StateId, Tgba};
use lariat_core::Props;
use rustc_hash::FxHashMap;

impl Tgba {
    /// Whether the automaton accepts the word `prefix cycle cycle …`. A letter has bit `i`
    /// set when proposition `i` holds; propositions beyond its bits are false.
    ///
    /// # Panics
    /// When the cycle is empty.
    pub fn accepts_lasso(&self, prefix: &[Props], cycle: &[Props]) -> bool {
        let runs = self.runs_over(prefix, cycle);
        let sccs = Sccs::new(&runs);
        (0..sccs.len()).any(|scc| sccs.is_accepting(&runs, scc as u32))
    }

    /// Whether the automaton accepts no word at all. Builds all components: for tests and
    /// small automata.
    pub fn is_empty(&self) -> bool {
        let sccs = Sccs::new(self);
        !(0..sccs.len()).any(|scc| sccs.is_accepting(self, scc as u32))
    }

    /// The runs over one word: states are pairs of a state and a position in the word.
    fn runs_over(&self, prefix: &[Props], cycle: &[Props]) -> Tgba {
        assert!(!cycle.is_empty(), "a word without end needs a cycle");
        let length = prefix.len() + cycle.len();
        let mut runs = Tgba { mark_count: self.mark_count, ..Tgba::default() };
        let mut ids: FxHashMap<(StateId, usize), StateId> = FxHashMap::default();
        let mut todo = Vec::new();
        let mut id_of = |runs: &mut Tgba, todo: &mut Vec<_>, pair: (StateId, usize)| {
            *ids.entry(pair).or_insert_with(|| {
                todo.push(pair);
                runs.add_state()
            })
        };
        for &state in &self.initial {
            let id = id_of(&mut runs, &mut todo, (state, 0));
            runs.initial.push(id);
        }
        while let Some((state, position)) = todo.pop() {
            let source = id_of(&mut runs, &mut todo, (state, position));
            let letter = match position.checked_sub(prefix.len()) {
                None => prefix[position],
                Some(position) => cycle[position],
            };
            let next = if position + 1 == length { prefix.len() } else { position + 1 };
            for edge in &self.edges[state as usize] {
                if edge.label.holds_in(letter) {
                    let target = id_of(&mut runs, &mut todo, (edge.target, next));
                    runs.add_edge(source, Label::True, edge.marks, target);
                }
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_core::Marks;

    /// GF a & GF b with two marks.
    fn both() -> Tgba {
        let mut tgba = Tgba { mark_count: 2, initial: vec![0], ..Tgba::default() };
        tgba.aps = vec!["a".into(), "b".into()];
        tgba.add_state();
        for letter in 0..4 {
            tgba.add_edge(0, Label::letter(letter, 2), Marks(letter), 0);
        }
        tgba
    }

    #[test]
    fn infinitely_often_both() {
        assert!(both().accepts_lasso(&[], &[3]));
        assert!(both().accepts_lasso(&[0, 0], &[1, 0, 2]));
        assert!(!both().accepts_lasso(&[3], &[1]));
        assert!(!both().is_empty());
    }

    #[test]
    fn finite_runs_are_not_accepted() {
        let mut tgba = both();
        tgba.edges[0].truncate(2);
        assert!(!tgba.accepts_lasso(&[], &[3]));
        tgba.initial.clear();
        assert!(tgba.is_empty());
    }
}
