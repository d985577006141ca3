//! Steps, values and charts of a model, as the page takes them.

use super::{Explorer, lens};
use crate::answer::NO_PANIC;
use crate::check::Claim;
use crate::diff::{self, Field};
use crate::model::Model;
use crate::panics::caught;
use crate::run::Run;
use crate::typed::{self, AllSteps};
use lariat_chart::{Act, Chart, Event, Row};
use lariat_explore::subject::{
    Ask, Change, Complaint, Enabled, Fault, Finish, Judged, Lens, Move, Part, Question, Standing,
    State, Statement, Step, Subject, Told, Valued,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// The number of no action: the model panics instead.
const PANIC: u32 = u32::MAX;

impl<M: Model> Explorer<'_, M> {
    pub(super) fn shown(&self, state: M::State) -> State {
        let bytes = size_of::<M::State>() + format!("{state:?}").len();
        State::new(state, bytes)
    }

    /// The steps within the boundary, or the text of a panic.
    pub(super) fn successors(&self, state: &M::State) -> Result<Vec<typed::Step<M>>, String> {
        caught(|| AllSteps::of(self.model, state).steps)
    }

    /// An action as the page knows it: whose it is, and its text.
    pub(super) fn named(&self, action: &M::Action) -> Move {
        let text = format!("{action:?}");
        let process = caught(|| self.model.process(action)).ok().flatten();
        let process = process.or_else(|| number_in(&text)).unwrap_or_else(|| self.name.clone());
        let mut texts = self.known();
        (texts.process(process), texts.action(text))
    }

    fn text(&self, number: u32) -> String {
        let texts = self.known();
        texts.actions.get(number as usize).cloned().unwrap_or_else(|| "panic".to_owned())
    }

    fn process(&self, pid: u8) -> String {
        self.known().processes.get(usize::from(pid)).cloned().unwrap_or_default()
    }

    fn fields(&self, state: &State) -> Vec<Field> {
        diff::fields(&format!("{:?}", state.of::<M::State>()))
    }

    /// The actions themselves, found once more by the model; as far as there are states behind them.
    fn run_of(&self, part: &Part<'_>) -> Option<Run<M>> {
        let mut run = Run {
            states: vec![part.before.of::<M::State>().clone()],
            actions: Vec::new(),
            back_to: None,
        };
        for step in part.steps {
            let (Some(state), &[(_, number)]) = (&step.state, &step.moves[..]) else { break };
            let (state, text) = (state.of::<M::State>(), self.text(number));
            let steps = self.successors(run.last()).ok()?.into_iter();
            let is_it = |found: &typed::Step<M>| {
                found.state == *state && format!("{:?}", found.action) == text
            };
            run.actions.push(steps.into_iter().find(is_it)?.action);
            run.states.push(state.clone());
        }
        Some(run)
    }
}

/// `Enter(1)`, `("enter", 1)` and `Enter { who: 1 }` are of 1.
fn number_in(text: &str) -> Option<String> {
    let (_, inside) = text.split_once(['(', '{'])?;
    let parts = inside.split([',', '(', ')', '{', '}']);
    let mut parts = parts.filter_map(|part| Some(part.rsplit(':').next()?.trim()));
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    parts.find(is_number).map(str::to_owned)
}

pub(super) fn changes(before: &[Field], after: &[Field]) -> Vec<Change> {
    let old = |field: &Field| before.iter().find(|old| old.name == field.name);
    let change = |field: &Field| {
        let old = old(field).map(|old| old.value.clone());
        let (name, value) = (field.name.clone(), field.value.clone());
        (old.as_ref() != Some(&value)).then_some(Change { name, value, before: old })
    };
    // A part of a sequence or a map that is no longer there.
    let is_gone = |old: &&Field| !after.iter().any(|field| field.name == old.name);
    let gone = before.iter().filter(is_gone).map(|old| Change {
        name: old.name.clone(),
        value: "(gone)".to_owned(),
        before: Some(old.value.clone()),
    });
    after.iter().filter_map(change).chain(gone).collect()
}

