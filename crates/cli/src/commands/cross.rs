//! `lariat cross`: translations against each other, against an evaluator, and against other
//! tools.

use super::translate::Source;
use crate::exit::Exit;
use crate::input;
use lariat_ltl::cross::{CrossOptions, CrossReport, External, check};
use lariat_ltl::random::{self, Rng, Shape};
use lariat_ltl::syntax::Printer;
use lariat_ltl::{Formulas, Ltl};
use std::time::Duration;

/// Cross-check translations of LTL formulas
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// Check this many random formulas
    #[arg(long, value_name = "N", default_value_t = 0)]
    random: usize,
    /// The seed for random formulas and words
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many operators and propositions a random formula has at most
    #[arg(long, default_value_t = 14)]
    size: usize,
    /// Propositions in random formulas
    #[arg(long, default_value_t = 3)]
    propositions: usize,
    /// Sampled lasso words for each formula
    #[arg(long, default_value_t = 20)]
    words: usize,
    /// Another translator: a command in which %s is the formula as for Spin, %f as for Spot.
    /// It prints a never claim or HOA
    #[arg(long = "with", value_name = "COMMAND")]
    with: Vec<String>,
    /// Seconds after which another translator is stopped; exit code 3
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// Skip automata and products with more states; the exit code is then 3
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    max_states: usize,
}

#[derive(Default)]
struct Totals {
    formulas: usize,
    automata: usize,
    products: usize,
    universal: usize,
    words: usize,
    skipped: usize,
    refused: usize,
    inconsistencies: usize,
}

pub(crate) fn run(args: &Args) -> Exit {
    let mut all = Formulas::new();
    let mut formulas: Vec<(String, Ltl)> = Vec::new();
    let mut worst = Exit::Holds;
    if args.random == 0 || !args.source.formula.is_empty() || !args.source.file.is_empty() {
        let (entries, exit) = match args.source.formulas(&mut all) {
            Ok(read) => read,
            Err(message) => return input::refuse(&message),
        };
        worst = exit;
        formulas.extend(
            entries
                .into_iter()
                .map(|entry| (format!("{}:{}", entry.file, entry.line), entry.formula)),
        );
    }
    let propositions = args.propositions.max(1);
    let mut rng = Rng::new(args.seed);
    for number in 0..args.random {
        let size = 1 + rng.below(args.size.max(1));
        let shape = Shape { propositions, size, next: rng.coin() };
        let formula = random::formula(&mut all, &mut rng, shape);
        formulas.push((format!("random formula {number} of seed {}", args.seed), formula));
    }
    let options = CrossOptions {
        words: args.words,
        max_states: args.max_states,
        external: args
            .with
            .iter()
            .map(|command| External {
                command: command.clone(),
                timeout: Duration::from_secs_f64(args.timeout.clamp(0.001, 1e6)),
            })
            .collect(),
    };
    let mut totals = Totals::default();
    for (place, formula) in formulas {
        let report = check(&mut all, formula, &options, &mut rng);
        for problem in &report.inconsistencies {
            outln!("{place}: `{}`: {problem}", Printer::new(&all).text(formula));
        }
        for why in &report.skipped {
            errln!("{place}: left out: {why}");
            worst = worst.max(Exit::Inconclusive);
        }
        // Not exit code 3: nothing was cut short.
        for why in &report.refused {
            errln!("{place}: {why}");
        }
        if !report.inconsistencies.is_empty() {
            worst = worst.max(Exit::Violated);
        }
        totals.add(&report);
    }
    outln!(
        "{} formulas, {} automata, {} products, {} (formula, word) pairs; {} left out; \
         {} inconsistencies",
        totals.formulas,
        totals.automata,
        totals.products,
        totals.words,
        totals.skipped,
        totals.inconsistencies
    );
    outln!(
        "proved by complements, that formula and negation together accept all words: {} of {}",
        totals.universal,
        totals.formulas
    );
    if totals.refused > 0 {
        outln!("not in another translator's language: {}", totals.refused);
    }
    worst
}

impl Totals {
    fn add(&mut self, report: &CrossReport) {
        self.formulas += 1;
        self.automata += report.automata;
        self.products += report.products;
        self.universal += report.universal as usize;
        self.words += report.words;
        self.skipped += report.skipped.len();
        self.refused += report.refused.len();
        self.inconsistencies += report.inconsistencies.len();
    }
}
