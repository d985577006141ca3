//! Goes over a program and shows every statement and expression, with its surroundings.

use crate::diagnostics::Span;
use crate::promela::ast::*;

/// What a statement or expression stands in.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct At {
    /// Number of the item.
    pub(super) item: usize,
    /// In a never claim.
    pub(super) claim: bool,
    pub(super) atomic: bool,
    pub(super) d_step: bool,
    /// In the arguments of a `printf`.
    pub(super) printed: bool,
}

pub(super) trait Visitor {
    fn stmt(&mut self, _stmt: &Stmt, _at: At) {}
    fn choice(&mut self, _choice: &Choice, _at: At) {}
    /// An expression, before its operands.
    fn expr(&mut self, _expr: &Expr, _at: At) {}
    fn declaration(&mut self, _decl: &VarDecl, _at: At) {}
    /// A variable that is read, tested, or used as a channel. Operands of expressions too.
    fn read(&mut self, _name: &Ident, _at: At) {}
}

pub(super) fn program(program: &Program, visitor: &mut impl Visitor) {
    for (item, entry) in program.items.iter().enumerate() {
        let at = At { item, ..At::default() };
        let mut walk = Walk { visitor };
        match &entry.kind {
            ItemKind::Vars(decl) => walk.declaration(decl, at),
            ItemKind::Typedef(typedef) => {
                typedef.fields.iter().for_each(|field| walk.bounds_and_values(field, at));
            }
            ItemKind::Proctype(proctype) => {
                for group in &proctype.params {
                    walk.declaration(group, at);
                }
                proctype.provided.iter().for_each(|condition| walk.expr(condition, at));
                let active = proctype.active.as_ref().and_then(|active| active.count.as_ref());
                active.into_iter().for_each(|count| walk.expr(count, at));
                walk.block(&proctype.body, at);
            }
            ItemKind::Init(init) => walk.block(&init.body, at),
            ItemKind::Never(never) => walk.block(&never.body, At { claim: true, ..at }),
            ItemKind::Trace(trace) => walk.block(&trace.body, at),
            ItemKind::Mtype(_)
            | ItemKind::Ltl(_)
            | ItemKind::Inline(_)
            | ItemKind::EmbeddedC(_) => {}
        }
    }
}

struct Walk<'v, V> {
    visitor: &'v mut V,
}

// Recursion is as deep as statements and expressions are nested, which the parser limits.
impl<V: Visitor> Walk<'_, V> {
    fn block(&mut self, block: &Block, at: At) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt, at));
    }

    fn declaration(&mut self, decl: &VarDecl, at: At) {
        self.visitor.declaration(decl, at);
        self.bounds_and_values(decl, at);
    }

    fn bounds_and_values(&mut self, decl: &VarDecl, at: At) {
        for declarator in &decl.vars {
            declarator.array.iter().for_each(|bound| self.expr(bound, at));
            match &declarator.init {
                Some(Initialiser::Expr(value)) => self.expr(value, at),
                Some(Initialiser::Chan(init)) => self.expr(&init.capacity, at),
                Some(Initialiser::List(_)) | None => {}
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt, at: At) {
        self.visitor.stmt(stmt, at);
        match &stmt.kind {
            StmtKind::Decl(decl) => self.declaration(decl, at),
            StmtKind::Exclusive(exclusive) => {
                exclusive.channels.iter().for_each(|channel| self.variable(channel, at));
            }
            StmtKind::Unless { main, escape } => {
                self.stmt(main, at);
                self.stmt(escape, at);
            }
            StmtKind::Expr(expr) | StmtKind::Assert(expr) => self.expr(expr, at),
            StmtKind::Assign { target, value } => {
                self.subscripts(target, at);
                self.expr(value, at);
            }
            StmtKind::Increment(target) | StmtKind::Decrement(target) => self.variable(target, at),
            StmtKind::Send(send) => {
                self.variable(&send.channel, at);
                send.args.iter().for_each(|arg| self.expr(arg, at));
            }
            StmtKind::Receive(receive) => {
                self.variable(&receive.channel, at);
                self.received(&receive.args, at);
            }
            StmtKind::If(choices) | StmtKind::Do(choices) => {
                for choice in choices {
                    self.visitor.choice(choice, at);
                    choice.stmts.iter().for_each(|stmt| self.stmt(stmt, at));
                }
            }
            StmtKind::For(for_loop) => {
                self.variable(&for_loop.var, at);
                match &for_loop.range {
                    ForRange::Bounds { from, to } => {
                        self.expr(from, at);
                        self.expr(to, at);
                    }
                    ForRange::In(collection) => self.variable(collection, at),
                }
                self.block(&for_loop.body, at);
            }
            StmtKind::Select(select) => {
                self.subscripts(&select.var, at);
                self.expr(&select.from, at);
                self.expr(&select.to, at);
            }
            StmtKind::Atomic(block) => self.block(block, At { atomic: true, ..at }),
            StmtKind::DStep(block) => self.block(block, At { d_step: true, ..at }),
            StmtKind::Block(block) => self.block(block, at),
            StmtKind::Inline(call) => self.block(&call.body, at),
            StmtKind::Printf(printf) => {
                let at = At { printed: true, ..at };
                printf.args.iter().for_each(|arg| self.expr(arg, at));
            }
            StmtKind::Printm(value) => self.expr(value, At { printed: true, ..at }),
            StmtKind::SetPriority { pid, value } => {
                self.expr(pid, at);
                self.expr(value, at);
            }
            StmtKind::Else
            | StmtKind::Empty
            | StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::EmbeddedC(_) => {}
        }
    }

    /// Variables are filled, everything else is compared.
    fn received(&mut self, args: &[ReceiveArg], at: At) {
        for arg in args {
            match arg {
                ReceiveArg::Var(var) => self.subscripts(var, at),
                ReceiveArg::Eval(expr) => self.expr(expr, at),
                ReceiveArg::Any(_) | ReceiveArg::Const(_) => {}
            }
        }
    }

    fn variable(&mut self, var: &VarRef, at: At) {
        self.visitor.read(var.head(), at);
        self.subscripts(var, at);
    }

    fn subscripts(&mut self, var: &VarRef, at: At) {
        let indices = var.path.iter().filter_map(|segment| segment.index.as_ref());
        indices.for_each(|index| self.expr(index, at));
    }

    fn expr(&mut self, expr: &Expr, at: At) {
        self.visitor.expr(expr, at);
        match &expr.kind {
            ExprKind::Var(var) | ExprKind::Len(var) | ExprKind::Probe { channel: var, .. } => {
                self.variable(var, at);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand, at),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left, at);
                self.expr(right, at);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(condition, at);
                self.expr(then, at);
                self.expr(otherwise, at);
            }
            ExprKind::Run { args, .. } => args.iter().for_each(|arg| self.expr(arg, at)),
            ExprKind::Poll { channel, args, .. } => {
                self.variable(channel, at);
                self.received(args, at);
            }
            ExprKind::Enabled(pid) | ExprKind::PcValue(pid) | ExprKind::GetPriority(pid) => {
                self.expr(pid, at);
            }
            ExprKind::RemoteLabel { pid, .. } => pid.iter().for_each(|pid| self.expr(pid, at)),
            ExprKind::RemoteVar { pid, var, .. } => {
                pid.iter().for_each(|pid| self.expr(pid, at));
                self.subscripts(var, at);
            }
            ExprKind::Int(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::EmbeddedC(_) => {}
        }
    }
}

/// The span of the first label of a statement, or of the statement.
pub(super) fn start(stmt: &Stmt) -> Span {
    stmt.labels.first().map_or(stmt.span, |label| label.span)
}
