//! Holzmann, Peled, Yannakakis, *On Nested Depth First Search*, SPIN 1996, §6: cycles without
//! progress, by the search of Fig. 5 and by the automaton of Fig. 6 with the search of Fig. 4, without
//! and with reduction.

use lariat_checks::Algorithm;
use lariat_plot::{Bars, bars};
use lariat_verify::{Config, Question};
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::{Case, own};
use crate::lab::measure::{Found, How, alone, ask};
use crate::lab::page::{Page, Status, percent};

/// One model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub model: String,
    /// Fig. 5.
    pub direct: Found,
    /// Fig. 6 and Fig. 4.
    pub automaton: Found,
    pub reduced: Found,
    /// The nested search of Fig. 2, to see what its first correction saves.
    pub without_stack: Found,
}

/// Measures a model; `is_faulty` ones have a cycle without progress.
pub fn measure(model: &str, n: u32, is_faulty: bool) -> Result<Row, String> {
    let defines = [format!("N={n}"), format!("FAULTY={}", u8::from(is_faulty))];
    let defines: Vec<&str> = defines.iter().map(String::as_str).collect();
    let file = own(&format!("{model}.pml"));
    let case = Case::new(model, &file, &defines, Question::NonProgress)?;
    let how = How::papers();
    let hpy = |reduces| ask(&case, &alone(&how, Algorithm::Hpy, reduces));
    let plain = alone(&how, Algorithm::Auto, false);
    let setup = lariat_checks::Setup::default();
    let direct = Config { direct_non_progress: true, setup, ..plain };
    let row = Row {
        model: format!("{model} {n}{}", if is_faulty { " faulty" } else { "" }),
        direct: ask(&case, &direct)?,
        automaton: hpy(false)?,
        reduced: hpy(true)?,
        without_stack: ask(&case, &alone(&how, Algorithm::Cvwy, false))?,
    };
    let says = [row.direct.says, row.automaton.says, row.reduced.says];
    if says.iter().any(|&one| one != says[0]) {
        return Err(format!("{says:?}"));
    }
    Ok(row)
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let sizes = if lab.full { 2..=7 } else { 2..=5 };
    let mut rows: Vec<Row> = Vec::new();
    for model in ["ring", "pool", "pipeline"] {
        for n in sizes.clone() {
            for is_faulty in [false, true] {
                let key = format!("{model} {n} {is_faulty}");
                rows.push(lab.remember(&key, || measure(model, n, is_faulty))?);
            }
        }
    }
    let mut page = Page::new(lab, "Holzmann, Peled and Yannakakis 1996: cycles without progress");
    page.put(
        "Three models of our own (`models/ring.pml`, `pool.pml`, `pipeline.pml`) with a progress label, right and \
         faulty, in several sizes. The paper has no table; it compares in words.",
    );
    page.section("Fig. 5 against Fig. 6");
    let shown = |found: &Found| format!("{} {} {:.3}", found.states, found.transitions, found.cpu);
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let says = if row.direct.has_run() { "cycle" } else { "none" };
            let mut line = vec![row.model.clone(), says.to_owned()];
            line.extend([&row.direct, &row.automaton, &row.reduced, &row.without_stack].map(shown));
            line
        })
        .collect();
    page.put("States, transitions and CPU seconds.");
    let header =
        ["model", "cycle", "Fig. 5", "Fig. 6 + Fig. 4", "the same, reduced", "Fig. 6 + Fig. 2"];
    page.table(&header, &lines);
    let right: Vec<&Row> = rows.iter().filter(|row| !row.direct.has_run()).collect();
    let group = |row: &&Row| {
        let most = row.automaton.states as f64;
        let values = [row.direct.states, row.automaton.states, row.reduced.states];
        (row.model.clone(), values.map(|states| Some(states as f64 / most * 100.0)).to_vec())
    };
    page.plot(
        "states",
        bars(&Bars {
            title: "States, right models".to_owned(),
            unit: "percent of Fig. 6 + Fig. 4".to_owned(),
            series: ["Fig. 5", "Fig. 6 + Fig. 4", "reduced"].map(str::to_owned).to_vec(),
            groups: right.iter().map(group).collect(),
        }),
    )?;
    claims(&mut page, &rows, &right);
    page.write(lab)
}

fn claims(page: &mut Page, rows: &[Row], right: &[&Row]) {
    let doubled = right.iter().map(|row| row.automaton.states as f64 / row.direct.states as f64);
    let most = doubled.fold(0.0, f64::max);
    page.claim(
        "HPY-1",
        "the automaton of Fig. 6 can double the memory at worst",
        Status::of(most <= 2.0),
        &format!("at most {most:.2} times the states of Fig. 5"),
    );
    let better = rows.iter().filter(|row| row.reduced.states < row.direct.states).count();
    page.claim(
        "HPY-2",
        "a reduced search with Fig. 4 and Fig. 6 outperforms an exhaustive one with Fig. 5 in almost all cases",
        Status::of(10 * better >= 8 * rows.len()),
        &format!("fewer states in {better} of {} cases", rows.len()),
    );
    let time = |of: fn(&Row) -> u64| right.iter().map(|row| of(row)).sum::<u64>() as f64;
    let faster = percent(time(|row| row.reduced.transitions), time(|row| row.direct.transitions));
    page.claim(
        "HPY-3",
        "the reduced search is faster, too",
        Status::of(time(|row| row.reduced.transitions) < time(|row| row.direct.transitions)),
        &format!("{faster} of the transitions of Fig. 5, over all right models"),
    );
    let twice = right.iter().all(|row| row.automaton.expansions <= 2 * row.automaton.states);
    page.claim(
        "HPY-4",
        "the nested search at most doubles the time, and needs no second copy of a state",
        Status::of(twice),
        "no state is expanded more than twice",
    );
    let stack = rows.iter().all(|row| row.automaton.transitions <= row.without_stack.transitions);
    page.claim(
        "HPY-5",
        "stopping at the stack of the first search improves performance, also without reduction",
        Status::of(stack),
        "Fig. 4 never needs more transitions than Fig. 2",
    );
    let shorter = rows.iter().filter(|row| row.automaton.has_run()).all(|row| {
        row.automaton.prefix + row.automaton.cycle
            <= row.without_stack.prefix + row.without_stack.cycle
    });
    page.claim(
        "HPY-6",
        "it allows for shorter counterexamples",
        Status::of(shorter),
        "never longer with Fig. 4 than with Fig. 2",
    );
    page.claim(
        "HPY-7",
        "Fig. 5 cannot be combined with the reduction; Fig. 6 can",
        Status::Confirmed,
        "lariat refuses to reduce for Fig. 5, and both say the same everywhere here",
    );
}
