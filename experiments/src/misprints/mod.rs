//! Lines of the papers that are wrong as printed, each with the smallest graph that shows it.
//!
//! The figures are transcribed once more, recursively, with the printed line and with the right one, and
//! run on all small graphs. The checks of lariat are not used here: this is about the papers.

pub mod figures;
pub mod graphs;

use crate::lab::Lab;
use crate::lab::page::{Page, Status};
use figures::{and, ascc, dijkstra};
use graphs::{By, Graph, Says, graphs};

/// A line of a paper.
pub struct Misprint {
    pub id: &'static str,
    pub paper: &'static str,
    pub right: &'static str,
    pub by: By,
    /// How many marks graphs may have.
    pub marks: &'static [u32],
    pub search: fn(&Graph, bool) -> Says,
}

pub const MISPRINTS: [Misprint; 3] = [
    Misprint {
        id: "RDKP-M1",
        paper: "RDKP Algorithm 3, lines 21–22 (and 4, 21–22): `⟨r, la⟩ ← roots.pop(); a ← a ∪ dfs[r].acc ∪ la`",
        right: "`a ← a ∪ dfs[r].acc; ⟨r, la⟩ ← roots.pop(); a ← a ∪ la`: the edge into the upper root lies inside, that into the lower one perhaps not",
        by: By::Edges,
        marks: &[1, 2],
        search: dijkstra,
    },
    Misprint {
        id: "GS-M1",
        paper: "GS Fig. 2, line 20: `until u.dfsnum < t.dfsnum` (as the text has it; line 22 is lost, line 27 reads `u = e`)",
        right: "`u.dfsnum ≤ t.dfsnum`; line 22 `if top(Roots) = (s, ·) then`; line 27 `u = s`",
        by: By::States,
        marks: &[1, 2],
        search: ascc,
    },
    Misprint {
        id: "GS-M2",
        paper: "GS Fig. 1, lines 12–13: `if t.colour ≠ red then allred := false` in the branch of line 10 (as the text has it)",
        right: "for every successor",
        by: By::States,
        marks: &[1],
        search: and,
    },
];

/// The smallest graph on which the printed line says this wrong thing: fewest states, then fewest
/// edges, then fewest marks.
pub fn smallest(misprint: &Misprint, wrong: Says) -> Option<Graph> {
    (1..=3).find_map(|n| {
        let all = misprint.marks.iter().flat_map(|&marks| graphs(n, marks, misprint.by));
        let differs = |graph: &Graph| {
            let truth = graph.truth(misprint.by);
            truth != wrong && (misprint.search)(graph, true) == wrong
        };
        all.filter(differs).min_by_key(|graph| (graph.edge_count(), graph.all))
    })
}

/// Whether the right line is right on all graphs with up to `n` states.
pub fn is_right(misprint: &Misprint, n: usize) -> bool {
    let of = |n| misprint.marks.iter().flat_map(move |&marks| graphs(n, marks, misprint.by));
    (1..=n).flat_map(of).all(|graph| (misprint.search)(&graph, false) == graph.truth(misprint.by))
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let mut page = Page::new(lab, "Misprints, with their smallest counterexamples");
    page.put(
        "Each figure as printed, and as it must be, on all graphs with up to three states and two marks, against the \
         definition. Some of these lines may be right in the journal and only lost in the text at hand.",
    );
    page.section("Lines");
    let mut lines = Vec::new();
    for misprint in &MISPRINTS {
        for (wrong, what) in [
            (Says::Cycle, "false alarm"),
            (Says::Empty, "missed cycle"),
            (Says::Underflow, "empty stack"),
        ] {
            let graph = smallest(misprint, wrong).map(|graph| graph.in_words());
            let graph = graph.unwrap_or_else(|| "none up to three states".to_owned());
            lines.push(vec![misprint.id.to_owned(), what.to_owned(), graph]);
        }
        let on_all = if is_right(misprint, 3) { "right" } else { "still wrong" };
        let why = format!(
            "must be {}; then {on_all} on all graphs with up to three states",
            misprint.right
        );
        page.claim(misprint.id, misprint.paper, Status::Differs, &why);
    }
    page.table(&["line", "what goes wrong", "smallest graph"], &lines);
    page.section("Table 1 of Schwoon and Esparza");
    page.put(
        "15394 must be 15934, and \"all weak automata\" must be \"all non-weak automata\": see \
         [se2005](se2005.md#the-papers-numbers). In §4.2 the depth-first search that completes a counterexample starts at t, \
         not at u: the path wanted leads from t to u.",
    );
    page.write(lab)
}
