//! `lariat empty`: does each automaton of a HOA stream accept any word?

use crate::arguments::setup;
use crate::bug;
use crate::exit::Exit;
use crate::input;
use lariat_automata::Tgba;
use lariat_automata::hoa::Reader;
use lariat_checks::{Store, dispatch};
use lariat_core::{Emptiness, Lasso, Limit, Run, Stats};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file of automata in the HOA format; `-` is standard input
    file: PathBuf,
    #[command(flatten)]
    setup: setup::Args,
    #[command(flatten)]
    store: setup::StoreArgs,
    /// Do not go deeper than this; without a counterexample the answer is inconclusive
    #[arg(long, value_name = "N")]
    depth_limit: Option<usize>,
    /// Print the statistics of the search
    #[arg(long)]
    stats: bool,
    /// One JSON object per automaton and line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Exit {
    bug::busy_with(&args.file);
    let (name, text) = match input::read(&args.file) {
        Ok(input) => input,
        Err(message) => return input::refuse(&message),
    };
    let setup = args.store.with(args.setup.setup(args.depth_limit));
    let mut reader = Reader::new(&text, &name);
    let mut worst = Exit::Holds;
    let mut index = 0;
    while let Some(item) = reader.next() {
        for warning in reader.take_warnings() {
            err!("{}", reader.render(&warning));
        }
        worst = worst.max(match item {
            Ok(tgba) => match dispatch::check_automaton(&tgba, &setup) {
                Ok(answer) => show(index, &tgba, &answer, args),
                Err(message) => input::refuse(&format!("{name}, automaton {index}: {message}")),
            },
            Err(error) => {
                err!("{}", reader.render(&error));
                Exit::BadInput
            }
        });
        index += 1;
    }
    for warning in reader.take_warnings() {
        err!("{}", reader.render(&warning));
    }
    worst
}

fn show(index: usize, tgba: &Tgba, answer: &dispatch::Checked, args: &Args) -> Exit {
    let (verdict, exit) = match &answer.outcome.verdict {
        Emptiness::Empty { .. } => ("empty", Exit::Holds),
        Emptiness::Found(_) => ("non-empty", Exit::Violated),
        Emptiness::Inconclusive(_) => ("inconclusive", Exit::Inconclusive),
    };
    if args.json {
        outln!("{}", to_json(index, tgba, answer, verdict, args.store.store()));
        return exit;
    }
    outln!("{index}: {verdict} ({}: {})", answer.algorithm.name(), answer.why);
    match &answer.outcome.verdict {
        Emptiness::Found(lasso) => {
            outln!("   prefix: {}", states(&lasso.prefix));
            outln!("   cycle:  {}", states(&lasso.cycle));
        }
        Emptiness::Inconclusive(reason) => outln!("   {}", explain(*reason)),
        Emptiness::Empty { .. } => {}
    }
    if args.stats {
        outln!("   {}", summary(&answer.outcome.stats));
    }
    exit
}

/// Runs longer than this are cut in the middle on the terminal; JSON has them whole.
const SHOWN: usize = 20;

fn states(run: &Run) -> String {
    let state = |i: usize| run.state(i)[0].to_string();
    if run.is_empty() {
        return "(none)".to_owned();
    }
    if run.len() <= SHOWN {
        return (0..run.len()).map(state).collect::<Vec<_>>().join(" ");
    }
    let (head, tail) = (SHOWN / 2, run.len() - SHOWN / 2);
    let shown: Vec<_> = (0..head).map(state).collect();
    let last: Vec<_> = (tail..run.len()).map(state).collect();
    format!("{} … {} ({} states)", shown.join(" "), last.join(" "), run.len())
}

fn explain(limit: Limit) -> &'static str {
    match limit {
        Limit::Depth => "no accepting run found up to the depth limit",
        Limit::Memory => "there is no memory for more states",
        Limit::Lossy => "no accepting run found, but the store is lossy: this proves nothing",
        _ => "the search was interrupted",
    }
}

fn summary(stats: &Stats) -> String {
    let peaks = stats.peaks;
    let mut line = format!(
        "states {} transitions {} expansions {} depth {}",
        stats.states, stats.transitions, stats.expansions, stats.depth
    );
    let further = [
        ("sccs", stats.sccs),
        ("roots", peaks.roots),
        ("current", peaks.current),
        ("live", peaks.live),
        ("dstack", peaks.dstack),
        ("union-find", peaks.union_find),
        ("dead", peaks.dead),
        ("words", stats.words),
        ("bytes", stats.bytes),
    ];
    for (name, value) in further.into_iter().filter(|&(_, value)| value > 0) {
        line += &format!(" {name} {value}");
    }
    line
}

fn to_json(
    index: usize,
    tgba: &Tgba,
    answer: &dispatch::Checked,
    verdict: &str,
    store: Store,
) -> Value {
    let dispatch::Checked { outcome, algorithm, why, .. } = answer;
    let (stats, peaks) = (&outcome.stats, outcome.stats.peaks);
    let mut object = json!({
        "index": index,
        "name": tgba.name,
        "verdict": verdict,
        "algorithm": algorithm.name(),
        "why": why,
        "store": store.name(),
        "states": stats.states,
        "transitions": stats.transitions,
        "depth": stats.depth,
        "expansions": stats.expansions,
        "sccs": stats.sccs,
        "peaks": {
            "roots": peaks.roots,
            "current": peaks.current,
            "live": peaks.live,
            "dstack": peaks.dstack,
            "union_find": peaks.union_find,
            "dead": peaks.dead,
        },
        "words": stats.words,
        "bytes": stats.bytes,
    });
    match &outcome.verdict {
        Emptiness::Found(Lasso { prefix, cycle }) => {
            let numbers = |run: &Run| run.iter().map(|state| state[0]).collect::<Vec<_>>();
            object["lasso"] = json!({ "prefix": numbers(prefix), "cycle": numbers(cycle) });
        }
        Emptiness::Inconclusive(reason) => object["reason"] = json!(explain(*reason)),
        Emptiness::Empty { .. } => {}
    }
    object
}
