//! Formulas and automata over a model: read, and their propositions bound to its expressions.

use lariat_automata::Tgba;
use lariat_model::ir::ExprId;
use lariat_model::promela::Failure;
use lariat_syntax::diagnostics::Diagnostic;

use super::automaton::from_file;
use super::block::{complaints, moved};
use super::formula::{Mode, Property, property};
use crate::error::Error;
use crate::model::Loaded;

/// What is doubtful about a property.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    /// About an `ltl` block, at its place in the model's sources.
    pub located: Vec<Diagnostic>,
    /// About another formula, rendered already.
    pub texts: Vec<String>,
}

/// Says which expression of the model's language stands for a proposition.
pub type Meaning<'a> = dyn FnMut(&str) -> String + 'a;

/// Reads a formula; that of an `ltl` block goes by the block's name.
pub fn formula(
    loaded: &mut Loaded,
    name: &str,
    text: &str,
    mode: Mode,
    meaning: &mut Meaning<'_>,
) -> Result<(Property, Warnings), Error> {
    let dialect = loaded.dialect();
    let model = loaded.model();
    let block = model.ltl.iter().find(|block| block.name == name);
    let located = block.map(|block| complaints(block, dialect, &model.sources));
    if let Some(diagnostics) = &located
        && diagnostics.iter().any(Diagnostic::is_error)
    {
        let (sources, diagnostics) = (model.sources.clone(), diagnostics.clone());
        return Err(Failure { sources, diagnostics }.into());
    }
    let bind = &mut |proposition: &str| bind(loaded, name, proposition, meaning);
    let (property, texts) = property(name, text, mode, dialect, bind)?;
    let warnings = match located {
        Some(located) => Warnings { located, texts: Vec::new() },
        None => Warnings { located: Vec::new(), texts },
    };
    Ok((property, warnings))
}

/// Binds the propositions of an automaton.
pub fn automaton(
    loaded: &mut Loaded,
    name: &str,
    automaton: Tgba,
    meaning: &mut Meaning<'_>,
) -> Result<Property, Error> {
    from_file(name, automaton, &mut |proposition| bind(loaded, name, proposition, meaning))
}

fn bind(
    loaded: &mut Loaded,
    name: &str,
    proposition: &str,
    meaning: &mut Meaning<'_>,
) -> Result<ExprId, Error> {
    let text = meaning(proposition);
    loaded.expression(name, &text).map_err(|diagnostics| {
        let model = loaded.model();
        let sources = model.sources.clone();
        // A proposition of a block stands in the file: that is where to look.
        let block = model.ltl.iter().find(|block| block.name == name);
        if let Some(block) = block.filter(|_| text == proposition) {
            let diagnostics = moved(block, &text, loaded.dialect(), diagnostics, &sources);
            return Failure { sources, diagnostics }.into();
        }
        let why = Box::new(Failure { sources, diagnostics });
        Error::Proposition { property: name.to_owned(), text, why }
    })
}
