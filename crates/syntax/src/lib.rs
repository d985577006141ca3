//! Source text to syntax tree, with locations and diagnostics.
//!
//! - [`diagnostics`]: source files, spans that remember macro and inline expansion, messages
//!   with snippets.
//! - [`promela`]: preprocessor, lexer, parser and printer for Promela as Spin 6.5 takes it.
#![forbid(unsafe_code)]

pub mod diagnostics;
pub mod promela;
