//! SE §5.2: how often a state is visited if there are n acceptance sets: CVWY 2n times, Tauriainen
//! n + 1 times, Couvreur twice.

use lariat_automata::{Label, StateId, Tgba};
use lariat_checks::{Algorithm, Setup, check_automaton};
use lariat_core::Marks;
use lariat_plot::{Points, points};

use crate::lab::Lab;
use crate::lab::page::{Page, Status};

const CHECKS: [(Algorithm, &str); 4] = [
    (Algorithm::Cvwy, "CVWY"),
    (Algorithm::Tauriainen, "Tauriainen"),
    (Algorithm::C99, "Couvreur"),
    (Algorithm::Ascc, "ASCC"),
];

/// States of the ring, for each mark.
const PART: usize = 200;

/// The copy of a state that accepts is visited, too: one of some hundred.
pub const COPY: f64 = 0.01;

/// An edge with all marks leads into a long ring that lacks the first mark. The ring carries the others on its last
/// edges, in an order that is the worst for handing them on. Nothing is accepted.
pub fn worst(marks: u32) -> Tgba {
    let mut tgba = Tgba { mark_count: marks, ..Tgba::default() };
    let first = tgba.add_state();
    let ring: Vec<StateId> = (0..PART * marks as usize).map(|_| tgba.add_state()).collect();
    tgba.initial.push(first);
    tgba.add_edge(first, Label::True, Marks::all(marks), ring[0]);
    for (at, &state) in ring.iter().enumerate() {
        // The last edge has the last mark, the one before it the last but one.
        let mark = (marks as usize + at).checked_sub(ring.len());
        let carried =
            mark.filter(|&mark| mark > 0).map_or(Marks::NONE, |mark| Marks::one(mark as u32));
        tgba.add_edge(state, Label::True, carried, ring[(at + 1) % ring.len()]);
    }
    tgba
}

/// The automaton with one set: a copy of each state for each level, which waits for one mark, and one copy
/// more that accepts. The levels wait for the marks from the last to the first.
fn in_levels(tgba: &Tgba) -> Tgba {
    let n = tgba.mark_count;
    let copy = |state: StateId, level: u32| state * (n + 1) + level;
    let mut levels = Tgba { mark_count: 1, ..Tgba::default() };
    levels.initial.extend(tgba.initial.iter().map(|&state| copy(state, 0)));
    for (state, edges) in tgba.edges.iter().enumerate() {
        for level in 0..=n {
            let from = levels.add_state();
            assert_eq!(from, copy(state as StateId, level));
            let marks = if level == n { Marks::one(0) } else { Marks::NONE };
            for edge in edges {
                let mut next = level % n.max(1);
                while next < n && edge.marks.has(n - 1 - next) {
                    next += 1;
                }
                levels.add_edge(from, Label::True, marks, copy(edge.target, next));
            }
        }
    }
    levels
}

/// How often a state of the automaton is expanded on average. CVWY's method is to degeneralise.
pub fn visits(tgba: &Tgba, algorithm: Algorithm) -> Result<f64, String> {
    let levels = (algorithm == Algorithm::Cvwy).then(|| in_levels(tgba));
    let setup = Setup { algorithm, ..Setup::default() };
    let checked = check_automaton(levels.as_ref().unwrap_or(tgba), &setup)?;
    Ok(checked.outcome.stats.expansions as f64 / tgba.state_count() as f64)
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let mut lines = Vec::new();
    let mut series: Vec<(String, Vec<(f64, f64)>)> =
        CHECKS.iter().map(|(_, name)| ((*name).to_owned(), Vec::new())).collect();
    for n in 1..=8 {
        let tgba = worst(n);
        let mut line = vec![n.to_string()];
        for (at, (algorithm, _)) in CHECKS.iter().enumerate() {
            let visits = visits(&tgba, *algorithm)?;
            series[at].1.push((f64::from(n), visits));
            line.push(format!("{visits:.2}"));
        }
        line.extend([2 * n, n + 1, 2].map(|bound| bound.to_string()));
        lines.push(line);
    }
    let mut page = Page::new(lab, "Schwoon and Esparza 2005, §5.2: several acceptance sets");
    page.section("Traversals");
    page.put(
        "How often a state is expanded on average. The automaton is a ring that lacks one of n marks, behind an edge that has \
         all of them, so that everything must be seen, and handing marks on is as slow as it can be. CVWY's method is to degeneralise, here \
         with the levels in the worst order; lariat's own `degeneralise` chooses the best one, waits for the missing mark first, and needs one \
         traversal.",
    );
    let mut header = vec!["n"];
    header.extend(CHECKS.iter().map(|(_, name)| *name));
    header.extend(["bound of CVWY: 2n", "of Tauriainen: n + 1", "of Couvreur: 2"]);
    page.table(&header, &lines);
    let within =
        |at: usize, bound: fn(f64) -> f64| series[at].1.iter().all(|&(n, v)| v <= bound(n));
    let grows = |at: usize| {
        let last = series[at].1.last().map_or(0.0, |point| point.1);
        format!("{last:.2} at n = 8")
    };
    page.claim(
        "SE-13",
        "nested search with n sets (CVWY's method) traverses each state 2n times at worst",
        Status::of(within(0, |n| 2.0 * n + COPY)),
        &grows(0),
    );
    page.claim(
        "SE-14",
        "Tauriainen's search needs n + 1 traversals",
        Status::of(within(1, |n| n + 1.0)),
        &grows(1),
    );
    page.claim(
        "SE-15",
        "Couvreur's algorithm needs at most 2, independently of n",
        Status::of(within(2, |_| 2.0)),
        &grows(2),
    );
    page.claim("RDKP-10", "in checks by component, the number of visits does not depend on the number of acceptance sets", Status::of(within(3, |_| 1.0)), "ASCC: once each, for every n");
    let chart = Points {
        title: "Traversals".to_owned(),
        axes: ("acceptance sets".to_owned(), "expansions of a state".to_owned()),
        is_logarithmic: false,
        has_lines: true,
        series,
    };
    page.plot("traversals", points(&chart))?;
    page.write(lab)
}
