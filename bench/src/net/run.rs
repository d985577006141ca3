//! The lariat program, and what it answers.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::ask::{self, Asked, Place, Run, Wanted};
use super::case::{Case, Language};
use super::config::Config;
use crate::versus::spin::Scratch;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// `count`: all states were seen.
    Holds,
    Violated,
    /// No answer, and why.
    Open(String),
    /// The question was not taken.
    Refused(String),
    /// lariat itself is in error, or did not come back.
    Failed(String),
}

/// What lariat says to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LariatAnswer {
    pub said: Said,
    /// The kind of error that was found; of `count`, all of them with their numbers.
    pub error: String,
    pub states: u64,
    pub system_states: u64,
    pub transitions: u64,
    /// Steps of the run before its loop.
    pub steps: u64,
    /// Whether steps were left out.
    pub is_reduced: bool,
}

impl LariatAnswer {
    fn without_numbers(said: Said) -> LariatAnswer {
        LariatAnswer {
            said,
            error: String::new(),
            states: 0,
            system_states: 0,
            transitions: 0,
            steps: 0,
            is_reduced: false,
        }
    }

    /// In a few words.
    pub fn in_words(&self) -> String {
        let of = |what: &str, why: &str| match why.is_empty() {
            true => what.to_owned(),
            false => format!("{what} ({why})"),
        };
        match &self.said {
            Said::Holds => format!("holds, {} states, {} steps", self.states, self.transitions),
            Said::Violated => of("violated", &self.error),
            Said::Open(why) => of("inconclusive", why),
            Said::Refused(why) => of("refused", why),
            Said::Failed(why) => of("FAILED", why),
        }
    }
}

/// A place where models are written and lariat runs, one run at a time.
pub struct Runner {
    program: PathBuf,
    scratch: Scratch,
    watchdog: Arc<Mutex<Option<(Instant, u32)>>>,
    /// The mistake that lariat is to make.
    pub mistake: Option<String>,
    pub runs: u64,
}

/// Seconds that lariat may take by its own clock, and by ours.
const OWN_SECONDS: &str = "3";
const SECONDS: u64 = 60;
/// Bytes that lariat may keep by its own count, and by ours.
const MEMORY: &str = "400M";
const RESIDENT: u64 = 2 << 30;

/// Bytes of a process in memory; none if it has ended, or the system does not tell.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

