//! The answer for people: one line, then why.

use std::io::IsTerminal;

use lariat_model::explore::{Condition, ErrorKind, ErrorTrace, Order};
use lariat_model::interp::FaultKind;
use lariat_report::numbers::{bytes, counted, grouped};
use lariat_report::replay::Replayed;
use lariat_report::{coverage, trace_table};
use lariat_syntax::diagnostics::{Diagnostic, Span, render};

use super::safety::{Answer, Verdict};
use crate::limits::reason;
use crate::model::{Language, Loaded};

pub(super) fn show(
    loaded: &Loaded,
    answer: &Answer,
    trace: Option<&Replayed>,
    with_coverage: bool,
) {
    let name = &loaded.model().name;
    match &answer.verdict {
        Verdict::Holds => println!("{name}: safety holds"),
        Verdict::Inconclusive(limit) => {
            println!("{name}: safety inconclusive: {}, no error so far", reason(*limit));
        }
        Verdict::Violated(error) => {
            let place = place(loaded, error).map_or(String::new(), |place| format!(" at {place}"));
            println!("{name}: safety violated: {}{place}", title(loaded, &error.error));
            if let Some(trace) = trace {
                counterexample(loaded, error, trace);
            }
        }
    }
    statistics(answer);
    if with_coverage {
        if !matches!(answer.verdict, Verdict::Holds) {
            println!("\nunreached so far:");
        } else {
            println!("\ncoverage:");
        }
        print!("{}", coverage::text(loaded.model(), &answer.found.executed));
    }
}

/// The kind of an error, in the words of the language's own tools where they have some.
pub(super) fn title(loaded: &Loaded, error: &ErrorKind) -> String {
    match error {
        ErrorKind::InvalidEndState if loaded.language() == Language::Dve => "deadlock".to_owned(),
        ErrorKind::InvalidEndState => "invalid end state".to_owned(),
        ErrorKind::Condition(Condition { wanted: true, .. }) => "invariant violated".to_owned(),
        ErrorKind::Condition(Condition { wanted: false, .. }) => "state reached".to_owned(),
        ErrorKind::Fault(fault) if fault.kind == FaultKind::Assertion => fault.kind.to_string(),
        ErrorKind::Fault(fault) => format!("run-time error: {}", fault.kind),
    }
}

fn span(error: &ErrorTrace) -> Option<Span> {
    match error.error {
        ErrorKind::Fault(fault) if !fault.span.is_nowhere() => Some(fault.span),
        _ => None,
    }
}

/// File, line and column of the statement at fault.
pub(super) fn place(loaded: &Loaded, error: &ErrorTrace) -> Option<String> {
    let sources = &loaded.model().sources;
    let location = sources.location(sources.outside_macros(span(error)?))?;
    Some(location.to_string())
}

fn counterexample(loaded: &Loaded, error: &ErrorTrace, trace: &Replayed) {
    if let Some(span) = span(error) {
        let diagnostic = Diagnostic::error(span, title(loaded, &error.error));
        let color = std::io::stdout().is_terminal();
        println!("\n{}", render(&loaded.model().sources, &diagnostic, color).trim_end());
    }
    if trace.steps > 0 {
        println!("\ncounterexample, {}:", counted(trace.steps as u64, "step"));
        print!("{}", trace_table::table(loaded.model(), trace));
    }
    if error.error == ErrorKind::InvalidEndState {
        println!("\nno process can move:");
        print!("{}", trace_table::standings(&trace.standings));
    }
    println!("\nvalues in the last state:\n  {}\n", trace_table::values(&trace.last));
}

fn statistics(answer: &Answer) {
    let found = &answer.found;
    let depth = match answer.order {
        Order::DepthFirst => "depth",
        Order::BreadthFirst => "levels",
    };
    println!(
        "  {}, {}, {depth} {}, {}, {:.2} s",
        counted(found.states, "state"),
        counted(found.transitions, "transition"),
        grouped(found.depth),
        bytes(found.memory),
        answer.elapsed.as_secs_f64()
    );
}
