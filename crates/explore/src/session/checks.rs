//! Checks: each a worker in a process of its own, watched by a thread. When somebody asks how far it is, the
//! answer is judged and its run opened.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use lariat_core::{memory, stop};
use serde_json::{Value, json};

use super::run::{Origin, Run};
use super::{Answer, Refusal, Session, locked};
use crate::subject::{Ask, From, Question};

/// Makes the command that starts a worker.
pub type Worker = Box<dyn Fn() -> Command + Send + Sync>;

/// A line of a worker: an answer has a run in it.
const LONGEST_LINE: u64 = 1 << 30;
/// Remarks that are kept.
const MOST_REMARKS: usize = 20;

/// A check that was asked for.
pub(super) struct Check {
    question: Question,
    from: Option<(String, usize)>,
    /// Its property, whose waves are drawn.
    property: Option<String>,
    started: Instant,
    now: Mutex<Now>,
}

/// How far it is.
struct Now {
    state: &'static str,
    phase: String,
    /// What the worker has said last of where it is.
    said: Value,
    seconds: f64,
    remarks: Vec<String>,
    answer: Value,
    failure: Option<String>,
    child: Option<Child>,
    /// The worker has said its last word: an answer, or why there is none.
    ended: Option<Result<Value, String>>,
}

impl Check {
    fn view(&self, id: &str) -> Value {
        let mut now = locked(&self.now);
        if now.state == "running" && now.ended.is_none() {
            now.seconds = self.started.elapsed().as_secs_f64();
        }
        let said = &now.said;
        let states = said["states"].as_u64().unwrap_or(0);
        let rate = if now.seconds > 0.05 { states as f64 / now.seconds } else { 0.0 };
        json!({
            "id": id,
            "state": now.state,
            "question": self.question,
            "from": self.from.as_ref().map(|(run, at)| json!({ "run": run, "at": at })),
            "progress": {
                "phase": now.phase, "states": states, "rate": rate as u64, "seconds": now.seconds,
                "depth": said["depth"], "level": said["level"], "frontier": said["frontier"],
                "memory": said["memory"], "about": said["about"], "at_most": said["at_most"],
                "remarks": now.remarks,
            },
            "answer": now.answer,
            "failure": now.failure,
        })
    }

    fn is_running(&self) -> bool {
        locked(&self.now).state == "running"
    }

    fn has_worker(&self) -> bool {
        let now = locked(&self.now);
        now.state == "running" && now.ended.is_none()
    }

    /// The worker has said its last word, or none.
    fn end(&self, said: Option<Value>) {
        let child = locked(&self.now).child.take();
        let status = child.map(|mut child| {
            if said.is_none() {
                // It says nothing more, or too much.
                let _ = child.kill();
            }
            child.wait()
        });
        let ended = match said {
            Some(mut said) if !said["answer"].is_null() => Ok(said["answer"].take()),
            Some(said) => Err(said["failure"].as_str().unwrap_or("no answer").to_owned()),
            None => {
                let status = status.and_then(Result::ok);
                let status = status.map_or("it is gone".to_owned(), |status| status.to_string());
                Err(format!("the search ended without an answer: {status}"))
            }
        };
        let mut now = locked(&self.now);
        now.seconds = self.started.elapsed().as_secs_f64();
        now.phase = "judging".to_owned();
        now.ended = Some(ended);
    }

    /// Ends the worker. Whoever reads its output collects it.
    fn cancel(&self) {
        let mut now = locked(&self.now);
        if now.state == "running" {
            now.state = "cancelled";
        }
        if let Some(child) = &mut now.child {
            let _ = child.kill();
        }
    }
}

impl Drop for Check {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Session<'_> {
    /// Starts a check.
    pub fn check(&self, mut ask: Ask, from: Option<(String, usize)>) -> Answer {
        self.fits(&ask.question)?;
        if let Some((id, at)) = &from {
            let run = self.run(id)?;
            if *at > run.steps.len() || run.state(*at).is_none() {
                return Err(Refusal::bad(format!("{id} has no state at position {at}")));
            }
            let (initial, steps) = (run.initial.clone(), run.steps[..*at].to_vec());
            ask.from = Some(From { initial, steps });
        }
        // A question that cannot be asked is refused at once, and its waves are wanted anyway.
        let property = match self.subject.has_propositions(&ask.question) {
            true => Some(self.property_id(&ask.question)?.0),
            false => None,
        };
        let room = memory::available().map(|bytes| bytes / 4 * 3 / self.limits.checks.max(1));
        ask.memory = room;
        let task = self.subject.task(&ask).map_err(Refusal::refused)?;
        let mut checks = locked(&self.checks);
        let running = checks.all().iter().filter(|(_, check)| check.has_worker()).count();
        if running >= self.limits.checks {
            let message = format!("{running} checks are running: wait for one, or cancel it");
            return Err(Refusal::not_now(message));
        }
        let mut command = (self.worker)();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let started = command.spawn();
        let mut child = started.map_err(|error| Refusal {
            status: 500,
            code: "bug",
            message: format!("the search cannot be started: {error}"),
        })?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let check = Check {
            question: ask.question,
            from,
            property,
            started: Instant::now(),
            now: Mutex::new(Now {
                state: "running",
                phase: "searching".to_owned(),
                said: Value::Null,
                seconds: 0.0,
                remarks: Vec::new(),
                answer: Value::Null,
                failure: None,
                child: Some(child),
                ended: None,
            }),
        };
        let (id, check) = checks.add(check);
        drop(checks);
        let view = check.view(&id);
        let watch = move || {
            let mut stdin = stdin;
            if let Some(stdin) = &mut stdin {
                // A worker that is gone already says so by its silence.
                let _ = writeln!(stdin, "{task}").and_then(|()| stdin.flush());
            }
            let lines = stdout.map(BufReader::new);
            let said = lines.and_then(|lines| follow(lines, &check));
            check.end(said);
            drop(stdin);
        };
        let spawned = std::thread::Builder::new().name("check".to_owned()).spawn(watch);
        spawned.map_err(|error| Refusal::not_now(format!("no thread for the check: {error}")))?;
        Ok((202, view))
    }

