//! Source text to syntax tree, with locations and diagnostics.
//!
//! - [`diagnostics`]: source files, spans that remember macro and inline expansion, messages
//!   with snippets.
//! - [`dve`]: lexer, parser and printer for DVE as DiVinE 2 takes it.
//! - [`promela`]: preprocessor, lexer, parser and printer for Promela as Spin 6.5 takes it.
//!
//! ```
//! use lariat_syntax::diagnostics::{SourceMap, render};
//! use lariat_syntax::promela::{CppOptions, parse};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("m.pml", "#define N 3\nbyte x;\ninit { x = N; assert(x == 3) }\n");
//! let parsed = parse(&mut sources, file, &CppOptions::default());
//! assert_eq!(parsed.program.expect("a model").items.len(), 2);
//!
//! let file = sources.add("bad.pml", "init { x = }\n");
//! let parsed = parse(&mut sources, file, &CppOptions::default());
//! let message = render(&sources, &parsed.diagnostics[0], false);
//! assert!(message.starts_with("error: expected an expression, found `}`\n --> bad.pml:1:12"));
//! ```
#![forbid(unsafe_code)]

pub mod diagnostics;
pub mod dve;
pub mod promela;
