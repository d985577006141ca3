//! What is known about one property: the one form that every report is made from.

use std::time::Duration;

use lariat_model::explore::{ErrorKind, Order};
use lariat_syntax::diagnostics::Span;
use lariat_verify::Loaded;
use lariat_verify::judge::Confirmed;
use lariat_verify::property::formula::Mode;
use lariat_verify::property::search::Found;
use lariat_verify::safety::{self, Answer, Question, reason};
use lariat_verify::temporal::Judged;

use super::human::{place, span, title};
use super::temporal;
use crate::exit::Exit;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Holds,
    Inconclusive,
    Violated,
}

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Violated => "violated",
        }
    }

    pub(crate) fn exit(self) -> Exit {
        match self {
            Verdict::Holds => Exit::Holds,
            Verdict::Inconclusive => Exit::Inconclusive,
            Verdict::Violated => Exit::Violated,
        }
    }
}

/// The error at the end of a finite counterexample.
pub(crate) struct ErrorInfo {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    /// File, line and column of the statement at fault.
    pub(crate) at: Option<String>,
    pub(crate) span: Option<Span>,
}

/// What the search took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    /// Of the product, where there is one.
    pub(crate) states: u64,
    /// Of the system alone.
    pub(crate) system_states: Option<u64>,
    pub(crate) transitions: u64,
    /// Transitions to states that were known.
    pub(crate) matched: u64,
    pub(crate) atomic_steps: u64,
    pub(crate) depth: u64,
    /// Bytes of the store.
    pub(crate) memory: u64,
    pub(crate) elapsed: Duration,
}

pub(crate) struct Judgement {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    /// The formula, or the claim in words.
    pub(crate) text: Option<String>,
    pub(crate) verdict: Verdict,
    /// The question was whether a run exists.
    pub(crate) wants_run: bool,
    /// Why there is no answer.
    pub(crate) reason: Option<String>,
    pub(crate) error: Option<ErrorInfo>,
    /// The emptiness check or search that ran, and why that one.
    pub(crate) check: String,
    pub(crate) why: Option<String>,
    /// With `--explain`: what was chosen, a line each.
    pub(crate) explanation: Vec<String>,
    pub(crate) automaton_states: Option<usize>,
    pub(crate) statistics: Statistics,
    /// The counterexample, or the run that was wanted.
    pub(crate) run: Option<Confirmed>,
    /// What makes the answer worth less than it seems.
    pub(crate) warnings: Vec<String>,
    /// The file where the run is saved.
    pub(crate) saved: Option<String>,
    /// What the model says is right.
    pub(crate) expected: Option<Verdict>,
}

impl Judgement {
    /// No answer, and no search to speak of.
    pub(super) fn without_answer(name: &str, kind: &'static str, reason: String) -> Judgement {
        Judgement {
            name: name.to_owned(),
            kind,
            text: None,
            verdict: Verdict::Inconclusive,
            wants_run: false,
            reason: Some(reason),
            error: None,
            check: "no check".to_owned(),
            why: None,
            explanation: Vec::new(),
            automaton_states: None,
            statistics: Statistics::default(),
            run: None,
            warnings: Vec::new(),
            saved: None,
            expected: None,
        }
    }

