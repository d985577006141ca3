//! Messages about an `ltl` block, at their place in the model's file.

use lariat_ltl::Formulas;
use lariat_ltl::syntax::{Atoms, Dialect, ParseOptions, parse};
use lariat_model::ir::LtlProperty;
use lariat_syntax::diagnostics::{Diagnostic, SourceMap};

/// What is wrong or doubtful about the formula of a block, as far as its text tells.
pub(super) fn complaints(
    block: &LtlProperty,
    dialect: Dialect,
    sources: &SourceMap,
) -> Vec<Diagnostic> {
    let options = ParseOptions { dialect, atoms: Atoms::Model };
    match parse(&mut Formulas::new(), &block.text, options) {
        Ok(parsed) => {
            let warnings = parsed.warnings.into_iter().map(|warning| {
                Diagnostic::warning(block.origin(warning.span, sources), warning.message)
            });
            warnings.collect()
        }
        Err(error) => {
            let found = Diagnostic::error(block.origin(error.span, sources), error.message);
            vec![match error.hint {
                Some(hint) => found.help(hint),
                None => found,
            }]
        }
    }
}

/// Messages about the text of a proposition, moved to where the proposition stands in the block.
pub(super) fn moved(
    block: &LtlProperty,
    proposition: &str,
    dialect: Dialect,
    found: Vec<Diagnostic>,
    sources: &SourceMap,
) -> Vec<Diagnostic> {
    let options = ParseOptions { dialect, atoms: Atoms::Model };
    let mut formulas = Formulas::new();
    let Ok(parsed) = parse(&mut formulas, &block.text, options) else { return found };
    let is_it = |ap: u32| formulas.ap_names().get(ap as usize).is_some_and(|n| n == proposition);
    let Some(atom) = parsed.atoms.iter().find(|atom| is_it(atom.ap)) else { return found };
    let place = |diagnostic: Diagnostic| {
        let span = sources.call_site(diagnostic.primary.span);
        let start = sources.file_at(span.lo).map_or(0, |file| sources.file_span(file).lo);
        let (lo, hi) = ((span.lo - start) as usize, (span.hi - start) as usize);
        // The words of the proposition are parted by single blanks, as in the block mostly.
        let inside = atom.span.start + lo..(atom.span.start + hi).min(atom.span.end);
        let bytes = if block.text.get(inside.clone()) == proposition.get(lo..hi) {
            inside
        } else {
            atom.span.clone()
        };
        Diagnostic { secondary: Vec::new(), ..diagnostic }.at(block.origin(bytes, sources))
    };
    found.into_iter().map(place).collect()
}
