//! Reduction by direct simulation, forwards and backwards: F. Somenzi and R. Bloem,
//! "Efficient Büchi automata from LTL formulae", CAV 2000, section 4; for generalised
//! acceptance on edges, T. Babiak, Th. Badie, A. Duret-Lutz, M. Křetínský, J. Strejček,
//! "Compositional approach to suspension and other improvements to LTL translation", SPIN
//! 2013, section 4.
//!
//! State t simulates s (s ≤ t) if each move of s can be answered by t under every letter,
//! with at least the same marks, into a state that simulates where s went. The relation is
//! the greatest such one: it begins with all pairs and loses those that fail. States that
//! simulate each other become one, and an edge is left out under the letters for which
//! another edge of the same state is at least as good.

use crate::StateId;
use crate::symbolic::{Arc, Bdd, Func, Symbolic};
use lariat_core::Marks;

/// Which simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// By what states can do.
    Forward,
    /// By how states can be reached.
    Backward,
}

/// All pairs of states are compared, and all pairs of their edges: with more of them than
/// this, nothing is done.
const MAX_STATES: usize = 800;
const MAX_ARCS: usize = 12_000;

/// The quotient by mutual simulation, without dominated edges.
///
/// An automaton with state-based acceptance keeps it if `state_based` is set.
pub fn reduce(
    automaton: &Symbolic,
    direction: Direction,
    state_based: bool,
    bdd: &mut Bdd,
) -> Symbolic {
    if automaton.state_count() > MAX_STATES || automaton.arc_count() > MAX_ARCS {
        return automaton.clone();
    }
    let mut relation = Relation::new(automaton, direction, state_based, bdd);
    relation.refine(bdd);
    relation.quotient(automaton, direction, bdd)
}

struct Relation {
    /// The edges to answer: those of each state, or those into it (then `target` is the
    /// source).
    moves: Vec<Vec<Arc>>,
    /// `above[s][t]`: t simulates s, as far as is known.
    above: Vec<Vec<bool>>,
}

impl Relation {
    fn new(
        automaton: &Symbolic,
        direction: Direction,
        state_based: bool,
        bdd: &mut Bdd,
    ) -> Relation {
        let count = automaton.state_count();
        let moves = match direction {
            Direction::Forward => automaton.arcs.clone(),
            Direction::Backward => {
                let mut moves = vec![Vec::new(); count];
                for (source, arcs) in automaton.arcs.iter().enumerate() {
                    for arc in arcs {
                        moves[arc.target as usize].push(Arc { target: source as StateId, ..*arc });
                    }
                }
                moves
            }
        };
        // A state can only simulate another whose letters it has.
        let letters: Vec<Func> = moves
            .iter()
            .map(|arcs| arcs.iter().fold(Func::FALSE, |acc, arc| bdd.or(acc, arc.label)))
            .collect();
        let backward = direction == Direction::Backward;
        let marks = |state: usize| -> Option<Marks> {
            automaton.arcs[state].first().map(|arc| arc.marks).filter(|_| state_based)
        };
        let initial = automaton.initial as usize;
        let mut above = Vec::with_capacity(count);
        for s in 0..count {
            let mut row = vec![false; count];
            for (t, slot) in row.iter_mut().enumerate() {
                // How a state is reached does not tell whether it is accepting, nor whether
                // runs begin there.
                let fits = !backward || (marks(s) == marks(t) && (s != initial || t == initial));
                *slot = s == t || fits && bdd.implies(letters[s], letters[t]);
            }
            above.push(row);
        }
        Relation { moves, above }
    }

    /// Takes out pairs until all that are left hold.
    fn refine(&mut self, bdd: &mut Bdd) {
        let count = self.moves.len();
        let mut changed = vec![true; count];
        while changed.iter().any(|&row| row) {
            let mut now = vec![false; count];
            for (s, now) in now.iter_mut().enumerate() {
                if bdd.exhausted() {
                    return;
                }
                if !self.moves[s].iter().any(|arc| changed[arc.target as usize]) {
                    continue;
                }
                for t in 0..count {
                    if s != t && self.above[s][t] && !self.answers(s, t, bdd) {
                        self.above[s][t] = false;
                        *now = true;
                    }
                }
            }
            changed = now;
        }
    }

    /// Whether t can answer every move of s.
    fn answers(&self, s: usize, t: usize, bdd: &mut Bdd) -> bool {
        self.moves[s].iter().all(|arc| {
            let mut left = arc.label;
            for answer in &self.moves[t] {
                if answer.marks.contains(arc.marks)
                    && self.above[arc.target as usize][answer.target as usize]
                {
                    left = bdd.minus(left, answer.label);
                    if left.is_false() {
                        return true;
                    }
                }
            }
            left.is_false()
        })
    }

    fn quotient(&self, automaton: &Symbolic, direction: Direction, bdd: &mut Bdd) -> Symbolic {
        let count = self.moves.len();
        // The first state of each class stands for it.
        let first: Vec<usize> = (0..count)
            .map(|s| {
                let equal = |&t: &usize| self.above[s][t] && self.above[t][s];
                (0..s).find(equal).unwrap_or(s)
            })
            .collect();
        let mut out = automaton.like();
        out.arcs = vec![Vec::new(); count];
        out.initial = first[automaton.initial as usize] as StateId;
        for s in (0..count).filter(|&s| first[s] == s) {
            let mut arcs: Vec<Arc> = self.moves[s]
                .iter()
                .map(|arc| Arc { target: first[arc.target as usize] as StateId, ..*arc })
                .collect();
            if bdd.exhausted() {
                break;
            }
            crate::symbolic::merge(&mut arcs, bdd);
            for i in 0..arcs.len() {
                for j in 0..arcs.len() {
                    let (worse, better) = (arcs[i], arcs[j]);
                    let dominated = i != j
                        && better.marks.contains(worse.marks)
                        && self.above[worse.target as usize][better.target as usize];
                    if dominated {
                        arcs[i].label = bdd.minus(worse.label, better.label);
                    }
                }
            }
            for arc in arcs.into_iter().filter(|arc| !arc.label.is_false()) {
                let own = s as StateId;
                let (source, target) = match direction {
                    Direction::Forward => (own, arc.target),
                    Direction::Backward => (arc.target, own),
                };
                out.arcs[source as usize].push(Arc { target, ..arc });
            }
        }
        out.keep_reachable();
        out.merge_arcs(bdd);
        out
    }
}
