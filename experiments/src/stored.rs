//! GS §1 and §5: experiments on graphs that were computed before mislead. The same checks on the
//! same products, on the fly and stored.

use std::collections::HashMap;

use lariat_automata::{ExplicitGraph, Label, StateId, Tgba};
use lariat_bench::cpu::cpu_seconds;
use lariat_checks::{Algorithm, plan};
use lariat_core::{Batch, Cursor, DONE, Successors, Word};
use lariat_plot::{Bars, bars};
use lariat_verify::engine::{Engine, EngineSwitches};
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::{Case, beem_rows};
use crate::lab::checks::{C99, CHECKS, GV, HPY, names};
use crate::lab::measure::{How, OnTheFly, check, on_product, run as run_check};
use crate::lab::page::{Page, Status, percent};

/// Transitions from which on CPU time can be measured.
const MEASURABLE: u64 = 30_000;

/// How successors come to be, from dear to cheap.
const WAYS: [&str; 4] = ["interpreter", "machine code", "remembered steps", "stored graph"];

/// CPU seconds by way and check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub seconds: Vec<Vec<f64>>,
    pub transitions: Vec<u64>,
}

/// The product as a graph in memory, successors in the same order.
pub fn stored(product: &mut OnTheFly<'_, '_>, marks: u32) -> Tgba {
    let mut tgba = Tgba { mark_count: marks, ..Tgba::default() };
    let mut ids: HashMap<[Word; 2], StateId> = HashMap::new();
    let mut rows: Vec<[Word; 2]> = Vec::new();
    let mut id = |row: &[Word; 2], rows: &mut Vec<[Word; 2]>, tgba: &mut Tgba| {
        *ids.entry(*row).or_insert_with(|| {
            rows.push(*row);
            tgba.add_state()
        })
    };
    let mut batch = product.batch(usize::MAX);
    product.initial(&mut batch);
    for at in 0..batch.len() {
        let state = id(batch.row(at), &mut rows, &mut tgba);
        tgba.initial.push(state);
    }
    let mut next = 0;
    while next < rows.len() {
        let (row, mut at) = (rows[next], Cursor::default());
        while at != DONE {
            batch.clear();
            product.expand(&row, &mut at, &mut batch);
            for edge in 0..batch.len() {
                let target = id(batch.row(edge), &mut rows, &mut tgba);
                tgba.add_edge(next as StateId, Label::True, batch.marks(edge), target);
            }
            if product.stopped().is_some() {
                return tgba;
            }
        }
        next += 1;
    }
    tgba
}

/// The largest products here are larger than those of other pages.
fn papers() -> How {
    How { most: 10_000_000, ..How::papers() }
}

fn ways() -> [How; 3] {
    let with = |switches| How { engine: Engine { switches, ..Engine::default() }, ..papers() };
    let no_remembered_steps = true;
    [
        with(EngineSwitches { interpret: true, no_remembered_steps, ..EngineSwitches::default() }),
        with(EngineSwitches { no_remembered_steps, ..EngineSwitches::default() }),
        with(EngineSwitches::default()),
    ]
}

