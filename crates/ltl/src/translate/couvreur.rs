//! Formulas to generalised Büchi automata: J.-M. Couvreur, "On-the-fly verification of linear
//! temporal logic", FM 1999; with the refinements of A. Duret-Lutz, "LTL translation
//! improvements in Spot 1.0", IJCCBS 5 (2014), section 3.
//!
//! A state is a formula. Its one-step expansion is a function over letters, `Next[g]` ("g
//! holds one step later") and `Promise[g]` ("g was put off"); a product of it is an edge to
//! the conjunction of its `Next`. There is an acceptance set for each promise: the edges
//! that do not make it.

use super::TooLarge;
use crate::formula::{Binary, Formulas, Ltl, Node};
use crate::simplify::Simplifier;
use lariat_automata::StateId;
use lariat_automata::symbolic::{Arc, Bdd, Func, Symbolic, Var};
use lariat_core::{Marks, stop};
use rustc_hash::FxHashMap;

/// How to expand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableauOptions {
    /// Take letters apart before edges are made of them: more deterministic, more letters.
    pub by_letter: bool,
    /// A larger tableau is given up.
    pub max_states: usize,
}

/// The automaton of `f`, which must be in negation normal form. `aps` are the propositions
/// that the automaton is about, all of `f` among them.
pub fn tableau(
    all: &mut Formulas,
    simplifier: &mut Simplifier,
    f: Ltl,
    aps: &[u32],
    options: TableauOptions,
    bdd: &mut Bdd,
) -> Result<Symbolic, TooLarge> {
    let max_products = options.max_states.saturating_mul(8).saturating_add(50_000);
    let mut tableau = Tableau {
        products_left: max_products,
        ap_vars: aps.iter().enumerate().map(|(var, &ap)| (ap, var as Var)).collect(),
        letters: aps.len() as Var,
        meanings: Vec::new(),
        next_vars: FxHashMap::default(),
        promise_vars: FxHashMap::default(),
        expansions: FxHashMap::default(),
        states: FxHashMap::default(),
        by_expansion: FxHashMap::default(),
        pending: Vec::new(),
        all,
        simplifier,
        bdd,
    };
    let names = aps.iter().map(|&ap| tableau.all.ap_names()[ap as usize].clone()).collect();
    let mut raw: Vec<Vec<RawArc>> = Vec::new();
    tableau.state(f);
    while raw.len() < tableau.pending.len() {
        let expansion = tableau.pending[raw.len()];
        let Some(arcs) = tableau.arcs(expansion, options.by_letter) else {
            return Err(TooLarge::Edges(max_products));
        };
        if let Some(why) = stop::asked() {
            return Err(TooLarge::Stopped(why));
        }
        raw.push(arcs);
        if tableau.pending.len() > options.max_states {
            return Err(TooLarge::States(options.max_states));
        }
        if tableau.bdd.exhausted() {
            return Err(TooLarge::exhausted(tableau.bdd));
        }
    }
    let mark_count = tableau.promise_vars.len();
    if mark_count > Marks::MAX as usize {
        return Err(TooLarge::Marks);
    }
    let marks = Marks::all(mark_count as u32);
    let arcs = raw.into_iter().map(|arcs| arcs.into_iter().map(|arc| arc.finish(marks)).collect());
    Ok(Symbolic { aps: names, mark_count: mark_count as u32, initial: 0, arcs: arcs.collect() })
}

/// An edge with the promises it makes.
struct RawArc {
    label: Func,
    promises: Marks,
    target: StateId,
}

impl RawArc {
    fn finish(self, all: Marks) -> Arc {
        Arc { label: self.label, marks: all.without(self.promises), target: self.target }
    }
}

/// What a variable stands for.
#[derive(Clone, Copy)]
enum Meaning {
    Next(Ltl),
    Promise(u32),
}

struct Tableau<'a> {
    all: &'a mut Formulas,
    simplifier: &'a mut Simplifier,
    bdd: &'a mut Bdd,
    ap_vars: FxHashMap<u32, Var>,
    /// The variables below this number are propositions.
    letters: Var,
    /// Of the variables from `letters` on.
    meanings: Vec<Meaning>,
    next_vars: FxHashMap<Ltl, Var>,
    promise_vars: FxHashMap<Ltl, Var>,
    /// By formula, and whether it is re-raised at each step anyway (see `Globally` below).
    expansions: FxHashMap<(Ltl, bool), Func>,
    states: FxHashMap<Ltl, StateId>,
    /// States with the same expansion are the same.
    by_expansion: FxHashMap<Func, StateId>,
    /// The expansion of each state.
    pending: Vec<Func>,
    /// Few states can have very many edges.
    products_left: usize,
}

