//! `lariat count`: the whole reachable space of a model, as its language defines it.

use std::path::PathBuf;

use lariat_core::{Limit, stop};
use lariat_report::numbers::{bytes, grouped};
use lariat_search::safety::{Exploration, ExploreOptions, Order};
use lariat_verify::{Language, Loaded, Parts};
use serde_json::{Value, json};

use crate::arguments::{engine, reading};
use crate::exit::Exit;
use crate::limits::Limits;
use crate::progress::{self, Watch};
use crate::signals;
use crate::{bug, input, spread};

/// More threads than this do not help.
const MOST_THREADS: i64 = 1024;

#[derive(clap::Args)]
#[command(after_help = "`transitions` is what the language's own tools count. Promela: Spin's \
\"transitions (= stored+matched)\", so the initial state counts as one. DVE: the steps between \
states, as DiVinE and LTSmin count. `depth` is the number of steps to the farthest state; with \
--dfs the longest path of the depth-first search in statements, as Spin counts. The same holds \
for --json. States, transitions and errors do not depend on the order, if the search sees all.")]
pub(crate) struct Args {
    /// The model's file. A name that ends in .dve is a DVE model, any other Promela; `-` reads
    /// Promela from standard input
    model: PathBuf,
    #[command(flatten)]
    reading: reading::Args,
    #[command(flatten)]
    engine: engine::Args,
    #[command(flatten)]
    spread: spread::Args,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    progress: progress::ProgressArgs,
    /// Search breadth first. This is the default, unless the model has hidden variables, whose
    /// values depend on the order
    #[arg(long)]
    bfs: bool,
    /// Search depth first in Spin's order: `depth` is then Spin's
    #[arg(long, conflicts_with = "bfs")]
    dfs: bool,
    /// Threads for a search that outlives 100,000 states breadth first, as many as there are cores by default. No count depends on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: Option<u32>,
    /// Leave out steps whose order does not matter (partial-order reduction)
    #[arg(long)]
    por: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Exit {
    signals::catch();
    args.progress.apply();
    let (model, is_json) = (args.model.display().to_string(), args.json);
    let ending = move |why: Limit| {
        match is_json {
            true => {
                outln!("{}", json!({ "model": model, "complete": false, "limit": why.to_string() }))
            }
            false => outln!("incomplete: {why}"),
        }
        Exit::Inconclusive
    };
    let deadline = args.limits.watch(ending);
    if let Some(message) = args.why_not_spread() {
        return input::refuse(&message);
    }
    let threads = args.threads.map(|threads| threads as usize);
    let asked = spread::Asked { model: &args.model, is_bfs: args.bfs, properties: &[] };
    args.spread.run(asked, threads, || stop::within(deadline, || count(args)))
}

impl Args {
    /// What cannot be had by several processes.
    fn why_not_spread(&self) -> Option<String> {
        let given =
            [(self.dfs, "--dfs"), (self.por, "--por"), (self.limits.has_depth(), "--depth-limit")];
        let misplaced = given.into_iter().find(|&(is_given, _)| is_given && self.spread.is_given());
        let told = |(_, option)| {
            format!("{option} needs numbers of states, which several processes do not have")
        };
        misplaced.map(told).or_else(|| self.spread.complaint(&self.model))
    }
}

fn count(args: &Args) -> Exit {
    let loaded = match args.reading.reading().load(&args.model, Parts::All) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    // No state may end in a DVE model, so a deadlock is not an error of it.
    let ignore_end_states = loaded.language() == Language::Dve;
    let has_hidden = loaded.model().hidden_size > 0;
    let order = match args.dfs || has_hidden && !args.bfs {
        true => Order::DepthFirst,
        false => Order::BreadthFirst,
    };
    if args.spread.is_given() && order == Order::DepthFirst {
        return input::refuse(
            "several processes cannot count the states of a model with hidden variables",
        );
    }
    let limits = {
        let threads = args.threads.filter(|_| args.spread.is_given());
        args.limits.shared_by(threads, args.spread.on_this_machine())
    };
    let options = ExploreOptions {
        order,
        ignore_end_states,
        max_memory: limits.memory,
        max_depth: limits.depth,
        reduces: args.por,
        ..Default::default()
    };
    if args.por
        && let Err(why) = lariat_search::safety::may_reduce(loaded.model(), &options)
    {
        errln!("note: nothing is left out: {why}");
    }
    let watch = Watch::start(loaded.model().name.clone());
    let engine = args.engine.engine(args.threads.map(|threads| threads as usize));
    let found = engine.explore(loaded.model(), &options, &watch);
    if let Some(failure) = engine.spread.as_ref().and_then(lariat_verify::Spread::failure) {
        return bug::tell(failure);
    }
    let found = found.unwrap_or_else(|faults| {
        // The initialisers fail: there is no state at all.
        let mut found = Exploration::default();
        for fault in faults {
            *found.errors.entry(fault.kind.name()).or_default() += 1;
        }
        found
    });
    let was_free = engine.spread.as_ref().is_some_and(lariat_verify::Spread::was_free);
    let warning = engine.spread.as_ref().and_then(lariat_verify::Spread::warning);
    if args.json {
        let mut all = to_json(&loaded, &found, was_free);
        if let Some(warning) = warning {
            all["warnings"] = json!([warning]);
        }
        outln!("{all}");
    } else {
        warning.iter().for_each(|warning| errln!("warning: {warning}"));
        show(&loaded, &found, was_free, &watch);
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

fn show(loaded: &Loaded, found: &Exploration, was_free: bool, watch: &Watch) {
    outln!("states       {}", found.states);
    outln!("transitions  {}", transitions(loaded, found));
    match was_free {
        false => outln!("depth        {}", found.depth),
        true => outln!("depth        not known: searched without levels (--levels)"),
    }
    outln!("errors       {}", found.error_count());
    for (kind, count) in &found.errors {
        outln!("  {kind}: {}", grouped(*count));
    }
    outln!("{} in {:.2} s", bytes(found.memory), watch.elapsed().as_secs_f64());
    if let Some(limit) = found.limit {
        outln!("incomplete: {limit}");
    }
}

fn to_json(loaded: &Loaded, found: &Exploration, was_free: bool) -> Value {
    json!({
        "model": loaded.model().name,
        "states": found.states,
        "transitions": transitions(loaded, found),
        "depth": (!was_free).then_some(found.depth),
        "errors": found.errors,
        "complete": found.limit.is_none(),
        "limit": found.limit.map(|limit| limit.to_string()),
        "memory": found.memory,
    })
}
