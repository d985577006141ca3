//! Statements to elements.

use super::Lowerer;
use super::flow::{ElementKind, Jump, LoopId, Node, SequenceId};
use super::text;
use super::types::Type;
use crate::ir::layout::VariableKind;
use crate::ir::{Action, Assign, Expr, ExprId, Place, Print, Region, Scalar};
use lariat_syntax::diagnostics::{Diagnostic, Span};
use lariat_syntax::promela::ast;

impl Lowerer {
    /// The statements of a proctype, with the end of the process behind them.
    pub(super) fn top_sequence(&mut self, block: &ast::Block) -> SequenceId {
        self.body.open_sequence();
        for stmt in &block.stmts {
            self.add_stmt(stmt);
        }
        let end = Span { lo: block.span.hi.saturating_sub(1), ..block.span };
        self.body.add(Node::Simple { kind: ElementKind::Stop, span: end, text: "-end-".into() });
        self.body.close_sequence()
    }

    pub(super) fn open_sequence(&mut self) {
        self.body.open_sequence();
        self.at_head = false;
    }

    pub(super) fn open_scope(&mut self) {
        self.names.open_scope();
        self.next_scope += 1;
        self.body.scope.push(self.next_scope);
    }

    pub(super) fn close_scope(&mut self) {
        self.names.close_scope();
        self.body.scope.pop();
    }

    /// A block in braces as a sequence of its own.
    pub(super) fn block(&mut self, block: &ast::Block) -> SequenceId {
        self.open_scope();
        let sequence = self.sequence_of(&block.stmts, block.span, "block");
        self.close_scope();
        sequence
    }

    fn sequence_of(&mut self, stmts: &[ast::Stmt], span: Span, what: &str) -> SequenceId {
        self.open_sequence();
        for stmt in stmts {
            self.add_stmt(stmt);
        }
        let sequence = self.body.close_sequence();
        match self.body.sequence(sequence).first {
            None => self.error(span, format!("this {what} needs at least one statement")),
            Some(first) if self.body.has_label(first) => self.misplaced_label(first, what),
            Some(_) => {}
        }
        sequence
    }

    /// The first statement of a nested sequence is no control point of its own.
    fn misplaced_label(&mut self, first: super::flow::ElementId, what: &str) {
        let label = self.body.labels.iter().find(|label| label.element == first);
        let Some(label) = label else { return };
        let (span, name) = (label.span, label.name.clone());
        let message = format!("label `{name}` cannot stand on the first statement of this {what}");
        let help = format!("put it before the {what}");
        let diagnostic = match what {
            "option" => Diagnostic::warning(span, message),
            _ => Diagnostic::error(span, message),
        };
        self.diagnostics.push(diagnostic.help(help));
    }

    pub(super) fn add_stmt(&mut self, stmt: &ast::Stmt) {
        match &stmt.kind {
            ast::StmtKind::Decl(decl) => {
                if let Some(label) = stmt.labels.first() {
                    self.error(label.span, "a declaration cannot have a label");
                }
                self.local_variables(decl);
            }
            ast::StmtKind::Exclusive(exclusive) => {
                for channel in &exclusive.channels {
                    self.channel(channel);
                }
            }
            _ => {
                if let Some(node) = self.stmt(stmt) {
                    self.body.add(node);
                }
                self.at_head = false;
            }
        }
    }

    /// Declarations at the head of a body are no steps; later ones assign where they stand.
    fn local_variables(&mut self, decl: &ast::VarDecl) {
        for declarator in &decl.vars {
            let Some(symbol) = self.variable(&decl.ty, declarator, Region::Local) else { continue };
            if self.at_head {
                continue;
            }
            let value = match &declarator.init {
                None => self.constant_expr(0, declarator.span),
                Some(ast::Initialiser::Expr(value)) => self.expr(value),
                Some(ast::Initialiser::List(_)) => {
                    let message = "a list of values cannot stand behind the first statement";
                    self.error(declarator.span, message);
                    continue;
                }
                Some(ast::Initialiser::Chan(_)) => {
                    let message = "an initialised channel must be declared at the head of the body";
                    self.error(declarator.span, message);
                    continue;
                }
            };
            let kind = match symbol.ty {
                // Only the first element of an array is set.
                Type::Number { scalar, .. } => {
                    let target = Place::simple(symbol.region, symbol.offset, scalar);
                    ElementKind::Act(Action::Assign(Assign { target, value }))
                }
                // A step without effect.
                Type::Struct(_) => {
                    let target = Place::simple(Region::Nothing, 0, Scalar::Int);
                    ElementKind::Act(Action::Assign(Assign { target, value }))
                }
            };
            let text = text::declaration(declarator);
            self.body.add(Node::Simple { kind, span: declarator.span, text });
        }
    }

