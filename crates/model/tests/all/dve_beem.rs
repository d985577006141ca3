//! State and edge counts of BEEM against the published ones.

use std::path::{Path, PathBuf};

use lariat_model::dve::{self, Options};
use lariat_model::explore::{ExploreOptions, explore};

/// The large instances are counted by the `beem` command.
const MAX_STATES: u64 = 100_000;

fn beem() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/beem")
}

/// The fields of a line; a field in quotes may contain commas.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

#[test]
fn small_instances_have_the_published_counts() {
    let csv = std::fs::read_to_string(beem().join("beem_instances.csv")).unwrap();
    let mut compared = 0_usize;
    let mut wrong = Vec::new();
    for line in csv.lines().skip(1) {
        let row = fields(line);
        let (complete, states) = (&row[5], row[7].parse::<u64>());
        let Ok(states) = states else { continue };
        let path = beem().join("dve").join(format!("{}.{}.dve", row[0], row[1]));
        if complete != "yes" || states > MAX_STATES || !path.exists() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let dve =
            dve::load_text(&name, &text, Options { property: true }).unwrap_or_else(|refusal| {
                panic!("{name}: {:?}", refusal.diagnostics);
            });
        let found = explore(&dve.model, &ExploreOptions::default());
        let found = found.expect("initial values were checked");
        let counts = (found.states, found.transitions);
        compared += 1;
        // Edges are published for some instances only.
        let edges = row[10].parse::<u64>().unwrap_or(found.transitions);
        if counts != (states, edges) {
            wrong.push(format!("{name}: published {states}/{edges}, found {counts:?}"));
        }
    }
    assert!(compared >= 70, "only {compared} instances");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// States and transitions of products, on which DiVinE and LTSmin agree (DVE.md, section 10).
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
fn products_have_the_counts_of_the_other_tools() {
    for (name, states, transitions) in PRODUCTS {
        let path = beem().join("dve").join(format!("{name}.dve"));
        let text = std::fs::read_to_string(&path).unwrap();
        let dve = dve::load_text(name, &text, Options { property: true }).unwrap();
        let found = explore(&dve.model, &ExploreOptions::default()).unwrap();
        assert_eq!((found.states, found.transitions), (states, transitions), "{name}");
    }
}
