//! docs/walk.md names files and functions: they are there, and the hops are numbered in a row.

use std::path::Path;

#[test]
fn every_hop_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/walk.md")).expect("docs/walk.md");
    let mut hops = 0;
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [_, number, file, function, ..] = cells[..] else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        hops += 1;
        assert_eq!(number, hops, "{line}");
        let text = std::fs::read_to_string(root.join("crates").join(file)).expect(file);
        let is_there = ["(", "<"].iter().any(|end| text.contains(&format!("fn {function}{end}")));
        assert!(is_there, "{file} has no function {function}");
    }
    assert!(hops > 20, "{hops} hops");
}
