//! Holzmann, Peled, Yannakakis, *On Nested Depth First Search*, SPIN 1996, §6: cycles without
//! progress, by the search of Fig. 5 and by the automaton of Fig. 6 with the search of Fig. 4, without
//! and with reduction.

use std::time::Duration;

use lariat_checks::Algorithm;
use lariat_plot::{Bars, bars};
use lariat_verify::{Config, Question};
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::{Case, own};
use crate::lab::measure::{Found, How, Says, alone, ask};
use crate::lab::page::{Page, Status, percent};

/// One model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub model: String,
    /// Fig. 5, and the same when reduction is asked for.
    pub direct: Found,
    pub direct_reduced: Found,
    /// Fig. 6 and Fig. 4.
    pub automaton: Found,
    pub reduced: Found,
    /// The nested search of Fig. 2, to see what its first correction saves.
    pub without_stack: Found,
}

impl Row {
    fn all(&self) -> [&Found; 5] {
        let Row { direct, direct_reduced, automaton, reduced, without_stack, .. } = self;
        [direct, direct_reduced, automaton, reduced, without_stack]
    }
}

/// Models of other people with progress labels, below `promela` in the corpus. Those of the second list are large.
const OTHERS: [&str; 9] = [
    "spin/Examples/cambridge.pml",
    "spin/Examples/Book_1991/p337.pftp.ses.pml",
    "spin/Examples/Book_1991/p347.pftp.ses5.pml",
    "spins/tests/case_studies/fluke/src/test/basic-progress/interposer.pr",
    "spins/tests/case_studies/fluke/src/test/basic-progress/send.pr",
    "spins/tests/case_studies/giop/giop1.nomig.pr",
    "spins/tests/case_studies/i-protocol/code/spin/i0",
    "spins/tests/case_studies/i-protocol/code/spin/i3",
    "spins/tests/case_studies/i-protocol/code/spin/i4",
];
const LARGE: [&str; 2] = [
    "spins/tests/case_studies/i-protocol/code/spin/i1",
    "spins/tests/case_studies/i-protocol/code/spin/i2",
];

/// One of our models; `is_faulty` ones have a cycle without progress.
pub fn own_case(model: &str, n: u32, is_faulty: bool) -> Result<Case, String> {
    let defines = [format!("N={n}"), format!("FAULTY={}", u8::from(is_faulty))];
    let defines: Vec<&str> = defines.iter().map(String::as_str).collect();
    let name = format!("{model} {n}{}", if is_faulty { " faulty" } else { "" });
    Case::new(&name, &own(&format!("{model}.pml")), &defines, Question::NonProgress)
}

