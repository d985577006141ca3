//! Random programs and properties with and without partial-order reduction, under every check (T1 of
//! docs/por.md). `cargo run --release -p lariat-bench --bin por-pairs -- --pairs 20000`

#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use lariat_bench::pairs;

/// Compares answers with and without partial-order reduction on random programs
#[derive(Parser)]
struct Args {
    /// How many pairs of a program and a property
    #[arg(long, default_value_t = 20_000)]
    pairs: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let tally = pairs::run(args.pairs, args.seed, |tally| eprint!("\r{} pairs ", tally.pairs));
    eprintln!();
    tally.wrong.iter().for_each(|wrong| println!("{wrong}"));
    println!("{tally}\nseed {}", args.seed);
    if tally.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
