//! lariat beside Spin on every question about infinite runs that the corpus has an answer to:
//! `cargo build --release && cargo run --release -p lariat-bench --bin versus-spin-ltl -- CORPUS`

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use lariat_bench::ltl::Verdict;
use lariat_bench::ltl::ours::Lariat;
use lariat_bench::ltl::pan::Pan;
use lariat_bench::ltl::rows::{About, Row, recorded, unrecorded};
use lariat_bench::versus::spin;

/// Compares verdicts on `ltl`, `never`, accept labels and non-progress cycles, with and without
/// fairness.
#[derive(Parser)]
struct Args {
    /// The folder with the models, as docs/corpus.md says
    #[arg(env = "LARIAT_CORPUS")]
    corpus: PathBuf,
    /// Run every check that applies, not the default one only
    #[arg(long)]
    all_checks: bool,
    /// Ask Spin, too, where the record has no answer; so many seconds for each search
    #[arg(long, value_name = "SECONDS")]
    live: Option<u64>,
    /// Only questions with this in their path or mode
    #[arg(long, default_value = "")]
    only: String,
    /// Seconds for each search of lariat
    #[arg(long, default_value_t = 120)]
    limit_seconds: u64,
    /// The program; the one beside this one without it
    #[arg(long)]
    lariat: Option<PathBuf>,
    /// Write the table to this file
    #[arg(long)]
    output: Option<PathBuf>,
}

/// The checks of `lariat algorithms`; those that take several marks first.
const CHECKS: [&str; 15] = [
    "dijkstra",
    "gabow",
    "tarjan-tgba",
    "ascc",
    "c99",
    "tauriainen",
    "cvwy",
    "hpy",
    "gmz",
    "se",
    "and",
    "sd",
    "reach",
    "tarjan",
    "gv",
];

/// A row and its answers.
struct Line {
    row: Row,
    spin: Verdict,
    is_live: bool,
    ours: Result<Verdict, String>,
    /// Names of the checks that say the same as the default one, and what others say.
    agreeing: Vec<String>,
    others: Vec<String>,
}

impl Line {
    fn is_equal(&self) -> bool {
        self.ours == Ok(self.spin) && self.others.is_empty()
    }

    fn is_open(&self) -> bool {
        self.spin == Verdict::Cut || self.ours == Ok(Verdict::Cut)
    }

