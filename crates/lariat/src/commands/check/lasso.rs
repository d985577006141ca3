//! A run that goes round for ever, for people and for scripts.

use lariat_model::interp::Interp;
use lariat_model::ir::Model;
use lariat_report::numbers::{counted, grouped};
use lariat_report::replay::{Before, Line, Replayed, describe};
use lariat_report::values::values_of;
use lariat_report::{trace_json, trace_table};
use serde_json::{Value, json};

use super::temporal::Judged;
use crate::property::formula::Mode;
use crate::property::run::ModelRun;
use crate::property::search::Found;

/// Steps of a long prefix or loop that are shown at its start and at its end.
const SHOWN: (usize, usize) = (20, 40);

pub(super) fn show(model: &Model, judged: &Judged, full: bool) {
    let (property, answer) = (&judged.property, &judged.answer);
    let verdict = match (judged.verdict(), property.mode) {
        ("holds", Mode::Exists) => "a run exists",
        ("violated", Mode::Exists) => "no run exists",
        (verdict, _) => verdict,
    };
    println!("{}: {} {verdict}: {}", model.name, property.name, property.text.trim());
    match &answer.found {
        Found::Run(run) => show_run(model, judged, run, full),
        Found::Inconclusive(reason) => println!("  {reason}"),
        Found::None => {}
    }
    println!(
        "  {}: {}; {} in the product, {} in the system, {}, {:.2} s",
        answer.algorithm.name(),
        answer.why,
        counted(answer.stats.states, "state"),
        grouped(answer.system_states as u64),
        counted(answer.stats.transitions, "transition"),
        judged.elapsed.as_secs_f64()
    );
    for line in &answer.explanation {
        println!("  {line}");
    }
}

fn show_run(model: &Model, judged: &Judged, run: &ModelRun, full: bool) {
    let (prefix, cycle) = replayed(model, run);
    let what = match judged.property.mode {
        Mode::Always => "counterexample",
        Mode::Exists => "example",
    };
    println!("\n{what}, {}:", counted(prefix.steps as u64, "step"));
    print!("{}", trace_table::table(model, &cut(prefix, full)));
    if cycle.steps == 0 {
        println!("then no process moves any more, for ever:");
        println!("  {}", trace_table::values(&cycle.last));
    } else {
        println!("then for ever, {}:", counted(cycle.steps as u64, "step"));
        print!("{}", trace_table::table(model, &cut(cycle, full)));
    }
    for (ap, name) in judged.property.names.iter().enumerate() {
        let truth = |letters: &[Vec<bool>]| {
            let bits: String =
                letters.iter().take(60).map(|letter| if letter[ap] { '1' } else { '0' }).collect();
            if letters.len() > 60 { bits + "…" } else { bits }
        };
        let (before, after) = run.letters.split_at(run.loop_start.min(run.letters.len()));
        println!("  {name}: {} ({})*", truth(before), truth(after));
    }
    println!();
}

/// The prefix and the loop, each with what its statements did.
fn replayed(model: &Model, run: &ModelRun) -> (Replayed, Replayed) {
    let mut interp = Interp::new(model);
    let part = |interp: &mut Interp<'_>, range: std::ops::Range<usize>| {
        let before = |at: usize| match at.checked_sub(1) {
            None => &run.initial,
            Some(at) => &run.steps[at].state,
        };
        let (first, last) = (before(range.start), before(range.end));
        let mut lines: Vec<Line> = Vec::new();
        for at in range.clone() {
            let (state, hidden) = before(at);
            let step = &run.steps[at];
            let before = Before { step: at + 1, state, hidden };
            describe(interp, before, &step.moves, Some(&step.state), &mut lines);
        }
        Replayed {
            steps: range.len(),
            lines,
            initial: values_of(interp, &first.0, &first.1),
            standings: Vec::new(),
            last: values_of(interp, &last.0, &last.1),
        }
    };
    let prefix = part(&mut interp, 0..run.loop_start);
    let cycle = part(&mut interp, run.loop_start..run.steps.len());
    (prefix, cycle)
}

/// Without the middle of a long part.
fn cut(mut part: Replayed, full: bool) -> Replayed {
    let (first, last) = SHOWN;
    if !full && part.steps > first + last {
        let start = part.lines.first().map_or(1, |line| line.step);
        let end = start + part.steps;
        part.lines.retain(|line| line.step < start + first || line.step + last >= end);
    }
    part
}

pub(super) fn object(model: &Model, judged: &Judged) -> Value {
    let answer = &judged.answer;
    let mut object = json!({
        "name": judged.property.name,
        "kind": judged.kind(),
        "formula": judged.property.text.trim(),
        "verdict": judged.verdict(),
        "check": answer.algorithm.name(),
        "why": answer.why,
        "automaton_states": answer.automaton_states,
        "explanation": answer.explanation,
        "statistics": {
            "states": answer.stats.states,
            "system_states": answer.system_states,
            "transitions": answer.stats.transitions,
            "depth": answer.stats.depth,
            "seconds": judged.elapsed.as_secs_f64(),
        },
    });
    match &answer.found {
        Found::Run(run) => {
            let (prefix, cycle) = replayed(model, run);
            object["lasso"] = json!({
                "prefix": trace_json::json(&prefix),
                "loop": trace_json::json(&cycle),
                "propositions": judged.property.names,
                "truth": run.letters,
                "loop_start": run.loop_start,
            });
        }
        Found::Inconclusive(reason) => object["reason"] = json!(reason),
        Found::None => {}
    }
    object
}
