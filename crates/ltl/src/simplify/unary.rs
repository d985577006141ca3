//! Rules for X, F and G.

use super::{Simplifier, split_parts};
use crate::formula::{Binary, Formulas, Ltl, Node};

fn suspendable(all: &Formulas, f: Ltl) -> bool {
    all.classes(f).suspendable()
}

/// The parts, with `X g` replaced by `g` where `test` holds of g; none if there is no such.
fn strip_next(
    all: &Formulas,
    parts: &[Ltl],
    test: impl Fn(&Formulas, Ltl) -> bool,
) -> Option<Vec<Ltl>> {
    let strip = |&part: &Ltl| match *all.node(part) {
        Node::Next(g) if test(all, g) => g,
        _ => part,
    };
    let stripped: Vec<Ltl> = parts.iter().map(strip).collect();
    (stripped != parts).then_some(stripped)
}

impl Simplifier {
    pub(super) fn next(&mut self, all: &mut Formulas, a: Ltl) -> Option<Ltl> {
        if !self.options.eventual_universal {
            return None;
        }
        // X q = q; X(f & q) = X f & q; X(f | q) = X f | q
        if suspendable(all, a) {
            return Some(a);
        }
        let (parts, conjunction) = match all.node(a) {
            Node::And(parts) => (parts.clone(), true),
            Node::Or(parts) => (parts.clone(), false),
            _ => return None,
        };
        let (mut out, rest) = split_parts(all, &parts, suspendable);
        if out.is_empty() {
            return None;
        }
        let rest = if conjunction { all.and(rest) } else { all.or(rest) };
        out.push(all.next(rest));
        Some(if conjunction { all.and(out) } else { all.or(out) })
    }

    /// G(f & F g) = G(f & GF g), so the rules for `GF g` apply to the part (`globally`);
    /// dually for F(f | G g).
    fn each_alone(
        &mut self,
        all: &mut Formulas,
        parts: &[Ltl],
        globally: bool,
    ) -> Option<Vec<Ltl>> {
        let mut changed = false;
        let mut out = Vec::with_capacity(parts.len());
        for &part in parts {
            let better = match (all.node(part).clone(), globally) {
                _ if suspendable(all, part) => None,
                (Node::Finally(b), true) => self.globally_finally(all, b),
                (Node::Globally(b), false) => self.finally_globally(all, b),
                _ => None,
            };
            changed |= better.is_some();
            out.push(better.unwrap_or(part));
        }
        changed.then_some(out)
    }

    pub(super) fn finally(&mut self, all: &mut Formulas, a: Ltl) -> Option<Ltl> {
        let node = all.node(a).clone();
        if self.options.eventual_universal {
            // F e = e
            if all.classes(a).eventual() {
                return Some(a);
            }
            // F(f | e) = F f | e, but F(f | q) stays: both F f and q are waited for in the
            // same state then. F(f & q) = F f & q
            match &node {
                Node::Or(parts) => {
                    let (mut out, rest) = split_parts(all, parts, |all, f| {
                        all.classes(f).eventual() && !suspendable(all, f)
                    });
                    if !out.is_empty() {
                        let rest = all.or(rest);
                        out.push(all.finally(rest));
                        return Some(all.or(out));
                    }
                    if let Some(parts) = self.each_alone(all, parts, false) {
                        let inner = all.or(parts);
                        return Some(all.finally(inner));
                    }
                }
                Node::And(parts) => {
                    let (mut out, rest) = split_parts(all, parts, suspendable);
                    if !out.is_empty() {
                        let rest = all.and(rest);
                        out.push(all.finally(rest));
                        return Some(all.and(out));
                    }
                }
                _ => {}
            }
        }
        if !self.options.basic {
            return None;
        }
        match node {
            // F(f U g) = F g
            Node::Binary(Binary::Until, _, g) => Some(all.finally(g)),
            // F(f M g) = F(f & g)
            Node::Binary(Binary::StrongRelease, f, g) => {
                let both = all.and2(f, g);
                Some(all.finally(both))
            }
            // F X f = X F f
            Node::Next(f) => {
                let inner = all.finally(f);
                Some(all.next(inner))
            }
            Node::Globally(b) => self.finally_globally(all, b),
            _ => None,
        }
    }

    /// F G b.
    fn finally_globally(&mut self, all: &mut Formulas, b: Ltl) -> Option<Ltl> {
        match all.node(b).clone() {
            // FG(f & X g) = FG(f & g);  FG(f & G g) = FG(f & g)
            // FG(f & F g) = FG f & GF g
            Node::And(parts) => {
                let (finals, rest) =
                    split_parts(all, &parts, |all, f| matches!(all.node(f), Node::Finally(_)));
                let mut stripped = Vec::new();
                let mut changed = !finals.is_empty();
                for part in rest {
                    match *all.node(part) {
                        Node::Next(g) | Node::Globally(g) => {
                            changed = true;
                            stripped.push(g);
                        }
                        _ => stripped.push(part),
                    }
                }
                changed.then(|| {
                    let inner = all.and(stripped);
                    let inner = all.globally(inner);
                    let mut out: Vec<Ltl> = finals.into_iter().map(|f| all.globally(f)).collect();
                    out.push(all.finally(inner));
                    all.and(out)
                })
            }
            // FG(f | e) = FG f | G e;  FG(f | u) = FG f | F u
            Node::Or(parts) => {
                let (out, rest) = split_parts(all, &parts, |all, f| {
                    all.classes(f).eventual() || all.classes(f).universal()
                });
                (!out.is_empty()).then(|| {
                    let rest = all.or(rest);
                    let rest = all.globally(rest);
                    let mut sum = vec![all.finally(rest)];
                    for part in out {
                        sum.push(match all.classes(part).eventual() {
                            true => all.globally(part),
                            false => all.finally(part),
                        });
                    }
                    all.or(sum)
                })
            }
            // FG(f U g) = FG(f | g) & GF g
            Node::Binary(Binary::Until, f, g) => {
                let either = all.or2(f, g);
                let always = all.globally(either);
                let stays = all.finally(always);
                let comes = all.finally(g);
                let again = all.globally(comes);
                Some(all.and2(stays, again))
            }
            _ => None,
        }
    }

