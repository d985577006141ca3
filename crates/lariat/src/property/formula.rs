//! From a formula's text to the automaton of the runs that are looked for.

use lariat_automata::Tgba;
use lariat_ltl::syntax::{Atoms, Dialect, ParseOptions, parse};
use lariat_ltl::translate::{Level, Options, Translator};
use lariat_ltl::{Formulas, Ltl};
use lariat_model::ir::ExprId;

/// Which runs are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Those that break the formula: it must hold on all runs.
    Always,
    /// Those that satisfy it: one is wanted.
    Exists,
}

/// A formula over a model.
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) mode: Mode,
    pub(crate) formulas: Formulas,
    pub(crate) formula: Ltl,
    /// The expression of each proposition of `formulas`, by index.
    pub(crate) bound: Vec<ExprId>,
    /// Accepts the runs that are looked for.
    pub(crate) automaton: Tgba,
}

/// Adds an expression in the model's language; an error is rendered already.
pub(crate) type Bind<'a> = dyn FnMut(&str) -> Result<ExprId, String> + 'a;

/// Reads and translates a formula. Errors and warnings are rendered text.
pub(crate) fn property(
    name: &str,
    text: &str,
    mode: Mode,
    dialect: Dialect,
    bind: &mut Bind<'_>,
) -> Result<(Property, Vec<String>), String> {
    let mut formulas = Formulas::new();
    let options = ParseOptions { dialect, atoms: Atoms::Model };
    let parsed =
        parse(&mut formulas, text, options).map_err(|error| error.render(text, name, 1))?;
    let warnings = parsed.warnings.iter().map(|warning| warning.render(text, name, 1)).collect();
    let names = formulas.ap_names().to_vec();
    let bound = names.iter().map(|atom| bind(atom)).collect::<Result<Vec<_>, _>>()?;
    let formula = parsed.formula;
    let wanted = match mode {
        Mode::Always => formulas.not(formula),
        Mode::Exists => formula,
    };
    let automaton = translate(&mut formulas, wanted)
        .map_err(|error| format!("error: {name}: cannot translate the formula: {error}"))?;
    let (name, text) = (name.to_owned(), text.to_owned());
    Ok((Property { name, text, mode, formulas, formula, bound, automaton }, warnings))
}

/// The smallest automaton that is found within reason; a formula whose reduction grows too
/// large is translated with fewer steps.
fn translate(formulas: &mut Formulas, f: Ltl) -> Result<Tgba, lariat_ltl::translate::TooLarge> {
    let careful = Options { max_states: 20_000, ..Options::new(Level::High) };
    if let Ok(found) = Translator::new(careful).translate(formulas, f) {
        return Ok(found.automaton);
    }
    Translator::new(Options::new(Level::Low)).translate(formulas, f).map(|found| found.automaton)
}

impl Property {
    /// The expressions of the automaton's propositions, in its order.
    pub(crate) fn propositions(&self) -> Vec<ExprId> {
        let names = self.formulas.ap_names();
        let of = |ap: &String| names.iter().position(|name| name == ap);
        self.automaton.aps.iter().filter_map(of).map(|index| self.bound[index]).collect()
    }
}