    /// A statement that is not yet in a sequence. Parts that come before it (the start of a
    /// `for`) are added at once.
    // Recursion is as deep as the nesting of statements, which the parser limits.
    fn stmt(&mut self, stmt: &ast::Stmt) -> Option<Node> {
        if let ast::StmtKind::Unless { main, escape } = &stmt.kind {
            return self.unless(main, escape, stmt.span);
        }
        let node = self.unlabelled(stmt)?;
        if stmt.labels.is_empty() {
            return Some(node);
        }
        let labels = stmt.labels.iter().map(|label| (label.text.to_string(), label.span)).collect();
        Some(Node::Labelled { labels, node: Box::new(node) })
    }

    fn unlabelled(&mut self, stmt: &ast::Stmt) -> Option<Node> {
        let span = stmt.span;
        let text = || text::statement(stmt);
        let act =
            |action: Action| Node::Simple { kind: ElementKind::Act(action), span, text: text() };
        Some(match &stmt.kind {
            ast::StmtKind::Decl(_) | ast::StmtKind::Exclusive(_) | ast::StmtKind::Unless { .. } => {
                return None;
            }
            ast::StmtKind::Expr(expr) => {
                let kind = self.expression_statement(expr);
                Node::Simple { kind, span, text: text() }
            }
            ast::StmtKind::Else => Node::Simple { kind: ElementKind::Else, span, text: text() },
            ast::StmtKind::Empty => {
                Node::Simple { kind: ElementKind::Skip, span, text: "skip".into() }
            }
            ast::StmtKind::Assign { target, value } => {
                let action = self.assignment(target, value)?;
                act(action)
            }
            ast::StmtKind::Increment(target) => act(self.count(target, 1, span)?),
            ast::StmtKind::Decrement(target) => act(self.count(target, -1, span)?),
            ast::StmtKind::Send(send) => act(self.send(send, span)),
            ast::StmtKind::Receive(receive) => act(self.receive(receive)),
            ast::StmtKind::If(options) => {
                let options = self.options(options);
                Node::If { options, span }
            }
            ast::StmtKind::Do(options) => {
                let exit = self.open_loop();
                let options = self.options(options);
                self.loops.pop();
                Node::Do { options, exit, span }
            }
            ast::StmtKind::For(for_loop) => return self.for_loop(for_loop, span),
            ast::StmtKind::Select(select) => return self.select(select, span),
            ast::StmtKind::Atomic(block) => {
                let inner = self.block(block);
                self.body.make_atomic(inner, false);
                Node::Simple { kind: ElementKind::Atomic(inner), span, text: "atomic".into() }
            }
            ast::StmtKind::DStep(block) => {
                let inner = self.d_step(block);
                Node::Simple { kind: ElementKind::DStep(inner), span, text: text() }
            }
            ast::StmtKind::Block(block) => {
                let inner = self.block(block);
                Node::Simple { kind: ElementKind::Block(inner), span, text: String::new() }
            }
            ast::StmtKind::Inline(call) => {
                self.at_head = false;
                let inner = self.block(&call.body);
                Node::Simple { kind: ElementKind::Block(inner), span, text: String::new() }
            }
            ast::StmtKind::Break => {
                let Some(&exit) = self.loops.last() else {
                    self.error(span, "`break` outside of a loop");
                    return None;
                };
                Node::Simple { kind: ElementKind::Goto(Jump::Break(exit)), span, text: text() }
            }
            ast::StmtKind::Goto(label) => {
                let scope = self.body.scope.clone();
                let jump = Jump::Label { name: label.text.to_string(), scope, span: label.span };
                Node::Simple { kind: ElementKind::Goto(jump), span, text: text() }
            }
            ast::StmtKind::Assert(condition) => act(Action::Assert(self.expr(condition))),
            ast::StmtKind::Printf(printf) => act(self.printf(printf)),
            ast::StmtKind::Printm(value) => {
                let mtypes = vec![self.mtype_set_of(value)];
                let args = vec![self.expr(value)];
                act(Action::Print(Box::new(Print { format: "%e".into(), args, mtypes })))
            }
            ast::StmtKind::SetPriority { pid, value } => {
                let (pid, value) = (self.expr(pid), self.expr(value));
                if self.options.ignore_priorities {
                    return Some(Node::Simple { kind: ElementKind::Skip, span, text: text() });
                }
                self.uses.priorities = true;
                act(Action::SetPriority { pid, value })
            }
            ast::StmtKind::EmbeddedC(c) => {
                self.refuse_c(c);
                return None;
            }
        })
    }

