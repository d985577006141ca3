//! `lariat count`: the whole reachable space of a model, as its language defines it.

use std::path::PathBuf;

use lariat_model::explore::{Exploration, ExploreOptions, Order};
use lariat_report::numbers::{bytes, grouped};
use serde_json::{Value, json};

use crate::engine::Engine;
use crate::exit::Exit;
use crate::limits::{Limits, reason};
use crate::model::{Language, Loaded, Parts, Reading};
use crate::progress::{self, Watch};

#[derive(clap::Args)]
#[command(after_help = "`transitions` is what the language's own tools count. Promela: Spin's \
\"transitions (= stored+matched)\", so the initial state counts as one. DVE: the steps between \
states, as DiVinE and LTSmin count. `depth` is the longest path of the depth-first search in \
statements, as Spin counts; with --bfs the number of steps to the farthest state. The same holds \
for --json.")]
pub(crate) struct Args {
    /// A model: DVE if its name ends in .dve, else Promela; `-` is Promela from standard input
    model: PathBuf,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    engine: Engine,
    #[command(flatten)]
    limits: Limits,
    /// Search breadth first: faster, and `depth` is the number of steps to the farthest state
    #[arg(long)]
    bfs: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Exit {
    let loaded = match args.reading.load(&args.model, Parts::All) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    progress::catch_interrupts();
    // No state may end in a DVE model, so a deadlock is not an error of it.
    let ignore_end_states = loaded.language() == Language::Dve;
    let order = if args.bfs { Order::BreadthFirst } else { Order::DepthFirst };
    let mut options = ExploreOptions { order, ignore_end_states, ..Default::default() };
    args.limits.apply(&mut options);
    let mut watch = Watch::start();
    let found = args.engine.explore(loaded.model(), &options, &mut |now| watch.look(now));
    watch.finish();
    let found = found.unwrap_or_else(|faults| {
        // The initialisers fail: there is no state at all.
        let mut found = Exploration::default();
        for fault in faults {
            *found.errors.entry(fault.kind.name()).or_default() += 1;
        }
        found
    });
    if args.json {
        println!("{}", to_json(&loaded, &found));
    } else {
        show(&loaded, &found, &watch);
    }
    if found.limit.is_some() { Exit::Inconclusive } else { Exit::Holds }
}

/// Steps between states. Spin also counts the arrival at the initial state: stored and matched.
fn transitions(loaded: &Loaded, found: &Exploration) -> u64 {
    match loaded.language() {
        Language::Promela => found.stored_and_matched(),
        Language::Dve => found.transitions,
    }
}

fn show(loaded: &Loaded, found: &Exploration, watch: &Watch) {
    println!("states       {}", found.states);
    println!("transitions  {}", transitions(loaded, found));
    println!("depth        {}", found.depth);
    println!("errors       {}", found.error_count());
    for (kind, count) in &found.errors {
        println!("  {kind}: {}", grouped(*count));
    }
    println!("{} in {:.2} s", bytes(found.memory), watch.elapsed().as_secs_f64());
    if let Some(limit) = found.limit {
        println!("incomplete: {}", reason(limit));
    }
}

fn to_json(loaded: &Loaded, found: &Exploration) -> Value {
    json!({
        "model": loaded.model().name,
        "states": found.states,
        "transitions": transitions(loaded, found),
        "depth": found.depth,
        "errors": found.errors,
        "complete": found.limit.is_none(),
        "limit": found.limit.map(reason),
        "memory": found.memory,
    })
}
