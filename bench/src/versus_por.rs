//! Partial-order reduction beside Spin's and LTSmin's, by their recorded answers:
//! `cargo run --release -p lariat-bench --bin versus-por -- CORPUS`
//!
//! Every model is checked with reduction and without. Verdicts must be equal; the table has the states of
//! both, those of the other tool, and the seconds of both.

#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use lariat_bench::versus::recorded::Table;
use serde_json::Value;

/// Compares states with partial-order reduction.
#[derive(Parser)]
struct Args {
    /// The folder with the models, as docs/corpus.md says
    #[arg(env = "LARIAT_CORPUS")]
    corpus: PathBuf,
    /// Only files with this in their path
    #[arg(long, default_value = "")]
    only: String,
    /// Seconds for each search
    #[arg(long, default_value_t = 20)]
    limit_seconds: u32,
    /// Models for which the other tool has fewer states are left out
    #[arg(long, default_value_t = 1_000)]
    least: u64,
    /// The program; the one beside this one without it
    #[arg(long)]
    lariat: Option<PathBuf>,
    /// Write the tables to this file
    #[arg(long)]
    output: Option<PathBuf>,
}

/// What another tool counts.
struct Other {
    path: String,
    plain: Option<u64>,
    reduced: u64,
}

/// One search of ours.
struct Ours {
    verdict: String,
    states: u64,
    seconds: f64,
}

struct Row {
    other: Other,
    plain: Ours,
    reduced: Ours,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<bool, String> {
    let mut out = String::from("# Partial-order reduction beside Spin's and LTSmin's\n\n");
    out += "`cargo run --release -p lariat-bench --bin versus-por -- CORPUS`. States with the reduction \
            of each tool and without; seconds of lariat's two searches. Safety, complete searches only.\n";
    let mut is_equal = true;
    for (tool, others) in [("Spin", spin(args)?), ("LTSmin", ltsmin(args)?)] {
        let mut rows = Vec::new();
        for other in others {
            let file = args.corpus.join(&other.path);
            let (plain, reduced) = (ask(args, &file, &["--no-por"])?, ask(args, &file, &[])?);
            if plain.verdict != reduced.verdict {
                let (one, two) = (&plain.verdict, &reduced.verdict);
                println!("{}: {one} without reduction, {two} with it", other.path);
                is_equal &= [one, two].iter().any(|verdict| **verdict == "inconclusive");
            } else if plain.verdict == "holds" {
                rows.push(Row { other, plain, reduced });
            }
        }
        out += &table(tool, &rows);
    }
    print!("{out}");
    if let Some(path) = &args.output {
        std::fs::write(path, &out).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(is_equal)
}

fn read(args: &Args, name: &str) -> Result<Table, String> {
    let path = args.corpus.join(name);
    let text = std::fs::read_to_string(&path);
    Ok(Table::new(&text.map_err(|error| format!("{}: {error}", path.display()))?))
}

/// Models that Spin has gone through both ways.
fn spin(args: &Args) -> Result<Vec<Other>, String> {
    let table = read(args, "spin_ref.csv")?;
    let complete = |mode: &str, path: &str| {
        let is_it = |row: &lariat_bench::versus::recorded::Row<'_>| {
            row.get("path") == path && row.get("mode") == mode && row.get("status") == "complete"
        };
        table.rows().find(is_it)?.get("states").parse().ok()
    };
    let mut found = Vec::new();
    for row in table.rows().filter(|row| row.get("mode") == "safety_por") {
        let path = row.get("path");
        let (plain, reduced) = (complete("safety_nored", path), complete("safety_por", path));
        let is_wanted = row.get("dup_of").is_empty() && path.contains(&args.only);
        if let (true, Some(_), Some(reduced)) = (is_wanted, plain, reduced)
            && reduced >= args.least
            && args.corpus.join(path).exists()
        {
            found.push(Other { path: path.to_owned(), plain, reduced });
        }
    }
    Ok(found)
}

/// Models whose states LTSmin has counted with its reduction.
fn ltsmin(args: &Args) -> Result<Vec<Other>, String> {
    let table = read(args, "beem/ltsmin_ref.csv")?;
    let of_row = |row: lariat_bench::versus::recorded::Row<'_>| {
        let path = format!("beem/dve/{}", row.get("file"));
        let reduced = row.get("por_states").parse().ok()?;
        let is_wanted = path.contains(&args.only) && args.corpus.join(&path).exists();
        let plain = row.get("states").parse().ok();
        (is_wanted && reduced >= args.least).then_some(Other { path, plain, reduced })
    };
    Ok(table.rows().filter_map(of_row).collect())
}

fn ask(args: &Args, model: &Path, more: &[&str]) -> Result<Ours, String> {
    let beside = || {
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        Ok::<_, String>(own.with_file_name("lariat"))
    };
    let lariat = args.lariat.clone().map_or_else(beside, Ok)?;
    let limit = args.limit_seconds.to_string();
    let usual = ["check", "--safety", "--json", "--no-save", "--quiet", "--time-limit", &limit];
    let output = Command::new(&lariat).args(usual).args(more).arg(model).output();
    let output = output.map_err(|error| format!("{}: {error}", lariat.display()))?;
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let safety = &report["properties"][0];
    let statistics = &safety["statistics"];
    Ok(Ours {
        verdict: safety["verdict"].as_str().unwrap_or("refused").to_owned(),
        states: statistics["states"].as_u64().unwrap_or(0),
        seconds: statistics["seconds"].as_f64().unwrap_or(0.0),
    })
}

fn table(tool: &str, rows: &[Row]) -> String {
    let mut out = format!(
        "\n## {tool}\n\n| model | {tool} | {tool}, reduced | lariat | lariat, reduced | s | s, \
         reduced | |\n|---|---:|---:|---:|---:|---:|---:|---|\n"
    );
    for Row { other, plain, reduced } in rows {
        let known = other.plain.map_or(String::new(), |states| states.to_string());
        let remark = if reduced.states > other.reduced { "more" } else { "" };
        let _ = writeln!(
            out,
            "| {} | {known} | {} | {} | {} | {:.2} | {:.2} | {remark} |",
            other.path, other.reduced, plain.states, reduced.states, plain.seconds, reduced.seconds
        );
    }
    let sum = |of: fn(&Row) -> f64| rows.iter().map(of).sum::<f64>();
    let fewer = rows.iter().filter(|row| row.reduced.states <= row.other.reduced).count();
    let _ = writeln!(
        out,
        "\n{} models; not more states than {tool} on {fewer}. Reduced states in all: {tool} {}, lariat \
         {} ({:.2}). Seconds in all: {:.1} without reduction, {:.1} with it ({:.2}).",
        rows.len(),
        sum(|row| row.other.reduced as f64),
        sum(|row| row.reduced.states as f64),
        sum(|row| row.reduced.states as f64) / sum(|row| row.other.reduced as f64).max(1.0),
        sum(|row| row.plain.seconds),
        sum(|row| row.reduced.seconds),
        sum(|row| row.reduced.seconds) / sum(|row| row.plain.seconds).max(0.01),
    );
    out
}
