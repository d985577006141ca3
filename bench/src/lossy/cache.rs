//! A whole model in a cache that has not room for all its states.

use std::fmt::Write as _;

use super::{Lariat, ask};

/// The model with its work, and the sizes of the cache.
const MODEL: (&str, u32) = ("late_audit", 12);
const SIZES: [&str; 3] = ["14M", "10M", "8M"];

/// The table: the exact store first, depth first and without reduction, as caches have none.
pub fn table(lariat: Lariat<'_>) -> Result<String, String> {
    let (model, work) = MODEL;
    let mut out = String::from(
        "| store | answer | memory | of the exact store's | processor s | times | visits |\n\
         |---|---|---:|---:|---:|---:|---:|\n",
    );
    let usual = ["--no-assert", "--dfs", "--no-por"];
    let exact = ask(lariat, model, work, &usual)?;
    let cached = SIZES.into_iter().map(|size| {
        let ours = ask(lariat, model, work, &["--no-assert", "--cache", size])?;
        Ok((format!("`--cache {size}`"), ours))
    });
    let cached: Vec<_> = cached.collect::<Result<_, String>>()?;
    let (memory, cpu) = (exact.memory as f64, exact.run.cpu);
    for (store, ours) in std::iter::once(("exact".to_owned(), exact)).chain(cached) {
        let _ = writeln!(
            out,
            "| {store} | {} | {:.1} MB | {:.2} | {:.1} | {:.2} | {} |",
            ours.verdict,
            ours.memory as f64 / 1e6,
            ours.memory as f64 / memory,
            ours.run.cpu,
            ours.run.cpu / cpu,
            ours.states
        );
    }
    Ok(out)
}
