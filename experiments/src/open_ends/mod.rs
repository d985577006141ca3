//! What the papers name and leave open, tried. The products are those of `rdkp2013`.

pub mod general_gv;
pub mod tarjan;

use lariat_automata::{ExplicitGraph, Label, StateId, Tgba};
use lariat_bench::cpu::cpu_seconds;
use lariat_checks::{Algorithm, StackProviso};
use lariat_core::lasso::Acceptance;
use lariat_core::{Emptiness, Graph, Marks, Outcome, Word};
use lariat_ltl::random::Rng;
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::{Roots, dijkstra_tgba, frame, tarjan_tgba};
use lariat_store::live::InPlace;
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::Case;
use crate::lab::measure::{Found, How, OnTheFly, alone, ask, on_product, replayed};
use crate::lab::page::{Page, Status, percent};
use crate::rdkp2013::{Dead, VARIANTS, Variant, draw, how, measure};
use crate::se2005;
use general_gv::GeneralGv;
use lariat_verify::Config;
use tarjan::{Idea, Tried};

/// Random automata with a run.
const RANDOM: usize = 5_000;

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

/// What the four searches take until they report, on random automata with a run: transitions of Tarjan's, the same with sets, the
/// generalised GV and Dijkstra's.
pub fn on_random(seed: u64, count: usize) -> Vec<[u64; 4]> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut graph = ExplicitGraph::new(&random(&mut rng)).widened::<2>();
        let marks = graph.mark_count();
        let options = SearchOptions::default();
        let store = || InPlace::new(Vec::<[Word; 2]>::new());
        let outcomes = [
            tarjan_tgba::check(&mut graph, &mut store(), options),
            frame::check(&mut graph, &mut store(), Tried::new(Idea::Early), options),
            frame::check(&mut graph, &mut store(), GeneralGv::new(marks), options),
            dijkstra_tgba::check(&mut graph, &mut store(), options, Roots::Plain),
        ];
        let is_run = outcomes.each_ref().map(|one| matches!(one.verdict, Emptiness::Found(_)));
        assert!(is_run == [true; 4] || is_run == [false; 4], "seed {seed}: {is_run:?}");
        if is_run[0] {
            found.push(outcomes.map(|one| one.stats.transitions));
        }
    }
    found
}

