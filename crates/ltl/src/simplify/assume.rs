//! Rules that use what one part of a conjunction (disjunction) says in the others.

use crate::formula::{Formulas, Ltl, Node};
use rustc_hash::FxHashMap;

fn is_literal(all: &Formulas, f: Ltl) -> bool {
    match *all.node(f) {
        Node::Ap(_) => true,
        Node::Not(inner) => matches!(all.node(inner), Node::Ap(_)),
        _ => false,
    }
}

/// p & f = p & f[p := 1];  p | f = p | f[p := 0]. Only outside of temporal operators.
pub(super) fn literals(all: &mut Formulas, parts: &mut [Ltl], and: bool) -> bool {
    let literals: Vec<Ltl> = parts.iter().copied().filter(|&f| is_literal(all, f)).collect();
    if literals.is_empty() {
        return false;
    }
    let mut values: FxHashMap<Ltl, Ltl> = FxHashMap::default();
    for literal in literals {
        values.insert(literal, Formulas::constant(and));
        values.insert(all.not(literal), Formulas::constant(!and));
    }
    let mut changed = false;
    for part in parts.iter_mut() {
        if !is_literal(all, *part) {
            let simpler = replace(all, *part, &mut values, false);
            changed |= simpler != *part;
            *part = simpler;
        }
    }
    changed
}

/// q & f = q & f[q := 1];  q | f = q | f[q := 0]: the truth of q is the same at each position.
pub(super) fn suspendables(all: &mut Formulas, parts: &mut [Ltl], and: bool) -> bool {
    let mut changed = false;
    for i in 0..parts.len() {
        if !all.classes(parts[i]).suspendable() {
            continue;
        }
        for j in 0..parts.len() {
            if i != j && all.depth(parts[j]) > all.depth(parts[i]) {
                let mut values = FxHashMap::default();
                values.insert(parts[i], Formulas::constant(and));
                let simpler = replace(all, parts[j], &mut values, true);
                changed |= simpler != parts[j];
                parts[j] = simpler;
            }
        }
    }
    changed
}

/// FG(a & ..) & GF b = FG(a & ..) & GF b[a := 1], since a holds at all late positions;
/// GF(b | ..) | FG a = GF(b | ..) | FG a[b := 0].
pub(super) fn late_positions(all: &mut Formulas, parts: &mut [Ltl], and: bool) -> bool {
    // The operand under the two operators, with the outer one F (true) or G.
    let under = |all: &Formulas, f: Ltl| match *all.node(f) {
        Node::Finally(g) => match *all.node(g) {
            Node::Globally(a) => Some((true, a)),
            _ => None,
        },
        Node::Globally(g) => match *all.node(g) {
            Node::Finally(b) => Some((false, b)),
            _ => None,
        },
        _ => None,
    };
    let mut changed = false;
    for i in 0..parts.len() {
        // What is known for ever: from FG in a conjunction, from GF in a disjunction.
        let Some((outer, known)) = under(all, parts[i]) else { continue };
        if outer != and {
            continue;
        }
        let facts = if and { all.conjuncts(known) } else { all.disjuncts(known) };
        for (j, part) in parts.iter_mut().enumerate() {
            let Some((other, inner)) = under(all, *part) else { continue };
            if i == j || other == outer {
                continue;
            }
            let mut values: FxHashMap<Ltl, Ltl> = FxHashMap::default();
            for &fact in &facts {
                values.insert(fact, Formulas::constant(and));
                if is_literal(all, fact) {
                    values.insert(all.not(fact), Formulas::constant(!and));
                }
            }
            let simpler = replace(all, inner, &mut values, true);
            if simpler != inner {
                changed = true;
                *part = if other {
                    let inner = all.globally(simpler);
                    all.finally(inner)
                } else {
                    let inner = all.finally(simpler);
                    all.globally(inner)
                };
            }
        }
    }
    changed
}

/// The formula with the values put in; under temporal operators too if `deep`. `values`
/// also remembers what was replaced.
fn replace(all: &mut Formulas, f: Ltl, values: &mut FxHashMap<Ltl, Ltl>, deep: bool) -> Ltl {
    if let Some(&value) = values.get(&f) {
        return value;
    }
    let mut each = |all: &mut Formulas, parts: &[Ltl]| -> Vec<Ltl> {
        parts.iter().map(|&part| replace(all, part, values, deep)).collect()
    };
    let result = match all.node(f).clone() {
        Node::And(parts) => {
            let parts = each(all, &parts);
            all.and(parts)
        }
        Node::Or(parts) => {
            let parts = each(all, &parts);
            all.or(parts)
        }
        Node::Next(a) if deep => {
            let a = each(all, &[a])[0];
            all.next(a)
        }
        Node::Finally(a) if deep => {
            let a = each(all, &[a])[0];
            all.finally(a)
        }
        Node::Globally(a) if deep => {
            let a = each(all, &[a])[0];
            all.globally(a)
        }
        Node::Binary(op, a, b) if deep => {
            let parts = each(all, &[a, b]);
            all.binary(op, parts[0], parts[1])
        }
        _ => f,
    };
    values.insert(f, result);
    result
}
