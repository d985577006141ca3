//! A check of a model in Promela or DVE, in a process of its own.

use std::path::PathBuf;
use std::time::Duration;

use lariat_model::interp::Move;
use lariat_model::ir::CommandId;
use lariat_report::coverage::{Executed, missed};
use lariat_search::safety::{Exploration, Progress};
use lariat_verify::observer::Expansions;
use lariat_verify::saved::{
    ConditionOptions, SafetyOptions, SavedError, SavedFairness, SavedOptions, SavedRun,
    TemporalOptions,
};
use lariat_verify::{
    Answer, Asked, Config, Error, Kind, Limits, Model, Observer, Question, Reading, Source, Status,
    Verdict, fingerprint,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::given::Given;
use crate::lines::{self, Lines};
use crate::subject;

/// What a worker is to do.
#[derive(Serialize, Deserialize, Debug)]
pub struct Task {
    /// The model.
    pub path: PathBuf,
    /// How it is read.
    pub reading: Reading,
    /// What it was when the server read it.
    pub sha256: String,
    /// What is asked.
    pub question: subject::Question,
    /// Steps to where the search begins.
    pub start: Vec<Vec<subject::Move>>,
    /// Which runs count.
    pub fair: Option<SavedFairness>,
    /// A shortest run is wanted.
    pub shortest: bool,
    /// The search gives up after this time.
    pub seconds: u64,
    /// Bytes of what is stored.
    pub memory: Option<usize>,
}

/// Does the task on standard input, and answers on standard output.
pub fn run() {
    lines::work(|task: Task, out| answer(&task, out).map_err(|error| error.to_string()));
}

impl Observer for Lines {
    fn explored(&self, progress: Progress) {
        let Progress { states, depth, memory, headway } = progress;
        self.so_far(states, Some(depth), memory as u64, &headway);
    }

    fn expanded(&self, expansions: Expansions) {
        let Expansions { expanded, memory, headway, .. } = expansions;
        self.so_far(expanded, headway.depth, memory, &headway);
    }

    fn remark(&self, text: &str) {
        // On the page it is clear which model is meant, and there are no options.
        let sentence = text.rsplit(": ").next().unwrap_or(text);
        let sentence = sentence.split(" (--").next().unwrap_or(sentence);
        self.put(&json!({ "remark": sentence }));
    }

    fn found(&self) {
        self.put(&json!({ "phase": "judging" }));
    }
}

fn question(asked: &subject::Question) -> Result<Question, Error> {
    let text = || {
        let missing = || Error::Refused("the question has no `text`".to_owned());
        asked.text.clone().ok_or_else(missing)
    };
    Ok(match asked.kind.as_str() {
        "safety" => Question::Safety,
        "invariant" => Question::Invariant(text()?),
        "reach" => Question::Reach(text()?),
        "ltl" => Question::Ltl(text()?),
        "exists" => Question::Exists(text()?),
        "acceptance" => Question::Acceptance,
        "non-progress" => Question::NonProgress,
        "named" if asked.name.as_deref() == Some("safety") => Question::Safety,
        "named" => Question::Named(asked.name.clone().unwrap_or_default()),
        other => return Err(Error::Refused(format!("`{other}` is no kind of question"))),
    })
}

fn answer(task: &Task, out: &Lines) -> Result<Value, Error> {
    let source = Source::File(task.path.clone());
    let mut model = Model::read(source, task.reading.clone())?;
    if fingerprint::of(model.loaded().model()) != task.sha256 {
        let message = "the model has changed since the page was opened; start again";
        return Err(Error::Refused(message.to_owned()));
    }
    let asked = model.ask(question(&task.question)?)?;
    let moves = |step: &Vec<subject::Move>| {
        let step = step.iter();
        step.map(|&(pid, command)| Move { pid, command: CommandId(command) }).collect()
    };
    let mut config = Config {
        start: task.start.iter().map(moves).collect(),
        fairness: task.fair.map(SavedFairness::fairness),
        limits: Limits {
            memory: task.memory,
            depth: None,
            time: Some(Duration::from_secs(task.seconds)),
        },
        ..Config::default()
    };
    config.setup.shortest = task.shortest;
    let answer = model.check_observed(asked, &config, out)?;
    let mut warnings = answer.warnings.clone();
    // What is doubtful is looked for from the initial state on.
    if task.start.is_empty() && !matches!(answer.verdict, Verdict::Inconclusive(_)) {
        out.put(&json!({ "phase": "looking for doubts" }));
        warnings.extend(model.doubts(asked, &answer, &config));
    }
    let inside = match (&answer.exploration, answer.status()) {
        (Some(_), Status::Holds) if task.start.is_empty() => {
            out.put(&json!({ "phase": "looking at statements" }));
            model.look_inside_d_steps(asked, &config)
        }
        _ => None,
    };
    let found = inside.as_ref().or(answer.exploration.as_ref());
    let found = found.filter(|_| task.start.is_empty());
    let coverage = found.and_then(|found| coverage(task, &model, &answer, found));
    Ok(told(task, &model, asked, &answer, &warnings, coverage))
}

fn told(
    task: &Task,
    model: &Model,
    asked: Asked,
    answer: &Answer,
    warnings: &[String],
    coverage: Option<Value>,
) -> Value {
    let statistics = &answer.statistics;
    json!({
        "verdict": verdict(answer),
        "why": answer.inconclusive().map(|why| why.to_string()),
        "check": answer.check,
        "error": answer.error.as_ref().map(|error| &error.message),
        "saved": saved(task, model, asked, answer),
        "statistics": {
            "states": statistics.states,
            "system_states": statistics.system_states,
            "transitions": statistics.transitions,
            "depth": statistics.depth,
            "memory": statistics.memory,
            "seconds": statistics.elapsed.as_secs_f64(),
            "automaton_states": answer.automaton_states,
        },
        "warnings": warnings,
        "coverage": coverage,
    })
}

/// A condition that is reached is found, not violated: that is what was asked.
fn verdict(answer: &Answer) -> &'static str {
    match (&answer.verdict, answer.kind) {
        (Verdict::Holds, Kind::Reach) => "refuted",
        (Verdict::Holds, _) => "holds",
        (Verdict::Violated(_), Kind::Reach) | (Verdict::Found(_), _) => "found",
        (Verdict::Violated(_), _) => "violated",
        (Verdict::Refuted, _) => "refuted",
        (Verdict::Inconclusive(_), _) => "inconclusive",
    }
}

