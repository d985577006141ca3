//! BEEM's LTL properties on small instances against the published answers: by the property
//! process with two checks, inside the state and beside it, and by lariat's own translation.
//! Counterexamples are replayed.

#[path = "../../../../bench/src/beem/ltl.rs"]
mod ltl;

use lariat_core::lasso::Acceptance;
use lariat_core::{Emptiness, FlatArena};
use lariat_model::dve::{self, DveModel, DveOptions};
use lariat_model::interp::PropertyGraph;
use lariat_search::dfs;
use lariat_search::emptiness::nested::se;
use lariat_store::Exact;
use lariat_testing::beem::Beem;

/// States of the system; the `beem` command runs the large ones.
const MAX_STATES: u64 = 15_000;

/// By the property process, with a nested search.
fn nested(dve: &DveModel) -> bool {
    let mut graph = PropertyGraph::new(&dve.model).expect("a property process");
    let mut store = Exact::new(FlatArena::new(graph.width()));
    let verdict = se::check(&mut graph, &mut store, dfs::SearchOptions::default()).verdict;
    if let Emptiness::Found(lasso) = &verdict {
        lasso.verify(&mut graph, Acceptance::States).expect("an accepting run");
    }
    matches!(verdict, Emptiness::Empty { .. })
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn properties_have_the_published_answers() {
    let beem = Beem::read(&lariat_testing::corpus()).unwrap();
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
        let watched = dve::load_text(&file, &text, DveOptions { property: true }).unwrap();
        let mut system = dve::load_text(&file, &text, DveOptions { property: false }).unwrap();
        let process = ltl::by_process(&watched).unwrap();
        let claim = ltl::by_claim(&system).unwrap();
        let translation = ltl::by_translation(&beem, &row, &mut system).unwrap();
        assert!(process.states > 0 && claim.states > 0 && translation.states > 0);
        let found = [nested(&watched), process.holds, claim.holds, translation.holds];
        compared += 1;
        if found != [published == "yes"; 4] {
            wrong.push(format!("{file}: published {published}, found {found:?}"));
        }
    }
    assert!(compared >= 60, "only {compared} properties");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
