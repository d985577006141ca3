//! Expressions by precedence climbing.
//!
//! Spin's grammar has two kinds: `expr`, and `full_expr`, in which the channel probes (`full`,
//! `empty`, …) may occur, but only under `&&`, `||` and parentheses.

use super::{Parse, Parser};
use crate::diagnostics::Diagnostic;
use crate::promela::ast::*;
use crate::promela::lexer::Tok;

/// A longer chain of operators would be a tree too deep for later walks.
const MAX_HEIGHT: u32 = 1500;

/// An expression while it is put together.
pub(super) struct Operand {
    pub(super) expr: Expr,
    /// It is, or combines, a channel probe.
    pub(super) probe: bool,
    pub(super) height: u32,
}

impl From<Expr> for Operand {
    fn from(expr: Expr) -> Operand {
        Operand { expr, probe: false, height: 1 }
    }
}

/// Strength and meaning of a binary operator; all are left-associative.
fn binary(kind: Tok) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        Tok::Or => (1, BinaryOp::Or),
        Tok::And => (2, BinaryOp::And),
        Tok::BitOr => (3, BinaryOp::BitOr),
        Tok::BitXor => (4, BinaryOp::BitXor),
        Tok::BitAnd => (5, BinaryOp::BitAnd),
        Tok::Equal => (6, BinaryOp::Equal),
        Tok::NotEqual => (6, BinaryOp::NotEqual),
        Tok::Less => (7, BinaryOp::Less),
        Tok::Greater => (7, BinaryOp::Greater),
        Tok::LessEqual => (7, BinaryOp::LessEqual),
        Tok::GreaterEqual => (7, BinaryOp::GreaterEqual),
        Tok::ShiftLeft => (8, BinaryOp::ShiftLeft),
        Tok::ShiftRight => (8, BinaryOp::ShiftRight),
        Tok::Plus => (9, BinaryOp::Add),
        Tok::Minus => (9, BinaryOp::Subtract),
        Tok::Star => (10, BinaryOp::Multiply),
        Tok::Slash => (10, BinaryOp::Divide),
        Tok::Percent => (10, BinaryOp::Remainder),
        _ => return None,
    })
}

/// An operator that only stands between two operands.
pub(super) fn is_binary(kind: Tok) -> bool {
    kind != Tok::Minus && binary(kind).is_some()
}

impl Parser<'_> {
    /// An expression without probes.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let operand = self.operand(0)?;
        self.no_probe(&operand)?;
        Ok(operand.expr)
    }

    /// An expression in which probes may occur.
    pub(super) fn full_expr(&mut self) -> Parse<Expr> {
        Ok(self.operand(0)?.expr)
    }

    /// The rest of an expression whose first operand is a variable.
    pub(super) fn full_expr_from(&mut self, var: VarRef) -> Parse<Expr> {
        let first = self.after_var(var)?;
        Ok(self.climb(first, 0)?.expr)
    }

    /// The rest of an expression whose first operand is known.
    pub(super) fn full_expr_after(&mut self, first: Expr) -> Parse<Expr> {
        Ok(self.climb(first.into(), 0)?.expr)
    }

    pub(super) fn operand(&mut self, strength: u8) -> Parse<Operand> {
        let first = self.nested(|parser| parser.unary())?;
        self.climb(first, strength)
    }

    fn climb(&mut self, mut left: Operand, strength: u8) -> Parse<Operand> {
        while let Some((level, op)) =
            binary(self.peek().kind).filter(|&(level, _)| level > strength)
        {
            // `c?<x>` ends with `>`; an expression inside is refused before it gets here.
            self.next();
            let right = self.operand(level)?;
            left = self.combine(op, left, right)?;
        }
        if self.at(Tok::Increment) || self.at(Tok::Decrement) {
            let token = self.peek();
            let text = self.text(token);
            let error = Diagnostic::error(
                token.span,
                format!("`{text}` is a statement, not an expression"),
            )
            .help("use a statement of its own before this one");
            return self.report(error);
        }
        Ok(left)
    }

    fn combine(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Parse<Operand> {
        let logic = matches!(op, BinaryOp::And | BinaryOp::Or);
        if !logic {
            self.no_probe(&left)?;
            self.no_probe(&right)?;
        }
        let height = left.height.max(right.height) + 1;
        let span = self.join(left.expr.span, right.expr.span);
        if height > MAX_HEIGHT {
            let error = Diagnostic::error(span, "this expression has too many operators")
                .help("use parentheses to balance it");
            return self.report(error);
        }
        let kind = ExprKind::Binary { op, left: Box::new(left.expr), right: Box::new(right.expr) };
        Ok(Operand { expr: Expr { kind, span }, probe: left.probe || right.probe, height })
    }

    /// Spin takes probes only under `&&`, `||` and parentheses.
    pub(super) fn no_probe(&mut self, operand: &Operand) -> Parse<()> {
        if !operand.probe {
            return Ok(());
        }
        let error = Diagnostic::error(
            operand.expr.span,
            "`full`, `empty`, `nfull` and `nempty` may only be combined by `&&` and `||`",
        )
        .help("for a negation use the opposite probe: `nfull(c)` for `!full(c)`")
        .help("for a value use `len(c)`");
        self.report(error)
    }

    fn unary(&mut self) -> Parse<Operand> {
        let token = self.peek();
        let op = match token.kind {
            Tok::Minus => UnaryOp::Negate,
            Tok::Bang => UnaryOp::Not,
            Tok::Tilde => UnaryOp::Complement,
            Tok::BangBang => {
                let error =
                    Diagnostic::error(token.span, "`!!` is the sorted send, not a double negation")
                        .help("write `! !`");
                return self.report(error);
            }
            _ => return self.primary(),
        };
        self.next();
        let operand = self.nested(|parser| parser.unary())?;
        self.no_probe(&operand)?;
        let span = self.join(token.span, operand.expr.span);
        let kind = ExprKind::Unary { op, operand: Box::new(operand.expr) };
        Ok(Operand { expr: Expr { kind, span }, probe: false, height: operand.height + 1 })
    }

    /// Spin's `const_expr`: numbers, `+ - * / %`, parentheses.
    pub(super) fn const_expr(&mut self) -> Parse<Expr> {
        let expr = self.expr()?;
        self.check_const(&expr)?;
        Ok(expr)
    }

    /// `[N]`: a constant expression or one name.
    pub(super) fn const_or_name(&mut self) -> Parse<Expr> {
        let expr = self.expr()?;
        if let ExprKind::Var(var) = &expr.kind
            && var.as_name().is_some()
        {
            return Ok(expr);
        }
        self.check_const(&expr)?;
        Ok(expr)
    }

    fn check_const(&mut self, expr: &Expr) -> Parse<()> {
        let mut rest = vec![expr];
        while let Some(part) = rest.pop() {
            use BinaryOp::*;
            match &part.kind {
                ExprKind::Int(_) => {}
                ExprKind::Unary { op: UnaryOp::Negate, operand } => rest.push(operand),
                ExprKind::Binary {
                    op: Add | Subtract | Multiply | Divide | Remainder,
                    left,
                    right,
                } => rest.extend([&**left, &**right]),
                _ => {
                    let error = Diagnostic::error(part.span, "this must be a constant")
                        .note("constants are numbers combined by `+ - * / %`; `#define` names expand to them");
                    return self.report(error);
                }
            }
        }
        Ok(())
    }
}
