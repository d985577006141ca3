//! Constant folding: operators on constants, and global variables that nothing ever writes.
//!
//! Only evaluations that cannot go wrong are replaced, so the states, steps and faults of the
//! model stay exactly as they are.

use std::collections::HashSet;

use lariat_core::makes_mistake;

use crate::analysis::written_globals;
use crate::interp::Interp;
use crate::ir::{Action, BinaryOp, Expr, ExprId, Init, Model, Place, Region};

/// Folds what can be folded; how many nodes became constants.
pub(super) fn fold(model: &mut Model) -> usize {
    let initialisers = nodes_of_initialisers(model);
    let counts = |command: &Action| {
        !(makes_mistake("fold-received") && matches!(command, Action::Receive(_)))
    };
    let written = written_globals(model, counts);
    let Ok((initial, _)) = Interp::new(model).initial() else { return 0 };
    let mut folded = 0;
    // Operands come before operators in the arena wherever they were lowered first; a second
    // round catches the others.
    loop {
        let before = folded;
        for id in (0..model.exprs.len() as u32).map(ExprId) {
            if initialisers.contains(&id) {
                continue;
            }
            if let Some(value) = value_of(model, id, &written, &initial) {
                model.exprs.replace(id, Expr::Const(value));
                folded += 1;
            }
        }
        if folded == before {
            return folded;
        }
    }
}

/// Initialisers of globals see the variables before they have their initial values.
fn nodes_of_initialisers(model: &Model) -> HashSet<ExprId> {
    let mut nodes = HashSet::new();
    for init in &model.global_inits {
        if let Init::Fill { value, .. } = init {
            model.exprs.walk(*value, &mut |id, _| {
                nodes.insert(id);
            });
        }
    }
    nodes
}

fn value_of(model: &Model, id: ExprId, written: &[bool], initial: &[u8]) -> Option<i32> {
    let constant = |id: ExprId| match model.exprs.get(id) {
        Expr::Const(value) => Some(*value),
        _ => None,
    };
    match model.exprs.get(id) {
        Expr::Var(Region::Global, offset, scalar) => {
            let at = *offset as usize;
            let bytes = at..at + scalar.size() as usize;
            (!written[bytes].contains(&true)).then(|| scalar.load(initial, at))
        }
        Expr::Load(place) if place.region == Region::Global => {
            let at = constant_offset(place, constant)? as usize;
            let bytes = at..at + place.scalar.size() as usize;
            (!written[bytes].contains(&true)).then(|| place.scalar.load(initial, at))
        }
        Expr::Table(values, index) => values.get(usize::try_from(constant(*index)?).ok()?).copied(),
        Expr::Unary(op, operand) => Some(op.apply(constant(*operand)?)),
        // The right side is not evaluated if the left one decides.
        Expr::Binary(BinaryOp::And, left, _) if constant(*left) == Some(0) => Some(0),
        Expr::Binary(BinaryOp::Or, left, _) if constant(*left).is_some_and(|left| left != 0) => {
            Some(1)
        }
        Expr::Binary(op, left, right) => op.apply(constant(*left)?, constant(*right)?),
        Expr::Conditional(condition, then, otherwise) => {
            constant(if constant(*condition)? != 0 { *then } else { *otherwise })
        }
        _ => None,
    }
}

/// Where a place lies, if its subscripts are constants in their range.
fn constant_offset(place: &Place, constant: impl Fn(ExprId) -> Option<i32>) -> Option<u32> {
    let mut offset = place.offset;
    for index in &place.indices {
        let value = u32::try_from(constant(index.value)?).ok().filter(|&at| at < index.count)?;
        offset += value * index.stride;
    }
    Some(offset)
}
