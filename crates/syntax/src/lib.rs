//! Source text to syntax tree, with locations and diagnostics.
//!
//! - [`diagnostics`]: source files, spans that remember macro and inline expansion, messages
//!   with snippets.
//! - [`dve`]: lexer, parser and printer for DVE as DiVinE 2 takes it.
//! - [`promela`]: preprocessor, lexer, parser and printer for Promela as Spin 6.5 takes it.
#![forbid(unsafe_code)]

pub mod diagnostics;
pub mod dve;
pub mod promela;
