//! Expressions over a finished model: propositions of formulas, invariants.

use super::flow::{Body, Element, ElementId, ElementKind, LabelDef, SequenceId};
use super::types::Names;
use super::{LowerOptions, Lowerer, PendingProctype};
use crate::ir::layout::Packer;
use crate::ir::{Expr, ExprId, Model, Proctype, ProctypeId};
use lariat_syntax::diagnostics::{Diagnostic, Span};
use lariat_syntax::promela::ast;

/// The names of a Promela model, by which expressions can be added to it.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    pub(super) names: Names,
    pub(super) options: LowerOptions,
    /// Labels at which no process rests, as nothing in the model asks for them.
    pub(super) passed_labels: Vec<(ProctypeId, String)>,
    /// Those of them that expressions ask for.
    pub(super) asked_labels: Vec<String>,
}

impl Vocabulary {
    /// The proctypes, which remote references may name.
    pub fn proctypes(&self) -> impl Iterator<Item = &str> {
        self.names.proctypes.keys().map(|name| &**name)
    }

    /// Labels that added expressions name and that are no control points of the model, as
    /// `P@label`: what such an expression says is true of the model that is lowered with
    /// [`LowerOptions::control_points`].
    pub fn asked_labels(&self) -> &[String] {
        &self.asked_labels
    }

    /// Adds an expression to the model. It may use globals, remote references, and everything
    /// that can be evaluated in a state without changing it.
    pub fn add_expression(
        &mut self,
        model: &mut Model,
        expr: &ast::Expr,
    ) -> Result<ExprId, Vec<Diagnostic>> {
        let mut lowerer = Lowerer::new(self.options.clone());
        lowerer.names = std::mem::take(&mut self.names);
        lowerer.exprs = std::mem::take(&mut model.exprs);
        lowerer.uses = model.uses;
        lowerer.pending = model.proctypes.iter().map(|proctype| Some(shadow(proctype))).collect();
        let id = lowerer.expr(expr);
        self.names = lowerer.names;
        model.exprs = lowerer.exprs;
        let mut diagnostics = lowerer.diagnostics;
        if model.exprs.any(id, |node| matches!(node, Expr::Run(_))) {
            diagnostics.push(Diagnostic::error(expr.span, "`run` is no test of a state"));
        }
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(diagnostics);
        }
        for (proctype, label) in &self.passed_labels {
            let names_it = |node: &Expr| {
                matches!(node, Expr::At(at)
                    if at.instance.proctype == *proctype && at.label == *label)
            };
            if model.exprs.any(id, names_it) {
                self.asked_labels.push(format!("{}@{label}", model.proctype(*proctype).name));
            }
        }
        // `timeout` here does not make the model look at its states a second time.
        model.uses.last |= lowerer.uses.last;
        model.uses.priorities |= lowerer.uses.priorities;
        Ok(id)
    }
}

/// What remote references need to know of a proctype.
fn shadow(proctype: &Proctype) -> PendingProctype {
    let mut body = Body::default();
    for (number, location) in proctype.locations.iter().enumerate().skip(1) {
        let element = ElementId(number as u32 - 1);
        body.elements.push(Element::new(ElementKind::Skip, Span::NOWHERE, String::new(), None));
        for name in &location.labels {
            let (name, scope, span) = (name.clone(), Vec::new(), Span::NOWHERE);
            body.labels.push(LabelDef { name, scope, element, span });
        }
    }
    PendingProctype {
        name: proctype.name.as_str().into(),
        kind: proctype.kind,
        body,
        top: SequenceId(0),
        variables: proctype.variables.clone(),
        params: proctype.params,
        packer: Packer::new(0),
        inits: Vec::new(),
        provided: None,
        deterministic: false,
        span: proctype.span,
    }
}
