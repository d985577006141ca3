//! The answer for people: one line, then why.

use lariat_model::explore::{Condition, ErrorKind};
use lariat_model::interp::FaultKind;
use lariat_model::ir::Model;
use lariat_report::numbers::{counted, grouped};
use lariat_syntax::diagnostics::{Diagnostic, Span, render};
use lariat_verify::{Language, Loaded};

use super::judgement::{Judgement, Verdict};
use crate::style::{Colour, Style};
use crate::views::Views;

/// The line of a property, and its counterexample.
pub(super) fn text(model: &Model, judgement: &Judgement, views: &Views, style: Style) -> String {
    let mut out = line(&model.name, judgement, style);
    out.push('\n');
    for warning in &judgement.warnings {
        out += &format!("  {} {warning}\n", style.paint(Colour::Yellow, "warning:"));
    }
    for line in &judgement.explanation {
        out += &format!("  {line}\n");
    }
    if let Some(run) = &judgement.run {
        out += "\n";
        if let Some(text) = judgement.text.as_ref().filter(|_| judgement.error.is_none()) {
            out += &format!("  {text}\n\n");
        }
        if let Some(error) = &judgement.error
            && let Some(span) = error.span
        {
            let diagnostic = Diagnostic::error(span, error.message.clone());
            out += render(&model.sources, &diagnostic, style.is_coloured()).trim_end();
            out += "\n\n";
        }
        let what = if judgement.wants_run || judgement.kind == "reach" {
            "example"
        } else {
            "counterexample"
        };
        let stuck = judgement.error.as_ref().is_some_and(|e| e.kind == "invalid-end-state");
        out += &views.text(model, run, what, stuck);
        if let Some(file) = &judgement.saved {
            out += &format!("saved: lariat replay {file}\n");
        }
        out += "\n";
    }
    out
}

/// `model.pml: safety holds (38 states, …)`
pub(super) fn line(model: &str, judgement: &Judgement, style: Style) -> String {
    let colour = match judgement.verdict {
        Verdict::Holds => Colour::Green,
        Verdict::Violated => Colour::Red,
        Verdict::Inconclusive => Colour::Yellow,
    };
    let statistics = style.paint(Colour::Dim, &format!("({})", statistics(judgement)));
    let answer = style.paint(colour, judgement.answer());
    let because = match judgement.kind {
        // The answer says it all.
        "reach" | "invariant" if judgement.error.is_some() => None,
        _ => judgement.because(),
    };
    let because = because.map_or(String::new(), |because| format!(": {because}"));
    let name = match (judgement.kind, &judgement.text) {
        ("reach", Some(text)) => format!("`{text}`"),
        ("invariant", Some(text)) => format!("invariant `{text}`"),
        _ => judgement.name.clone(),
    };
    let expected = match judgement.is_as_expected() {
        None => String::new(),
        Some(true) => ", as expected".to_owned(),
        Some(false) => {
            let wanted = judgement.expected.map_or("", Verdict::name);
            style.paint(Colour::Red, &format!(", NOT as expected: {wanted}"))
        }
    };
    format!("{model}: {name} {answer}{because}{expected} {statistics}")
}

fn statistics(judgement: &Judgement) -> String {
    let found = &judgement.statistics;
    let check = match judgement.kind {
        "safety" | "invariant" | "reach" | "states" => String::new(),
        _ => format!("{}, ", judgement.check),
    };
    format!(
        "{check}{}, {}, depth {}, {:.2} s",
        counted(found.states, "state"),
        counted(found.transitions, "transition"),
        grouped(found.depth),
        found.elapsed.as_secs_f64()
    )
}

/// The kind of an error, in the words of the language's own tools where they have some.
pub(super) fn title(loaded: &Loaded, error: &ErrorKind) -> String {
    match error {
        ErrorKind::InvalidEndState if loaded.language() == Language::Dve => "deadlock".to_owned(),
        ErrorKind::InvalidEndState => "invalid end state".to_owned(),
        ErrorKind::Condition(Condition { expr, wanted }) => {
            let model = loaded.model();
            let text = model.sources.text(model.exprs.span(*expr));
            if *wanted {
                format!("not always `{text}`")
            } else {
                format!("`{text}` can be reached")
            }
        }
        ErrorKind::Fault(fault) if fault.kind == FaultKind::Assertion => fault.kind.to_string(),
        ErrorKind::Fault(fault) => format!("run-time error: {}", fault.kind),
    }
}

pub(super) fn span(error: &ErrorKind) -> Option<Span> {
    match error {
        ErrorKind::Fault(fault) if !fault.span.is_nowhere() => Some(fault.span),
        _ => None,
    }
}

/// File, line and column of the statement at fault.
pub(super) fn place(loaded: &Loaded, error: &ErrorKind) -> Option<String> {
    let sources = &loaded.model().sources;
    let location = sources.location(sources.outside_macros(span(error)?))?;
    Some(location.to_string())
}
