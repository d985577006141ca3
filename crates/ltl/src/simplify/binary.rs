//! Rules for U, R, W and M.

use super::{Simplifier, split_parts};
use crate::formula::{Binary, Formulas, Ltl, Node};
use Binary::{Release, StrongRelease, Until, WeakUntil};

impl Simplifier {
    pub(super) fn binary(&mut self, all: &mut Formulas, op: Binary, a: Ltl, b: Ltl) -> Option<Ltl> {
        if self.options.eventual_universal
            && let Some(better) = eventual_universal(all, op, a, b)
        {
            return Some(better);
        }
        if self.options.basic
            && let Some(better) = basic(all, op, a, b)
        {
            return Some(better);
        }
        if !self.options.implication {
            return None;
        }
        self.by_implication(all, op, a, b)
            .or_else(|| self.nested(all, op, a, b))
            .or_else(|| self.drop_left_parts(all, op, a, b))
    }

    fn by_implication(&mut self, all: &mut Formulas, op: Binary, a: Ltl, b: Ltl) -> Option<Ltl> {
        match op {
            // f => g: f U g = g;  !f => g: f U g = F g
            Until if self.implies(all, a, b) => Some(b),
            Until if self.covers(all, a, b) => Some(all.finally(b)),
            // f => g: f W g = g;  !f => g: f W g = 1
            WeakUntil if self.implies(all, a, b) => Some(b),
            WeakUntil if self.covers(all, a, b) => Some(Ltl::TRUE),
            // g => f: f R g = g;  g => !f: f R g = G g
            Release if self.implies(all, b, a) => Some(b),
            Release if self.excludes(all, b, a) => Some(all.globally(b)),
            // g => f: f M g = g;  g => !f: f M g = 0
            StrongRelease if self.implies(all, b, a) => Some(b),
            StrongRelease if self.excludes(all, b, a) => Some(Ltl::FALSE),
            // The formula implies (is implied by) its right operand: it is that.
            Until | WeakUntil => {
                let whole = all.binary(op, a, b);
                self.implies(all, whole, b).then_some(b)
            }
            _ => {
                let whole = all.binary(op, a, b);
                self.implies(all, b, whole).then_some(b)
            }
        }
    }

    /// Operators in operands: f U (g U h) and the like.
    fn nested(&mut self, all: &mut Formulas, op: Binary, a: Ltl, b: Ltl) -> Option<Ltl> {
        if let Node::Binary(inner, c, d) = *all.node(b) {
            match (op, inner) {
                // f => g: f U (g U h) = g U h; f W (g W h) = g W h; f U (g W h) = g W h
                (Until, Until) | (WeakUntil, WeakUntil) | (Until, WeakUntil)
                    if self.implies(all, a, c) =>
                {
                    return Some(b);
                }
                // g => f: f U (g U h) = f U h; f W (g W h) = f W h; f W (g U h) = f W h
                (Until, Until) | (WeakUntil, WeakUntil) | (WeakUntil, Until)
                    if self.implies(all, c, a) =>
                {
                    return Some(all.binary(op, a, d));
                }
                // g => f: f R (g R h) = g R h; f M (g M h) = g M h; f R (g M h) = g M h
                (Release, Release) | (StrongRelease, StrongRelease) | (Release, StrongRelease)
                    if self.implies(all, c, a) =>
                {
                    return Some(b);
                }
                // f => g: f R (g R h) = f R h; f M (g M h) = f M h; f M (g R h) = f M h
                (Release, Release) | (StrongRelease, StrongRelease) | (StrongRelease, Release)
                    if self.implies(all, a, c) =>
                {
                    return Some(all.binary(op, a, d));
                }
                _ => {}
            }
        }
        if let Node::Binary(inner, c, d) = *all.node(a) {
            match (op, inner) {
                // f => h: (f U g) U h = g U h, also with W on either side
                (Until | WeakUntil, Until) if self.implies(all, c, b) => {
                    return Some(all.binary(op, d, b));
                }
                (WeakUntil, WeakUntil) | (Until, WeakUntil) if self.implies(all, c, b) => {
                    return Some(all.binary(op, d, b));
                }
                // h => f: (f R g) R h = g R h, also with M
                (Release | StrongRelease, Release | StrongRelease) if self.implies(all, b, c) => {
                    return Some(all.binary(op, d, b));
                }
                // h => g: (g' R g) R h = g' ... R h is not simpler; left alone
                _ => {}
            }
        }
        None
    }

