//! Negation normal form: `! & | X F G U R W M`, with negation at propositions only.

use crate::formula::{Binary, Formulas, Ltl, Node};
use rustc_hash::FxHashMap;

/// Remembers what it has normalised.
#[derive(Clone, Default)]
pub struct Normaliser {
    known: FxHashMap<(Ltl, bool), Ltl>,
}

impl Normaliser {
    /// `f` in normal form.
    pub fn normal(&mut self, all: &mut Formulas, f: Ltl) -> Ltl {
        self.signed(all, f, true)
    }

    /// The normal form of `!f`.
    pub fn negated(&mut self, all: &mut Formulas, f: Ltl) -> Ltl {
        self.signed(all, f, false)
    }

    /// `f` if `positive`, else its negation. Recursive: the depth of formulas is limited by
    /// the parser.
    fn signed(&mut self, all: &mut Formulas, f: Ltl, positive: bool) -> Ltl {
        if let Some(&known) = self.known.get(&(f, positive)) {
            return known;
        }
        let result = match all.node(f).clone() {
            Node::False => Formulas::constant(!positive),
            Node::True => Formulas::constant(positive),
            Node::Ap(_) if positive => f,
            Node::Ap(_) => all.not(f),
            Node::Not(a) => self.signed(all, a, !positive),
            Node::Next(a) => {
                let a = self.signed(all, a, positive);
                all.next(a)
            }
            Node::Finally(a) => {
                let a = self.signed(all, a, positive);
                if positive { all.finally(a) } else { all.globally(a) }
            }
            Node::Globally(a) => {
                let a = self.signed(all, a, positive);
                if positive { all.globally(a) } else { all.finally(a) }
            }
            Node::And(parts) => {
                let parts: Vec<Ltl> =
                    parts.iter().map(|&part| self.signed(all, part, positive)).collect();
                if positive { all.and(parts) } else { all.or(parts) }
            }
            Node::Or(parts) => {
                let parts: Vec<Ltl> =
                    parts.iter().map(|&part| self.signed(all, part, positive)).collect();
                if positive { all.or(parts) } else { all.and(parts) }
            }
            Node::Binary(op, a, b) => self.binary(all, op, a, b, positive),
        };
        self.known.insert((f, positive), result);
        result
    }

    fn binary(&mut self, all: &mut Formulas, op: Binary, a: Ltl, b: Ltl, positive: bool) -> Ltl {
        use Binary::*;
        match op {
            Implies => {
                let a = self.signed(all, a, !positive);
                let b = self.signed(all, b, positive);
                if positive { all.or2(a, b) } else { all.and2(a, b) }
            }
            Equiv | Xor => {
                // Equal truth values, or different ones.
                let equal = positive == (op == Equiv);
                let (a1, a0) = (self.signed(all, a, true), self.signed(all, a, false));
                let (b1, b0) = (self.signed(all, b, equal), self.signed(all, b, !equal));
                let (both, neither) = (all.and2(a1, b1), all.and2(a0, b0));
                all.or2(both, neither)
            }
            Until | Release | WeakUntil | StrongRelease => {
                let a = self.signed(all, a, positive);
                let b = self.signed(all, b, positive);
                let dual = match op {
                    Until => Release,
                    Release => Until,
                    WeakUntil => StrongRelease,
                    _ => WeakUntil,
                };
                all.binary(if positive { op } else { dual }, a, b)
            }
        }
    }
}
