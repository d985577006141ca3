//! `lariat compare`: the emptiness checks side by side on the same product.
//!
//! Every check gets the same automaton, the same successors in the same order, no sweep before it,
//! and no reduction unless one is asked for. So each looks at every state itself, as in its paper.
//! Each runs as `lariat check --json` in a process of its own, so that memory can be compared.
//!
//! - `child`: one check in its process
//! - `columns`: what is measured
//! - `report`: table, CSV, JSON, bar chart

mod child;
mod columns;
mod report;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use lariat_checks::{Algorithm, CheckSwitches, Setup, plan};
use lariat_verify::property::formula::Property;
use lariat_verify::{Model, Question, Source, Status};

use super::check::{own_properties, side_by_side};
use crate::arguments::reading;
use crate::arguments::shortcuts::Pass;
use crate::bug;
use crate::exit::Exit;
use crate::input;
use crate::limits::{seconds, size, watch_memory};
use crate::progress::{self, Watch};
use crate::signals;
use child::{Child, Ending, Measured};

#[derive(clap::Args)]
#[command(
    after_help = "Columns: distinct states, transitions generated with repeats, calls of the \
successor function (posts), the longest search stack (depth), peaks of the auxiliary structures, \
memory in words by the formula of the check's paper, components closed, length of the \
counterexample in the product, CPU seconds and peak memory of the process. A check that reached a \
limit is shown as cut, with what it had counted by then."
)]
pub(crate) struct Args {
    /// Model files. Names that end in .dve are DVE models, all others Promela
    #[arg(required = true)]
    models: Vec<PathBuf>,
    #[command(flatten)]
    reading: reading::Args,
    /// Compare on this formula
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
    /// Compare on this property of the model: an `ltl` block by its name, `never` or `accept`
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Compare on all temporal properties of the models. This is the default without --ltl and
    /// --property
    #[arg(long)]
    all_properties: bool,
    /// Which checks to compare. The default is all of them
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = checks())]
    algorithms: Vec<Algorithm>,
    /// Leave the automata generalised for the checks that take several marks. Their product is
    /// another one then
    #[arg(long)]
    generalised: bool,
    /// Leave out steps whose order does not matter, where that keeps the answer
    #[arg(long)]
    por: bool,
    /// Reductions of the state space, as for `lariat check`
    #[arg(long, value_enum, value_delimiter = ',', default_value = "none", value_name = "LIST")]
    shortcuts: Vec<Pass>,
    /// Cut each check after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Cut each check when it takes more memory: a number of bytes, or with k, M or G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<usize>,
    /// How many checks to run at the same time
    #[arg(long, value_name = "N", default_value = "1",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: u32,
    #[command(flatten)]
    progress: progress::ProgressArgs,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Also draw a bar chart of the transitions generated
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn checks() -> impl TypedValueParser<Value = Algorithm> {
    let names = PossibleValuesParser::new(Algorithm::all().map(Algorithm::name));
    names.try_map(|name| Algorithm::named(&name).ok_or("no such check"))
}

/// A property of a model, and what the checks said of it.
pub(super) struct Comparison {
    model: String,
    property: String,
    formula: String,
    rows: Vec<(Algorithm, Measured)>,
}

impl Comparison {
    fn verdicts(&self) -> impl Iterator<Item = Status> {
        self.rows.iter().filter_map(|(_, row)| row.verdict())
    }

    /// What all checks that came to an end say.
    fn verdict(&self) -> Status {
        self.verdicts().next().unwrap_or(Status::Inconclusive)
    }

    fn agrees(&self) -> bool {
        self.verdicts().all(|verdict| verdict == self.verdict())
    }

    fn exit(&self) -> Exit {
        let failed = self.rows.iter().any(|(_, row)| matches!(row.ending, Ending::Failed(_)));
        match self.verdict() {
            _ if failed || !self.agrees() => Exit::InternalError,
            Status::Holds => Exit::Holds,
            Status::Violated => Exit::Violated,
            Status::Inconclusive => Exit::Inconclusive,
        }
    }
}

/// A check to run, and its place in the report.
struct Job {
    comparison: usize,
    row: usize,
    child: Child,
}