    /// A worker that has ended: its answer is judged, by whoever asks first.
    fn settle(&self, check: &Check) {
        let Some(ended) = locked(&check.now).ended.take() else { return };
        // The judge is not disturbed by the clock.
        let answer =
            ended.and_then(|answer| stop::undisturbed(|| self.accept(answer, &check.property)));
        let mut now = locked(&check.now);
        if now.state != "running" {
            return;
        }
        match answer {
            Ok(answer) => {
                now.state = "done";
                now.answer = answer;
            }
            Err(why) => {
                now.state = "failed";
                now.failure = Some(why);
            }
        }
    }

    /// The answer of a worker: its run counts only if the judge confirms it here.
    fn accept(&self, mut answer: Value, property: &Option<String>) -> Result<Value, String> {
        let saved = answer["saved"].take();
        let verdict = answer["verdict"].as_str().unwrap_or("").to_owned();
        let (mut run, mut without) = (None, None);
        if !saved.is_null() {
            let judged = self.subject.judged(&saved)?;
            if !judged.is_claimed {
                return Err("the run that was found proves nothing".to_owned());
            }
            let mut found = Run::judged(judged, saved, Origin::Found);
            found.property = property.clone();
            if let (Some(error), Some(message)) = (&mut found.error, answer["error"].as_str()) {
                error.message = message.to_owned();
            }
            answer["error"] = json!(found.error);
            match self.add(found) {
                Ok(id) => run = Some(id),
                // It was judged all the same.
                Err(refusal) => without = Some(refusal.message),
            }
        }
        if run.is_none() && without.is_none() && matches!(verdict.as_str(), "violated" | "found") {
            return Err("the search says that there is a run, and shows none".to_owned());
        }
        let sentence = match without {
            None => sentence(&verdict, answer["why"].as_str()),
            Some(why) => format!("There is a run, but it is not shown: {why}. Use lariat check."),
        };
        answer["sentence"] = json!(sentence);
        answer["run"] = json!(run);
        answer["property"] = json!(property);
        if let Some(fields) = answer.as_object_mut() {
            fields.remove("saved");
        }
        Ok(answer)
    }

    /// All checks.
    pub fn checks(&self) -> Answer {
        let all = locked(&self.checks).all();
        all.iter().for_each(|(_, check)| self.settle(check));
        let all: Vec<Value> = all.iter().map(|(id, check)| check.view(id)).collect();
        Ok((200, json!({ "checks": all })))
    }

    /// One check.
    pub fn check_of(&self, id: &str) -> Answer {
        let check = self.known_check(id)?;
        self.settle(&check);
        Ok((200, check.view(id)))
    }

    /// Ends a check; one that is over is forgotten.
    pub fn cancel(&self, id: &str) -> Answer {
        let check = self.known_check(id)?;
        if check.is_running() {
            check.cancel();
        } else {
            locked(&self.checks).remove(id);
        }
        Ok((200, check.view(id)))
    }

    fn known_check(&self, id: &str) -> Result<Arc<Check>, Refusal> {
        let missing = || format!("there is no check {id} any more");
        let found = locked(&self.checks).get(id);
        found.ok_or_else(|| Refusal::missing("no-such-check", missing()))
    }
}

fn sentence(verdict: &str, why: Option<&str>) -> String {
    match verdict {
        "holds" => "It holds: all that can happen was looked at.".to_owned(),
        "violated" => "It does not hold: this run shows why.".to_owned(),
        "found" => "There is such a run: here it is.".to_owned(),
        "refuted" => "There is no such run: all that can happen was looked at.".to_owned(),
        _ => format!("Nobody knows: {}.", why.unwrap_or("the search did not see everything")),
    }
}

/// Reads what a worker says; its answer or failure.
fn follow(mut lines: impl BufRead, check: &Check) -> Option<Value> {
    loop {
        let mut line = String::new();
        let count = lines.by_ref().take(LONGEST_LINE).read_line(&mut line).ok()?;
        if count == 0 {
            return None;
        }
        // A model in Rust may print what it likes.
        let Ok(mut said) = serde_json::from_str::<Value>(&line) else { continue };
        if !said["answer"].is_null() || !said["failure"].is_null() {
            return Some(said);
        }
        let mut now = locked(&check.now);
        if let Some(phase) = said["phase"].as_str() {
            now.phase = phase.to_owned();
        }
        if let Some(remark) = said["remark"].as_str()
            && now.remarks.len() < MOST_REMARKS
        {
            now.remarks.push(remark.to_owned());
        }
        if said["states"].is_u64() {
            now.said = said.take();
        }
    }
}
