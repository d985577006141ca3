//! From a Promela file to a model.

use std::path::Path;

use crate::ir::Model;
use crate::lower::{LowerOptions, lower};
use lariat_syntax::diagnostics::{Diagnostic, SourceMap};
use lariat_syntax::promela as syntax;

/// What the command line says.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub syntax: syntax::Options,
    pub lower: LowerOptions,
}

/// Messages, with the text that they point into.
#[derive(Debug)]
pub struct Failure {
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
}

/// A model, with the warnings on the way to it.
#[derive(Debug)]
pub struct Loaded {
    pub model: Model,
    pub warnings: Vec<Diagnostic>,
}

/// Reads a model from a file.
pub fn load(path: &Path, options: &Options) -> Result<Loaded, Failure> {
    let mut sources = SourceMap::new();
    let parsed = syntax::load(&mut sources, path, &options.syntax);
    finish(parsed, &path.to_string_lossy(), sources, options)
}

/// Reads a model from text.
pub fn load_text(name: &str, text: &str, options: &Options) -> Result<Loaded, Failure> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = syntax::parse(&mut sources, file, &options.syntax);
    finish(parsed, name, sources, options)
}

fn finish(
    parsed: syntax::Parsed,
    name: &str,
    sources: SourceMap,
    options: &Options,
) -> Result<Loaded, Failure> {
    let mut diagnostics = parsed.diagnostics;
    let Some(program) = parsed.program else { return Err(Failure { sources, diagnostics }) };
    match lower(&program, name, sources, options.lower) {
        Ok((model, found)) => {
            diagnostics.extend(found);
            Ok(Loaded { model, warnings: diagnostics })
        }
        Err((sources, found)) => {
            diagnostics.extend(found);
            Err(Failure { sources, diagnostics })
        }
    }
}
