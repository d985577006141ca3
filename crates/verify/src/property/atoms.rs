//! The automaton of a claim over what its tests are made of.
//!
//! Each test of a claim is a proposition of its own: `p`, `!p` and `p && q` are three. To see whether repeated
//! states change its answer they must be known as functions of the same atoms.

use lariat_automata::{Label, Tgba};
use lariat_model::ir::expr::{BinaryOp, UnaryOp};
use lariat_model::ir::{Expr, ExprId, Model};

/// The same automaton over atoms: parts of its propositions that are no `!`, `&&` or `||`. Equal atoms are
/// one.
pub(crate) fn over_atoms(model: &Model, automaton: &Tgba, bound: &[ExprId]) -> Tgba {
    let mut atoms = Atoms { model, found: Vec::new() };
    let tests: Vec<Label> = bound.iter().map(|&test| atoms.label(test)).collect();
    let mut over = automaton.clone();
    for edge in over.edges.iter_mut().flatten() {
        edge.label = put_in(&edge.label, &tests);
    }
    over.aps = (0..atoms.found.len()).map(|atom| format!("a{atom}")).collect();
    over
}

struct Atoms<'m> {
    model: &'m Model,
    found: Vec<ExprId>,
}

impl Atoms<'_> {
    fn label(&mut self, test: ExprId) -> Label {
        match *self.model.exprs.get(test) {
            Expr::Const(value) => {
                if value == 0 {
                    Label::False
                } else {
                    Label::True
                }
            }
            Expr::Unary(UnaryOp::Not, operand) => self.label(operand).negated(),
            Expr::Binary(BinaryOp::And, left, right) => {
                Label::and([self.label(left), self.label(right)])
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                Label::or([self.label(left), self.label(right)])
            }
            _ => {
                let exprs = &self.model.exprs;
                let known = self.found.iter().position(|&atom| exprs.are_same(atom, test));
                let atom = known.unwrap_or_else(|| {
                    self.found.push(test);
                    self.found.len() - 1
                });
                Label::Ap(atom as u32)
            }
        }
    }
}

/// The label with a label for each proposition.
fn put_in(label: &Label, tests: &[Label]) -> Label {
    match label {
        Label::True | Label::False => label.clone(),
        Label::Ap(ap) => tests[*ap as usize].clone(),
        Label::Not(inner) => put_in(inner, tests).negated(),
        Label::And(parts) => Label::and(parts.iter().map(|part| put_in(part, tests))),
        Label::Or(parts) => Label::or(parts.iter().map(|part| put_in(part, tests))),
    }
}
