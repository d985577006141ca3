//! What the page has open: runs, properties, checks and graphs, each a bounded table.
//!
//! - `run`: a run, played, found or loaded
//! - `play`: steps, branches, random walks, loops
//! - `window`: some steps of a run, one position, the whole in buckets
//! - `code`: a run as a few letters, for links
//! - `files`: runs in files that `lariat replay` reads
//! - `lenses`: properties, their waves and automata
//! - `checks`: searches, each in a process of its own
//! - `graph`: the state graph, or what is near a position

mod checks;
mod code;
mod files;
mod graph;
mod lenses;
mod play;
mod run;
mod table;
mod window;

use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use crate::subject::{State, Subject};
use checks::Check;
pub use checks::Worker;
use graph::Drawn;
pub use graph::GraphOf;
use lenses::Lenses;
use run::Run;
use table::Table;

/// Bounds on what a session holds and does at once.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Steps in one window.
    pub window: usize,
    /// Steps in one chart.
    pub chart: usize,
    /// Buckets of an overview.
    pub buckets: usize,
    /// Characters of a formula.
    pub formula: usize,
    /// Runs.
    pub runs: usize,
    /// Steps of a run.
    pub steps: usize,
    /// Bytes of the states of all runs.
    pub bytes: usize,
    /// Properties.
    pub properties: usize,
    /// Searches at once.
    pub checks: usize,
    /// Searches that are remembered.
    pub kept_checks: usize,
    /// States of a graph.
    pub graph: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            window: 500,
            chart: 400,
            buckets: 2000,
            formula: 4000,
            runs: 64,
            steps: 200_000,
            bytes: 1 << 30,
            properties: 32,
            checks: 2,
            kept_checks: 32,
            graph: 5000,
        }
    }
}

/// Why a request is not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// As HTTP knows it.
    pub status: u16,
    /// For programs.
    pub code: &'static str,
    /// For people.
    pub message: String,
}

impl Refusal {
    /// Bad input.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal { status: 400, code: "bad-request", message: message.into() }
    }

    /// What is asked for is not there.
    pub(crate) fn missing(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { status: 404, code, message: message.into() }
    }

    /// Understood, but the model or the judge says no.
    pub(crate) fn refused(message: impl Into<String>) -> Refusal {
        Refusal { status: 422, code: "refused", message: message.into() }
    }

    /// Later, perhaps.
    pub(crate) fn not_now(message: impl Into<String>) -> Refusal {
        Refusal { status: 409, code: "not-now", message: message.into() }
    }
}

/// Graphs that are remembered.
const KEPT_GRAPHS: usize = 4;

/// An answer with its status.
pub type Answer = Result<(u16, Value), Refusal>;

/// All that is open.
pub struct Session<'s> {
    subject: Box<dyn Subject<'s> + 's>,
    limits: Limits,
    runs: Mutex<Table<Run>>,
    lenses: Mutex<Lenses<'s>>,
    checks: Mutex<Table<Check>>,
    graphs: Mutex<Table<Drawn>>,
    worker: Worker,
    first_run: Option<String>,
    initial_error: Option<String>,
    initial_states: usize,
}

/// A panic of one request leaves the tables as they were between two changes.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

impl<'s> Session<'s> {
    /// With one run, at the initial state.
    pub fn new(subject: Box<dyn Subject<'s> + 's>, limits: Limits, worker: Worker) -> Self {
        let mut runs = Table::new('r', limits.runs);
        let (mut first_run, mut initial_error, mut initial_states) = (None, None, 0);
        match subject.initial() {
            Ok(states) => {
                initial_states = states.len();
                let mut states = states.into_iter();
                first_run = states.next().map(|state| runs.add(Run::played(state)).0);
            }
            Err(fault) => initial_error = Some(fault.message),
        }
        let lenses = Mutex::new(Lenses::new(limits.properties));
        Session {
            subject,
            runs: Mutex::new(runs),
            checks: Mutex::new(Table::new('c', limits.kept_checks)),
            graphs: Mutex::new(Table::new('g', KEPT_GRAPHS)),
            limits,
            lenses,
            worker,
            first_run,
            initial_error,
            initial_states,
        }
    }

    /// An initial state.
    fn initial(&self, number: usize) -> Result<State, Refusal> {
        let states = self.subject.initial().map_err(|fault| Refusal::refused(fault.message))?;
        let missing = || Refusal::bad(format!("there is no initial state {number}"));
        states.into_iter().nth(number).ok_or_else(missing)
    }

    /// What the page needs to know at first.
    pub fn model(&self, body: usize) -> Answer {
        let mut about = self.subject.about();
        let limits = &self.limits;
        about["limits"] = json!({
            "window": limits.window, "chart": limits.chart, "buckets": limits.buckets,
            "formula": limits.formula, "body": body, "runs": limits.runs, "steps": limits.steps,
            "graph": limits.graph, "checks": limits.checks,
        });
        about["first_run"] = json!(self.first_run);
        about["initial_error"] = json!(self.initial_error);
        about["initial_states"] = json!(self.initial_states);
        Ok((200, about))
    }

    /// A run that is open.
    fn run(&self, id: &str) -> Result<Arc<Run>, Refusal> {
        let found = locked(&self.runs).get(id);
        found.ok_or_else(|| {
            Refusal::missing("no-such-run", format!("there is no run {id} any more"))
        })
    }

    /// All runs.
    pub fn runs(&self) -> Answer {
        let runs = locked(&self.runs).all();
        let runs: Vec<Value> = runs.iter().map(|(id, run)| self.summary(id, run)).collect();
        Ok((200, json!({ "runs": runs })))
    }

    /// One run.
    pub fn summary_of(&self, id: &str) -> Answer {
        Ok((200, self.summary(id, &*self.run(id)?)))
    }

    /// Forgets a run.
    pub fn forget_run(&self, id: &str) -> Answer {
        self.run(id)?;
        locked(&self.runs).remove(id);
        Ok((200, json!({})))
    }

    fn summary(&self, id: &str, run: &Run) -> Value {
        let processes = run.processes(&*self.subject).columns.iter();
        let processes = processes.map(|(pid, name)| json!({ "pid": pid, "name": name }));
        json!({
            "id": id,
            "origin": run.origin.name(),
            "title": run.title,
            "parent": run.parent.as_ref().map(|(parent, _)| parent),
            "branch_at": run.parent.as_ref().map(|(_, at)| at),
            "steps": run.steps.len(),
            "ending": run.ending.name(),
            "loop_start": run.loop_start(),
            "confirmed": !run.judged_by.is_empty(),
            "judged_by": run.judged_by,
            "property": run.property,
            "error": run.error,
            "same_as": run.same_as(),
            "processes": processes.collect::<Vec<_>>(),
        })
    }

    /// Adds a run; old ones go if there are too many, or if they take too much.
    fn add(&self, run: Run) -> Result<String, Refusal> {
        if run.steps.len() > self.limits.steps {
            let most = self.limits.steps;
            return Err(Refusal::refused(format!("a run has at most {most} steps here")));
        }
        let mut runs = locked(&self.runs);
        let (id, _) = runs.add(run);
        while runs.len() > 1
            && runs.all().iter().map(|(_, run)| run.bytes()).sum::<usize>() > self.limits.bytes
        {
            runs.remove_oldest_but(&id);
        }
        Ok(id)
    }
}