    fn text(&self) -> String {
        let ours = match &self.ours {
            Ok(verdict) => verdict.name().to_owned(),
            Err(message) => message.trim().replace('\n', " "),
        };
        let equal = match (self.is_open(), self.is_equal()) {
            (true, _) => "open",
            (_, true) => "equal",
            _ => "DIFFERENT",
        };
        let mut checks = match self.agreeing.len() {
            0 => String::new(),
            count => format!("{count} checks"),
        };
        for other in &self.others {
            checks += &format!(", {other}");
        }
        format!(
            "{} | {} | {}{} | {ours} | {equal} | {checks}",
            self.row.path,
            self.row.mode(),
            self.spin.name(),
            if self.is_live { " (live)" } else { "" },
        )
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Some(program) = args.lariat.clone().or_else(Lariat::beside_this) else {
        eprintln!("error: no lariat beside this program; build it first, or use --lariat");
        return ExitCode::from(2);
    };
    if args.live.is_some() && !spin::is_installed() {
        eprintln!("error: spin and gcc are needed for --live");
        return ExitCode::from(2);
    }
    let corpus = match args.corpus.canonicalize() {
        Ok(corpus) => corpus,
        Err(error) => return fail(&format!("cannot read {}: {error}", args.corpus.display())),
    };
    let mut rows = match recorded(&corpus) {
        Ok(rows) => rows,
        Err(error) => return fail(&format!("cannot read the recorded answers: {error}")),
    };
    if args.live.is_some() {
        let more = unrecorded(&corpus, &rows);
        rows.extend(more);
    }
    let folder = std::env::temp_dir();
    let lariat = Lariat { program, limit_seconds: args.limit_seconds, folder };
    let mut lines = Vec::new();
    for (number, row) in rows.into_iter().enumerate() {
        if !row.path.contains(&args.only) && !row.mode().contains(&args.only) {
            continue;
        }
        let asked = match (row.recorded, args.live) {
            (Some(verdict), _) => Ok((verdict, false)),
            (None, None) => continue,
            (None, Some(seconds)) => live(&corpus, &row, number, seconds).map(|v| (v, true)),
        };
        let (spin, is_live) = match asked {
            Ok(answer) => answer,
            Err(message) => {
                eprintln!("{} {}: Spin: {}", row.path, row.mode(), message.trim());
                continue;
            }
        };
        let line = ask(&lariat, &corpus, row, spin, is_live, args.all_checks);
        println!("{}", line.text());
        lines.push(line);
    }
    let equal = lines.iter().filter(|line| line.is_equal() && !line.is_open()).count();
    let open = lines.iter().filter(|line| line.is_open()).count();
    let summary = format!("{equal} of {} equal, {open} open\n", lines.len() - open);
    print!("\n{summary}");
    if let Some(path) = &args.output
        && let Err(error) = std::fs::write(path, document(&args, &lines, &summary))
    {
        return fail(&format!("cannot write {}: {error}", path.display()));
    }
    if equal + open == lines.len() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}

/// Spin's own answer, now.
fn live(
    corpus: &std::path::Path,
    row: &Row,
    number: usize,
    seconds: u64,
) -> Result<Verdict, String> {
    let (flags, args) = row.of_pan();
    let pan = Pan::build(&corpus.join(&row.path), &flags, number).map_err(|e| e.to_string())??;
    pan.run(&args, Duration::from_secs(seconds)).map_err(|e| e.to_string())?
}

/// lariat's answers.
fn ask(
    lariat: &Lariat,
    corpus: &std::path::Path,
    row: Row,
    spin: Verdict,
    is_live: bool,
    all_checks: bool,
) -> Line {
    let model = corpus.join(&row.path);
    let args = row.arguments();
    let check = |more: &[&str]| {
        let all: Vec<&str> = args.iter().map(String::as_str).chain(more.iter().copied()).collect();
        lariat.check(&model, &all)
    };
    let ours = check(&[]);
    let (mut agreeing, mut others) = (Vec::new(), Vec::new());
    let mut note = |name: &str, answer: Result<Verdict, String>| match answer {
        Ok(verdict) if Ok(verdict) == ours => agreeing.push(name.to_owned()),
        // Not for this automaton, or not for fairness.
        Err(message) if message.contains("is for") || message.contains("takes one set") => {}
        Ok(verdict) => others.push(format!("{name}: {}", verdict.name())),
        Err(message) => others.push(format!("{name}: {}", message.trim())),
    };
    if all_checks {
        for name in CHECKS {
            note(name, check(&["--algorithm", name]));
        }
        if row.about == About::NonProgress && !row.fair {
            note("Fig. 5", lariat.check(&model, &["--non-progress=direct"]));
        }
    }
    Line { row, spin, is_live, ours, agreeing, others }
}

fn document(args: &Args, lines: &[Line], summary: &str) -> String {
    let mut command = String::from("cargo run --release -p lariat-bench --bin versus-spin-ltl --");
    command += &format!(" {}", args.corpus.display());
    if args.all_checks {
        command += " --all-checks";
    }
    if let Some(seconds) = args.live {
        command += &format!(" --live {seconds}");
    }
    let mut text =
        format!("# Properties of infinite runs beside Spin's answers\n\n`{command}`\n\n");
    text += "Spin 6.5.2 with `-DNOREDUCE`: `pan -a`, with `-f` where the mode says fair, `pan -l` \
             of `-DNP` for np; from `spin_ref.csv`, or live. lariat: `check` with `--fair weak` \
             where the mode says fair. The last column counts the checks that were run and said \
             the same.\n\n";
    text += "| model | mode | Spin | lariat | | checks |\n|---|---|---|---|---|---|\n";
    for line in lines {
        text += &format!("| {} |\n", line.text());
    }
    text + "\n" + summary
}
