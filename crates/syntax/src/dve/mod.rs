//! DVE as DiVinE 2 takes it.
//!
//! [`parse`] reads a model, [`parse_expression`] an expression for `--invariant`, `--reach` and
//! the propositions of a formula, [`print()`] writes a model back. Names and types are checked
//! when the tree is lowered, not here.

pub mod ast;
mod lexer;
mod parser;
mod print;

use crate::diagnostics::{Diagnostic, FileId, SourceMap};

pub use print::{print, print_transition};

/// The outcome of parsing.
#[derive(Clone, Debug)]
pub struct Parsed<T = ast::Model> {
    /// Absent if there are errors.
    pub tree: Option<T>,
    /// Errors, in textual order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a whole model.
pub fn parse(sources: &SourceMap, file: FileId) -> Parsed {
    parser::run(sources, file, |parser| parser.model())
}

/// Reads one expression.
pub fn parse_expression(sources: &SourceMap, file: FileId) -> Parsed<ast::Expr> {
    parser::run(sources, file, |parser| parser.lone_expression())
}
