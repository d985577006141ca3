//! Partial-order reduction beside Spin's and LTSmin's, by their recorded answers:
//! `cargo run --release -p lariat-bench --bin versus-por -- CORPUS`
//!
//! Every model is checked with reduction and without. Verdicts must be equal; the tables have the states of
//! both, those of the other tool, and the time of both on a processor. Temporal properties are asked of Spin
//! at once, as its records have no reduction.

#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Parser, ValueEnum};
use lariat_bench::cpu::children_seconds;
use lariat_bench::ltl::pan::Pan;
use lariat_bench::ltl::rows::{Row as Question, recorded};
use lariat_bench::versus::recorded::Table;
use lariat_bench::versus::spin;
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
    /// Only these tables
    #[arg(long, value_delimiter = ',')]
    sections: Vec<Section>,
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

/// The tables of the page, in its order.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Section {
    /// Models that Spin has gone through both ways
    Spin,
    /// Models that LTSmin has gone through with reduction
    Ltsmin,
    /// Large instances of BEEM
    Beem,
    /// Large Promela models
    Promela,
    /// Temporal properties, Spin at once
    Temporal,
    /// The election of a leader, Spin at once
    Leader,
}

impl Section {
    /// Its heading and what it has.
    fn heading(self) -> &'static str {
        match self {
            Section::Spin => {
                "Spin\n\nSafety of the models that Spin has gone through with its reduction and without."
            }
            Section::Ltsmin => {
                "LTSmin\n\nSafety of the models that LTSmin has gone through with its reduction."
            }
            Section::Beem => {
                "BEEM\n\nSafety of every DVE instance of which BEEM has seen at least 100,000 states; the first column has its \
                 count where it came to an end."
            }
            Section::Promela => {
                "Larger Promela models\n\nSafety of the models of which Spin has counted at least 100,000 states without \
                 reduction, completely or not."
            }
            Section::Temporal => {
                "Temporal properties\n\nOf the corpus, as far as they hold; product states, of Spin with its reduction and \
                 without, by `pan -a` at once."
            }
            Section::Leader => "Election of a leader",
        }
    }

    /// The tool beside ours.
    fn tool(self) -> &'static str {
        match self {
            Section::Ltsmin => "LTSmin",
            Section::Beem => "BEEM",
            _ => "Spin",
        }
    }
}

/// Models with so many states are large.
const LARGE: u64 = 100_000;

/// What another tool counts.
struct Other {
    path: String,
    plain: Option<u64>,
    reduced: Option<u64>,
}

/// One search of ours: the shortest time of some.
struct Ours {
    verdict: String,
    states: u64,
    seconds: f64,
    reduced: bool,
}

impl Row {
    /// Whether at least one state of a hundred was left out.
    fn is_reduced(&self) -> bool {
        self.reduced.states * 100 < self.plain.states * 99
    }
}

/// What was seen beside the rows.
struct Seen {
    /// Whether all verdicts were equal
    is_equal: bool,
    /// Models that are gone through with reduction only, with seconds
    only_reduced: Vec<String>,
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
            of each tool and without; user and system seconds of lariat's two runs, start and analysis included, the shortest of \
            three (one, if it takes longer than two seconds). Complete searches only.\n";
    let mut seen = Seen { is_equal: true, only_reduced: Vec::new() };
    let mut all: Vec<Row> = Vec::new();
    for &section in Section::value_variants() {
        let needs_spin = matches!(section, Section::Temporal | Section::Leader);
        let is_wanted = args.sections.is_empty() || args.sections.contains(&section);
        if !is_wanted || needs_spin && !spin::is_installed() {
            continue;
        }
        let _ = writeln!(out, "\n## {}", section.heading());
        let mut safety = |others| rows(args, others, &["--safety"], &mut seen);
        let rows = match section {
            Section::Spin => safety(spin(args)?)?,
            Section::Ltsmin => safety(ltsmin(args)?)?,
            Section::Beem => safety(beem(args)?)?,
            Section::Promela => safety(large_promela(args)?)?,
            Section::Temporal => temporal(args, &mut seen)?,
            Section::Leader => {
                out += &leader(args)?;
                continue;
            }
        };
        out += &table(section.tool(), &rows);
        all.extend(rows);
    }
    // A model may be in two tables.
    all.sort_by(|one, other| one.other.path.cmp(&other.other.path));
    all.dedup_by(|one, other| one.other.path == other.other.path);
    let _ = writeln!(out, "\n## All tables, each model once\n\n{}", times(&all));
    if !seen.only_reduced.is_empty() {
        let _ = writeln!(
            out,
            "\nIn no sum, because without reduction they do not end in {} s or in the memory: {}.",
            args.limit_seconds,
            seen.only_reduced.join(", ")
        );
    }
    print!("{out}");
    if let Some(path) = &args.output {
        std::fs::write(path, &out).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(seen.is_equal)
}

/// Asks both ways. Models that are not gone through are left out.
fn rows(
    args: &Args,
    others: Vec<Other>,
    how: &[&str],
    seen: &mut Seen,
) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for other in others {
        let file = args.corpus.join(other.path.split(' ').next().unwrap_or(""));
        let (mut plain, mut reduced) =
            (ask(args, &file, &[how, &["--no-por"]].concat())?, ask(args, &file, how)?);
        if plain.verdict != reduced.verdict {
            let (one, two) = (&plain.verdict, &reduced.verdict);
            println!("{}: {one} without reduction, {two} with it", other.path);
            if two == "holds" {
                seen.only_reduced.push(format!("{} ({:.1} s)", other.path, reduced.seconds));
            }
            seen.is_equal &= [one, two].iter().any(|verdict| **verdict == "inconclusive");
        } else if plain.verdict == "holds" {
            for _ in 1..if plain.seconds > 2.0 { 1 } else { 3 } {
                let again =
                    (ask(args, &file, &[how, &["--no-por"]].concat())?, ask(args, &file, how)?);
                plain.seconds = plain.seconds.min(again.0.seconds);
                reduced.seconds = reduced.seconds.min(again.1.seconds);
            }
            rows.push(Row { other, plain, reduced });
        }
    }
    Ok(rows)
}

