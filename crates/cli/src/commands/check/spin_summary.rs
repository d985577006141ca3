//! `--report spin`: the lines of Spin's verifier that scripts look for.

use std::fmt::Write;

use lariat_report::execution::Ending;

use super::judgement::{Judgement, LOSSY, Verdict};

/// One summary for each property, as one run of Spin's verifier prints it.
pub(super) fn text(judgement: &Judgement, vector_bytes: usize) -> String {
    let found = &judgement.statistics;
    let errors = u32::from(judgement.verdict == Verdict::Violated);
    let mut out = String::new();
    // Writing to a string cannot fail.
    if errors > 0 {
        let run = judgement.run.as_ref();
        let is_decided = run.is_some_and(|run| matches!(run.ending, Ending::Decided { .. }));
        let what = judgement.because().unwrap_or_else(|| match judgement.kind {
            "safety" => "error".to_owned(),
            "exists" => "no run exists".to_owned(),
            _ if is_decided => "end state in claim reached".to_owned(),
            _ => "acceptance cycle".to_owned(),
        });
        let depth = judgement.run.as_ref().map_or(0, |run| run.steps.len());
        let _ = writeln!(out, "pan:1: {what} (at depth {depth})");
        if let Some(file) = &judgement.saved {
            let _ = writeln!(out, "pan: wrote {file}");
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(out, "\n(lariat {version}; summary in the form of Spin's)");
    if judgement.verdict != Verdict::Holds {
        let _ = writeln!(out, "Warning: Search not completed");
    }
    if let Some(reason) = &judgement.reason {
        let _ = writeln!(out, "\t{reason}");
    }
    let search = match judgement.reason.as_ref().is_some_and(|r| r.starts_with(LOSSY)) {
        true => "Bit statespace search for:",
        false => "Full statespace search for:",
    };
    let claim = match judgement.kind {
        "safety" | "invariant" | "reach" | "states" => "- (none specified)".to_owned(),
        _ => format!("+ ({})", judgement.name),
    };
    let (cycles, ends) = match judgement.kind {
        "safety" => ("- (not selected)", "+"),
        "invariant" | "reach" | "states" => ("- (not selected)", "- (disabled by -E flag)"),
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
