//! Warnings for what is well formed but suspicious: those of Spin 6.5.2, and one more.
//!
//! What Spin says without being asked is always said: `timeout` in a `d_step`, references to
//! labels inside `atomic` or `d_step`, claims with side effects, `pc_value` outside a claim, `xs`
//! with message loss. What `spin -v` adds is said if all warnings are wanted: blocks inside a
//! `d_step` that change nothing, conditions that are always false, skips that are dropped,
//! variables that nobody reads. Not Spin's, and always said: a jump to a label before `for`,
//! which skips the assignment of the first value. Other warnings come from the passes that find their cause
//! (values that do not fit, variables in array bounds, `else` beside input or output).

mod unused;
mod walk;

use std::collections::HashSet;
use std::sync::Arc;

use self::walk::{At, Visitor};
use super::ast::*;
use crate::diagnostics::Diagnostic;

#[derive(Clone, Copy, Debug, Default)]
pub struct LintOptions {
    /// Also what only `spin -v` says.
    pub all: bool,
    /// A send to a full channel loses its message.
    pub message_loss: bool,
}

/// The warnings for a program without errors.
pub fn lint(program: &Program, options: LintOptions) -> Vec<Diagnostic> {
    let mut labels = InnerLabels::default();
    walk::program(program, &mut labels);
    let mut names = Vec::new();
    for item in &program.items {
        names.push(match &item.kind {
            ItemKind::Proctype(proctype) => Some(proctype.name.text.clone()),
            _ => None,
        });
    }
    let labels = labels.0.into_iter().filter_map(|(item, label)| {
        let proctype = names[item].clone()?;
        Some((proctype, label))
    });
    let mut jumps = Jumps::default();
    walk::program(program, &mut jumps);
    let mut linter =
        Linter { options, inner_labels: labels.collect(), jumps: jumps.0, found: Vec::new() };
    walk::program(program, &mut linter);
    let mut found = linter.found;
    if options.all {
        found.extend(unused::unused(program));
    }
    // An inline is looked at once for each call.
    let mut seen = HashSet::new();
    found.retain(|warning| seen.insert((warning.primary.span, warning.message.clone())));
    found
}

/// Labels inside `atomic` or `d_step`, by item.
#[derive(Default)]
struct InnerLabels(HashSet<(usize, Arc<str>)>);

impl Visitor for InnerLabels {
    fn stmt(&mut self, stmt: &Stmt, at: At) {
        if at.atomic || at.d_step {
            self.0.extend(stmt.labels.iter().map(|label| (at.item, label.text.clone())));
        }
    }
}

/// Labels that a `goto` names, by item.
#[derive(Default)]
struct Jumps(HashSet<(usize, Arc<str>)>);

impl Visitor for Jumps {
    fn stmt(&mut self, stmt: &Stmt, at: At) {
        if let StmtKind::Goto(label) = &stmt.kind {
            self.0.insert((at.item, label.text.clone()));
        }
    }
}

struct Linter {
    options: LintOptions,
    /// Proctype and label.
    inner_labels: HashSet<(Arc<str>, Arc<str>)>,
    /// Item and label.
    jumps: HashSet<(usize, Arc<str>)>,
    found: Vec<Diagnostic>,
}

impl Linter {
    fn inside_d_step(&mut self, stmt: &Stmt, what: &str) {
        let message = format!("`{what}` inside a d_step changes nothing");
        let note = "a d_step is one step already";
        self.found.push(Diagnostic::warning(walk::start(stmt), message).note(note));
    }

    /// The first value is assigned in a step before the one that the label names.
    fn jump_into_for(&mut self, stmt: &Stmt, for_loop: &For, at: At) {
        let is_jumped_to = |label: &&Ident| self.jumps.contains(&(at.item, label.text.clone()));
        if let Some(label) = stmt.labels.iter().find(is_jumped_to) {
            let variable = &for_loop.var.head().text;
            let message =
                format!("a jump to `{}` enters the `for` without setting `{variable}`", label.text);
            let warning = Diagnostic::warning(label.span, message)
                .note("the label stands behind the assignment of the first value, as in Spin")
                .help(format!("to start the loop again write `{}: skip; for …`", label.text));
            self.found.push(warning);
        }
    }
}

