//! lariat and Spin side by side over a corpus of Promela files:
//! `cargo run --release -p lariat-bench --bin versus-spin -- CORPUS`

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use lariat_bench::versus::recorded::Recorded;
use lariat_bench::versus::row::{Agreement, Row};
use lariat_bench::versus::{files, spin};

/// Compares states, transitions, depth and verdicts with Spin's.
#[derive(Parser)]
struct Args {
    /// The folder with the models, as docs/corpus.md says
    #[arg(env = "LARIAT_CORPUS")]
    corpus: PathBuf,
    /// Seconds of a processor for each search of Spin; lariat has ten times as much by the clock
    #[arg(long, default_value_t = 20.0)]
    limit_seconds: f64,
    /// Only files with this in their path
    #[arg(long, default_value = "")]
    only: String,
    /// Leave out the first files
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Files at a time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Start no new file after so many minutes
    #[arg(long)]
    budget_minutes: Option<f64>,
    /// Take Spin's answers from the corpus instead of running it
    #[arg(long)]
    recorded: bool,
    /// Write the table to this file
    #[arg(long)]
    output: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if !args.recorded && !spin::is_installed() {
        eprintln!("error: spin and gcc are needed, or --recorded");
        return ExitCode::from(2);
    }
    let models: Vec<String> = match files::models(&args.corpus) {
        Ok(models) => {
            let wanted = models.into_iter().filter(|path| path.contains(&args.only));
            wanted.skip(args.skip).collect()
        }
        Err(error) => {
            eprintln!("error: cannot read {}: {error}", args.corpus.display());
            return ExitCode::from(2);
        }
    };
    let recorded = match args.recorded.then(|| Recorded::read(&args.corpus)).transpose() {
        Ok(recorded) => recorded,
        Err(error) => {
            eprintln!("error: no recorded answers in {}: {error}", args.corpus.display());
            return ExitCode::from(2);
        }
    };
    let rows = measure(&args, &models, recorded.as_ref());
    let report = report(&args, models.len(), &rows);
    print!("{}", report.summary);
    if let Some(path) = &args.output
        && let Err(error) = std::fs::write(path, report.table + &report.summary)
    {
        eprintln!("error: cannot write {}: {error}", path.display());
        return ExitCode::from(2);
    }
    if report.all_equal { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Runs both tools on the files, some at a time; the rows in the order of the files.
fn measure(args: &Args, models: &[String], recorded: Option<&Recorded>) -> Vec<Row> {
    let limit = Duration::from_secs_f64(args.limit_seconds);
    let budget = args.budget_minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(|| {
                while budget.is_none_or(|budget| started.elapsed() < budget) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = models.get(number) else { return };
                    let row = match recorded {
                        Some(recorded) => {
                            let spin = recorded.answer(path);
                            Ok(Row::beside(spin, &args.corpus, path, limit))
                        }
                        None => Row::measure(&args.corpus, path, number, limit),
                    };
                    match row {
                        Ok(row) => {
                            println!("{}", row.cells().join("  "));
                            rows.lock().expect("no thread panicked").push((number, row));
                        }
                        Err(error) => eprintln!("error: {path}: {error}"),
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().expect("no thread panicked");
    rows.sort_by_key(|&(number, _)| number);
    rows.into_iter().map(|(_, row)| row).collect()
}

struct Report {
    table: String,
    summary: String,
    all_equal: bool,
}

fn report(args: &Args, files: usize, rows: &[Row]) -> Report {
    let mut table = String::from("# States and verdicts beside Spin's\n\n");
    table += &format!(
        "`cargo run --release -p lariat-bench --bin versus-spin -- {}`\n\n",
        arguments(args)
    );
    table += "Spin 6.5.2 by `spin -o1 -o2 -o3 -a`, `gcc -O2 -DSAFETY -DNOREDUCE -DNOCLAIM`; \
              states by `pan -E -A -c0 -m1000000` and `lariat count`, verdicts by \
              `pan -m1000000` and `lariat check`.\n\n";
    table += "| file | Spin: states | lariat | Spin: verdict | lariat | |\n|---|---:|---:|---|---|---|\n";
    for row in rows {
        table += &format!("| {} |\n", row.cells().join(" | "));
    }
    let summary = summary(files, rows);
    let differs =
        |row: &Row| row.states() == Agreement::Different || row.verdicts() == Agreement::Different;
    Report { table, summary, all_equal: !rows.iter().any(differs) }
}

/// The command line again.
fn arguments(args: &Args) -> String {
    let mut line = format!("{} --limit-seconds {}", args.corpus.display(), args.limit_seconds);
    if !args.only.is_empty() {
        line += &format!(" --only {}", args.only);
    }
    if args.skip > 0 {
        line += &format!(" --skip {}", args.skip);
    }
    if let Some(minutes) = args.budget_minutes {
        line += &format!(" --budget-minutes {minutes}");
    }
    if args.recorded {
        line += " --recorded";
    }
    line
}

fn summary(files: usize, rows: &[Row]) -> String {
    let tally = |question: fn(&Row) -> Agreement| {
        let count = |wanted| rows.iter().filter(|row| question(row) == wanted).count();
        (count(Agreement::Equal), count(Agreement::Different))
    };
    let line = |what: &str, (equal, different): (usize, usize)| {
        let all = equal + different;
        let percent = 100.0 * equal as f64 / all.max(1) as f64;
        format!("- {what}: {equal} of {all} equal ({percent:.1} %)\n")
    };
    let mut out = format!("\n{} of {files} files run.\n\n", rows.len());
    out += &line("states", tally(Row::states));
    out += &line("transitions and depth", tally(Row::transitions_and_depth));
    out += &line("verdict and kind of error", tally(Row::verdicts));
    let embedded = rows.iter().filter(|row| row.has_embedded_c()).count();
    out += &format!("- with embedded C, refused by lariat: {embedded}\n");
    let disagree: Vec<&Row> =
        rows.iter().filter(|row| row.only_one_accepts() && !row.has_embedded_c()).collect();
    out += &format!("- accepted by only one of the two: {}\n", disagree.len());
    for row in disagree {
        out += &format!("  - {}\n", row.cells().join(" · "));
    }
    out
}
