//! From and to automata whose labels are formulas.

use super::{Arc, Bdd, Func, Symbolic};
use crate::{Label, Tgba};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

impl Symbolic {
    /// Several initial states become one new state, if there is not just one.
    pub fn from_tgba(tgba: &Tgba, bdd: &mut Bdd) -> Symbolic {
        let mut symbolic =
            Symbolic { aps: tgba.aps.clone(), mark_count: tgba.mark_count, ..Symbolic::default() };
        for edges in &tgba.edges {
            let arcs = edges
                .iter()
                .map(|edge| Arc {
                    label: func_of(&edge.label, bdd),
                    marks: edge.marks,
                    target: edge.target,
                })
                .collect();
            symbolic.arcs.push(arcs);
        }
        match tgba.initial[..] {
            [initial] => symbolic.initial = initial,
            ref several => {
                symbolic.initial = symbolic.arcs.len() as u32;
                let arcs = several
                    .iter()
                    .flat_map(|&state| symbolic.arcs[state as usize].iter().copied())
                    .map(|arc| Arc { marks: Marks::NONE, ..arc })
                    .collect();
                symbolic.arcs.push(arcs);
            }
        }
        symbolic.merge_arcs(bdd);
        symbolic
    }

    /// The same automaton with labels as expressions.
    pub fn to_tgba(&self, bdd: &mut Bdd) -> Tgba {
        let mut labels: FxHashMap<Func, Label> = FxHashMap::default();
        let mut tgba = Tgba {
            aps: self.aps.clone(),
            mark_count: self.mark_count,
            initial: if self.arcs.is_empty() { vec![] } else { vec![self.initial] },
            ..Tgba::default()
        };
        for arcs in &self.arcs {
            let state = tgba.add_state();
            for arc in arcs {
                let label =
                    labels.entry(arc.label).or_insert_with(|| label_of(arc.label, bdd)).clone();
                tgba.add_edge(state, label, arc.marks, arc.target);
            }
        }
        tgba
    }
}

/// The label as a decision diagram: variable i is proposition i.
pub(crate) fn func_of(label: &Label, bdd: &mut Bdd) -> Func {
    match label {
        Label::True => Func::TRUE,
        Label::False => Func::FALSE,
        Label::Ap(ap) => bdd.var(*ap),
        Label::Not(inner) => {
            let inner = func_of(inner, bdd);
            bdd.not(inner)
        }
        // From the last to the first: with ascending literals each step adds one node.
        Label::And(parts) => parts.iter().rev().fold(Func::TRUE, |acc, part| {
            let part = func_of(part, bdd);
            bdd.and(acc, part)
        }),
        Label::Or(parts) => parts.iter().rev().fold(Func::FALSE, |acc, part| {
            let part = func_of(part, bdd);
            bdd.or(acc, part)
        }),
    }
}

/// The function as a sum of products.
fn label_of(func: Func, bdd: &mut Bdd) -> Label {
    Label::or(bdd.cover(func).into_iter().map(|cube| {
        Label::and(cube.into_iter().map(|(var, positive)| Label::literal(var, positive)))
    }))
}
