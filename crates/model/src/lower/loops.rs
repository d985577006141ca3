//! `for` and `select`, expanded as Spin does.

use std::sync::Arc;

use super::Lowerer;
use super::flow::{ElementKind, Jump, Node, SequenceId};
use super::text;
use super::types::{Symbol, Type};
use crate::ir::layout::VariableKind;
use crate::ir::{Action, Assign, BinaryOp, Expr, ExprId, Place, Region, Scalar, Variable};
use lariat_syntax::diagnostics::Span;
use lariat_syntax::promela::ast;

/// An expansion of more values than this would be absurd.
const MAX_SELECT: i64 = 1 << 16;

impl Lowerer {
    fn act(&mut self, action: Action, span: Span, text: String) {
        self.body.add(Node::Simple { kind: ElementKind::Act(action), span, text });
    }

    fn assign(&mut self, target: &Place, value: ExprId, span: Span, text: String) {
        let action = Action::Assign(Assign { target: target.clone(), value });
        self.act(action, span, text);
    }

    fn guard(&mut self, op: BinaryOp, left: &Place, right: ExprId, span: Span, text: String) {
        let left = self.load_place(left.clone(), span);
        let condition = self.exprs.add(Expr::Binary(op, left, right), span);
        self.act(Action::Guard(condition), span, text);
    }

    /// A loop variable must be a plain number.
    fn loop_variable(&mut self, var: &ast::VarRef, what: &str) -> Option<Place> {
        if let Some(reference) = self.resolve(var)
            && (reference.ty.is_channel() || matches!(reference.ty, Type::Struct(_)))
        {
            self.error(var.span, format!("the variable of this {what} must be a number"));
            return None;
        }
        self.place(var)
    }

    fn check_bounds(&mut self, from: &ast::Expr, to: &ast::Expr) {
        if let (ast::ExprKind::Int(from), ast::ExprKind::Int(to)) = (&from.kind, &to.kind)
            && from.value > to.value
        {
            self.error(from.span, "the start value exceeds the end value");
        }
    }

    /// `i = a; do :: i <= b -> body; i++ :: else -> break od`
    pub(super) fn for_loop(&mut self, for_loop: &ast::For, span: Span) -> Option<Node> {
        match &for_loop.range {
            ast::ForRange::Bounds { from, to } => {
                self.check_bounds(from, to);
                let place = self.loop_variable(&for_loop.var, "loop")?;
                let name = text::var(&for_loop.var);
                let start = self.expr(from);
                let exit = self.open_loop();
                let start_text = format!("{name} = {}", text::expr(from));
                self.assign(&place, start, for_loop.var.span, start_text);
                self.open_sequence();
                let limit = self.expr(to);
                let test = format!("{name} <= {}", text::expr(to));
                self.guard(BinaryOp::LessEqual, &place, limit, for_loop.var.span, test);
                Some(self.for_body(&place, name, &for_loop.body, exit, span))
            }
            ast::ForRange::In(array) => self.for_in(for_loop, array, span),
        }
    }

    fn for_in(&mut self, for_loop: &ast::For, over: &ast::VarRef, span: Span) -> Option<Node> {
        let reference = self.resolve(over)?;
        if reference.ty.is_channel() && reference.array.is_none() {
            return self.for_messages(for_loop, over, span);
        }
        let Some(count) = reference.array else {
            self.error(over.span, "this is neither an array nor a channel");
            return None;
        };
        let place = self.loop_variable(&for_loop.var, "loop")?;
        let name = text::var(&for_loop.var);
        let exit = self.open_loop();
        let zero = self.constant_expr(0, span);
        self.assign(&place, zero, for_loop.var.span, format!("{name} = 0"));
        self.open_sequence();
        let last = count as i32 - 1;
        let limit = self.constant_expr(last, span);
        let test = format!("{name} <= {last}");
        self.guard(BinaryOp::LessEqual, &place, limit, for_loop.var.span, test);
        Some(self.for_body(&place, name, &for_loop.body, exit, span))
    }

