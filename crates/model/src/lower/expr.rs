//! Expressions and places.

use super::Lowerer;
use super::constant::{binary, unary};
use super::types;
use super::types::{Symbol, Type};
use crate::ir::expr::Poll;
use crate::ir::layout::VariableKind;
use crate::ir::{Expr, ExprId, Index, Place, Probe, ReceiveArg, Region, Run, Scalar};
use lariat_syntax::diagnostics::{Diagnostic, Span};
use lariat_syntax::promela::ast;

/// What a reference leads to.
pub(super) struct Reference {
    pub(super) region: Region,
    pub(super) offset: u32,
    pub(super) indices: Vec<Index>,
    pub(super) ty: Type,
    /// An array without subscript.
    pub(super) array: Option<u32>,
}

impl Lowerer {
    pub(super) fn nothing(&mut self, span: Span) -> ExprId {
        self.constant_expr(0, span)
    }

    // Recursion is as deep as the expression, which the parser limits.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> ExprId {
        let span = expr.span;
        let node = match &expr.kind {
            ast::ExprKind::Int(literal) => Expr::Const(literal.value),
            ast::ExprKind::Var(var) => return self.var_expr(var),
            ast::ExprKind::Unary { op, operand } => {
                let operand = self.expr(operand);
                match self.exprs.get(operand) {
                    Expr::Const(value) => Expr::Const(unary(*op).apply(*value)),
                    _ => Expr::Unary(unary(*op), operand),
                }
            }
            ast::ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.expr(left), self.expr(right));
                Expr::Binary(binary(*op), left, right)
            }
            ast::ExprKind::Conditional { condition, then, otherwise } => {
                let condition = self.expr(condition);
                let then = self.expr(then);
                Expr::Conditional(condition, then, self.expr(otherwise))
            }
            ast::ExprKind::Run { proctype, args, priority } => {
                return self.run(proctype, args, priority.as_ref(), span);
            }
            ast::ExprKind::Len(channel) => Expr::Len(self.channel(channel)),
            ast::ExprKind::Probe { kind, channel } => {
                let probe = match kind {
                    ast::ProbeKind::Full => Probe::Full,
                    ast::ProbeKind::NotFull => Probe::NotFull,
                    ast::ProbeKind::Empty => Probe::Empty,
                    ast::ProbeKind::NotEmpty => Probe::NotEmpty,
                };
                Expr::Probe(probe, self.channel(channel))
            }
            ast::ExprKind::Poll { channel, random, args } => {
                let channel = self.channel(channel);
                // A poll changes nothing: variables match everything.
                let args = self.receive_args(args);
                let args = args.into_iter().map(|arg| match arg {
                    ReceiveArg::Store(_) => ReceiveArg::Ignore,
                    arg => arg,
                });
                Expr::Poll(Box::new(Poll { channel, random: *random, args: args.collect() }))
            }
            ast::ExprKind::Enabled(pid) => Expr::Enabled(self.expr(pid)),
            ast::ExprKind::PcValue(pid) => Expr::PcValue(self.expr(pid)),
            ast::ExprKind::GetPriority(pid) => {
                let pid = self.expr(pid);
                self.uses.priorities |= !self.options.ignore_priorities;
                match self.options.ignore_priorities {
                    true => Expr::Const(1),
                    false => Expr::GetPriority(pid),
                }
            }
            ast::ExprKind::Timeout => {
                self.uses.timeout = true;
                Expr::Timeout
            }
            ast::ExprKind::NonProgress => Expr::NonProgress,
            ast::ExprKind::RemoteLabel { proctype, pid, label } => {
                return self.remote_label(proctype, pid.as_deref(), label, span);
            }
            ast::ExprKind::RemoteVar { proctype, pid, var } => {
                return self.remote_var(proctype, pid.as_deref(), var, span);
            }
            ast::ExprKind::EmbeddedC(c) => {
                self.refuse_c(c);
                Expr::Const(0)
            }
        };
        self.exprs.add(node, span)
    }

    fn var_expr(&mut self, var: &ast::VarRef) -> ExprId {
        let span = var.span;
        if let Some(name) = var.as_name() {
            if let Some(constant) = self.names.mtypes.get(&name.text) {
                return self.exprs.add(Expr::Const(constant.value), span);
            }
            if let Some(node) = self.predefined(&name.text) {
                return self.exprs.add(node, span);
            }
        }
        let Some(place) = self.place(var) else { return self.nothing(span) };
        self.load_place(place, span)
    }

    fn predefined(&mut self, name: &str) -> Option<Expr> {
        Some(match name {
            "_pid" => Expr::Pid,
            "_nr_pr" => Expr::NrProcesses,
            "_last" => {
                self.uses.last = true;
                Expr::Last
            }
            "_priority" => match self.options.ignore_priorities {
                true => Expr::Const(1),
                false => {
                    self.uses.priorities = true;
                    Expr::Priority
                }
            },
            "np_" => Expr::NonProgress,
            _ => return None,
        })
    }

    pub(super) fn load_place(&mut self, place: Place, span: Span) -> ExprId {
        let node = match place.indices.is_empty() {
            true => Expr::Var(place.region, place.offset, place.scalar),
            false => Expr::Load(Box::new(place)),
        };
        self.exprs.add(node, span)
    }

    /// A channel: something with a channel id.
    pub(super) fn channel(&mut self, var: &ast::VarRef) -> ExprId {
        if let Some(reference) = self.resolve(var)
            && !reference.ty.is_channel()
            && matches!(reference.ty, Type::Struct(_))
        {
            self.error(var.span, "a channel is needed here");
        }
        self.var_expr(var)
    }

    /// A scalar place.
    pub(super) fn place(&mut self, var: &ast::VarRef) -> Option<Place> {
        if let Some(name) = var.as_name()
            && &*name.text == "_"
        {
            return Some(Place::simple(Region::Nothing, 0, Scalar::Int));
        }
        let reference = self.resolve(var)?;
        if reference.array.is_some() {
            let name = &var.path.last().expect("at least one segment").name.text;
            self.error(var.span, format!("missing array index for `{name}`"));
            return None;
        }
        match reference.ty {
            Type::Number { scalar, .. } => Some(Place {
                region: reference.region,
                offset: reference.offset,
                scalar,
                indices: reference.indices,
            }),
            Type::Struct(id) => {
                let name = &self.names.structs[id].name;
                let message = format!("a value of typedef `{name}` cannot be used as a number");
                self.error(var.span, message);
                None
            }
        }
    }

    /// Follows a path of names and subscripts.
    pub(super) fn resolve(&mut self, var: &ast::VarRef) -> Option<Reference> {
        let head = &var.path[0];
        let Some(symbol) = self.names.find(&head.name.text).cloned() else {
            self.undeclared(&head.name);
            return None;
        };
        self.resolve_from(&symbol, &var.path)
    }

    fn undeclared(&mut self, name: &ast::Ident) {
        let message = format!("undeclared variable `{}`", name.text);
        // Once is enough, however often it is used.
        if self.diagnostics.iter().any(|known| known.message == message) {
            return;
        }
        let mut diagnostic = Diagnostic::error(name.span, message);
        if self.names.proctypes.contains_key(&name.text) {
            diagnostic = diagnostic.note("this is the name of a proctype");
        } else if self.names.mtypes.contains_key(&name.text) {
            diagnostic = diagnostic.note("this is an mtype constant");
        } else if let Some(meant) = self.names.similar(&name.text) {
            diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
        }
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn resolve_from(
        &mut self,
        symbol: &Symbol,
        path: &[ast::PathSegment],
    ) -> Option<Reference> {
        let mut at = Reference {
            region: symbol.region,
            offset: symbol.offset,
            indices: Vec::new(),
            ty: symbol.ty.clone(),
            array: symbol.array,
        };
        self.subscript(&mut at, &path[0])?;
        for segment in &path[1..] {
            if at.array.is_some() {
                self.error(segment.name.span, "the array before this field needs an index");
                return None;
            }
            let Type::Struct(id) = at.ty else {
                self.error(segment.name.span, "this is no field: the variable is no typedef");
                return None;
            };
            let definition: &types::Struct = &self.names.structs[id];
            let field = definition.fields.iter().find(|f| f.name == segment.name.text).cloned();
            let Some(field) = field else {
                let message =
                    format!("typedef `{}` has no field `{}`", definition.name, segment.name.text);
                self.error(segment.name.span, message);
                return None;
            };
            at.offset += field.offset;
            at.ty = field.ty;
            at.array = field.array;
            self.subscript(&mut at, segment)?;
        }
        Some(at)
    }

    fn subscript(&mut self, at: &mut Reference, segment: &ast::PathSegment) -> Option<()> {
        let Some(index) = &segment.index else { return Some(()) };
        let value = self.expr(index);
        // Spin lets a scalar have the subscript 0.
        let count = at.array.take().unwrap_or(1);
        let stride = self.names.size_of(&at.ty);
        match self.exprs.get(value) {
            Expr::Const(value) if (0..count as i32).contains(value) => {
                at.offset += *value as u32 * stride;
            }
            _ => at.indices.push(Index { value, count, stride }),
        }
        Some(())
    }

    fn run(
        &mut self,
        proctype: &ast::Ident,
        args: &[ast::Expr],
        priority: Option<&ast::IntLit>,
        span: Span,
    ) -> ExprId {
        let Some(&id) = self.names.proctypes.get(&proctype.text) else {
            self.error(proctype.span, format!("undeclared proctype `{}`", proctype.text));
            return self.nothing(span);
        };
        if self.body.d_step.is_some() {
            self.error(span, "`run` inside a d_step: use atomic");
        }
        let args: Vec<ExprId> = args.iter().flat_map(|arg| self.argument(arg)).collect();
        self.runs.push((span, id, args.len()));
        self.note_priority(priority);
        let priority = self.priority(priority);
        self.exprs.add(Expr::Run(Box::new(Run { proctype: id, args, priority })), span)
    }

    /// An argument of `run` or of a send: a typedef value counts as its fields.
    pub(super) fn argument(&mut self, arg: &ast::Expr) -> Vec<ExprId> {
        if let ast::ExprKind::Var(var) = &arg.kind
            && let Some(places) = self.struct_places(var)
        {
            return places.into_iter().map(|place| self.load_place(place, arg.span)).collect();
        }
        vec![self.expr(arg)]
    }

    /// The scalars of a typedef variable, in order; None if it is something else.
    pub(super) fn struct_places(&mut self, var: &ast::VarRef) -> Option<Vec<Place>> {
        let symbol = self.names.find(&var.head().text)?;
        if !matches!(symbol.ty, Type::Struct(_)) {
            return None;
        }
        let reference = self.resolve(var)?;
        if reference.array.is_some() || !matches!(reference.ty, Type::Struct(_)) {
            return None;
        }
        let leaves = self.names.leaves(&reference.ty);
        let places = leaves.into_iter().map(|leaf| Place {
            region: reference.region,
            offset: reference.offset + leaf.offset,
            scalar: leaf.scalar,
            indices: reference.indices.clone(),
        });
        Some(places.collect())
    }

    /// The mtype set of what is printed, for `%e`.
    pub(super) fn mtype_set_of(&mut self, expr: &ast::Expr) -> Option<String> {
        let ast::ExprKind::Var(var) = &expr.kind else { return None };
        if let Some(name) = var.as_name()
            && let Some(constant) = self.names.mtypes.get(&name.text)
        {
            return constant.set.as_ref().map(|set| set.to_string());
        }
        self.names.find(&var.head().text)?;
        match self.resolve(var)?.ty {
            Type::Number { kind: VariableKind::Mtype(set), .. } => set,
            _ => None,
        }
    }
}