impl Visitor for Linter {
    fn stmt(&mut self, stmt: &Stmt, at: At) {
        if let StmtKind::For(for_loop) = &stmt.kind {
            self.jump_into_for(stmt, for_loop, at);
        }
        let has_effect = match &stmt.kind {
            StmtKind::Assign { .. }
            | StmtKind::Increment(_)
            | StmtKind::Decrement(_)
            | StmtKind::Send(_)
            | StmtKind::Receive(_)
            | StmtKind::Select(_)
            | StmtKind::For(_)
            | StmtKind::SetPriority { .. } => true,
            StmtKind::Exclusive(exclusive)
                if exclusive.kind == ExclusiveKind::Send && self.options.message_loss =>
            {
                let message = "`xs` has no meaning where messages can be lost";
                self.found.push(Diagnostic::warning(stmt.span, message));
                false
            }
            StmtKind::Atomic(_) if at.d_step && self.options.all => {
                self.inside_d_step(stmt, "atomic");
                false
            }
            StmtKind::DStep(_) if at.d_step && self.options.all => {
                self.inside_d_step(stmt, "d_step");
                false
            }
            StmtKind::Expr(Expr { kind: ExprKind::Int(literal), .. })
                if literal.value == 0 && self.options.all =>
            {
                let message = "this condition is always false";
                self.found.push(Diagnostic::warning(stmt.span, message));
                false
            }
            _ => false,
        };
        if has_effect && at.claim {
            let message = "the never claim has a side effect";
            let note = "a claim should only look at the state";
            self.found.push(Diagnostic::warning(stmt.span, message).note(note));
        }
    }

    fn choice(&mut self, choice: &Choice, _at: At) {
        if !self.options.all {
            return;
        }
        // Of a run of skips in an option the first is kept, and the last statement.
        let mut in_run = false;
        for (number, stmt) in choice.stmts.iter().enumerate() {
            let skip = is_skip(stmt) && stmt.labels.is_empty();
            let is_last = number + 1 == choice.stmts.len();
            if skip && in_run && !is_last {
                let message = "this skip is redundant and makes no step";
                self.found.push(Diagnostic::warning(stmt.span, message));
            }
            in_run = skip || matches!(stmt.kind, StmtKind::Printf(_) | StmtKind::Printm(_));
        }
    }

    fn expr(&mut self, expr: &Expr, at: At) {
        match &expr.kind {
            ExprKind::Timeout if at.d_step => {
                let message = "`timeout` inside a d_step";
                let note =
                    "it is true only where nothing else can move, but a d_step must not wait";
                self.found.push(Diagnostic::warning(expr.span, message).note(note));
            }
            ExprKind::PcValue(_) if !at.claim => {
                let message = "`pc_value` outside of a never claim";
                let note = "the numbers of control points change with every edit";
                self.found.push(Diagnostic::warning(expr.span, message).note(note));
            }
            ExprKind::Run { .. } if at.claim => {
                let message = "the never claim has a side effect";
                self.found.push(Diagnostic::warning(expr.span, message));
            }
            ExprKind::RemoteLabel { proctype, label, .. } => {
                let key = (proctype.text.clone(), label.text.clone());
                if self.inner_labels.contains(&key) {
                    let message =
                        format!("label `{}` is inside an atomic or d_step sequence", label.text);
                    let note = "other processes can see the process there only if it blocks";
                    self.found.push(Diagnostic::warning(label.span, message).note(note));
                }
            }
            _ => {}
        }
    }
}

fn is_skip(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Expr(Expr { kind: ExprKind::Int(literal), .. }) if literal.value == 1)
}
