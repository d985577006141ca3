//! From a Promela file to a model.

use std::path::Path;

use crate::ir::{ExprId, Model};
use crate::lower::{LowerOptions, Vocabulary, lower};
use lariat_syntax::diagnostics::{Diagnostic, SourceMap};
use lariat_syntax::promela as syntax;
use lariat_syntax::promela::lint::{LintOptions, lint};

/// What the command line says.
#[derive(Clone, Debug, Default)]
pub struct PromelaOptions {
    pub syntax: syntax::CppOptions,
    pub lower: LowerOptions,
    /// Also the warnings that Spin gives only with `-v`.
    pub all_warnings: bool,
}

/// Messages, with the text that they point into.
#[derive(Debug)]
pub struct Failure {
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
}

/// A model, with the warnings on the way to it.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub model: Model,
    pub vocabulary: Vocabulary,
    /// The macros of the model, which expressions may use.
    pub macros: syntax::cpp::Macros,
    pub warnings: Vec<Diagnostic>,
}

impl Loaded {
    /// Adds an expression in the model's own language, such as an invariant or a proposition
    /// of a formula. Messages point into `model.sources`, where the text appears as `name`.
    pub fn add_expression(&mut self, name: &str, text: &str) -> Result<ExprId, Vec<Diagnostic>> {
        let file = self.model.sources.add(name, text);
        let proctypes: Vec<String> = self.vocabulary.proctypes().map(String::from).collect();
        let (expr, diagnostics) = syntax::parse_expression(
            &mut self.model.sources,
            file,
            &self.macros,
            proctypes.iter().map(String::as_str),
        );
        match expr {
            Some(expr) => self.vocabulary.add_expression(&mut self.model, &expr),
            None => Err(diagnostics),
        }
    }
}

/// Reads a model from a file.
pub fn load(path: &Path, options: &PromelaOptions) -> Result<Loaded, Failure> {
    let mut sources = SourceMap::new();
    let parsed = syntax::load(&mut sources, path, &options.syntax);
    finish(parsed, &path.to_string_lossy(), sources, options)
}

/// Reads a model from text.
pub fn load_text(name: &str, text: &str, options: &PromelaOptions) -> Result<Loaded, Failure> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = syntax::parse(&mut sources, file, &options.syntax);
    finish(parsed, name, sources, options)
}

fn finish(
    parsed: syntax::Parsed,
    name: &str,
    sources: SourceMap,
    options: &PromelaOptions,
) -> Result<Loaded, Failure> {
    let mut diagnostics = parsed.diagnostics;
    let Some(program) = parsed.program else { return Err(Failure { sources, diagnostics }) };
    match lower(&program, name, sources, options.lower.clone()) {
        Ok(lowered) => {
            diagnostics.extend(lowered.warnings);
            let message_loss = options.lower.message_loss;
            let lints = LintOptions { all: options.all_warnings, message_loss };
            diagnostics.extend(lint(&program, lints));
            let (model, vocabulary) = (lowered.model, lowered.vocabulary);
            Ok(Loaded { model, vocabulary, macros: parsed.macros, warnings: diagnostics })
        }
        Err((sources, found)) => {
            diagnostics.extend(found);
            Err(Failure { sources, diagnostics })
        }
    }
}
