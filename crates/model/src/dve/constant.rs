//! The value of initialisers: constants, and variables declared before with their initial
//! value.

use lariat_syntax::diagnostics::Diagnostic;
use lariat_syntax::dve::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

use super::expression::binary_op;
use super::names::{Names, Symbol};
use crate::ir;

/// The value of `expr` before the first step, in the scope of a process.
pub(super) fn value(names: &Names, expr: &Expr, process: Option<&str>) -> Result<i32, Diagnostic> {
    let value_of = |expr: &Expr| value(names, expr, process);
    Ok(match &expr.kind {
        ExprKind::Bool(value) => *value as i32,
        ExprKind::Number(value) => *value,
        ExprKind::Name(name) => {
            let symbol = names.variable(&name.text, process);
            symbol.ok_or_else(|| names.no_variable(name))?.initial[0]
        }
        ExprKind::Index(name, index) => {
            let symbol = names.variable(&name.text, process);
            let symbol: &Symbol = symbol.ok_or_else(|| names.no_variable(name))?;
            if symbol.count.is_none() {
                return Err(super::expression::no_array(name, symbol));
            }
            let at = value_of(index)?;
            let element = usize::try_from(at).ok().and_then(|at| symbol.initial.get(at));
            *element.ok_or_else(|| {
                let count = symbol.initial.len();
                let message = format!("index {at} is out of range: the array has {count} elements");
                Diagnostic::error(index.span, message)
            })?
        }
        ExprKind::InState(..) | ExprKind::Remote(..) | ExprKind::RemoteIndex(..) => {
            let message = "an initialiser cannot refer to a process";
            return Err(Diagnostic::error(expr.span, message));
        }
        ExprKind::Unary(op, operand) => {
            let operand = value_of(operand)?;
            match op {
                UnaryOp::Negate => ir::UnaryOp::Negate,
                UnaryOp::Complement => ir::UnaryOp::Complement,
                UnaryOp::Not => ir::UnaryOp::Not,
            }
            .apply(operand)
        }
        ExprKind::Binary(BinaryOp::Imply, left, right) => {
            (value_of(left)? == 0 || value_of(right)? != 0) as i32
        }
        ExprKind::Binary(BinaryOp::And, left, right) => {
            (value_of(left)? != 0 && value_of(right)? != 0) as i32
        }
        ExprKind::Binary(BinaryOp::Or, left, right) => {
            (value_of(left)? != 0 || value_of(right)? != 0) as i32
        }
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (value_of(left)?, value_of(right)?);
            let value = binary_op(*op).apply(left, right);
            value.ok_or_else(|| Diagnostic::error(expr.span, "division by zero"))?
        }
    })
}