    fn expression_statement(&mut self, expr: &ast::Expr) -> ElementKind {
        let id = self.expr(expr);
        let is_literal = match &expr.kind {
            ast::ExprKind::Int(_) => true,
            ast::ExprKind::Var(var) => {
                var.as_name().is_some_and(|name| self.names.mtypes.contains_key(&name.text))
            }
            _ => false,
        };
        match self.exprs.get(id) {
            Expr::Const(1) if is_literal => ElementKind::Skip,
            Expr::Const(0) if is_literal => ElementKind::Never,
            _ => ElementKind::Act(Action::Guard(id)),
        }
    }

    fn assignment(&mut self, target: &ast::VarRef, value: &ast::Expr) -> Option<Action> {
        if let Some(name) = target.as_name() {
            match &*name.text {
                "_priority" if self.options.ignore_priorities => {
                    let value = self.expr(value);
                    let target = Place::simple(Region::Nothing, 0, Scalar::Int);
                    return Some(Action::Assign(Assign { target, value }));
                }
                "_priority" => {
                    self.uses.priorities = true;
                    return Some(Action::OwnPriority(self.expr(value)));
                }
                "_pid" | "_nr_pr" | "_last" | "np_" => {
                    self.error(name.span, format!("`{}` cannot be assigned to", name.text));
                    return None;
                }
                _ => {}
            }
        }
        self.check_mtypes(target, value);
        let place = self.place(target);
        let span = value.span;
        let value = self.expr(value);
        let place = place?;
        if let &Expr::Const(constant) = self.exprs.get(value)
            && place.region != Region::Nothing
        {
            self.check_fit(constant, place.scalar, span);
        }
        Some(Action::Assign(Assign { target: place, value }))
    }

    /// A constant that is stored as another value is surely a mistake.
    pub(super) fn check_fit(&mut self, constant: i32, scalar: Scalar, span: Span) {
        if !scalar.fits(constant) {
            let stored = scalar.truncate(constant);
            self.warning(span, format!("{constant} does not fit: {stored} is stored"));
        }
    }

    /// A constant of a named mtype set fits only into variables of that set.
    fn check_mtypes(&mut self, target: &ast::VarRef, value: &ast::Expr) {
        let ast::ExprKind::Var(var) = &value.kind else { return };
        let Some(name) = var.as_name() else { return };
        let Some(constant) = self.names.mtypes.get(&name.text) else { return };
        let set = constant.set.as_ref().map(|set| set.to_string());
        let Some(symbol) = self.names.find(&target.head().text) else { return };
        if target.path.len() > 1 {
            return;
        }
        let wanted = match &symbol.ty {
            Type::Number { kind: VariableKind::Mtype(set), .. } => set.clone(),
            _ => None,
        };
        if wanted != set {
            let of = set.map_or("mtype".into(), |set| format!("mtype:{set}"));
            let message = format!("`{}` belongs to `{of}`, the variable does not", name.text);
            self.error(value.span, message);
        }
    }

    fn count(&mut self, target: &ast::VarRef, by: i32, span: Span) -> Option<Action> {
        let place = self.place(target)?;
        let value = self.counted(&place, by, span);
        Some(Action::Assign(Assign { target: place, value }))
    }

