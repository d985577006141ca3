//! The judge: every run that is shown passes here, whoever found it and however.
//!
//! What comes in is a list of commands ([`Claimed`]) and what is said about it ([`Criterion`]).
//! The commands are executed on the model *as it was given*, before any shortcut, and what is
//! said is decided by its definition. What comes out, [`Confirmed`], is made nowhere else, and
//! reports take nothing else. A run that is refused here is an error of lariat (`crate::bug`), or,
//! if it comes from a file, of the file.
//!
//! The judge shares nothing with the search but the model and its interpreter: no native code,
//! no store, no product, no marks, no shortcut, no translation of a formula or a claim. (How much
//! of a confirmed run is shown, [`Confirmed::up_to_decision`], is asked of the property later.)
//!
//! - `replay`: the commands once more, step by step
//! - `error`: the end of a finite run: a fault, an invalid end state, a condition
//! - `forever`: the loop is closed or the system rests; then the formula on the word
//!   (`ltl::eval`), membership in an automaton (`Tgba::accepts_lasso`), labels
//! - `possible`: nothing is said but that the model can take these steps
//! - `claim`: a never claim or property process, executed by its own control graph
//! - `fair`: fairness by its definition (docs/fairness.md)
//! - `word`: the truth of the propositions along a run

mod claim;
mod error;
mod fair;
mod forever;
mod possible;
mod replay;
pub(crate) mod shorter;
#[cfg(test)]
mod tests;
pub(crate) mod word;

use std::ops::Deref;

use lariat_automata::Tgba;
use lariat_core::stop;
use lariat_ltl::{Formulas, Ltl};
use lariat_model::interp::{Fault, Move};
use lariat_model::ir::{ExprId, Model, ProctypeId};
use lariat_report::execution::{Ending, Execution};
use lariat_search::safety::Condition;

use crate::property::decided;
use crate::property::fair::Fair;
use crate::property::formula::Property;

/// A run as it is claimed to be: the commands of each step of the given model, and its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// The commands of each step.
    pub steps: Vec<Vec<Move>>,
    /// How it ends.
    pub ending: Ending,
}

/// What is said about a run.
pub enum Criterion<'a> {
    /// It is finite and ends like this.
    Ends(Ends),
    /// It goes on for ever.
    Forever(Forever<'a>),
    /// Nothing but that the model can take these steps.
    Possible,
}

/// How a finite run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ends {
    /// In this fault.
    Fault(Fault),
    /// In a fault with this short name.
    FaultNamed(String),
    /// In a state that no process can leave, and where some process may not stay. With
    /// `empty_channels`, a message that is left over is as bad.
    InvalidEnd {
        /// As `pan -q`.
        empty_channels: bool,
    },
    /// In a state that does not meet this condition.
    Condition(Condition),
}

/// What is said about a run that goes on for ever.
pub struct Forever<'a> {
    /// What it is.
    pub wanted: Wanted<'a>,
    /// The propositions by name.
    pub names: &'a [String],
    /// The expression of each.
    pub bound: &'a [ExprId],
    /// The run is fair, too.
    pub fair: Option<&'a Fair>,
    /// A run in which nothing moves any more counts: it stays in its last state for ever.
    pub may_rest: bool,
    /// It is said of the run behind so many steps, all of them before its loop.
    pub from: usize,
}

/// Which runs are meant.
pub enum Wanted<'a> {
    /// Those of which the formula has this truth.
    Formula {
        /// Where the formula is.
        formulas: &'a Formulas,
        /// Which one it is.
        formula: Ltl,
        /// What it must be on the run.
        truth: bool,
    },
    /// Those that the automaton accepts.
    Automaton(&'a Tgba),
    /// Those that this claim of the model matches.
    Claim(ProctypeId),
    /// Those that are at an accept label again and again.
    AcceptLabels,
    /// Those that are at no progress label from some point on.
    NoProgress,
}

/// A run that was executed on the given model and is what it was said to be. Only [`judge`] makes
/// one:
///
/// ```compile_fail,E0451
/// use lariat_verify::judge::Confirmed;
///
/// fn forged(execution: lariat_report::execution::Execution) -> Confirmed {
///     Confirmed { execution, beginning: None, by: Vec::new() }
/// }
/// ```
pub struct Confirmed {
    execution: Execution,
    /// Its beginning, if that alone decides about the property.
    beginning: Option<Execution>,
    by: Vec<&'static str>,
}

impl Confirmed {
    /// What was asked about the run.
    pub fn by(&self) -> &[&'static str] {
        &self.by
    }

    /// All of the run that was judged.
    pub fn whole(&self) -> &Execution {
        &self.execution
    }

    /// To be shown only up to the step that decides about the property, if there is one.
    pub fn up_to_decision(mut self, property: &Property) -> Confirmed {
        self.beginning = decided::up_to_decision(property, &self.execution);
        self
    }
}

/// What is shown of the run.
impl Deref for Confirmed {
    type Target = Execution;

    fn deref(&self) -> &Execution {
        self.beginning.as_ref().unwrap_or(&self.execution)
    }
}

/// Executes the run on the model and asks what was said about it. An error says, in half a
/// sentence, what is not so. A run that was found is not lost because time is over.
pub fn judge(model: &Model, question: &Criterion<'_>, run: &Claimed) -> Result<Confirmed, String> {
    stop::undisturbed(|| match question {
        Criterion::Ends(ends) => {
            let execution = error::judge(model, ends, run)?;
            Ok(Confirmed { execution, beginning: None, by: vec![ends.name()] })
        }
        Criterion::Possible => {
            let execution = possible::judge(model, run)?;
            Ok(Confirmed { execution, beginning: None, by: vec!["steps"] })
        }
        Criterion::Forever(forever) => {
            let execution = forever::judge(model, forever, run)?;
            let fair = forever.fair.map(fair::name);
            let by = [forever.wanted.name()].into_iter().chain(fair).collect();
            Ok(Confirmed { execution, beginning: None, by })
        }
    })
}

impl Ends {
    fn name(&self) -> &'static str {
        match self {
            Ends::Fault(_) | Ends::FaultNamed(_) => "fault",
            Ends::InvalidEnd { .. } => "end state",
            Ends::Condition(_) => "condition",
        }
    }
}

impl Wanted<'_> {
    fn name(&self) -> &'static str {
        match self {
            Wanted::Formula { .. } => "formula",
            Wanted::Automaton(_) => "automaton",
            Wanted::Claim(_) => "claim",
            Wanted::AcceptLabels => "accept labels",
            Wanted::NoProgress => "progress labels",
        }
    }
}
