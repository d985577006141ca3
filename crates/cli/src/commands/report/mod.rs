//! `lariat report`: all verdicts about models as one page that needs nothing else, for a CI artefact or a hand-in.
//!
//! - `html`: the page

mod html;

use std::path::{Path, PathBuf};

use lariat_core::stop;
use lariat_report::coverage::{Executed, missed};
use lariat_verify::{Config, Error, Model, Question, Source, Status};

use super::check::judgement::Judgement;
use super::check::models;
use super::check::temporal::FairKind;
use crate::arguments::reading;
use crate::bug;
use crate::exit::Exit;
use crate::input;
use crate::limits::{Each, Limits};
use crate::progress::{self, Watch};
use crate::signals;
use html::{Covered, Page};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Models, or folders of models
    #[arg(required = true)]
    models: Vec<PathBuf>,
    /// The page to write
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    /// Check that this formula holds on every run of each model, too
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
    /// Look for a run on which this formula holds, too
    #[arg(long, value_name = "FORMULA")]
    exists: Vec<String>,
    /// Check that this expression is true in every state, too
    #[arg(long, value_name = "EXPR")]
    invariant: Vec<String>,
    /// Look for a state in which this expression is true, too
    #[arg(long, value_name = "EXPR")]
    reach: Vec<String>,
    /// Check that there is no cycle without a progress label, too
    #[arg(long)]
    non_progress: bool,
    /// Temporal properties: consider only fair runs
    #[arg(long, value_enum)]
    fair: Option<FairKind>,
    #[command(flatten)]
    reading: reading::Args,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    each: Each,
    #[command(flatten)]
    progress: progress::ProgressArgs,
}

/// What is known about one model.
pub(super) struct Reported {
    path: PathBuf,
    /// Text and language, for statistics.
    warnings: Vec<String>,
    answers: Vec<(Judgement, Drawn)>,
    covered: Option<Covered>,
    /// Why the model could not be read, or a property not be asked.
    refused: Option<String>,
}

/// The run of an answer, as text and as a chart.
#[derive(Default)]
pub(super) struct Drawn {
    text: String,
    svg: String,
}

/// Rows of a long run in the page.
const DRAWN: (usize, usize) = (50, 150);

pub(crate) fn run(args: &Args) -> Exit {
    signals::catch();
    args.progress.apply();
    let files = match models(&args.models) {
        Ok(files) => files,
        Err(message) => return input::refuse(&message),
    };
    let deadline = args.limits.watch(|why| {
        errln!("inconclusive: {why}; no report is written");
        Exit::Inconclusive
    });
    let fairness = args.fair.map(FairKind::fairness);
    let config = Config { limits: args.limits.plain(), fairness, ..Config::default() };
    let reported: Vec<Reported> =
        files.iter().map(|path| stop::within(deadline, || about(path, args, &config))).collect();
    let page = Page { models: &reported };
    if let Err(error) = std::fs::write(&args.html, page.html()) {
        return input::refuse(&format!("cannot write {}: {error}", args.html.display()));
    }
    let exits = reported.iter().map(Reported::exit);
    let exit = exits.max().unwrap_or(Exit::Holds);
    for model in &reported {
        outln!("{}: {}", model.path.display(), model.summary());
    }
    outln!("written: {}", args.html.display());
    exit
}

impl Reported {
    fn exit(&self) -> Exit {
        match self.refused {
            Some(_) => Exit::BadInput,
            None => self.answers.iter().map(|(one, _)| one.exit()).max().unwrap_or(Exit::Holds),
        }
    }

