//! Models in Promela and DVE.
//!
//! - `files`: places in the sources, as browsers count
//! - `about`: what the page needs to know at first
//! - `steps`: the steps of a state, and what they did
//! - `formula`: what somebody types
//! - `lens`: properties that are looked at along runs
//! - `runs`: runs that were found or saved

mod about;
mod files;
mod formula;
mod lens;
mod runs;
mod steps;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lariat_chart::Chart;
use lariat_model::interp::Interp;
use lariat_model::ir::Model;
use lariat_model::ir::transition::Discipline;
use lariat_report::view;
use lariat_syntax::diagnostics::Span;
use lariat_verify::saved::SavedFairness;
use lariat_verify::{Error, Loaded, Parts, Reading, fingerprint};
use serde_json::Value;

use crate::subject::{
    Ask, Complaint, Enabled, Fault, Finish, Judged, Lens, Move, Part, Place, Question, Standing,
    State, Step, Subject, Told, Valued,
};
use crate::worker::Task;
use files::Files;

/// A model in Promela or DVE, as it was given.
pub struct Given {
    path: PathBuf,
    reading: Reading,
    loaded: Loaded,
    fingerprint: String,
    files: Files,
}

impl Given {
    /// Reads a model. Labels that its own properties name are control points.
    pub fn load(path: &Path, reading: &Reading) -> Result<Given, Error> {
        let mut loaded = reading.load(path, Parts::System)?;
        let mut reading = reading.clone();
        let mut probe = loaded.clone();
        let names: Vec<String> =
            loaded.model().ltl.iter().map(|block| block.name.clone()).collect();
        for name in names {
            // What is wrong with a property is said when somebody looks at it.
            let _ = lens::named(&mut probe, &name);
        }
        if !probe.asked_labels().is_empty() {
            reading = reading.with_control_points(probe.asked_labels());
            loaded = reading.load(path, Parts::System)?;
        }
        Ok(Given::of(path, &reading, loaded))
    }

    /// A model that was read so.
    pub(crate) fn of(path: &Path, reading: &Reading, loaded: Loaded) -> Given {
        let fingerprint = fingerprint::of(loaded.model());
        let files = Files::of(&loaded.model().sources);
        let (path, reading) = (path.to_owned(), reading.clone());
        Given { path, reading, loaded, fingerprint, files }
    }

    pub(crate) fn place(&self, span: Span) -> Option<Place> {
        self.files.place(&self.model().sources, span)
    }

    /// The model.
    pub fn model(&self) -> &Model {
        self.loaded.model()
    }

    /// With its warnings.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }
}

/// The bytes of a state, and of the variables outside of it.
type Bytes = (Vec<u8>, Vec<u8>);

fn shown(bytes: Bytes) -> State {
    let size = bytes.0.len() + bytes.1.len();
    State::new(bytes, size)
}

