//! What the compiler says to mistakes, as `docs/rust.md` shows it. After a change of words, look at the difference:
//! `TRYBUILD=overwrite cargo test -p lariat --test ui`

use std::path::Path;

#[test]
fn messages() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("tests/ui/*.rs");
}

/// The first line of each message stands in the tutorial.
#[test]
fn messages_are_in_the_docs() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tutorial = std::fs::read_to_string(here.join("../../docs/rust.md")).expect("the tutorial");
    let mut count = 0;
    for file in std::fs::read_dir(here.join("tests/ui")).expect("the folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "stderr") {
            let said = std::fs::read_to_string(&path).expect("a text");
            let first = said.lines().next().expect("a line");
            assert!(tutorial.contains(first), "docs/rust.md does not show: {first}");
            count += 1;
        }
    }
    assert_eq!(count, 6);
}
