//! Syntactic implication: a test that is quick and never wrong when it says yes (Somenzi and
//! Bloem 2000, section 2; completed with the classes of Etessami and Holzmann).
//!
//! There are two tests. In the *immediate* one f also takes over g's promises at once. Only
//! that may be used on the states of a tableau: there `F p & (q R X F p)` must not become
//! `q R X F p`, although the latter implies the former, since then `F p` would be put off by
//! nobody: each state would leave it to the next one.

use crate::formula::{Binary, Formulas, Ltl, Node};
use Binary::{Release, StrongRelease, Until, WeakUntil};
use lariat_automata::symbolic::{Bdd, Func};
use rustc_hash::FxHashMap;

/// Remembers the answers.
#[derive(Default)]
pub(super) struct Implication {
    pub(super) immediate: bool,
    known: FxHashMap<(Ltl, Ltl), bool>,
    booleans: Booleans,
}

impl Implication {
    /// Whether f => g can be seen. Both are in negation normal form.
    pub(super) fn implies(&mut self, all: &Formulas, f: Ltl, g: Ltl) -> bool {
        if f == g || f == Ltl::FALSE || g == Ltl::TRUE {
            return true;
        }
        if f == Ltl::TRUE || g == Ltl::FALSE {
            return false;
        }
        if let Some(&known) = self.known.get(&(f, g)) {
            return known;
        }
        let answer = if all.classes(f).boolean() && all.classes(g).boolean() {
            self.booleans.implies(all, f, g)
        } else {
            self.by_left(all, f, g) || self.by_right(all, f, g) || self.by_pair(all, f, g)
        };
        self.known.insert((f, g), answer);
        answer
    }

    /// By the shape of f.
    fn by_left(&mut self, all: &Formulas, f: Ltl, g: Ltl) -> bool {
        let eventual = all.classes(g).eventual() && !self.immediate;
        match all.node(f).clone() {
            Node::Or(parts) => parts.iter().all(|&part| self.implies(all, part, g)),
            Node::And(parts) => {
                parts.iter().any(|&part| self.implies(all, part, g))
                    || self.boolean_part(all, &parts, g, true)
            }
            // X a => e if a => e;  F a => e if a => e
            Node::Next(a) | Node::Finally(a) => eventual && self.implies(all, a, g),
            Node::Globally(a) => self.implies(all, a, g),
            Node::Binary(Until, a, b) => {
                self.implies(all, b, g) && (eventual || self.implies(all, a, g))
            }
            Node::Binary(WeakUntil, a, b) => self.implies(all, a, g) && self.implies(all, b, g),
            Node::Binary(Release, _, b) => self.implies(all, b, g),
            Node::Binary(StrongRelease, a, b) => {
                self.implies(all, b, g) || eventual && self.implies(all, a, g)
            }
            _ => false,
        }
    }

    /// By the shape of g.
    fn by_right(&mut self, all: &Formulas, f: Ltl, g: Ltl) -> bool {
        let universal = all.classes(f).universal();
        match all.node(g).clone() {
            Node::And(parts) => parts.iter().all(|&part| self.implies(all, f, part)),
            Node::Or(parts) => {
                parts.iter().any(|&part| self.implies(all, f, part))
                    || self.boolean_part(all, &parts, f, false)
            }
            // u => X b if u => b;  u => G b if u => b
            Node::Next(b) | Node::Globally(b) => universal && self.implies(all, f, b),
            Node::Finally(b) => self.implies(all, f, b),
            Node::Binary(Until, _, b) => self.implies(all, f, b),
            Node::Binary(WeakUntil, a, b) => {
                self.implies(all, f, b) || universal && self.implies(all, f, a)
            }
            Node::Binary(Release, a, b) => {
                self.implies(all, f, b) && (universal || self.implies(all, f, a))
            }
            Node::Binary(StrongRelease, a, b) => self.implies(all, f, a) && self.implies(all, f, b),
            _ => false,
        }
    }

