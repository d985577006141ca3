//! A run as text: its steps as a table, then how it ends.

use lariat_model::ir::Model;

use crate::execution::{Ending, Execution};
use crate::numbers::counted;
use crate::replay::{Replayed, Shown, part};
use crate::trace_table::{self, Vars};

/// Steps of a long run that are shown at its start and at its end.
pub const ENDS: Shown = Shown::Ends { first: 20, last: 60 };

/// How a run is shown.
pub struct How<'a> {
    /// What it is called: `counterexample`.
    pub what: &'a str,
    pub vars: Vars,
    pub shown: Shown,
    /// Say where the processes stand at its end.
    pub is_stuck: bool,
}

impl Default for How<'_> {
    fn default() -> Self {
        How { what: "run", vars: Vars::Changed, shown: ENDS, is_stuck: false }
    }
}

/// The whole run.
pub fn text(model: &Model, run: &Execution, how: &How<'_>) -> String {
    let prefix = part(model, run, run.prefix(), how.shown);
    let mut out = String::new();
    let is_loop = matches!(run.ending, Ending::Loop { .. });
    let cycle = is_loop.then(|| part(model, run, run.cycle(), how.shown));
    if prefix.steps > 0 || run.ending != Ending::Error {
        out += &format!("{}, {}:\n", how.what, counted(prefix.steps as u64, "step"));
    }
    let looping = cycle.as_ref().map_or(0, |cycle| cycle.steps as u64);
    let between = match run.stays_inside() {
        true => "then it stays inside the atomic sequence for ever:".to_owned(),
        false => format!("then for ever, {}:", counted(looping, "step")),
    };
    let steps = trace_table::Shown { execution: run, prefix: &prefix, cycle: cycle.as_ref() };
    out += &trace_table::table(model, &steps, how.vars, &between);
    out + &end(run, &prefix, how.is_stuck)
}

/// What the last step of a run decides.
pub fn decision(run: &Execution, holds: bool) -> String {
    let what = if holds { "satisfies" } else { "violates" };
    let who = match run.steps.len() {
        0 => "the initial state".to_owned(),
        step => format!("step {step}"),
    };
    format!("{who} {what} the property, however the run goes on")
}

/// What is said behind the last step.
pub fn end(run: &Execution, prefix: &Replayed, stuck: bool) -> String {
    let mut out = String::new();
    match run.ending {
        Ending::Loop { .. } => return out,
        Ending::Rest => {
            let last = trace_table::values(&prefix.last);
            return format!("then no process moves any more, for ever:\n  {last}\n");
        }
        Ending::Error if stuck => {
            out += "\nno process can move:\n";
            out += &trace_table::standings(&prefix.standings);
        }
        Ending::Error | Ending::Open => {}
        Ending::Decided { holds } => {
            out += &format!("\n{}\n", decision(run, holds));
        }
    }
    out + &format!("\nvalues in the last state:\n  {}\n", trace_table::values(&prefix.last))
}
