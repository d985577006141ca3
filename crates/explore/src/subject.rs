//! What is explored, whatever language it is written in.
//!
//! The rest of the crate knows states as bytes and steps as numbers, so models in Promela, DVE and
//! Rust are shown by the same page.

use std::sync::Arc;

use lariat_automata::Tgba;
use lariat_chart::Chart;
use lariat_core::Props;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::state::State;

/// What a process did, by number.
pub type Move = (u8, u32);

/// From one state to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Several if the step is an atomic sequence or a rendezvous.
    pub moves: Vec<Move>,
    /// None behind the last step, if that one is at fault.
    pub state: Option<State>,
}

/// A step that can be taken.
#[derive(Clone, Debug)]
pub struct Enabled {
    /// Where it leads.
    pub step: Step,
    /// What goes wrong on the way, if something does.
    pub error: Option<Fault>,
}

/// What is wrong at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fault {
    /// In one word.
    pub kind: String,
    /// In a sentence.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
}

/// A part of a source file. Lines and columns count from 1, columns in UTF-16 units, as browsers
/// do; the end is exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    /// Which of the files.
    pub file: usize,
    /// The first line.
    pub line: u32,
    /// The first column.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// Behind the last column.
    pub end_column: u32,
}

/// A variable that has another value than before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change {
    /// Which one.
    pub name: String,
    /// Now.
    pub value: String,
    /// None if it was not there.
    pub before: Option<String>,
}

/// One statement of a step.
#[derive(Clone, Debug, Serialize)]
pub struct Statement {
    /// The number of the process.
    pub pid: u8,
    /// Its name.
    pub process: String,
    /// The statement.
    pub text: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// What it did.
    pub changes: Vec<Change>,
    /// What it printed.
    pub output: String,
    /// It is at fault, or breaks the property for good.
    pub fault: bool,
    /// The message that it sent or took.
    pub message: Option<Message>,
}

/// A message.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    /// `send`, `receive` or `rendezvous`.
    pub kind: &'static str,
    /// `c!1,ack`
    pub text: String,
}

/// A step in words.
#[derive(Clone, Debug, Serialize)]
pub struct Told {
    /// What happened, one by one.
    pub statements: Vec<Statement>,
    /// What the whole step changed.
    pub changed: Vec<Change>,
}

/// A value of a state.
#[derive(Clone, Debug, Serialize)]
pub struct Valued {
    /// In full.
    pub name: String,
    /// The process that it belongs to; empty if it is global.
    pub scope: String,
    /// The parts of the name, for folding.
    pub path: Vec<String>,
    /// As text.
    pub value: String,
    /// `variable` or `channel`.
    pub kind: &'static str,
    /// A channel: what is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Vec<String>>>,
    /// A channel: how much fits in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
}

/// Where a process stands.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// Its number.
    pub pid: u8,
    /// Its name.
    pub name: String,
    /// What it is one of.
    pub process_type: String,
    /// The statement that it stands before.
    pub place: Option<Place>,
    /// The same place as text.
    pub at: String,
    /// Labels there.
    pub labels: Vec<String>,
    /// What it could do there, if it were enabled.
    pub statements: Vec<String>,
    /// It may stay there for ever.
    pub is_end: bool,
}

/// Some steps of a run.
pub struct Part<'r> {
    /// The state before the first.
    pub before: &'r State,
    /// The steps.
    pub steps: &'r [Arc<Step>],
    /// The number of the first, from 0.
    pub first: usize,
    /// The last one breaks a property for good.
    pub decides: bool,
}

/// What is asked about a model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// `safety`, `invariant`, `reach`, `ltl`, `exists`, `named`, `acceptance`, `non-progress`.
    pub kind: String,
    /// The formula or condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The name of a property of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What is wrong with a text that somebody typed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Complaint {
    /// In a sentence.
    pub message: String,
    /// The first character, in UTF-16 units.
    pub from: usize,
    /// Behind the last.
    pub to: usize,
    /// What could be done.
    pub help: Vec<String>,
}

/// What comes after the last step of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// Nobody has said.
    Open,
    /// The state before this step again.
    Loop(usize),
    /// No process moves any more.
    Rest,
    /// The last step or state is in error.
    Error,
    /// Anything: the steps decide about the property.
    Decided {
        /// It holds on all runs that begin so, or on none.
        holds: bool,
    },
}

impl Finish {
    /// For the page.
    pub fn name(self) -> &'static str {
        match self {
            Finish::Open => "open",
            Finish::Loop(_) => "loop",
            Finish::Rest => "rest",
            Finish::Error => "error",
            Finish::Decided { .. } => "decided",
        }
    }
}

