//! Every file in `malformed/` is refused, at the place and with the words that
//! `malformed/expected.txt` says. `UPDATE_EXPECTED=1 cargo test -p lariat-automata --test all malformed` rewrites
//! that table; look at the difference.

use lariat_automata::hoa::Reader;
use std::fmt::Write;
use std::path::Path;

#[test]
fn malformed_files_are_refused_with_a_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".hoa"))
        .collect();
    names.sort();
    assert!(names.len() >= 60);
    let mut found = String::new();
    for name in &names {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let mut reader = Reader::new(&text, name);
        let error = reader.find_map(Result::err).unwrap_or_else(|| panic!("{name} is accepted"));
        let rendered = reader.render(&error);
        let place = rendered.split_once("--> ").and_then(|(_, place)| place.lines().next());
        let place = place.unwrap_or_else(|| panic!("{name} has no place"));
        writeln!(found, "{place}: {}", error.message).unwrap();
        // The rest of the stream ends, whatever it holds.
        assert!(reader.count() <= text.len());
    }
    let table = folder.join("expected.txt");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&table, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&table).unwrap();
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}
