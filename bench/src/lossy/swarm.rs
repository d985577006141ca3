//! A planted bug that lies behind a lot of work: how soon a swarm of small searches finds it, and how
//! soon an exact search.

use std::fmt::Write as _;

use super::{Lariat, ask};

/// Models, with how much work their processes do.
const MODELS: [(&str, u32); 5] = [
    ("late_audit", 18),
    ("late_commit", 16),
    ("late_config", 6),
    ("late_handshake", 14),
    ("late_token", 18),
];

/// The table: a row for each model with this in its name, both searches one after the other.
pub fn table(lariat: Lariat<'_>, only: &str) -> Result<String, String> {
    let mut out = String::from(
        "| model | work | swarm: s | processor s | found by | exact: s | processor s | states | answer |\n\
         |---|---:|---:|---:|---|---:|---:|---:|---|\n",
    );
    for (model, work) in MODELS.into_iter().filter(|(model, _)| model.contains(only)) {
        let swarm = ask(lariat, model, work, &["--swarm", "--time-limit", "600"])?;
        let exact = ask(lariat, model, work, &[])?;
        let found = match swarm.verdict.as_str() {
            "violated" => swarm.notes.split(':').next().unwrap_or_default(),
            _ => "nobody",
        };
        let row = format!(
            "| {model} | {work} | {:.1} | {:.1} | {} | {:.1} | {:.1} | {} | {} |",
            swarm.run.elapsed,
            swarm.run.cpu,
            found.trim_start_matches("found by "),
            exact.run.elapsed,
            exact.run.cpu,
            exact.states,
            exact.verdict
        );
        eprintln!("{row}");
        let _ = writeln!(out, "{row}");
    }
    Ok(out)
}