impl Tableau<'_> {
    fn state(&mut self, f: Ltl) -> StateId {
        if let Some(&state) = self.states.get(&f) {
            return state;
        }
        let expansion = self.expand(f, false);
        let fresh = self.pending.len() as StateId;
        let state = *self.by_expansion.entry(expansion).or_insert(fresh);
        if state == fresh {
            self.pending.push(expansion);
        }
        self.states.insert(f, state);
        state
    }

    fn variable(&mut self, meaning: Meaning) -> Var {
        self.meanings.push(meaning);
        self.letters + self.meanings.len() as Var - 1
    }

    /// `Next[f]`; of a conjunction, the conjunction of those of its parts.
    fn next(&mut self, f: Ltl) -> Func {
        let mut product = Func::TRUE;
        for part in self.all.conjuncts(f) {
            let var = match self.next_vars.get(&part) {
                Some(&var) => var,
                None => {
                    let var = self.variable(Meaning::Next(part));
                    self.next_vars.insert(part, var);
                    var
                }
            };
            let literal = self.bdd.var(var);
            product = self.bdd.and(product, literal);
        }
        if f == Ltl::TRUE { Func::TRUE } else { product }
    }

    /// `Promise[f]`. What is promised by `F a`, `b U a` and `a` is the same.
    fn promise(&mut self, f: Ltl) -> Func {
        let mut f = f;
        loop {
            f = match *self.all.node(f) {
                Node::Finally(a) | Node::Binary(Binary::Until, _, a) => a,
                Node::Binary(Binary::StrongRelease, a, b) => self.all.and2(a, b),
                _ => break,
            };
        }
        let var = match self.promise_vars.get(&f) {
            Some(&var) => var,
            None => {
                let var = self.variable(Meaning::Promise(self.promise_vars.len() as u32));
                self.promise_vars.insert(f, var);
                var
            }
        };
        self.bdd.var(var)
    }

    fn expand(&mut self, f: Ltl, recurring: bool) -> Func {
        if let Some(&known) = self.expansions.get(&(f, recurring)) {
            return known;
        }
        let result = match self.all.node(f).clone() {
            Node::False => Func::FALSE,
            Node::True => Func::TRUE,
            Node::Ap(ap) => self.bdd.var(self.ap_vars[&ap]),
            Node::Not(a) => {
                let a = self.expand(a, false);
                self.bdd.not(a)
            }
            Node::Next(a) => self.next(a),
            // F a = a | Promise[a] & X F a. Where G re-raises F a at the next step, X F a
            // need not be said.
            Node::Finally(a) => {
                let now = self.expand(a, false);
                let mut later = self.promise(a);
                if !recurring {
                    let again = self.next(f);
                    later = self.bdd.and(later, again);
                }
                self.bdd.or(now, later)
            }
            Node::Globally(a) => {
                let now = self.expand(a, true);
                let again = self.next(f);
                self.bdd.and(now, again)
            }
            Node::And(parts) => parts.iter().fold(Func::TRUE, |acc, &part| {
                let part = self.expand(part, recurring);
                self.bdd.and(acc, part)
            }),
            Node::Or(parts) => parts.iter().fold(Func::FALSE, |acc, &part| {
                let part = self.expand(part, false);
                self.bdd.or(acc, part)
            }),
            Node::Binary(op, a, b) => self.expand_binary(op, a, b, f, recurring),
        };
        self.expansions.insert((f, recurring), result);
        result
    }

    fn expand_binary(&mut self, op: Binary, a: Ltl, b: Ltl, f: Ltl, recurring: bool) -> Func {
        let (left, right) = (self.expand(a, false), self.expand(b, false));
        // Re-raised at the next step anyway, as F above.
        let again = if recurring { Func::TRUE } else { self.next(f) };
        match op {
            Binary::Until => {
                let promise = self.promise(b);
                let later = self.bdd.and(promise, again);
                let later = self.bdd.and(left, later);
                self.bdd.or(right, later)
            }
            Binary::WeakUntil => {
                let later = self.bdd.and(left, again);
                self.bdd.or(right, later)
            }
            Binary::Release => {
                let later = self.bdd.or(left, again);
                self.bdd.and(right, later)
            }
            Binary::StrongRelease => {
                let promised = self.all.and2(a, b);
                let promise = self.promise(promised);
                let later = self.bdd.and(promise, again);
                let later = self.bdd.or(left, later);
                self.bdd.and(right, later)
            }
            Binary::Implies | Binary::Equiv | Binary::Xor => {
                unreachable!("not in negation normal form")
            }
        }
    }

    /// The edges of a state; none if there are too many.
    fn arcs(&mut self, expansion: Func, by_letter: bool) -> Option<Vec<RawArc>> {
        let mut arcs: Vec<RawArc> = Vec::new();
        let mut place: FxHashMap<(StateId, Marks), usize> = FxHashMap::default();
        let parts = match by_letter {
            true => self.bdd.split(expansion, self.letters),
            false => vec![(expansion, Func::TRUE)],
        };
        for (rest, letters) in parts {
            let products = self.bdd.cover_within(rest, rest, self.products_left)?;
            self.products_left = self.products_left.checked_sub(products.len())?;
            for product in products {
                let mut label = letters;
                let mut promises = Marks::NONE;
                let mut next = Vec::new();
                for (var, positive) in product {
                    let Some(at) = var.checked_sub(self.letters) else {
                        let literal = self.bdd.literal(var, positive);
                        label = self.bdd.and(label, literal);
                        continue;
                    };
                    match self.meanings[at as usize] {
                        Meaning::Next(g) => next.push(g),
                        // Too many marks are reported at the end.
                        Meaning::Promise(mark) => promises |= Marks::one(mark % Marks::MAX),
                    }
                }
                let target = self.all.and(next);
                let target = self.simplifier.simplify(self.all, target);
                if target == Ltl::FALSE {
                    continue;
                }
                let target = self.state(target);
                match place.get(&(target, promises)) {
                    Some(&i) => arcs[i].label = self.bdd.or(arcs[i].label, label),
                    None => {
                        place.insert((target, promises), arcs.len());
                        arcs.push(RawArc { label, promises, target });
                    }
                }
            }
        }
        Some(arcs)
    }
}
