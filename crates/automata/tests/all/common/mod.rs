//! Random automata, and what checks take for granted. Every test prints its seed when it fails.

use lariat_automata::classify::{classify, is_buchi_by_states};
use lariat_automata::{ExplicitGraph, Label, Sccs, StateId, Tgba};
use lariat_core::{Graph, Marks};

/// Whether simple DFS is right on the automaton, and on its product with any model that has
/// no marks of its own: state-based Büchi, and in each component that has a cycle all states
/// are accepting or none is.
pub(crate) fn is_weak_by_states(tgba: &Tgba) -> bool {
    is_buchi_by_states(tgba) && classify(tgba).weak
}

/// Whether reachability of an accepting state is right: state-based Büchi, and in each
/// reachable accepting state, each letter has an edge and all edges lead to accepting states.
/// Then every word is accepted from there. Weakness of the accepting part follows, and the
/// rest does not matter.
pub(crate) fn is_terminal_by_states(tgba: &Tgba) -> bool {
    let graph = ExplicitGraph::new(tgba);
    let accepting = |state: StateId| graph.accepting(&[state]);
    let goes_on = |state: StateId, letter| {
        let mut taken = tgba.edges[state as usize].iter().filter(|e| e.label.holds_in(letter));
        taken.clone().next().is_some() && taken.all(|edge| accepting(edge.target))
    };
    let sccs = Sccs::new(tgba);
    let mut reachable = sccs.members.iter().flatten().copied();
    is_buchi_by_states(tgba)
        && reachable
            .all(|state| !accepting(state) || (0..1 << tgba.aps.len()).all(|l| goes_on(state, l)))
}

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn label(&mut self, aps: u32, depth: u32) -> Label {
        let ap = self.below(aps.into()) as u32;
        match self.below(8) {
            0 | 1 => Label::literal(ap, self.chance(50)),
            2 => Label::True,
            3 if depth > 0 => self.label(aps, depth - 1).negated(),
            4 | 5 if depth > 0 => {
                Label::and([self.label(aps, depth - 1), self.label(aps, depth - 1)])
            }
            6 | 7 if depth > 0 => {
                Label::or([self.label(aps, depth - 1), self.label(aps, depth - 1)])
            }
            _ => Label::literal(ap, self.chance(50)),
        }
    }

    /// Over propositions `a` and `b`; some labels are unsatisfiable.
    pub(crate) fn tgba(&mut self, max_states: u64, max_edges: u64, max_marks: u64) -> Tgba {
        let mut tgba = Tgba { mark_count: self.below(max_marks + 1) as u32, ..Tgba::default() };
        tgba.aps = vec!["a".into(), "b".into()];
        let states = 1 + self.below(max_states);
        let (mark_chance, by_states) = (10 + self.below(80), self.chance(30));
        for _ in 0..states {
            tgba.add_state();
        }
        for _ in 0..=self.below(2) {
            let state = self.below(states) as u32;
            if !tgba.initial.contains(&state) {
                tgba.initial.push(state);
            }
        }
        let marks = |random: &mut Random, count| {
            Marks((0..count).filter(|_| random.chance(mark_chance)).map(|mark| 1 << mark).sum())
        };
        let of_states: Vec<Marks> = (0..states).map(|_| marks(self, tgba.mark_count)).collect();
        for _ in 0..self.below(max_edges + 1) {
            let (source, target) = (self.below(states) as u32, self.below(states) as u32);
            let own = marks(self, tgba.mark_count);
            let marks = if by_states { of_states[source as usize] } else { own };
            tgba.add_edge(source, self.label(2, 2), marks, target);
        }
        tgba
    }
}
