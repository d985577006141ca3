//! The instances that are too large for every day: each once, within limits, by native code
//! and with the tree store, as `lariat count` explores them.

use std::time::{Duration, Instant};

use lariat_codegen::NativeSpace;
use lariat_core::Limit;
use lariat_search::safety::{ExploreOptions, explore_rows};
use lariat_store::Tree;

use crate::{Args, Score, load};
use lariat_testing::beem::Beem;

/// An instance with the number of states that was published, all or those that were reached.
struct Instance {
    file: String,
    states: u64,
    is_complete: bool,
}

/// Explores them, small ones first. An exploration that was cut is neither equal nor different.
pub(crate) fn counts(args: &Args, beem: &Beem) -> Score {
    let mut score = Score::default();
    let started = Instant::now();
    println!(
        "{:<24} {:>12} {:>10} {:>11} {:>8} {:>7}",
        "instance", "published", "lariat", "transitions", "seconds", "MiB"
    );
    for Instance { file, states, is_complete } in instances(args, beem) {
        let published = format!("{}{states}", if is_complete { "" } else { "> " });
        let minutes = started.elapsed().as_secs_f64() / 60.0;
        if args.budget_minutes.is_some_and(|budget| minutes > budget) {
            println!("{file:<24} {published:>12} not run");
            continue;
        }
        let Some(text) = beem.model(&file) else { continue };
        let Some(dve) = load(&file, &text, true) else {
            println!("{file:<24} {published:>12} refused: {}", score.add(false));
            continue;
        };
        let options = ExploreOptions {
            time_limit: Some(Duration::from_secs_f64(args.time_limit)),
            max_memory: Some(args.max_memory << 30),
            ..Default::default()
        };
        let start = Instant::now();
        let native = |width| Box::new(NativeSpace::new(&dve.model, width, Vec::new())) as _;
        let found = explore_rows(&dve.model, &options, native, Tree::new, &mut |_| true)
            .expect("initial values were checked");
        let remark = match found.limit {
            Some(Limit::Time) => "cut: time",
            Some(Limit::Memory) => "cut: memory",
            Some(_) => "cut",
            None if is_complete => score.add(found.states == states),
            None => "first complete number",
        };
        println!(
            "{file:<24} {published:>12} {:>10} {:>11} {:>8.1} {:>7} {remark}",
            found.states,
            found.transitions,
            start.elapsed().as_secs_f64(),
            found.memory >> 20,
        );
    }
    score
}

fn instances(args: &Args, beem: &Beem) -> Vec<Instance> {
    let rows = beem.instances.rows().filter(|row| row.get("model").starts_with(&args.only));
    let mut large: Vec<Instance> = rows
        .filter_map(|row| {
            let file = format!("{}.{}.dve", row.get("model"), row.get("instance"));
            let states = row.number("states").filter(|&states| states > args.max_states)?;
            beem.model(&file)?;
            Some(Instance { file, states, is_complete: row.get("reach_complete") == "yes" })
        })
        .collect();
    large.sort_by_key(|instance| instance.states);
    large
}
