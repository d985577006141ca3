//! `lariat translate`: formulas to automata.

mod formulas;
mod output;

pub(crate) use formulas::Source;

use crate::exit::Exit;
use crate::input;
use lariat_ltl::bench;
use lariat_ltl::translate::{Level, Options, Translator};
use lariat_ltl::{Formulas, Ltl};
use std::path::PathBuf;

/// Translate LTL formulas to Büchi automata
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// Translate the negation of each formula
    #[arg(long)]
    negate: bool,
    /// One acceptance set, on states (otherwise several, on edges)
    #[arg(long, short = 'B')]
    buchi: bool,
    #[command(flatten)]
    level: LevelArgs,
    /// What to print
    #[arg(long, short, value_enum, default_value_t = Format::Hoa)]
    output: Format,
    /// Stop a translation whose automaton gets larger on the way; exit code 3
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    max_states: usize,
    /// Compare sizes and times with those recorded of Spot in this folder, as Markdown
    #[arg(long, value_name = "DIR", conflicts_with_all = ["formula", "file"])]
    bench_against: Option<PathBuf>,
}

#[derive(clap::Args, Clone, Copy)]
#[group(multiple = false)]
pub(crate) struct LevelArgs {
    /// Quick: no implication tests, no minimisation
    #[arg(long)]
    low: bool,
    /// Between the two
    #[arg(long)]
    medium: bool,
    /// Small automata (the default)
    #[arg(long)]
    high: bool,
}

impl LevelArgs {
    fn level(self) -> Level {
        match (self.low, self.medium) {
            (true, _) => Level::Low,
            (_, true) => Level::Medium,
            _ => Level::High,
        }
    }
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// The Hanoi omega-automata format
    Hoa,
    /// A never claim for Spin (implies --buchi)
    Never,
    /// A picture for Graphviz
    Dot,
    /// One CSV line for each formula, with a header
    Stats,
    /// A sentence for each formula
    Summary,
}

pub(crate) fn run(args: &Args) -> Exit {
    if let Some(folder) = &args.bench_against {
        return match bench::table(folder, args.max_states) {
            Ok(table) => {
                print!("{table}");
                Exit::Holds
            }
            Err(message) => input::refuse(&message),
        };
    }
    let mut all = Formulas::new();
    let (entries, mut worst) = match args.source.formulas(&mut all) {
        Ok(read) => read,
        Err(message) => return input::refuse(&message),
    };
    let options = Options {
        max_states: args.max_states,
        ..Options::new(args.level.level()).buchi(args.buchi || args.output == Format::Never)
    };
    let mut translator = Translator::new(options);
    if args.output == Format::Stats {
        println!("{}", output::STATS_HEADER);
    }
    for entry in entries {
        let formula: Ltl = if args.negate { all.not(entry.formula) } else { entry.formula };
        match translator.translate(&mut all, formula) {
            Ok(done) => output::print(&mut all, &entry, formula, done, args),
            Err(error) => {
                eprintln!("{}:{}: inconclusive: {error}", entry.file, entry.line);
                worst = worst.max(Exit::Inconclusive);
            }
        }
    }
    worst
}