/// A run that was executed once more and judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What it shows.
    pub title: String,
    /// What it is about.
    pub question: Option<Question>,
    /// Its first state.
    pub initial: State,
    /// Its steps.
    pub steps: Vec<Step>,
    /// What comes then.
    pub finish: Finish,
    /// It is about what comes behind so many steps.
    pub from: usize,
    /// What the judge asked.
    pub by: Vec<String>,
    /// Something is said about it, beside that the model has it.
    pub is_claimed: bool,
    /// What is wrong at its end.
    pub error: Option<Fault>,
}

/// A property that was bound to the model: what waves and automata are drawn from.
pub trait Lens: Send + Sync {
    /// What it is called.
    fn name(&self) -> &str;
    /// As in reports.
    fn kind(&self) -> &str;
    /// The formula or condition, or what it says in words.
    fn text(&self) -> &str;
    /// The names of its propositions.
    fn propositions(&self) -> &[String];
    /// Accepts the runs that are looked for; none for properties of states.
    fn automaton(&self) -> Option<&Tgba>;
    /// Whether the automaton accepts the runs that violate it.
    fn is_negated(&self) -> bool;
    /// For each state the truth of each proposition, as far as it can be evaluated, and the letter
    /// that the automaton reads.
    fn look(
        &self,
        states: &mut dyn Iterator<Item = &State>,
        see: &mut dyn FnMut(&[Option<bool>], Props),
    );
}

/// What is explored, for as long as `'s`.
pub trait Subject<'s>: Send + Sync {
    /// All that the page needs to know at first.
    fn about(&self) -> Value;
    /// Tells this model from others.
    fn fingerprint(&self) -> &str;
    /// The initial states, at least one, or why there is none.
    fn initial(&self) -> Result<Vec<State>, Fault>;
    /// The steps of a state, in the model's order.
    fn enabled(&self, state: &State) -> Vec<Enabled>;
    /// All processes may rest in this state.
    fn is_valid_end(&self, state: &State) -> bool;
    /// Steps in words.
    fn tell(&self, part: &Part<'_>) -> Vec<Told>;
    /// The statements of a step.
    fn texts(&self, moves: &[Move]) -> Vec<String>;
    /// The number and name of the process that a move is of, in the state before it.
    fn processes(&self, part: &Part<'_>, see: &mut dyn FnMut(usize, u8, &str));
    /// The values of a state.
    fn values(&self, state: &State) -> Vec<Valued>;
    /// Where the processes stand.
    fn standings(&self, state: &State) -> Vec<Standing>;
    /// The chart of some steps; `columns` are the processes of the whole run.
    fn chart(&self, part: &Part<'_>, columns: &[(u8, String)]) -> Chart;
    /// What is wrong with a formula or condition: errors, then warnings. Its propositions.
    fn complaints(&self, question: &Question) -> (Vec<Complaint>, Vec<String>, Vec<String>);
    /// Whether a question is about propositions, so that there is a [`Lens`] for it.
    fn has_propositions(&self, question: &Question) -> bool;
    /// Binds a property; an error is a sentence.
    fn lens(&self, question: &Question) -> Result<Arc<dyn Lens + 's>, String>;
    /// Executes and judges a run as it is saved; an error is a sentence.
    fn judged(&self, saved: &Value) -> Result<Judged, String>;
    /// A run that was played, as it is saved.
    fn played(&self, initial: &State, steps: &[Arc<Step>], finish: Finish) -> Value;
    /// The document of a saved run.
    fn document(&self, saved: &Value) -> Result<Value, String>;
    /// The saved runs of a document.
    fn documented(&self, document: Value) -> Result<Vec<Value>, String>;
    /// What a worker is to do; an error is a sentence.
    fn task(&self, asked: &Ask) -> Result<Value, String>;
}

/// A position of a run: where it begins, and the steps.
#[derive(Clone, Debug)]
pub struct From {
    /// An initial state.
    pub initial: Arc<State>,
    /// The steps to the position.
    pub steps: Vec<Arc<Step>>,
}

/// A check that somebody asks for.
#[derive(Clone, Debug)]
pub struct Ask {
    /// What is asked.
    pub question: Question,
    /// A position where the search begins.
    pub from: Option<From>,
    /// Which runs count, by a word of the subject's; all without one.
    pub fair: Option<String>,
    /// A shortest run is wanted.
    pub shortest: bool,
    /// The search gives up after this time.
    pub seconds: u64,
    /// Bytes of what is stored.
    pub memory: Option<usize>,
}
