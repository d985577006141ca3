//! What the papers name and leave open, tried. The products are those of `rdkp2013`.
//!
//! - [`tarjan`]: what was tried with Tarjan's algorithm: its stacks smaller, its answer earlier
//! - [`general_gv`]: Geldenhuys and Valmari's algorithm for several marks
//! - [`detection`]: how early both report
//! - `discarding`: SE's idea for the second search under reduction

pub mod detection;
mod discarding;
pub mod general_gv;
pub mod tarjan;

use lariat_bench::cpu::cpu_seconds;
use lariat_checks::Algorithm;
use lariat_core::lasso::Acceptance;
use lariat_core::{Outcome, Word};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::frame;
use lariat_store::live::InPlace;
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::Case;
use crate::lab::measure::{Found, OnTheFly, on_product, replayed};
use crate::lab::page::{Page, Status, percent};
use crate::rdkp2013::draw::draw;
use crate::rdkp2013::variants::{DIJKSTRA, Dead, TARJAN, VARIANTS, Variant};
use crate::rdkp2013::{how, measure};
use detection::Early;
use general_gv::GeneralGv;
use tarjan::{Idea, Tried};

/// Runs something that was tried on the product.
pub fn try_it(
    case: &Case,
    mut check: impl FnMut(&mut OnTheFly<'_, '_>) -> Outcome,
) -> Result<Found, String> {
    on_product(case, &case.automaton()?, &how(), |product| {
        let start = cpu_seconds();
        let outcome = check(product);
        let cpu = cpu_seconds() - start;
        replayed(product, &outcome, Acceptance::Edges, cpu)
    })
}

/// Tarjan's algorithm with one of the ideas.
pub fn try_tarjan(case: &Case, idea: Idea) -> Result<Found, String> {
    try_it(case, |graph| {
        let store = &mut InPlace::new(Vec::<[Word; 2]>::new());
        frame::check(graph, store, Tried::new(idea), SearchOptions::default())
    })
}

/// The generalised GV.
pub fn try_general_gv(case: &Case) -> Result<Found, String> {
    let marks = case.automaton()?.mark_count;
    try_it(case, |graph| {
        let store = &mut InPlace::new(Vec::<[Word; 2]>::new());
        frame::check(graph, store, GeneralGv::new(marks), SearchOptions::default())
    })
}

/// An empty product.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Whole {
    tarjan: Found,
    dijkstra: Found,
    sparse: Found,
    compacted: Found,
    /// Tarjan and Dijkstra, with dead states moved at once and when needed.
    eager: [Found; 2],
    lazy: [Found; 2],
}

fn whole(case: &Case) -> Result<Whole, String> {
    let of = |algorithm, dead| {
        measure(case, Variant { algorithm, compressed: true, dead }, false).map(|pair| pair.check)
    };
    let both =
        |dead| Ok::<_, String>([of(Algorithm::TarjanTgba, dead)?, of(Algorithm::Dijkstra, dead)?]);
    Ok(Whole {
        tarjan: measure(case, VARIANTS[TARJAN].0, false)?.check,
        dijkstra: measure(case, VARIANTS[DIJKSTRA].0, false)?.check,
        sparse: try_tarjan(case, Idea::Sparse)?,
        compacted: try_tarjan(case, Idea::Compacted)?,
        eager: both(Dead::Eager)?,
        lazy: both(Dead::Lazy)?,
    })
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let chosen = draw(&mut lab.other("rdkp2013")?)?;
    let (mut wholes, mut earlies): (Vec<Whole>, Vec<Early>) = (Vec::new(), Vec::new());
    for one in &chosen {
        let kind = if one.is_empty { "whole" } else { "early" };
        let key = format!("{kind} {} {}", one.model, one.formula);
        if lab.is_over(&key) {
            continue;
        }
        let case = one.case(lab)?;
        match one.is_empty {
            true => wholes.push(lab.remember(&key, || whole(&case))?),
            false => earlies.push(lab.remember(&key, || detection::measure(&case))?),
        }
    }
    let mut page = Page::new(lab, "What the papers leave open, tried");
    page.put(&format!(
        "The {} empty products and the {} with a run of [rdkp2013](rdkp2013.md). Words are peaks by the formulas of RDKP \
         Table 1, summed. The code is in `src/open_ends`.",
        wholes.len(),
        earlies.len()
    ));
    dstack(&mut page, &wholes);
    lazy(&mut page, &wholes);
    detection::section(&mut page, &earlies, lab.seed);
    discarding::section(lab, &mut page)?;
    page.write(lab)
}

