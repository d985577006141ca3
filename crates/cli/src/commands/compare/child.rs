//! One check in a process of its own.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::ValueEnum;
use lariat_checks::Algorithm;
use lariat_core::stop;
use lariat_verify::Status;
use serde_json::Value;

use super::Args;
use super::columns::COLUMNS;
use crate::arguments::shortcuts::Pass;

/// How a check ended.
pub(super) enum Ending {
    Answered(Status),
    /// A limit was reached.
    Cut(String),
    /// It does not take the automaton.
    Refused(String),
    /// An error of lariat itself.
    Failed(String),
}

/// A row of the report.
pub(super) struct Measured {
    pub(super) ending: Ending,
    /// In the order of the columns; null where there is nothing.
    pub(super) values: Vec<Value>,
}

impl Measured {
    pub(super) fn without(ending: Ending) -> Measured {
        Measured { ending, values: vec![Value::Null; COLUMNS.len()] }
    }

    /// The answer, if there is one.
    pub(super) fn verdict(&self) -> Option<Status> {
        match self.ending {
            Ending::Answered(status) => Some(status),
            _ => None,
        }
    }

    /// The ending in words.
    pub(super) fn in_words(&self) -> String {
        match &self.ending {
            Ending::Answered(status) => status.name().to_owned(),
            Ending::Cut(why) => format!("cut: {why}"),
            Ending::Refused(why) => format!("not run: {why}"),
            Ending::Failed(why) => format!("failed: {why}"),
        }
    }

    /// From what the process wrote and how it ended.
    fn of(output: &Output) -> Measured {
        let object: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let property = &object["properties"][0];
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let ending = match (output.status.code(), property["verdict"].as_str()) {
            (Some(0), Some("holds")) => Ending::Answered(Status::Holds),
            (Some(1), Some("violated")) => Ending::Answered(Status::Violated),
            (Some(3), _) => {
                let reason = property["reason"].as_str().or(object["message"].as_str());
                Ending::Cut(reason.unwrap_or("inconclusive").to_owned())
            }
            // Ended from outside, for want of memory most of the time.
            (None, _) => Ending::Cut(format!("{}", output.status)),
            _ => Ending::Failed(if said.is_empty() { format!("{}", output.status) } else { said }),
        };
        let value = |pointer: &str| property.pointer(pointer).or(object.pointer(pointer)).cloned();
        let values = COLUMNS.iter().map(|column| value(column.pointer).unwrap_or_default());
        Measured { ending, values: values.collect() }
    }
}

/// The arguments of the process.
pub(super) struct Child(Vec<OsString>);

impl Child {
    pub(super) fn new(
        args: &Args,
        model: &Path,
        algorithm: Algorithm,
        property: [&str; 2],
    ) -> Child {
        let mut all: Vec<OsString> = vec!["check".into()];
        all.extend(args.reading.as_given());
        // No cache of successors: a second visit costs as much as the first.
        let fixed = ["--json", "--quiet", "--no-save", "--progress=never", "--edge-cache=0"];
        all.extend(fixed.map(OsString::from));
        all.extend(["--ignore-expectations", "--algorithm", algorithm.name()].map(OsString::from));
        let passes = args.shortcuts.iter().filter_map(Pass::to_possible_value);
        all.extend(passes.map(|pass| format!("--shortcuts={}", pass.get_name()).into()));
        all.extend(property.map(OsString::from));
        all.extend((!args.generalised).then(|| "--state-acceptance".into()));
        all.extend((!args.por).then(|| "--no-por".into()));
        all.extend(
            args.time_limit.map(|time| format!("--time-limit={}", time.as_secs_f64()).into()),
        );
        all.extend(args.max_memory.map(|size| format!("--max-memory={size}").into()));
        all.extend(["--".into(), model.into()]);
        Child(all)
    }

    /// Runs it to its end, and ticks meanwhile. After Ctrl-C it is not started, or stopped.
    pub(super) fn run(&self, tick: &(dyn Fn() + Sync)) -> Measured {
        if stop::is_interrupted() {
            return Measured::without(Ending::Cut(INTERRUPTED.to_owned()));
        }
        match self.output(tick) {
            Ok(output) if stop::is_interrupted() && output.status.code().is_none() => {
                Measured::without(Ending::Cut(INTERRUPTED.to_owned()))
            }
            Ok(output) => Measured::of(&output),
            Err(error) => Measured::without(Ending::Failed(format!("cannot be started: {error}"))),
        }
    }

    fn output(&self, tick: &(dyn Fn() + Sync)) -> std::io::Result<Output> {
        let mut command = Command::new(std::env::current_exe()?);
        let piped = command.args(&self.0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = piped.spawn()?;
        let (mut out, mut err) = (process.stdout.take(), process.stderr.take());
        let (process, is_over) = (Mutex::new(process), AtomicBool::new(false));
        let locked = || process.lock().unwrap_or_else(PoisonError::into_inner);
        let (stdout, stderr) = std::thread::scope(|scope| {
            let watch = scope.spawn(|| {
                while !is_over.load(Ordering::Acquire) {
                    std::thread::park_timeout(TICK);
                    tick();
                    if stop::is_interrupted() && !is_over.load(Ordering::Acquire) {
                        // Ctrl-C in a terminal reaches it as well; it has this long to report.
                        std::thread::park_timeout(GRACE);
                        let _ = locked().kill();
                        return;
                    }
                }
            });
            let reads = scope.spawn(|| text(&mut err));
            let stdout = text(&mut out);
            let stderr = reads.join().unwrap_or_default();
            is_over.store(true, Ordering::Release);
            watch.thread().unpark();
            (stdout, stderr)
        });
        let status = locked().wait()?;
        Ok(Output { status, stdout, stderr })
    }
}

/// Why a check has no numbers.
const INTERRUPTED: &str = "interrupted";

const TICK: Duration = Duration::from_millis(100);

/// How long a check may take to report when it is interrupted.
const GRACE: Duration = Duration::from_millis(500);

/// All that is written to a pipe.
fn text(pipe: &mut Option<impl Read>) -> Vec<u8> {
    let mut text = Vec::new();
    // What was read before an error is kept: the report is not JSON then.
    let _ = pipe.as_mut().map(|pipe| pipe.read_to_end(&mut text));
    text
}
