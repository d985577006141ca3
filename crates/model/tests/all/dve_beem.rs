//! State and edge counts of BEEM against the published ones.

use std::path::PathBuf;

use lariat_model::dve::{self, DveOptions};
use lariat_search::safety::{ExploreOptions, explore};
use lariat_testing::corpus;
use lariat_testing::table::Table;

/// The large instances are counted by the `beem` command.
const MAX_STATES: u64 = 100_000;

fn beem() -> PathBuf {
    corpus().join("beem")
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn small_instances_have_the_published_counts() {
    let table = Table::read(&beem().join("beem_instances.csv")).unwrap();
    let mut compared = 0_usize;
    let mut wrong = Vec::new();
    for row in table.rows() {
        let Some(states) = row.number("states") else { continue };
        let (model, instance) = (row.get("model"), row.get("instance"));
        let path = beem().join("dve").join(format!("{model}.{instance}.dve"));
        if row.get("reach_complete") != "yes" || states > MAX_STATES || !path.exists() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let dve =
            dve::load_text(&name, &text, DveOptions { property: true }).unwrap_or_else(|refusal| {
                panic!("{name}: {:?}", refusal.diagnostics);
            });
        let found = explore(&dve.model, &ExploreOptions::default());
        let found = found.expect("initial values were checked");
        let counts = (found.states, found.transitions);
        compared += 1;
        // Edges are published for some instances only.
        let edges = row.number("stat_edges").unwrap_or(found.transitions);
        if counts != (states, edges) {
            wrong.push(format!("{name}: published {states}/{edges}, found {counts:?}"));
        }
    }
    assert!(compared >= 70, "only {compared} instances");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// States and transitions of products, on which DiVinE and LTSmin agree (the interpreter of the one, the compiler of the other).
const PRODUCTS: [(&str, u64, u64); 15] = [
    ("phils.1.prop1", 159, 594),
    ("phils.2.prop1", 1161, 6629),
    ("fischer.1.prop2", 1263, 3173),
    ("phils.3.prop1", 1458, 8154),
    ("bakery.2.prop2", 2128, 5245),
    ("lup.1.prop2", 1562, 2897),
    ("mcs.2.prop2", 2462, 7552),
    ("bakery.1.prop2", 2761, 6837),
    ("rether.1.prop2", 2978, 3343),
    ("elevator.2.prop2", 4217, 9326),
    ("iprotocol.1.prop2", 1022, 2788),
    ("mcs.1.prop2", 12206, 41056),
    ("elevator.1.prop2", 12408, 27375),
    ("extinction.1.prop2", 8993, 21727),
    ("lifts.1.prop2", 8391, 19522),
];

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn products_have_the_counts_of_the_other_tools() {
    for (name, states, transitions) in PRODUCTS {
        let path = beem().join("dve").join(format!("{name}.dve"));
        let text = std::fs::read_to_string(&path).unwrap();
        let dve = dve::load_text(name, &text, DveOptions { property: true }).unwrap();
        let found = explore(&dve.model, &ExploreOptions::default()).unwrap();
        assert_eq!((found.states, found.transitions), (states, transitions), "{name}");
    }
}
