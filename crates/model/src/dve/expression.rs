//! Expressions and assignable places.

use lariat_syntax::diagnostics::{Diagnostic, Span};
use lariat_syntax::dve::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};

use super::names::{Names, ProcessSymbol, Storage, Symbol};
use crate::ir::expr::{Instance, RemoteLabel, RemoteVar};
use crate::ir::{self, ExprId, Exprs, Index, Place};

/// Lowers expressions in the scope of one process, or of none.
pub(super) struct Scope<'a> {
    pub(super) names: &'a Names,
    pub(super) exprs: &'a mut Exprs,
    pub(super) process: Option<&'a str>,
}

type Result<T> = std::result::Result<T, Diagnostic>;

impl Scope<'_> {
    pub(super) fn expression(&mut self, expr: &Expr) -> Result<ExprId> {
        let node = match &expr.kind {
            ExprKind::Bool(value) => ir::Expr::Const(*value as i32),
            ExprKind::Number(value) => ir::Expr::Const(*value),
            ExprKind::Name(name) => self.load(name, None, expr.span)?,
            ExprKind::Index(name, index) => self.load(name, Some(index), expr.span)?,
            ExprKind::InState(process, state) => self.in_state(process, state)?,
            ExprKind::Remote(process, variable) => self.remote(process, variable, None, expr)?,
            ExprKind::RemoteIndex(process, variable, index) => {
                self.remote(process, variable, Some(index), expr)?
            }
            ExprKind::Unary(op, operand) => {
                let op = match op {
                    UnaryOp::Negate => ir::UnaryOp::Negate,
                    UnaryOp::Complement => ir::UnaryOp::Complement,
                    UnaryOp::Not => ir::UnaryOp::Not,
                };
                ir::Expr::Unary(op, self.expression(operand)?)
            }
            ExprKind::Binary(BinaryOp::Imply, left, right) => {
                let left = self.expression(left)?;
                let negated = self.exprs.add(ir::Expr::Unary(ir::UnaryOp::Not, left), expr.span);
                ir::Expr::Binary(ir::BinaryOp::Or, negated, self.expression(right)?)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.expression(left)?;
                ir::Expr::Binary(binary_op(*op), left, self.expression(right)?)
            }
        };
        Ok(self.exprs.add(node, expr.span))
    }

    fn constant(&mut self, value: i32, span: Span) -> ExprId {
        self.exprs.add(ir::Expr::Const(value), span)
    }

    fn find(&self, name: &Ident) -> Result<Symbol> {
        let symbol = self.names.variable(&name.text, self.process);
        symbol.cloned().ok_or_else(|| self.names.no_variable(name))
    }

    fn load(&mut self, name: &Ident, index: Option<&Expr>, span: Span) -> Result<ir::Expr> {
        let symbol = self.find(name)?;
        if symbol.count.is_none() && index.is_some() {
            return Err(no_array(name, &symbol));
        }
        match symbol.storage {
            Storage::Const => match index {
                Some(index) => {
                    let index = self.expression(index)?;
                    Ok(ir::Expr::Table(symbol.initial.into(), index))
                }
                None => Ok(ir::Expr::Const(symbol.initial[0])),
            },
            Storage::At(region, offset) => match symbol.count {
                None => Ok(ir::Expr::Var(region, offset, symbol.scalar)),
                Some(_) => {
                    let place = self.place_of(&symbol, index, span)?;
                    Ok(ir::Expr::Load(Box::new(place)))
                }
            },
        }
    }

    /// A name without index is element 0 of an array, as in DiVinE.
    fn place_of(&mut self, symbol: &Symbol, index: Option<&Expr>, span: Span) -> Result<Place> {
        let Storage::At(region, offset) = symbol.storage else {
            return Err(Diagnostic::error(span, "a constant cannot be changed")
                .also(symbol.span, "declared `const` here"));
        };
        let mut place = Place::simple(region, offset, symbol.scalar);
        if let (Some(count), Some(index)) = (symbol.count, index) {
            let value = self.expression(index)?;
            place.indices.push(Index { value, count, stride: symbol.scalar.size() });
        }
        Ok(place)
    }

    /// The place that an assignment or a receive writes to.
    pub(super) fn place(&mut self, target: &Expr) -> Result<Place> {
        let (name, index) = match &target.kind {
            ExprKind::Name(name) => (name, None),
            ExprKind::Index(name, index) => (name, Some(&**index)),
            _ => return Err(Diagnostic::error(target.span, "this is no variable")),
        };
        let symbol = self.find(name)?;
        if symbol.count.is_none() && index.is_some() {
            return Err(no_array(name, &symbol));
        }
        self.place_of(&symbol, index, target.span)
    }

    /// A process of the state, and which one it is.
    fn process(&self, name: &Ident) -> Result<(ProcessSymbol, u8)> {
        let text = &name.text;
        let Some(symbol) = self.names.processes.get(text).cloned() else {
            let message = format!("there is no process `{text}`");
            return Err(Diagnostic::error(name.span, message));
        };
        match symbol.pid {
            Some(pid) => Ok((symbol, pid)),
            None => {
                let message = format!("`{text}` is the property and no process of the system");
                Err(Diagnostic::error(name.span, message).also(symbol.span, "declared here"))
            }
        }
    }

    /// `P.s`
    fn in_state(&mut self, process: &Ident, state: &Ident) -> Result<ir::Expr> {
        let (symbol, pid) = self.process(process)?;
        let Some(&location) = symbol.states.get(&state.text) else {
            let message = format!("process `{}` has no state `{}`", process.text, state.text);
            let mut error = Diagnostic::error(state.span, message);
            if let Some(variable) = symbol.vars.get(&state.text) {
                error = error
                    .also(variable.span, "this is a variable")
                    .help(format!("write `{}->{}`", process.text, state.text));
            }
            return Err(error);
        };
        let instance = self.instance(&symbol, pid, process.span);
        let label = state.text.to_string();
        Ok(ir::Expr::At(Box::new(RemoteLabel { instance, location, label })))
    }

    fn instance(&mut self, process: &ProcessSymbol, pid: u8, span: Span) -> Instance {
        let pid = self.constant(pid as i32, span);
        Instance { proctype: process.proctype, pid: Some(pid) }
    }

    /// `P->v`, `P->v[e]`
    fn remote(
        &mut self,
        process: &Ident,
        variable: &Ident,
        index: Option<&Expr>,
        whole: &Expr,
    ) -> Result<ir::Expr> {
        let (owner, pid) = self.process(process)?;
        let Some(symbol) = owner.vars.get(&variable.text) else {
            let message = format!("process `{}` has no variable `{}`", process.text, variable.text);
            let mut error = Diagnostic::error(variable.span, message);
            if owner.states.contains_key(&variable.text) {
                error = error.help(format!(
                    "`{}.{}` asks whether the process is in that state",
                    process.text, variable.text
                ));
            }
            return Err(error);
        };
        if symbol.count.is_none() && index.is_some() {
            return Err(no_array(variable, symbol));
        }
        if symbol.storage == Storage::Const {
            return match index {
                Some(index) => {
                    let index = self.expression(index)?;
                    Ok(ir::Expr::Table(symbol.initial.clone().into(), index))
                }
                None => Ok(ir::Expr::Const(symbol.initial[0])),
            };
        }
        let place = self.place_of(symbol, index, whole.span)?;
        let instance = self.instance(&owner, pid, process.span);
        Ok(ir::Expr::Remote(Box::new(RemoteVar { instance, place })))
    }
}