/// Promela models that are large without reduction.
fn large_promela(args: &Args) -> Result<Vec<Other>, String> {
    let table = read(args, "spin_ref.csv")?;
    let of_row = |row: lariat_bench::versus::recorded::Row<'_>| {
        let path = row.get("path");
        let states: u64 = row.get("states").parse().ok()?;
        let is_wanted = row.get("mode") == "safety_nored"
            && !row.get("status").contains("error")
            && row.get("dup_of").is_empty()
            && path.contains(&args.only)
            && args.corpus.join(path).exists();
        let plain = (row.get("status") == "complete").then_some(states);
        let other = Other { path: path.to_owned(), plain, reduced: None };
        (is_wanted && states >= LARGE).then_some(other)
    };
    Ok(table.rows().filter_map(of_row).collect())
}

/// Questions about runs that hold, with Spin's answers.
fn temporal(args: &Args, seen: &mut Seen) -> Result<Vec<Row>, String> {
    let questions = recorded(&args.corpus).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    let is_wanted = |question: &&Question| !question.fair && question.path.contains(&args.only);
    for (number, question) in questions.iter().enumerate().filter(|(_, it)| is_wanted(it)) {
        let model = args.corpus.join(&question.path);
        let limit = std::time::Duration::from_secs(args.limit_seconds.into());
        let (flags, pan_args) = question.of_pan();
        let states = |flags: &[&str], name: &str| -> Option<u64> {
            let pan = Pan::build_reduced(&model, flags, name).ok()?.ok()?;
            let said = pan.output(&[&["-m1000000"], &pan_args[..]].concat(), limit).ok()??;
            spin::states_without_error(&said.1)
        };
        let plain = states(&[&["-DNOREDUCE"], &flags[..]].concat(), &format!("{number}-plain"));
        let Some(plain) = plain.filter(|&states| states >= args.least) else { continue };
        let Some(reduced) = states(&flags, &format!("{number}-reduced")) else { continue };
        let path = format!("{} {}", question.path, question.mode());
        let other = Other { path, plain: Some(plain), reduced: Some(reduced) };
        let how = question.arguments();
        let how: Vec<&str> = how.iter().map(String::as_str).collect();
        found.extend(rows(args, vec![other], &how, seen)?);
    }
    Ok(found)
}

/// An election, which Spin reduces well: its verifier beside lariat.
fn leader(args: &Args) -> Result<String, String> {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/leader_dkr.pml");
    let limit = std::time::Duration::from_secs(args.limit_seconds.into());
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", model.display());
    let pan = Pan::build_reduced(&model, &["-DSAFETY"], "leader")
        .map_err(|error| failed(&error))?
        .map_err(|said| failed(&said))?;
    let (mut theirs, mut states) = (f64::MAX, None);
    let mut ours = ask(args, &model, &["--safety"])?;
    for _ in 0..3 {
        let before = children_seconds();
        let said = pan.output(&["-m100000"], limit).map_err(|error| failed(&error))?;
        theirs = theirs.min(children_seconds() - before);
        states = said.and_then(|(_, said)| spin::states_without_error(&said));
        ours.seconds = ours.seconds.min(ask(args, &model, &["--safety"])?.seconds);
    }
    Ok(format!(
        "\n`bench/models/leader_dkr.pml`, six nodes, reduced by both. Spin's verifier (compiled with \
         -O2 -DSAFETY before): {} states, {theirs:.2} s. lariat: {}, {} states, {:.2} s ({:.1} times as long).\n",
        states.map_or("?".to_owned(), |states| states.to_string()),
        ours.verdict,
        ours.states,
        ours.seconds,
        ours.seconds / theirs.max(0.01),
    ))
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
            found.push(Other { path: path.to_owned(), plain, reduced: Some(reduced) });
        }
    }
    Ok(found)
}

