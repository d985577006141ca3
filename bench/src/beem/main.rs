//! BEEM, lariat and the published numbers side by side.
//!
//! `cargo run --release -p lariat-bench --bin beem -- CORPUS [--max-states N] [--only NAME]`
//!
//! One line for each public instance, and for each property with a published answer. LTL
//! properties run by their property process, in the state and beside it, and by lariat's own
//! translation of the formula, with Dijkstra's algorithm on the product; counterexamples are replayed. The exit code
//! is 1 if anything differs. `--part large` explores the instances above `--max-states`, small ones
//! first, each with limits of time and memory: it is only run if it is asked for.

mod large;
mod ltl;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use lariat_model::dve::{self, DveModel, DveOptions};
use lariat_search::safety::{Condition, ExploreOptions, Order, explore};
use lariat_syntax::diagnostics::render;
use lariat_testing::beem::Beem;
use lariat_testing::table::Row;

#[derive(Parser)]
struct Args {
    /// The folder with `beem`, as docs/corpus.md says
    #[arg(env = "LARIAT_CORPUS")]
    corpus: PathBuf,
    /// Leave out instances with more published states
    #[arg(long, default_value_t = 3_000_000)]
    max_states: u64,
    /// Only models whose name starts like this
    #[arg(long, default_value = "")]
    only: String,
    /// Only this part
    #[arg(long, value_enum)]
    part: Option<Comparison>,
    /// Large instances: seconds for each
    #[arg(long, default_value_t = 600.0)]
    time_limit: f64,
    /// Large instances: GiB for each
    #[arg(long, default_value_t = 14)]
    max_memory: usize,
    /// Large instances: start no new one after so many minutes
    #[arg(long)]
    budget_minutes: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Comparison {
    /// States and transitions
    Counts,
    /// Properties given as a reachable condition
    Reach,
    /// LTL properties
    Ltl,
    /// Instances above the limit
    Large,
}

/// How many lines agree, and how many do not.
#[derive(Default)]
struct Score {
    equal: usize,
    different: usize,
}

impl Score {
    fn add(&mut self, equal: bool) -> &'static str {
        match equal {
            true => self.equal += 1,
            false => self.different += 1,
        }
        if equal { "equal" } else { "DIFFERENT" }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let beem = match Beem::read(&args.corpus) {
        Ok(beem) => beem,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let mut different = 0;
    for part in [Comparison::Counts, Comparison::Reach, Comparison::Ltl, Comparison::Large] {
        if args.part.map_or(part == Comparison::Large, |only| only != part) {
            continue;
        }
        let (name, score) = match part {
            Comparison::Counts => ("counts", counts(&args, &beem)),
            Comparison::Reach => ("reachability", reachability(&args, &beem)),
            Comparison::Ltl => ("LTL", ltl_properties(&args, &beem)),
            Comparison::Large => ("large instances", large::counts(&args, &beem)),
        };
        println!("{name}: {} equal, {} different\n", score.equal, score.different);
        different += score.different;
    }
    ExitCode::from((different > 0) as u8)
}

/// Reads a model; a refusal is shown.
fn load(file: &str, text: &str, property: bool) -> Option<DveModel> {
    match dve::load_text(file, text, DveOptions { property }) {
        Ok(model) => Some(model),
        Err(failure) => {
            for diagnostic in &failure.diagnostics {
                eprint!("{}", render(&failure.sources, diagnostic, false));
            }
            None
        }
    }
}

fn show(number: Option<u64>) -> String {
    number.map_or("-".into(), |number| number.to_string())
}

fn counts(args: &Args, beem: &Beem) -> Score {
    let mut score = Score::default();
    println!(
        "{:<24} {:>10} {:>10} {:>11} {:>11} {:>11} {:>8}",
        "instance", "published", "lariat", "edges", "ltsmin", "lariat", "seconds"
    );
    for row in beem.instances.rows() {
        let (model, instance) = (row.get("model"), row.get("instance"));
        let file = format!("{model}.{instance}.dve");
        let published = beem.states(model, instance).filter(|&states| states <= args.max_states);
        let (Some(published), Some(text)) = (published, beem.model(&file)) else { continue };
        if !model.starts_with(&args.only) {
            continue;
        }
        let start = Instant::now();
        let Some(dve) = load(&file, &text, true) else {
            println!("{file:<24} {published:>10} refused: {}", score.add(false));
            continue;
        };
        let options = ExploreOptions { order: Order::BreadthFirst, ..Default::default() };
        let found = explore(&dve.model, &options).expect("initial values were checked");
        let edges = row.number("stat_edges");
        let ltsmin = beem.ltsmin(&file).and_then(|row| row.number("transitions"));
        let known = [edges, ltsmin].into_iter().flatten();
        let equal =
            found.states == published && known.into_iter().all(|edges| edges == found.transitions);
        println!(
            "{:<24} {:>10} {:>10} {:>11} {:>11} {:>11} {:>8.2} {}",
            format!("{model}.{instance}"),
            published,
            found.states,
            show(edges),
            show(ltsmin),
            found.transitions,
            start.elapsed().as_secs_f64(),
            score.add(equal)
        );
    }
    score
}

/// The rows with an answer on instances that are small enough.
fn answered<'b>(args: &'b Args, beem: &'b Beem, kind: &'b str) -> impl Iterator<Item = Row<'b>> {
    beem.properties.rows().filter(move |row| {
        row.get("prop_type") == kind
            && ["yes", "no"].contains(&row.get("published_answer"))
            && row.get("model").starts_with(&args.only)
            && beem
                .states(row.get("model"), row.get("instance"))
                .is_some_and(|states| states <= args.max_states)
    })
}