    /// The value of a place plus or minus one.
    pub(super) fn counted(&mut self, place: &Place, by: i32, span: Span) -> ExprId {
        let node = match place.indices.is_empty() {
            true => Expr::Var(place.region, place.offset, place.scalar),
            false => Expr::Load(Box::new(place.clone())),
        };
        let old = self.exprs.add(node, span);
        let one = self.constant_expr(1, span);
        let op = if by > 0 { crate::ir::BinaryOp::Add } else { crate::ir::BinaryOp::Subtract };
        self.exprs.add(Expr::Binary(op, old, one), span)
    }

    pub(super) fn open_loop(&mut self) -> LoopId {
        let exit = LoopId(self.body.loop_exits.len() as u32);
        self.body.loop_exits.push(None);
        self.loops.push(exit);
        exit
    }

    fn options(&mut self, options: &[ast::Choice]) -> Vec<SequenceId> {
        let mut sequences = Vec::with_capacity(options.len());
        for option in options {
            let sequence = self.sequence_of(&option.stmts, option.span, "option");
            if self.body.sequence(sequence).first.is_some() {
                sequences.push(sequence);
            }
        }
        if !self.in_claim {
            for &sequence in &sequences {
                self.body.prune_skips(sequence);
            }
        }
        sequences
    }

    fn d_step(&mut self, block: &ast::Block) -> SequenceId {
        let outer = self.body.d_step;
        if outer.is_none() {
            self.next_d_step += 1;
            self.body.d_step = Some(self.next_d_step);
        }
        // A loop around the d_step cannot be left from inside it.
        let inner = self.block(block);
        self.body.make_atomic(inner, true);
        self.body.d_step = outer;
        inner
    }

    fn unless(&mut self, main: &ast::Stmt, escape: &ast::Stmt, span: Span) -> Option<Node> {
        let main_node = self.stmt(main)?;
        let escape_node = self.stmt(escape)?;
        let escape = match escape_node {
            Node::Simple { kind: ElementKind::Block(inner), .. } => inner,
            node => self.wrap(node, "escape"),
        };
        match main_node {
            Node::Simple { kind: ElementKind::Block(main), .. } => {
                Some(Node::Unless { main, escape, span })
            }
            Node::Labelled { labels, node } => self.labelled_unless(labels, *node, escape, span),
            node => {
                let main = self.wrap(node, "statement");
                Some(Node::Unless { main, escape, span })
            }
        }
    }

    fn wrap(&mut self, node: Node, what: &str) -> SequenceId {
        self.open_sequence();
        self.body.add(node);
        let sequence = self.body.close_sequence();
        if let Some(first) = self.body.sequence(sequence).first
            && self.body.has_label(first)
        {
            self.misplaced_label(first, what);
        }
        sequence
    }

    /// `L: { … } unless { … }` is `L: { { … } unless { … } }`; the same for `atomic`.
    fn labelled_unless(
        &mut self,
        labels: Vec<(String, Span)>,
        node: Node,
        escape: SequenceId,
        span: Span,
    ) -> Option<Node> {
        let Node::Simple { kind, text, .. } = &node else {
            self.error(labels[0].1, "a label before `unless` needs braces: `L: { … unless … }`");
            return None;
        };
        let (main, outer): (SequenceId, fn(SequenceId) -> ElementKind) = match *kind {
            ElementKind::Block(inner) => (inner, ElementKind::Block),
            ElementKind::Atomic(inner) => (inner, ElementKind::Atomic),
            ElementKind::DStep(inner) => (inner, ElementKind::DStep),
            _ => {
                self.error(
                    labels[0].1,
                    "a label before `unless` needs braces: `L: { … unless … }`",
                );
                return None;
            }
        };
        let text = text.clone();
        self.open_sequence();
        self.body.add(Node::Unless { main, escape, span });
        let wrapped = self.body.close_sequence();
        let node = Node::Simple { kind: outer(wrapped), span, text };
        Some(Node::Labelled { labels, node: Box::new(node) })
    }

    fn printf(&mut self, printf: &ast::Printf) -> Action {
        let format = text::unescape(&printf.format.text);
        let mtypes = printf.args.iter().map(|arg| self.mtype_set_of(arg)).collect();
        let args = printf.args.iter().map(|arg| self.expr(arg)).collect();
        Action::Print(Box::new(Print { format, args, mtypes }))
    }
}
