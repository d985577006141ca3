//! The answer about one property: what every report is made from.

use std::fmt;
use std::time::Duration;

use lariat_core::{Lasso, Limit, Stats};
use lariat_model::interp::FaultKind;
use lariat_search::safety::{Condition, ErrorKind, Exploration};
use lariat_syntax::diagnostics::Span;
use serde::{Deserialize, Serialize};

use crate::judge::Confirmed;
use crate::model::{Language, Loaded};
use crate::reduction::Reduction;

/// What is known about a property.
///
/// Most properties speak of every run or every state of a model: [`Verdict::Holds`], or
/// [`Verdict::Violated`] by a run. `--reach E` is one of them: it says that `E` is never true, so
/// the run that gets there violates it. Only [`Kind::Exists`] asks for a run: it is
/// [`Verdict::Found`], or [`Verdict::Refuted`] if there is none.
pub enum Verdict {
    /// All runs, or states, are as they must be.
    Holds,
    /// This run is not, or ends in a state that is not.
    Violated(Confirmed),
    /// This run is as one was wanted.
    Found(Confirmed),
    /// It is not so, and there is no run to show: no run is as one was wanted, or the model has
    /// another number of states.
    Refuted,
    /// The search did not see everything, and found nothing in what it saw.
    Inconclusive(Inconclusive),
}

impl Verdict {
    /// The run that decides, executed on the given model and judged.
    pub fn run(&self) -> Option<&Confirmed> {
        match self {
            Verdict::Violated(run) | Verdict::Found(run) => Some(run),
            Verdict::Holds | Verdict::Refuted | Verdict::Inconclusive(_) => None,
        }
    }

    /// In one word.
    pub fn status(&self) -> Status {
        match self {
            Verdict::Holds | Verdict::Found(_) => Status::Holds,
            Verdict::Violated(_) | Verdict::Refuted => Status::Violated,
            Verdict::Inconclusive(_) => Status::Inconclusive,
        }
    }
}

/// A verdict in one word; the worst of several is the greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Status {
    /// The property holds, or the run that was wanted exists.
    Holds,
    /// Nobody knows.
    Inconclusive,
    /// The property is violated, or no run is as one was wanted.
    Violated,
}

impl Status {
    /// As in the reports.
    pub fn name(self) -> &'static str {
        match self {
            Status::Holds => "holds",
            Status::Inconclusive => "inconclusive",
            Status::Violated => "violated",
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inconclusive {
    /// What the search ran into.
    pub limit: Limit,
    /// The same in half a sentence.
    pub why: String,
}

impl Inconclusive {
    /// With words of its own.
    pub fn new(limit: Limit, why: impl Into<String>) -> Inconclusive {
        Inconclusive { limit, why: why.into() }
    }
}

impl From<Limit> for Inconclusive {
    fn from(limit: Limit) -> Inconclusive {
        Inconclusive { limit, why: limit.to_string() }
    }
}

impl fmt::Display for Inconclusive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// What is asked about a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// No run-time error, no failed assertion, no invalid end state.
    Safety,
    /// A condition is true in every state.
    Invariant,
    /// A condition is true in no state.
    Reach,
    /// The model has a certain number of states.
    States,
    /// A formula holds on every run.
    Ltl,
    /// A formula holds on some run.
    Exists,
    /// A never claim matches no run.
    Never,
    /// An automaton accepts no run.
    Automaton,
    /// No cycle through an accept label of a process.
    Acceptance,
    /// No cycle without a progress label.
    NonProgress,
    /// Nothing: the model has such a run, and that is all.
    Run,
}

impl Kind {
    /// As in reports and saved runs.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Safety => "safety",
            Kind::Invariant => "invariant",
            Kind::Reach => "reach",
            Kind::States => "states",
            Kind::Ltl => "ltl",
            Kind::Exists => "exists",
            Kind::Never => "never",
            Kind::Automaton => "automaton",
            Kind::Acceptance => "acceptance",
            Kind::NonProgress => "non-progress",
            Kind::Run => "run",
        }
    }

    /// About states, and not about runs.
    pub fn is_about_states(self) -> bool {
        matches!(self, Kind::Safety | Kind::Invariant | Kind::Reach | Kind::States)
    }
}

/// What is wrong at the end of a finite run.
pub struct ErrorInfo {
    /// As in reports and saved runs.
    pub name: &'static str,
    /// In words.
    pub message: String,
    /// File, line and column of the statement at fault.
    pub at: Option<String>,
    /// The same place in the model's sources.
    pub span: Option<Span>,
    /// The processes stand where they must not stay.
    pub is_stuck: bool,
}

impl ErrorInfo {
    pub(crate) fn of(loaded: &Loaded, error: &ErrorKind) -> ErrorInfo {
        let span = match error {
            ErrorKind::Fault(fault) if !fault.span.is_nowhere() => Some(fault.span),
            _ => None,
        };
        let sources = &loaded.model().sources;
        let place = span.and_then(|span| sources.location(sources.outside_macros(span)));
        ErrorInfo {
            name: error.name(),
            message: title(loaded, error),
            at: place.map(|place| place.to_string()),
            span,
            is_stuck: matches!(error, ErrorKind::InvalidEndState),
        }
    }
}

