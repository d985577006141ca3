//! References to other processes: `P[i]@label`, `P[i]:x`.

use super::types::Type;
use super::{Lowerer, location_of};
use crate::ir::expr::{Instance, RemoteLabel, RemoteVar};
use crate::ir::layout::FRAME_PRIORITY;
use crate::ir::{BinaryOp, Expr, ExprId, Place, ProctypeId, Region, Scalar};
use lariat_syntax::diagnostics::Span;
use lariat_syntax::promela::ast;

impl Lowerer {
    fn instance(&mut self, proctype: &ast::Ident, pid: Option<&ast::Expr>) -> Option<Instance> {
        let id = self.names.proctypes.get(&proctype.text).copied();
        let known =
            id.filter(|id| self.pending[id.0 as usize].is_some() || self.current == Some(*id));
        let Some(proctype) = known else {
            self.error(proctype.span, format!("undeclared proctype `{}`", proctype.text));
            return None;
        };
        let pid = pid.map(|pid| self.expr(pid));
        Some(Instance { proctype, pid })
    }

    pub(super) fn remote_label(
        &mut self,
        proctype: &ast::Ident,
        pid: Option<&ast::Expr>,
        label: &ast::Ident,
        span: Span,
    ) -> ExprId {
        let Some(instance) = self.instance(proctype, pid) else { return self.nothing(span) };
        let body = match &mut self.pending[instance.proctype.0 as usize] {
            Some(pending) => &mut pending.body,
            None => &mut self.body,
        };
        let Some(element) = body.expose_label(&label.text) else {
            let message = format!("proctype `{}` has no label `{}`", proctype.text, label.text);
            self.error(label.span, message);
            return self.nothing(span);
        };
        let location = location_of(element);
        let label = label.text.to_string();
        self.exprs.add(Expr::At(Box::new(RemoteLabel { instance, location, label })), span)
    }

    pub(super) fn remote_var(
        &mut self,
        proctype: &ast::Ident,
        pid: Option<&ast::Expr>,
        var: &ast::VarRef,
        span: Span,
    ) -> ExprId {
        let Some(instance) = self.instance(proctype, pid) else { return self.nothing(span) };
        let name = var.as_name().map(|name| &*name.text);
        let place = match (name, instance.pid) {
            (Some("_pid"), Some(pid)) => return self.remote_pid(pid, span),
            (Some("_pid"), None) => {
                self.error(var.span, "`_pid` of another process needs its number: `P[i]:_pid`");
                return self.nothing(span);
            }
            // It lies in the frame before the variables.
            (Some("_priority"), _) if self.options.ignore_priorities => {
                return self.exprs.add(Expr::Const(1), span);
            }
            (Some("_priority"), _) => {
                self.uses.priorities = true;
                Place::simple(Region::Local, FRAME_PRIORITY as u32, Scalar::Byte)
            }
            _ => match self.remote_place(instance.proctype, var) {
                Some(place) => place,
                None => return self.nothing(span),
            },
        };
        self.exprs.add(Expr::Remote(Box::new(RemoteVar { instance, place })), span)
    }

    /// The number of a process, 0 if there is no such process.
    fn remote_pid(&mut self, pid: ExprId, span: Span) -> ExprId {
        let zero = self.nothing(span);
        let processes = self.exprs.add(Expr::NrProcesses, span);
        let not_below = self.exprs.add(Expr::Binary(BinaryOp::GreaterEqual, pid, zero), span);
        let below = self.exprs.add(Expr::Binary(BinaryOp::Less, pid, processes), span);
        let lives = self.exprs.add(Expr::Binary(BinaryOp::And, not_below, below), span);
        self.exprs.add(Expr::Conditional(lives, pid, zero), span)
    }

    fn remote_place(&mut self, id: ProctypeId, var: &ast::VarRef) -> Option<Place> {
        let name = &var.path[0].name;
        let Some(symbol) = self.names.locals.get(&(id, name.text.clone())).cloned() else {
            self.error(name.span, format!("that proctype has no variable `{}`", name.text));
            return None;
        };
        let reference = self.resolve_from(&symbol, &var.path)?;
        if reference.array.is_some() {
            let last = &var.path.last().expect("at least one segment").name.text;
            self.error(var.span, format!("missing array index for `{last}`"));
            return None;
        }
        let Type::Number { scalar, .. } = reference.ty else {
            self.error(var.span, "a typedef cannot be used as a number: name one of its fields");
            return None;
        };
        let (region, offset, indices) = (Region::Local, reference.offset, reference.indices);
        Some(Place { region, offset, scalar, indices })
    }
}
