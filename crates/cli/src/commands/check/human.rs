//! The answer for people: one line, then why.

use lariat_model::ir::Model;
use lariat_report::numbers::{counted, grouped};
use lariat_syntax::diagnostics::{Diagnostic, render};
use lariat_verify::{Kind, Reduction, Status};

use super::judgement::Judgement;
use crate::style::{Colour, Style};
use crate::views::Views;

/// The line of a property, and its counterexample.
pub(super) fn text(model: &Model, judgement: &Judgement, views: &Views, style: Style) -> String {
    let mut out = line(&model.name, judgement, style);
    out.push('\n');
    for warning in &judgement.warnings {
        out += &format!("  {} {warning}\n", style.paint(Colour::Yellow, "warning:"));
    }
    for line in judgement.notes.iter().chain(&judgement.explanation) {
        out += &format!("  {line}\n");
    }
    if let Some(run) = judgement.run() {
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
        let what = match judgement.kind {
            Kind::Exists | Kind::Reach => "example",
            _ => "counterexample",
        };
        let stuck = judgement.error.as_ref().is_some_and(|error| error.is_stuck);
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
    let colour = colour(judgement.status());
    let statistics = style.paint(Colour::Dim, &format!("({})", statistics(judgement)));
    let answer = style.paint(colour, judgement.in_words());
    let because = match judgement.kind {
        // The answer says it all.
        Kind::Reach | Kind::Invariant if judgement.error.is_some() => None,
        _ => judgement.because(),
    };
    let because = because.map_or(String::new(), |because| format!(": {because}"));
    let name = match (judgement.kind, &judgement.text) {
        (Kind::Reach, Some(text)) => format!("`{text}`"),
        (Kind::Invariant, Some(text)) => format!("invariant `{text}`"),
        _ => judgement.name.clone(),
    };
    let expected = match judgement.is_as_expected() {
        None => String::new(),
        Some(true) => ", as expected".to_owned(),
        Some(false) => {
            let wanted = judgement.expected.map_or("", Status::name);
            style.paint(Colour::Red, &format!(", NOT as expected: {wanted}"))
        }
    };
    format!("{model}: {name} {answer}{because}{expected} {statistics}")
}

pub(super) fn colour(status: Status) -> Colour {
    match status {
        Status::Holds => Colour::Green,
        Status::Violated => Colour::Red,
        Status::Inconclusive => Colour::Yellow,
    }
}

fn statistics(judgement: &Judgement) -> String {
    let found = &judgement.statistics;
    let check = match judgement.kind.is_about_states() {
        true => String::new(),
        false => format!("{}, ", judgement.check),
    };
    let reduced = match &judgement.reduction {
        Reduction::Impossible(why) => format!("; not reduced: {why}"),
        Reduction::Off | Reduction::Used | Reduction::MayMiss(_) => String::new(),
    };
    format!(
        "{check}{}, {}, depth {}, {:.2} s{reduced}",
        counted(found.states, "state"),
        counted(found.transitions, "transition"),
        grouped(found.depth),
        found.elapsed.as_secs_f64()
    )
}
