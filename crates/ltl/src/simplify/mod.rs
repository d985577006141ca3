//! Rewriting formulas into ones with smaller automata.
//!
//! The rules are facts of LTL, collected by F. Somenzi and R. Bloem, "Efficient Büchi automata
//! from LTL formulae", CAV 2000; K. Etessami and G. Holzmann, "Optimizing Büchi automata",
//! CONCUR 2000; and in the documentation of Spot (tl.pdf, chapter "Rewritings"). One file for
//! each kind of operator; each rule stands with its equation.

mod assume;
mod binary;
mod containment;
mod implication;
mod junction;
mod unary;

use crate::formula::{Formulas, Ltl, Node};
use crate::nnf::Normaliser;
use containment::Containment;
use implication::Implication;
use rustc_hash::{FxHashMap, FxHashSet};

/// Which rules are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimplifyOptions {
    /// Rules that look at the operators only.
    pub basic: bool,
    /// Rules for formulas that are eventual or universal.
    pub eventual_universal: bool,
    /// Rules for operands of which one implies the other, as far as their shape tells.
    pub implication: bool,
    /// The same, decided by automata.
    pub containment: bool,
}

impl SimplifyOptions {
    /// No rule: formulas stay as they are.
    pub const NONE: SimplifyOptions = SimplifyOptions {
        basic: false,
        eventual_universal: false,
        implication: false,
        containment: false,
    };
    /// Every rule.
    pub const ALL: SimplifyOptions = SimplifyOptions {
        basic: true,
        eventual_universal: true,
        implication: true,
        containment: true,
    };
}

/// Remembers what it has simplified.
pub struct Simplifier {
    options: SimplifyOptions,
    pub(crate) normaliser: Normaliser,
    implication: Implication,
    /// Never for the states of a tableau.
    containment: Option<Containment>,
    known: FxHashMap<Ltl, Ltl>,
    /// What is being rewritten: a rule that leads back to one of them is not followed.
    open: FxHashSet<Ltl>,
    /// Rewriting steps left. Formulas can grow by rules that pay off only usually; a formula
    /// that does not come to rest is left as it is then.
    fuel: u32,
}

const FUEL: u32 = 10_000;

impl Simplifier {
    /// Uses these rules, and remembers nothing yet.
    pub fn new(options: SimplifyOptions) -> Self {
        Simplifier {
            options,
            normaliser: Normaliser::default(),
            implication: Implication::default(),
            containment: options.containment.then(Containment::new),
            known: FxHashMap::default(),
            open: FxHashSet::default(),
            fuel: FUEL,
        }
    }

    /// A simplifier for the states of a tableau: see `implication`.
    pub fn for_states(options: SimplifyOptions) -> Self {
        let mut simplifier = Simplifier::new(SimplifyOptions { containment: false, ..options });
        simplifier.implication.immediate = true;
        simplifier
    }

    /// An equivalent formula in negation normal form.
    pub fn simplify(&mut self, all: &mut Formulas, f: Ltl) -> Ltl {
        self.fuel = FUEL;
        if let Some(containment) = &mut self.containment {
            containment.refill();
        }
        let normal = self.normaliser.normal(all, f);
        self.rewrite(all, normal)
    }

    /// [`Simplifier::simplify`] for the parts of a formula in normal form.
    fn rewrite(&mut self, all: &mut Formulas, f: Ltl) -> Ltl {
        if let Some(&known) = self.known.get(&f) {
            return known;
        }
        if self.options == SimplifyOptions::NONE || self.fuel == 0 || !self.open.insert(f) {
            return f;
        }
        self.fuel -= 1;
        let rebuilt = self.rewrite_operands(all, f);
        let mut result = rebuilt;
        if let Some(better) = self.root(all, rebuilt) {
            result = if better == rebuilt { rebuilt } else { self.rewrite(all, better) };
        }
        self.open.remove(&f);
        if self.fuel > 0 {
            self.known.insert(f, result);
            self.known.insert(rebuilt, result);
            self.known.insert(result, result);
        }
        result
    }

    fn rewrite_operands(&mut self, all: &mut Formulas, f: Ltl) -> Ltl {
        match all.node(f).clone() {
            Node::False | Node::True | Node::Ap(_) | Node::Not(_) => f,
            Node::Next(a) => {
                let a = self.rewrite(all, a);
                all.next(a)
            }
            Node::Finally(a) => {
                let a = self.rewrite(all, a);
                all.finally(a)
            }
            Node::Globally(a) => {
                let a = self.rewrite(all, a);
                all.globally(a)
            }
            Node::And(parts) => {
                let parts: Vec<Ltl> = parts.iter().map(|&part| self.rewrite(all, part)).collect();
                all.and(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<Ltl> = parts.iter().map(|&part| self.rewrite(all, part)).collect();
                all.or(parts)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.rewrite(all, a), self.rewrite(all, b));
                all.binary(op, a, b)
            }
        }
    }

    /// One rule applied to the formula as a whole; none if it is at rest.
    fn root(&mut self, all: &mut Formulas, f: Ltl) -> Option<Ltl> {
        match all.node(f).clone() {
            Node::False | Node::True | Node::Ap(_) | Node::Not(_) => None,
            Node::Next(a) => self.next(all, a),
            Node::Finally(a) => self.finally(all, a),
            Node::Globally(a) => self.globally(all, a),
            Node::And(parts) => self.conjunction(all, &parts),
            Node::Or(parts) => self.disjunction(all, &parts),
            Node::Binary(op, a, b) => self.binary(all, op, a, b),
        }
    }

    /// Whether f implies g, as far as can be seen.
    fn implies(&mut self, all: &mut Formulas, f: Ltl, g: Ltl) -> bool {
        (self.options.implication && self.implication.implies(all, f, g))
            || self.containment.as_mut().is_some_and(|test| test.implies(all, f, g))
    }

    /// Whether f implies the negation of g.
    fn excludes(&mut self, all: &mut Formulas, f: Ltl, g: Ltl) -> bool {
        let not_g = self.normaliser.negated(all, g);
        self.implies(all, f, not_g)
    }

    /// Whether the negation of f implies g.
    fn covers(&mut self, all: &mut Formulas, f: Ltl, g: Ltl) -> bool {
        let not_f = self.normaliser.negated(all, f);
        self.implies(all, not_f, g)
    }
}

/// The parts for which `test` is true, and the others.
fn split_parts(
    all: &Formulas,
    parts: &[Ltl],
    test: impl Fn(&Formulas, Ltl) -> bool,
) -> (Vec<Ltl>, Vec<Ltl>) {
    parts.iter().partition(|&&part| test(all, part))
}
