//! DVE to the model IR. What DVE means is in `docs/dve.md`.
//!
//! [`load_text`] reads, checks and lowers a model; [`expression`] adds an expression of the command
//! line to it.

mod constant;
mod expression;
mod lowering;
pub mod names;
mod process;

use lariat_syntax::diagnostics::{Diagnostic, SourceMap};
use lariat_syntax::dve::{self, ast};

use crate::ir::{ExprId, Model};
pub use crate::promela::Failure;
use names::Names;

/// What to make of a model.
#[derive(Clone, Copy, Debug)]
pub struct DveOptions {
    /// Keep the process that `system … property P` names in the state, so that the space is the
    /// product. Without it the model is the system alone, and the process one of
    /// [`Model::claims`].
    pub property: bool,
}

/// A DVE model, ready to run.
#[derive(Clone, Debug)]
pub struct DveModel {
    pub model: Model,
    pub names: Names,
    pub warnings: Vec<Diagnostic>,
}

/// Reads a model from text.
pub fn load_text(name: &str, text: &str, options: DveOptions) -> Result<DveModel, Failure> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = dve::parse(&sources, file);
    match parsed.tree {
        Some(tree) => lower(name, sources, &tree, options),
        None => Err(Failure { sources, diagnostics: parsed.diagnostics }),
    }
}

/// From a tree to a model. Spans refer to `sources`, which the model keeps.
pub fn lower(
    name: &str,
    sources: SourceMap,
    tree: &ast::Model,
    options: DveOptions,
) -> Result<DveModel, Failure> {
    lowering::Lowering::run(name, sources, tree, options)
        .map_err(|(sources, diagnostics)| Failure { sources, diagnostics })
}

/// Adds an expression over the whole model: globals, `P.s`, `P->v`.
pub fn expression(dve: &mut DveModel, name: &str, text: &str) -> Result<ExprId, Vec<Diagnostic>> {
    let file = dve.model.sources.add(name, text);
    let parsed = dve::parse_expression(&dve.model.sources, file);
    let Some(tree) = parsed.tree else { return Err(parsed.diagnostics) };
    let mut scope =
        expression::Scope { names: &dve.names, exprs: &mut dve.model.exprs, process: None };
    scope.expression(&tree).map_err(|error| vec![error])
}