pub(crate) fn run(args: &Args) -> Exit {
    args.progress.apply();
    signals::catch();
    watch_memory();
    match compare(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn compare(args: &Args) -> Result<Exit, Exit> {
    let (mut comparisons, mut jobs) = (Vec::new(), Vec::new());
    for path in &args.models {
        prepare(args, path, &mut comparisons, &mut jobs)?;
    }
    if comparisons.is_empty() {
        return Err(input::refuse("the models have no temporal property; give one with --ltl"));
    }
    let watch = Watch::start("compare".to_owned());
    let found: Vec<Mutex<Option<Measured>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let ended = AtomicUsize::new(0);
    let tick = || {
        let ended = ended.load(Ordering::Relaxed);
        watch.say(format!("{ended} of {} checks ended", jobs.len()));
    };
    let work = |at: usize| {
        let measured = jobs[at].child.run(&tick);
        ended.fetch_add(1, Ordering::Relaxed);
        *found[at].lock().unwrap_or_else(|broken| broken.into_inner()) = Some(measured);
    };
    side_by_side(jobs.len(), args.jobs as usize, work, |_| tick());
    for (Job { comparison, row, .. }, measured) in jobs.iter().zip(found) {
        let measured = measured.into_inner().unwrap_or_else(|broken| broken.into_inner());
        comparisons[*comparison].rows[*row].1 = measured.expect("every job was run");
    }
    report::print(args, &comparisons);
    if let Some(file) = &args.svg {
        let written = report::svg(&comparisons).and_then(|text| {
            let wrong = |error| format!("cannot write {}: {error}", file.display());
            std::fs::write(file, text).map_err(wrong)
        });
        written.map_err(|message| input::refuse(&message))?;
    }
    for comparison in comparisons.iter().filter(|comparison| !comparison.agrees()) {
        let Comparison { model, property, .. } = comparison;
        errln!(
            "internal error: the checks disagree about {model}: {property}. Please report this, \
             with the model and the table above"
        );
    }
    Ok(comparisons.iter().map(Comparison::exit).max().unwrap_or(Exit::Holds))
}

/// Reads a model, so that what is wrong with it is said once, and looks which checks take each
/// property's automaton.
fn prepare(
    args: &Args,
    path: &Path,
    comparisons: &mut Vec<Comparison>,
    jobs: &mut Vec<Job>,
) -> Result<(), Exit> {
    if path == Path::new("-") {
        return Err(input::refuse("each check reads the model again, so it must be a file"));
    }
    let reading = args.reading.reading();
    let source = Source::File(path.to_owned());
    let mut model = Model::read(source, reading.how.clone()).map_err(bug::tell)?;
    reading.say(&model.loaded().model().sources, model.warnings());
    for (option, text) in asked(args, &model) {
        let question = match (option, text.as_str()) {
            ("--ltl", _) => Question::Ltl(text.clone()),
            (_, "accept") => Question::Acceptance,
            _ => Question::Named(text.clone()),
        };
        let asked = model.ask(question).map_err(bug::tell)?;
        let property = model.property(asked).expect("all questions are about runs");
        let mut rows = Vec::new();
        for algorithm in chosen(args) {
            let ending = match takes(args, property, algorithm) {
                Ok(()) => {
                    let child = Child::new(args, path, algorithm, [option, &text]);
                    jobs.push(Job { comparison: comparisons.len(), row: rows.len(), child });
                    Ending::Failed("not run".to_owned())
                }
                Err(why) => Ending::Refused(why),
            };
            rows.push((algorithm, Measured::without(ending)));
        }
        comparisons.push(Comparison {
            model: path.display().to_string(),
            property: if option == "--ltl" { property.text.clone() } else { text.clone() },
            formula: property.text.clone(),
            rows,
        });
    }
    Ok(())
}

/// The properties as `lariat check` is asked for them: an option and its value.
fn asked(args: &Args, model: &Model) -> Vec<(&'static str, String)> {
    let is_all = args.all_properties || args.ltl.is_empty() && args.property.is_empty();
    let own = if is_all { own_properties(model.loaded()) } else { args.property.clone() };
    let own = own.into_iter().map(|name| ("--property", name));
    own.chain(args.ltl.iter().map(|text| ("--ltl", text.clone()))).collect()
}

fn chosen(args: &Args) -> Vec<Algorithm> {
    match args.algorithms.is_empty() {
        true => Algorithm::all().collect(),
        false => args.algorithms.clone(),
    }
}

/// Whether the check takes the property's automaton.
fn takes(args: &Args, property: &Property, algorithm: Algorithm) -> Result<(), String> {
    let switches = CheckSwitches { by_states: !args.generalised, ..CheckSwitches::default() };
    let setup = Setup { algorithm, switches, ..Setup::default() };
    let automaton = property.watcher.automaton().map_err(|error| error.to_string())?;
    plan(&automaton, &setup).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(endings: Vec<Ending>) -> Comparison {
        let rows = Algorithm::all().zip(endings.into_iter().map(Measured::without)).collect();
        let [model, property, formula] = ["m.pml", "p", "[] q"].map(str::to_owned);
        Comparison { model, property, formula, rows }
    }

    #[test]
    fn what_is_cut_agrees_with_everything_and_two_answers_are_an_error() {
        let cut = || Ending::Cut("the time limit was reached".to_owned());
        let refused = || Ending::Refused("not weak".to_owned());
        let (holds, violated) =
            (|| Ending::Answered(Status::Holds), || Ending::Answered(Status::Violated));
        for (endings, exit) in [
            (vec![cut(), holds(), refused()], Exit::Holds),
            (vec![violated(), cut(), violated()], Exit::Violated),
            (vec![cut(), refused()], Exit::Inconclusive),
            (vec![holds(), violated()], Exit::InternalError),
            (vec![cut(), violated(), refused(), holds()], Exit::InternalError),
            (vec![holds(), Ending::Failed("a panic".to_owned())], Exit::InternalError),
        ] {
            assert_eq!(comparison(endings).exit(), exit);
        }
    }
}