fn reachability(args: &Args, beem: &Beem) -> Score {
    let mut score = Score::default();
    println!("{:<24} {:>9} {:>11} {:>7}", "property", "published", "other", "lariat");
    for row in answered(args, beem, "reachability") {
        let (model, instance) = (row.get("model"), row.get("instance"));
        let file = format!("{model}.{instance}.dve");
        let Some(text) = beem.model(&file) else { continue };
        let Some(mut dve) = load(&file, &text, true) else { continue };
        let expression = beem.expression(model, instance, row.get("formula"));
        let goal = match dve::expression(&mut dve, "goal", &expression) {
            Ok(goal) => goal,
            Err(diagnostics) => {
                for diagnostic in &diagnostics {
                    eprint!("{}", render(&dve.model.sources, diagnostic, false));
                }
                println!("{file:<24} refused: {}", score.add(false));
                continue;
            }
        };
        let options = ExploreOptions {
            order: Order::BreadthFirst,
            conditions: vec![Condition { expr: goal, wanted: false }],
            stop_at_error: true,
            ignore_end_states: true,
            ..Default::default()
        };
        let found = explore(&dve.model, &options).expect("initial values were checked");
        let answer = if found.errors.contains_key("reached") { "yes" } else { "no" };
        // Two sources; for brp2 property 1 they disagree, and lariat says what the second does.
        let other = match row.get("btor_expected") {
            "reachable" => "yes",
            "safe" => "no",
            _ => row.get("published_answer"),
        };
        let equal = answer == other;
        println!(
            "{:<24} {:>9} {:>11} {:>7} {}",
            format!("{model}.{instance}.prop{}", row.get("prop")),
            row.get("published_answer"),
            row.get("btor_expected"),
            answer,
            score.add(equal)
        );
    }
    score
}

/// All ways, and what the other tools say.
fn ltl_properties(args: &Args, beem: &Beem) -> Score {
    let mut score = Score::default();
    println!(
        "{:<24} {:>9} {:>9} {:>8} {:>10} {:>6} {:>11} {:>10}",
        "property", "published", "ltsmin", "process", "states", "claim", "translation", "states"
    );
    for row in answered(args, beem, "LTL") {
        let (model, instance) = (row.get("model"), row.get("instance"));
        let name = format!("{model}.{instance}.prop{}", row.get("prop"));
        let file = format!("{name}.dve");
        let Some(text) = beem.model(&file) else { continue };
        let Some(dve) = load(&file, &text, true) else {
            println!("{file:<24} refused: {}", score.add(false));
            continue;
        };
        let Some(mut system) = load(&file, &text, false) else { continue };
        let process = ltl::by_process(&dve);
        let claim = ltl::by_claim(&system);
        let translation = ltl::by_translation(beem, &row, &mut system);
        let published = row.get("published_answer");
        let ltsmin = beem.ltsmin(&file).map_or("", |row| row.get("verdict"));
        let expected = Ok(published == "yes");
        let agrees = |answer: &Result<ltl::LtlAnswer, String>| {
            let holds = answer.as_ref().map(|answer| answer.holds).map_err(|_| ());
            holds == expected && (ltsmin.is_empty() || Ok(ltsmin == "holds") == holds)
        };
        println!(
            "{:<24} {:>9} {:>9} {:>8} {:>10} {:>6} {:>11} {:>10} {}",
            name,
            published,
            ltsmin,
            word(&process),
            process.as_ref().map_or(0, |answer| answer.states),
            word(&claim),
            word(&translation),
            translation.as_ref().map_or(0, |answer| answer.states),
            score.add([&process, &claim, &translation].into_iter().all(agrees))
        );
    }
    score
}

fn word(answer: &Result<ltl::LtlAnswer, String>) -> &str {
    match answer {
        Ok(answer) if answer.holds => "yes",
        Ok(_) => "no",
        Err(message) => message,
    }
}
