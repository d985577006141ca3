//! lariat against Spin, live, on random models:
//! `cargo build --release && cargo run --release -p lariat-bench --bin random-models -- --models 250`

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use lariat_bench::ltl::duel::{Agreement, Duel, Subject, arms, fight};
use lariat_bench::ltl::ours::Lariat;
use lariat_bench::random::Rng;
use lariat_bench::versus::spin;

/// Compares verdicts on small random models, with and without fairness.
#[derive(Parser)]
struct Args {
    /// How many models
    #[arg(long, default_value_t = 250)]
    models: u64,
    /// Formulas for each model
    #[arg(long, default_value_t = 8)]
    formulas: usize,
    #[arg(long, value_enum, default_value = "formulas")]
    about: About,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the model of this seed, and stop
    #[arg(long)]
    show: Option<u64>,
    /// Only the model of this seed
    #[arg(long)]
    replay: Option<u64>,
    /// Seconds for each search
    #[arg(long, default_value_t = 20)]
    limit_seconds: u64,
    /// The program; the one beside this one without it
    #[arg(long)]
    lariat: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum About {
    Formulas,
    NonProgress,
    Acceptance,
}

#[derive(Default)]
struct Tally {
    equal: u64,
    violated: u64,
    rendezvous: u64,
    rest: u64,
    different: u64,
    open: u64,
    failed: u64,
    refused: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let subject = match args.about {
        About::Formulas => Subject::Formulas(args.formulas),
        About::NonProgress => Subject::NonProgress,
        About::Acceptance => Subject::Acceptance,
    };
    if let Some(seed) = args.show {
        print!("{}", arms(seed, subject).0);
        return ExitCode::SUCCESS;
    }
    if !spin::is_installed() {
        eprintln!("error: spin and gcc are needed");
        return ExitCode::from(2);
    }
    let Some(program) = args.lariat.clone().or_else(Lariat::beside_this) else {
        eprintln!("error: no lariat beside this program; build it first, or use --lariat");
        return ExitCode::from(2);
    };
    let folder = std::env::temp_dir();
    let lariat = Lariat { program, limit_seconds: args.limit_seconds, folder };
    let mut seeds = Rng::new(args.seed);
    // Fair questions and others, apart.
    let mut tallies = [Tally::default(), Tally::default()];
    let mut fought = 0;
    let models = if args.replay.is_some() { 1 } else { args.models };
    while fought < models {
        let seed = args.replay.unwrap_or_else(|| seeds.draw());
        match fight(seed, subject, &lariat) {
            Ok(Ok(Duel::Refused(complaint))) => {
                tallies[0].refused += 1;
                if complaint != "both" {
                    println!("seed {seed}: only Spin refuses: {}", complaint.trim());
                    tallies[0].failed += 1;
                }
            }
            Ok(Ok(Duel::Fought(bouts))) => {
                fought += u64::from(!bouts.is_empty());
                for bout in bouts {
                    let tally = &mut tallies[usize::from(bout.fair)];
                    let agreement = bout.agreement();
                    match agreement {
                        Agreement::Equal => tally.equal += 1,
                        Agreement::Rendezvous => tally.rendezvous += 1,
                        Agreement::Rest => tally.rest += 1,
                        Agreement::Different => tally.different += 1,
                        Agreement::Open => tally.open += 1,
                    }
                    tally.violated += u64::from(bout.spin == lariat_bench::ltl::Verdict::Violated);
                    if agreement != Agreement::Equal {
                        println!(
                            "seed {seed}: {agreement:?}: {}{}: Spin {}, lariat {}{}",
                            bout.question,
                            if bout.fair { ", fair" } else { "" },
                            bout.spin.name(),
                            bout.ours.name(),
                            bout.by_spins_fairness
                                .map_or(String::new(), |by| format!(", --fair spin {}", by.name())),
                        );
                    }
                }
            }
            Ok(Err(message)) => {
                tallies[0].failed += 1;
                println!("seed {seed}: {message}");
            }
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::from(2);
            }
        }
    }
    println!("{fought} models from seed {}, {} refused", args.seed, tallies[0].refused);
    for (tally, name) in tallies.iter().zip(["all runs", "fair runs"]) {
        println!(
            "{name}: {} questions, {} equal ({} violated by Spin), {} by another fairness at a \
             rendezvous, {} runs that end lost by Spin's -f, {} open, {} different, {} failed",
            tally.equal + tally.rendezvous + tally.rest + tally.open + tally.different,
            tally.equal,
            tally.violated,
            tally.rendezvous,
            tally.rest,
            tally.open,
            tally.different,
            tally.failed
        );
    }
    let is_clean = tallies.iter().all(|tally| tally.different + tally.failed == 0);
    if is_clean { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
