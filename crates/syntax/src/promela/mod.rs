//! Promela as Spin 6.5 takes it.
//!
//! [`load`] and [`parse`] run the preprocessor ([`cpp`]), the lexer and the parser, and give a
//! syntax tree ([`ast`]) or messages with locations.

pub mod ast;
pub mod cpp;
mod lexer;
pub mod lint;
mod parser;
mod print;

pub use print::print;

use std::path::{Path, PathBuf};

use crate::diagnostics::{Diagnostic, FileId, SourceMap, Span};

/// What the command line says to the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CppOptions {
    /// `-D NAME` or `-D NAME=VALUE`, in order.
    pub defines: Vec<String>,
    /// `-I DIR`, in order.
    pub include_dirs: Vec<PathBuf>,
}

/// The outcome of parsing.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Absent if there are errors.
    pub program: Option<ast::Program>,
    /// Errors and warnings, in textual order.
    pub diagnostics: Vec<Diagnostic>,
    /// What was defined by `#define`, for expressions about the model.
    pub macros: cpp::Macros,
}

/// Parses a file of `sources`.
pub fn parse(sources: &mut SourceMap, root: FileId, options: &CppOptions) -> Parsed {
    let mut macros = cpp::Macros::default();
    let (expanded, mut diagnostics) = cpp::preprocess(sources, root, options, &mut macros);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Parsed { program: None, diagnostics, macros };
    }
    let (program, found) = parser::parse_program(sources, &expanded);
    diagnostics.extend(found);
    let mut items = program.items.iter();
    let is_empty = items.all(|item| matches!(item.kind, ast::ItemKind::Inline(_)));
    if is_empty && !diagnostics.iter().any(Diagnostic::is_error) {
        let error = Diagnostic::error(sources.file_span(root).end(), "the model is empty");
        diagnostics.push(error.label("nothing but macros and inlines up to here"));
    }
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    Parsed { program: (!failed).then_some(program), diagnostics, macros }
}

/// Parses a file of `sources` as one expression: a proposition or an invariant. `macros` are
/// those of the model, `proctypes` the names that remote references may use.
pub fn parse_expression<'p>(
    sources: &mut SourceMap,
    root: FileId,
    macros: &cpp::Macros,
    proctypes: impl IntoIterator<Item = &'p str>,
) -> (Option<ast::Expr>, Vec<Diagnostic>) {
    let options = CppOptions::default();
    let mut macros = macros.clone();
    let (expanded, mut diagnostics) = cpp::preprocess(sources, root, &options, &mut macros);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let proctypes = proctypes.into_iter().map(Into::into).collect();
    let (expr, found) = parser::parse_expression(sources, &expanded, proctypes);
    diagnostics.extend(found);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    (expr.filter(|_| !failed), diagnostics)
}

/// Reads and parses a file from disk.
pub fn load(sources: &mut SourceMap, path: &Path, options: &CppOptions) -> Parsed {
    let name = path.to_string_lossy();
    let failed = |why: String| Parsed {
        program: None,
        diagnostics: vec![Diagnostic::error(Span::NOWHERE, format!("cannot read {name}: {why}"))],
        macros: cpp::Macros::default(),
    };
    match cpp::read_source(path) {
        Ok(text) => match sources.try_add(&name, &text) {
            Some(root) => parse(sources, root, options),
            None => failed("the file is too large".into()),
        },
        Err(error) => failed(error.to_string()),
    }
}