/// Models that LTSmin has gone through with its reduction.
fn ltsmin(args: &Args) -> Result<Vec<Other>, String> {
    let table = read(args, "beem/ltsmin_ref.csv")?;
    let of_row = |row: lariat_bench::versus::recorded::Row<'_>| {
        let path = format!("beem/dve/{}", row.get("file"));
        let reduced: Option<u64> = row.get("por_states").parse().ok();
        let plain: Option<u64> = row.get("states").parse().ok();
        let is_wanted = path.contains(&args.only)
            && !path.contains(".prop")
            && args.corpus.join(&path).exists()
            && reduced.is_some_and(|states| states >= args.least);
        is_wanted.then_some(Other { path, plain, reduced })
    };
    Ok(table.rows().filter_map(of_row).collect())
}

/// Large instances, whether BEEM came to their end or not.
fn beem(args: &Args) -> Result<Vec<Other>, String> {
    let table = read(args, "beem/beem_instances.csv")?;
    let of_row = |row: lariat_bench::versus::recorded::Row<'_>| {
        let path = format!("beem/dve/{}.{}.dve", row.get("model"), row.get("instance"));
        let states: u64 = row.get("states").parse().ok()?;
        let is_wanted =
            path.contains(&args.only) && states >= LARGE && args.corpus.join(&path).exists();
        let plain = (row.get("reach_complete") == "yes").then_some(states);
        is_wanted.then_some(Other { path, plain, reduced: None })
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
    // One thread: others would add what they wait to the seconds of the processor.
    let usual =
        ["check", "--json", "--no-save", "--quiet", "--threads", "1", "--time-limit", &limit];
    let before = children_seconds();
    let output = Command::new(&lariat).args(usual).args(more).arg(model).output();
    let seconds = children_seconds() - before;
    let output = output.map_err(|error| format!("{}: {error}", lariat.display()))?;
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let safety = &report["properties"][0];
    let statistics = &safety["statistics"];
    Ok(Ours {
        verdict: safety["verdict"].as_str().unwrap_or("refused").to_owned(),
        states: statistics["states"].as_u64().unwrap_or(0),
        seconds,
        reduced: safety["reduced"].as_bool().unwrap_or(false),
    })
}

fn table(tool: &str, rows: &[Row]) -> String {
    let mut out = format!(
        "\n| model | {tool} | {tool}, reduced | lariat | lariat, reduced | s | s, \
         reduced | |\n|---|---:|---:|---:|---:|---:|---:|---|\n"
    );
    let known = |states: Option<u64>| states.map_or(String::new(), |states| states.to_string());
    for Row { other, plain, reduced } in rows {
        let remark = match other.reduced {
            _ if !reduced.reduced => "no reduction",
            Some(states) if reduced.states > states => "more",
            _ => "",
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {:.2} | {:.2} | {remark} |",
            other.path,
            known(other.plain),
            known(other.reduced),
            plain.states,
            reduced.states,
            plain.seconds,
            reduced.seconds
        );
    }
    let compared: Vec<&Row> = rows.iter().filter(|row| row.other.reduced.is_some()).collect();
    let theirs: u64 = compared.iter().filter_map(|row| row.other.reduced).sum();
    let ours: u64 = compared.iter().map(|row| row.reduced.states).sum();
    let fewer = compared.iter().filter(|row| Some(row.reduced.states) <= row.other.reduced).count();
    if !compared.is_empty() {
        let _ = writeln!(
            out,
            "\n{} models with their reduction; not more states than {tool} on {fewer}. Reduced states in \
             all: {tool} {theirs}, lariat {ours} ({:.2}).",
            compared.len(),
            ours as f64 / theirs.max(1) as f64,
        );
    }
    let _ = writeln!(out, "\n{}", times(rows));
    out
}

/// The times of both ways, in all and where something is left out.
fn times(rows: &[Row]) -> String {
    let of = |which: &dyn Fn(&&Row) -> bool, name: &str| {
        let rows: Vec<&Row> = rows.iter().filter(which).collect();
        let plain: f64 = rows.iter().map(|row| row.plain.seconds).sum();
        let reduced: f64 = rows.iter().map(|row| row.reduced.seconds).sum();
        let ratio = reduced / plain.max(0.01);
        let count = rows.len();
        format!(
            "{name} ({count} models): {plain:.2} s without, {reduced:.2} s with it ({ratio:.2})"
        )
    };
    // What the ratio of all cannot fall below, however fast a search with reduction is.
    let plain: f64 = rows.iter().map(|row| row.plain.seconds).sum();
    let rest = rows.iter().filter(|row| !row.is_reduced());
    let floor = rest.map(|row| row.plain.seconds).sum::<f64>() / plain.max(0.01);
    format!(
        "Time: {}; {}; {}. If nothing were lost on the former and the others took no time at all, it would be {floor:.2}.",
        of(&|_| true, "all"),
        of(&|row| !row.is_reduced(), "those where fewer than 1 % of the states are left out"),
        of(&|row| row.is_reduced(), "the others")
    )
}