    pub(super) fn globally(&mut self, all: &mut Formulas, a: Ltl) -> Option<Ltl> {
        let node = all.node(a).clone();
        if self.options.eventual_universal {
            // G u = u
            if all.classes(a).universal() {
                return Some(a);
            }
            // G(f & u) = G f & u, but G(f & q) stays. G(f & X e) = G(f & e).
            // G(f | q) = G f | q
            match &node {
                Node::And(parts) => {
                    let (mut out, rest) = split_parts(all, parts, |all, f| {
                        all.classes(f).universal() && !suspendable(all, f)
                    });
                    if !out.is_empty() {
                        let rest = all.and(rest);
                        out.push(all.globally(rest));
                        return Some(all.and(out));
                    }
                    let stripped = strip_next(all, parts, |all, f| all.classes(f).eventual());
                    if let Some(stripped) = stripped {
                        let inner = all.and(stripped);
                        return Some(all.globally(inner));
                    }
                    if let Some(parts) = self.each_alone(all, parts, true) {
                        let inner = all.and(parts);
                        return Some(all.globally(inner));
                    }
                }
                Node::Or(parts) => {
                    let (mut out, rest) = split_parts(all, parts, suspendable);
                    if !out.is_empty() {
                        let rest = all.or(rest);
                        out.push(all.globally(rest));
                        return Some(all.or(out));
                    }
                }
                _ => {}
            }
        }
        if !self.options.basic {
            return None;
        }
        match node {
            // G(f R g) = G g
            Node::Binary(Binary::Release, _, g) => Some(all.globally(g)),
            // G(f W g) = G(f | g)
            Node::Binary(Binary::WeakUntil, f, g) => {
                let either = all.or2(f, g);
                Some(all.globally(either))
            }
            // G(f M g) = G(g & F f)
            Node::Binary(Binary::StrongRelease, f, g) => {
                let comes = all.finally(f);
                let both = all.and2(g, comes);
                Some(all.globally(both))
            }
            // G X f = X G f
            Node::Next(f) => {
                let inner = all.globally(f);
                Some(all.next(inner))
            }
            Node::Finally(b) => self.globally_finally(all, b),
            _ => None,
        }
    }

    /// G F b.
    fn globally_finally(&mut self, all: &mut Formulas, b: Ltl) -> Option<Ltl> {
        match all.node(b).clone() {
            // GF(f | X g) = GF(f | g);  GF(f | F g) = GF(f | g)
            // GF(f | G g) = GF f | FG g
            Node::Or(parts) => {
                let (always, rest) =
                    split_parts(all, &parts, |all, f| matches!(all.node(f), Node::Globally(_)));
                let mut stripped = Vec::new();
                let mut changed = !always.is_empty();
                for part in rest {
                    match *all.node(part) {
                        Node::Next(g) | Node::Finally(g) => {
                            changed = true;
                            stripped.push(g);
                        }
                        _ => stripped.push(part),
                    }
                }
                changed.then(|| {
                    let inner = all.or(stripped);
                    let inner = all.finally(inner);
                    let mut out: Vec<Ltl> = always.into_iter().map(|f| all.finally(f)).collect();
                    out.push(all.globally(inner));
                    all.or(out)
                })
            }
            // GF(f & e) = GF f & G e;  GF(f & u) = GF f & F u
            Node::And(parts) => {
                let (out, rest) = split_parts(all, &parts, |all, f| {
                    all.classes(f).eventual() || all.classes(f).universal()
                });
                (!out.is_empty()).then(|| {
                    let rest = all.and(rest);
                    let rest = all.finally(rest);
                    let mut product = vec![all.globally(rest)];
                    for part in out {
                        product.push(match all.classes(part).eventual() {
                            true => all.globally(part),
                            false => all.finally(part),
                        });
                    }
                    all.and(product)
                })
            }
            // GF(f R g) = FG g | GF(f & g)
            Node::Binary(Binary::Release, f, g) => {
                let always = all.globally(g);
                let stays = all.finally(always);
                let both = all.and2(f, g);
                let comes = all.finally(both);
                let again = all.globally(comes);
                Some(all.or2(stays, again))
            }
            // GF(f W g) = FG f | GF g
            Node::Binary(Binary::WeakUntil, f, g) => {
                let always = all.globally(f);
                let stays = all.finally(always);
                let comes = all.finally(g);
                let again = all.globally(comes);
                Some(all.or2(stays, again))
            }
            _ => None,
        }
    }
}