pub fn measure(case: &Case) -> Result<Row, String> {
    // What a check alone may take; a larger model is none of this page's.
    let how = How { time: Some(Duration::from_secs(1200)), ..How::papers() };
    let hpy = |reduces| ask(case, &alone(&how, Algorithm::Hpy, reduces));
    let direct = |reduces| {
        let setup = lariat_checks::Setup::default();
        let plain = alone(&how, Algorithm::Auto, reduces);
        ask(case, &Config { direct_non_progress: true, setup, ..plain })
    };
    let row = Row {
        model: case.name.clone(),
        direct: direct(false)?,
        direct_reduced: direct(true)?,
        automaton: hpy(false)?,
        reduced: hpy(true)?,
        without_stack: ask(case, &alone(&how, Algorithm::Cvwy, false))?,
    };
    let says = row.all().map(|found| found.says);
    if says.iter().any(|&one| one != says[0] || one == Says::Nothing) {
        return Err(format!("the answers differ, or there is none: {says:?}"));
    }
    Ok(row)
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let sizes = if lab.full { 2..=7 } else { 2..=5 };
    let mut rows: Vec<Row> = Vec::new();
    for model in ["ring", "pool", "pipeline"] {
        for n in sizes.clone() {
            for is_faulty in [false, true] {
                let case = own_case(model, n, is_faulty)?;
                rows.push(lab.remember(&case.name.clone(), || measure(&case))?);
            }
        }
    }
    let folder = lab.corpus()?.join("promela");
    let large = if lab.full { &LARGE[..] } else { &[] };
    for path in OTHERS.iter().chain(large) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let row = lab.remember(path, || {
            measure(&Case::new(name, &folder.join(path), &[], Question::NonProgress)?)
        })?;
        let short = name.split('.').next().unwrap_or(name);
        rows.push(Row { model: short.to_owned(), ..row });
    }
    let mut page = Page::new(lab, "Holzmann, Peled and Yannakakis 1996: cycles without progress");
    page.put(&format!(
        "Three models of our own (`models/ring.pml`, `pool.pml`, `pipeline.pml`) with a progress label, right and \
         faulty, in several sizes, and {} models of other people with progress labels: of Spin's examples `cambridge` and two of file transfer \
         (`p337`, `p347`); of SpinS' case studies Fluke's IPC (`interposer`, `send`), GIOP (`giop1.nomig`) and the i-protocol. The paper has no table; it \
         compares in words. All five searches give the same answer on every model.",
        rows.len() - 6 * sizes.count()
    ));
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
    let named = |is_so: &dyn Fn(&&Row) -> bool| {
        let names: Vec<&str> = rows.iter().filter(is_so).map(|row| row.model.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let better = rows.iter().filter(|row| row.reduced.states < row.direct.states).count();
    page.claim(
        "HPY-2",
        "a reduced search with Fig. 4 and Fig. 6 outperforms an exhaustive one with Fig. 5 in almost all cases",
        Status::of(10 * better >= 8 * rows.len()),
        &format!(
            "fewer states in {better} of {} cases; not in {}",
            rows.len(),
            named(&|row| row.reduced.states >= row.direct.states)
        ),
    );
    let sum = |of: fn(&Row) -> u64| right.iter().map(|row| of(row)).sum::<u64>() as f64;
    let (reduced, direct) = (sum(|row| row.reduced.transitions), sum(|row| row.direct.transitions));
    let fewer = right.iter().filter(|row| row.reduced.transitions < row.direct.transitions).count();
    let cpu = |of: fn(&Row) -> &Found| right.iter().map(|row| of(row).cpu).sum::<f64>();
    let (reduced_cpu, direct_cpu) = (cpu(|row| &row.reduced), cpu(|row| &row.direct));
    let slower = |row: &&Row| {
        !row.direct.has_run() && row.direct.cpu >= 0.02 && row.reduced.cpu > row.direct.cpu
    };
    page.claim(
        "HPY-3",
        "the reduced search is faster, too",
        Status::of(reduced < direct && reduced_cpu < direct_cpu),
        &format!(
            "{} of the transitions and {} of the CPU time of Fig. 5 over all models without a cycle; fewer transitions in {fewer} of {}; more CPU time, of those that take \
             0.02 s, in: {}",
            percent(reduced, direct),
            percent(reduced_cpu, direct_cpu),
            right.len(),
            named(&slower)
        ),
    );
    let visits =
        rows.iter().map(|row| row.automaton.expansions as f64 / row.automaton.states as f64);
    let visits = visits.fold(0.0, f64::max);
    page.claim(
        "HPY-4",
        "the nested search at most doubles the time, and needs no second copy of a state",
        Status::of(visits <= 2.0),
        &format!("a state is expanded {visits:.2} times at most, on the average of a model"),
    );
    let behind = |row: &&Row| row.automaton.transitions > row.without_stack.transitions;
    page.claim(
        "HPY-5",
        "stopping at the stack of the first search improves performance, also without reduction",
        Status::of(!rows.iter().any(|row| behind(&row))),
        &format!("Fig. 4 needs more transitions than Fig. 2 in: {}", named(&behind)),
    );
    let length = |found: &Found| found.prefix + found.cycle;
    let longer = |row: &&Row| length(&row.automaton) > length(&row.without_stack);
    let shorter = |row: &&Row| length(&row.automaton) < length(&row.without_stack);
    page.claim(
        "HPY-6",
        "it allows for shorter counterexamples",
        Status::of(!rows.iter().any(|row| longer(&row)) && rows.iter().any(|row| shorter(&row))),
        &format!(
            "with Fig. 4 shorter than with Fig. 2 in: {}; longer in: {}",
            named(&shorter),
            named(&longer)
        ),
    );
    let fewer = |row: &&Row| row.direct_reduced.states < row.direct.states;
    page.claim(
        "HPY-7",
        "Fig. 5 cannot be combined with the reduction; Fig. 6 can",
        Status::of(!rows.iter().any(|row| fewer(&row))),
        &format!(
            "lariat never reduces for Fig. 5 (fewer states when asked to in: {}); Fig. 6 reduced says the same as Fig. 5 in all {} cases. On small graphs the \
             combination misses a cycle, and with the correction of Fig. 4 it reports one that has progress (search/tests/all/ample.rs, hpy_figure_5_and_reduction)",
            named(&fewer),
            rows.len()
        ),
    );
}
