//! `README.md`: every claim of the papers, from the pages and from tests.

use std::fmt::Write;

use crate::lab::Lab;

/// The pages, in the order of the list.
pub const PAGES: [(&str, &str); 9] = [
    ("se2005", "Schwoon, Esparza 2005, Table 1: leader election"),
    ("gs2009", "Gaiser, Schwoon 2009, Fig. 3: six checks on BEEM"),
    ("rdkp2013", "Renault, Duret-Lutz, Kordon, Poitrenaud 2013, Fig. 2, Tables 1 to 4"),
    ("hpy1996", "Holzmann, Peled, Yannakakis 1996, §6: cycles without progress"),
    ("traversals", "SE §5.2: several acceptance sets"),
    ("stored", "GS's warning: stored graphs against graphs on the fly"),
    ("beyond", "Beyond the papers: sweeps, reduction, remembered steps"),
    ("open-ends", "What the papers leave open, tried"),
    ("misprints", "Misprints, with their smallest counterexamples"),
];

/// Claims that tests show on graphs of a few states, where numbers can be exact: what the paper
/// says, the status, why, and the file of the test below `crates` with its name.
const TESTED: &[[&str; 5]] = &[
    [
        "SE-20",
        "Fig. 2(a): HPY's red search stops at s0, CVWY's goes on to s1",
        "confirmed",
        "counts pinned",
        "search/tests/all/nested_figures.rs:se_figure_2a",
    ],
    [
        "SE-21",
        "Fig. 2(b): GMZ and the new search find the cycle in the blue search",
        "confirmed",
        "counts pinned",
        "search/tests/all/nested_figures.rs:se_figure_2b",
    ],
    [
        "SE-22",
        "Fig. 4: nested search may outperform Tarjan's algorithm",
        "confirmed",
        "counts pinned",
        "search/tests/all/scc_papers.rs:se_figure_4",
    ],
    [
        "SE-23",
        "Fig. 6: a search by component may outperform nested search by any factor",
        "confirmed",
        "counts pinned",
        "search/tests/all/scc_papers.rs:se_figure_6",
    ],
    [
        "SE-24",
        "black states (GMZ) are not necessarily an improvement",
        "confirmed",
        "a graph where they cost and one where they help",
        "search/tests/all/nested_figures.rs:black_states_of_gmz",
    ],
    [
        "SE-25",
        "four colours in two bits are enough",
        "confirmed",
        "right on thousands of random graphs, with bit-state stores too",
        "search/tests/all/nested_sweep.rs:on_buchi_graphs",
    ],
    [
        "SE-26",
        "terminal automata need a reachability check only, if every state has a successor",
        "confirmed",
        "deadlocks stutter first",
        "search/tests/all/nested_figures.rs:terminal_automaton",
    ],
    [
        "SE-27",
        "Fig. 5 without line 18 enumerates the components",
        "confirmed",
        "against an independent algorithm",
        "search/tests/all/scc_enumerate.rs:components_are_those_of_petgraph",
    ],
    [
        "SE-28",
        "§4.2: the rest of the cycle is found by a search among states that were not removed",
        "differs",
        "from t to u, not starting at u",
        "search/tests/all/scc_papers.rs:lassos_start_where_the_stack_meets_the_cycle",
    ],
    [
        "SE-29",
        "GV and Couvreur report as soon as all transitions of a cycle are explored",
        "confirmed",
        "against the first prefix of the exploration with a cycle",
        "search/tests/all/scc_early.rs:stops_at_the_first_edge_that_closes_an_accepting_cycle",
    ],
    [
        "SE-30",
        "on weak automata the new search reports as soon as a cycle is explored",
        "confirmed",
        "the same test",
        "search/tests/all/nested_early.rs:minimal_exploration_on_weak_graphs",
    ],
    [
        "HPY-20",
        "Fig. 3: CVWY with a reduction that depends on the stack misses a cycle",
        "confirmed",
        "the graph of the figure",
        "search/tests/all/nested_figures.rs:hpy_figure_3_reduced",
    ],
    [
        "HPY-21",
        "stopping at the stack of the first search shortens the search and the counterexample",
        "confirmed",
        "the graph of the figure",
        "search/tests/all/nested_figures.rs:hpy_figure_3",
    ],
    [
        "HPY-22",
        "Fig. 4: the stack test belongs before the test of the second state space (§5.1)",
        "differs",
        "as printed it stands in the else branch; same verdicts without reduction",
        "search/tests/all/nested_sweep.rs:on_buchi_graphs",
    ],
    [
        "RDKP-20",
        "a component is accepting if its edges carry all marks",
        "differs",
        "with no marks at all, a trivial component would be accepting",
        "search/tests/all/scc_papers.rs:no_marks",
    ],
    [
        "RDKP-21",
        "Tarjan's check may report later than Dijkstra's, when a state is left",
        "confirmed",
        "54 transitions against 3",
        "search/tests/all/scc_papers.rs:tarjan_tgba_is_late",
    ],
    [
        "RDKP-22",
        "Table 1's formulas for memory",
        "confirmed",
        "pinned on a path of four states",
        "search/tests/all/scc_papers.rs:rdkp_table_1",
    ],
    [
        "RDKP-23",
        "with bit-state hashing, live must be asked before dead",
        "confirmed",
        "a collision would lose a cycle",
        "store/tests/all/live.rs:live_comes_before_dead",
    ],
    [
        "RDKP-24",
        "compressed roots give the same answers as plain ones",
        "confirmed",
        "random sequences of operations",
        "search/tests/all/scc_roots.rs:compressed_and_plain_agree",
    ],
    [
        "GS-20",
        "the counterexample exists iff a reachable non-trivial component has an accepting state (Facts 1 to 4)",
        "confirmed",
        "all checks against brute force",
        "search/tests/all/scc_sweep.rs:by_states",
    ],
    [
        "SL-1",
        "every state and edge is considered at most twice by nested depth-first search",
        "confirmed",
        "CVWY, HPY, SE and AND on random graphs; GMZ, which also looks whether all successors are black, may look three times",
        "search/tests/all/nested_early.rs:the_order_of_the_nested_checks",
    ],
    [
        "SL-2",
        "a red search need not start where (s, 1) is stored",
        "confirmed",
        "CVWY as implemented",
        "search/tests/all/nested_sweep.rs:on_buchi_graphs",
    ],
];