/// The run as it would be saved: all that is needed to judge it again.
fn saved(task: &Task, model: &Model, asked: Asked, answer: &Answer) -> Option<SavedRun> {
    let execution = answer.run()?.whole();
    let options = match (&answer.text, answer.kind) {
        (Some(condition), Kind::Invariant | Kind::Reach) => {
            SavedOptions::Condition(ConditionOptions { condition: condition.clone() })
        }
        (_, kind) if kind.is_about_states() => SavedOptions::Safety(SafetyOptions::default()),
        _ => SavedOptions::Temporal(TemporalOptions {
            fair: task.fair,
            from: task.start.len(),
            ..TemporalOptions::default()
        }),
    };
    let error = answer
        .error
        .as_ref()
        .map(|error| SavedError { kind: error.name.to_owned(), condition: answer.text.clone() });
    let text = model.property(asked).map(|property| property.text.clone());
    let text = text.or_else(|| answer.text.clone());
    let model = model.loaded().model();
    let (name, kind) = (&answer.name, answer.kind);
    Some(SavedRun::new(model, name, kind, text, error, options, execution))
}

/// What a search from the initial state has executed.
fn coverage(task: &Task, model: &Model, answer: &Answer, found: &Exploration) -> Option<Value> {
    // Places are those of the page.
    let given = Given::of(&task.path, &task.reading, model.loaded().clone());
    let executed = Executed { commands: &found.executed, in_d_steps: &found.executed_in_d_steps };
    if executed.commands.is_empty() {
        return None;
    }
    let model = given.model();
    let types = missed(model, executed).into_iter().map(|(name, statements, missed)| {
        let missed = missed.iter().map(|&(span, text)| {
            json!({ "text": text, "place": given.place(model.sources.call_site(span)) })
        });
        json!({
            "name": name, "statements": statements, "unreached": missed.collect::<Vec<_>>(),
        })
    });
    let types: Vec<Value> = types.collect();
    Some(json!({ "whole": answer.status() == Status::Holds, "process_types": types }))
}