    /// How many properties have which verdict.
    fn summary(&self) -> String {
        let count =
            |status: Status| self.answers.iter().filter(|(one, _)| one.status() == status).count();
        let counts = [
            (count(Status::Holds), "holds"),
            (count(Status::Violated), "violated"),
            (count(Status::Inconclusive), "inconclusive"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
        let refused = self.refused.is_some().then(|| "not all could be asked".to_owned());
        counts.into_iter().chain(refused).collect::<Vec<_>>().join(", ")
    }
}

fn about(path: &Path, args: &Args, config: &Config) -> Reported {
    let (answers, covered, warnings) = (Vec::new(), None, Vec::new());
    let mut reported =
        Reported { path: path.to_owned(), warnings, answers, covered, refused: None };
    let done = bug::guarded(|| {
        if let Err(error) = fill(&mut reported, args, config) {
            reported.refused = Some(error.to_string());
            bug::tell(error);
        }
        Ok(())
    });
    if done.is_err() {
        reported.refused = Some("an error of lariat".to_owned());
    }
    reported
}

fn fill(reported: &mut Reported, args: &Args, config: &Config) -> Result<(), Error> {
    let reading = args.reading.reading();
    let source = Source::File(reported.path.clone());
    let mut model = Model::read(source, reading.how)?;
    let given = model.loaded().model();
    let mut questions = vec![Question::Safety];
    questions.extend(given.ltl.iter().map(|block| Question::Named(block.name.clone())));
    let claims = given.claims.iter().map(|&id| given.proctype(id).name.clone());
    questions.extend(claims.map(Question::Named));
    if given.process_locations().any(|location| location.is_accept) {
        questions.push(Question::Acceptance);
    }
    let typed = |texts: &[String], question: fn(String) -> Question| -> Vec<Question> {
        texts.iter().cloned().map(question).collect()
    };
    questions.extend(typed(&args.invariant, Question::Invariant));
    questions.extend(typed(&args.reach, Question::Reach));
    questions.extend(typed(&args.ltl, Question::Ltl));
    questions.extend(typed(&args.exists, Question::Exists));
    questions.extend(args.non_progress.then_some(Question::NonProgress));
    let sources = &given.sources;
    let warnings = model.warnings().iter();
    reported.warnings =
        warnings.map(|found| lariat_syntax::diagnostics::render(sources, found, false)).collect();
    // Control points of all questions are known before the first is answered.
    let asked = questions.into_iter().map(|question| model.ask(question));
    let asked = asked.collect::<Result<Vec<_>, _>>()?;
    for one in asked {
        let watch = Watch::start(model.loaded().model().name.clone());
        let answer = args.each.question(|| model.check_observed(one, config, &watch))?;
        let mut judgement = Judgement::from(answer);
        let doubts = model.doubts(one, &judgement.answer, config);
        judgement.warnings.extend(doubts);
        let given = model.loaded().model();
        let drawn = judgement.run().map_or_else(Drawn::default, |run| {
            let chart = lariat_report::chart::chart(given, run).cut(DRAWN.0, DRAWN.1);
            Drawn { text: model.show(run), svg: lariat_chart::svg(&chart, &[], "") }
        });
        // Statements are those that the search for errors has executed: another one may end earlier.
        if let Some(found) = judgement.exploration.take().filter(|_| reported.covered.is_none()) {
            let is_whole = judgement.status() == Status::Holds;
            let inside = is_whole.then(|| model.look_inside_d_steps(one, config)).flatten();
            let found = inside.unwrap_or(found);
            let executed =
                Executed { commands: &found.executed, in_d_steps: &found.executed_in_d_steps };
            reported.covered = Some(Covered {
                is_whole,
                types: missed(given, executed)
                    .into_iter()
                    .map(|(name, statements, missed)| {
                        let line = |&(span, text): &(_, &str)| {
                            let place = given.sources.location(given.sources.call_site(span));
                            let place = place.map_or(String::new(), |place| format!("{place}: "));
                            format!("{place}{text}")
                        };
                        (name.to_owned(), statements, missed.iter().map(line).collect())
                    })
                    .collect(),
            });
        }
        reported.answers.push((judgement, drawn));
    }
    Ok(())
}