pub fn run(lab: &Lab) -> Result<(), String> {
    let mut rows = Vec::new();
    let mut pages = String::new();
    for (page, title) in PAGES {
        let path = lab.out.join(format!("{page}.md"));
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let _ = writeln!(pages, "- [{page}]({page}.md): {title}");
        let (_, claims) = text.split_once("\n## Claims\n").unwrap_or_default();
        let claims = claims.lines().filter(|line| line.starts_with("| ")).skip(1);
        rows.extend(claims.map(str::to_owned));
    }
    for [id, says, status, why, test] in TESTED {
        let (file, name) = test.split_once(':').unwrap_or((test, ""));
        let shown = format!("[{name}](../crates/{file})");
        rows.push(format!("| {id} | {says} | {status} | {why} | {shown} |"));
    }
    rows.sort_by_key(|row| {
        let id = row.split_whitespace().nth(1).unwrap_or_default();
        let (paper, number) = id.rsplit_once('-').unwrap_or((id, ""));
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        (paper.to_owned(), digits.parse::<u32>().unwrap_or(0), number.to_owned())
    });
    let count =
        |status: &str| rows.iter().filter(|row| row.contains(&format!("| {status} |"))).count();
    let text = format!(
        "# The papers' experiments\n\n\
         Five papers describe the checks of lariat, and most of them end in tables. The pages here repeat those tables on \
         real models, on the fly, with the paper's numbers beside ours. The pages are written by programs:\n\n\
         ```sh\ncargo run --release -p lariat-experiments -- gs2009 --corpus CORPUS\n```\n\n\
         `--seed` fixes all that is random. Each page takes less than 30 minutes on two idle cores, most of them less than five; gs2009 and rdkp2013 need 7 and \
         14 minutes of CPU time. `--full` takes larger instances, and hours; `--minutes` stops measuring and writes the page from what there is. A run that was interrupted goes on where it stopped: \
         results are kept in `target/experiments`, and `--fresh` forgets them. [docs/corpus.md](../docs/corpus.md) says where the models \
         are from. Each page says how busy the machine was while its CPU times were measured; counts do not depend on it. A number of a paper is \
         confirmed if ours is between two thirds and three halves of it, unless the line says otherwise. \
         [lariat compare](../docs/compare.md) makes such tables of models of your own. The relations between the checks \
         are asserted by `tests/relations.rs` on small models.\n\n\
         ## Pages\n\n{pages}\n## Claims\n\n\
         {} claims: {} confirmed, {} not confirmed, {} that differ, with the reason. SE is Schwoon, Esparza 2005; GS Gaiser, Schwoon \
         2009; RDKP Renault, Duret-Lutz, Kordon, Poitrenaud 2013; HPY Holzmann, Peled, Yannakakis 1996; SL slides on on-the-fly model \
         checking. An `r` at the end: with partial-order reduction. An M is a misprint. An O is an open end.\n\n\
         | claim | the paper says | status | because | shown by |\n|---|---|---|---|---|\n{}\n",
        rows.len(),
        count("confirmed"),
        count("not confirmed"),
        count("differs"),
        rows.join("\n")
    );
    let path = lab.out.join("README.md");
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_that_show_claims_exist() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        for [id, _, _, _, test] in TESTED {
            let (file, name) = test.split_once(':').expect("a file and a name");
            let text = std::fs::read_to_string(crates.join(file)).expect(file);
            assert!(text.contains(&format!("fn {name}(")), "{id}: {test}");
        }
    }
}
