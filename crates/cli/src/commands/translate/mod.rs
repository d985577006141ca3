//! `lariat translate`: formulas to automata.

mod effort;
mod formulas;
mod output;

pub(crate) use formulas::Source;

use crate::exit::Exit;
use crate::input;
use effort::Effort;
use lariat_ltl::bench;
use lariat_ltl::translate::{Options, Translator};
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
    effort: Effort,
    /// What to print
    #[arg(long, short, value_enum, default_value_t = Format::Hoa)]
    output: Format,
    /// Give up when an automaton gets more states; the exit code is then 3
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    max_states: usize,
    /// Compare sizes and times with those recorded of Spot in this folder, as Markdown
    #[arg(long, value_name = "DIR", conflicts_with_all = ["formula", "file"])]
    bench_against: Option<PathBuf>,
    /// With --bench-against: state the strength of this list's negations too. One formula a
    /// line, or a CSV file with the columns prop_type (LTL) and formula
    #[arg(long, value_name = "FILE", requires = "bench_against")]
    patterns: Vec<PathBuf>,
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
        return match bench::table(folder, &args.patterns, args.max_states) {
            Ok(table) => {
                out!("{table}");
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
        ..args.effort.options().buchi(args.buchi || args.output == Format::Never)
    };
    let mut translator = Translator::new(options);
    if args.output == Format::Stats {
        outln!("{}", output::STATS_HEADER);
    }
    for entry in entries {
        let formula: Ltl = if args.negate { all.not(entry.formula) } else { entry.formula };
        match translator.translate(&mut all, formula) {
            Ok(done) => {
                worst = worst.max(output::print(&mut all, &entry, formula, done, args));
            }
            Err(error) => {
                errln!("{}:{}: inconclusive: {error}", entry.file, entry.line);
                worst = worst.max(Exit::Inconclusive);
            }
        }
    }
    worst
}
