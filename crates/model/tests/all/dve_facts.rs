//! The micro-models of `facts/dve`: state, transition and deadlock counts as DiVinE's
//! interpreter has them, or the refusal.

use lariat_model::dve::{self, DveOptions};
use lariat_model::ir::Model;
use lariat_search::safety::{ExploreOptions, explore};
use lariat_testing::facts;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counts {
    states: u64,
    transitions: u64,
    deadlocks: Option<u64>,
}

fn count(model: &Model) -> Counts {
    let found = explore(model, &ExploreOptions::default()).expect("initial values were checked");
    let deadlocks = Some(found.deadlocks);
    Counts { states: found.states, transitions: found.transitions, deadlocks }
}

/// `states=3 transitions=2 deadlocks=1`
fn counts(text: &str) -> Option<Counts> {
    let field = |name: &str| {
        let rest = text.split_once(&format!("{name}="))?.1;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let (states, transitions) = (field("states")?, field("transitions")?);
    Some(Counts { states, transitions, deadlocks: field("deadlocks") })
}

#[derive(PartialEq, Eq, Debug)]
enum Expected {
    Refused,
    Counts(Counts),
}

/// What is expected of a file: DiVinE's answer where it has one, else LTSmin's.
fn expected(text: &str) -> Option<Expected> {
    let mut lines = text.lines();
    let (first, second) = (lines.next()?, lines.next()?);
    if first.contains("expect: error") {
        return Some(Expected::Refused);
    }
    let divine = second.split('|').next()?;
    counts(divine).or_else(|| counts(first)).map(Expected::Counts)
}

/// Where lariat does something else, and why (more in `docs/dve.md`).
const EXCEPTIONS: [(&str, &str); 5] = [
    ("076-mod-zero-guard.dve", "both engines die; here `% 0` is a fault like `/ 0`"),
    ("148-prop-no-accept.dve", "both engines die; refused"),
    ("152-system-sync.dve", "DiVinE aborts, LTSmin counts it as async; here it is lock-step"),
    ("153-system-sync-nondet.dve", "as 152"),
    ("154-system-sync-block.dve", "as 152"),
];

#[test]
fn micro_models_have_their_counts() {
    let mut wrong = Vec::new();
    for path in facts("dve", 159) {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let exception = EXCEPTIONS.iter().any(|(file, _)| *file == name);
        let expected = expected(&text);
        let found = match dve::load_text(&name, &text, DveOptions { property: true }) {
            Ok(dve) => Expected::Counts(count(&dve.model)),
            Err(refusal) => {
                assert!(refusal.diagnostics.iter().all(|error| !error.primary.span.is_nowhere()));
                Expected::Refused
            }
        };
        let equal = match (&expected, &found) {
            (Some(Expected::Counts(expected)), Expected::Counts(found)) => {
                (expected.states, expected.transitions) == (found.states, found.transitions)
                    && expected.deadlocks.is_none_or(|n| Some(n) == found.deadlocks)
            }
            (expected, found) => expected.as_ref() == Some(found),
        };
        if equal == exception {
            wrong.push(format!("{name}: expected {expected:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