    /// The verdict in the words of the question.
    pub(crate) fn answer(&self) -> &'static str {
        match (self.verdict, self.wants_run) {
            (Verdict::Violated, _) if self.kind == "reach" => "can be reached",
            (Verdict::Holds, _) if self.kind == "reach" => "cannot be reached",
            (Verdict::Holds, true) => "a run exists",
            (Verdict::Violated, true) => "no run exists",
            (verdict, _) => verdict.name(),
        }
    }

    /// Whether the answer is the one that the model says is right, if it says so. Without an
    /// answer, nobody knows.
    pub(crate) fn is_as_expected(&self) -> Option<bool> {
        let is_known = |&expected: &Verdict| {
            expected == Verdict::Inconclusive || self.verdict != Verdict::Inconclusive
        };
        self.expected.filter(is_known).map(|expected| expected == self.verdict)
    }

    /// What was expected instead of the answer.
    pub(crate) fn unexpected(&self) -> String {
        let expected = self.expected.map_or("", Verdict::name);
        let because = self.because().map_or(String::new(), |because| format!(": {because}"));
        format!("{expected} expected, but {}{because}", self.answer())
    }

    /// What this answer tells the shell.
    pub(crate) fn exit(&self) -> Exit {
        match self.is_as_expected() {
            Some(true) => Exit::Holds,
            Some(false) if self.verdict == Verdict::Holds => Exit::Violated,
            _ => self.verdict.exit(),
        }
    }

    /// Why there is no answer, or which error was found, in half a sentence.
    pub(crate) fn because(&self) -> Option<String> {
        if let Some(error) = &self.error {
            let at = error.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            return Some(format!("{}{at}", error.message));
        }
        let reason = self.reason.as_ref()?;
        // A lossy search has seen all that it can see; its reason says what that is worth.
        let so_far = match self.kind {
            _ if reason.starts_with(LOSSY) => return Some(reason.clone()),
            "safety" | "invariant" => "no error so far",
            "reach" => "not reached so far",
            "states" => return Some(reason.clone()),
            "exists" => "no such run so far",
            _ => "no counterexample so far",
        };
        Some(format!("{reason}, {so_far}"))
    }
}

/// How the reason of a search with a lossy store begins.
pub(crate) const LOSSY: &str = "no counterexample found (lossy)";

/// The answer of the search for errors, and its run.
pub(super) fn of_safety(
    loaded: &Loaded,
    question: &Question,
    answer: &Answer,
    run: Option<Confirmed>,
) -> Judgement {
    let found = &answer.found;
    let (verdict, reason, error) = match &answer.verdict {
        safety::Verdict::Holds => (Verdict::Holds, None, None),
        safety::Verdict::Inconclusive(limit) => {
            (Verdict::Inconclusive, Some(reason(*limit).to_owned()), None)
        }
        safety::Verdict::Violated(error, _) => {
            (Verdict::Violated, None, Some(error_info(loaded, error)))
        }
    };
    Judgement {
        name: question.name.clone(),
        kind: question.kind,
        text: question.text(),
        verdict,
        wants_run: false,
        reason,
        error,
        check: match answer.order {
            Order::DepthFirst => "depth-first search".to_owned(),
            Order::BreadthFirst => "breadth-first search".to_owned(),
        },
        why: None,
        explanation: Vec::new(),
        automaton_states: None,
        statistics: Statistics {
            states: found.states,
            system_states: None,
            transitions: found.transitions,
            matched: found.matched,
            atomic_steps: found.atomic_steps,
            depth: found.depth,
            memory: found.memory as u64,
            elapsed: answer.elapsed,
        },
        run,
        warnings: answer.warning.clone().into_iter().collect(),
        saved: None,
        expected: None,
    }
}

fn error_info(loaded: &Loaded, error: &ErrorKind) -> ErrorInfo {
    ErrorInfo {
        kind: error.name(),
        message: title(loaded, error),
        at: place(loaded, error),
        span: span(error),
    }
}

/// The answer about a temporal property.
pub(super) fn of_temporal(judged: Judged) -> Judgement {
    let kind = temporal::kind(&judged.property);
    let verdict = match judged.verdict() {
        "holds" => Verdict::Holds,
        "violated" => Verdict::Violated,
        _ => Verdict::Inconclusive,
    };
    let Judged { property, answer, run, elapsed } = judged;
    let reason = match answer.found {
        Found::Inconclusive(reason) => Some(reason),
        Found::Run(_) | Found::None => None,
    };
    let run = run.map(|run| run.up_to_decision(&property));
    let stats = answer.stats;
    Judgement {
        name: property.name,
        kind,
        text: Some(property.text.trim().to_owned()),
        verdict,
        wants_run: property.mode == Mode::Exists,
        reason,
        error: None,
        check: answer.algorithm.name().to_owned(),
        why: Some(answer.why),
        explanation: answer.explanation,
        automaton_states: Some(answer.automaton_states),
        statistics: Statistics {
            states: stats.states,
            system_states: Some(answer.system_states as u64),
            transitions: stats.transitions,
            matched: stats.transitions.saturating_sub(stats.states),
            atomic_steps: 0,
            depth: stats.depth,
            memory: stats.bytes + stats.stack_bytes,
            elapsed,
        },
        run,
        warnings: Vec::new(),
        saved: None,
        expected: None,
    }
}
