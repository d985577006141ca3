//! What the papers name and leave open, tried. The products are those of `rdkp2013`.

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
use crate::rdkp2013::{Dead, VARIANTS, Variant, draw, how, measure};
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
    sparse: Found,
    compacted: Found,
    /// Tarjan and Dijkstra, with dead states moved at once and when needed.
    eager: [Found; 2],
    lazy: [Found; 2],
}

/// A product with a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Early {
    marks: u32,
    tarjan: Found,
    with_sets: Found,
    general_gv: Found,
    dijkstra: Found,
}

fn whole(case: &Case) -> Result<Whole, String> {
    let of = |algorithm, dead| {
        measure(case, Variant { algorithm, compressed: true, dead }, false).map(|pair| pair.check)
    };
    let both =
        |dead| Ok::<_, String>([of(Algorithm::TarjanTgba, dead)?, of(Algorithm::Dijkstra, dead)?]);
    Ok(Whole {
        tarjan: measure(case, VARIANTS[4].0, false)?.check,
        sparse: try_tarjan(case, Idea::Sparse)?,
        compacted: try_tarjan(case, Idea::Compacted)?,
        eager: both(Dead::Eager)?,
        lazy: both(Dead::Lazy)?,
    })
}

fn early(case: &Case) -> Result<Early, String> {
    Ok(Early {
        marks: case.automaton()?.mark_count,
        tarjan: measure(case, VARIANTS[4].0, false)?.check,
        with_sets: try_tarjan(case, Idea::Early)?,
        general_gv: try_general_gv(case)?,
        dijkstra: measure(case, VARIANTS[0].0, false)?.check,
    })
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let chosen = draw(&mut lab.other("rdkp2013")?, if lab.full { 400 } else { 100 })?;
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
            false => earlies.push(lab.remember(&key, || early(&case))?),
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
    detection(&mut page, &earlies);
    discarding(&mut page);
    page.write(lab)
}

fn sum<T>(rows: &[T], of: impl Fn(&T) -> f64) -> f64 {
    rows.iter().map(of).sum()
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
        ],
    );
    let tarjan = sum(rows, |row| row.tarjan.dstack as f64);
    let sparse = sum(rows, |row| row.sparse.dstack as f64);
    page.claim(
        "RDKP-O1",
        "future work: a compression of dstack would make Tarjan more competitive to Dijkstra in memory",
        Status::of(words(|row| &row.sparse) < words(|row| &row.tarjan)),
        &format!(
            "{} of the entries are left, and {} of all words; it pays where paths are trivial components, and costs a half more \
             where they are not",
            percent(sparse, tarjan),
            percent(words(|row| &row.sparse), words(|row| &row.tarjan))
        ),
    );
    page.claim(
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
    page.claim(
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

fn detection(page: &mut Page, rows: &[Early]) {
    page.section("Earlier detection, and a generalised GV");
    page.put(
        "*Tried.* Tarjan with a set of marks for each live element (RDKP §3.2), and Geldenhuys and Valmari's algorithm with a goal for each mark \
         (SE §4.3: \"it is not clear how such an extension could be done\"; `src/open_ends/general_gv.rs` has the argument).",
    );
    let several: Vec<Early> = rows.iter().filter(|row| row.marks > 1).cloned().collect();
    let mut lines = Vec::new();
    for (name, of) in [
        ("Tarjan", (|row: &Early| &row.tarjan) as fn(&Early) -> &Found),
        ("Tarjan with sets", |row| &row.with_sets),
        ("generalised GV", |row| &row.general_gv),
        ("Dijkstra", |row| &row.dijkstra),
    ] {
        lines.push(vec![
            name.to_owned(),
            format!("{}", sum(rows, |row| of(row).transitions as f64)),
            format!("{}", sum(&several, |row| of(row).transitions as f64)),
            rows.iter()
                .filter(|row| of(row).transitions > row.dijkstra.transitions)
                .count()
                .to_string(),
            format!("{}", sum(rows, |row| of(row).words as f64)),
        ]);
    }
    let header = [
        "check",
        "transitions",
        "with several marks only",
        "products where later than Dijkstra",
        "words",
    ];
    page.table(&header, &lines);
    let later = |of: fn(&Early) -> &Found| {
        rows.iter().filter(|row| of(row).transitions > row.dijkstra.transitions).count()
    };
    let never = rows.iter().all(|row| {
        row.dijkstra.transitions <= row.general_gv.transitions
            && row.with_sets.transitions <= row.tarjan.transitions
    });
    page.claim(
        "RDKP-O4",
        "detection in Tarjan could be earlier with a set for each live element; it was not worth the memory",
        Status::of(never),
        &format!(
            "later than Dijkstra in {} products instead of {}: it helps a little, costs a word for each live state, and Dijkstra does it for less",
            later(|row| &row.with_sets),
            later(|row| &row.tarjan)
        ),
    );
    let one = rows
        .iter()
        .filter(|row| row.marks <= 1)
        .filter(|row| row.general_gv.transitions != row.dijkstra.transitions)
        .count();
    page.claim(
        "SE-O1",
        "it is not clear how GV could be extended to several acceptance sets",
        Status::Differs,
        &format!(
            "with a goal for each mark it can be: right, with one visit of each transition, but not minimal (later than Dijkstra in {} of {} products, \
             in {one} of those with one mark); it needs n words for each state of the path, so Dijkstra stays the better choice",
            later(|row| &row.general_gv),
            rows.len()
        ),
    );
}

fn discarding(page: &mut Page) {
    page.section("Discarding under reduction");
    page.put(
        "SE §6 proposes to generate all successors in the second search and to drop those that the first one has not stored. lariat \
         decides once for each *system* state which steps are kept (`docs/por.md`), so both searches see the same successors in any \
         case, and nothing has to be discarded: counts under reduction in [se2005](se2005.md#with-reduction) are those of this form. The stack \
         proviso on the product, which the idea is made for, is unsound on its own (Siegel, CAV 2019): `docs/por.md` \
         has the model.",
    );
    page.claim(
        "SE-O2",
        "all successors may be generated in the second search and unexplored ones discarded",
        Status::Differs,
        "sound for the second search, but not needed here: the choice is a function of the system state, and is remembered",
    );
}
