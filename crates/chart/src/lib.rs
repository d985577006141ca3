//! A run as a message sequence chart: processes as columns, messages as arrows between them.
//!
//! It knows nothing of models: crate `report` makes charts of runs of Promela and DVE models, crate `lariat` of runs
//! of actors.
//!
//! - `cut`: a part of a long run
//! - `text`: for the terminal
//! - `layout`, `style` and `svg`: for documents and pages
//! - [`xml`]: text inside SVG and JUnit

#![forbid(unsafe_code)]

mod cut;
mod layout;
mod style;
mod svg;
mod text;
pub mod xml;

pub use svg::svg;
pub use text::text;

/// A chart that is ready to be drawn.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The processes that move, in the order of pids.
    pub columns: Vec<String>,
    pub propositions: Vec<String>,
    /// The truth of the propositions in the initial state.
    pub initial: Vec<bool>,
    pub rows: Vec<Row>,
    /// The row before which the loop starts.
    pub loop_row: Option<usize>,
    /// What comes after the last row.
    pub end: &'static str,
    /// The last row is the one that must not be.
    pub is_bad: bool,
}

/// One statement, or both halves of a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// From 1.
    pub step: usize,
    pub event: Event,
    /// What it changed: `x = 1, y = 2`.
    pub changes: String,
    /// The truth of the propositions behind the step.
    pub truth: Vec<bool>,
}

/// What a process does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    pub column: usize,
    /// The line of the statement, before it the file if that is not the model; may be empty.
    pub place: String,
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A statement without a message.
    Local(Act),
    /// A message goes into a channel.
    Send(Act),
    /// A message is taken out of a channel; the row and column where it was sent, if that is
    /// on the chart.
    Receive { act: Act, sent: Option<(usize, usize)> },
    /// Both at once.
    Rendezvous { from: Act, to: Act },
    /// Rows that are left out.
    Gap { rows: usize },
}

impl Event {
    /// What the processes do, the sender first.
    pub fn acts(&self) -> Vec<&Act> {
        match self {
            Event::Local(act) | Event::Send(act) | Event::Receive { act, .. } => vec![act],
            Event::Rendezvous { from, to } => vec![from, to],
            Event::Gap { .. } => Vec::new(),
        }
    }
}

/// Names of propositions that are longer have a number in the header.
const LONGEST_TITLE: usize = 16;

/// What stands above the truth of a proposition: its name, or a number if that is long.
fn title(at: usize, name: &str) -> String {
    match name.chars().count() <= LONGEST_TITLE {
        true => name.to_owned(),
        false => format!("[{}]", at + 1),
    }
}

/// What the numbers stand for, a line each.
fn legend(propositions: &[String]) -> Vec<String> {
    let numbered = propositions.iter().enumerate();
    let long = numbered.filter(|(at, name)| title(*at, name) != **name);
    long.map(|(at, name)| format!("[{}] is {name}", at + 1)).collect()
}