    /// `for (m in c)`: counts in a variable of its own and rotates the channel once.
    fn for_messages(
        &mut self,
        for_loop: &ast::For,
        over: &ast::VarRef,
        span: Span,
    ) -> Option<Node> {
        let Some(places) = self.struct_places(&for_loop.var) else {
            self.error(for_loop.var.span, "a typedef variable is needed to go over a channel");
            return None;
        };
        let channel = self.channel(over);
        let counter = self.message_counter();
        let name = "(message number)".to_string();
        let exit = self.open_loop();
        let zero = self.constant_expr(0, span);
        self.assign(&counter, zero, for_loop.var.span, format!("{name} = 0"));
        self.open_sequence();
        let limit = self.exprs.add(Expr::Len(channel), over.span);
        let test = format!("{name} < len({})", text::var(over));
        self.guard(BinaryOp::Less, &counter, limit, for_loop.var.span, test);
        let [receive, send] = self.rotation(channel, places, over.span);
        let (over, var) = (text::var(over), text::var(&for_loop.var));
        self.act(receive, for_loop.var.span, format!("{over}?{var}"));
        self.act(send, for_loop.var.span, format!("{over}!{var}"));
        Some(self.for_body(&counter, name, &for_loop.body, exit, span))
    }

    /// One counter for each block, as in Spin.
    fn message_counter(&mut self) -> Place {
        let name: Arc<str> = format!("(message number {:?})", self.body.scope).into();
        if let Some(symbol) = self.names.find(&name) {
            return Place::simple(Region::Local, symbol.offset, Scalar::Byte);
        }
        let offset = self.locals.packer.place(Scalar::Byte, 1);
        self.locals.variables.push(Variable {
            name: "(message number)".into(),
            region: Region::Local,
            offset,
            scalar: Scalar::Byte,
            count: None,
            kind: VariableKind::Number,
        });
        let symbol = Symbol {
            region: Region::Local,
            offset,
            ty: Type::number(Scalar::Byte),
            array: None,
            constant: None,
            channel: None,
            span: Span::NOWHERE,
        };
        self.names.declare(name, symbol);
        Place::simple(Region::Local, offset, Scalar::Byte)
    }

    fn for_body(
        &mut self,
        counter: &Place,
        name: String,
        block: &ast::Block,
        exit: super::flow::LoopId,
        span: Span,
    ) -> Node {
        self.open_scope();
        for stmt in &block.stmts {
            self.add_stmt(stmt);
        }
        self.close_scope();
        let next = self.counted(counter, 1, span);
        self.assign(counter, next, span, format!("{name}++"));
        let body = self.body.close_sequence();
        let leave = self.leave_loop(exit, true, span);
        self.loops.pop();
        Node::Do { options: vec![leave, body], exit, span }
    }

    fn leave_loop(&mut self, exit: super::flow::LoopId, with_else: bool, span: Span) -> SequenceId {
        self.open_sequence();
        if with_else {
            let text = "else".into();
            self.body.add(Node::Simple { kind: ElementKind::Else, span, text });
        }
        let kind = ElementKind::Goto(Jump::Break(exit));
        self.body.add(Node::Simple { kind, span, text: "break".into() });
        self.body.close_sequence()
    }

    /// An `if` with one assignment for each value, or
    /// `i = a; do :: i < b -> i++ :: break od`.
    pub(super) fn select(&mut self, select: &ast::Select, span: Span) -> Option<Node> {
        self.check_bounds(&select.from, &select.to);
        let place = self.loop_variable(&select.var, "select")?;
        let name = text::var(&select.var);
        if select.as_choice {
            let from = self.constant(&select.from)?;
            let to = self.constant(&select.to)?;
            if to as i64 - from as i64 > MAX_SELECT {
                self.error(span, "this select has too many values");
                return None;
            }
            let options = (from..=to).map(|value| {
                self.open_sequence();
                let constant = self.constant_expr(value, span);
                self.assign(&place, constant, span, format!("{name} = {value}"));
                self.body.close_sequence()
            });
            let options = options.collect();
            return Some(Node::If { options, span });
        }
        let start = self.expr(&select.from);
        let start_text = format!("{name} = {}", text::expr(&select.from));
        self.assign(&place, start, span, start_text);
        self.open_sequence();
        let limit = self.expr(&select.to);
        let test = format!("{name} < {}", text::expr(&select.to));
        self.guard(BinaryOp::Less, &place, limit, span, test);
        let exit = self.open_loop();
        let next = self.counted(&place, 1, span);
        self.assign(&place, next, span, format!("{name}++"));
        let body = self.body.close_sequence();
        let leave = self.leave_loop(exit, false, span);
        self.loops.pop();
        Some(Node::Do { options: vec![leave, body], exit, span })
    }
}
