//! `--report spin`: the lines of Spin's verifier that scripts look for.

use std::fmt::Write;

use lariat_core::Limit;
use lariat_report::execution::Ending;
use lariat_verify::{Kind, Status};

use super::judgement::Judgement;

/// One summary for each property, as one run of Spin's verifier prints it.
pub(super) fn text(judgement: &Judgement, vector_bytes: usize) -> String {
    let found = &judgement.statistics;
    let errors = u32::from(judgement.status() == Status::Violated);
    let mut out = String::new();
    // Writing to a string cannot fail.
    if errors > 0 {
        let run = judgement.run();
        let is_decided = run.is_some_and(|run| matches!(run.ending, Ending::Decided { .. }));
        let what = judgement.because().unwrap_or_else(|| match judgement.kind {
            Kind::Safety => "error".to_owned(),
            Kind::Exists => "no run exists".to_owned(),
            _ if is_decided => "end state in claim reached".to_owned(),
            _ => "acceptance cycle".to_owned(),
        });
        let depth = run.map_or(0, |run| run.steps.len());
        let _ = writeln!(out, "pan:1: {what} (at depth {depth})");
        if let Some(file) = &judgement.saved {
            let _ = writeln!(out, "pan: wrote {file}");
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(out, "\n(lariat {version}; summary in the form of Spin's)");
    if judgement.status() != Status::Holds {
        let _ = writeln!(out, "Warning: Search not completed");
    }
    if let Some(reason) = judgement.inconclusive() {
        let _ = writeln!(out, "\t{reason}");
    }
    let search = match judgement.inconclusive().is_some_and(|reason| reason.limit == Limit::Lossy) {
        true => "Bit statespace search for:",
        false => "Full statespace search for:",
    };
    let claim = match judgement.kind.is_about_states() {
        true => "- (none specified)".to_owned(),
        false => format!("+ ({})", judgement.name),
    };
    let (cycles, ends) = match judgement.kind {
        Kind::Safety => ("- (not selected)", "+"),
        kind if kind.is_about_states() => ("- (not selected)", "- (disabled by -E flag)"),
        _ => ("+", "- (disabled by never claim)"),
    };
    let _ = writeln!(out, "\n{search}");
    let _ = writeln!(out, "\tnever claim         \t{claim}");
    let _ =
        writeln!(out, "\tassertion violations\t{}", if claim.starts_with('-') { "+" } else { "-" });
    let _ = writeln!(out, "\tacceptance   cycles \t{cycles}");
    let _ = writeln!(out, "\tinvalid end states\t{ends}");
    let _ = writeln!(
        out,
        "\nState-vector {vector_bytes} byte, depth reached {}, errors: {errors}",
        found.depth
    );
    let _ = writeln!(out, "{:9} states, stored", found.states);
    let _ = writeln!(out, "{:9} states, matched", found.matched);
    let _ = writeln!(out, "{:9} transitions (= stored+matched)", found.states + found.matched);
    let _ = writeln!(out, "{:9} atomic steps", found.atomic_steps);
    let _ = writeln!(out, "\npan: elapsed time {:.2} seconds", found.elapsed.as_secs_f64());
    out
}