/// The kind of an error, in the words of the language's own tools where they have some.
fn title(loaded: &Loaded, error: &ErrorKind) -> String {
    match error {
        ErrorKind::InvalidEndState if loaded.language() == Language::Dve => "deadlock".to_owned(),
        ErrorKind::InvalidEndState => "invalid end state".to_owned(),
        ErrorKind::Condition(Condition { expr, wanted }) => {
            let model = loaded.model();
            let text = model.sources.text(model.exprs.span(*expr));
            match wanted {
                true => format!("not always `{text}`"),
                false => format!("`{text}` can be reached"),
            }
        }
        ErrorKind::Fault(fault) if fault.kind == FaultKind::Assertion => fault.kind.to_string(),
        ErrorKind::Fault(fault) => format!("run-time error: {}", fault.kind),
    }
}

/// What the search took.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Of the product, where there is one.
    pub states: u64,
    /// Of the system alone.
    pub system_states: Option<u64>,
    /// Steps that were looked at.
    pub transitions: u64,
    /// Transitions to states that were known.
    pub matched: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// How deep the search was.
    pub depth: u64,
    /// Bytes of the store.
    pub memory: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Temporal properties: all that the check counted.
    pub counts: Stats,
    /// Temporal properties: how long the run is that the check found.
    pub lasso: Option<LassoLength>,
}

/// The length of a run in the product of model and automaton, before anything was shortened, or
/// left out of what is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LassoLength {
    /// Steps before the loop.
    pub prefix: u64,
    /// Steps of the loop.
    pub cycle: u64,
}

impl LassoLength {
    pub(crate) fn of(lasso: &Lasso) -> LassoLength {
        LassoLength { prefix: lasso.prefix.len() as u64, cycle: lasso.cycle.len() as u64 }
    }
}

impl Statistics {
    pub(crate) fn of(found: &Exploration, elapsed: Duration) -> Statistics {
        Statistics {
            states: found.states,
            system_states: None,
            transitions: found.transitions,
            matched: found.matched,
            atomic_steps: found.atomic_steps,
            depth: found.depth,
            memory: found.memory as u64,
            elapsed,
            ..Statistics::default()
        }
    }
}

/// The answer about one property.
pub struct Answer {
    /// Of the property.
    pub name: String,
    /// What was asked.
    pub kind: Kind,
    /// The formula or condition, or the claim in words.
    pub text: Option<String>,
    /// What is known now.
    pub verdict: Verdict,
    /// What is wrong at the end of a finite counterexample.
    pub error: Option<ErrorInfo>,
    /// The emptiness check or search that ran.
    pub check: &'static str,
    /// Why that one.
    pub why: Option<String>,
    /// What was chosen, a line each.
    pub explanation: Vec<String>,
    /// States of the property automaton.
    pub automaton_states: Option<usize>,
    /// What it took.
    pub statistics: Statistics,
    /// Whether steps were left out whose order does not matter.
    pub reduction: Reduction,
    /// What makes the answer worth less than it seems.
    pub warnings: Vec<String>,
    /// What else is to be known about the search, a line each.
    pub notes: Vec<String>,
    /// What a search over states has seen.
    pub exploration: Option<Exploration>,
}

impl Answer {
    /// No answer, and no search to speak of.
    pub fn without_search(name: &str, kind: Kind, why: Inconclusive) -> Answer {
        Answer {
            name: name.to_owned(),
            kind,
            text: None,
            verdict: Verdict::Inconclusive(why),
            error: None,
            check: "no check",
            why: None,
            explanation: Vec::new(),
            automaton_states: None,
            statistics: Statistics::default(),
            reduction: Reduction::Off,
            warnings: Vec::new(),
            notes: Vec::new(),
            exploration: None,
        }
    }

    /// The run that decides, executed on the given model and judged.
    pub fn run(&self) -> Option<&Confirmed> {
        self.verdict.run()
    }

    /// The verdict in one word.
    pub fn status(&self) -> Status {
        self.verdict.status()
    }

    /// Why there is no answer.
    pub fn inconclusive(&self) -> Option<&Inconclusive> {
        match &self.verdict {
            Verdict::Inconclusive(why) => Some(why),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_saved_by_their_names() {
        for kind in [
            Kind::Safety,
            Kind::Invariant,
            Kind::Reach,
            Kind::States,
            Kind::Ltl,
            Kind::Exists,
            Kind::Never,
            Kind::Automaton,
            Kind::Acceptance,
            Kind::NonProgress,
            Kind::Run,
        ] {
            assert_eq!(serde_json::to_value(kind).expect("a text"), kind.name());
        }
    }
}
