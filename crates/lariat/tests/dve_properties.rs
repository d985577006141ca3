//! BEEM's property processes on small instances: two checks against the published answers.

#[path = "../examples/beem/tables.rs"]
#[allow(dead_code, reason = "the beem command uses all of it")]
mod tables;

use std::path::Path;

use lariat_core::lasso::Acceptance;
use lariat_core::{FlatArena, Verdict};
use lariat_model::dve::{self, Options};
use lariat_model::interp::PropertyGraph;
use lariat_search::dfs;
use lariat_search::emptiness::nested::se;
use lariat_search::emptiness::scc::{Roots, dijkstra_tgba};
use lariat_store::Exact;
use lariat_store::live::InPlace;
use tables::Beem;

/// States of the system; the `beem` command runs the large ones.
const MAX_STATES: u64 = 15_000;

fn answer(graph: &mut PropertyGraph<'_>, verdict: &Verdict, by: Acceptance) -> &'static str {
    match verdict {
        Verdict::Empty => "yes",
        Verdict::Accepting(lasso) => {
            lasso.verify(graph, by).expect("a counterexample is an accepting run");
            "no"
        }
        Verdict::Inconclusive(reason) => panic!("{reason:?}"),
    }
}

#[test]
fn property_processes_give_the_published_answers() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let beem = Beem::read(&shared).unwrap();
    let mut compared = 0;
    let mut wrong = Vec::new();
    for row in beem.properties.rows().filter(|row| row.get("prop_type") == "LTL") {
        let (model, instance) = (row.get("model"), row.get("instance"));
        let published = row.get("published_answer");
        let file = format!("{model}.{instance}.prop{}.dve", row.get("prop"));
        let small = beem.states(model, instance).is_some_and(|states| states <= MAX_STATES);
        if published == "unknown" || !small {
            continue;
        }
        let Some(text) = beem.model(&file) else { continue };
        let dve = dve::load_text(&file, &text, Options { property: true }).unwrap();
        let mut graph = PropertyGraph::new(&dve.model).unwrap();
        let options = dfs::Options::default();
        let mut store = InPlace::new(FlatArena::new(graph.width()));
        let roots = Roots::Compressed;
        let by_edges = dijkstra_tgba::check(&mut graph, &mut store, options, roots).verdict;
        let mut store = Exact::new(FlatArena::new(graph.width()));
        let by_states = se::check(&mut graph, &mut store, options).verdict;
        let found = [
            answer(&mut graph, &by_edges, Acceptance::Edges),
            answer(&mut graph, &by_states, Acceptance::States),
        ];
        assert!(graph.faults().is_empty(), "{file}");
        compared += 1;
        if found != [published; 2] {
            wrong.push(format!("{file}: published {published}, found {found:?}"));
        }
    }
    assert!(compared >= 30, "only {compared} properties");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
