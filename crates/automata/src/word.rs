//! Membership of ultimately periodic words, for tests and for the last check of a
//! counterexample.

use crate::classify::classify;
use crate::coverage::coverage;
use crate::scc::Sccs;
use crate::{Label, StateId, Tgba};
use lariat_core::Props;
use rustc_hash::FxHashMap;

/// How many nodes of a decision diagram may be spent on the labels of one state.
const NODES: usize = 1 << 14;

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

    /// How many letters of `prefix cycle cycle …` suffice for every word that begins with them
    /// to be accepted: a run over them is in a state that accepts every word. `None` if no run
    /// gets to a state that is known to.
    ///
    /// # Panics
    /// When the cycle is empty.
    pub fn accepts_all_after(&self, prefix: &[Props], cycle: &[Props]) -> Option<usize> {
        assert!(!cycle.is_empty(), "a word without end needs a cycle");
        let universal = self.accept_all();
        let accepts_all = |state: StateId| universal[state as usize];
        let mut now = self.initial.clone();
        // A shortest way meets no state twice at the same place of the cycle.
        let most = prefix.len() + cycle.len() * self.state_count();
        for (read, &letter) in prefix.iter().chain(cycle.iter().cycle()).take(most).enumerate() {
            if now.iter().any(|&state| accepts_all(state)) {
                return Some(read);
            }
            let edges = now.iter().flat_map(|&state| &self.edges[state as usize]);
            let next = edges.filter(|edge| edge.label.holds_in(letter)).map(|edge| edge.target);
            now = next.collect();
            now.sort_unstable();
            now.dedup();
        }
        now.iter().any(|&state| accepts_all(state)).then_some(most)
    }

    /// States that accept every word: those of terminal components, and those where each letter
    /// leads to one that does.
    fn accept_all(&self) -> Vec<bool> {
        let classes = classify(self);
        let is_terminal = |state: StateId| {
            classes.sccs.of(state).is_some_and(|scc| classes.per_scc[scc as usize].terminal)
        };
        let mut found: Vec<bool> = (0..self.state_count() as StateId).map(is_terminal).collect();
        loop {
            let is_new = |state: &usize| {
                let edges = self.edges[*state].iter().filter(|edge| found[edge.target as usize]);
                !found[*state] && coverage(edges.map(|edge| &edge.label), NODES).total == Some(true)
            };
            let new: Vec<usize> = (0..found.len()).filter(is_new).collect();
            if new.is_empty() {
                return found;
            }
            new.into_iter().for_each(|state| found[state] = true);
        }
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

    /// !(G a): once a is missing, every word is accepted.
    #[test]
    fn a_missing_letter_decides() {
        let mut tgba = Tgba { mark_count: 1, initial: vec![0], ..Tgba::default() };
        tgba.aps = vec!["a".into()];
        tgba.add_state();
        tgba.add_state();
        tgba.add_edge(0, Label::literal(0, true), Marks::NONE, 0);
        tgba.add_edge(0, Label::literal(0, false), Marks::NONE, 1);
        tgba.add_edge(1, Label::True, Marks::one(0), 1);
        assert_eq!(tgba.accepts_all_after(&[1, 1], &[1, 0]), Some(4));
        assert_eq!(tgba.accepts_all_after(&[], &[1]), None);
        // A state that only leads there has decided already.
        let before = tgba.add_state();
        tgba.add_edge(before, Label::True, Marks::NONE, 1);
        tgba.edges[0][1].target = before;
        assert_eq!(tgba.accepts_all_after(&[1, 1], &[1, 0]), Some(4));
        assert_eq!(both().accepts_all_after(&[], &[3]), None);
    }
}
