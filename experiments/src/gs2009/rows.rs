//! All that is measured on one property.

use lariat_automata::Tgba;
use lariat_checks::{Algorithm, plan};
use lariat_core::Word;
use lariat_model::interp::ModelSpace;
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::Component;
use lariat_search::emptiness::scc::enumerate::{self, Seen};
use lariat_store::live::InPlace;
use serde::{Deserialize, Serialize};

use crate::lab::cases::Case;
use crate::lab::checks::{CHECKS, GV};
use crate::lab::measure::{Found, How, check, on_product};

/// The checks that the paper tried and left out, since others were always better.
pub const LEFT_OUT: [(Algorithm, &str); 2] = [(Algorithm::Cvwy, "CVWY"), (Algorithm::Gmz, "GMZ")];

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub name: String,
    pub is_weak: bool,
    /// Bytes of a state of the system.
    pub descriptor: u64,
    /// Marks of the generalised automaton.
    pub marks: u64,
    /// States of the generalised automaton, and of the one with accepting states.
    pub sizes: [u64; 2],
    /// The product's components without a cycle that are accepting, if nothing is found.
    pub trivial_accepting: u64,
    /// In the order of `CHECKS`.
    pub found: Vec<Found>,
    /// In the order of `LEFT_OUT`.
    pub left_out: Vec<Found>,
    /// Simple depth-first search, on weak ones.
    pub simple: Option<Found>,
    /// ASCC on the generalised automaton.
    pub generalised: Found,
}

impl Row {
    pub fn transitions(&self, check: usize) -> u64 {
        self.found[check].transitions
    }

    pub fn has_run(&self) -> bool {
        self.found[GV].has_run()
    }
}

/// A row, or the check that was cut.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Measured {
    Row(Box<Row>),
    Cut(String),
}

/// Measures one property.
pub fn measure(case: &Case, how: &How) -> Result<Measured, String> {
    let is_weak = case.is_weak()?;
    let (mut found, mut left_out): (Vec<Found>, Vec<Found>) = (Vec::new(), Vec::new());
    // The longest first.
    for (of, checks) in [(&mut found, &CHECKS[..]), (&mut left_out, &LEFT_OUT[..])] {
        for &(algorithm, name) in checks.iter().rev() {
            let one = check(case, algorithm, how)?;
            if !one.is_empty() && !one.has_run() {
                return Ok(Measured::Cut(name.to_owned()));
            }
            of.insert(0, one);
        }
    }
    let simple = is_weak.then(|| check(case, Algorithm::Sd, how)).transpose()?;
    let generalised = check(case, Algorithm::Ascc, &How { by_states: false, ..how.clone() })?;
    let all = found.iter().chain(&left_out).chain(&simple).chain([&generalised]);
    let says: Vec<_> = all.map(|found| found.says).collect();
    if says.iter().any(|&one| one != says[0]) {
        return Err(format!("the checks disagree: {says:?}"));
    }
    let width = ModelSpace::minimal_width(case.model.loaded().model());
    let given = case.automaton()?;
    let planned = plan(&given, &how.setup(Algorithm::Gv))?;
    let buchi = planned.automaton.as_ref().unwrap_or(&given);
    let trivial_accepting = match found[GV].is_empty() {
        true => trivial_accepting(case, buchi, how)?,
        false => 0,
    };
    Ok(Measured::Row(Box::new(Row {
        name: case.name.clone(),
        is_weak,
        descriptor: 4 * width as u64,
        marks: given.mark_count.into(),
        sizes: [&given, buchi].map(|tgba| tgba.state_count() as u64),
        trivial_accepting,
        found,
        left_out,
        simple,
        generalised,
    })))
}

/// The components of the product that are one accepting state without a loop.
fn trivial_accepting(case: &Case, buchi: &Tgba, how: &How) -> Result<u64, String> {
    let is_accepting = |row: &[Word; 2]| {
        let edges = &buchi.edges[row[1] as usize];
        edges.first().is_some_and(|edge| edge.marks.has(0))
    };
    on_product(case, buchi, how, |product| {
        let mut count = 0;
        let mut store = InPlace::new(Vec::<[Word; 2]>::new());
        let visit = |row: &[Word; 2], component: Component<Seen>| {
            count += u64::from(component.trivial && is_accepting(row));
        };
        enumerate::tarjan(product, &mut store, SearchOptions::default(), visit);
        Ok(count)
    })
}