fn in_words(changes: &[Change]) -> String {
    let word = |change: &Change| format!("{} = {}", change.name, change.value);
    changes.iter().map(word).collect::<Vec<_>>().join(", ")
}

impl<'m, M: Model> Subject<'m> for Explorer<'m, M> {
    fn about(&self) -> Value {
        let claims = self.claims.iter().map(|(name, claim)| {
            json!({ "id": name, "kind": lens::kind(claim), "text": lens::in_words(claim) })
        });
        let no_panic = json!({ "id": NO_PANIC, "kind": "no panic", "text": "in no state" });
        let is_plain = |name: &str| {
            let rest = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(rest)
        };
        let quoted = |name: String| match is_plain(&name) {
            true => name,
            false => format!("\"{name}\""),
        };
        let propositions = self.propositions().into_iter();
        let propositions =
            propositions.map(|(name, _)| json!({ "name": quoted(name), "kind": "proposition" }));
        let initial = caught(|| typed::initial(self.model).next().map(|(state, _)| state));
        let fields =
            initial.ok().flatten().map_or(Vec::new(), |state| self.fields(&self.shown(state)));
        let fields =
            fields.into_iter().map(|field| json!({ "name": quoted(field.name), "kind": "part" }));
        let fair = match self.conditions.is_empty() {
            true => json!([]),
            false => json!([["given", "fair runs, as the program says"]]),
        };
        json!({
            "name": self.name,
            "language": "rust",
            "lariat": env!("CARGO_PKG_VERSION"),
            "sha256": self.fingerprint,
            "files": [],
            "process_types": [],
            "statements": [],
            "properties": claims.chain([no_panic]).collect::<Vec<_>>(),
            "names": propositions.chain(fields).collect::<Vec<_>>(),
            "operators": ["[]", "<>", "X", "U", "W", "R", "!", "&&", "||", "->", "<->"],
            "questions": ["invariant", "reach", "ltl", "exists", "named"],
            "fair": fair,
            "has_shortest": false,
            "warnings": [],
        })
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn initial(&self) -> Result<Vec<State>, Fault> {
        let fault = |message: String| Fault { kind: "panic".to_owned(), message, place: None };
        let states =
            caught(|| typed::initial(self.model).map(|(state, _)| state).collect::<Vec<_>>());
        let states = states.map_err(fault)?;
        match states.is_empty() {
            true => Err(fault("there is no initial state within the boundary".to_owned())),
            false => Ok(states.into_iter().map(|state| self.shown(state)).collect()),
        }
    }

    fn enabled(&self, state: &State) -> Vec<Enabled> {
        let steps = match self.successors(state.of()) {
            Ok(steps) => steps,
            Err(message) => {
                let step = Step { moves: vec![(0, PANIC)], state: None };
                let error = Some(Fault { kind: "panic".to_owned(), message, place: None });
                return vec![Enabled { step, error }];
            }
        };
        let enabled = |step: typed::Step<M>| {
            let moves = vec![self.named(&step.action)];
            Enabled { step: Step { moves, state: Some(self.shown(step.state)) }, error: None }
        };
        steps.into_iter().map(enabled).collect()
    }

    fn is_valid_end(&self, state: &State) -> bool {
        let mut ends = self.claims.iter().filter_map(|(_, claim)| match claim {
            Claim::EndsOnlyIn(test) => Some(test),
            _ => None,
        });
        ends.all(|test| caught(|| test(state.of())).unwrap_or(false))
    }

    fn tell(&self, part: &Part<'_>) -> Vec<Told> {
        let mut before = self.fields(part.before);
        let mut told = Vec::with_capacity(part.steps.len());
        for step in part.steps {
            let after = step.state.as_ref().map(|state| self.fields(state));
            let changed = after.as_ref().map_or(Vec::new(), |after| changes(&before, after));
            before = after.unwrap_or(before);
            let statement = |&(pid, number): &Move| Statement {
                pid,
                process: self.process(pid),
                text: self.text(number),
                place: None,
                changes: changed.clone(),
                output: String::new(),
                fault: step.state.is_none(),
                message: None,
            };
            told.push(Told { statements: step.moves.iter().map(statement).collect(), changed });
        }
        told
    }

    fn texts(&self, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|&(_, number)| self.text(number)).collect()
    }

    fn processes(&self, part: &Part<'_>, see: &mut dyn FnMut(usize, u8, &str)) {
        let names = self.known().processes.clone();
        for (at, step) in part.steps.iter().enumerate() {
            for &(pid, _) in &step.moves {
                see(part.first + at, pid, names.get(usize::from(pid)).map_or("", String::as_str));
            }
        }
    }

    fn values(&self, state: &State) -> Vec<Valued> {
        let valued = |field: Field| Valued {
            name: field.name,
            scope: String::new(),
            path: field.path,
            value: field.value,
            kind: "variable",
            messages: None,
            capacity: None,
        };
        self.fields(state).into_iter().map(valued).collect()
    }

    fn standings(&self, _: &State) -> Vec<Standing> {
        Vec::new()
    }

    fn chart(&self, part: &Part<'_>, columns: &[(u8, String)]) -> Chart {
        let drawn =
            self.run_of(part).and_then(|run| caught(|| self.model.drawn(&run)).ok().flatten());
        if let Some(mut chart) = drawn {
            // What was sent at the start stands before the first step of the run, not of this part.
            let shown = |row: &Row| row.step > 0 || part.first == 0;
            let left_out = chart.rows.iter().filter(|row| !shown(row)).count();
            chart.rows.retain(shown);
            for row in &mut chart.rows {
                row.step += part.first;
                if let Event::Receive { sent, .. } = &mut row.event {
                    *sent = sent.and_then(|(at, from)| Some((at.checked_sub(left_out)?, from)));
                }
            }
            (chart.loop_row, chart.end, chart.is_bad) = (None, "", false);
            return chart;
        }
        let told = self.tell(part);
        let rows = told.into_iter().enumerate().flat_map(|(at, told)| {
            let changes = in_words(&told.changed);
            told.statements.into_iter().map(move |statement| {
                let column = columns.iter().position(|(pid, _)| *pid == statement.pid);
                let act =
                    Act { column: column.unwrap_or(0), place: String::new(), text: statement.text };
                let (step, event) = (part.first + at + 1, Event::Local(act));
                Row { step, event, changes: changes.clone(), truth: Vec::new() }
            })
        });
        Chart {
            columns: columns.iter().map(|(_, name)| name.clone()).collect(),
            propositions: Vec::new(),
            initial: Vec::new(),
            rows: rows.collect(),
            loop_row: None,
            end: "",
            is_bad: false,
        }
    }

    fn complaints(&self, question: &Question) -> (Vec<Complaint>, Vec<String>, Vec<String>) {
        self.complain(question)
    }

    fn has_propositions(&self, question: &Question) -> bool {
        question.name.as_deref() != Some(NO_PANIC)
    }

    fn lens(&self, question: &Question) -> Result<Arc<dyn Lens + 'm>, String> {
        self.bound(question)
    }

    fn judged(&self, saved: &Value) -> Result<Judged, String> {
        self.judge(saved)
    }

    fn played(&self, initial: &State, steps: &[Arc<Step>], finish: Finish) -> Value {
        self.save(initial, steps, finish)
    }

    fn document(&self, saved: &Value) -> Result<Value, String> {
        Ok(
            json!({ "lariat-rust": 1, "model": self.name, "fingerprint": self.fingerprint, "run": saved }),
        )
    }

    fn documented(&self, mut document: Value) -> Result<Vec<Value>, String> {
        match document["fingerprint"].as_str() {
            Some(known) if known == self.fingerprint => Ok(vec![document["run"].take()]),
            Some(_) => {
                Err("the file is of another model, or the model has changed since".to_owned())
            }
            None => Err("this is no run of a model in Rust".to_owned()),
        }
    }

    fn task(&self, asked: &Ask) -> Result<Value, String> {
        self.task_of(asked)
    }
}
