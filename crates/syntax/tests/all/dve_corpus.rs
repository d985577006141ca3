//! Every DVE file of the public corpus and of the micro-models: read, printed, read again.

use std::path::Path;

use lariat_syntax::diagnostics::{SourceMap, render};
use lariat_syntax::dve::{self, ast::Model};
use lariat_testing::{corpus, facts, files};

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

fn parse(name: &str, text: &str) -> Result<Model, String> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = dve::parse(&sources, file);
    let messages = parsed.diagnostics.iter().map(|error| render(&sources, error, false));
    parsed.tree.ok_or_else(|| messages.collect())
}

/// The tree without its spans (`@12..17`), as text.
fn shape(model: &Model) -> String {
    let text = format!("{model:?}");
    let mut pieces = text.split('@');
    let mut shape = pieces.next().unwrap().to_string();
    for piece in pieces {
        shape.push_str(piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    }
    shape
}

fn round_trip(path: &Path, model: &Model) {
    let printed = dve::print(model);
    let again = parse("printed", &printed).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    assert_eq!(dve::print(&again), printed, "{path:?}");
    assert_eq!(shape(&again), shape(model), "{path:?}");
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn beem_is_read_and_printed() {
    let files = files(&corpus().join("beem/dve"), &["dve"]);
    assert!(files.len() > 300, "only {} files", files.len());
    for path in files {
        let model = parse(&path.display().to_string(), &read(&path));
        let model = model.unwrap_or_else(|error| panic!("{error}"));
        round_trip(&path, &model);
    }
}

/// What DiVinE's parser refuses for names, types or ranges is refused when it is lowered.
const REFUSED_LATER: [&str; 12] = [
    "018-bad-state.dve",
    "035-undeclared.dve",
    "036-use-before-declare.dve",
    "057-dot-var.dve",
    "069-byte-init-300.dve",
    "070-byte-init-negative.dve",
    "071-int-init-70000.dve",
    "072-const-byte-300.dve",
    "083-const-assign.dve",
    "093-index-scalar.dve",
    "109-value-mismatch.dve",
    "148-property-no-accept.dve",
];

#[test]
fn micro_models_are_read_or_refused() {
    for path in facts("dve", 159) {
        let text = read(&path);
        let name = path.file_name().unwrap().to_str().unwrap();
        let refused = text.lines().next().unwrap().contains("expect: error");
        match parse(name, &text) {
            Ok(model) => {
                assert!(!refused || REFUSED_LATER.contains(&name), "{name} should be refused");
                round_trip(&path, &model);
            }
            Err(error) => {
                assert!(refused, "{error}");
                assert!(error.contains(&format!("--> {name}:")), "no location: {error}");
            }
        }
    }
}
