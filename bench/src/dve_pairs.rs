//! What a step costs in DVE and in Promela: the same BEEM instances in both languages.
//! `cargo run --release -p lariat-bench --bin dve-pairs -- CORPUS`

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use lariat_bench::cpu::cpu_seconds;
use lariat_model::ir::Model;
use lariat_model::{dve, promela};
use lariat_search::safety::{Exploration, ExploreOptions, explore};

/// Explores the DVE and the Promela text of BEEM instances: states and steps per second.
#[derive(Parser)]
struct Args {
    /// The folder with `beem/dve` and `beem/pm`, as docs/corpus.md says
    #[arg(env = "LARIAT_CORPUS")]
    corpus: PathBuf,
    /// Instances that have both texts, with about as many states in both
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "adding.3,fischer.4,szymanski.3,phils.4,mcs.6"
    )]
    instances: Vec<String>,
    /// Runs of each; the fastest counts
    #[arg(long, default_value_t = 3)]
    repeat: usize,
}

/// One text, explored.
struct Measured {
    states: u64,
    transitions: u64,
    seconds: f64,
}

impl Measured {
    fn cells(&self) -> String {
        let per_second = |count: u64| count as f64 / self.seconds / 1000.0;
        format!(
            "{} | {} | {:.2} | {:.0} | {:.0}",
            self.states,
            self.transitions,
            self.seconds,
            per_second(self.states),
            per_second(self.transitions)
        )
    }

    fn nanoseconds_per_transition(&self) -> f64 {
        1e9 * self.seconds / self.transitions as f64
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    println!(
        "| instance | DVE: states | transitions | s | k states/s | k transitions/s | Promela: \
         states | transitions | s | k states/s | k transitions/s | ns per transition: DVE | \
         Promela | ratio |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    let mut ratios = Vec::new();
    for instance in &args.instances {
        let measured = pair(&args, instance);
        let (in_dve, in_promela) = match measured {
            Ok(both) => both,
            Err(message) => {
                eprintln!("error: {instance}: {message}");
                return ExitCode::from(2);
            }
        };
        let (dve_cost, promela_cost) =
            (in_dve.nanoseconds_per_transition(), in_promela.nanoseconds_per_transition());
        let ratio = dve_cost / promela_cost;
        ratios.push(ratio);
        println!(
            "| {instance} | {} | {} | {dve_cost:.0} | {promela_cost:.0} | {ratio:.2} |",
            in_dve.cells(),
            in_promela.cells()
        );
    }
    let mean = ratios.iter().map(|ratio: &f64| ratio.ln()).sum::<f64>() / ratios.len() as f64;
    println!("\ngeometric mean of the ratios: {:.2}", mean.exp());
    ExitCode::SUCCESS
}

fn pair(args: &Args, instance: &str) -> Result<(Measured, Measured), String> {
    let beem = args.corpus.join("beem");
    let first = |messages: &[lariat_syntax::diagnostics::Diagnostic]| {
        messages.first().map_or("cannot be read".to_owned(), |found| found.message.clone())
    };
    let path = beem.join("dve").join(format!("{instance}.dve"));
    let text = read(&path)?;
    let in_dve =
        dve::load_text(&path.to_string_lossy(), &text, dve::DveOptions { property: false })
            .map_err(|failure| first(&failure.diagnostics))?;
    let path = beem.join("pm").join(format!("{instance}.pm"));
    let in_promela = promela::load(&path, &promela::PromelaOptions::default())
        .map_err(|failure| first(&failure.diagnostics))?;
    Ok((fastest(&in_dve.model, args.repeat)?, fastest(&in_promela.model, args.repeat)?))
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The time on the processor of the fastest of some explorations.
fn fastest(model: &Model, repeat: usize) -> Result<Measured, String> {
    let mut best: Option<Measured> = None;
    for _ in 0..repeat.max(1) {
        let start = cpu_seconds();
        let found: Exploration = explore(model, &ExploreOptions::default())
            .map_err(|_| "the initial state is faulty".to_owned())?;
        let seconds = cpu_seconds() - start;
        if best.as_ref().is_none_or(|best| seconds < best.seconds) {
            let (states, transitions) = (found.states, found.transitions);
            best = Some(Measured { states, transitions, seconds });
        }
    }
    best.ok_or("nothing was run".to_owned())
}