    /// The Boolean parts of a conjunction (disjunction) together against a Boolean formula.
    fn boolean_part(&mut self, all: &Formulas, parts: &[Ltl], other: Ltl, and: bool) -> bool {
        if !all.classes(other).boolean() {
            return false;
        }
        let boolean: Vec<Ltl> =
            parts.iter().copied().filter(|&part| all.classes(part).boolean()).collect();
        if boolean.len() < 2 {
            return false;
        }
        let mut func = if and { Func::TRUE } else { Func::FALSE };
        for part in boolean {
            let part = self.booleans.func(all, part);
            let bdd = &mut self.booleans.bdd;
            func = if and { bdd.and(func, part) } else { bdd.or(func, part) };
        }
        let other = self.booleans.func(all, other);
        let bdd = &mut self.booleans.bdd;
        if and { bdd.implies(func, other) } else { bdd.implies(other, func) }
    }

    /// By the shapes of both.
    fn by_pair(&mut self, all: &Formulas, f: Ltl, g: Ltl) -> bool {
        let (left, right) = (all.node(f).clone(), all.node(g).clone());
        match (left, right) {
            (Node::Next(a), Node::Next(b)) => self.implies(all, a, b),
            (Node::Finally(a), Node::Finally(b)) | (Node::Globally(a), Node::Globally(b)) => {
                self.implies(all, a, b)
            }
            (Node::Binary(p, a, b), Node::Binary(q, c, d)) => {
                self.binary_pair(all, (p, a, b), (q, c, d))
            }
            (Node::Binary(Until, _, b), Node::Finally(d)) => self.implies(all, b, d),
            (Node::Binary(StrongRelease, a, b), Node::Finally(d)) => {
                self.implies(all, a, d) || self.implies(all, b, d)
            }
            _ => false,
        }
    }

    fn binary_pair(
        &mut self,
        all: &Formulas,
        (p, a, b): (Binary, Ltl, Ltl),
        (q, c, d): (Binary, Ltl, Ltl),
    ) -> bool {
        match (p, q) {
            (Until, Until | WeakUntil) | (WeakUntil, WeakUntil) => {
                self.implies(all, a, c) && self.implies(all, b, d)
            }
            (StrongRelease, StrongRelease | Release) | (Release, Release) => {
                self.implies(all, a, c) && self.implies(all, b, d)
            }
            // a U b => c M d = d U (c & d)
            (Until, StrongRelease | Release) | (WeakUntil, Release) => {
                self.implies(all, a, d) && self.implies(all, b, c) && self.implies(all, b, d)
            }
            // a M b = b U (a & b) => c U d
            (StrongRelease, Until | WeakUntil) | (Release, WeakUntil) => {
                self.implies(all, b, c) && (self.implies(all, a, d) || self.implies(all, b, d))
            }
            _ => false,
        }
    }
}

/// Boolean formulas are compared exactly.
#[derive(Default)]
struct Booleans {
    bdd: DefaultBdd,
    known: FxHashMap<Ltl, Func>,
}

impl Booleans {
    fn implies(&mut self, all: &Formulas, f: Ltl, g: Ltl) -> bool {
        let (f, g) = (self.func(all, f), self.func(all, g));
        self.bdd.implies(f, g)
    }

    fn func(&mut self, all: &Formulas, f: Ltl) -> Func {
        if let Some(&known) = self.known.get(&f) {
            return known;
        }
        let func = match all.node(f) {
            Node::False => Func::FALSE,
            Node::True => Func::TRUE,
            Node::Ap(ap) => self.bdd.var(*ap),
            Node::Not(a) => {
                let a = self.func(all, *a);
                self.bdd.not(a)
            }
            Node::And(parts) => parts.iter().fold(Func::TRUE, |acc, &part| {
                let part = self.func(all, part);
                self.bdd.and(acc, part)
            }),
            Node::Or(parts) => parts.iter().fold(Func::FALSE, |acc, &part| {
                let part = self.func(all, part);
                self.bdd.or(acc, part)
            }),
            _ => unreachable!("not a Boolean formula in normal form"),
        };
        self.known.insert(f, func);
        func
    }
}

/// A manager that is made when it is first used.
struct DefaultBdd(Bdd);

impl Default for DefaultBdd {
    fn default() -> Self {
        DefaultBdd(Bdd::with_limit(1 << 20))
    }
}

impl std::ops::Deref for DefaultBdd {
    type Target = Bdd;
    fn deref(&self) -> &Bdd {
        &self.0
    }
}

impl std::ops::DerefMut for DefaultBdd {
    fn deref_mut(&mut self) -> &mut Bdd {
        &mut self.0
    }
}
