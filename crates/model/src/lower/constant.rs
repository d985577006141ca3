//! Constant expressions, and the operators of the syntax tree as those of the IR.

use super::Lowerer;
use crate::ir::{BinaryOp, Expr, ExprId, UnaryOp};
use lariat_syntax::diagnostics::Span;
use lariat_syntax::promela::ast;

impl Lowerer {
    /// The value of a constant expression; reports if it is none.
    pub(super) fn constant(&mut self, expr: &ast::Expr) -> Option<i32> {
        if let ast::ExprKind::Var(var) = &expr.kind
            && let Some(name) = var.as_name()
        {
            if let Some(constant) = self.names.mtypes.get(&name.text) {
                return Some(constant.value);
            }
            if let Some(value) = self.names.find(&name.text).and_then(|symbol| symbol.constant) {
                return Some(value);
            }
        }
        let value = fold(expr);
        if value.is_none() {
            self.error(expr.span, "a constant is needed here");
        }
        value
    }

    pub(super) fn constant_expr(&mut self, value: i32, span: Span) -> ExprId {
        self.exprs.add(Expr::Const(value), span)
    }
}

/// The value of an expression of literals.
pub(super) fn fold(expr: &ast::Expr) -> Option<i32> {
    match &expr.kind {
        ast::ExprKind::Int(literal) => Some(literal.value),
        ast::ExprKind::Unary { op, operand } => {
            let operand = fold(operand)?;
            Some(unary(*op).apply(operand))
        }
        ast::ExprKind::Binary { op, left, right } => binary(*op).apply(fold(left)?, fold(right)?),
        _ => None,
    }
}

pub(super) fn unary(op: ast::UnaryOp) -> UnaryOp {
    match op {
        ast::UnaryOp::Negate => UnaryOp::Negate,
        ast::UnaryOp::Not => UnaryOp::Not,
        ast::UnaryOp::Complement => UnaryOp::Complement,
    }
}

pub(super) fn binary(op: ast::BinaryOp) -> BinaryOp {
    match op {
        ast::BinaryOp::Or => BinaryOp::Or,
        ast::BinaryOp::And => BinaryOp::And,
        ast::BinaryOp::BitOr => BinaryOp::BitOr,
        ast::BinaryOp::BitXor => BinaryOp::BitXor,
        ast::BinaryOp::BitAnd => BinaryOp::BitAnd,
        ast::BinaryOp::Equal => BinaryOp::Equal,
        ast::BinaryOp::NotEqual => BinaryOp::NotEqual,
        ast::BinaryOp::Less => BinaryOp::Less,
        ast::BinaryOp::Greater => BinaryOp::Greater,
        ast::BinaryOp::LessEqual => BinaryOp::LessEqual,
        ast::BinaryOp::GreaterEqual => BinaryOp::GreaterEqual,
        ast::BinaryOp::ShiftLeft => BinaryOp::ShiftLeft,
        ast::BinaryOp::ShiftRight => BinaryOp::ShiftRight,
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Subtract => BinaryOp::Subtract,
        ast::BinaryOp::Multiply => BinaryOp::Multiply,
        ast::BinaryOp::Divide => BinaryOp::Divide,
        ast::BinaryOp::Remainder => BinaryOp::Remainder,
    }
}

pub(super) fn contains_run(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ast::ExprKind::Run { .. } => true,
        ast::ExprKind::Unary { operand, .. } => contains_run(operand),
        ast::ExprKind::Binary { left, right, .. } => contains_run(left) || contains_run(right),
        ast::ExprKind::Conditional { condition, then, otherwise } => {
            contains_run(condition) || contains_run(then) || contains_run(otherwise)
        }
        _ => false,
    }
}
