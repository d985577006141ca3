//! Promela as Spin 6.5 takes it.
//!
//! `parse(&mut SourceMap, FileId, &Options) -> Parsed` runs preprocessor, lexer and parser.

pub mod ast;
pub mod cpp;

use std::path::PathBuf;

use crate::diagnostics::Diagnostic;

/// What the command line says to the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
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
}
