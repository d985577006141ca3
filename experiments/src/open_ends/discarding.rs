//! The rules of HPY and SE for the second search under reduction.

use lariat_checks::{Algorithm, StackProviso};
use lariat_verify::Config;

use crate::lab::Lab;
use crate::lab::measure::{Found, How, alone, ask};
use crate::lab::page::{Page, Status, percent};
use crate::se2005;

/// The rules of the papers for the second search, on the model of Schwoon and Esparza.
pub(super) fn section(lab: &mut Lab, page: &mut Page) -> Result<(), String> {
    page.section("Discarding under reduction");
    page.put(
        "*Tried.* SE §6 proposes to generate all successors in the second search and to drop those that the first one has not stored, so that \
         nothing has to be kept and the sets are not constrained. They had not tried it. Here it is (`--por-proviso discard`), beside HPY's two ways and \
         lariat's own, which chooses once for each *system* state and needs neither. The model is that of [se2005](se2005.md). \
         Rules that depend on the stack of the product may miss runs (`docs/por.md`), so lariat says \"holds\" with none of them.",
    );
    let rules = [StackProviso::SelectionNumber, StackProviso::SelectionBit, StackProviso::Discard];
    let how = How { most: u64::MAX, ..How::papers() };
    let mut rows: Vec<(String, Vec<Found>)> = Vec::new();
    for variant in [1, 2] {
        for property in ["A", "B", "C", "D", "E", "F", "G", "H", "I"] {
            let found = lab.remember(&format!("discard {variant} {property}"), || {
                let case = se2005::case(variant, property)?;
                let mut found = vec![
                    ask(&case, &alone(&how, Algorithm::Se, false))?,
                    ask(&case, &alone(&how, Algorithm::Se, true))?,
                ];
                for rule in rules {
                    let config = alone(&how, rule.algorithm(), true);
                    found.push(ask(&case, &Config { por_proviso: Some(rule), ..config })?);
                }
                Ok(found)
            })?;
            rows.push((format!("{variant}{property}"), found));
        }
    }
    let shown = |found: &Found| {
        let says = if found.has_run() { "run" } else { "–" };
        format!("{} {} {says}", found.states, found.transitions)
    };
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|(name, found)| [name.clone()].into_iter().chain(found.iter().map(shown)).collect())
        .collect();
    page.put("States, transitions, and whether a run was found.");
    let header = [
        "φ",
        "no reduction",
        "lariat's own",
        "selection number (HPY)",
        "selection bit (HPY)",
        "discard (SE)",
    ];
    page.table(&header, &lines);
    let total = |at: usize| rows.iter().map(|(_, found)| found[at].states).sum::<u64>() as f64;
    let steps = |at: usize| rows.iter().map(|(_, found)| found[at].transitions).sum::<u64>() as f64;
    let missed = rows.iter().filter(|(_, found)| found[0].has_run() != found[4].has_run()).count();
    page.verdict(
        "SE-O2",
        "discarding does not constrain the sets, so it could lead to larger reductions at a small price",
        Status::of(total(4) < 0.99 * total(2).min(total(3))),
        &format!(
            "{} of the states without reduction, as with a selection number ({}; a bit: {}; lariat's own form: {}), and {} of its transitions: the \
             second search computes all successors again. {missed} runs were missed here",
            percent(total(4), total(0)),
            percent(total(2), total(0)),
            percent(total(3), total(0)),
            percent(total(1), total(0)),
            percent(steps(4), steps(2))
        ),
    );
    Ok(())
}
