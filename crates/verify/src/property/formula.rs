//! From a formula's text to the automaton of the runs that are looked for.

use std::borrow::Cow;

use lariat_automata::Tgba;
use lariat_ltl::syntax::{Atoms, Dialect, ParseOptions, parse};
use lariat_ltl::translate::{TooLarge, translate};
use lariat_ltl::{Formulas, Ltl};
use lariat_model::ir::{ExprId, ProctypeId};

use super::fair::Fair;
use crate::answer::Kind;
use crate::error::Error;
use crate::judge::{Criterion, Forever, Wanted};

/// Which runs are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Those that break the formula: it must hold on all runs.
    Always,
    /// Those that satisfy it: one is wanted.
    Exists,
}

/// Where a property comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A formula, of the model or of a user.
    Formula,
    /// A never claim of the model, or its property process.
    Never(ProctypeId),
    /// An automaton of a file.
    Automaton,
    /// No cycle through an accept label of a process.
    Acceptance,
    /// No cycle without a progress label.
    NonProgress,
}

/// A property of a model.
pub struct Property {
    /// What it is called.
    pub name: String,
    /// The formula, or what it says in words.
    pub text: String,
    /// Which runs are looked for.
    pub mode: Mode,
    /// Where it comes from.
    pub origin: Origin,
    /// What watches the runs.
    pub watcher: Watcher,
    /// The propositions by name.
    pub names: Vec<String>,
    /// The expression of each.
    pub bound: Vec<ExprId>,
}

impl Property {
    /// What it asks about a model.
    pub fn kind(&self) -> Kind {
        match (self.origin, self.mode) {
            (Origin::Formula, Mode::Always) => Kind::Ltl,
            (Origin::Formula, Mode::Exists) => Kind::Exists,
            (Origin::Never(_), _) => Kind::Never,
            (Origin::Automaton, _) => Kind::Automaton,
            (Origin::Acceptance, _) => Kind::Acceptance,
            (Origin::NonProgress, _) => Kind::NonProgress,
        }
    }

    /// What the bits of an automaton's propositions mean: its own one, or a part of it.
    pub fn propositions(&self, tgba: &Tgba) -> Vec<ExprId> {
        match &self.watcher {
            // By number: the texts of a claim's tests need not differ.
            Watcher::Automaton(_) => self.bound.clone(),
            Watcher::Formula { .. } if tgba.aps.is_empty() => self.bound.clone(),
            Watcher::Formula { .. } => {
                let of = |ap: &String| self.names.iter().position(|name| name == ap);
                tgba.aps.iter().filter_map(of).map(|ap| self.bound[ap]).collect()
            }
        }
    }

    /// What the judge is asked about a run that was found. `may_rest`: runs that come to rest
    /// count.
    pub fn criterion<'a>(&'a self, fair: Option<&'a Fair>, may_rest: bool) -> Criterion<'a> {
        self.criterion_from(fair, may_rest, 0)
    }

    /// The same, asked behind so many steps.
    pub fn criterion_from<'a>(
        &'a self,
        fair: Option<&'a Fair>,
        may_rest: bool,
        from: usize,
    ) -> Criterion<'a> {
        let wanted = match (self.origin, &self.watcher) {
            (Origin::Never(claim), _) => Wanted::Claim(claim),
            (Origin::Acceptance, _) => Wanted::AcceptLabels,
            (Origin::NonProgress, _) => Wanted::NoProgress,
            (_, Watcher::Automaton(automaton)) => Wanted::Automaton(automaton),
            (_, Watcher::Formula { formulas, formula, .. }) => {
                let truth = self.mode == Mode::Exists;
                Wanted::Formula { formulas, formula: *formula, truth }
            }
        };
        let (names, bound) = (&self.names[..], &self.bound[..]);
        Criterion::Forever(Forever { wanted, names, bound, fair, may_rest, from })
    }
}

/// What watches the runs.
pub enum Watcher {
    /// A formula.
    Formula {
        /// Where it is.
        formulas: Box<Formulas>,
        /// Which one it is.
        formula: Ltl,
        /// Holds on the runs that are looked for. It is translated when its turn comes.
        wanted: Ltl,
    },
    /// It accepts the runs that break the property, and has no meaning beside that.
    Automaton(Box<Tgba>),
}

impl Watcher {
    /// Accepts the runs that are looked for.
    pub fn automaton(&self) -> Result<Cow<'_, Tgba>, TooLarge> {
        match self {
            Watcher::Formula { formulas, wanted, .. } => {
                translate(&mut (**formulas).clone(), *wanted).map(Cow::Owned)
            }
            Watcher::Automaton(automaton) => Ok(Cow::Borrowed(automaton)),
        }
    }
}

/// Adds an expression in the model's language.
pub type Bind<'a> = dyn FnMut(&str) -> Result<ExprId, Error> + 'a;

/// Reads a formula. Warnings are rendered text.
pub fn property(
    name: &str,
    text: &str,
    mode: Mode,
    dialect: Dialect,
    bind: &mut Bind<'_>,
) -> Result<(Property, Vec<String>), Error> {
    let mut formulas = Formulas::new();
    let options = ParseOptions { dialect, atoms: Atoms::Model };
    let parsed = parse(&mut formulas, text, options)
        .map_err(|error| Error::Formula(error.render(text, name, 1)))?;
    let warnings = parsed.warnings.iter().map(|warning| warning.render(text, name, 1)).collect();
    let names = formulas.ap_names().to_vec();
    let bound = names.iter().map(|atom| bind(atom)).collect::<Result<Vec<_>, _>>()?;
    let formula = parsed.formula;
    let wanted = match mode {
        Mode::Always => formulas.not(formula),
        Mode::Exists => formula,
    };
    let (name, text) = (name.to_owned(), text.to_owned());
    let watcher = Watcher::Formula { formulas: Box::new(formulas), formula, wanted };
    let origin = Origin::Formula;
    Ok((Property { name, text, mode, origin, watcher, names, bound }, warnings))
}

/// What is said about labels of processes, each as a formula over one proposition.
pub fn about_labels(origin: Origin, proposition: ExprId) -> Result<Property, Error> {
    let (name, text, shown) = match origin {
        Origin::Acceptance => ("accept", "<>[] !accept_", "no cycle through an accept label"),
        _ => ("non-progress", "[]<> !np_", "no cycle without a progress label"),
    };
    let bind = &mut |_: &str| Ok(proposition);
    let (property, _) = property(name, text, Mode::Always, Dialect::Spin, bind)?;
    Ok(Property { origin, text: shown.to_owned(), ..property })
}
