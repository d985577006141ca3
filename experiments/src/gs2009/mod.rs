//! Gaiser, Schwoon, *Comparison of Algorithms for Checking Emptiness on Büchi Automata*, MEMICS
//! 2009: Fig. 3 and the structural effects of §5, on BEEM's LTL properties.
//!
//! - [`rows`]: what is measured on one property
//! - `fig3`: the sums, time against successors, memory
//! - `structure`: weak automata, structural effects, and the order case by case

mod fig3;
pub mod rows;
mod structure;

use crate::lab::Lab;
use crate::lab::cases::beem_rows;
use crate::lab::checks::names;
use crate::lab::measure::{Found, How};
use crate::lab::page::Page;
use rows::{LEFT_OUT, Measured, Row, measure};

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let most = if lab.full { 40_000_000 } else { 6_000_000 };
    let cases = beem_rows(lab.corpus()?, &lab.beem()?, u64::MAX);
    // A limit of expansions is the same everywhere, one of time is not.
    let how = How { most, time: None, ..How::papers() };
    let (mut rows, mut cut): (Vec<Row>, Vec<String>) = (Vec::new(), Vec::new());
    for case in &cases {
        let key = format!("{} {most}", case.name);
        if lab.is_over(&key) {
            cut.push(format!("{} (--minutes)", case.name));
            continue;
        }
        match lab.remember(&key, || measure(&case.case()?, &how))? {
            Measured::Row(row) => rows.push(*row),
            Measured::Cut(check) => cut.push(format!("{} ({check})", case.name)),
        }
    }
    page(lab, &rows, &cut, most)
}

fn page(lab: &Lab, rows: &[Row], cut: &[String], most: u64) -> Result<(), String> {
    let mut page = Page::new(lab, "Gaiser and Schwoon 2009: six checks on BEEM");
    let runs = rows.iter().filter(|row| row.has_run()).count();
    page.put(&format!(
        "{} LTL properties of BEEM, on all public instances: {} without a run that violates the formula, {runs} with \
         one. {} more are [left out](#left-out). The \
         formula is translated by lariat; all checks but the last line of the table get the same automaton with \
         accepting states (a weak one where there is one). Successors are computed anew at each call, by \
         machine code. The paper had 266 cases, Promela, the NIPS virtual machine and LTL2BA.",
        rows.len(),
        rows.len() - runs,
        cut.len()
    ));
    fig3::performances(&mut page, rows)?;
    fig3::proportional(&mut page, rows)?;
    fig3::memory(&mut page, rows);
    structure::weakness(&mut page, rows);
    structure::effects(&mut page, rows);
    structure::exceptions(&mut page, rows);
    structure::generalised(&mut page, rows);
    left_out(&mut page, cut, most);
    each(&mut page, rows);
    page.write(lab)
}

/// The sum of a value over the rows.
fn sum(rows: &[Row], of: impl Fn(&Row) -> f64) -> f64 {
    rows.iter().map(of).sum()
}

fn left_out(page: &mut Page, cut: &[String], most: u64) {
    page.section("Left out");
    page.put(&match cut {
        [] => "Nothing.".to_owned(),
        cut => format!(
            "The check in parentheses would have had to expand more than {most} states; where one is cut, the sums cannot \
             be compared: {}.",
            cut.join(", ")
        ),
    });
}

fn each(page: &mut Page, rows: &[Row]) {
    page.section("Every case");
    let mut lines = Vec::new();
    for row in rows {
        let mut line = vec![row.name.clone(), if row.is_weak { "weak" } else { "no" }.to_owned()];
        line.push(if row.has_run() { "run" } else { "empty" }.to_owned());
        let found = row.found.iter().map(Some).chain(row.left_out.iter().map(Some));
        let found = found.chain([row.simple.as_ref(), Some(&row.generalised)]);
        let shown = |found: &Found| found.transitions.to_string();
        line.extend(found.map(|found| found.map_or("–".to_owned(), shown)));
        lines.push(line);
    }
    let mut header = vec!["case", "weak", "product"];
    header.extend(names());
    header.extend(LEFT_OUT.map(|(_, name)| name));
    header.extend(["SD", "ASCC, generalised"]);
    page.put("Successors generated.");
    page.table(&header, &lines);
}
