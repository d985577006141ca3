//! Tables of bench/lossy.md: `cargo build --release && cargo run --release -p lariat-bench --bin lossy -- bitstate`

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use lariat_bench::lossy::{Lariat, alarms, bitstate, cache, swarm};
use lariat_bench::ltl::ours;

/// Measures searches in bounded memory
#[derive(Parser)]
struct Args {
    what: What,
    /// Seconds of processors for each search
    #[arg(long, default_value_t = 120.0)]
    seconds: f64,
    /// Only models with this in their name
    #[arg(long, default_value = "")]
    only: String,
    /// alarms: how many searches
    #[arg(long, default_value_t = 10_000)]
    runs: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program; the one beside this one without it
    #[arg(long)]
    lariat: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Bit-state search beside Spin's
    Bitstate,
    /// That nothing is found which is not there
    Alarms,
    /// A swarm against one exact search
    Swarm,
    /// A cache that is too small
    Cache,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Some(program) = args.lariat.clone().or_else(ours::Lariat::beside_this) else {
        eprintln!("error: no lariat beside this program; build it first, or use --lariat");
        return ExitCode::from(2);
    };
    let program = program.canonicalize().unwrap_or(program);
    let lariat = Lariat { program: &program, most: args.seconds };
    let table = match args.what {
        What::Bitstate => bitstate::table(lariat, &args.only),
        What::Swarm => swarm::table(lariat, &args.only),
        What::Cache => cache::table(lariat),
        What::Alarms => {
            let alarms = alarms::count(args.runs, args.seed);
            println!("{alarms:?}");
            let is_right = alarms.wrong.is_empty() && alarms.proofs.is_empty();
            return if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
    };
    match table {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
