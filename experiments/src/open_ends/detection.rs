//! How early Tarjan's algorithm with sets and a generalised GV report.

use lariat_automata::{ExplicitGraph, Label, StateId, Tgba};
use lariat_core::{Emptiness, Graph, Marks, Word};
use lariat_ltl::random::Rng;
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::{Roots, dijkstra_tgba, frame, tarjan_tgba};
use lariat_store::live::InPlace;
use serde::{Deserialize, Serialize};

use super::general_gv::GeneralGv;
use super::tarjan::{Idea, Tried};
use super::{sum, try_general_gv, try_tarjan};
use crate::lab::cases::Case;
use crate::lab::measure::Found;
use crate::lab::page::{Page, Status, percent};
use crate::rdkp2013;
use crate::rdkp2013::variants::{DIJKSTRA, TARJAN, VARIANTS};

/// Random automata with a run.
const RANDOM: usize = 5_000;

/// A product with a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Early {
    pub(super) marks: u32,
    tarjan: Found,
    with_sets: Found,
    general_gv: Found,
    dijkstra: Found,
}

pub(super) fn measure(case: &Case) -> Result<Early, String> {
    Ok(Early {
        marks: case.automaton()?.mark_count,
        tarjan: rdkp2013::measure(case, VARIANTS[TARJAN].0, false)?.check,
        with_sets: try_tarjan(case, Idea::Early)?,
        general_gv: try_general_gv(case)?,
        dijkstra: rdkp2013::measure(case, VARIANTS[DIJKSTRA].0, false)?.check,
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

pub(super) fn section(page: &mut Page, rows: &[Early], seed: u64) {
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
        "Tarjan reports later than Dijkstra on {} of these {} products. So the same on {RANDOM} random automata with a run: 30 states, two or three \
         marks, which are rare.",
        rows.iter().filter(|row| row.tarjan.transitions > row.dijkstra.transitions).count(),
        rows.len()
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
    page.verdict(
        "RDKP-O4",
        "detection in Tarjan could be earlier with a set for each live element; it was not worth the memory",
        Status::of(never && total(1) <= total(0)),
        &format!(
            "on random automata {} of Dijkstra's transitions instead of {}; on BEEM earlier in {} of {} products. It costs a word for each live state, and \
             Dijkstra's algorithm reports earlier for less",
            percent(total(1), total(3)),
            percent(total(0), total(3)),
            rows.iter().filter(|row| row.with_sets.transitions < row.tarjan.transitions).count(),
            rows.len()
        ),
    );
    page.verdict(
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
