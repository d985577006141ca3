//! Implication decided by automata: f => g if the tableau of `f & !g` accepts nothing
//! (H. Tauriainen, K. Heljanko, "Testing LTL formula translation into Büchi automata", STTT 4
//! (2002), has the idea; Spot's "containment checks" use it for simplification). Only small
//! formulas are tried.

use super::{Simplifier, SimplifyOptions};
use crate::formula::{Formulas, Ltl};
use crate::nnf::Normaliser;
use crate::translate::couvreur::{TableauOptions, tableau};
use lariat_automata::reduce::prune::is_empty;
use lariat_automata::symbolic::Bdd;
use rustc_hash::FxHashMap;

/// Remembers the answers.
pub(super) struct Containment {
    known: FxHashMap<(Ltl, Ltl), bool>,
    states: Box<Simplifier>,
    normaliser: Normaliser,
    /// How many tests are left; they are not free.
    budget: u32,
}

const MAX_STATES: usize = 64;
/// Formulas with more different subformulas are not tried.
const MAX_SIZE: usize = 24;
const BUDGET: u32 = 400;

impl Containment {
    pub(super) fn new() -> Self {
        let options = SimplifyOptions { containment: false, ..SimplifyOptions::ALL };
        Containment {
            known: FxHashMap::default(),
            states: Box::new(Simplifier::for_states(options)),
            normaliser: Normaliser::default(),
            budget: BUDGET,
        }
    }

    /// For the next formula.
    pub(super) fn refill(&mut self) {
        self.budget = BUDGET;
    }

    pub(super) fn implies(&mut self, all: &mut Formulas, f: Ltl, g: Ltl) -> bool {
        if f == g || f == Ltl::FALSE || g == Ltl::TRUE {
            return true;
        }
        // Boolean formulas were compared exactly already.
        if all.classes(f).boolean() && all.classes(g).boolean() {
            return false;
        }
        if let Some(&known) = self.known.get(&(f, g)) {
            return known;
        }
        if self.budget == 0 {
            return false;
        }
        let answer = self.test(all, f, g);
        self.known.insert((f, g), answer);
        answer
    }

    fn test(&mut self, all: &mut Formulas, f: Ltl, g: Ltl) -> bool {
        let not_g = self.normaliser.negated(all, g);
        let both = all.and2(f, not_g);
        if all.subformulas(both).len() > MAX_SIZE {
            return false;
        }
        self.budget -= 1;
        let both = self.states.simplify(all, both);
        if both == Ltl::FALSE {
            return true;
        }
        let aps = all.aps_of(both);
        let options = TableauOptions { by_letter: false, max_states: MAX_STATES };
        let mut bdd = Bdd::with_limit(1 << 14);
        tableau(all, &mut self.states, both, &aps, options, &mut bdd)
            .is_ok_and(|automaton| is_empty(&automaton))
    }
}