pub(super) fn no_array(name: &Ident, symbol: &Symbol) -> Diagnostic {
    Diagnostic::error(name.span, format!("`{}` is no array", name.text))
        .also(symbol.span, "declared here")
}

/// All operators but `imply`, which the IR has not.
pub(super) fn binary_op(op: BinaryOp) -> ir::BinaryOp {
    match op {
        BinaryOp::Imply => unreachable!("made of `not` and `or` by the callers"),
        BinaryOp::Or => ir::BinaryOp::Or,
        BinaryOp::And => ir::BinaryOp::And,
        BinaryOp::BitOr => ir::BinaryOp::BitOr,
        BinaryOp::BitAnd => ir::BinaryOp::BitAnd,
        BinaryOp::BitXor => ir::BinaryOp::BitXor,
        BinaryOp::Equal => ir::BinaryOp::Equal,
        BinaryOp::NotEqual => ir::BinaryOp::NotEqual,
        BinaryOp::Less => ir::BinaryOp::Less,
        BinaryOp::LessEqual => ir::BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => ir::BinaryOp::GreaterEqual,
        BinaryOp::Greater => ir::BinaryOp::Greater,
        BinaryOp::ShiftLeft => ir::BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight => ir::BinaryOp::ShiftRight,
        BinaryOp::Add => ir::BinaryOp::Add,
        BinaryOp::Subtract => ir::BinaryOp::Subtract,
        BinaryOp::Multiply => ir::BinaryOp::Multiply,
        BinaryOp::Divide => ir::BinaryOp::Divide,
        BinaryOp::Remainder => ir::BinaryOp::Remainder,
    }
}
