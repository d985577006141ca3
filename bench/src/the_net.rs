//! The net: every switch of lariat on random models.
//! `cargo build --release && cargo run --release -p lariat-bench --bin net -- --models 20000`

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Parser;
use lariat_bench::ltl::ours::Lariat;
use lariat_bench::net::case::Language;
use lariat_bench::net::coverage::Coverage;
use lariat_bench::net::hunt::{Hunt, Tally, hunt, shown, source};
use lariat_bench::net::mistakes::MISTAKES;
use lariat_bench::versus::spin;

/// Compares the answers of lariat under all its switches on random models (docs/net.md)
#[derive(Parser)]
struct Args {
    /// How many models
    #[arg(long, default_value_t = 200)]
    models: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Models that are looked at side by side
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Settings of the switches that are tried on each model, beside the plain one
    #[arg(long, default_value_t = 12)]
    configs: usize,
    /// Ask Spin about every Nth model; 0 is never
    #[arg(long, value_name = "N", default_value_t = 20)]
    spin_every: u64,
    /// Stop after so many findings
    #[arg(long, default_value_t = 20)]
    most_findings: usize,
    /// Stop after so many minutes
    #[arg(long)]
    minutes: Option<u64>,
    /// Where findings are written
    #[arg(long, default_value = "net-findings")]
    out: PathBuf,
    /// Print the models with these numbers, and stop
    #[arg(long, value_name = "NUMBER")]
    show: Vec<u64>,
    /// The program; the one beside this one without it
    #[arg(long)]
    lariat: Option<PathBuf>,
    /// Test the net itself: lariat makes mistakes on purpose, one after the other, and each must be
    /// found within --minutes (10 without it). The program must be built with them: `cargo build
    /// --release -p lariat-cli --features mistakes --target-dir target/mistakes`, then `--lariat
    /// target/mistakes/release/lariat`
    #[arg(long, value_name = "NAMES", num_args = 0.., value_delimiter = ',')]
    mistakes: Option<Vec<String>>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let coverage = Arc::new(Mutex::new(Coverage::new()));
    let mut make = source(args.seed, coverage.clone());
    if let Some(&last) = args.show.iter().max() {
        for number in 1..=last {
            let case = make(number);
            if args.show.contains(&number) {
                print!("{}", shown(&case));
            }
        }
        return ExitCode::SUCCESS;
    }
    let Some(program) = args.lariat.clone().or_else(Lariat::beside_this) else {
        eprintln!("error: no lariat beside this program; build it first, or use --lariat");
        return ExitCode::from(2);
    };
    let has_spin = spin::is_installed();
    let work = Hunt {
        lariat: program,
        models: args.models,
        jobs: args.jobs.max(1),
        seed: args.seed,
        configs: args.configs.max(1),
        spin_every: if has_spin { args.spin_every } else { 0 },
        mistake: None,
        out: Some(args.out.clone()),
        most_findings: args.most_findings,
        limit: Duration::from_secs(60 * args.minutes.unwrap_or(600)),
        shows_progress: true,
    };
    if let Some(names) = &args.mistakes {
        return find_mistakes(&args, &work, names);
    }
    match hunt(&work, &mut make) {
        Ok(tally) => {
            print!("{}", report(&tally, args.seed));
            let coverage = coverage.lock().expect("no job panics");
            print!("{coverage}{}", never_made(&coverage));
            if tally.caught.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Each mistake until it is found.
fn find_mistakes(args: &Args, work: &Hunt, names: &[String]) -> ExitCode {
    let unknown = names.iter().find(|name| MISTAKES.iter().all(|known| known.name != **name));
    if let Some(unknown) = unknown {
        eprintln!("error: no mistake is called {unknown}");
        return ExitCode::from(2);
    }
    println!("| mistake | file | models | seconds | found by | lines |\n|---|---|---|---|---|---|");
    let mut missed = 0;
    for mistake in MISTAKES.iter().filter(|m| names.is_empty() || names.contains(&m.name.into())) {
        let work = Hunt {
            mistake: Some(mistake.name.to_owned()),
            models: u64::MAX,
            most_findings: 1,
            limit: Duration::from_secs(60 * args.minutes.unwrap_or(10)),
            out: Some(args.out.join(mistake.name)),
            shows_progress: false,
            ..work.clone()
        };
        let mut make = source(args.seed, Arc::default());
        let found = match hunt(&work, &mut make) {
            Ok(tally) => tally.caught.into_iter().next(),
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::from(2);
            }
        };
        missed += usize::from(found.is_none());
        let cells = found.map_or("| - | - | NOT FOUND | -".to_owned(), |caught| {
            let by = [&[caught.what.in_words()], &caught.switches[..]].concat().join(", ");
            let seconds = caught.elapsed.as_secs_f64();
            format!("| {} | {seconds:.0} | {by} | {}", caught.after, caught.lines)
        });
        println!("| {}: {} | {} {cells} |", mistake.name, mistake.about, mistake.file);
    }
    println!("\n{missed} not found");
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Pairs that no model had.
fn never_made(coverage: &Coverage) -> String {
    const SHOWN: usize = 40;
    let mut text = String::new();
    for (language, name) in [(Language::Promela, "Promela"), (Language::Dve, "DVE")] {
        let never = coverage.never_made(language);
        text += &format!("{name}: {} pairs were never made\n", never.len());
        never.iter().take(SHOWN).for_each(|pair| text += &format!("  {pair}\n"));
    }
    text
}

fn report(tally: &Tally, seed: u64) -> String {
    let Tally { models, runs, questions, answers, by_spin, open_by_spin, pairs, .. } = tally;
    let verdicts: Vec<String> =
        tally.verdicts.iter().map(|(said, count)| format!("{count} {said}")).collect();
    let mut text = format!(
        "\n{models} models from seed {seed}, {questions} questions ({}), {answers} answers in \
         {runs} runs\npairs of settings: {} of {}\nby Spin: {by_spin} answers compared, \
         {open_by_spin} without an answer of Spin\n",
        verdicts.join(", "),
        pairs.0,
        pairs.1
    );
    let lists = [
        ("refused", &tally.refused),
        ("refused by Spin", &tally.refused_by_spin),
        ("inconclusive", &tally.open),
    ];
    for (title, list) in lists {
        let mut list: Vec<_> = list.iter().collect();
        list.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
        let all: u64 = list.iter().map(|&(_, count)| count).sum();
        text += &format!("{title}: {all}\n");
        for (why, count) in list.iter().take(8) {
            text += &format!("  {count:6} {why}\n");
        }
    }
    text += &format!("findings: {}\n", tally.caught.len());
    for caught in &tally.caught {
        text += &format!(
            "  seed {}: {}, {} lines, switches: {}\n",
            caught.seed,
            caught.what.in_words(),
            caught.lines,
            caught.switches.join(", ")
        );
    }
    text
}
