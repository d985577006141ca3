//! Rules for & and |. They are dual; each rule is written once, for &, and read with
//! `F` for `G`, `U` for `R`, `W` for `M` and implication turned round for |.

use super::{Simplifier, assume};
use crate::formula::{Binary, Formulas, Ltl, Node};
use Binary::{Release, StrongRelease, Until, WeakUntil};

impl Simplifier {
    pub(super) fn conjunction(&mut self, all: &mut Formulas, parts: &[Ltl]) -> Option<Ltl> {
        self.junction(all, parts, true)
    }

    pub(super) fn disjunction(&mut self, all: &mut Formulas, parts: &[Ltl]) -> Option<Ltl> {
        self.junction(all, parts, false)
    }

    fn junction(&mut self, all: &mut Formulas, parts: &[Ltl], and: bool) -> Option<Ltl> {
        if self.options.basic {
            let mut merged = merge_kinds(all, parts, and);
            let mut changed = merged.len() < parts.len();
            changed |= assume::late_positions(all, &mut merged, and);
            changed |= assume::suspendables(all, &mut merged, and);
            if !and {
                changed |= suspend(all, &mut merged);
            }
            changed |= merge_binaries(all, &mut merged, and);
            changed |= fold_next(all, &mut merged, and);
            changed |= assume::literals(all, &mut merged, and);
            if changed {
                return Some(if and { all.and(merged) } else { all.or(merged) });
            }
        }
        if self.options.implication {
            return self.absorb(all, parts, and);
        }
        None
    }

    /// f => g: f & g = f;  f => !g: f & g = 0.
    fn absorb(&mut self, all: &mut Formulas, parts: &[Ltl], and: bool) -> Option<Ltl> {
        // Quadratic: long conjunctions are left to the automaton.
        const MAX_PARTS: usize = 60;
        if parts.len() > MAX_PARTS {
            return None;
        }
        let mut kept: Vec<Ltl> = parts.to_vec();
        let mut i = 0;
        while i < kept.len() {
            let mut j = 0;
            let mut gone = false;
            while j < kept.len() && !gone {
                if i != j {
                    let (f, g) = if and { (kept[j], kept[i]) } else { (kept[i], kept[j]) };
                    gone = self.implies(all, f, g);
                    if i < j && !gone {
                        let clash = match and {
                            true => self.excludes(all, kept[i], kept[j]),
                            false => self.covers(all, kept[i], kept[j]),
                        };
                        if clash {
                            return Some(Formulas::constant(!and));
                        }
                    }
                }
                j += 1;
            }
            if gone {
                kept.remove(i);
            } else {
                i += 1;
            }
        }
        (kept.len() < parts.len()).then(|| if and { all.and(kept) } else { all.or(kept) })
    }
}

/// X f & X g = X(f & g);  G f & G g = G(f & g);  F u & F v = F(u & v) for universal u, v
/// (in particular FG f & FG g = FG(f & g)).
fn merge_kinds(all: &mut Formulas, parts: &[Ltl], and: bool) -> Vec<Ltl> {
    let mut out = Vec::new();
    let (mut nexts, mut strong, mut weak) = (Vec::new(), Vec::new(), Vec::new());
    for &part in parts {
        match (all.node(part).clone(), and) {
            (Node::Next(f), _) => nexts.push(f),
            (Node::Globally(f), true) | (Node::Finally(f), false) => strong.push(f),
            (Node::Finally(f), true) if all.classes(f).universal() => weak.push(f),
            (Node::Globally(f), false) if all.classes(f).eventual() => weak.push(f),
            _ => out.push(part),
        }
    }
    let mut put =
        |all: &mut Formulas, group: Vec<Ltl>, wrap: &dyn Fn(&mut Formulas, Ltl) -> Ltl| {
            if !group.is_empty() {
                let inner = if and { all.and(group) } else { all.or(group) };
                out.push(wrap(all, inner));
            }
        };
    put(all, nexts, &|all, f| all.next(f));
    put(all, strong, &|all, f| if and { all.globally(f) } else { all.finally(f) });
    put(all, weak, &|all, f| if and { all.finally(f) } else { all.globally(f) });
    out
}

/// F f | q = F(f | q): one state then waits for either. (The dual rule for & would hide
/// from the tableau's states that `G f` may imply q.)
fn suspend(all: &mut Formulas, parts: &mut Vec<Ltl>) -> bool {
    let whole = parts.iter().copied().find(|&part| matches!(all.node(part), Node::Finally(_)));
    let Some(whole) = whole else { return false };
    let (mut inner, mut rest) =
        super::split_parts(all, parts, |all, part| all.classes(part).suspendable());
    inner.retain(|&part| part != whole);
    if inner.is_empty() {
        return false;
    }
    rest.retain(|&part| part != whole);
    if let Node::Finally(f) = *all.node(whole) {
        inner.push(f);
    }
    let inner = all.or(inner);
    rest.push(all.finally(inner));
    *parts = rest;
    true
}

/// For &:
/// (f U g) & (h U g) = (f & h) U g, with W on either side: U if one is U;
/// (f R g) & (f R h) = f R (g & h), with M on either side: M if one is M;
/// F g & (f W g) = f U g;  F f & (f R g) = f M g.
/// For |:
/// (f U g) | (f U h) = f U (g | h), with W: W if one is W;
/// (f R g) | (h R g) = (f | h) R g, with M: R if one is R;
/// G f | (f U g) = f W g;  G g | (f M g) = f R g.
fn merge_binaries(all: &mut Formulas, parts: &mut Vec<Ltl>, and: bool) -> bool {
    let mut changed = false;
    let mut i = 0;
    'outer: while i < parts.len() {
        for j in 0..parts.len() {
            if i == j {
                continue;
            }
            if let Some(both) = merge_pair(all, parts[i], parts[j], and) {
                let (low, high) = (i.min(j), i.max(j));
                parts[low] = both;
                parts.remove(high);
                changed = true;
                i = 0;
                continue 'outer;
            }
        }
        i += 1;
    }
    changed
}

