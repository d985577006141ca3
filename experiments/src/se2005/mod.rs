//! Schwoon, Esparza, *A Note on On-the-Fly Verification Algorithms*, TACAS 2005: Table 1.
//!
//! - `claims`: what the paper says about the table, of our rows
//! - `paper`: the paper's rows, and what is wrong in them

mod claims;
mod paper;

use std::path::Path;

use lariat_checks::Algorithm;
use lariat_core::Word;
use lariat_plot::{Bars, bars};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::enumerate;
use lariat_store::live::InPlace;
use lariat_verify::Question;
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::Case;
use crate::lab::measure::{Found, How, alone, ask, on_product};
use crate::lab::page::Page;

const CHECKS: [(Algorithm, &str); 5] = [
    (Algorithm::Hpy, "HPY"),
    (Algorithm::Gmz, "GMZ"),
    (Algorithm::Se, "New"),
    (Algorithm::C99, "Couv"),
    (Algorithm::Gv, "GV"),
];
const HPY: usize = 0;
const GMZ: usize = 1;
const NEW: usize = 2;
const COUV: usize = 3;
const GV: usize = 4;

/// One property of one variant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub variant: u32,
    pub property: String,
    pub is_weak: bool,
    /// Of the whole product, without reduction.
    pub states: u64,
    pub transitions: u64,
    /// Without and with reduction, in the order of `CHECKS`.
    pub found: [Vec<Found>; 2],
}

/// One property of one variant.
pub fn case(variant: u32, property: &str) -> Result<Case, String> {
    let define = format!("VARIANT={variant}");
    let question = Question::Named(property.to_owned());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/election.pml");
    Case::new(property, &file, &[&define], question)
}

/// Measures one property of one variant.
pub fn measure(variant: u32, property: &str) -> Result<Row, String> {
    let case = case(variant, property)?;
    let how = How { most: u64::MAX, ..How::papers() };
    let all = |reduces: bool| -> Result<Vec<Found>, String> {
        CHECKS.iter().map(|&(check, _)| ask(&case, &alone(&how, check, reduces))).collect()
    };
    let (states, transitions) = on_product(&case, &by_states(&case)?, &how, |product| {
        let mut store = InPlace::new(Vec::<[Word; 2]>::new());
        let options = SearchOptions::default();
        let seen = enumerate::tarjan::<_, _, ()>(product, &mut store, options, |_, _| {});
        Ok((seen.stats.states, seen.stats.transitions))
    })?;
    let found = [all(false)?, all(true)?];
    let is_weak = case.is_weak()?;
    Ok(Row { variant, property: property.to_owned(), is_weak, states, transitions, found })
}

/// The automaton that all checks get.
fn by_states(case: &Case) -> Result<lariat_automata::Tgba, String> {
    let given = case.automaton()?;
    let planned = lariat_checks::plan(&given, &How::papers().setup(Algorithm::Gv))?;
    Ok(planned.automaton.unwrap_or(given))
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let mut rows: Vec<Row> = Vec::new();
    for variant in [1, 2] {
        for property in ["A", "B", "C", "D", "E", "F", "G", "H", "I"] {
            let key = format!("variant {variant} {property}");
            rows.push(lab.remember(&key, || measure(variant, property))?);
        }
    }
    let mut page = Page::new(lab, "Schwoon and Esparza 2005: Table 1, leader election");
    page.put(
        "Leader election with extinction on three nodes, rebuilt in Promela from the description \
         ([election.pml](../examples/election.pml)). Neither the paper's model nor its formulas are in the paper: ours have the same \
         classes and the same verdicts in both variants. So the relations between the checks can be compared, and \
         numbers only as far as their order of magnitude. The paper's product was made by Spin with \
         partial-order reduction; ours is walked on the fly, without and with lariat's reduction.",
    );
    for (at, title) in [(0, "Without reduction"), (1, "With reduction")] {
        page.section(title);
        tables(&mut page, &rows, at);
        plot(&mut page, &rows, at)?;
        claims::relations(&mut page, &rows, at);
    }
    paper::numbers(&mut page, &rows);
    page.write(lab)
}

fn tables(page: &mut Page, rows: &[Row], at: usize) {
    let triple = |found: &Found| format!("{} {} {}", found.states, found.transitions, found.depth);
    let line = |row: &Row| {
        let found = &row.found[at];
        let mut line = vec![row.variant.to_string(), row.property.clone()];
        line.push(if row.is_weak { "yes" } else { "no" }.to_owned());
        line.push(if found[GV].has_run() { "yes" } else { "no" }.to_owned());
        line.extend([row.states, row.transitions].map(|n| n.to_string()));
        line.extend(found.iter().map(triple));
        line.push(found[COUV].roots.to_string());
        line.push(found[GV].current.to_string());
        line.push(format!(
            "{} {}",
            found[NEW].prefix + found[NEW].cycle,
            found[GV].prefix + found[GV].cycle
        ));
        line
    };
    page.put("States, transitions and depth of each check; `states` and `trans` are those of the whole product, without reduction.");
    let mut header = vec!["variant", "φ", "weak", "cycle", "states", "trans"];
    header.extend(CHECKS.iter().map(|(_, name)| *name));
    header.extend(["Roots", "Current", "cex New, GV"]);
    page.table(&header, &rows.iter().map(line).collect::<Vec<_>>());
}

fn plot(page: &mut Page, rows: &[Row], at: usize) -> Result<(), String> {
    let group = |row: &Row| {
        let most = row.found[at].iter().map(|f| f.transitions).max().unwrap_or(1) as f64;
        let values = row.found[at].iter().map(|f| Some(f.transitions as f64 / most * 100.0));
        (format!("{}{}", row.variant, row.property), values.collect())
    };
    let chart = Bars {
        title: "Transitions generated".to_owned(),
        unit: "percent of the most".to_owned(),
        series: CHECKS.iter().map(|(_, name)| (*name).to_owned()).collect(),
        groups: rows.iter().map(group).collect(),
    };
    page.plot(["full", "reduced"][at], bars(&chart))
}