    /// Parts of the left operand that make no difference.
    fn drop_left_parts(&mut self, all: &mut Formulas, op: Binary, a: Ltl, b: Ltl) -> Option<Ltl> {
        let (parts, conjunction) = match all.node(a) {
            Node::And(parts) => (parts.clone(), true),
            Node::Or(parts) => (parts.clone(), false),
            _ => return None,
        };
        let until_like = matches!(op, Until | WeakUntil);
        let mut kept = Vec::new();
        for &part in parts.iter() {
            let useless = match (until_like, conjunction) {
                // g => h: (f | g) U h = f U h
                (true, false) => self.implies(all, part, b),
                // !g => h: (f & g) U h = f U h
                (true, true) => self.covers(all, part, b),
                // h => g: (f & g) R h = f R h
                (false, true) => self.implies(all, b, part),
                // h => !g: (f | g) R h = f R h
                (false, false) => self.excludes(all, b, part),
            };
            if !useless {
                kept.push(part);
            }
        }
        (kept.len() < parts.len()).then(|| {
            let left = if conjunction { all.and(kept) } else { all.or(kept) };
            all.binary(op, left, b)
        })
    }
}

fn eventual_universal(all: &mut Formulas, op: Binary, a: Ltl, b: Ltl) -> Option<Ltl> {
    let (left, right) = (all.classes(a), all.classes(b));
    // q U X g = X(q U g), also R, W, M
    if left.suspendable()
        && let Node::Next(g) = *all.node(b)
    {
        let inner = all.binary(op, a, g);
        return Some(all.next(inner));
    }
    match op {
        // f U e = e;  f R u = u
        Until if right.eventual() => return Some(b),
        Release if right.universal() => return Some(b),
        // f W e = G f | e;  u W f = u | f
        WeakUntil if right.eventual() => {
            let always = all.globally(a);
            return Some(all.or2(always, b));
        }
        WeakUntil if left.universal() => return Some(all.or2(a, b)),
        // f M u = F f & u;  e M f = e & f
        StrongRelease if right.universal() => {
            let comes = all.finally(a);
            return Some(all.and2(comes, b));
        }
        StrongRelease if left.eventual() => return Some(all.and2(a, b)),
        // q U f = f | (q & F f);  q R f = f & (q | G f)
        Until if left.suspendable() => {
            let comes = all.finally(b);
            let both = all.and2(a, comes);
            return Some(all.or2(b, both));
        }
        Release if left.suspendable() => {
            let always = all.globally(b);
            let either = all.or2(a, always);
            return Some(all.and2(b, either));
        }
        _ => {}
    }
    let (parts, conjunction) = match all.node(b) {
        Node::And(parts) => (parts.clone(), true),
        Node::Or(parts) => (parts.clone(), false),
        _ => return None,
    };
    type Test = fn(&Formulas, Ltl) -> bool;
    let suspendable: Test = |all, f| all.classes(f).suspendable();
    let test: Test = match (op, conjunction) {
        // f U (g | e) = (f U g) | e, also W;  f R (g & u) = (f R g) & u, also M
        (Until | WeakUntil, false) => |all, f| all.classes(f).eventual(),
        (Release | StrongRelease, true) => |all, f| all.classes(f).universal(),
        // f U (g & q) = (f U g) & q;  f R (g | q) = (f R g) | q
        (Until, true) | (Release, false) => suspendable,
        _ => return None,
    };
    let (mut out, rest) = split_parts(all, &parts, test);
    if out.is_empty() {
        return None;
    }
    let rest = if conjunction { all.and(rest) } else { all.or(rest) };
    out.push(all.binary(op, a, rest));
    Some(if conjunction { all.and(out) } else { all.or(out) })
}

fn basic(all: &mut Formulas, op: Binary, a: Ltl, b: Ltl) -> Option<Ltl> {
    // X f U X g = X(f U g), also R, W, M
    if let (&Node::Next(f), &Node::Next(g)) = (all.node(a), all.node(b)) {
        let inner = all.binary(op, f, g);
        return Some(all.next(inner));
    }
    let (parts, conjunction) = match all.node(b) {
        Node::And(parts) => (parts.clone(), true),
        Node::Or(parts) => (parts.clone(), false),
        _ => return None,
    };
    let without = |gone: Ltl| parts.iter().copied().filter(move |&part| part != gone);
    match (op, conjunction) {
        // f U (g & f) = g M f;  f W (g & f) = g R f
        (Until | WeakUntil, true) if parts.contains(&a) => {
            let g = all.and(without(a));
            Some(all.binary(if op == Until { StrongRelease } else { Release }, g, a))
        }
        // f R (g | f) = g W f;  f M (g | f) = g U f
        (Release | StrongRelease, false) if parts.contains(&a) => {
            let g = all.or(without(a));
            Some(all.binary(if op == Release { WeakUntil } else { Until }, g, a))
        }
        // f U (g | G f) = f W g;  f W (g | G f) = f W g
        (Until | WeakUntil, false) => {
            let always = all.globally(a);
            parts.contains(&always).then(|| {
                let g = all.or(without(always));
                all.weak_until(a, g)
            })
        }
        // f R (g & F f) = f M g;  f M (g & F f) = f M g
        (Release | StrongRelease, true) => {
            let comes = all.finally(a);
            parts.contains(&comes).then(|| {
                let g = all.and(without(comes));
                all.strong_release(a, g)
            })
        }
        _ => None,
    }
}