/// Thirty states with three edges each, and two or three marks that are rare.
fn random(rng: &mut Rng) -> Tgba {
    let mut tgba = Tgba { mark_count: 2 + rng.below(2) as u32, ..Tgba::default() };
    let states: Vec<StateId> = (0..30).map(|_| tgba.add_state()).collect();
    tgba.initial.push(states[0]);
    for &state in &states {
        for _ in 0..1 + rng.below(3) {
            let carried = match rng.below(8) {
                0 => Marks::one(rng.below(tgba.mark_count as usize) as u32),
                _ => Marks::NONE,
            };
            tgba.add_edge(state, Label::True, carried, states[rng.below(states.len())]);
        }
    }
    tgba
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
    detection(&mut page, &earlies, lab.seed);
    discarding(lab, &mut page)?;
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

fn detection(page: &mut Page, rows: &[Early], seed: u64) {
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
    let random = on_random(seed, RANDOM);
    let total = |at: usize| random.iter().map(|row| row[at]).sum::<u64>() as f64;
    let later = |at: usize| random.iter().filter(|row| row[at] > row[3]).count();
    page.put(&format!(
        "In these products the first cycle that is closed is accepting, or nearly so, and all four report at once. So the same on {RANDOM} random \
         automata with a run: 30 states, two or three marks, which are rare."
    ));
    let lines: Vec<Vec<String>> = ["Tarjan", "Tarjan with sets", "generalised GV", "Dijkstra"]
        .into_iter()
        .enumerate()
        .map(|(at, name)| {
            vec![
                name.to_owned(),
                format!("{}", total(at)),
                percent(total(at), total(3)),
                later(at).to_string(),
            ]
        })
        .collect();
    page.table(
        &["check", "transitions", "of Dijkstra's", "automata where later than Dijkstra"],
        &lines,
    );
    let never = random.iter().all(|row| row[3] <= row[1] && row[1] <= row[0] && row[3] <= row[2]);
    page.claim(
        "RDKP-O4",
        "detection in Tarjan could be earlier with a set for each live element; it was not worth the memory",
        Status::of(never && total(1) <= total(0)),
        &format!(
            "on random automata {} of Dijkstra's transitions instead of {}; no difference on BEEM. It costs a word for each live state, and Dijkstra's \
             algorithm reports earlier for less",
            percent(total(1), total(3)),
            percent(total(0), total(3))
        ),
    );
    page.claim(
        "SE-O1",
        "it is not clear how GV could be extended to several acceptance sets",
        Status::Differs,
        &format!(
            "with a goal for each mark it can be: right, with one visit of each transition, but not minimal (later than Dijkstra's in {} of {RANDOM} random \
             automata). It needs n words for each state of the path, so Dijkstra's algorithm stays the better choice",
            later(2)
        ),
    );
}

/// The rules of the papers for the second search, on the model of Schwoon and Esparza.
fn discarding(lab: &mut Lab, page: &mut Page) -> Result<(), String> {
    page.section("Discarding under reduction");
    page.put(
        "*Tried.* SE §6 proposes to generate all successors in the second search and to drop those that the first one has not stored, so that \
         nothing has to be kept and the sets are not constrained. They had not tried it. Here it is (`--por-proviso discard`), beside HPY's two ways and \
         lariat's own, which chooses once for each *system* state and needs neither. The model is that of [se2005](se2005.md). \
         Rules that depend on the stack of the product may miss runs (`docs/por.md`), so lariat says \"holds\" with none of them.",
    );
    let rules = [StackProviso::SelectionNumber, StackProviso::SelectionBit, StackProviso::Discard];
    let how = How { most: u64::MAX, ..How::papers() };
    let mut rows: Vec<(String, Vec<Found>)> = Vec::new();
    for variant in [1, 2] {
        for property in ["A", "B", "C", "D", "E", "F", "G", "H", "I"] {
            let found = lab.remember(&format!("discard {variant} {property}"), || {
                let case = se2005::case(variant, property)?;
                let mut found = vec![
                    ask(&case, &alone(&how, Algorithm::Se, false))?,
                    ask(&case, &alone(&how, Algorithm::Se, true))?,
                ];
                for rule in rules {
                    let config = alone(&how, rule.algorithm(), true);
                    found.push(ask(&case, &Config { por_proviso: Some(rule), ..config })?);
                }
                Ok(found)
            })?;
            rows.push((format!("{variant}{property}"), found));
        }
    }
    let shown = |found: &Found| {
        let says = if found.has_run() { "run" } else { "–" };
        format!("{} {} {says}", found.states, found.transitions)
    };
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|(name, found)| [name.clone()].into_iter().chain(found.iter().map(shown)).collect())
        .collect();
    page.put("States, transitions, and whether a run was found.");
    let header = [
        "φ",
        "no reduction",
        "lariat's own",
        "selection number (HPY)",
        "selection bit (HPY)",
        "discard (SE)",
    ];
    page.table(&header, &lines);
    let total = |at: usize| rows.iter().map(|(_, found)| found[at].states).sum::<u64>() as f64;
    let steps = |at: usize| rows.iter().map(|(_, found)| found[at].transitions).sum::<u64>() as f64;
    let missed = rows.iter().filter(|(_, found)| found[0].has_run() != found[4].has_run()).count();
    page.claim(
        "SE-O2",
        "discarding does not constrain the sets, so it could lead to larger reductions at a small price",
        Status::of(total(4) < 0.99 * total(2).min(total(3))),
        &format!(
            "{} of the states without reduction, as with a selection number ({}; a bit: {}; lariat's own form: {}), and {} of its transitions: the \
             second search computes all successors again. {missed} runs were missed here",
            percent(total(4), total(0)),
            percent(total(2), total(0)),
            percent(total(3), total(0)),
            percent(total(1), total(0)),
            percent(steps(4), steps(2))
        ),
    );
    Ok(())
}