/// Measures one property that holds; nothing if it does not, or if there is too little to measure.
pub fn measure(case: &Case, least: u64) -> Result<Option<Row>, String> {
    let probe = check(case, Algorithm::Gv, &ways()[2])?;
    if !probe.is_empty() || probe.transitions < least {
        return Ok(None);
    }
    let mut seconds = Vec::new();
    let mut transitions = Vec::new();
    for how in ways() {
        let found: Vec<_> = CHECKS
            .iter()
            .map(|(algorithm, _)| check(case, *algorithm, &how))
            .collect::<Result<_, _>>()?;
        seconds.push(found.iter().map(|found| found.cpu).collect());
        transitions = found.iter().map(|found| found.transitions).collect();
    }
    let how = papers();
    let given = case.automaton()?;
    let planned = plan(&given, &how.setup(Algorithm::Gv))?;
    let tgba = planned.automaton.as_ref().unwrap_or(&given);
    let whole = on_product(case, tgba, &how, |product| Ok(stored(product, tgba.mark_count)))?;
    let mut graph = ExplicitGraph::new(&whole).widened::<2>();
    let mut taken = Vec::new();
    for (at, (algorithm, name)) in CHECKS.iter().enumerate() {
        let start = cpu_seconds();
        let outcome = run_check(&mut graph, *algorithm);
        taken.push(cpu_seconds() - start);
        if outcome.stats.transitions != transitions[at] {
            return Err(format!("{name} sees another graph"));
        }
    }
    seconds.push(taken);
    Ok(Some(Row { seconds, transitions }))
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let most = if lab.full { 3_000_000 } else { 600_000 };
    let cases = beem_rows(lab.corpus()?, &lab.beem()?, most);
    let mut rows: Vec<Row> = Vec::new();
    for case in cases.iter().filter(|case| case.states > 10_000) {
        let key = format!("{} {most}", case.name);
        if lab.is_over(&key) {
            continue;
        }
        rows.extend(lab.remember(&key, || measure(&case.case()?, MEASURABLE))?);
    }
    let sum =
        |way: usize, check: usize| rows.iter().map(|row| row.seconds[way][check]).sum::<f64>();
    let transitions =
        |check: usize| rows.iter().map(|row| row.transitions[check]).sum::<u64>() as f64;
    let mut page = Page::new(lab, "Gaiser and Schwoon 2009: what stored graphs hide");
    page.section("The same products on the fly and stored");
    page.put(&format!(
        "{} LTL properties of BEEM that hold, on instances with 10,000 to {most} states. CPU time of each check as a part of HPY's. All four ways have the same \
         graph: each check computes the same number of successors.",
        rows.len()
    ));
    let mut lines = Vec::new();
    for (way, name) in WAYS.iter().enumerate() {
        let mut line = vec![(*name).to_owned()];
        line.extend((0..6).map(|check| percent(sum(way, check), sum(way, HPY))));
        line.push(format!("{:.2}", sum(way, HPY)));
        lines.push(line);
    }
    let mut line = vec!["successors".to_owned()];
    line.extend((0..6).map(|check| percent(transitions(check), transitions(HPY))));
    line.push(String::new());
    lines.push(line);
    let mut header = vec!["successors by"];
    header.extend(names());
    header.push("HPY, CPU seconds");
    page.table(&header, &lines);
    let group = |(check, name): (usize, &str)| {
        let share = |way| Some(sum(way, check) / sum(way, HPY) * 100.0);
        (name.to_owned(), (0..4).map(share).collect())
    };
    page.plot(
        "ways",
        bars(&Bars {
            title: "CPU time by where successors come from, HPY = 100 %".to_owned(),
            unit: "percent".to_owned(),
            series: WAYS.map(str::to_owned).to_vec(),
            groups: names().into_iter().enumerate().map(group).collect(),
        }),
    )?;
    let distance = |way: usize| {
        let off = |check: usize| {
            (sum(way, check) / sum(way, HPY) - transitions(check) / transitions(HPY)).abs()
        };
        (0..6).map(off).sum::<f64>() / 6.0
    };
    let off: Vec<String> =
        (0..4).map(|way| format!("{}: {}", WAYS[way], percent(distance(way), 1.0))).collect();
    page.put(&format!(
        "Mean distance of the shares of CPU time from those of successors: {}.",
        off.join(", ")
    ));
    page.claim(
        "GS-21",
        "with pre-computed automata `post` becomes cheap, which causes misleading results",
        Status::of(distance(3) > distance(0)),
        &format!("the shares of time are {} off those of successors on stored graphs, {} with the interpreter", percent(distance(3), 1.0), percent(distance(0), 1.0)),
    );
    let cheap = sum(3, C99) / sum(3, GV) < sum(0, C99) / sum(0, GV);
    page.claim(
        "GS-22",
        "on stored graphs C99 looks better than it is",
        Status::of(cheap),
        &format!("C99 takes {:.2} times as long as GV on stored graphs, {:.2} times with the interpreter", sum(3, C99) / sum(3, GV), sum(0, C99) / sum(0, GV)),
    );
    page.write(lab)
}