fn sum<T>(rows: &[T], of: impl Fn(&T) -> f64) -> f64 {
    // The sum of nothing is minus zero.
    rows.iter().map(of).sum::<f64>() + 0.0
}

fn dstack(page: &mut Page, rows: &[Whole]) {
    page.section("Compressing Tarjan's dstack, and compaction");
    page.put(
        "*Tried.* A sparse dstack: only states that have seen an edge into the open part have an entry of three words (depth, lowlink, \
         marks); for all others both are known from the search stack. And the compaction of Nuutila and Soisalon-Soininen: a state \
         is put on `live` only when the search leaves it while its component is open.",
    );
    let line = |name: &str, of: fn(&Whole) -> &Found| {
        vec![
            name.to_owned(),
            format!("{}", sum(rows, |row| of(row).words as f64)),
            format!("{}", sum(rows, |row| of(row).dstack as f64)),
            format!("{:.2}", sum(rows, |row| of(row).cpu)),
        ]
    };
    let words = |of: fn(&Whole) -> &Found| sum(rows, |row| of(row).words as f64);
    page.table(
        &["Tarjan", "words", "entries of dstack, sum of peaks", "CPU s"],
        &[
            line("as in the paper", |row| &row.tarjan),
            line("sparse dstack", |row| &row.sparse),
            line("compacted live", |row| &row.compacted),
            line("(Dijkstra)", |row| &row.dijkstra),
        ],
    );
    let tarjan = sum(rows, |row| row.tarjan.dstack as f64);
    let sparse = sum(rows, |row| row.sparse.dstack as f64);
    page.verdict(
        "RDKP-O1",
        "future work: a compression of dstack would make Tarjan more competitive to Dijkstra in memory",
        Status::of(words(|row| &row.sparse) < words(|row| &row.tarjan)),
        &format!(
            "{} of the entries are left, and {} of all words: a saved entry has two words, one that stays has three, and most words are those of \
             the hash table. Dijkstra's algorithm has {}",
            percent(sparse, tarjan),
            percent(words(|row| &row.sparse), words(|row| &row.tarjan)),
            percent(words(|row| &row.dijkstra), words(|row| &row.tarjan))
        ),
    );
    page.verdict(
        "RDKP-O2",
        "future work: the compaction of the live stack by Nuutila and Soisalon-Soininen",
        Status::of(words(|row| &row.compacted) < words(|row| &row.tarjan)),
        &format!(
            "{} of the words: it saves one word for each state of the search path, which is little beside the two words of the hash \
             table for every live or dead state",
            percent(words(|row| &row.compacted), words(|row| &row.tarjan))
        ),
    );
}

fn lazy(page: &mut Page, rows: &[Whole]) {
    page.section("Lazy dead transfer for Tarjan and Dijkstra");
    page.put(
        "*Tried.* A dead state stays in its slot behind the frontier between live and dead ones, and moves to the dead store only \
         when the slot is used again (`--lazy-dead`).",
    );
    let mut lines = Vec::new();
    for (at, name) in ["Tarjan", "Dijkstra"].into_iter().enumerate() {
        for (how, of) in [
            ("at once", (|row: &Whole| &row.eager) as fn(&Whole) -> &[Found; 2]),
            ("lazily", |row| &row.lazy),
        ] {
            lines.push(vec![
                name.to_owned(),
                how.to_owned(),
                format!("{}", sum(rows, |row| of(row)[at].dead as f64)),
                format!("{}", sum(rows, |row| of(row)[at].words as f64)),
                format!("{:.2}", sum(rows, |row| of(row)[at].cpu)),
            ]);
        }
    }
    page.table(&["check", "transfer", "dead, sum of peaks", "words", "CPU s"], &lines);
    let total = |of: fn(&Whole) -> &[Found; 2], what: fn(&Found) -> f64| {
        sum(rows, |row| of(row).iter().map(what).sum())
    };
    let dead = total(|row| &row.lazy, |found| found.dead as f64)
        / total(|row| &row.eager, |found| found.dead as f64);
    let cpu =
        total(|row| &row.lazy, |found| found.cpu) / total(|row| &row.eager, |found| found.cpu);
    page.verdict(
        "RDKP-O3",
        "the lazy transfer could be applied to Tarjan's and Dijkstra's algorithms, too",
        Status::of(dead < 1.0),
        &format!(
            "it can: {} of the states move, in {} of the CPU time",
            percent(dead, 1.0),
            percent(cpu, 1.0)
        ),
    );
}