impl Runner {
    /// `name` is this runner's own.
    pub fn new(program: &Path, name: &str) -> io::Result<Runner> {
        let watchdog: Arc<Mutex<Option<(Instant, u32)>>> = Arc::default();
        let watched = Arc::downgrade(&watchdog);
        std::thread::spawn(move || {
            while let Some(watched) = watched.upgrade() {
                let running = *watched.lock().expect("no panic while it is held");
                if let Some((started, process)) = running
                    && (started.elapsed() > Duration::from_secs(SECONDS)
                        || resident(process) > RESIDENT)
                {
                    // It may just have ended; then there is nothing to kill.
                    let _ = Command::new("kill").args(["-KILL", &process.to_string()]).status();
                }
                drop(watched);
                std::thread::sleep(Duration::from_millis(300));
            }
        });
        let scratch = Scratch::new(&format!("net-{name}"))?;
        let program = program.canonicalize()?;
        Ok(Runner { program, scratch, watchdog, mistake: None, runs: 0 })
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    pub fn folder(&self) -> &Path {
        self.scratch.path()
    }

    pub fn model_file(&self, case: &Case) -> PathBuf {
        self.folder().join(model_name(case.language))
    }

    pub fn write_model(&self, case: &Case) -> io::Result<()> {
        std::fs::write(self.model_file(case), case.model.to_string())
    }

    /// The answers to questions of one group about the model that was written last.
    pub fn ask(
        &mut self,
        case: &Case,
        asked: &[Asked],
        group: &[usize],
        config: &Config,
    ) -> io::Result<Vec<(usize, LariatAnswer)>> {
        let run = ask::run(case, asked, group, config);
        let answers = self.answers(case, &run)?;
        let is_refused =
            |(_, answer): &(usize, LariatAnswer)| matches!(answer.said, Said::Refused(_));
        if group.len() == 1 || !answers.iter().any(is_refused) {
            return Ok(answers);
        }
        // One refused question keeps lariat from the others.
        let mut all = Vec::new();
        for &number in group {
            let run = ask::run(case, asked, &[number], config);
            all.extend(self.answers(case, &run)?);
        }
        Ok(all)
    }

    fn answers(&mut self, case: &Case, run: &Run) -> io::Result<Vec<(usize, LariatAnswer)>> {
        for (name, text) in &run.files {
            std::fs::write(self.folder().join(name), text)?;
        }
        let (report, status, complaint) = match run.is_resumed {
            true => self.start_twice(case.language, run)?,
            false => self.start(case.language, run, &[])?,
        };
        let failure = match (status.code(), status.signal()) {
            (Some(0..=3), _) if !complaint.contains("internal error") => None,
            (Some(code), _) => Some(format!("exit {code}: {complaint}")),
            (None, signal) => Some(format!("signal {}: {complaint}", signal.unwrap_or(0))),
        };
        let answer = |wanted: &Wanted| {
            let said = match (&failure, status.code()) {
                (Some(failure), _) => Said::Failed(failure.clone()),
                (None, Some(2)) => Said::Refused(complaint.clone()),
                // Several processes that have lost each other on a busy machine.
                (None, Some(3)) if report.is_null() && complaint.contains("inconclusive: ") => {
                    Said::Open(complaint.clone())
                }
                _ => return read(&report, wanted),
            };
            LariatAnswer::without_numbers(said)
        };
        Ok(run.wanted.iter().map(|wanted| (wanted.number, answer(wanted))).collect())
    }

    /// A search that is cut after some states and saved, and goes on by other processes; or one that was done by then.
    fn start_twice(&mut self, language: Language, run: &Run) -> io::Result<Ended> {
        let kept = self.folder().join(KEPT);
        match std::fs::remove_dir_all(&kept) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let ended = self.start(language, run, &["--checkpoint", KEPT, "--cut-after", "7"])?;
        let is_saved = std::fs::read_dir(&kept).is_ok_and(|mut files| files.next().is_some());
        match (ended.1.code(), is_saved) {
            (Some(3), true) => {
                let mut run = run.clone();
                let option = run.args.iter().position(|arg| *arg == "--processes");
                run.args[option.expect("it is given") + 1] = "3".to_owned();
                self.start(language, &run, &["--resume", KEPT])
            }
            _ => Ok(ended),
        }
    }

    fn start(&mut self, language: Language, run: &Run, more: &[&str]) -> io::Result<Ended> {
        self.runs += 1;
        let errors = self.folder().join("errors");
        let mut command = Command::new(&self.program);
        command.arg(run.command).arg(model_name(language)).args(&run.args).args(COMMON).args(more);
        if run.command == "check" {
            command.arg("--no-save");
        }
        if let Some(mistake) = &self.mistake {
            command.env("LARIAT_MISTAKE", mistake);
        }
        command.current_dir(self.folder()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.stderr(File::create(&errors)?).spawn()?;
        let watch = |running| *self.watchdog.lock().expect("no panic while it is held") = running;
        watch(Some((Instant::now(), child.id())));
        let mut report = Vec::new();
        let read = child.stdout.take().map(|mut stdout| stdout.read_to_end(&mut report));
        let status = child.wait();
        watch(None);
        read.transpose()?;
        let complaint = std::fs::read(&errors)?;
        let report = serde_json::from_slice(&report).unwrap_or(Value::Null);
        Ok((report, status?, first_lines(&String::from_utf8_lossy(&complaint))))
    }
}

/// The report, the exit code, and what was complained of.
type Ended = (Value, std::process::ExitStatus, String);

/// The folder of checkpoints.
const KEPT: &str = "kept";

const COMMON: [&str; 6] =
    ["--json", "--quiet", "--time-limit", OWN_SECONDS, "--max-memory", MEMORY];

/// The file in which a model is written.
pub fn model_name(language: Language) -> &'static str {
    match language {
        Language::Promela => "model.pml",
        Language::Dve => "model.dve",
    }
}

/// Enough to know a message again.
fn first_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(4).collect();
    lines.join(" / ").chars().take(400).collect()
}

fn read(report: &Value, wanted: &Wanted) -> LariatAnswer {
    if wanted.place == Place::Count {
        return read_count(report);
    }
    let properties = report["properties"].as_array().map_or(&[][..], Vec::as_slice);
    let is_meant = |property: &&Value| match &wanted.place {
        Place::Count => false,
        Place::Kind(kind) => property["kind"] == *kind,
        Place::Name(name) => property["name"] == *name,
    };
    let Some(property) = properties.iter().find(is_meant) else {
        return LariatAnswer::without_numbers(Said::Failed(
            "the report lacks the answer".to_owned(),
        ));
    };
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let error = text(&property["error"]["kind"]);
    let said = match property["verdict"].as_str() {
        Some("holds") if wanted.is_negated => Said::Violated,
        Some("violated") if wanted.is_negated => Said::Holds,
        Some("holds") => Said::Holds,
        Some("violated") => Said::Violated,
        Some("inconclusive") => Said::Open(text(&property["reason"])),
        _ => Said::Failed("the report lacks a verdict".to_owned()),
    };
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let statistics = &property["statistics"];
    LariatAnswer {
        said,
        error,
        states: number(&statistics["states"]),
        system_states: number(&statistics["system_states"]),
        transitions: number(&statistics["transitions"]),
        steps: number(&property["run"]["prefix"]["steps"]),
        is_reduced: property["reduced"] == true,
    }
}

fn read_count(report: &Value) -> LariatAnswer {
    let number = |name: &str| report[name].as_u64().unwrap_or(0);
    let said = match (report["complete"].as_bool(), report["limit"].as_str()) {
        (Some(true), _) => Said::Holds,
        (Some(false), why) => Said::Open(why.unwrap_or("").to_owned()),
        _ => Said::Failed("there is no report".to_owned()),
    };
    LariatAnswer {
        said,
        error: report["errors"].to_string(),
        states: number("states"),
        system_states: 0,
        transitions: number("transitions"),
        steps: 0,
        is_reduced: false,
    }
}
