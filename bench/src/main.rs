//! `bench-core VARIANT [N]`: one search of the counters' product, one line. Each variant
//! runs in a process of its own; `bench/run-core` makes the table.

mod counters;
mod hand;

use counters::{Counters, eventually_never_p};
use lariat_core::{Outcome, Stats, Verdict};
use lariat_search::dfs::Options;
use lariat_search::emptiness::nested::se;
use lariat_search::product::Product;
use lariat_store::Exact;

fn main() {
    let mut args = std::env::args().skip(1);
    let variant = args.next().unwrap_or_else(|| usage());
    let n = args.next().map_or(216, |n| n.parse().unwrap_or_else(|_| usage()));
    let start = cpu_seconds();
    let stats = run(&variant, n);
    let seconds = cpu_seconds() - start;
    println!(
        "{variant} states={} transitions={} seconds={seconds:.3} store_bytes={} peak_bytes={}",
        stats.states,
        stats.transitions,
        stats.bytes,
        peak_bytes(),
    );
}

fn usage() -> ! {
    eprintln!("usage: bench-core VARIANT [N]");
    std::process::exit(2)
}

fn run(variant: &str, n: u32) -> Stats {
    let mut model = Counters { n };
    let automaton = eventually_never_p();
    let mut graph = Product { model: &mut model, automaton: &automaton };
    let (variant, prefetch) = match variant.strip_suffix("-no-prefetch") {
        Some(name) => (name, false),
        None => (variant, true),
    };
    let options = Options::default();
    match variant {
        "hand-dfs" => hand_stats(hand::dfs(n, &mut Exact::new(Vec::new()).prefetch(prefetch))),
        "hand-se" => hand_stats(hand::se(n, &mut Exact::new(Vec::new()).prefetch(prefetch))),
        "se" => {
            empty(se::check(&mut graph, &mut Exact::new(Vec::new()).prefetch(prefetch), options))
        }
        _ => usage(),
    }
}

fn empty(outcome: Outcome) -> Stats {
    assert!(matches!(outcome.verdict, Verdict::Empty), "the product has no accepting run");
    outcome.stats
}

fn hand_stats(out: hand::Out) -> Stats {
    Stats { states: out.states, transitions: out.transitions, ..Stats::default() }
}

fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Time on a processor, since the machine may be shared.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}
