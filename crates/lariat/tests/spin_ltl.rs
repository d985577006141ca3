//! The `ltl` blocks and never claims of the corpus: lariat's verdict is Spin's, with every check that applies.

use std::path::Path;
use std::process::Command;

fn verdict(model: &Path, property: &str, algorithm: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["check", "--quiet", "--json", "--property", property, "--algorithm", algorithm])
        .arg(model)
        .output()
        .expect("lariat can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{}: {error}: {}", model.display(), String::from_utf8_lossy(&output.stderr))
    });
    value["verdict"].as_str().expect("an answer has a verdict").to_owned()
}

#[test]
fn verdicts_are_spins() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(table) = std::fs::read_to_string(corpus.join("spin_ref.csv")) else {
        println!("skipped: no {}", corpus.display());
        return;
    };
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().expect("a table has a header").split(',').collect();
    let column = |name: &str| {
        header.iter().position(|&column| column == name).expect("the table has this column")
    };
    let (path, mode, status, errors) =
        (column("path"), column("mode"), column("status"), column("errors"));
    let mut compared = 0;
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let property = match cells[mode].strip_prefix("ltl:") {
            Some(name) => name,
            None if cells[mode] == "never" => "never",
            None => continue,
        };
        if !["complete", "error-found"].contains(&cells[status]) {
            continue;
        }
        let expected = if cells[errors] == "0" { "holds" } else { "violated" };
        for algorithm in ["auto", "se", "and", "gv", "c99", "ascc", "tauriainen", "dijkstra"] {
            let found = verdict(&corpus.join(cells[path]), property, algorithm);
            assert_eq!(found, expected, "{} {property} by {algorithm}", cells[path]);
        }
        compared += 1;
    }
    assert!(compared >= 18, "only {compared} rows were compared");
}