fn merge_pair(all: &mut Formulas, x: Ltl, y: Ltl, and: bool) -> Option<Ltl> {
    match (all.node(x).clone(), all.node(y).clone()) {
        (Node::Binary(p, f, g), Node::Binary(q, h, k)) => {
            let until = matches!(p, Until | WeakUntil) && matches!(q, Until | WeakUntil);
            let release =
                matches!(p, Release | StrongRelease) && matches!(q, Release | StrongRelease);
            if !until && !release {
                return None;
            }
            // Which operand they must share.
            let same_right = until == and;
            if same_right && g != k || !same_right && f != h {
                return None;
            }
            let (strong, weak) = if until { (Until, WeakUntil) } else { (StrongRelease, Release) };
            let op = match and {
                true if p == strong || q == strong => strong,
                true => weak,
                false if p == weak || q == weak => weak,
                false => strong,
            };
            // (f U g) | (f' ...) only under the same kind of junction as the parts.
            let (left, right) = if same_right {
                (if and { all.and2(f, h) } else { all.or2(f, h) }, g)
            } else {
                (f, if and { all.and2(g, k) } else { all.or2(g, k) })
            };
            Some(all.binary(op, left, right))
        }
        // F b & G(!b | u) = !b U (b & u)
        (Node::Finally(b), Node::Globally(h)) if and => {
            first_time(all, b, h, true).map(|(not_b, both)| all.until(not_b, both))
        }
        // G a | F(!a & e) = a W (!a & e)
        (Node::Globally(a), Node::Finally(h)) if !and => {
            first_time(all, a, h, false).map(|(a, both)| all.weak_until(a, both))
        }
        (Node::Finally(e), Node::Binary(WeakUntil, f, g)) if and && e == g => Some(all.until(f, g)),
        (Node::Finally(e), Node::Binary(Release, f, g)) if and && e == f => {
            Some(all.strong_release(f, g))
        }
        (Node::Globally(e), Node::Binary(Until, f, g)) if !and && e == f => {
            Some(all.weak_until(f, g))
        }
        (Node::Globally(e), Node::Binary(StrongRelease, f, g)) if !and && e == g => {
            Some(all.release(f, g))
        }
        _ => None,
    }
}

/// For `F b & G h` (`and`): if h is `!b | u`, the pair `!b` and `b & u`.
/// For `G a | F h`: if h is `!a & e`, the pair `a` and `!a & e`.
fn first_time(all: &mut Formulas, f: Ltl, h: Ltl, and: bool) -> Option<(Ltl, Ltl)> {
    if !all.classes(f).boolean() {
        return None;
    }
    let parts = if and { all.disjuncts(h) } else { all.conjuncts(h) };
    let not_f = all.not(f);
    let (not, rest): (Vec<Ltl>, Vec<Ltl>) = parts.iter().partition(|&&part| part == not_f);
    if not.is_empty() || rest.is_empty() {
        return None;
    }
    let fits = |part: &Ltl| match and {
        true => all.classes(*part).universal(),
        false => all.classes(*part).eventual(),
    };
    if !rest.iter().all(fits) {
        return None;
    }
    if and {
        let rest = all.or(rest);
        Some((not_f, all.and2(f, rest)))
    } else {
        Some((f, h))
    }
}

/// f & X G f = G f;  f & (g | X(g R f)) = g R f, also M;
/// f | X F f = F f;  f | (g & X(g U f)) = g U f, also W.
fn fold_next(all: &mut Formulas, parts: &mut Vec<Ltl>, and: bool) -> bool {
    for i in 0..parts.len() {
        // The part as a sum (product) of `X h` and the rest.
        let (pieces, _) = match (all.node(parts[i]), and) {
            (Node::Or(pieces), true) | (Node::And(pieces), false) => (pieces.to_vec(), true),
            _ => (vec![parts[i]], false),
        };
        for &piece in &pieces {
            let Node::Next(h) = *all.node(piece) else { continue };
            for goal in all_parts(all, h, and) {
                let rest: Vec<Ltl> = pieces.iter().copied().filter(|&p| p != piece).collect();
                let folds = match (all.node(goal).clone(), and) {
                    (Node::Globally(f), true) | (Node::Finally(f), false) if rest.is_empty() => {
                        Some(f)
                    }
                    (Node::Binary(Release | StrongRelease, g, f), true)
                    | (Node::Binary(Until | WeakUntil, g, f), false)
                        if goal == h && rest == [g] =>
                    {
                        Some(f)
                    }
                    _ => None,
                };
                let Some(f) = folds else { continue };
                let needed = if and { all.conjuncts(f) } else { all.disjuncts(f) };
                if !needed.iter().all(|part| parts.contains(part) && *part != parts[i]) {
                    continue;
                }
                let left = all_parts(all, h, and).into_iter().filter(|&part| part != goal);
                let left = left.collect::<Vec<_>>();
                let mut new: Vec<Ltl> = parts
                    .iter()
                    .copied()
                    .filter(|p| *p != parts[i] && !needed.contains(p))
                    .collect();
                new.push(goal);
                if goal != h {
                    let left = if and { all.and(left) } else { all.or(left) };
                    new.push(all.next(left));
                }
                *parts = new;
                return true;
            }
        }
    }
    false
}

fn all_parts(all: &Formulas, f: Ltl, and: bool) -> Vec<Ltl> {
    if and { all.conjuncts(f) } else { all.disjuncts(f) }
}
