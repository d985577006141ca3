//! Reduction by direct simulation, forwards and backwards: T. Babiak, Th. Badie, A.
//! Duret-Lutz, M. Křetínský, J. Strejček, "Compositional approach to suspension and other
//! improvements to LTL translation", SPIN 2013, section 4.
//!
//! State t simulates s (s ≤ t) if each move of s can be answered by t under every letter,
//! with at least the same marks, into a state that simulates where s went. Classes of states
//! get a *signature*: a function over letters, marks and classes, the sum over the edges of
//! label ∧ (marks not on the edge) ∧ (all classes that simulate the target). Then s ≤ t is
//! implication of signatures, and a sum of products of a signature has no edge that another
//! edge of the state simulates.

use crate::StateId;
use crate::symbolic::{Arc, Bdd, Func, Symbolic, Var};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// Which simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// By what states can do.
    Forward,
    /// By how states can be reached.
    Backward,
}

/// With more classes than this, only states with equal signatures are merged: comparing all
/// pairs would take too long.
const MAX_COMPARED: usize = 1024;

/// The quotient by mutual simulation, without dominated edges. `None` when the decision
/// diagrams grew too large.
///
/// An automaton with state-based acceptance keeps it if `state_based` is set.
pub fn reduce(
    automaton: &Symbolic,
    direction: Direction,
    state_based: bool,
    bdd: &mut Bdd,
) -> Option<Symbolic> {
    let mut round = Rounds::new(automaton, direction, state_based);
    while round.refine(bdd) {}
    if bdd.exhausted() {
        return None;
    }
    let out = round.quotient(bdd);
    (!bdd.exhausted()).then_some(out)
}

struct Rounds<'a> {
    automaton: &'a Symbolic,
    direction: Direction,
    state_based: bool,
    /// The edges to answer: those of each state, or those into it (then `target` is the
    /// source).
    moves: Vec<Vec<Arc>>,
    class: Vec<u32>,
    /// The signature of each class.
    signatures: Vec<Func>,
    /// For each class, the classes that simulate it, itself among them; sorted.
    above: Vec<Vec<u32>>,
}

impl<'a> Rounds<'a> {
    fn new(automaton: &'a Symbolic, direction: Direction, state_based: bool) -> Self {
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
        Rounds {
            automaton,
            direction,
            state_based,
            moves,
            class: vec![0; count],
            signatures: vec![Func::FALSE],
            above: vec![vec![0]],
        }
    }

    fn mark_var(&self, mark: u32) -> Var {
        self.automaton.ap_count() + mark
    }

    /// True of the initial state only, where states are told apart by how they are reached.
    fn initial_var(&self) -> Var {
        self.mark_var(self.automaton.mark_count)
    }

    fn class_var(&self, class: u32) -> Var {
        self.initial_var() + 1 + class
    }

    fn signature(&self, state: usize, codes: &[Func], bdd: &mut Bdd) -> Func {
        let mut sum = Func::FALSE;
        for arc in &self.moves[state] {
            let mut product = codes[self.class[arc.target as usize] as usize];
            for mark in (0..self.automaton.mark_count).rev().filter(|&m| !arc.marks.has(m)) {
                let var = bdd.var(self.mark_var(mark));
                product = bdd.and(product, var);
            }
            product = bdd.and(product, arc.label);
            sum = bdd.or(sum, product);
        }
        if self.direction == Direction::Backward {
            if self.automaton.initial as usize == state {
                let var = bdd.var(self.initial_var());
                sum = bdd.or(sum, var);
            }
            // Merged states must agree on being accepting.
            if self.state_based {
                for mark in 0..self.automaton.mark_count {
                    let marked = self.automaton.arcs[state].iter().all(|arc| arc.marks.has(mark));
                    let own = self.class_var(self.automaton.state_count() as u32 + mark);
                    let var = bdd.literal(own, marked);
                    sum = bdd.and(sum, var);
                }
            }
        }
        sum
    }

    /// One round; false when nothing changed.
    fn refine(&mut self, bdd: &mut Bdd) -> bool {
        let codes: Vec<Func> = self
            .above
            .iter()
            .map(|classes| {
                classes.iter().rev().fold(Func::TRUE, |acc, &class| {
                    let var = bdd.var(self.class_var(class));
                    bdd.and(acc, var)
                })
            })
            .collect();
        let mut known: FxHashMap<Func, u32> = FxHashMap::default();
        let mut signatures = Vec::new();
        let mut class = Vec::with_capacity(self.class.len());
        for state in 0..self.class.len() {
            let signature = self.signature(state, &codes, bdd);
            let number = *known.entry(signature).or_insert_with(|| {
                signatures.push(signature);
                (signatures.len() - 1) as u32
            });
            class.push(number);
        }
        if bdd.exhausted() {
            return false;
        }
        let above: Vec<Vec<u32>> = if signatures.len() > MAX_COMPARED {
            (0..signatures.len() as u32).map(|c| vec![c]).collect()
        } else {
            (0..signatures.len())
                .map(|c| {
                    (0..signatures.len() as u32)
                        .filter(|&d| bdd.implies(signatures[c], signatures[d as usize]))
                        .collect()
                })
                .collect()
        };
        let changed = class != self.class || above != self.above;
        self.class = class;
        self.above = above;
        self.signatures = signatures;
        changed
    }

    /// Reads the edges back from the signatures.
    fn quotient(&self, bdd: &mut Bdd) -> Symbolic {
        let by_above: FxHashMap<&[u32], u32> =
            self.above.iter().enumerate().map(|(c, above)| (&above[..], c as u32)).collect();
        let mut out = self.automaton.like();
        out.arcs = vec![Vec::new(); self.signatures.len()];
        out.initial = self.class[self.automaton.initial as usize];
        let first_mark = self.mark_var(0);
        let first_class = self.class_var(0);
        let own_marks = self.class_var(self.automaton.state_count() as u32);
        for (class, &signature) in self.signatures.iter().enumerate() {
            for (rest, label) in bdd.split(signature, self.automaton.ap_count()) {
                for product in bdd.cover(rest) {
                    let mut marks = self.automaton.all_marks();
                    let mut classes = Vec::new();
                    for (var, _) in product {
                        if var >= own_marks && self.state_based {
                            continue;
                        } else if var >= first_class {
                            classes.push(var - first_class);
                        } else if var != self.initial_var() {
                            marks = marks.without(Marks::one(var - first_mark));
                        }
                    }
                    // A product without a class says that this is the initial state.
                    let Some(&other) = by_above.get(&classes[..]) else { continue };
                    let (source, target) = match self.direction {
                        Direction::Forward => (class as u32, other),
                        Direction::Backward => (other, class as u32),
                    };
                    out.arcs[source as usize].push(Arc { label, marks, target });
                }
            }
        }
        out.keep_reachable();
        out.merge_arcs(bdd);
        out
    }
}