impl Subject<'static> for Given {
    fn about(&self) -> Value {
        about::about(self)
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn initial(&self) -> Result<Vec<State>, Fault> {
        let faults = match Interp::new(self.model()).initial() {
            Ok(state) => return Ok(vec![shown(state)]),
            Err(faults) => faults,
        };
        Err(faults.first().map_or_else(
            || Fault { kind: "error".to_owned(), message: "no state".to_owned(), place: None },
            |&fault| steps::fault(self, fault),
        ))
    }

    fn enabled(&self, state: &State) -> Vec<Enabled> {
        steps::enabled(self, state)
    }

    fn is_valid_end(&self, state: &State) -> bool {
        // Nothing says so in DVE.
        self.model().discipline != Discipline::Spin
            || Interp::new(self.model()).is_valid_end(&state.of::<Bytes>().0)
    }

    fn tell(&self, part: &Part<'_>) -> Vec<Told> {
        steps::tell(self, part)
    }

    fn texts(&self, moves: &[Move]) -> Vec<String> {
        let commands = moves.iter().filter_map(|&(_, id)| self.model().commands.get(id as usize));
        commands.map(|command| command.text.clone()).collect()
    }

    fn processes(&self, part: &Part<'_>, see: &mut dyn FnMut(usize, u8, &str)) {
        steps::processes(self, part, see);
    }

    fn values(&self, state: &State) -> Vec<Valued> {
        let mut interp = Interp::new(self.model());
        let (state, hidden) = state.of::<Bytes>();
        let entries = view::entries(&mut interp, state, hidden);
        let valued = |entry: view::Entry| {
            let (messages, capacity) = entry.channel.unzip();
            Valued {
                name: entry.named.name.to_string(),
                scope: entry.scope,
                path: entry.path,
                value: entry.named.value.to_string(),
                kind: if messages.is_some() { "channel" } else { "variable" },
                messages,
                capacity,
            }
        };
        entries.into_iter().map(valued).collect()
    }

    fn standings(&self, state: &State) -> Vec<Standing> {
        let sources = &self.model().sources;
        let standing = |stand: view::Stand| {
            let span = stand.statements.first().map(|&(_, span)| span);
            let span = span.filter(|span| !span.is_nowhere());
            let at = span.and_then(|span| sources.location(sources.outside_macros(span)));
            Standing {
                pid: stand.pid,
                name: stand.process,
                process_type: stand.process_type,
                place: span.and_then(|span| self.files.place(sources, span)),
                at: at.map_or(String::new(), |at| at.to_string()),
                labels: stand.labels,
                statements: stand.statements.into_iter().map(|(text, _)| text).collect(),
                is_end: stand.is_end,
            }
        };
        let stands = view::stands(&mut Interp::new(self.model()), &state.of::<Bytes>().0);
        stands.into_iter().map(standing).collect()
    }

    fn chart(&self, part: &Part<'_>, columns: &[(u8, String)]) -> Chart {
        let execution = steps::execution(part);
        lariat_report::chart::part(self.model(), &execution, part.first, columns)
    }

    fn complaints(&self, question: &Question) -> (Vec<Complaint>, Vec<String>, Vec<String>) {
        formula::complaints(self, question)
    }

    fn has_propositions(&self, question: &Question) -> bool {
        question.kind != "safety" && question.name.as_deref() != Some("safety")
    }

    fn lens(&self, question: &Question) -> Result<Arc<dyn Lens>, String> {
        lens::Bound::new(self, question).map(|bound| Arc::new(bound) as Arc<dyn Lens>)
    }

    fn judged(&self, saved: &Value) -> Result<Judged, String> {
        runs::judged(self, saved)
    }

    fn played(&self, initial: &State, steps: &[Arc<Step>], finish: Finish) -> Value {
        runs::played(self, initial, steps, finish)
    }

    fn document(&self, saved: &Value) -> Result<Value, String> {
        runs::document(self, saved)
    }

    fn documented(&self, document: Value) -> Result<Vec<Value>, String> {
        runs::runs(self, document)
    }

    fn task(&self, asked: &Ask) -> Result<Value, String> {
        let fair = match asked.fair.as_deref() {
            None => None,
            Some("weak") => Some(SavedFairness::Weak),
            Some("strong") => Some(SavedFairness::Strong),
            Some(other) => return Err(format!("runs are weakly or strongly fair, not `{other}`")),
        };
        let kind = asked.question.kind.as_str();
        let is_of_states = matches!(kind, "safety" | "invariant" | "reach")
            || asked.question.name.as_deref() == Some("safety");
        if fair.is_some() && is_of_states {
            return Err("fairness is for properties of runs".to_owned());
        }
        let steps = asked.from.iter().flat_map(|from| &from.steps);
        let task = Task {
            path: self.path.clone(),
            reading: self.reading.clone(),
            sha256: self.fingerprint.clone(),
            question: asked.question.clone(),
            start: steps.map(|step| step.moves.clone()).collect(),
            fair,
            shortest: asked.shortest,
            seconds: asked.seconds,
            memory: asked.memory,
        };
        serde_json::to_value(task).map_err(|error| error.to_string())
    }
}
