//! `bench-core VARIANT [N]`: one search of the counters' product, one line. Each variant
//! runs in a process of its own; `bench-core table` makes the table of `bench/RESULTS.md`.

mod counters;
mod hand;
mod product;
mod table;

use counters::{Counters, eventually_never_p, never_reached};
use lariat_bench::cpu::cpu_seconds;
use lariat_core::{Acceptance, Emptiness, Outcome, Stats};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::{Roots, enumerate};
use lariat_search::emptiness::{nested, scc, terminal, weak};
use lariat_store::Exact;
use lariat_store::live::{Eager, ExactDead, InPlace, Lazy, UnionInPlace, UnionSplit};
use product::Product;

/// Three counters modulo 216, twice: 20 million states.
const COUNTERS: u32 = 216;

fn main() {
    let mut args = std::env::args().skip(1);
    let variant = args.next().unwrap_or_else(|| usage());
    let mut number =
        |default: u32| args.next().map_or(default, |n| n.parse().unwrap_or_else(|_| usage()));
    if variant == "table" {
        let repetitions = number(3);
        return table::print(repetitions as usize, number(COUNTERS));
    }
    let n = number(COUNTERS);
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
    eprintln!("usage: bench-core VARIANT [N] | bench-core table [REPETITIONS [N]]");
    std::process::exit(2)
}

fn run(variant: &str, n: u32) -> Stats {
    let (name, prefetch) = match variant.strip_suffix("-no-prefetch") {
        Some(name) => (name, false),
        None => (variant, true),
    };
    let mut model = Counters { n };
    let automaton = if name == "reach" { never_reached() } else { eventually_never_p() };
    let graph = &mut Product { model: &mut model, automaton: &automaton };
    let options = SearchOptions::default();
    let rows = Vec::new;
    macro_rules! tagged {
        ($check:path) => {
            empty($check(graph, &mut Exact::new(rows()).prefetch(prefetch), options))
        };
    }
    let live = || InPlace::over(Exact::new(rows()).prefetch(prefetch));
    let union = || UnionInPlace::over(Exact::new(rows()).prefetch(prefetch));
    let (edges, compressed) = (Acceptance::Edges, Roots::Compressed);
    let apart = || ExactDead::new(rows());
    match name {
        "hand-dfs" => hand_stats(hand::dfs(n, &mut Exact::new(rows()).prefetch(prefetch))),
        "hand-se" => hand_stats(hand::se(n, &mut Exact::new(rows()).prefetch(prefetch))),
        "cvwy" => tagged!(nested::cvwy::check),
        "hpy" => tagged!(nested::hpy::check),
        "gmz" => tagged!(nested::gmz::check),
        "se" => tagged!(nested::se::check),
        "and" => tagged!(nested::and::check),
        "sd" => tagged!(weak::check),
        "reach" => tagged!(terminal::check),
        "tauriainen" => tagged!(nested::tauriainen::check),
        "tarjan" => empty(scc::tarjan::check(graph, &mut live(), options)),
        "gv" => empty(scc::gv::check(graph, &mut live(), options)),
        "c99" => {
            let store = &mut Exact::new(rows()).prefetch(prefetch);
            empty(scc::couvreur99::check(graph, store, options, edges))
        }
        "ascc" => empty(scc::ascc::check(graph, &mut live(), options, edges)),
        "tarjan-tgba" => empty(scc::tarjan_tgba::check(graph, &mut live(), options)),
        "dijkstra" => empty(scc::dijkstra_tgba::check(graph, &mut live(), options, compressed)),
        "gabow" => empty(scc::gabow_tgba::check(graph, &mut union(), options, compressed)),
        "dijkstra-ds" => {
            let store = &mut Eager::new(rows(), rows(), apart());
            empty(scc::dijkstra_tgba::check(graph, store, options, compressed))
        }
        "dijkstra-lazy" => {
            let store = &mut Lazy::new(rows(), rows(), apart());
            empty(scc::dijkstra_tgba::check(graph, store, options, compressed))
        }
        "dijkstra-plain-roots" => {
            empty(scc::dijkstra_tgba::check(graph, &mut live(), options, Roots::Plain))
        }
        "gabow-ds" => {
            let store = &mut UnionSplit::new(rows(), rows(), apart());
            empty(scc::gabow_tgba::check(graph, store, options, compressed))
        }
        "enumerate-tarjan" => {
            enumerate::tarjan::<_, _, ()>(graph, &mut live(), options, |_, _| {}).stats
        }
        "enumerate-dijkstra" => {
            enumerate::dijkstra::<_, _, ()>(graph, &mut live(), options, compressed, |_, _| {})
                .stats
        }
        "enumerate-gabow" => {
            enumerate::gabow::<_, _, ()>(graph, &mut union(), options, compressed, |_, _| {}).stats
        }
        "enumerate-couvreur" => {
            let store = &mut Exact::new(rows()).prefetch(prefetch);
            enumerate::couvreur::<_, _, ()>(graph, store, options, |_, _| {}).stats
        }
        _ => usage(),
    }
}

fn empty(outcome: Outcome) -> Stats {
    assert!(matches!(outcome.verdict, Emptiness::Empty { .. }), "the product has no accepting run");
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
