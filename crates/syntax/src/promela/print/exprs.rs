//! Expressions, with parentheses around everything that is not a single operand.

use super::Printer;
use crate::promela::ast::*;

impl Printer {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(value) => self.int(value),
            ExprKind::Var(var) => self.var_ref(var),
            ExprKind::Unary { op, operand } => {
                self.put(match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::Complement => "~",
                });
                self.operand(operand);
            }
            ExprKind::Binary { op, left, right } => {
                self.operand(left);
                self.put(" ");
                self.put(op.symbol());
                self.put(" ");
                self.operand(right);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.put("(");
                self.expr(condition);
                self.put(" -> ");
                self.expr(then);
                self.put(" : ");
                self.expr(otherwise);
                self.put(")");
            }
            ExprKind::Run { proctype, args, priority } => {
                self.put("run ");
                self.put(&proctype.text);
                self.put("(");
                self.separated(args, ", ", |p, arg| p.expr(arg));
                self.put(")");
                self.priority(priority);
            }
            ExprKind::Len(channel) => self.call("len", |p| p.var_ref(channel)),
            ExprKind::Probe { kind, channel } => {
                let name = match kind {
                    ProbeKind::Full => "full",
                    ProbeKind::NotFull => "nfull",
                    ProbeKind::Empty => "empty",
                    ProbeKind::NotEmpty => "nempty",
                };
                self.call(name, |p| p.var_ref(channel));
            }
            ExprKind::Poll { channel, random, args } => {
                self.var_ref(channel);
                self.put(if *random { "??[" } else { "?[" });
                self.receive_args(args);
                self.put("]");
            }
            ExprKind::Enabled(pid) => self.call("enabled", |p| p.expr(pid)),
            ExprKind::PcValue(pid) => self.call("pc_value", |p| p.expr(pid)),
            ExprKind::GetPriority(pid) => self.call("get_priority", |p| p.expr(pid)),
            ExprKind::Timeout => self.put("timeout"),
            ExprKind::NonProgress => self.put("np_"),
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.remote(proctype, pid);
                self.put("@");
                self.put(&label.text);
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                self.remote(proctype, pid);
                self.put(":");
                self.var_ref(var);
            }
            ExprKind::EmbeddedC(code) => self.embedded_c(code),
        }
    }

    fn call(&mut self, name: &str, argument: impl FnOnce(&mut Self)) {
        self.put(name);
        self.put("(");
        argument(self);
        self.put(")");
    }

    fn remote(&mut self, proctype: &Ident, pid: &Option<Box<Expr>>) {
        self.put(&proctype.text);
        if let Some(pid) = pid {
            self.put("[");
            self.expr(pid);
            self.put("]");
        }
    }

    fn operand(&mut self, expr: &Expr) {
        if matches!(
            expr.kind,
            ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Run { .. }
        ) {
            self.put("(");
            self.expr(expr);
            self.put(")");
        } else {
            self.expr(expr);
        }
    }

    pub(super) fn var_ref(&mut self, var: &VarRef) {
        self.separated(&var.path, ".", |p, segment| {
            p.put(&segment.name.text);
            if let Some(index) = &segment.index {
                p.put("[");
                p.expr(index);
                p.put("]");
            }
        });
    }

    pub(super) fn receive_args(&mut self, args: &[ReceiveArg]) {
        self.separated(args, ", ", |p, arg| match arg {
            ReceiveArg::Var(var) => p.var_ref(var),
            ReceiveArg::Any(_) => p.put("_"),
            ReceiveArg::Eval(value) => p.call("eval", |p| p.expr(value)),
            ReceiveArg::Const(value) => {
                if value.value < 0 && value.form == IntForm::Decimal {
                    p.put(&format!("-{}", value.value.unsigned_abs()));
                } else {
                    p.int(value);
                }
            }
        });
    }

    pub(super) fn int(&mut self, literal: &IntLit) {
        match literal.form {
            // A literal beyond 32 bits was wrapped; its unsigned reading wraps again.
            IntForm::Decimal => self.put(&(literal.value as u32).to_string()),
            IntForm::True => self.put("true"),
            IntForm::False => self.put("false"),
            IntForm::Skip => self.put("skip"),
            IntForm::Character => {
                let character = match literal.value {
                    0 => "\\0".into(),
                    9 => "\\t".into(),
                    10 => "\\n".into(),
                    12 => "\\f".into(),
                    13 => "\\r".into(),
                    value => match char::from_u32(value as u32).unwrap_or('?') {
                        special @ ('\'' | '\\' | '"') => format!("\\{special}"),
                        plain => plain.to_string(),
                    },
                };
                self.put(&format!("'{character}'"));
            }
        }
    }
}
